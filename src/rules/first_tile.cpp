#include "rules/first_tile.hpp"

#include <algorithm>
#include <cctype>

#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

/// Not of a loop: those are merged only beside vectors over the same loop.
bool of_work_items(const Offer& offer) { return std::isdigit(static_cast<unsigned char>(offer.arguments[0][0])) != 0; }

std::int64_t power_of_two_below(std::int64_t most) {
  std::int64_t out = 1;
  while (out * 2 <= most) out *= 2;
  return out;
}

class Choosing {
 public:
  Choosing(const Survey& survey, const DeviceInfo& device)
      : s_(survey), device_(device), width_(device_fact(device, "float_lanes", device.kind == "gpu" ? 1 : 8)) {}

  FirstTile tile() {
    if (!s_.has("lanes")) {
      rows_alone(1);
    } else {
      lanes();
      if (s_.of("lanes").front().adds_up)
        beside_sums();
      else
        beside_vectors();
    }
    return grouped();
  }

  FirstTile merges() {
    rows_alone(2);
    return grouped();
  }

  FirstTile grouped() {
    groups();
    return std::move(out_);
  }

 private:
  /// A device of vectors wants its own width, half and twice it; one without wants few.
  void lanes() {
    const auto most = std::clamp<std::int64_t>(width_ * 2, 4, 16);
    out_.lanes =
        FirstSize{s_.of("lanes").front(), "VX", std::max<std::int64_t>(1, width_ / 4), most, width_ > 1 ? most : 1};
  }

  /// Vectors of sums that half of the registers hold; 0 where nothing is added up, or nothing is known.
  std::int64_t room() const {
    if (s_.sums == 0 || width_ <= 1 || !out_.lanes) return 0;
    const std::int64_t registers = width_ >= 16 ? 32 : 16;
    const auto each = std::max<std::int64_t>(1, out_.lanes->first / width_) * s_.sums;
    return std::max<std::int64_t>(1, power_of_two_below(registers / 2 / each));
  }

  /// Vectors for each work-item, so that there are some work-items for each core.
  std::int64_t for_every_core() const {
    const auto d = static_cast<std::size_t>(s_.lanes().value_or(0));
    const auto items = d < s_.items.size() ? s_.items[d] : 0;
    const auto units = device_fact(device_, "compute_units", 1);
    return items > 0 ? std::max<std::int64_t>(1, items / (out_.lanes->first * 4 * units)) : 4;
  }

  bool over_lanes(const Offer& offer) const { return offer.arguments == s_.of("lanes").front().arguments; }

  void merge(const Offer& offer, const std::string& parameter, std::int64_t most, std::int64_t first) {
    out_.merges.push_back({offer, parameter, 1, most, power_of_two_below(std::clamp<std::int64_t>(first, 1, most))});
  }

  /// Work-items, or iterations, that share loads with those on the vector; then more vectors along it.
  void beside_vectors() {
    const bool over_loop = !s_.lanes();
    const Offer* rows = nullptr;
    for (const auto& offer : s_.of("merge"))
      if (!rows && !over_lanes(offer) && of_work_items(offer) && !(over_loop && offer.worth < 0)) rows = &offer;
    // Or of a direction that only the kernel itself loops over.
    for (const auto& offer : s_.of("merge"))
      if (!rows && !over_loop && !of_work_items(offer) && offer.worth > shares_nothing) rows = &offer;
    const auto fits = rows && rows->worth == 0 ? 0 : room();
    const auto down = !rows ? 1 : fits > 0 ? std::min<std::int64_t>(over_loop ? 4 : 8, fits) : rows->worth == 0 ? 2 : 4;
    // Without rows that share what a column loads, more columns keep more of what is in flight busy.
    const auto most = over_loop ? 8 : rows ? 4 : 16;
    const auto wished = over_loop ? 4 : rows ? 2 : 16;
    auto along = fits > 0 ? std::min<std::int64_t>(wished, fits / down) : over_loop || !rows ? 4 : 1;
    if (!over_loop && !rows) along = std::min(along, for_every_core());
    for (const auto& offer : s_.of("merge")) {
      if (over_lanes(offer)) merge(offer, "TJ", most, along);
      if (&offer == rows) merge(offer, "TI", 8, down);
    }
  }

  /// Each work-item has another number of turns, as rows of a sparse matrix have: few, mostly.
  bool ragged() const {
    const auto& merges = s_.of("merge");
    return std::any_of(merges.begin(), merges.end(),
                       [](const Offer& o) { return of_work_items(o) && o.worth == shares_little; });
  }

  void short_sums() {
    out_.lanes->first = std::min<std::int64_t>(out_.lanes->first, 4);
    for (const auto& offer : s_.of("merge"))
      if (over_lanes(offer)) merge(offer, "TJ", 4, 1);
  }

  /// The vector runs along what is added up: a square of work-items shares most loads.
  void beside_sums() {
    if (ragged()) return short_sums();
    std::vector<const Offer*> shared;
    for (const auto& offer : s_.of("merge"))
      if (of_work_items(offer) && offer.worth > 0 && shared.size() < 2) shared.push_back(&offer);
    const auto fits = std::max<std::int64_t>(1, room());
    if (shared.size() == 2) {
      const auto down = fits >= 16 ? 4 : std::min<std::int64_t>(2, fits) * (fits == 8 ? 2 : 1);
      merge(*shared[0], "TI", 8, down);
      merge(*shared[1], "TJ", 8, fits / down);
      return;
    }
    const auto down = shared.empty() ? 1 : std::min<std::int64_t>(8, fits);
    if (!shared.empty()) merge(*shared[0], "TI", 8, down);
    for (const auto& offer : s_.of("merge"))
      if (over_lanes(offer)) merge(offer, "TJ", 8, std::min<std::int64_t>(4, fits / down));
  }

  /// No vector: what shares most, as it was offered.
  void rows_alone(std::size_t directions) {
    for (const auto& offer : s_.of("merge"))
      if (of_work_items(offer) && out_.merges.size() < directions)
        merge(offer, out_.merges.empty() ? "TI" : "TJ", 8, out_.merges.empty() ? 4 : 2);
  }

  /// Four by four, or less where a core would have nothing to do.
  void groups() {
    const auto units = device_.kind == "gpu" ? 1 : device_fact(device_, "compute_units", 1);
    std::vector<std::int64_t> left;
    for (std::size_t d = 0; d < s_.dimensions && d < 3; ++d) {
      std::int64_t together = 1;
      const auto number = std::to_string(d);
      if (out_.lanes && out_.lanes->offer.arguments[0] == number) together *= out_.lanes->first;
      for (const auto& m : out_.merges)
        if (m.offer.arguments[0] == number) together *= m.first;
      const auto items = d < s_.items.size() ? s_.items[d] : 0;
      left.push_back(items > 0 ? (items + together - 1) / together : 0);
      out_.group.push_back(d < 2 ? 4 : 1);
    }
    if (std::find(left.begin(), left.end(), 0) != left.end()) return;
    const auto all = [&] {
      std::int64_t out = 1;
      for (std::size_t d = 0; d < left.size(); ++d) out *= (left[d] + out_.group[d] - 1) / out_.group[d];
      return out;
    };
    while (all() < 4 * units) {
      const auto largest = std::max_element(out_.group.begin(), out_.group.end());
      if (*largest == 1) break;
      *largest /= 2;
    }
  }

  const Survey& s_;
  const DeviceInfo& device_;
  std::int64_t width_;
  FirstTile out_;
};

}  // namespace

std::int64_t device_fact(const DeviceInfo& device, const std::string& name, std::int64_t otherwise) {
  const auto found = device.facts.find(name);
  const auto* number = found == device.facts.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number ? *number : otherwise;
}

FirstTile first_tile(const Survey& survey, const DeviceInfo& device) { return Choosing(survey, device).tile(); }
FirstTile first_merges(const Survey& survey, const DeviceInfo& device) { return Choosing(survey, device).merges(); }
FirstTile first_groups(const Survey& survey, const DeviceInfo& device) { return Choosing(survey, device).grouped(); }

}  // namespace hone::rules
