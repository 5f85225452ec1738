#include "core/workload_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "core/launch_walk.hpp"

namespace hone {
namespace {

/// Splitmix: the same draw on every machine.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
    return low + static_cast<std::int64_t>(z % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

void add_names(const Expression& e, std::set<std::string>& out) {
  for (const auto& name : e.names()) out.insert(name);
}

/// Sizes that hold one value in each workload, whatever it is, are one size.
std::vector<std::vector<std::string>> tied(const Mep& mep, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> out;
  for (const auto& name : names) {
    const auto group = std::ranges::find_if(out, [&](const std::vector<std::string>& others) {
      return std::ranges::all_of(mep.workloads, [&](const Workload& w) {
        return w.scalars.contains(name) && w.scalars.contains(others.front()) &&
               w.scalars.at(name) == w.scalars.at(others.front());
      });
    });
    if (group == out.end())
      out.push_back({name});
    else
      group->push_back(name);
  }
  return out;
}

/// Of `n % 16 == 0`; 1 otherwise.
std::int64_t multiple_of(const Mep& mep, const std::string& name) {
  for (const auto& condition : mep.contract) {
    const auto& root = condition.root();
    if (root.kind != Expression::Kind::Compare || root.operands.size() != 2 || root.operators[0] != "==") continue;
    const auto& left = *root.operands[0];
    if (left.kind != Expression::Kind::Binary || left.text != "%" || left.operands[0]->text != name) continue;
    const auto* by = std::get_if<std::int64_t>(&left.operands[1]->value);
    if (by != nullptr && *by > 0) return *by;
  }
  return 1;
}

/// Of `n == 480`.
bool is_settled(const Mep& mep, const std::string& name) {
  return std::ranges::any_of(mep.contract, [&](const Expression& condition) {
    const auto& root = condition.root();
    return root.kind == Expression::Kind::Compare && root.operands.size() == 2 && root.operators[0] == "==" &&
           root.operands[0]->kind == Expression::Kind::Name && root.operands[0]->text == name &&
           root.operands[1]->kind == Expression::Kind::Literal;
  });
}

/// Of all buffers together; nothing where an extent is none.
std::optional<std::int64_t> elements_of(const Mep& mep, const Workload& workload) {
  const auto names = environment_of(workload.scalars);
  std::int64_t all = 0;
  for (const auto& buffer : mep.buffers) {
    const auto extent = buffer.extent.evaluate_integer(names);
    if (!extent || *extent < 0) return std::nullopt;
    all += *extent;
  }
  return all;
}

void set_sizes(Workload& workload, const std::vector<std::string>& names, std::int64_t value) {
  for (const auto& name : names) {
    workload.scalars[name] = value;
    workload.from[name] = {Provenance::Kind::Guessed, {}};
  }
}

/// Sizes that may have another value, those that are one together.
std::vector<std::vector<std::string>> movable(const Mep& mep) {
  auto groups = tied(mep, size_scalars(mep));
  std::erase_if(groups, [&](const std::vector<std::string>& group) {
    return std::ranges::any_of(group, [&](const std::string& name) { return is_settled(mep, name); });
  });
  return groups;
}

std::int64_t multiple_of(const Mep& mep, const std::vector<std::string>& group) {
  std::int64_t multiple = 1;
  for (const auto& name : group) multiple = std::max(multiple, multiple_of(mep, name));
  return multiple;
}

}  // namespace

bool is_allowed(const Mep& mep, const Workload& workload) {
  const auto names = environment_of(workload.scalars);
  const auto holds = [&](const Expression& e) { return e.evaluate_condition(names).value_or(false); };
  if (!std::ranges::all_of(mep.contract, holds)) return false;
  for (const auto& buffer : mep.buffers)
    if (buffer.extent.evaluate_integer(names).value_or(0) < 1) return false;
  bool out = true;
  each_launch(workload.launches, [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    auto scalars = workload.scalars;
    for (const auto* loop : loops)
      scalars[loop->variable] = loop->begin.evaluate_integer(environment_of(scalars)).value_or(0);
    const auto here = environment_of(scalars);
    for (std::size_t d = 0; d < launch.global.size(); ++d) {
      const auto global = launch.global[d].evaluate_integer(here).value_or(0);
      const auto local = d < launch.local.size() ? launch.local[d].evaluate_integer(here).value_or(0) : 1;
      out = out && global > 0 && local > 0 && global % local == 0;
    }
  });
  return out;
}

std::vector<std::string> copies_of_tune(const Mep& mep) {
  std::vector<std::string> out;
  const auto* tune = find_workload(mep, Role::Tune);
  for (const auto& workload : mep.workloads)
    if (tune != nullptr && workload.role != Role::Tune && workload.scalars == tune->scalars &&
        workload.launches == tune->launches)
      out.push_back(workload.name);
  return out;
}

std::vector<std::string> size_scalars(const Mep& mep) {
  const auto* tune = find_workload(mep, Role::Tune);
  if (tune == nullptr) return {};
  std::set<std::string> used;
  for (const auto& buffer : mep.buffers) add_names(buffer.extent, used);
  for (const auto& image : mep.images) {
    add_names(image.width, used);
    add_names(image.height, used);
  }
  for (const auto& condition : mep.contract) add_names(condition, used);
  each_launch(tune->launches, [&](const Launch& launch) {
    for (const auto* sizes : {&launch.global, &launch.local})
      for (const auto& size : *sizes) add_names(size, used);
  });
  std::vector<std::string> out;
  for (const auto& [name, value] : tune->scalars)
    if (used.contains(name) && std::holds_alternative<std::int64_t>(value)) out.push_back(name);
  return out;
}

std::vector<std::string> sizes_in_words(const Mep& mep) {
  std::vector<std::string> out;
  for (const auto& name : size_scalars(mep)) {
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;
    for (const auto& workload : mep.workloads) {
      const auto found = workload.scalars.find(name);
      const auto* value = found == workload.scalars.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
      if (value == nullptr) continue;
      least = std::min(least.value_or(*value), *value);
      most = std::max(most.value_or(*value), *value);
    }
    if (least)
      out.push_back(*least == *most ? fmt::format("{} {}", name, *least)
                                    : fmt::format("{} from {} to {}", name, *least, *most));
  }
  return out;
}

Workload smaller_workload(const Mep& mep, const Workload& workload, std::int64_t elements) {
  constexpr std::int64_t kLeast = 12;
  const auto groups = movable(mep);
  auto out = workload;
  for (bool smaller = true; smaller && elements_of(mep, out).value_or(0) > elements;) {
    smaller = false;
    auto next = out;
    for (const auto& group : groups) {
      const auto* now = std::get_if<std::int64_t>(&out.scalars.at(group.front()));
      const auto multiple = multiple_of(mep, group);
      if (now == nullptr || *now / 2 < std::max(kLeast, multiple)) continue;
      set_sizes(next, group, multiple == 1 ? *now / 2 | 1 : *now / 2 / multiple * multiple);
      smaller = true;
    }
    if (!smaller || !is_allowed(mep, next)) break;
    out = std::move(next);
  }
  return out;
}

namespace {

using Sizes = std::vector<std::pair<std::vector<std::string>, std::int64_t>>;  // names that are one size, its value

/// Small workloads with given sizes, each once.
class OtherSizes {
 public:
  OtherSizes(const Mep& mep, const Workload& tune, std::int64_t elements) : mep_(mep), groups_(movable(mep)) {
    constexpr std::int64_t kLittle = std::int64_t{1} << 21U;
    const auto* edges = find_workload(mep, Role::Awkward);
    base_ = smaller_workload(mep, edges == nullptr ? tune : *edges, elements);
    most_ = std::max(kLittle, 4 * elements_of(mep, tune).value_or(0));
  }
  const std::vector<std::vector<std::string>>& groups() const { return groups_; }
  std::int64_t size_of(const std::vector<std::string>& group) const {
    return std::get<std::int64_t>(base_.scalars.at(group.front()));
  }
  bool add(const Sizes& sizes) {
    auto made = base_;
    made.role = Role::Awkward;
    std::vector<std::string> words;
    for (const auto& [group, value] : sizes) {
      set_sizes(made, group, value);
      for (const auto& name : group) words.push_back(fmt::format("{} set to {}", name, value));
    }
    made.name = join(words, ", ");
    const auto same = [&](const Workload& other) { return other.scalars == made.scalars; };
    if (std::ranges::any_of(mep_.workloads, same) || std::ranges::any_of(made_, same)) return true;
    if (!is_allowed(mep_, made) || elements_of(mep_, made).value_or(most_ + 1) > most_) return false;
    made_.push_back(std::move(made));
    return true;
  }
  std::vector<Workload> take() { return std::move(made_); }

 private:
  const Mep& mep_;
  std::vector<std::vector<std::string>> groups_;
  Workload base_;
  std::int64_t most_ = 0;
  std::vector<Workload> made_;
};

}  // namespace

std::vector<Workload> workloads_with(const Mep& mep, const std::vector<std::int64_t>& values) {
  constexpr std::int64_t kSmall = 4096;
  const auto* tune = find_workload(mep, Role::Tune);
  if (tune == nullptr) return {};
  OtherSizes sizes(mep, *tune, kSmall);
  for (const auto value : values) {
    Sizes all;
    for (const auto& group : sizes.groups()) all.emplace_back(group, value);
    if (all.size() > 1) sizes.add(all);
    for (const auto& one : all) sizes.add({one});
  }
  return sizes.take();
}

std::vector<Workload> turned_workloads(const Mep& mep) {
  constexpr std::int64_t kModest = std::int64_t{1} << 16U;
  const auto* tune = find_workload(mep, Role::Tune);
  if (tune == nullptr) return {};
  OtherSizes sizes(mep, *tune, kModest);
  const auto& groups = sizes.groups();
  if (groups.size() < 2) return {};
  const auto middle = sizes.size_of(groups.front());
  for (const bool rising : {true, false}) {
    Sizes turned;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto step = static_cast<std::int64_t>(rising ? i : groups.size() - 1 - i);
      const auto multiple = multiple_of(mep, groups[i]);
      turned.emplace_back(groups[i], std::max(middle * (2 + step) / 2 / multiple, std::int64_t{1}) * multiple);
    }
    sizes.add(turned);
  }
  return sizes.take();
}

std::optional<Workload> drawn_workload(const Mep& mep, std::uint64_t seed) {
  const auto* tune = find_workload(mep, Role::Tune);
  if (tune == nullptr) return std::nullopt;
  const auto groups = movable(mep);
  Draws draws(seed);
  for (int attempt = 0; attempt < 400; ++attempt) {
    Workload out = *tune;
    out.name = "drawn";
    out.role = Role::HeldOut;
    for (const auto& group : groups) {
      const auto multiple = multiple_of(mep, group);
      const auto most = std::get<std::int64_t>(tune->scalars.at(group.front())) / multiple;
      if (most < 1) continue;
      set_sizes(out, group, draws.between(std::max<std::int64_t>(1, most / 4), most) * multiple);
    }
    const bool known = std::ranges::any_of(mep.workloads, [&](const Workload& w) { return w.scalars == out.scalars; });
    if (!known && is_allowed(mep, out)) return out;
  }
  return std::nullopt;
}

}  // namespace hone
