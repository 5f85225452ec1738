#include "report/words.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace hone::report {
namespace {

std::vector<std::string> words_of(const std::string& step, const Configuration& configuration) {
  std::vector<std::string> words;
  for (const auto& word : split(step, ' ')) {
    if (word.empty()) continue;
    const auto value = configuration.find(word);
    words.push_back(value == configuration.end() || words.empty() ? word : print(value->second));
  }
  return words;
}

/// "dimension 0", or the variable that holds the work-item's index.
std::string axis(const std::string& name) {
  return name.find_first_not_of("0123456789") == std::string::npos ? "dimension " + name : "`" + name + "`";
}

std::string sentence(const std::string& step, const std::vector<std::string>& words) {
  const std::string& rule = words[0];
  if (rule == "lanes" && words.size() == 3)
    return fmt::format("{} neighbouring work-items of {} work as one, on vectors", words[2], axis(words[1]));
  if (rule == "merge" && words.size() == 3)
    return fmt::format("each work-item does the work of {} along {}, sharing what they load", words[2], axis(words[1]));
  if (rule == "unroll" && words.size() == 3)
    return fmt::format("the loop over `{}` does {} iterations at once", words[1], words[2]);
  if (rule == "registers") return "elements that a loop updates in memory are held in registers";
  if (rule == "fold") return "a whole work-group is folded into one work-item, its barriers into loop boundaries";
  if (rule == "workgroup" && words.size() > 1)
    return fmt::format("work-groups of {}", join({words.begin() + 1, words.end()}, " x "));
  return "`" + step + "`";
}

bool does_nothing(const std::vector<std::string>& words) {
  const bool by_one =
      words.size() == 3 && words[2] == "1" && (words[0] == "lanes" || words[0] == "merge" || words[0] == "unroll");
  return by_one || words[0] == "kernel" || words[0] == "keep";
}

}  // namespace

std::vector<std::string> in_words(const std::vector<std::string>& schedule, const Configuration& configuration) {
  std::vector<std::string> out;
  for (const auto& step : schedule) {
    const auto words = words_of(step, configuration);
    if (!words.empty() && !does_nothing(words)) out.push_back(sentence(step, words));
  }
  return out;
}

}  // namespace hone::report
