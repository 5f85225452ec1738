#include "source/build_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "ir/dialect.hpp"
#include "source/clang_parse.hpp"
#include "source/host/contained.hpp"

namespace hone::source {
namespace {

/// "use of undeclared identifier 'N'" and its like.
std::optional<MissingName> missing_in(const std::string& message) {
  using As = MissingName::As;
  static const std::vector<std::pair<std::string, As>> forms = {
      {"use of undeclared identifier '", As::Value},       {"unknown type name '", As::Type},
      {"call to undeclared function '", As::Function},     {"implicit declaration of function '", As::Function},
      {"variable has incomplete type 'struct ", As::Type}, {"no template named '", As::Type},
  };
  for (const auto& [start, as] : forms) {
    const auto at = message.find(start);
    if (at == std::string::npos) continue;
    const auto begin = at + start.size();
    const auto name = message.substr(begin, message.find('\'', begin) - begin);
    if (is_identifier(name)) return MissingName{name, as};
  }
  return std::nullopt;
}

}  // namespace

BuildCheck check_build(const std::string& text, Language language, const std::map<std::string, std::string>& defines) {
  const auto work = [&](std::size_t) {
    ParseRequest request;
    request.text = text;
    request.dialect = ir::dialect_of(language);
    request.defines = defines;
    std::string out = "read\n";
    const auto done = parse(request, [&](const Parsed& parsed) {
      for (const auto& error : parsed.errors) {
        if (out.size() > 200000) break;
        out += fmt::format("{} {}\n", line_of(text, std::min(error.offset, text.size())),
                           replace_all(error.message, "\n", " "));
      }
    });
    return done ? out : std::string();
  };
  hone::host::ContainedLimits limits;
  limits.each = std::chrono::milliseconds(10000);
  limits.total = std::chrono::milliseconds(10000);
  const auto answers = hone::host::contained(1, work, limits);
  BuildCheck out;
  out.problem = answers.front().problem;
  if (!answers.front().bytes.starts_with("read\n")) {
    if (out.problem.empty()) out.problem = "Clang gave no answer";
    return out;
  }
  for (const auto& line : split(answers.front().bytes.substr(5), '\n')) {
    const auto space = line.find(' ');
    if (space == std::string::npos) continue;
    const auto message = line.substr(space + 1);
    if (auto missing = missing_in(message)) {
      const auto same = [&](const MissingName& m) { return m.name == missing->name; };
      if (std::ranges::none_of(out.missing, same)) out.missing.push_back(std::move(*missing));
    } else {
      out.others.push_back(fmt::format("line {}: {}", line.substr(0, space), message));
    }
  }
  return out;
}

}  // namespace hone::source
