#include "patch/kept_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "patch/chunks.hpp"
#include "patch/host_expression.hpp"
#include "patch/region.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

using Node = Expression::Node;

constexpr std::array group_words = {"barrier",
                                    "work_group_barrier",
                                    "get_local_id",
                                    "get_local_size",
                                    "get_group_id",
                                    "get_num_groups",
                                    "get_enqueued_local_size",
                                    "get_local_linear_id",
                                    "async_work_group_copy",
                                    "wait_group_events",
                                    "__local",
                                    "local",
                                    "reqd_work_group_size",
                                    "async_work_group_strided_copy"};

bool is_group_word(std::string_view word) {
  return word.starts_with("work_group_") || word.starts_with("sub_group_") || word.starts_with("get_sub_group") ||
         std::ranges::find(group_words, word) != group_words.end();
}

std::string size_called(std::string_view which, std::size_t d) { return fmt::format("launch.{}[{}]", which, d); }

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
      : mep_(mep), shape_(shape), source_(source), tokens_(tokens_of(source)) {}

  Result<std::string> run() {
    if (mep_.language != Language::OpenCL) return refuse("this is done for OpenCL only");
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

  std::string_view word(std::size_t i) const { return text_of(tokens_[i], source_); }
  bool in_kernel(std::size_t i) const { return kernel_->begin <= tokens_[i].begin && tokens_[i].end <= kernel_->end; }

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
    std::string first;
    for (std::size_t i = 0; i < tokens_.size() && first.empty(); ++i)
      if (tokens_[i].kind == Token::Kind::Word && is_group_word(word(i))) first = word(i);
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
    const HostNames names = [](std::string_view name) -> std::optional<std::string> {
      for (const std::string_view which : {"global", "local"})
        for (std::size_t d = 0; d < 3; ++d)
          if (name == size_called(which, d)) return fmt::format("get_{}_size({})", which, d);
      return std::nullopt;
    };
    for (std::size_t d = 0; d < shape_.global.size(); ++d) {
      const auto local = Expression::name(size_called("local", d));
      auto text = grouped_ ? host_expression(Expression::call("ceil_div", {shape_.global[d], local}), names)
                           : host_expression(shape_.global[d], names);
      if (!text) return refuse(text.error().message());
      sizes_.push_back(std::move(*text));
    }
    return {};
  }

  /// What the new text takes for the launch's size is no longer that.
  Status replace_sizes() {
    if (std::ranges::none_of(changed_, [](bool is) { return is; })) return {};
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto name = word(i);
      const bool groups = name == "get_num_groups";
      if (tokens_[i].kind == Token::Kind::Directive && name.find("get_") != std::string_view::npos &&
          (name.find("get_global_size") != std::string_view::npos ||
           name.find("get_num_groups") != std::string_view::npos))
        return refuse("a macro of it asks for the size of the launch");
      if (tokens_[i].kind != Token::Kind::Word) continue;
      if (name == "get_global_linear_id") return refuse("it asks for get_global_linear_id");
      if (!groups && name != "get_global_size") continue;
      const bool plain = i + 3 < tokens_.size() && word(i + 1) == "(" && word(i + 3) == ")" &&
                         word(i + 2).size() == 1 && word(i + 2)[0] >= '0' && word(i + 2)[0] <= '2';
      const auto d = plain ? static_cast<std::size_t>(word(i + 2)[0] - '0') : 0;
      if (plain && (d >= changed_.size() || !changed_[d])) continue;
      if (!plain || !in_kernel(i)) return refuse("a helper of it asks for the size of the launch");
      const auto size = groups || !grouped_ ? fmt::format("({})", sizes_[d])
                                            : fmt::format("(({}) * get_local_size({}))", sizes_[d], d);
      edits_.push_back({{tokens_[i].begin, tokens_[i + 3].end}, size});
    }
    return {};
  }

  Status put_guard() {
    std::vector<std::string> surplus;
    for (std::size_t d = 0; d < changed_.size(); ++d)
      if (changed_[d])
        surplus.push_back(fmt::format("get_{}_id({}) >= {}", grouped_ ? "group" : "global", d, sizes_[d]));
    if (surplus.empty()) return {};
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!in_kernel(i) || word(i) != "{") continue;
      edits_.push_back(
          {{tokens_[i].end, tokens_[i].end},
           fmt::format("\n  /* The launch is the original's; {} beyond the ones needed here do nothing. */\n"
                       "  if ({}) return;\n",
                       grouped_ ? "work-groups" : "work-items", join(surplus, " || "))});
      return {};
    }
    return refuse("its body was not found in the new text");
  }

  const Mep& mep_;
  const LaunchShape& shape_;
  const std::string& source_;
  std::vector<Token> tokens_;
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
