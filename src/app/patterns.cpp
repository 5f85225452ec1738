// hone patterns: what paid off so far, on what, where.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/pattern_uses.hpp"
#include "app/setting.hpp"

namespace hone::app {

void add_patterns(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("patterns", "Lists the changes that paid off so far");
  choose(command, chosen, []() -> Result<Answer> {
    const auto log = open_log();
    if (!log) return fail(log.error());
    const auto patterns = (*log)->patterns();
    if (!patterns) return fail(patterns.error());
    Answer answer;
    answer.data["patterns"] = nlohmann::json::array();
    auto uses = load_pattern_uses();
    for (const auto& p : *patterns) {
      const auto use = uses[p.trial];
      answer.text += fmt::format("{:>7.2f}x [{:.2f}, {:.2f}]  {}  ({})\n          on {}  {}\n", p.ratio, p.low, p.high,
                                 p.change, print(p.configuration), p.device, p.code);
      if (use.cited > 0)
        answer.text += fmt::format("          followed {} times, faster {} of them\n", use.cited, use.hits);
      answer.data["patterns"].push_back({{"change", p.change},
                                         {"code", p.code},
                                         {"device", p.device},
                                         {"ratio", p.ratio},
                                         {"low", p.low},
                                         {"high", p.high},
                                         {"trial", p.trial},
                                         {"configuration", print(p.configuration)},
                                         {"source", p.source},
                                         {"cited", use.cited},
                                         {"hits", use.hits}});
    }
    if (patterns->empty()) answer.text = "no pattern yet\n  next: hone optimize DIR --kernel NAME\n";
    return answer;
  });
}

}  // namespace hone::app
