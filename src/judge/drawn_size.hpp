#pragma once
// What is said of the size that is drawn once a candidate is fixed. The size itself belongs to the claim: who may try
// again must not hear it.

#include <optional>
#include <string_view>

namespace hone::judge {

inline constexpr std::string_view passed_at_drawn_size = "outputs at a size drawn after the candidate was made";
inline constexpr std::string_view nothing_at_drawn_size =
    "no further size was tried: K(0) does not run at the one that was drawn";

/// The sentence without the size; nothing when the line says none.
inline std::optional<std::string_view> told_of_drawn_size(std::string_view line) {
  for (const auto sentence : {passed_at_drawn_size, nothing_at_drawn_size})
    if (line.starts_with(sentence)) return sentence;
  return std::nullopt;
}

}  // namespace hone::judge
