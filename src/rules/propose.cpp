#include "rules/propose.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "rules/first_tile.hpp"

namespace hone::rules {
namespace {

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
  /// The name it has in the steps: kernels share a parameter that is the same for them.
  std::string parameter(const std::string& wanted, std::vector<Value> values, std::int64_t wish) {
    auto& all = out_.space.parameters;
    Value chosen = values.back();
    for (const auto& v : values)
      if (std::get<std::int64_t>(v) == wish) chosen = v;
    for (int number = 1;; ++number) {
      const auto name = number == 1 ? wanted : wanted + "_" + std::to_string(number);
      const auto known = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
      if (known != all.end() && (known->values != values || known->default_value != chosen)) continue;
      if (known == all.end()) all.push_back({name, std::move(values), chosen});
      return name;
    }
  }
  void constraint(const std::string& name, const std::string& text) {
    auto condition = Expression::parse(text);
    auto& all = out_.space.constraints;
    if (condition &&
        std::none_of(all.begin(), all.end(), [&](const Constraint& c) { return c.condition == *condition; }))
      all.push_back({name, *condition});
  }

  /// The step, and the name of its count.
  std::string together(const std::string& rule, const FirstSize& size) {
    const auto count = parameter(size.parameter, powers_of_two(size.least, size.most), size.first);
    step(rule, {size.offer.arguments[0], count});
    return count;
  }
  /// A group's work on one core: as wide as its vectors go, since what a group keeps is in memory anyway.
  void fold() {
    const auto most = std::clamp<std::int64_t>(device_fact(device_, "float_lanes", 8) * 2, 4, 16);
    step("fold", {parameter("VX", powers_of_two(1, most), most)});
  }
  void unroll(const Survey& s, std::int64_t most, std::int64_t wish) {
    if (!s.has("unroll")) return;
    step("unroll", {s.of("unroll").front().arguments[0], parameter("UK", powers_of_two(1, most), wish)});
  }
  /// Only where any size will do after the steps made so far.
  void workgroup(const Survey& s, const FirstTile& first) {
    auto tried = out_.schedule;
    tried.push_back({"workgroup", {"1"}});
    if (!s.has("workgroup") || !launch_shapes(lifted_, tried)) return;
    const auto limit = device_fact(device_, "max_work_group_size", 256);
    const bool cpu = device_.kind != "gpu";
    static const char* const names[] = {"WG_X", "WG_Y", "WG_Z"};
    std::vector<std::string> sizes;
    std::string product;
    for (std::size_t d = 0; d < s.dimensions && d < 3; ++d) {
      const std::int64_t most = std::min<std::int64_t>(limit, d == 0 ? (cpu ? 64 : 256) : d == 1 ? 16 : 4);
      sizes.push_back(parameter(names[d], powers_of_two(1, most), first.group[d]));
      product += (d == 0 ? "" : " * ") + sizes.back();
    }
    step("workgroup", std::move(sizes));
    constraint("group", product + " <= device.max_work_group_size");
    if (auto threads = Expression::parse(product)) out_.resources.insert_or_assign("threads", *threads);
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

std::string product_of(const std::vector<std::string>& names) { return join(names, " * "); }

/// What is taken together must be few enough to build, and where groups stay as they are, must divide them.
void limit(Builder& b, const Survey& s, const std::vector<std::string>& all, const std::vector<std::string>& along) {
  if (all.empty()) return;
  b.constraint("tile", product_of(all) + " <= 512");
  if (!s.grain.empty() && s.lanes() && !along.empty())
    b.constraint("divides",
                 std::to_string(s.grain[static_cast<std::size_t>(*s.lanes())]) + " % (" + product_of(along) + ") == 0");
}

void opened(Builder& b, const Survey& s) {
  if (s.keep) b.step("keep");
  for (const auto& offer : s.of("guard")) b.step("guard", offer.arguments);
  if (s.has("registers")) b.step("registers");
}

/// One vector and one or two merged directions: a tile in registers.
void tiled(Builder& b, const Survey& s, const FirstTile& first) {
  opened(b, s);
  std::vector<std::string> all, along;
  if (first.lanes) all.push_back(b.together("lanes", *first.lanes));
  along = all;
  for (const auto& merged : first.merges) {
    all.push_back(b.together("merge", merged));
    if (first.lanes && merged.offer.arguments == first.lanes->offer.arguments) along.push_back(all.back());
  }
  limit(b, s, all, along);
  b.unroll(s, 4, 1);
  b.workgroup(s, first);
}

std::optional<Template> tile(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                             std::vector<std::string>& declined) {
  Builder b(g, device, "tile");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    tiled(b, s, first_tile(s, device));
  }
  return b.finish(
      "neighbouring work-items on vectors, several rows of them at once, so that loads are shared and "
      "sums stay in registers",
      declined);
}

/// Kernels that are not for folding are done as in the tile.
std::optional<Template> folded(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                               std::vector<std::string>& declined) {
  if (std::none_of(surveys.begin(), surveys.end(), [](const Survey& s) { return s.has("fold"); })) return std::nullopt;
  Builder b(g, device, "fold");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    if (s.has("fold"))
      b.fold();
    else
      tiled(b, s, first_tile(s, device));
  }
  return b.finish("one work-item does the work of its group, on vectors, without barriers", declined);
}

std::optional<Template> lanes(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                              std::vector<std::string>& declined) {
  Builder b(g, device, "lanes");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    opened(b, s);
    auto first = first_tile(s, device);
    if (!first.lanes) continue;
    first.merges.clear();
    const auto count = b.together("lanes", *first.lanes);
    limit(b, s, {count}, {count});
    b.workgroup(s, first);
  }
  return b.finish("neighbouring work-items on vectors", declined);
}

std::optional<Template> merged(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                               std::vector<std::string>& declined) {
  Builder b(g, device, "merge");
  for (const auto& s : surveys) {
    if (surveys.size() > 1) b.kernel(s.kernel);
    opened(b, s);
    const auto first = first_merges(s, device);
    for (const auto& merged : first.merges) b.together("merge", merged);
    b.unroll(s, 8, 2);
    b.workgroup(s, first);
  }
  return b.finish("one work-item does several, so that loads are shared", declined);
}

std::optional<Template> regrouped(const LiftedKernel& g, const DeviceInfo& device, const Surveys& surveys,
                                  std::vector<std::string>& declined) {
  Builder b(g, device, "workgroup");
  for (const auto& s : surveys) {
    if (!s.has("workgroup")) continue;
    if (surveys.size() > 1) b.kernel(s.kernel);
    opened(b, s);
    b.workgroup(s, first_groups(s, device));
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
  // Registers full of sums are worth more than work-items that return at once cost; and a fold that leaves some of the
  // kernels alone comes second.
  const bool sums_first = std::any_of(surveys.begin(), surveys.end(), [](const Survey& s) {
    return !s.has("fold") || (s.of("fold").front().worth == 0 && s.sums > 0 && s.has("lanes"));
  });
  std::vector makers = {folded, tile, lanes, merged, regrouped};
  if (sums_first) std::swap(makers[0], makers[1]);
  for (const auto& make : makers) {
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
  const bool vectors = context.tried.empty() && device_fact(context.device, "float_lanes", 1) > 1 &&
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
