#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/fills.hpp"
#include "core/launch_walk.hpp"
#include "core/layout.hpp"
#include "ir/rewrite.hpp"
#include "mep/draft.hpp"
#include "mep/index_contents.hpp"

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
    if (const auto dot = name.find('.'); dot != std::string::npos) {
      const auto by_value = launch.arguments.find(name.substr(0, dot));
      if (by_value == launch.arguments.end()) return std::nullopt;
      const auto field = by_value->second.fields.find(name.substr(dot + 1));
      return field == by_value->second.fields.end() ? std::nullopt : std::optional(field->second);
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

Expression number(std::int64_t value) { return Expression::literal(Value(value)); }
Expression over(const Expression& a, const Expression& b) {
  return b.print() == "1" ? a : simplified(Expression::binary("//", a, b));
}

/// Data decides how far: this many elements a row, where nothing says more.
constexpr std::int64_t kRowGuess = 8;

/// Elements of local memory a work-item, where nothing says how many: too many cost nothing, too few a crash.
constexpr std::int64_t kLocalGuess = 16;

struct Need {
  Expression elements;
  std::size_t bytes = 1;  // of one
};

struct Use {
  std::string type;
  std::vector<Need> needed;
  bool unknown = false;  // some access to it was not understood
  bool read = false, written = false, exact = true;
  bool by_data = false;  // rows in it begin and end where data says
  std::string atomic;    // the first atomic operation on it
  bool appended = false;
};

/// What a value of this buffer, or of a field of it, leads to.
struct Leads {
  IndexUse use;
  std::string buffer;
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
      draft_.mep.buffers.push_back(std::move(buffer));
    }
    for (auto& buffer : draft_.mep.buffers) {
      const auto& use = uses_.at(buffer.name);
      buffer.fill = fill_of(buffer, use, fill);
      if (!use.appended) continue;
      draft_.mep.check.unordered.push_back(buffer.name);
      draft_.because(buffer.name +
                     " is written in the order in which an atomic counter gives out places: compared as a set");
    }
    set_locals(draft_.steps);
    return {};
  }

 private:
  std::vector<std::string> buffers_at(const Launch& launch, const std::string& argument,
                                      const std::vector<const LaunchLoop*>& loops) const {
    std::vector<std::string> out;
    const auto bound = launch.arguments.find(argument);
    if (bound == launch.arguments.end()) return out;
    for (const auto& name : bound->second.value.names())
      if (std::ranges::none_of(loops, [&](const LaunchLoop* l) { return l->variable == name; })) out.push_back(name);
    return out;
  }

  void look(const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    const auto& view = draft_.views.at(launch.kernel);
    for (const auto& argument : find_kernel(draft_.mep, launch.kernel)->arguments) {
      if (argument.kind != Kind::Buffer) continue;
      const auto extent = affine::extent(view, argument.name);
      const bool touched = std::ranges::any_of(view.accesses, [&](const auto& a) { return a.array == argument.name; });
      const auto layout = layout_of(argument.type, draft_.mep.structs);
      for (const auto& buffer : buffers_at(launch, argument.name, loops)) {
        auto& use = uses_[buffer];
        if (use.type.empty()) use.type = argument.type;
        use.read = use.read || argument.access != Access::Write;
        use.written = use.written || argument.access != Access::Read;
        for (const auto& access : view.accesses)
          if (access.array == argument.name && access.atomic && use.atomic.empty()) use.atomic = access.node->text;
        if (extent) {
          const auto needed = at_launch(extent->size, launch, loops);
          use.exact = use.exact && extent->exact;
          const std::size_t bytes = layout ? layout->bytes : 1;
          if (std::ranges::none_of(use.needed, [&](const Need& n) { return n.elements == needed && n.bytes == bytes; }))
            use.needed.push_back({needed, bytes});
        } else if (touched) {
          use.unknown = true;
        }
      }
    }
    look_at_own_arrays(launch, loops);
    for (const auto& [from, uses] : index_uses(view)) {
      const auto dot = from.find('.');
      for (const auto& source : buffers_at(launch, from.substr(0, dot), loops)) {
        for (const auto& one : uses) {
          for (const auto& target : buffers_at(launch, one.target, loops)) {
            IndexUse here = one;
            here.factor = at_launch(one.factor, launch, loops);
            here.rest = at_launch(one.rest, launch, loops);
            leads_[dot == std::string::npos ? source : source + from.substr(dot)].push_back({here, target});
            uses_[target].by_data = uses_[target].by_data || one.how != IndexUse::How::Subscript;
          }
        }
      }
    }
    for (const auto& array : appended_to(view))
      for (const auto& buffer : buffers_at(launch, array, loops)) uses_[buffer].appended = true;
  }

  /// `float row[1024]` that is filled up to n: no n above 1024 works.
  void look_at_own_arrays(const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    std::map<std::string, std::int64_t> holds;  // 0: several of that name
    ir::for_each(ir::find_function(unit_, launch.kernel), [&](const ir::NodePtr& node) {
      if (node->kind != ir::Kind::Variable || node->type.extents.size() != 1 || node->type.extents[0] <= 0) return;
      const auto [at, is_new] = holds.emplace(node->text, node->type.extents[0]);
      if (!is_new) at->second = 0;
    });
    for (const auto& [name, count] : holds) {
      const auto extent = count == 0 ? std::nullopt : affine::extent(draft_.views.at(launch.kernel), name);
      if (!extent || !extent->exact) continue;
      const OwnArray own{name, at_launch(extent->size, launch, loops), count};
      if (own.needs.names().empty() || std::ranges::find(draft_.own_arrays, own) != draft_.own_arrays.end()) continue;
      draft_.own_arrays.push_back(own);
    }
  }

  /// Elements of the buffer's own type: a buffer may be an array of float here and of float4 there.
  Expression in_own_type(const Need& need, const std::string& type) const {
    const auto layout = layout_of(type, draft_.mep.structs);
    const std::size_t own = layout ? layout->bytes : 1;
    if (need.bytes == own || own == 0) return need.elements;
    const auto bytes = Expression::binary("*", need.elements, number(static_cast<std::int64_t>(need.bytes)));
    return simplified(over(Expression::binary("+", bytes, number(static_cast<std::int64_t>(own) - 1)),
                           number(static_cast<std::int64_t>(own))));
  }

  Result<Expression> extent_of(const std::string& name, const Use& use, Provenance& from) {
    std::optional<Expression> needed;
    for (const auto& one : use.needed) {
      const auto own = in_own_type(one, use.type);
      needed = needed ? Expression::call("max", {*needed, own}) : own;
    }
    if (needed && !use.unknown) draft_.needed.insert_or_assign(name, *needed);
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
      if (launch.global.empty()) return;
      Expression items = launch.global.front();
      for (std::size_t d = 1; d < launch.global.size(); ++d) items = Expression::binary("*", items, launch.global[d]);
      items = simplified(items);
      if (!largest)
        largest = items;
      else if (largest->print() != items.print())
        largest = Expression::call("max", {*largest, items});
    });
    if (!largest)
      return fail("E-EXTENT", "how far the kernel reaches into " + name + " could not be found",
                  "write its extent into mep.toml by hand");
    if (use.by_data) largest = simplified(Expression::binary("*", number(kRowGuess), *largest));
    draft_.because(
        fmt::format("{}: {} elements, a guess: where the kernel reaches depends on data", name, largest->print()));
    draft_.guessed_extents.insert(name);
    draft_.mep.fidelity.values = 'D';
    from = {Provenance::Kind::Guessed, {}};
    return *largest;
  }

  std::optional<Expression> host_extent(const Expression& bytes, const std::string& type) const {
    const auto layout = layout_of(type, draft_.mep.structs);
    const auto out = in_names_of(draft_, extraction_.host, bytes);
    if (!out || !layout) return std::nullopt;
    return simplified(Expression::binary("//", *out, number(static_cast<std::int64_t>(layout->bytes))));
  }

  std::string fill_of(const BufferSpec& buffer, const Use& use, const std::string& floats) const {
    if (!use.read && use.atomic.empty()) return "zero";
    if (element_type(buffer.type)) return fill_of_values(buffer.name, buffer, *element_type(buffer.type), use, floats);
    const auto fields = flat_fields(buffer.type, draft_.mep.structs);
    if (!fields) return "zero";
    std::vector<std::string> parts;
    for (const auto& field : *fields) {
      const auto pattern = field_pattern(field.path);
      const auto part =
          pattern + ": " + fill_of_values(buffer.name + "." + pattern, buffer, field.element, use, floats);
      if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    }
    return join(parts, "; ");
  }

  std::string fill_of_values(const std::string& key, const BufferSpec& buffer, const ElementType& type, const Use& use,
                             const std::string& floats) const {
    if (!use.atomic.empty() && type.kind != ScalarKind::Float)
      return use.atomic.find("min") != std::string::npos ? "const(1000000)" : "zero";
    if (type.kind == ScalarKind::Float) return use.atomic.empty() ? floats : "zero";
    if (const auto leads = leads_.find(key); leads != leads_.end()) {
      draft_.index_buffers.insert(buffer.name);
      return index_fill(key, leads->second, buffer);
    }
    return type.kind == ScalarKind::Signed ? "uniform_int(-100,100)" : "uniform_int(0,200)";
  }

  /// How many values of the subscript or counter stay inside of the array it leads to.
  Expression room(const Leads& lead) const {
    const auto target = std::ranges::find(draft_.mep.buffers, lead.buffer, &BufferSpec::name);
    if (target == draft_.mep.buffers.end()) return number(64);
    if (lead.use.how != IndexUse::How::Subscript) return over(target->extent, lead.use.factor);
    const auto left = simplified(Expression::binary("-", target->extent, lead.use.rest));
    return simplified(Expression::binary("+", over(left, lead.use.factor), number(1)));
  }

  std::string index_fill(const std::string& key, const std::vector<Leads>& leads, const BufferSpec& buffer) const {
    bool begins = false, ends = false, scatters = false, subscripts = false;
    std::optional<Expression> most;
    for (const auto& lead : leads) {
      begins = begins || lead.use.how == IndexUse::How::Begin;
      ends = ends || lead.use.how == IndexUse::How::End;
      subscripts = subscripts || lead.use.how == IndexUse::How::Subscript;
      scatters = scatters || lead.use.scatters;
      const auto here = room(lead);
      if (!most || most->print() == here.print())
        most = here;
      else if (most->print().find(here.print()) == std::string::npos || most->root().kind != Expression::Kind::Call)
        most = Expression::call("min", {*most, here});
    }
    const auto rows = buffer.extent;
    if (begins && ends && !has_lengths(key, leads)) {
      const auto parts = Expression::call("max", {number(1), simplified(Expression::binary("-", rows, number(1)))});
      return fmt::format("offsets({},{})", most->print(), parts.print());
    }
    if (ends && !begins) return fmt::format("index({})", least_one(over(*most, rows), 1).print());
    if (begins) {  // lengths are elsewhere: the last row must find room too
      const auto length = over(*most, rows);
      return fmt::format("offsets({},{})", least_one(simplified(Expression::binary("-", *most, length)), 0).print(),
                         least_one(rows, 0).print());
    }
    const auto count = least_one(*most, 0);
    return fmt::format("{}({})", scatters && subscripts ? "permutation" : "index", count.print());
  }
  /// Whether another value ends what this one begins: rows are given by where they begin and how long they are.
  bool has_lengths(const std::string& key, const std::vector<Leads>& leads) const {
    return std::ranges::any_of(leads_, [&](const auto& other) {
      const auto leads_there = [&](IndexUse::How how) {
        return std::ranges::any_of(other.second, [&](const Leads& o) {
          return o.use.how == how && std::ranges::any_of(leads, [&](const Leads& l) { return l.buffer == o.buffer; });
        });
      };
      return other.first != key && leads_there(IndexUse::How::End) && !leads_there(IndexUse::How::Begin);
    });
  }
  static Expression least_one(const Expression& e, std::int64_t more) {
    const auto sum = more == 0 ? e : simplified(Expression::binary("+", e, number(more)));
    return Expression::call("max", {number(1), sum});
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
          bound = simplified(Expression::binary("*", number(kLocalGuess), bound));
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
  std::map<std::string, std::vector<Leads>> leads_;  // by buffer, or buffer.field
};

}  // namespace

std::optional<Expression> in_names_of(const Draft& draft, const HostProgram& host, const Expression& size) {
  const auto out = size.substitute([&](std::string_view view) -> std::optional<Expression> {
    const std::string name(view);
    if (const auto renamed = draft.renamed.find(name); renamed != draft.renamed.end()) {
      if (draft.sizes.contains(renamed->second) || draft.fixed.contains(renamed->second))
        return Expression::name(renamed->second);
    }
    if (draft.sizes.contains(name) || draft.fixed.contains(name)) return std::nullopt;
    const auto start = host.symbols.find(name);
    if (start != host.symbols.end() && start->second) return Expression::literal(*start->second);
    return Expression::name("unknown");
  });
  const auto names = out.names();
  if (std::ranges::find(names, "unknown") != names.end()) return std::nullopt;
  return simplified(out);
}

Status add_buffers(const Extraction& extraction, const ir::Unit& unit, Draft& draft) {
  return Memory(extraction, unit, draft).add();
}

}  // namespace hone::mep
