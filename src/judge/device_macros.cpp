#include "judge/device_macros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "core/c_tokens.hpp"

namespace hone::judge {
namespace {

using Names = std::set<std::string, std::less<>>;

struct Directives {
  Names asked, defined;
};

void take(const std::vector<std::string_view>& directive, Directives& out) {
  if (directive.size() < 3) return;
  const auto word = directive[1];
  if (word == "define") out.defined.insert(std::string(directive[2]));
  if (word != "if" && word != "elif" && word != "ifdef" && word != "ifndef" && word != "elifdef" && word != "elifndef")
    return;
  for (auto token = directive.begin() + 2; token != directive.end(); ++token)
    if (is_identifier(*token) && *token != "defined") out.asked.insert(std::string(*token));
}

Directives directives_of(std::string_view source) {
  Directives out;
  std::vector<std::string_view> line;
  for (const auto& token : c_tokens(source)) {
    if (token.kind == CToken::Kind::Newline) {
      if (!line.empty() && line.front() == "#") take(line, out);
      line.clear();
    } else if (token.kind != CToken::Kind::Space && token.kind != CToken::Kind::Comment) {
      line.push_back(token.text);
    }
  }
  if (!line.empty() && line.front() == "#") take(line, out);
  return out;
}

}  // namespace

std::vector<std::string> asked_macros(const Variant& variant, std::string_view original) {
  const auto own = directives_of(variant.source), of_k0 = directives_of(original);
  Names given;
  for (const auto& option : variant.options)
    if (option.starts_with("-D")) given.insert(option.substr(2, option.find('=') - 2));
  std::vector<std::string> out;
  for (const auto& name : own.asked)
    if (!own.defined.contains(name) && !of_k0.asked.contains(name) && !given.contains(name)) out.push_back(name);
  return out;
}

std::string macro_probe(const std::vector<std::string>& names, bool valued) {
  auto out = fmt::format("kernel void {}(global int* told) {{\n", macro_probe_kernel);
  for (std::size_t i = 0; i < names.size(); ++i)
    out +=
        fmt::format("#ifdef {0}\n  told[{1}] = 1; told[{2}] = {3};\n#else\n  told[{1}] = 0; told[{2}] = 0;\n#endif\n",
                    names[i], 2 * i, 2 * i + 1, valued ? "(int)(" + names[i] + " + 0)" : "1");
  return out + "}\n";
}

std::string with_macros(const std::string& source, const std::vector<std::string>& names,
                        const std::vector<std::int32_t>& told) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && 2 * i + 1 < told.size(); ++i) {
    out += "#undef " + names[i] + "\n";
    if (told[2 * i] != 0) out += fmt::format("#define {} {}\n", names[i], told[2 * i + 1]);
  }
  return out + "#line 1\n" + source;
}

}  // namespace hone::judge
