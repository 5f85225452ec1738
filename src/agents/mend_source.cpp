#include <algorithm>
#include <optional>
#include <regex>

#include "agents/mend.hpp"
#include "base/text.hpp"

namespace hone::agents {
namespace {

/// Something done to the text, noted when it changed anything.
class SourceMender {
 public:
  explicit SourceMender(std::string text) { out_.text = std::move(text); }
  void replace(std::string_view from, std::string_view to, const std::string& what) {
    note(replace_all(out_.text, from, to), what);
  }
  void rewrite(const std::regex& from, const std::string& to, const std::string& what) {
    note(std::regex_replace(out_.text, from, to), what);
  }
  bool has(std::string_view word) const { return out_.text.find(word) != std::string::npos; }
  bool has_word(const std::string& word) const {
    for (auto at = out_.text.find(word); at != std::string::npos; at = out_.text.find(word, at + 1)) {
      const bool before = at > 0 && in_name(out_.text[at - 1]);
      const bool after = at + word.size() < out_.text.size() && in_name(out_.text[at + word.size()]);
      if (!before && !after) return true;
    }
    return false;
  }
  void note(std::string text, const std::string& what) {
    if (text == out_.text) return;
    out_.text = std::move(text);
    out_.what.push_back(what);
  }
  /// Each line kept, changed or (nothing) dropped.
  template <class Line>
  void lines(const Line& line, const std::string& what) {
    std::string text;
    auto all = split(out_.text, '\n');
    const bool ends = !all.empty() && all.back().empty();
    if (ends) all.pop_back();
    for (const auto& one : all)
      if (const auto kept = line(one)) text += *kept + "\n";
    if (!ends && !text.empty()) text.pop_back();
    note(std::move(text), what);
  }
  const std::string& text() const { return out_.text; }
  Mended take() { return std::move(out_); }

 private:
  Mended out_;
};

std::size_t after_number(const std::string& line) {
  auto at = line.find_first_not_of(' ');
  const auto digits = at;
  while (at != std::string::npos && at < line.size() && line[at] >= '0' && line[at] <= '9') ++at;
  if (at == std::string::npos || at == digits || at >= line.size() || line[at] != '|') return 0;
  return std::min(line.size(), at + (at + 1 < line.size() && line[at + 1] == ' ' ? 2 : 1));
}

void drop_line_numbers(SourceMender& source) {
  std::size_t numbered = 0, all = 0;
  for (const auto& line : split(source.text(), '\n'))
    if (!trim(line).empty()) ++all, numbered += after_number(line) > 0 ? 1 : 0;
  if (numbered == 0 || numbered < all) return;  // `1 | x` may be code
  source.lines([](const std::string& line) { return std::optional(line.substr(after_number(line))); },
               "line numbers taken out");
}

void drop_own_defines(SourceMender& source, const std::vector<std::string>& parameters) {
  source.lines(
      [&](const std::string& line) -> std::optional<std::string> {
        for (const auto& name : parameters) {
          const auto text = trim(line);
          if (!text.starts_with("#")) continue;
          const auto words = trim(text.substr(1));
          if (!words.starts_with("define")) continue;
          const auto rest = trim(words.substr(6));
          if (rest.starts_with(name) && rest.size() > name.size() &&
              (rest[name.size()] == ' ' || rest[name.size()] == '\t'))
            return std::nullopt;
        }
        return line;
      },
      "a #define of a parameter taken out");
}

/// CUDA's words for what OpenCL calls otherwise.
void speak_opencl(SourceMender& source) {
  source.rewrite(std::regex(R"((extern\s+"C"\s+)?__global__\s+void)"), "__kernel void",
                 "__global__ void is __kernel void");
  source.rewrite(std::regex(R"(__shared__\b)"), "__local", "__shared__ is __local");
  source.rewrite(std::regex(R"(__syncthreads\s*\(\s*\))"), "barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads is barrier");
  source.rewrite(std::regex(R"(__restrict__\b|__restrict\b)"), "restrict", "__restrict__ is restrict");
  source.rewrite(std::regex(R"(__device__\s+(__forceinline__\s+)?)"), "", "__device__ taken out");
  source.rewrite(std::regex(R"(\bmake_(float|int|double)([234])\s*\()"), "($1$2)(", "make_float4 is a vector literal");
  const char* const dimensions[] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) {
    const std::string at = std::string("\\.") + dimensions[d] + "\\b", to = "((int)get_";
    const std::string number = "(" + std::to_string(d) + "))";
    source.rewrite(std::regex(R"(\bthreadIdx)" + at), to + "local_id" + number, "threadIdx is get_local_id");
    source.rewrite(std::regex(R"(\bblockIdx)" + at), to + "group_id" + number, "blockIdx is get_group_id");
    source.rewrite(std::regex(R"(\bblockDim)" + at), to + "local_size" + number, "blockDim is get_local_size");
    source.rewrite(std::regex(R"(\bgridDim)" + at), to + "num_groups" + number, "gridDim is get_num_groups");
  }
}

/// A pointer argument of a kernel that names no address space can only be meant to be global.
void add_address_spaces(SourceMender& source, const Mep& mep) {
  for (const auto& kernel : mep.kernels) {
    const auto name = source.text().find(kernel.name + "(");
    if (name == std::string::npos || source.text().rfind("kernel", name) == std::string::npos) continue;
    const auto open = name + kernel.name.size();
    const auto close = source.text().find(')', open);
    if (close == std::string::npos) continue;
    std::vector<std::string> arguments = split(source.text().substr(open + 1, close - open - 1), ',');
    if (arguments.size() != kernel.arguments.size()) continue;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      auto& argument = arguments[i];
      const bool known = argument.find("global") != std::string::npos || argument.find("local") != std::string::npos ||
                         argument.find("constant") != std::string::npos;
      if (argument.find('*') == std::string::npos || known) continue;
      const bool local = kernel.arguments[i].kind == ArgumentSpec::Kind::Local;
      argument.insert(argument.find_first_not_of(" \n\t"), local ? "__local " : "__global ");
    }
    source.note(source.text().substr(0, open + 1) + join(arguments, ",") + source.text().substr(close),
                "the address space of a pointer added");
  }
}

void add_kernel_word(SourceMender& source, const Mep& mep) {
  if (source.has("kernel void") || source.has("kernel __attribute__")) return;
  for (const auto& kernel : mep.kernels)
    source.rewrite(std::regex("(^|\n)void\\s+" + kernel.name + "\\s*\\("), "$1__kernel void " + kernel.name + "(",
                   "__kernel added");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> defined_numbers(const std::string& source) {
  std::vector<std::pair<std::string, std::string>> out;
  static const std::regex form(R"(^\s*#\s*define\s+([A-Za-z_]\w*)\s+(\d+)\s*(//.*)?$)");
  for (const auto& line : split(source, '\n')) {
    std::smatch found;
    if (line.size() < 200 && std::regex_match(line, found, form)) out.emplace_back(found[1], found[2]);
  }
  return out;
}

Mended mend_source(const std::string& text, const Mep& mep, const std::vector<std::string>& parameters) {
  constexpr std::size_t most = std::size_t{64} << 10U;  // regular expressions take long on more
  SourceMender source(text);
  if (text.size() > most) return source.take();
  drop_line_numbers(source);
  source.lines(
      [](const std::string& line) { return trim(line).starts_with("```") ? std::nullopt : std::optional(line); },
      "a fence inside the code taken out");
  if (source.has("&lt;") || source.has("&gt;") || source.has("&amp;&amp;")) {
    source.replace("&lt;", "<", "&lt; is <");
    source.replace("&gt;", ">", "&gt; is >");
    source.replace("&amp;", "&", "&amp; is &");
  }
  for (const auto* quote : {"\u201c", "\u201d"}) source.replace(quote, "\"", "typographic quotes");
  for (const auto* space : {"\u00a0", "\u200b", "\ufeff"}) source.replace(space, " ", "spaces that are none");
  drop_own_defines(source, parameters);
  if (mep.language != Language::OpenCL) return source.take();
  speak_opencl(source);
  add_kernel_word(source, mep);
  add_address_spaces(source, mep);
  for (const auto& [word, extension] : {std::pair("double", "cl_khr_fp64"), {"half", "cl_khr_fp16"}})
    if (source.has_word(word) && !source.has(extension) && mep.source.find(word) == std::string::npos)
      source.note("#pragma OPENCL EXTENSION " + std::string(extension) + " : enable\n" + source.text(),
                  std::string("the pragma for ") + word + " added");
  return source.take();
}

}  // namespace hone::agents
