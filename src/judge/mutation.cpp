#include "judge/mutation.hpp"

#include <algorithm>
#include <memory>

#include "core/launches.hpp"
#include "core/sized_options.hpp"
#include "judge/outputs.hpp"

namespace hone::judge {
namespace {

constexpr Milliseconds kMutantLimit{5000};
constexpr Milliseconds kBuildLimit{60000};  // all mutants are one text

class Mutants {
 public:
  Mutants(const Mep& mep, std::string scalar, DeviceSessions& sessions)
      : mep_(mep), scalar_(std::move(scalar)), sessions_(sessions) {}

  /// Outputs of one mutant on one workload; nothing when it does not survive the run.
  Result<std::optional<std::map<std::string, Bytes8>>> outputs(const Workload& workload, std::size_t number) {
    const bool fresh = session_ == nullptr;
    if (auto ready = prepare(); !ready) return fail(std::move(ready).error());
    Workload one = workload;
    one.scalars[scalar_] = static_cast<std::int64_t>(number);
    const auto problem = concretise(mep_, one, {}, session_->device(), 1);
    if (!problem) return fail(problem.error());
    if (fresh || loaded_ != workload.name) {
      if (auto built = build(options_at(mep_.options, workload.scalars)); !built) return fail(std::move(built).error());
      if (!std::holds_alternative<std::monostate>(session_->load(problem->buffers, problem->images)))
        return fail("E-K0", "the data of " + workload.name + " could not be loaded");
      loaded_ = workload.name;
    }
    auto outcome = session_->run(id_, problem->launches, problem->outputs);
    auto* ran = std::get_if<Ran>(&outcome);
    if (ran == nullptr) {
      session_.reset();
      return std::optional<std::map<std::string, Bytes8>>();
    }
    if (!ran->broken_guards.empty()) return std::optional<std::map<std::string, Bytes8>>();
    for (const auto& name : mep_.check.unordered)
      if (const auto found = ran->outputs.find(name); found != ran->outputs.end())
        found->second = sorted_elements(type_of(name), mep_.structs, found->second);
    return std::optional(std::move(ran->outputs));
  }

  bool same(const std::map<std::string, Bytes8>& wanted, const std::map<std::string, Bytes8>& got) const {
    return std::ranges::all_of(wanted, [&](const auto& output) {
      const auto type = type_of(output.first);
      CompareRule rule;
      rule.relative = mep_.check.relative;
      if (element_type(type)) return !compare_output(type, output.second, got.at(output.first), rule);
      const auto left = fields_of(type, mep_.structs, output.second);
      const auto right = fields_of(type, mep_.structs, got.at(output.first));
      for (std::size_t f = 0; f < left.size(); ++f)
        if (compare_output(left[f].type, left[f].bytes, right[f].bytes, rule)) return false;
      return true;
    });
  }

 private:
  Status prepare() {
    if (session_) return {};
    auto started = sessions_.start();
    if (!started) return fail(std::move(started).error());
    session_ = std::move(*started);
    return {};
  }

  Status build(const std::vector<std::string>& options) {
    session_->limit(kBuildLimit);
    const auto built = session_->build(mep_.source, options);
    const auto* log = std::get_if<NotBuilt>(&built);
    if (!std::holds_alternative<Built>(built))
      return fail("E-K0", "the mutants do not build" + (log != nullptr ? ": " + log->log : std::string()));
    id_ = std::get<Built>(built).id;
    session_->limit(kMutantLimit);
    return {};
  }

  std::string type_of(const std::string& output) const {
    const auto buffer = std::ranges::find(mep_.buffers, output, &BufferSpec::name);
    if (buffer != mep_.buffers.end()) return buffer->type;
    const auto image = std::ranges::find(mep_.images, output, &ImageSpec::name);
    return image != mep_.images.end() && image->channel_type == "float" ? "float" : "uchar";
  }

  const Mep& mep_;
  std::string scalar_;
  DeviceSessions& sessions_;
  std::unique_ptr<DeviceSession> session_;
  std::string id_, loaded_;
};

}  // namespace

Result<std::vector<bool>> killed_mutants(const Mep& mep, const std::string& scalar, std::size_t mutants,
                                         DeviceSessions& sessions) {
  std::vector<bool> killed(mutants, false);
  Mutants all(mep, scalar, sessions);
  // The odd sizes first: they are small, and tell most.
  std::vector<const Workload*> workloads;
  for (const auto& workload : mep.workloads) workloads.push_back(&workload);
  std::ranges::stable_sort(workloads, {}, [](const Workload* w) { return w->role == Role::Awkward ? 0 : 1; });
  for (const auto* workload : workloads) {
    const auto wanted = all.outputs(*workload, 0);
    if (!wanted) return fail(wanted.error());
    if (!*wanted) return fail("E-K0", "K(0) does not run on " + workload->name);
    for (std::size_t number = 1; number <= mutants; ++number) {
      if (killed[number - 1]) continue;
      const auto got = all.outputs(*workload, number);
      if (!got) return fail(got.error());
      killed[number - 1] = !*got || !all.same(**wanted, **got);
    }
  }
  return killed;
}

}  // namespace hone::judge
