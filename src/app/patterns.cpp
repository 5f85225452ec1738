// hone patterns: what paid off so far, on what, where; and how it goes to another machine and comes from there.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/pattern_uses.hpp"
#include "app/setting.hpp"
#include "base/text.hpp"
#include "os/files.hpp"
#include "store/records.hpp"

namespace hone::app {
namespace {

struct PatternsRequest {
  std::string action = "list", what;
};

nlohmann::json pattern_json(const Pattern& p, const patterns::PatternUse& use) {
  return {{"change", p.change}, {"code", p.code},     {"device", p.device}, {"ratio", p.ratio},
          {"low", p.low},       {"high", p.high},     {"trial", p.trial},   {"configuration", print(p.configuration)},
          {"source", p.source}, {"cited", use.cited}, {"hits", use.hits}};
}

std::string pattern_line(std::size_t number, const Pattern& p, const patterns::PatternUse& use) {
  auto out = fmt::format("{:>3}  {:>7.2f}x [{:.2f}, {:.2f}]  {}  ({})\n               on {}  {}\n", number, p.ratio,
                         p.low, p.high, p.change, print(p.configuration), p.device, p.code);
  if (use.cited > 0) out += fmt::format("               followed {} times, faster {} of them\n", use.cited, use.hits);
  return out;
}

Answer listed_patterns(const std::vector<Pattern>& patterns) {
  Answer answer;
  answer.data["patterns"] = nlohmann::json::array();
  auto uses = load_pattern_uses();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto use = uses[patterns[i].trial];
    answer.text += pattern_line(i + 1, patterns[i], use);
    answer.data["patterns"].push_back(pattern_json(patterns[i], use));
  }
  if (patterns.empty()) answer.text = "no pattern yet\n  next: hone optimize DIR --kernel NAME\n";
  return answer;
}

Result<Answer> shown_pattern(const std::vector<Pattern>& patterns, const std::string& number) {
  const bool digits =
      !number.empty() && number.size() < 9 && number.find_first_not_of("0123456789") == std::string::npos;
  const auto at = digits ? std::stoul(number) : 0;
  if (at < 1 || at > patterns.size())
    return fail("E-PATTERN", fmt::format("there is no pattern {}; there are {}", number, patterns.size()),
                "hone patterns");
  const auto& pattern = patterns[at - 1];
  const auto use = load_pattern_uses()[pattern.trial];
  Answer answer;
  answer.text = pattern_line(at, pattern, use) + fmt::format("               proven by trial {}\n", pattern.trial);
  if (!pattern.source.empty()) answer.text += "\n" + pattern.source + "\n";
  answer.data = pattern_json(pattern, use);
  return answer;
}

/// One record a line, as the log has them.
Result<Answer> exported_patterns(const std::vector<Pattern>& patterns, const std::string& file) {
  std::string lines;
  for (const auto& pattern : patterns) lines += store::to_record(pattern) + "\n";
  if (auto written = os::write_text(file, lines); !written) return fail(std::move(written).error());
  Answer answer;
  answer.text = fmt::format("{}: {} patterns\n", file, patterns.size());
  answer.data = {{"file", file}, {"patterns", patterns.size()}};
  return answer;
}

/// All of a file or nothing. What is here already stays one.
Result<Answer> imported_patterns(TrialLog& log, const std::string& file, std::size_t before) {
  const auto text = os::read_text(file);
  if (!text) return fail(text.error());
  std::vector<Pattern> read;
  std::size_t number = 0;
  for (const auto& line : split(*text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto pattern = store::pattern_from_record(line);
    if (!pattern) return fail(std::move(pattern).error().context(fmt::format("{}:{}", file, number)));
    read.push_back(std::move(*pattern));
  }
  for (const auto& pattern : read)
    if (auto recorded = log.record(pattern); !recorded) return fail(std::move(recorded).error());
  const auto all = log.patterns();
  if (!all) return fail(all.error());
  Answer answer;
  answer.text = fmt::format("{}: {} patterns, {} of them new\n", file, read.size(), all->size() - before);
  answer.data = {{"file", file}, {"patterns", read.size()}, {"added", all->size() - before}};
  return answer;
}

Result<Answer> answer_to(const PatternsRequest& request) {
  const auto log = open_log();
  if (!log) return fail(log.error());
  const auto known = (*log)->patterns();
  if (!known) return fail(known.error());
  if (request.action == "list") return listed_patterns(*known);
  if (request.what.empty())
    return fail("E-PATTERN",
                "hone patterns " + request.action + " needs " +
                    (request.action == "show" ? "the number of a pattern" : "a file"),
                "hone patterns");
  if (request.action == "show") return shown_pattern(*known, request.what);
  return request.action == "export" ? exported_patterns(*known, request.what)
                                    : imported_patterns(**log, request.what, known->size());
}

}  // namespace

void add_patterns(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("patterns", "Lists the changes that paid off so far");
  auto request = std::make_shared<PatternsRequest>();
  command->add_option("action", request->action, "list, show NUMBER, export FILE or import FILE")
      ->check(CLI::IsMember({"list", "show", "export", "import"}))
      ->capture_default_str();
  command->add_option("what", request->what, "A pattern's number, or a file");
  choose(command, chosen, [request] { return answer_to(*request); });
}

}  // namespace hone::app
