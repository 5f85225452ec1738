#include "patterns/signature.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "core/launch_walk.hpp"

namespace hone::patterns {
namespace {

/// Words and brackets of C text; comments, strings and directives are left out.
std::vector<std::string> words_of(const std::string& source) {
  std::vector<std::string> words;
  const auto ends_word = [](char c) { return !in_name(c); };
  for (std::size_t i = 0; i < source.size();) {
    const std::string two = source.substr(i, 2);
    if (two == "//" || source[i] == '#') {
      i = std::min(source.find('\n', i), source.size());
    } else if (two == "/*") {
      const auto close = source.find("*/", i + 2);
      i = close == std::string::npos ? source.size() : close + 2;
    } else if (ends_word(source[i])) {
      if (std::string_view("{}();").find(source[i]) != std::string_view::npos) words.emplace_back(1, source[i]);
      ++i;
    } else {
      const auto end = std::find_if(source.begin() + static_cast<std::ptrdiff_t>(i), source.end(), ends_word);
      words.emplace_back(source.begin() + static_cast<std::ptrdiff_t>(i), end);
      i = static_cast<std::size_t>(end - source.begin());
    }
  }
  return words;
}

bool is_loop(const std::string& word) { return word == "for" || word == "while" || word == "do"; }

/// How deep loops nest. A loop without braces ends at its first semicolon outside brackets.
int loop_depth(const std::vector<std::string>& words) {
  std::vector<char> open;  // 'l': a loop waiting for its body, 'L': a loop's block, '{': another block
  int brackets = 0;
  int deepest = 0;
  const auto loops = [&] {
    return static_cast<int>(std::count_if(open.begin(), open.end(), [](char c) { return c != '{'; }));
  };
  for (const auto& word : words) {
    if (is_loop(word)) open.push_back('l');
    if (word == "(") ++brackets;
    if (word == ")") --brackets;
    if (word == "{") {
      if (!open.empty() && open.back() == 'l')
        open.back() = 'L';
      else
        open.push_back('{');
    }
    const bool block_ends = word == "}" && !open.empty();
    if (block_ends) open.pop_back();
    if ((word == ";" && brackets == 0) || block_ends)
      while (!open.empty() && open.back() == 'l') open.pop_back();
    deepest = std::max(deepest, loops());
  }
  return deepest;
}

bool uses_any(const std::vector<std::string>& words, const std::set<std::string>& names) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return names.contains(word); });
}

std::size_t launch_dimensions(const std::vector<LaunchStep>& steps) {
  std::size_t most = 0;
  each_launch(steps, [&](const Launch& launch) { most = std::max(most, launch.global.size()); });
  return most;
}

}  // namespace

Features features_of(const Mep& mep) {
  static const std::set<std::string> math = {"exp", "log",  "sin",  "cos",        "tan",        "sqrt", "rsqrt",
                                             "pow", "exp2", "log2", "native_exp", "native_log", "erf",  "tanh"};
  static const std::set<std::string> local = {"__local", "local", "__shared__"};
  static const std::set<std::string> barriers = {"barrier", "__syncthreads", "work_group_barrier"};
  const auto words = words_of(mep.source);
  std::set<std::string> types;
  int buffers = 0;
  int written = 0;
  for (const auto& kernel : mep.kernels)
    for (const auto& argument : kernel.arguments) {
      if (argument.kind != ArgumentSpec::Kind::Buffer) continue;
      ++buffers;
      written += argument.access != Access::Read;
      types.insert(argument.type);
    }
  std::size_t dimensions = 0;
  for (const auto& workload : mep.workloads) dimensions = std::max(dimensions, launch_dimensions(workload.launches));
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"dimensions", std::to_string(dimensions)},
          {"loops", std::to_string(loop_depth(words))},
          {"types", types.empty() ? "none" : join({types.begin(), types.end()}, ",")},
          {"buffers", std::to_string(buffers)},
          {"written", std::to_string(written)},
          {"kernels", std::to_string(mep.kernels.size())},
          {"local", yes(uses_any(words, local))},
          {"barriers", yes(uses_any(words, barriers))},
          {"math", yes(uses_any(words, math))}};
}

std::string print(const Features& features) {
  std::string out;
  for (const auto& [name, value] : features) out.append(out.empty() ? "" : " ").append(name).append("=").append(value);
  return out;
}

Features parse(const std::string& signature) {
  Features features;
  for (const auto& part : split(signature, ' ')) {
    const auto equals = part.find('=');
    if (equals != std::string::npos && equals > 0) features[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return features;
}

double likeness(const Features& a, const Features& b) {
  // What decides most whether a change carries over weighs most.
  static const std::map<std::string, double> weights = {
      {"barriers", 3}, {"loops", 3}, {"dimensions", 2}, {"types", 2}, {"local", 2}};
  double common = 0;
  double all = 0;
  std::set<std::string> names;
  for (const auto& [name, value] : a) names.insert(name);
  for (const auto& [name, value] : b) names.insert(name);
  for (const auto& name : names) {
    const auto weight = weights.contains(name) ? weights.at(name) : 1.0;
    all += weight;
    if (a.contains(name) && b.contains(name) && a.at(name) == b.at(name)) common += weight;
  }
  return all == 0 ? 0 : common / all;
}

}  // namespace hone::patterns
