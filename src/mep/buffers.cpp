#include <fmt/format.h>

#include <algorithm>

#include "core/launch_walk.hpp"
#include "ir/rewrite.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

using Kind = ArgumentSpec::Kind;

/// What a kernel's argument needs, in the workload's scalars: its own names become what this launch binds them to.
Expression at_launch(const Expression& extent, const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
  Expression out = extent.substitute([&](std::string_view view) -> std::optional<Expression> {
    const std::string name(view);
    const auto size = [&](const std::vector<Expression>& from) -> std::optional<Expression> {
      const auto d = static_cast<std::size_t>(name[name.size() - 2] - '0');
      return d < from.size() ? std::optional(from[d]) : std::optional(Expression::literal(Value(std::int64_t{1})));
    };
    if (name.starts_with("launch.global[")) return size(launch.global);
    if (name.starts_with("launch.local[")) return size(launch.local);
    if (name.starts_with("num_groups[")) {
      return launch.local.empty() ? size(launch.global)
                                  : Expression::binary("//", *size(launch.global), *size(launch.local));
    }
    const auto bound = launch.arguments.find(name);
    return bound == launch.arguments.end() ? std::nullopt : std::optional(bound->second.value);
  });
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {  // extents grow with a counter, or shrink with it
    const auto names = out.names();
    if (std::ranges::find(names, (*loop)->variable) == names.end()) continue;
    const auto at = [&](const Expression& value) {
      return simplified(out.substitute([&](std::string_view name) -> std::optional<Expression> {
        return name == (*loop)->variable ? std::optional(value) : std::nullopt;
      }));
    };
    const auto last = at(Expression::binary("-", (*loop)->end, Expression::literal(Value(std::int64_t{1}))));
    const auto first = at((*loop)->begin);
    out = first == last ? first : Expression::call("max", {first, last});
  }
  return simplified(out);
}

/// Kernels that take roots, logarithms or quotients of data get data these are defined for.
std::string float_fill(const ir::Unit& unit) {
  bool positive = false;
  bool divides = false;
  ir::for_each(unit.root, [&](const ir::NodePtr& node) {
    if (node->kind == ir::Kind::Call) {
      for (const char* name : {"sqrt", "rsqrt", "log", "log2", "log10", "pow", "powr", "native_sqrt", "native_log",
                               "native_rsqrt", "half_sqrt", "half_log"})
        positive = positive || node->text == name;
    }
    const bool quotient =
        (node->kind == ir::Kind::Binary && node->text == "/") || (node->kind == ir::Kind::Assign && node->text == "/=");
    if (quotient && node->children[0]->type.is_floating() && !ir::is(node->children[1], ir::Kind::Literal))
      divides = true;
  });
  if (positive || divides) return "uniform(0.5,1.5)";
  return "uniform(-1,1)";
}

/// Arrays whose loaded values end up in the index of another access, with the arrays they point into.
std::map<std::string, std::set<std::string>> index_arrays(const affine::View& view) {
  std::map<std::string, std::set<std::string>> out;
  for (const auto& access : view.accesses) {
    if (!access.index) continue;
    for (const auto& symbol : access.index->symbols()) {
      const auto found = view.loaded_from.find(symbol);
      if (found != view.loaded_from.end()) out[found->second].insert(access.array);
    }
  }
  return out;
}

struct Use {
  std::string type;
  std::vector<Expression> needed;
  bool unknown = false;  // some access to it was not understood
  bool read = false, written = false, exact = true;
  bool indexes = false;
};

class Memory {
 public:
  Memory(const Extraction& extraction, const ir::Unit& unit, Draft& draft)
      : extraction_(extraction), unit_(unit), draft_(draft) {}

  Status add() {
    each_launch(std::as_const(draft_.steps), [&](const Launch& launch, const auto& loops) { look(launch, loops); });
    const auto fill = float_fill(unit_);
    if (fill != "uniform(-1,1)")
      draft_.because("contents are positive: the kernel takes roots, logarithms or quotients of data");
    for (const auto& [name, use] : uses_) {
      BufferSpec buffer;
      buffer.name = name;
      buffer.type = use.type;
      auto extent = extent_of(name, use, buffer.from);
      if (!extent) return fail(std::move(extent).error());
      buffer.extent = *extent;
      buffer.fill = fill_of(use, fill);
      draft_.mep.buffers.push_back(std::move(buffer));
    }
    set_locals(draft_.steps);
    return {};
  }

 private:
  void look(const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    const auto& view = draft_.views.at(launch.kernel);
    const auto indexing = index_arrays(view);
    for (const auto& argument : find_kernel(draft_.mep, launch.kernel)->arguments) {
      if (argument.kind != Kind::Buffer) continue;
      const auto extent = affine::extent(view, argument.name);
      const bool touched = std::ranges::any_of(view.accesses, [&](const auto& a) { return a.array == argument.name; });
      for (const auto& buffer : launch.arguments.at(argument.name).value.names()) {
        if (std::ranges::any_of(loops, [&](const LaunchLoop* l) { return l->variable == buffer; })) continue;
        auto& use = uses_[buffer];
        use.type = argument.type;
        use.read = use.read || argument.access != Access::Write;
        use.written = use.written || argument.access != Access::Read;
        use.indexes = use.indexes || indexing.contains(argument.name);
        if (extent) {
          const auto needed = at_launch(extent->size, launch, loops);
          use.exact = use.exact && extent->exact;
          if (std::ranges::find(use.needed, needed) == use.needed.end()) use.needed.push_back(needed);
        } else if (touched) {
          use.unknown = true;
        }
      }
    }
  }

  Result<Expression> extent_of(const std::string& name, const Use& use, Provenance& from) {
    std::optional<Expression> needed;
    for (const auto& one : use.needed) needed = needed ? Expression::call("max", {*needed, one}) : one;
    if (needed && !use.unknown) draft_.needed[name] = *needed;
    const auto host = std::ranges::find(extraction_.host.buffers, name, &HostBuffer::name);
    if (host != extraction_.host.buffers.end() && host->bytes) {
      if (const auto said = host_extent(*host->bytes, use.type)) {
        from = host->provenance;
        return *said;
      }
    }
    from = {Provenance::Kind::Inferred, {}};
    if (needed && !use.unknown) {
      draft_.because(fmt::format("{}: {} elements, by the accesses of the kernel", name, needed->print()));
      return *needed;
    }
    // Data decides where the kernel reaches: as large as anything else, and the run with guards has to confirm it.
    std::optional<Expression> largest = needed;
    for (const auto& [other, expression] : draft_.needed)
      largest = largest ? Expression::call("max", {*largest, expression}) : expression;
    each_launch(std::as_const(draft_.steps), [&](const Launch& launch, const auto&) {
      Expression items = launch.global.front();
      for (std::size_t d = 1; d < launch.global.size(); ++d) items = Expression::binary("*", items, launch.global[d]);
      if (!largest) largest = items;
    });
    if (!largest)
      return fail("E-EXTENT", "how far the kernel reaches into " + name + " could not be found",
                  "write its extent into mep.toml by hand");
    draft_.because(
        fmt::format("{}: {} elements, a guess: where the kernel reaches depends on data", name, largest->print()));
    draft_.mep.fidelity.values = 'D';
    from = {Provenance::Kind::Guessed, {}};
    return *largest;
  }

  /// In the workload's names; nothing when the host computes it from something that no launch depends on.
  std::optional<Expression> host_extent(const Expression& bytes, const std::string& type) const {
    const auto size = static_cast<std::int64_t>(element_type(type)->bytes());
    const auto out = bytes.substitute([&](std::string_view view) -> std::optional<Expression> {
      const std::string name(view);
      if (const auto renamed = draft_.renamed.find(name); renamed != draft_.renamed.end()) {
        if (draft_.sizes.contains(renamed->second) || draft_.fixed.contains(renamed->second))
          return Expression::name(renamed->second);
      }
      if (draft_.sizes.contains(name) || draft_.fixed.contains(name)) return std::nullopt;
      const auto start = extraction_.host.symbols.find(name);
      if (start != extraction_.host.symbols.end() && start->second) return Expression::literal(*start->second);
      return Expression::name("unknown");
    });
    const auto names = out.names();
    if (std::ranges::find(names, "unknown") != names.end()) return std::nullopt;
    return simplified(Expression::binary("//", out, Expression::literal(Value(size))));
  }

  std::string fill_of(const Use& use, const std::string& floats) const {
    if (!use.read) return "zero";
    const auto type = element_type(use.type);
    if (type->kind == ScalarKind::Float) return floats;
    if (use.indexes) return "index(64)";
    return type->kind == ScalarKind::Signed ? "uniform_int(-100,100)" : "uniform_int(0,200)";
  }

  /// Local memory the host does not say: what the kernel reaches, else one element per work-item.
  void set_locals(std::vector<LaunchStep>& steps) {
    each_launch(steps, [&](Launch& launch) {
      for (const auto& argument : find_kernel(draft_.mep, launch.kernel)->arguments) {
        auto& [bound, fields, from] = launch.arguments.at(argument.name);
        if (argument.kind != Kind::Local || bound != Expression::name("launch.local")) continue;
        if (const auto extent = affine::extent(draft_.views.at(launch.kernel), argument.name)) {
          bound = at_launch(extent->size, launch, {});
          from = {Provenance::Kind::Inferred, {}};
        } else {
          bound = Expression::literal(Value(std::int64_t{1}));
          for (const auto& size : launch.local) bound = simplified(Expression::binary("*", bound, size));
        }
        draft_.because(
            fmt::format("{}: {} elements of local memory for {}", launch.kernel, bound.print(), argument.name));
      }
    });
  }

  const Extraction& extraction_;
  const ir::Unit& unit_;
  Draft& draft_;
  std::map<std::string, Use> uses_;
};

}  // namespace

Status add_buffers(const Extraction& extraction, const ir::Unit& unit, Draft& draft) {
  return Memory(extraction, unit, draft).add();
}

}  // namespace hone::mep
