#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "core/layout.hpp"
#include "core/provenance_text.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

using Kind = ArgumentSpec::Kind;
using Renames = std::map<std::string, std::string>;

/// A scalar of the host's up to this is no size of data.
constexpr std::int64_t kLargestRadius = 32;
constexpr std::int64_t kRadius = 3;

/// Of a sequence that is long enough to show what repeats in it.
constexpr std::size_t kManyLaunches = 4;
/// Of one kernel in a row, where the host makes very many.
constexpr std::size_t kMostInARow = 16;
/// ... of which only the buffers change: no host rotates through more.
constexpr std::size_t kMostRotations = 4;

Expression renamed(const Expression& expression, const Renames& names) {
  return expression.substitute([&](std::string_view name) -> std::optional<Expression> {
    const auto found = names.find(std::string(name));
    return found == names.end() ? std::nullopt : std::optional(Expression::name(found->second));
  });
}

/// What an argument is bound to: one expression, or one for each field.
std::vector<const Expression*> values_of(const Binding& binding) {
  std::vector<const Expression*> out;
  if (binding.fields.empty()) out.push_back(&binding.value);
  for (const auto& [path, value] : binding.fields) out.push_back(&value);
  return out;
}
std::vector<Expression*> values_of(Binding& binding) {
  std::vector<Expression*> out;
  if (binding.fields.empty()) out.push_back(&binding.value);
  for (auto& [path, value] : binding.fields) out.push_back(&value);
  return out;
}

std::optional<std::string> bare_name(const Expression& expression) {
  if (expression.root().kind != Expression::Kind::Name) return std::nullopt;
  return expression.root().text;
}

/// Host variables get the names the kernels know them by, where each has one name and no two share it.
Renames names_from_kernels(const HostProgram& host, const Mep& mep) {
  Renames out;
  std::set<std::string> taken;
  std::set<std::string> buffers;
  for (const auto& buffer : host.buffers) buffers.insert(buffer.name);
  std::map<std::string, std::set<std::string>> wishes;  // a variable that is several arguments keeps its own name
  each_launch(host.steps, [&](const HostLaunch& launch) {
    const auto* spec = find_kernel(mep, launch.kernel);
    for (const auto& [position, argument] : launch.arguments) {
      const auto name = bare_name(argument.value);
      if (spec != nullptr && position < spec->arguments.size() && name)
        wishes[*name].insert(spec->arguments[position].name);
    }
  });
  for (const bool exact : {true, false}) {  // a name both sides share is kept first
    each_launch(host.steps, [&](const HostLaunch& launch) {
      const auto* spec = find_kernel(mep, launch.kernel);
      for (const auto& [position, argument] : launch.arguments) {
        if (spec == nullptr || position >= spec->arguments.size()) continue;
        const auto host_name = bare_name(argument.value);
        const auto& wanted = spec->arguments[position].name;
        if (!host_name || out.contains(*host_name) || argument.kind != HostArgument::Kind::Scalar ||
            !host.symbols.contains(*host_name))
          continue;
        if (wishes[*host_name].size() > 1 || taken.contains(wanted) || buffers.contains(wanted) ||
            (exact && *host_name != wanted))
          continue;
        if (!exact && host.symbols.contains(wanted) && !out.contains(wanted)) continue;
        out[*host_name] = wanted;
        taken.insert(wanted);
      }
    });
  }
  // rows_3 says nothing when nobody else is called rows.
  for (const auto& [name, unused] : host.symbols) {
    const auto cut = name.find_last_of('_');
    const auto base = name.substr(0, cut);
    const bool numbered = cut != std::string::npos && cut + 1 < name.size() &&
                          std::ranges::all_of(name.substr(cut + 1),
                                              [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    if (!numbered || out.contains(name) || taken.contains(base) || buffers.contains(base) ||
        host.symbols.contains(base))
      continue;
    out[name] = base;
    taken.insert(base);
  }
  return out;
}

class Builder {
 public:
  Builder(const Extraction& extraction, Draft& draft) : host_(extraction.host), draft_(draft) {
    names_ = names_from_kernels(host_, draft.mep);
    each_launch(host_.steps, [&](const HostLaunch& launch) {
      if (launch.condition.empty()) unconditional_.insert(launch.kernel);
      if (!launch.global.empty()) sized_.insert(launch.kernel);
    });
  }

  std::vector<LaunchStep> from_host(const std::vector<HostStep>& steps) {
    std::vector<LaunchStep> out;
    for (const auto& step : steps) {
      if (const auto* launch = std::get_if<HostLaunch>(&step)) {
        if (!launch->condition.empty() && unconditional_.contains(launch->kernel)) {
          draft_.because(fmt::format("{}: the launch at {} is left out, it is made {}", launch->kernel, launch->place,
                                     launch->condition));
          continue;
        }
        // A guess beside what was seen says nothing more; of a whole program it may be what a later launch needs.
        if (launch->global.empty() && sized_.contains(launch->kernel) && draft_.mep.kernels.size() == 1) {
          draft_.because(
              fmt::format("{}: the launch at {} is left out, its sizes were not followed and those of another were",
                          launch->kernel, launch->place));
          continue;
        }
        if (!launch->condition.empty())
          draft_.because(fmt::format("{}: launched {} ({}); taken as if it were", launch->kernel, launch->condition,
                                     launch->place));
        out.emplace_back(one(*launch));
      } else {
        loop(std::get<HostLoop>(step), out);
      }
    }
    return out;
  }

  /// A launch of its own for a kernel nobody was seen to launch.
  Launch from_guards(const KernelSpec& spec) {
    HostLaunch nothing;
    nothing.kernel = spec.name;
    return one(nothing);
  }

  void note_symbols() {
    for (const auto& [name, start] : host_.symbols) {
      const auto found = names_.find(name);
      const auto& kept = found == names_.end() ? name : found->second;
      if (!start) continue;
      const auto from = host_.symbol_provenance.find(name);
      draft_.from[kept] = from == host_.symbol_provenance.end() ? Provenance{Provenance::Kind::Seen, {}} : from->second;
      if (const auto* whole = std::get_if<std::int64_t>(&*start)) draft_.start[kept] = *whole;
      if (const auto* real = std::get_if<double>(&*start)) draft_.fixed[kept] = *real;
    }
  }
  const Renames& names() const { return names_; }

 private:
  Launch one(const HostLaunch& host) {
    const auto& spec = *find_kernel(draft_.mep, host.kernel);
    Launch out;
    out.kernel = host.kernel;
    for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
      const auto found = host.arguments.find(i);
      out.arguments[spec.arguments[i].name] =
          binding(spec.arguments[i], found == host.arguments.end() ? nullptr : &found->second);
    }
    for (const auto& size : host.global) out.global.push_back(simplified(renamed(size, names_)));
    for (const auto& size : host.local) out.local.push_back(simplified(renamed(size, names_)));
    for (const auto& size : host.offset) out.offset.push_back(simplified(renamed(size, names_)));
    out.sizes = host.sizes;
    if (out.global.empty()) guess_geometry(out);
    if (!out.local.empty() && out.local.size() != out.global.size()) {  // arrays with room for more than are used
      draft_.because(
          fmt::format("{}: {} local sizes for {} global ones", out.kernel, out.local.size(), out.global.size()));
      out.local.resize(out.global.size(), Expression::literal(Value(std::int64_t{1})));
    }
    return out;
  }

  /// What the host does not say is bound to a name of its own: a guess, and labelled so.
  Binding binding(const ArgumentSpec& argument, const HostArgument* host) {
    const bool known = host != nullptr && host->kind != HostArgument::Kind::Unknown;
    const Provenance guessed{Provenance::Kind::Guessed, {}};
    switch (argument.kind) {
      case Kind::Buffer:
      case Kind::Image:
        if (known && (host->kind == HostArgument::Kind::Buffer || host->kind == HostArgument::Kind::Image))
          return {host->value, {}, host->provenance};
        return {Expression::name(argument.name), {}, guessed};
      case Kind::Sampler:
        if (known && host->kind == HostArgument::Kind::Sampler) return {host->value, {}, host->provenance};
        return {Expression::literal(Value(std::string("nearest clamp_to_edge"))), {}, guessed};
      case Kind::Struct: return struct_binding(argument, known ? host : nullptr);
      case Kind::Local:
        if (known) return {elements(renamed(host->value, names_), argument.type), {}, host->provenance};
        return {Expression::name("launch.local"), {}, guessed};
      default:
        if (known && host->kind == HostArgument::Kind::Scalar)
          return {simplified(renamed(host->value, names_)), {}, host->provenance};
        if (known && !host->fields.empty())
          if (auto lanes = lanes_of(*host); !lanes.empty()) return {Expression(), std::move(lanes), host->provenance};
        return {Expression::name(argument.name), {}, guessed};
    }
  }

  /// A cl_float4 the host sets by its parts: "x", "s[0]", "[0]".
  std::map<std::string, Expression> lanes_of(const HostArgument& host) const {
    std::map<std::string, Expression> out;
    for (const auto& [path, value] : host.fields) {
      const auto open = path.find('[');
      const auto digit = open == std::string::npos ? std::string() : path.substr(open + 1, path.size() - open - 2);
      const bool one = path.size() == 1 && std::string_view("xyzw").find(path[0]) != std::string_view::npos;
      if (one) out.insert_or_assign(path, simplified(renamed(value, names_)));
      if (digit.size() == 1) out.insert_or_assign("s" + digit, simplified(renamed(value, names_)));
    }
    return out;
  }

  /// Fields the host does not say get names of their own: p_size for p.size.
  Binding struct_binding(const ArgumentSpec& argument, const HostArgument* host) {
    Binding out{Expression(), {}, host != nullptr ? host->provenance : Provenance{Provenance::Kind::Guessed, {}}};
    const auto fields = flat_fields(argument.type, draft_.mep.structs);
    if (!fields) return out;
    std::vector<std::string> guessed;
    for (const auto& field : *fields) {
      bool said = false;
      for (const auto& [path, value] : host != nullptr ? host->fields : std::map<std::string, Expression>{}) {
        if (path != field.path && !path.starts_with(field.path + "[") && !path.starts_with(field.path + ".")) continue;
        out.fields.insert_or_assign(path, simplified(renamed(value, names_)));
        said = true;
      }
      if (said) continue;
      auto name = argument.name + "_" + field.path;
      for (auto& c : name)
        if (!in_name(c)) c = '_';
      out.fields.insert_or_assign(field.path, Expression::name(name));
      if (field.element.kind == ScalarKind::Float) draft_.reals.insert(name);
      guessed.push_back(field.path);
    }
    if (!guessed.empty()) {
      out.from = {Provenance::Kind::Guessed, {}};
      draft_.because(fmt::format("{}: {} of it {} chosen", argument.name, join(guessed, ", "),
                                 guessed.size() == 1 ? "is" : "are"));
    }
    return out;
  }

  Expression elements(const Expression& bytes, const std::string& type) const {
    const auto layout = layout_of(type, draft_.mep.structs);
    const auto size = static_cast<std::int64_t>(layout ? layout->bytes : 1);
    return simplified(Expression::binary("//", bytes, Expression::literal(Value(size))));
  }

  static std::optional<std::int64_t> number_in(const Expression& size) {
    const auto value = size.evaluate_integer([](std::string_view) { return std::optional<Value>(); });
    return value ? std::optional(*value) : std::nullopt;
  }

  /// From what the guards let through: names alone choose the wrong axis too often.
  void guess_geometry(Launch& launch) {
    const auto& view = draft_.views.at(launch.kernel);
    const auto sizes = affine::guarded_size(view);
    launch.sizes = {Provenance::Kind::Inferred, {}};
    for (std::size_t d = 0; d < std::max<std::size_t>(sizes.size(), 1); ++d) {
      if (d < sizes.size() && sizes[d]) {
        launch.global.push_back(sizes[d]->substitute([&](std::string_view name) -> std::optional<Expression> {
          const auto dot = name.find('.');
          const auto found = launch.arguments.find(std::string(name.substr(0, dot)));
          if (found == launch.arguments.end()) return std::nullopt;
          if (dot == std::string_view::npos) return found->second.value;
          const auto field = found->second.fields.find(std::string(name.substr(dot + 1)));
          return field == found->second.fields.end() ? std::nullopt : std::optional(field->second);
        }));
        draft_.because(fmt::format("{}: global size {} is {}, by the kernel's guard", launch.kernel, d,
                                   launch.global.back().print()));
      } else {
        const auto name = fmt::format("global_{}", d);
        launch.global.push_back(Expression::name(name));
        launch.sizes = {Provenance::Kind::Guessed, {}};
        draft_.because(fmt::format("{}: global size {} is a size of its own, no guard bounds it", launch.kernel, d));
      }
    }
    const auto& arguments = find_kernel(draft_.mep, launch.kernel)->arguments;
    const bool shares = view.has_barrier || std::ranges::any_of(arguments, [](const ArgumentSpec& argument) {
                          return argument.kind == Kind::Local;
                        });
    // In OpenCL the runtime chooses then; in CUDA and HIP somebody must.
    if (!shares && draft_.mep.language == Language::OpenCL) return;
    launch.sizes = {Provenance::Kind::Guessed, {}};
    const std::int64_t edge = launch.global.size() == 1 ? 64 : launch.global.size() == 2 ? 8 : 4;
    const auto& own = draft_.groups[launch.kernel];
    if (launch.local.size() != launch.global.size()) {
      const bool by_arrays = own.size() == launch.global.size();
      launch.local.clear();
      for (std::size_t d = 0; d < launch.global.size(); ++d)
        launch.local.push_back(Expression::literal(Value(by_arrays ? own[d] : edge)));
      if (by_arrays)
        draft_.because(launch.kernel + ": the work-group is the one that its own local arrays are made for");
    }
    // Whole work-groups, as a host would launch them; what is too many the guard turns away.
    for (std::size_t d = 0; d < launch.global.size(); ++d) {
      auto& size = launch.global[d];
      const auto items = number_in(size), group = number_in(launch.local[d]);
      if (!items || !group || *group <= 0 || *items % *group != 0)
        size = Expression::call("round_up", {size, launch.local[d]});
    }
  }

  void loop(const HostLoop& host, std::vector<LaunchStep>& out) {
    LaunchLoop made;
    made.variable = host.variable;
    made.begin = simplified(renamed(host.begin, names_));
    made.end = simplified(renamed(host.end, names_));
    made.body = from_host(host.body);
    if (repeats_for_timing(made) || repeats_a_sequence(made)) {
      draft_.because(fmt::format("the loop over {} repeats the same work; it is made once", host.variable));
      out.insert(out.end(), made.body.begin(), made.body.end());
      return;
    }
    out.emplace_back(std::move(made));
  }

  /// A long sequence that the host runs again and again from where it ended: once is enough to see all of it.
  bool repeats_a_sequence(const LaunchLoop& loop) const {
    std::size_t launches = 0;
    bool mentions = false;
    each_launch(std::as_const(loop.body), [&](const Launch& launch, const auto&) {
      ++launches;
      for (const auto* sizes : {&launch.global, &launch.local, &launch.offset})
        for (const auto& size : *sizes) mentions = mentions || names_it(size, loop.variable);
      for (const auto& [name, binding] : launch.arguments)
        for (const auto* value : values_of(binding)) mentions = mentions || names_it(*value, loop.variable);
    });
    return launches >= kManyLaunches && !mentions;
  }
  static bool names_it(const Expression& e, const std::string& name) {
    const auto names = e.names();
    return std::ranges::find(names, name) != names.end();
  }

  /// The counter is used nowhere, and either there is one launch or no launch reads what an earlier round wrote.
  bool repeats_for_timing(const LaunchLoop& loop) const {
    bool mentions = false;
    std::set<std::string> read_first;
    std::set<std::string> written;
    std::size_t launches = 0;
    each_launch(std::as_const(loop.body), [&](const Launch& launch, const auto&) {
      ++launches;
      const auto uses = [&](const Expression& e) {
        const auto names = e.names();
        mentions = mentions || std::ranges::find(names, loop.variable) != names.end();
      };
      for (const auto* sizes : {&launch.global, &launch.local, &launch.offset}) std::ranges::for_each(*sizes, uses);
      for (const auto& argument : find_kernel(draft_.mep, launch.kernel)->arguments) {
        const auto& value = launch.arguments.at(argument.name).value;
        for (const auto* one : values_of(launch.arguments.at(argument.name))) uses(*one);
        if (argument.kind != Kind::Buffer && argument.kind != Kind::Image) continue;
        for (const auto& name : value.names()) {
          if (argument.access != Access::Write && !written.contains(name)) read_first.insert(name);
        }
      }
      for (const auto& argument : find_kernel(draft_.mep, launch.kernel)->arguments) {
        const bool memory = argument.kind == Kind::Buffer || argument.kind == Kind::Image;
        if (!memory || argument.access == Access::Read) continue;
        for (const auto& name : launch.arguments.at(argument.name).value.names()) written.insert(name);
      }
    });
    if (mentions) return false;
    return launches == 1 ||
           std::ranges::none_of(written, [&](const std::string& name) { return read_first.contains(name); });
  }

  const HostProgram& host_;
  Draft& draft_;
  Renames names_;
  std::set<std::string> unconditional_;  // kernels with a launch that is always made
  std::set<std::string> sized_;          // kernels with a launch whose sizes were followed
};

/// The same launch twice in a row, as warm-ups do, is one.
void drop_repeats(std::vector<LaunchStep>& steps) {
  const auto without_places = [](const LaunchStep& step) {
    std::vector<LaunchStep> bare = {step};
    each_launch(bare, [](Launch& launch) {
      launch.sizes = stated();
      for (auto& [name, binding] : launch.arguments) binding.from = stated();
    });
    return bare.front();
  };
  const auto last = std::unique(steps.begin(), steps.end(), [&](const LaunchStep& a, const LaunchStep& b) {
    return without_places(a) == without_places(b);
  });
  steps.erase(last, steps.end());
}

/// Whether two launches of a kernel differ in their buffers alone: steps in time, with the buffers changing places.
bool differ_in_buffers_alone(const Draft& draft, const Launch& a, const Launch& b) {
  if (a.kernel != b.kernel || a.global != b.global || a.local != b.local || a.offset != b.offset) return false;
  const auto& arguments = find_kernel(draft.mep, a.kernel)->arguments;
  return std::ranges::all_of(arguments, [&](const ArgumentSpec& argument) {
    const auto& of_a = a.arguments.at(argument.name);
    const auto& of_b = b.arguments.at(argument.name);
    return argument.kind == Kind::Buffer || argument.kind == Kind::Image ||
           (of_a.value == of_b.value && of_a.fields == of_b.fields);
  });
}

/// Hundreds of launches of one kernel, written one by one or unrolled by the reader, are cut: a pass must stay short.
void cut_rows(std::vector<LaunchStep>& steps, Draft& draft) {
  std::vector<LaunchStep> out;
  std::size_t row = 0, alike = 0, cut = 0, kept = 0;
  std::optional<Launch> before;
  for (auto& step : steps) {
    if (auto* loop = std::get_if<LaunchLoop>(&step)) {
      cut_rows(loop->body, draft);
      row = alike = 0;
      before.reset();
      out.push_back(std::move(step));
      continue;
    }
    const auto launch = std::get<Launch>(step);
    row = before && launch.kernel == before->kernel ? row + 1 : 1;
    alike = before && differ_in_buffers_alone(draft, launch, *before) ? alike + 1 : 1;
    before = launch;
    if (row <= kMostInARow && alike <= kMostRotations) {
      out.push_back(std::move(step));
      kept = row;
    } else {
      ++cut;
    }
  }
  if (cut > 0) draft.because(fmt::format("of {} launches in a row the first {} are made", cut + kept, kept));
  steps = std::move(out);
}

/// Scalars that decide about memory: they stand in an index, a guard, a loop or a launch.
std::set<std::string> deciding(const Draft& draft) {
  std::set<std::string> out;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    std::set<std::string> symbols;
    const auto& view = draft.views.at(launch.kernel);
    for (const auto& access : view.accesses) {
      if (access.index) symbols.merge(access.index->symbols());
      for (const auto& condition : access.conditions) symbols.merge(condition.symbols());
    }
    for (const auto& [name, binding] : launch.arguments) {
      for (const auto& [path, value] : binding.fields) {
        if (!symbols.contains(name + "." + path)) continue;
        for (const auto& used : value.names()) out.insert(used);
      }
      if (!symbols.contains(name)) continue;
      for (const auto& used : binding.value.names()) out.insert(used);
    }
    for (const auto& size : launch.global) {
      for (const auto& used : size.names()) {
        if (used.starts_with("global_")) out.insert(used);
      }
    }
    for (const auto* loop : loops) out.erase(loop->variable);
  });
  return out;
}

/// Names that stand both in a launch's global sizes and in the size of a buffer or image the host makes.
std::set<std::string> sizes_of_memory(const HostProgram& host, const Draft& draft) {
  std::set<std::string> of_memory, out;
  const auto add = [&](const std::optional<Expression>& size) {
    for (const auto& name : size ? size->names() : std::vector<std::string>{}) {
      const auto renamed = draft.renamed.find(name);
      of_memory.insert(renamed == draft.renamed.end() ? name : renamed->second);
    }
  };
  for (const auto& buffer : host.buffers) {
    add(buffer.bytes);
    if (!buffer.image) continue;
    for (const auto* size : {&buffer.image->width, &buffer.image->height, &buffer.image->depth}) add(*size);
  }
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const auto&) {
    for (const auto& size : launch.global)
      for (const auto& name : size.names())
        if (of_memory.contains(name)) out.insert(name);
  });
  return out;
}

/// Scalars that stand in indices and loops but are no extent of anything: radii, strides, counts of taps. Growing them
/// with the sizes would make a kernel many times slower and tell nothing new.
std::set<std::string> radii(Draft& draft, const std::set<std::string>& sizes) {
  std::set<std::string> extents;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    const auto add = [&](const Expression& e) {
      for (const auto& name : e.names()) extents.insert(name);
    };
    for (const auto* loop : loops) add(loop->end);
    std::ranges::for_each(launch.global, add);
    const auto& view = draft.views.at(launch.kernel);
    for (const auto& argument : find_kernel(draft.mep, launch.kernel)->arguments) {
      const auto extent = argument.kind == Kind::Buffer ? affine::extent(view, argument.name) : std::nullopt;
      for (const auto& name : extent ? extent->size.names() : std::vector<std::string>{}) {
        const auto dot = name.find('.');
        const auto bound = launch.arguments.find(name.substr(0, dot));
        if (bound == launch.arguments.end()) continue;
        for (const auto* value : values_of(bound->second)) add(*value);
      }
    }
  });
  std::set<std::string> out;
  for (const auto& name : sizes) {
    const auto start = draft.start.find(name);
    const bool known = start != draft.start.end() && start->second.has_value();
    const bool small = known ? *start->second <= kLargestRadius : !extents.contains(name);
    bool in_global = false;
    each_launch(std::as_const(draft.steps), [&](const Launch& launch, const auto&) {
      for (const auto& size : launch.global) {
        const auto names = size.names();
        in_global = in_global || std::ranges::find(names, name) != names.end();
      }
    });
    if (!small || in_global || draft.given.contains(name)) continue;
    out.insert(name);
    draft.small.insert(name);
  }
  return out.size() == sizes.size() ? std::set<std::string>{} : out;  // something must be a size
}

std::set<std::string> all_names(const Draft& draft) {
  std::set<std::string> out;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    const auto add = [&](const Expression& e) {
      for (const auto& name : e.names()) out.insert(name);
    };
    const auto& spec = *find_kernel(draft.mep, launch.kernel);
    for (const auto& argument : spec.arguments) {
      if (argument.kind == Kind::Buffer || argument.kind == Kind::Image) continue;
      for (const auto* value : values_of(launch.arguments.at(argument.name))) add(*value);
    }
    for (const auto* sizes : {&launch.global, &launch.local, &launch.offset}) std::ranges::for_each(*sizes, add);
    for (const auto* loop : loops) {
      add(loop->begin);
      add(loop->end);
    }
  });
  each_launch(std::as_const(draft.steps), [&](const Launch&, const std::vector<const LaunchLoop*>& loops) {
    for (const auto* loop : loops) out.erase(loop->variable);
  });
  return out;
}

/// A bare name that a real field of a struct is given.
bool is_real_field(const Draft& draft, const Launch& launch, const ArgumentSpec& argument, const std::string& scalar) {
  const auto fields = flat_fields(argument.type, draft.mep.structs);
  if (!fields) return false;
  for (const auto& [path, value] : launch.arguments.at(argument.name).fields) {
    if (bare_name(value) != scalar) continue;
    for (const auto& field : *fields)
      if (path.starts_with(field.path) && field.element.kind == ScalarKind::Float) return true;
  }
  return false;
}

/// Real when only real arguments take it: a size that a weight is computed from (`width / n`) stays whole.
bool is_floating(const Draft& draft, const std::string& scalar) {
  bool out = draft.reals.contains(scalar), whole = false;
  const auto is_in = [&](const Expression& e) {
    const auto names = e.names();
    return std::ranges::find(names, scalar) != names.end();
  };
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const auto&) {
    for (const auto* sizes : {&launch.global, &launch.local, &launch.offset})
      whole = whole || std::ranges::any_of(*sizes, is_in);
    for (const auto& argument : find_kernel(draft.mep, launch.kernel)->arguments) {
      if (argument.kind == Kind::Struct) out = out || is_real_field(draft, launch, argument, scalar);
      if (argument.kind != Kind::Scalar) continue;
      const auto values = values_of(launch.arguments.at(argument.name));
      const auto type = element_type(argument.type);
      if (!type || std::ranges::none_of(values, [&](const auto* value) { return is_in(*value); })) continue;
      (type->kind == ScalarKind::Float ? out : whole) = true;
    }
  });
  return out && !whole;
}

/// Names of work-group sizes and the like are replaced by their numbers: the Mep keeps what the host said.
void substitute_fixed(std::vector<LaunchStep>& steps, const std::map<std::string, std::int64_t>& values,
                      const std::map<std::string, Provenance>& from) {
  const auto certainty = [&](const Expression& e) {
    Provenance out{Provenance::Kind::Seen, {}};
    for (const auto& name : e.names())
      if (const auto known = from.find(name); values.contains(name) && known != from.end())
        out = weaker(out, known->second);
    return out;
  };
  const auto with = [&](Expression& e) {
    e = simplified(e.substitute([&](std::string_view name) -> std::optional<Expression> {
      const auto found = values.find(std::string(name));
      return found == values.end() ? std::nullopt : std::optional(Expression::literal(Value(found->second)));
    }));
  };
  each_loop(steps, [&](LaunchLoop& loop) {
    with(loop.begin);
    with(loop.end);
  });
  each_launch(steps, [&](Launch& launch) {
    for (auto* sizes : {&launch.global, &launch.local, &launch.offset}) {
      for (const auto& size : *sizes) launch.sizes = weaker(launch.sizes, certainty(size));
      std::ranges::for_each(*sizes, with);
    }
    for (auto& [name, binding] : launch.arguments) {
      for (auto* value : values_of(binding)) {
        binding.from = weaker(binding.from, certainty(*value));
        with(*value);
      }
    }
  });
}

std::set<std::string> loop_ends(const Draft& draft) {
  std::set<std::string> out;
  each_launch(std::as_const(draft.steps), [&](const Launch&, const std::vector<const LaunchLoop*>& loops) {
    for (const auto* loop : loops) {
      for (const auto& name : loop->end.names()) out.insert(name);
    }
  });
  return out;
}

/// `--set n=64` where the host computes the argument n from something else: from now on it is n.
void rebind(Draft& draft, const std::string& given) {
  if (all_names(draft).contains(given) || draft.renamed.contains(given)) return;
  each_launch(draft.steps, [&](Launch& launch) {
    for (auto& [name, binding] : launch.arguments) {
      const auto* kernel = find_kernel(draft.mep, launch.kernel);
      const auto spec = std::ranges::find(kernel->arguments, name, &ArgumentSpec::name);
      const bool number = spec->kind == Kind::Scalar || spec->kind == Kind::Local;
      if (number && name == given) binding = {Expression::name(given), {}, {Provenance::Kind::Set, {}}};
      for (auto& [path, value] : binding.fields)
        if (name + "." + path == given) value = Expression::name(given);
    }
  });
}

/// --set: by the kernels' names or the host's. E-SET names what is not there.
Status take_what_was_set(Draft& draft) {
  for (const auto& [given, value] : draft.set) {
    rebind(draft, given);
    const auto known = all_names(draft);
    const auto host = draft.renamed.find(given);
    const auto& name = !known.contains(given) && host != draft.renamed.end() ? host->second : given;
    if (!known.contains(name)) {
      std::vector<std::string> names;
      for (const auto& each : known)
        if (!each.starts_with("launch.")) names.push_back(each);
      return fail(
          "E-SET",
          fmt::format("{} is no value of these kernels; there {} {}", given, names.size() == 1 ? "is" : "are",
                      names.empty() ? "none" : join(names, ", ")),
          "--set " + (names.empty() ? std::string("NAME") : nearest(given, names).value_or(names.front())) + "=VALUE");
    }
    draft.from[name] = {Provenance::Kind::Set, {}};
    draft.because(fmt::format("{} = {}, set by the person", name, print(value)));
    if (const auto* whole = std::get_if<std::int64_t>(&value)) draft.start[name] = *whole, draft.given[name] = *whole;
    if (const auto* real = std::get_if<double>(&value)) draft.fixed[name] = *real;
    if (is_floating(draft, name))
      if (const auto* whole = std::get_if<std::int64_t>(&value)) draft.fixed[name] = static_cast<double>(*whole);
  }
  return {};
}

}  // namespace

Status add_launches(const Extraction& extraction, Draft& draft) {
  Builder builder(extraction, draft);
  draft.steps = builder.from_host(extraction.host.steps);
  drop_repeats(draft.steps);
  cut_rows(draft.steps, draft);
  draft.from_host = !draft.steps.empty();
  if (!draft.from_host) {
    for (const auto& spec : draft.mep.kernels) draft.steps.emplace_back(builder.from_guards(spec));
    draft.because("no launch was found in host code; geometry by the kernels' guards");
  }
  builder.note_symbols();
  draft.renamed = builder.names();
  if (auto done = take_what_was_set(draft); !done) return done;
  auto sizes = deciding(draft);
  sizes.merge(sizes_of_memory(extraction.host, draft));
  for (const auto& name : radii(draft, sizes)) sizes.erase(name);
  const auto ends = loop_ends(draft);
  std::map<std::string, std::int64_t> numbers;
  for (const auto& name : all_names(draft)) {
    if (name.starts_with("launch.")) continue;
    if (!draft.start[name] && !draft.fixed.contains(name)) draft.from[name] = {Provenance::Kind::Guessed, {}};
    if (is_floating(draft, name)) {
      if (!draft.fixed.contains(name)) {
        draft.fixed[name] = draft.start[name] ? static_cast<double>(*draft.start[name]) : 1.25;
        draft.because(fmt::format("{} = {}, {}", name, print(draft.fixed[name]),
                                  draft.start[name] ? "found in the host code" : "chosen"));
      }
    } else if (sizes.contains(name)) {
      draft.sizes.insert(name);
      draft.fixed.erase(name);
    } else if (ends.contains(name)) {  // rounds of the host: a few do
      const auto start = draft.start[name];
      const bool set = draft.from[name].kind == Provenance::Kind::Set;
      draft.fixed[name] = set ? *start : std::min<std::int64_t>(start.value_or(4), 8);
      draft.because(fmt::format("{} = {} rounds{}", name, print(draft.fixed[name]),
                                !set && start && *start > 8 ? fmt::format(", cut from {}", *start) : std::string()));
    } else {
      const std::int64_t chosen = draft.small.contains(name) ? kRadius : 1;
      numbers[name] = draft.start[name].value_or(chosen);
      if (!draft.start[name]) draft.because(fmt::format("{} = {}, chosen", name, chosen));
    }
  }
  substitute_fixed(draft.steps, numbers, draft.from);
  return {};
}

}  // namespace hone::mep
