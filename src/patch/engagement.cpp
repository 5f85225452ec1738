#include "patch/engagement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "patch/chunks.hpp"

namespace hone::patch {
namespace {

using RecordedSizes = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;  // global, local

std::string all_tokens(const std::string& text) { return " " + essence(text, {0, text.size()}) + " "; }

/// Programs whose text has this definition in it, whatever its layout.
std::set<std::string> programs_with(const Recording& recording, const std::string& definition) {
  std::set<std::string> out;
  const auto wanted = all_tokens(definition);
  for (const auto& [name, text] : recording.sources)
    if (all_tokens(text).find(wanted) != std::string::npos) out.insert(name);
  return out;
}

std::string size_words(const std::vector<std::size_t>& sizes) {
  std::vector<std::string> texts;
  for (const auto size : sizes) texts.push_back(std::to_string(size));
  return join(texts, "x");
}

std::string in_words(const RecordedSizes& sizes) {
  return size_words(sizes.first) + (sizes.second.empty() ? "" : " in groups of " + size_words(sizes.second));
}

std::string in_words(const std::set<RecordedSizes>& all) {
  std::vector<std::string> some;
  for (const auto& sizes : all)
    if (some.size() < 3) some.push_back(in_words(sizes));
  return join(some, ", ") + (all.size() > 3 ? fmt::format(" and {} more", all.size() - 3) : "");
}

/// What a launch becomes; nothing where the shape needs a local size and the launch gave none.
std::optional<RecordedSizes> reshaped(const LaunchShape* shape, const RecordedSizes& from) {
  if (shape == nullptr) return from;
  const Expression::Environment names = [&](std::string_view name) -> std::optional<Value> {
    for (const auto& [which, sizes] : {std::pair{"global", &from.first}, std::pair{"local", &from.second}})
      for (std::size_t d = 0; d < sizes->size(); ++d)
        if (name == fmt::format("launch.{}[{}]", which, d)) return Value(static_cast<std::int64_t>((*sizes)[d]));
    return std::nullopt;
  };
  RecordedSizes out;
  for (const auto& [expressions, sizes] :
       {std::pair{&shape->global, &out.first}, std::pair{&shape->local, &out.second}})
    for (const auto& expression : *expressions) {
      const auto size = expression.evaluate_integer(names);
      if (!size || *size < 0) return std::nullopt;
      sizes->push_back(static_cast<std::size_t>(*size));
    }
  for (std::size_t d = 0; d < std::min(out.first.size(), out.second.size()); ++d)
    if (const auto step = out.second[d]; step > 0) out.first[d] = (out.first[d] + step - 1) / step * step;
  return out;
}

class OneKernel {
 public:
  OneKernel(std::string name, const Shipped& shipped, const Recording& before, const Recording& after)
      : name_(std::move(name)), shipped_(shipped), before_(before), after_(after) {}

  Engagement run() {
    const auto fresh = shipped_.after.find(name_);
    const auto old = shipped_.before.find(name_);
    if (fresh == shipped_.after.end() || old == shipped_.before.end()) return no("its text is not known");
    const auto with = launches_of(after_, programs_with(after_, fresh->second));
    const auto without = launches_of(before_, programs_with(before_, old->second));
    if (with.empty()) return no(why_none(old->second));
    if (without.empty()) return no("without the patch no launch of the original text was recorded to compare with");
    const auto shape = std::ranges::find(shipped_.launches, name_, &LaunchShape::kernel);
    std::set<RecordedSizes> claimed;
    std::set<RecordedSizes> seen;
    for (const auto& sizes : without) {
      const auto made = reshaped(shape == shipped_.launches.end() ? nullptr : &*shape, sizes);
      if (!made) return no(fmt::format("what {} becomes cannot be computed", in_words(sizes)));
      claimed.insert(*made);
    }
    for (const auto& sizes : with)
      if (!claimed.contains(sizes))
        return no(fmt::format("it was launched with {}, and {} was claimed", in_words(sizes), in_words(claimed)));
      else
        seen.insert(sizes);
    return {true,
            fmt::format("the application built the shipped {} and launched it {} time{} as claimed ({})", name_,
                        with.size(), with.size() == 1 ? "" : "s", in_words(seen)),
            with.size()};
  }

 private:
  Engagement no(const std::string& why) const { return {false, name_ + ": " + why, 0}; }

  std::vector<RecordedSizes> launches_of(const Recording& recording, const std::set<std::string>& programs) const {
    std::vector<RecordedSizes> out;
    for (const auto& launch : recording.launches)
      if (launch.kernel == name_ && programs.contains(launch.source)) out.emplace_back(launch.global, launch.local);
    return out;
  }

  std::string why_none(const std::string& old) const {
    const auto stale = programs_with(after_, old);
    std::size_t any = 0;
    std::size_t from_binary = 0;
    std::size_t from_old = 0;
    for (const auto& launch : after_.launches) {
      if (launch.kernel != name_) continue;
      ++any;
      from_binary += launch.source.empty() ? 1 : 0;
      from_old += stale.contains(launch.source) ? 1 : 0;
    }
    if (any == 0)
      return fmt::format("it was not launched while the command ran ({} launches of other kernels were recorded)",
                         after_.launches.size());
    if (from_old > 0) return "the application still launched the text from before the patch";
    if (from_binary == any) return "the application took its program from a stored binary, not from source";
    return "it was launched, but from a program whose text does not have the shipped definition in it";
  }

  std::string name_;
  const Shipped& shipped_;
  const Recording &before_, &after_;
};

}  // namespace

Engagement engagement_of(const Shipped& shipped, const Recording& before, const Recording& after) {
  for (const auto* recording : {&before, &after}) {
    if (!recording->watched) return {false, recording->why_not, 0};
    if (!recording->loaded)
      return {false,
              "no program of the command loaded Hone's layer: it uses no OpenCL, or its OpenCL loader has no layers",
              0};
  }
  std::set<std::string> kernels;
  for (const auto& [name, text] : shipped.after)
    if (const auto old = shipped.before.find(name); old == shipped.before.end() || old->second != text)
      kernels.insert(name);
  for (const auto& shape : shipped.launches) kernels.insert(shape.kernel);
  if (kernels.empty()) return {false, "the patch ships no kernel", 0};
  Engagement all{true, "", 0};
  std::vector<std::string> good;
  std::vector<std::string> bad;
  for (const auto& kernel : kernels) {
    const auto one = OneKernel(kernel, shipped, before, after).run();
    (one.shown ? good : bad).push_back(one.words);
    all.launches += one.launches;
  }
  all.shown = bad.empty();
  all.words = join(all.shown ? good : bad, "; ");
  if (!all.shown && (before.cut || after.cut)) all.words += " (not every launch was recorded: there are too many)";
  return all;
}

}  // namespace hone::patch
