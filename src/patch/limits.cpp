#include "patch/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "patch/fixed_size.hpp"
#include "patch/host_expression.hpp"
#include "patch/kernel_flow.hpp"
#include "patch/kernel_splice.hpp"
#include "patch/launch_adapter.hpp"
#include "patch/launch_site.hpp"
#include "patch/patch.hpp"
#include "patch/room.hpp"
#include "patch/statement.hpp"

namespace hone::patch {
namespace {

std::string place_of(const LaunchSite& site, const Files& tree) {
  const auto file = tree.find(site.file);
  return file == tree.end() ? site.file : fmt::format("{}:{}", site.file, line_of(file->second, site.call.begin));
}

/// The site a call of the tree is, by its place.
const LaunchSite* site_at(const std::vector<LaunchSite>& sites, const PassingKernels& call) {
  for (const auto& site : sites)
    if (site.file == call.file && site.call.begin < call.call.end && call.call.begin < site.call.end) return &site;
  return nullptr;
}

class KernelJudgement {
 public:
  /// `index`: of the tree, made when it is asked for.
  KernelJudgement(const std::string& kernel, const Mep& mep, const Origin& origin, const Files& tree,
                  const std::function<const HostIndex&()>& index)
      : mep_(mep), tree_(tree), index_(index) {
    limit_.kernel = kernel;
    for (const auto& site : origin.launches)
      if (site.kernel == kernel) sites_.push_back(site);
  }

  KernelLimit run(const std::vector<PassingKernels>& launches) {
    limit_.tier = LaunchTier::Sizes;
    if (sites_.empty()) keep("no launch of it was found in the application", "");
    one_definition();
    if (mep_.language == Language::OpenCL)
      passes(launches);
    else
      chevrons();
    for (const auto& site : sites_) can_be_rewritten(site);
    if (limit_.tier == LaunchTier::Adapter) can_be_adapted(launches);
    return limit_;
  }

 private:
  void keep(std::string reason, std::string place) {
    if (limit_.tier == LaunchTier::Kept) return;  // the first reason stands
    limit_.tier = LaunchTier::Kept;
    limit_.reason = std::move(reason);
    limit_.place = std::move(place);
  }

  /// Not at the call itself.
  void share(std::string reason, std::string place) {
    if (limit_.tier != LaunchTier::Sizes) return;
    if (mep_.language != Language::OpenCL) return keep(std::move(reason), std::move(place));
    limit_.tier = LaunchTier::Adapter;
    limit_.reason = std::move(reason);
    limit_.place = std::move(place);
  }

  void can_be_adapted(const std::vector<PassingKernels>& launches) {
    for (const auto& call : launches) {
      if (!may_launch(call, limit_.kernel)) continue;
      const auto why = not_adaptable(call, tree_);
      if (why.empty()) continue;
      limit_.tier = LaunchTier::Kept;
      if (call.place != limit_.place) limit_.reason += fmt::format("; {}: {}", call.place, why);
      return;
    }
  }

  /// Which text is launched somewhere is decided by a program that is not followed here.
  void one_definition() {
    const auto places = definitions_of(tree_, limit_.kernel);
    if (places.size() > 1)
      share(fmt::format("{} kernels are called {}", places.size(), limit_.kernel), join(places, ", "));
  }

  void passes(const std::vector<PassingKernels>& launches) {
    std::size_t seen = 0;
    for (const auto& call : launches) {
      const bool ours = site_at(sites_, call) != nullptr;
      seen += ours ? 1 : 0;
      auto others = call.kernels;
      const bool this_one = others.erase(limit_.kernel) > 0;
      if (!call.known && !may_launch(call, limit_.kernel)) {
        if (ours) keep("this call was taken for a launch of it, and its program makes no such kernel", call.place);
      } else if (!call.known && ours)
        share(fmt::format("it could not be shown that only this kernel is launched here ({})", call.why), call.place);
      else if (!call.known)  // with which sizes is not known, so that no new ones can be made of them
        keep(fmt::format("it could not be shown that this kernel is not launched here ({})", call.why), call.place);
      else if (ours && !others.empty())
        share("this call launches " + listed(others) + " too", call.place);
      else if (ours && !this_one)
        keep("this call was taken for a launch of it, and is none", call.place);
      else if (!ours && this_one)
        keep("it is launched here too, with sizes that were not followed", call.place);
    }
    if (seen < sites_.size() && limit_.tier != LaunchTier::Kept)
      keep("a launch of it could not be found again", place_of(sites_.front(), tree_));
  }

  static std::string listed(const std::set<std::string>& names) {
    std::vector<std::string> some(names.begin(), names.end());
    const auto more = some.size() > 3 ? some.size() - 3 : 0;
    some.resize(std::min<std::size_t>(some.size(), 3));
    return join(some, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
  }

  void chevrons() {
    const auto uses = chevrons_in(tree_, limit_.kernel);
    if (!uses.elsewhere.empty()) keep("its name goes somewhere that is no launch", uses.elsewhere);
    for (const auto& call : uses.launches)
      if (site_at(sites_, call) == nullptr)
        keep("it is launched here too, with sizes that were not followed", call.place);
  }

  void can_be_rewritten(const LaunchSite& site) {
    const auto place = place_of(site, tree_);
    const auto file = tree_.find(site.file);
    if (file == tree_.end()) return keep("its launch is not among the application's files", place);
    if (site.global.empty()) return keep("the sizes of this launch could not be followed", place);
    const bool first = &site == &sites_.front();
    limit_.has_local = (first || limit_.has_local) && !site.local_is_null && says_local();
    if (!first && limit_.dimensions != site.global.size())
      return keep("launches of it have different dimensions", place);
    limit_.dimensions = site.global.size();
    if (const auto around = statement_around(file->second, site.call.begin); !around)
      share(around.error().message(), place);
    const auto call = read_call(file->second, site);
    if (!call) return share(call.error().message(), place);
    const auto statement = statement_around(file->second, call->place);
    if (!statement) share(statement.error().message(), place);
    limit_.has_local = limit_.has_local && !call->local_is_null;
    limit_.fixed_local = (first || limit_.fixed_local) && limit_.has_local && is_fixed_there(site.file, call->local);
    if (limit_.dimensions != call->dimensions) keep("the dimensions of this launch could not be followed", place);
  }

  bool is_fixed_there(const std::string& name, const ByteRange& size) const {
    const auto& index = index_();
    const auto* file = index.file(name);
    if (file == nullptr) return false;
    TokenRange range{file, 0, 0};
    while (range.begin < file->tokens.size() && file->tokens[range.begin].begin < size.begin) ++range.begin;
    range.end = range.begin;
    while (range.end < file->tokens.size() && file->tokens[range.end].end <= size.end) ++range.end;
    return is_fixed(index, range);
  }

  /// Every launch of the MEP, which knows what comes in through parameters.
  bool says_local() const {
    bool out = true;
    for (const auto& workload : mep_.workloads)
      each_launch(workload.launches, [&](const Launch& launch) {
        out = out && (launch.kernel != limit_.kernel || !launch.local.empty());
      });
    return out;
  }

  const Mep& mep_;
  const Files& tree_;
  const std::function<const HostIndex&()>& index_;
  std::vector<LaunchSite> sites_;
  KernelLimit limit_;
};

/// Names stand for sizes; only whether the expression can be written counts.
Status can_be_written(const std::vector<Expression>& sizes, const KernelLimit& limit) {
  const HostNames names = [&](std::string_view name) -> std::optional<std::string> {
    if (name.starts_with("launch.global[") || (limit.has_local && name.starts_with("launch.local["))) return "size";
    return std::nullopt;
  };
  for (const auto& size : sizes)
    if (auto text = host_expression(size, names); !text) return fail(std::move(text).error());
  return {};
}

/// For the comment above the new text, and a marker beside it.
constexpr std::size_t kBeside = 400;

/// Of the files that the kernels stand in, as far as they are no host code; the tightest first.
void find_rooms(PatchLimits& limits, const Mep& mep, const Origin& origin, const Files& tree,
                const std::function<const HostIndex&()>& index) {
  std::set<std::string> files;
  for (const auto& piece : origin.pieces) files.insert(piece.file);
  for (const auto& name : files) {
    const auto file = tree.find(name);
    if (file == tree.end() || index().file(name) != nullptr) continue;
    const auto present = file->second.size();
    auto room = room_of(index(), name, present);
    if (!room) continue;
    const auto grows = room->bytes - present;
    const auto longest = mep.source.size() + (grows > kBeside ? grows - kBeside : 0);
    const bool tightest = limits.longest == 0 || longest < limits.longest;
    if (tightest) limits.longest = longest;
    limits.rooms.insert(tightest ? limits.rooms.begin() : limits.rooms.end(), std::move(*room));
  }
}

}  // namespace

Result<PatchLimits> limits_of(const Mep& mep, const Origin& origin, const Files& tree) {
  // The text itself first: without it nothing goes back, whatever the launch.
  const Variant original{mep.language, mep.source, {}, mep.options};
  if (auto possible = can_be_replaced(mep.source, origin, tree); !possible) return fail(std::move(possible).error());
  if (auto possible = make_patch(mep, original, origin, tree, {}); !possible) return fail(std::move(possible).error());
  PatchLimits limits;
  limits.applies = true;
  limits.options = mep.options;
  const auto launches = mep.language == Language::OpenCL ? launches_in(tree) : std::vector<PassingKernels>{};
  std::optional<HostIndex> made;
  const std::function<const HostIndex&()> index = [&]() -> const HostIndex& {
    return made ? *made : made.emplace(tree);
  };
  for (const auto& kernel : mep.kernels)
    limits.kernels.push_back(KernelJudgement(kernel.name, mep, origin, tree, index).run(launches));
  find_rooms(limits, mep, origin, tree, index);
  return limits;
}

Status allows(const PatchLimits& limits, const Variant& variant) {
  if (!limits.applies) return {};
  for (const auto& option : variant.options)
    if (std::find(limits.options.begin(), limits.options.end(), option) == limits.options.end())
      return fail("E-OPTIONS", fmt::format("it is built with {}, which the application does not pass", option));
  if (limits.longest > 0 && variant.source.size() > limits.longest)
    return fail("E-ROOM",
                fmt::format("its text of {} bytes does not fit: {} reads at most {} bytes of {}", variant.source.size(),
                            limits.rooms.front().place, limits.rooms.front().bytes, limits.rooms.front().file));
  for (const auto& shape : variant.launches) {
    if (keeps_geometry(shape)) continue;
    const auto* limit = limits.find(shape.kernel);
    if (limit == nullptr) return fail("E-LAUNCHSITE", "the application has no kernel " + shape.kernel);
    if (!limits.may_change_launch(shape.kernel))
      return fail("E-LAUNCHSITE", fmt::format("the launch of {} must stay as it is: {}{}", shape.kernel,
                                              limit->place.empty() ? "" : limit->place + ": ", limit->reason));
    if (limit->dimensions != shape.global.size())
      return fail("E-LAUNCHSITE", fmt::format("the launch of {} has {} dimensions and this variant {}", shape.kernel,
                                              limit->dimensions, shape.global.size()));
    for (const auto* sizes : {&shape.global, &shape.local})
      if (auto written = can_be_written(*sizes, *limit); !written) return fail(std::move(written).error());
  }
  return {};
}

}  // namespace hone::patch
