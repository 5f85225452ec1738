#include "patch/kept_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "patch/chunks.hpp"
#include "patch/host_expression.hpp"
#include "patch/launch_words.hpp"
#include "patch/region.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Node = Expression::Node;

bool is_name(const Node& node, const std::string& name) {
  return node.kind == Expression::Kind::Name && node.text == name;
}

bool at_least_one(const Node& node) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  return node.kind == Expression::Kind::Literal
             ? number != nullptr && *number >= 1
             : node.kind == Expression::Kind::Name && node.text.starts_with("launch.");
}

/// Never above the launch's own number of groups.
bool within_groups(const Node& node, std::size_t d) {
  const bool division = (node.kind == Expression::Kind::Call && node.text == "ceil_div") ||
                        (node.kind == Expression::Kind::Binary && node.text == "//");
  if (division && is_name(*node.operands[0], size_called("global", d)) &&
      is_name(*node.operands[1], size_called("local", d)))
    return true;
  if (division) return within_groups(*node.operands[0], d) && at_least_one(*node.operands[1]);
  return node.kind == Expression::Kind::Literal && node.value == Value(std::int64_t{1});
}

/// Never above the launch's own number of work-items.
bool within(const Node& node, std::size_t d) {
  if (is_name(node, size_called("global", d))) return true;
  if (node.kind == Expression::Kind::Literal) return node.value == Value(std::int64_t{1});
  if (node.kind == Expression::Kind::Call && node.text == "ceil_div")
    return within(*node.operands[0], d) && at_least_one(*node.operands[1]);
  if (node.kind == Expression::Kind::Call && node.text == "min")
    return std::ranges::any_of(node.operands, [&](const auto& part) { return within(*part, d); });
  if (node.kind != Expression::Kind::Binary) return false;
  if (node.text == "//") return within(*node.operands[0], d) && at_least_one(*node.operands[1]);
  if (node.text != "*") return false;
  for (const int i : {0, 1})
    if (is_name(*node.operands[static_cast<std::size_t>(i)], size_called("local", d)))
      return within_groups(*node.operands[static_cast<std::size_t>(1 - i)], d);
  return false;
}

class KeptLaunch {
 public:
  KeptLaunch(const Mep& mep, const LaunchShape& shape, const std::string& source)
      : mep_(mep), shape_(shape), source_(source) {}

  Result<std::string> run() {
    if (auto fits = launches_fit(); !fits) return fail(std::move(fits).error());
    find_changed();
    for (const auto& chunk : chunks_of(source_))
      if (chunk.kernel && chunk.name == shape_.kernel) kernel_ = chunk.range;
    if (!kernel_) return refuse("its definition was not found in the new text");
    if (auto grouped = read_groups(); !grouped) return fail(std::move(grouped).error());
    if (auto sized = write_sizes(); !sized) return fail(std::move(sized).error());
    if (auto replaced = replace_sizes(); !replaced) return fail(std::move(replaced).error());
    if (auto guarded = put_guard(); !guarded) return fail(std::move(guarded).error());
    return apply_edits(source_, std::move(edits_));
  }

 private:
  tl::unexpected<Error> refuse(const std::string& why) const {
    return fail("E-LAUNCHSITE", fmt::format("{} cannot be mapped to the launch as it is: {}", shape_.kernel, why));
  }

  Status launches_fit() {
    std::string why;
    for (const auto& workload : mep_.workloads)
      each_launch(workload.launches, [&](const Launch& launch) {
        if (launch.kernel != shape_.kernel) return;
        if (!launch.offset.empty()) why = "the launch starts at an offset";
        if (launch.global.size() != shape_.global.size())
          why = fmt::format("the launch has {} dimensions, and {} are needed", launch.global.size(),
                            shape_.global.size());
        locals_.push_back(&launch.local);
      });
    if (!why.empty()) return refuse(why);
    for (std::size_t d = 0; d < shape_.global.size(); ++d)
      if (!within(shape_.global[d].root(), d))
        return refuse(fmt::format("{} work-items are needed in dimension {}, which may be more than it gives",
                                  shape_.global[d].print(), d));
    return {};
  }

  void find_changed() {
    for (std::size_t d = 0; d < shape_.global.size(); ++d)
      changed_.push_back(!is_name(shape_.global[d].root(), size_called("global", d)));
  }

  bool in_kernel(const ByteRange& place) const { return kernel_->begin <= place.begin && place.end <= kernel_->end; }

  /// Said by name, or by the number that every launch gives.
  bool same_local() const {
    if (shape_.local.empty() || locals_.empty()) return false;
    for (std::size_t d = 0; d < shape_.local.size(); ++d) {
      if (is_name(shape_.local[d].root(), size_called("local", d))) continue;
      for (const auto* local : locals_)
        if (d >= local->size() || (*local)[d].print() != shape_.local[d].print()) return false;
    }
    return true;
  }

  /// Does the new text need its groups? Then they must be the launch's.
  Status read_groups() {
    const auto first = word_of_groups(mep_.language, source_);
    if (first.empty()) return {};
    if (!same_local()) {
      std::vector<std::string> sizes;
      for (const auto& size : shape_.local) sizes.push_back(size.print());
      return refuse(fmt::format("it works in groups (`{}`) of {}, and the launch gives others", first,
                                sizes.empty() ? "a size the runtime chooses" : join(sizes, " x ")));
    }
    grouped_ = true;
    return {};
  }

  /// The new sizes in device words: work-items, or whole groups.
  Status write_sizes() {
    const auto names = size_names(mep_.language);
    for (std::size_t d = 0; d < shape_.global.size(); ++d) {
      auto text = host_expression(grouped_ ? groups_of(mep_.language, shape_.global[d], d) : shape_.global[d], names);
      if (!text) return refuse(text.error().message());
      sizes_.push_back(std::move(*text));
    }
    return {};
  }

  /// What the new text takes for the launch's size is no longer that.
  Status replace_sizes() {
    if (std::ranges::none_of(changed_, [](bool is) { return is; })) return {};
    auto uses = size_uses(mep_.language, source_, changed_);
    if (!uses) return refuse(uses.error().message());
    for (const auto& use : *uses) {
      if (!in_kernel(use.place)) return refuse("a helper of it asks for the size of the launch");
      edits_.push_back({use.place, use.groups || !grouped_ ? fmt::format("({})", sizes_[use.dimension])
                                                           : fmt::format("(({}) * get_local_size({}))",
                                                                         sizes_[use.dimension], use.dimension)});
    }
    return {};
  }

  Status put_guard() {
    std::vector<std::string> surplus;
    for (std::size_t d = 0; d < changed_.size(); ++d)
      if (changed_[d]) surplus.push_back(fmt::format("{} >= {}", place_called(mep_.language, grouped_, d), sizes_[d]));
    if (surplus.empty()) return {};
    const auto* what = mep_.language != Language::OpenCL ? "blocks" : grouped_ ? "work-groups" : "work-items";
    for (const auto& token : tokens_of(source_)) {
      if (!in_kernel({token.begin, token.end}) || text_of(token, source_) != "{") continue;
      edits_.push_back(
          {{token.end, token.end},
           fmt::format("\n  /* The launch is the original's; {} beyond the ones needed here do nothing. */\n"
                       "  if ({}) return;\n",
                       what, join(surplus, " || "))});
      return {};
    }
    return refuse("its body was not found in the new text");
  }

  const Mep& mep_;
  const LaunchShape& shape_;
  const std::string& source_;
  std::optional<ByteRange> kernel_;
  std::vector<const std::vector<Expression>*> locals_;  // of the original launches
  std::vector<bool> changed_;                           // by dimension
  std::vector<std::string> sizes_;                      // by dimension: work-items, or groups
  bool grouped_ = false;
  std::vector<Edit> edits_;
};

}  // namespace

Result<std::string> with_kept_launch(const Mep& mep, const LaunchShape& shape, const std::string& source) {
  return KeptLaunch(mep, shape, source).run();
}

}  // namespace hone::patch
