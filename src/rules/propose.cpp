#include "rules/propose.hpp"

#include <algorithm>
#include <cctype>

#include "ir/rewrite.hpp"
#include "rules/survey.hpp"
#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

std::int64_t fact(const DeviceInfo& device, const std::string& name, std::int64_t otherwise) {
  const auto found = device.facts.find(name);
  const auto* number = found == device.facts.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number ? *number : otherwise;
}

std::vector<Value> powers_of_two(std::int64_t from, std::int64_t to) {
  std::vector<Value> out;
  for (std::int64_t v = from; v <= to; v *= 2) out.emplace_back(v);
  return out;
}

/// Parameters are made once and may stand in the steps of several kernels.
class Builder {
 public:
  Builder(const LiftedKernel& lifted, const DeviceInfo& device, std::string name) : lifted_(lifted), device_(device) {
    out_.name = std::move(name);
    out_.language = lifted.mep.language;
  }

  void kernel(const std::string& name) { step("kernel", {name}); }
  void step(const std::string& rule, std::vector<std::string> arguments = {}) {
    out_.schedule.push_back({rule, std::move(arguments)});
  }
  void parameter(const std::string& name, std::vector<Value> values, std::int64_t wish) {
    auto& all = out_.space.parameters;
    if (std::any_of(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; })) return;
    Value chosen = values.back();
    for (const auto& v : values)
      if (std::get<std::int64_t>(v) == wish) chosen = v;
    all.push_back({name, std::move(values), chosen});
  }
  void constraint(const std::string& name, const std::string& text) {
    auto condition = Expression::parse(text);
    auto& all = out_.space.constraints;
    if (condition &&
        std::none_of(all.begin(), all.end(), [&](const Constraint& c) { return c.condition == *condition; }))
      all.push_back({name, *condition});
  }

  /// A device of vectors wants its own width, half and twice it; one without wants few.
  void lanes(const Survey& s) {
    const auto width = fact(device_, "float_lanes", device_.kind == "gpu" ? 1 : 8);
    const auto most = std::clamp<std::int64_t>(width * 2, 4, 16);
    parameter("VX", powers_of_two(std::max<std::int64_t>(1, width / 4), most), width > 1 ? most : 1);
    step("lanes", {s.of("lanes").front().arguments[0], "VX"});
  }
  /// A group's work on one core: as wide as its vectors go, since what a group keeps is in memory anyway.
  void fold() {
    const auto most = std::clamp<std::int64_t>(fact(device_, "float_lanes", 8) * 2, 4, 16);
    parameter("VX", powers_of_two(1, most), most);
    step("fold", {"VX"});
  }
  void merge(const Offer& offer, const std::string& name, std::int64_t most, std::int64_t wish) {
    parameter(name, powers_of_two(1, most), wish);
    step("merge", {offer.arguments[0], name});
  }
  void unroll(const Survey& s, std::int64_t most, std::int64_t wish) {
    if (!s.has("unroll")) return;
    parameter("UK", powers_of_two(1, most), wish);
    step("unroll", {s.of("unroll").front().arguments[0], "UK"});
  }
  /// Only where any size will do after the steps made so far.
  void workgroup(const Survey& s) {
    auto tried = out_.schedule;
    tried.push_back({"workgroup", {"1"}});
    if (!s.has("workgroup") || !launch_shapes(lifted_, tried)) return;
    const auto limit = fact(device_, "max_work_group_size", 256);
    const bool cpu = device_.kind != "gpu";
    static const char* const names[] = {"WG_X", "WG_Y", "WG_Z"};
    std::vector<std::string> sizes;
    std::string product;
    for (std::size_t d = 0; d < s.dimensions && d < 3; ++d) {
      const std::int64_t most = std::min<std::int64_t>(limit, d == 0 ? (cpu ? 64 : 256) : d == 1 ? 16 : 4);
      parameter(names[d], powers_of_two(1, most), d < 2 ? 4 : 1);
      sizes.emplace_back(names[d]);
      product += (d == 0 ? "" : " * ") + std::string(names[d]);
    }
    step("workgroup", std::move(sizes));
    constraint("group", product + " <= device.max_work_group_size");
    if (auto threads = Expression::parse(product)) out_.resources.insert_or_assign("threads", *threads);
  }

  bool has(const std::string& parameter) const {
    return std::any_of(out_.space.parameters.begin(), out_.space.parameters.end(),
                       [&](const Parameter& p) { return p.name == parameter; });
  }

  /// Nothing when no step was made, or when the default cannot be replayed; then the reason is added.
  std::optional<Template> finish(std::string rationale, std::vector<std::string>& declined) {
    const bool steps = std::any_of(out_.schedule.begin(), out_.schedule.end(),
                                   [](const Step& s) { return s.rule != "kernel" && s.rule != "keep"; });
    if (!steps) return std::nullopt;
    out_.rationale = std::move(rationale);
    auto shapes = launch_shapes(lifted_, out_.schedule);
    if (!shapes) {
      declined.push_back(out_.name + ": " + shapes.error().message());
      return std::nullopt;
    }
    out_.launches = *std::move(shapes);
    return std::move(out_);
  }

 private:
  const LiftedKernel& lifted_;
  const DeviceInfo& device_;
  Template out_;
};

using Surveys = std::vector<Survey>;

/// Not of a loop: those are merged only beside vectors over the same loop.
bool of_work_items(const Offer& offer) { return std::isdigit(static_cast<unsigned char>(offer.arguments[0][0])) != 0; }

/// One vector and one or two merged directions: a tile in registers.
void tile_steps(Builder& b, const Survey& s) {
  if (s.keep) b.step("keep");
  if (s.has("registers")) b.step("registers");
  if (s.has("lanes")) b.lanes(s);
  const bool over_loop = s.has("lanes") && !s.lanes();
  const auto own = [&](const Offer& o) { return s.has("lanes") && o.arguments == s.of("lanes").front().arguments; };
  const Offer* rows = nullptr;
  for (const auto& offer : s.of("merge"))
    if (!rows && !own(offer) && of_work_items(offer) && !(over_loop && offer.worth < 0)) rows = &offer;
  // Or of a direction that only the kernel itself loops over.
  for (const auto& offer : s.of("merge"))
    if (!rows && s.lanes() && !of_work_items(offer) && offer.worth > shares_nothing) rows = &offer;
  // Without rows that share what a column loads, more columns keep more of what is in flight busy.
  for (const auto& offer : s.of("merge")) {
    if (own(offer)) b.merge(offer, "TJ", over_loop ? 8 : rows ? 4 : 16, over_loop || !rows ? 4 : 1);
    if (&offer == rows) b.merge(offer, "TI", 8, 4);
  }
  b.unroll(s, 4, 1);
}

void limit_tile(Builder& b, const Surveys& surveys) {
  std::string product;
  for (const char* name : {"VX", "TJ", "TI"})
    if (b.has(name)) product += (product.empty() ? "" : " * ") + std::string(name);
  if (product.empty()) return;
  b.constraint("tile", product + " <= 512");
  std::string along;
  for (const char* name : {"VX", "TJ"})
    if (b.has(name)) along += (along.empty() ? "" : " * ") + std::string(name);
  for (const auto& s : surveys)
    if (!s.grain.empty() && s.lanes() && !along.empty())
      b.constraint("divides",
                   std::to_string(s.grain[static_cast<std::size_t>(*s.lanes())]) + " % (" + along + ") == 0");
}

std::optional<Template> tile(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                             std::vector<std::string>& declined) {
  Builder b(g, device, "tile");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    tile_steps(b, s);
    b.workgroup(s);
  }
  limit_tile(b, surveys);
  return b.finish(
      "neighbouring work-items on vectors, several rows of them at once, so that loads are shared and "
      "sums stay in registers",
      declined);
}

std::optional<Template> folded(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                               std::vector<std::string>& declined) {
  Builder b(g, device, "fold");
  for (const auto& s : surveys) {
    if (!s.has("fold")) continue;
    if (surveys.size() > 1) b.kernel(s.kernel);
    b.fold();
  }
  return b.finish("one work-item does the work of its group, on vectors, without barriers", declined);
}

std::optional<Template> lanes(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                              std::vector<std::string>& declined) {
  Builder b(g, device, "lanes");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    if (s.keep) b.step("keep");
    if (s.has("registers")) b.step("registers");
    if (!s.has("lanes")) continue;
    b.lanes(s);
    b.workgroup(s);
  }
  limit_tile(b, surveys);
  return b.finish("neighbouring work-items on vectors", declined);
}

std::optional<Template> merged(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                               std::vector<std::string>& declined) {
  Builder b(g, device, "merge");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    if (s.keep) b.step("keep");
    if (s.has("registers")) b.step("registers");
    auto offers = s.of("merge");
    std::erase_if(offers, [](const Offer& o) { return !of_work_items(o); });
    for (std::size_t i = 0; i < offers.size() && i < 2; ++i)
      b.merge(offers[i], i == 0 ? "TI" : "TJ", 8, i == 0 ? 4 : 2);
    b.unroll(s, 8, 2);
    b.workgroup(s);
  }
  return b.finish("one work-item does several, so that loads are shared", declined);
}

std::optional<Template> regrouped(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                                  std::vector<std::string>& declined) {
  Builder b(g, device, "workgroup");
  for (const auto& s : surveys) {
    if (!s.has("workgroup")) continue;
    if (surveys.size() > 1) b.kernel(s.kernel);
    if (s.has("registers")) b.step("registers");
    b.workgroup(s);
  }
  return b.finish("another work-group size", declined);
}

bool uses_vectors(const Template& t) {
  return std::any_of(t.schedule.begin(), t.schedule.end(),
                     [](const Step& s) { return s.rule == "lanes" || s.rule == "fold"; });
}

/// Templates whose schedule starts like one that paid on this device come first.
void order_by_patterns(std::vector<Template>& templates, const std::vector<Pattern>& patterns,
                       const DeviceInfo& device) {
  const auto paid = [&](const Template& t) {
    double best = 1;
    for (const auto& p : patterns)
      for (const auto& step : t.schedule)
        if (p.device.find(device.name) != std::string::npos && p.change.find(hone::print(step)) != std::string::npos)
          best = std::max(best, p.ratio);
    return best;
  };
  std::stable_sort(templates.begin(), templates.end(),
                   [&](const Template& a, const Template& b) { return paid(a) > paid(b); });
}

}  // namespace

Proposals propose(const LiftedKernel& lifted, const DeviceInfo& device, const PatchLimits& limits) {
  Proposals out;
  Surveys surveys;
  for (const auto& spec : lifted.mep.kernels)
    if (launch_facts(lifted.mep, spec.name).launched)
      surveys.push_back(survey(lifted, spec.name, limits, device.kind == "cpu"));
  for (const auto& s : surveys) out.declined.insert(out.declined.end(), s.declined.begin(), s.declined.end());
  for (const auto& make : {folded, tile, lanes, merged, regrouped}) {
    auto made = make(lifted, device, surveys, out.declined);
    const auto known = [&](const Template& t) { return made && t.schedule == made->schedule; };
    if (made && std::none_of(out.templates.begin(), out.templates.end(), known))
      out.templates.push_back(*std::move(made));
  }
  return out;
}

Result<std::vector<Template>> RulesProposer::propose(const RoundContext& context) {
  auto all = rules::propose(lifted_, context.device, context.limits);
  declined_ = all.declined;
  order_by_patterns(all.templates, context.patterns, context.device);
  // Where vectors are what counts, the first round's budget is theirs alone, whatever paid on other kernels; the rest
  // waits for a round of its own.
  const bool vectors = context.tried.empty() && fact(context.device, "float_lanes", 1) > 1 &&
                       std::any_of(all.templates.begin(), all.templates.end(), uses_vectors);
  std::vector<Template> fresh;
  for (auto& t : all.templates) {
    if (vectors && !uses_vectors(t)) continue;
    const bool tried = std::any_of(context.tried.begin(), context.tried.end(),
                                   [&](const Attempt& a) { return a.proposer == name() && a.template_name == t.name; });
    if (!tried && fresh.size() < context.limit) fresh.push_back(std::move(t));
  }
  return fresh;
}

}  // namespace hone::rules
