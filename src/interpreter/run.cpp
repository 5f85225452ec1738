#include "interpreter/run.hpp"

#include <algorithm>

#include "interpreter/work_group.hpp"

namespace hone::interpreter {
namespace {

/// Local memory is each group's own; a buffer's bytes are known by one name, however many arguments they are bound to.
Variable bound(const ir::NodePtr& parameter, const Argument& argument, std::map<Bytes*, MemoryPtr>& buffers) {
  Variable out;
  Value pointer;
  pointer.type = parameter->type;
  if (auto* const* bytes = std::get_if<Bytes*>(&argument)) {
    auto& memory = buffers[*bytes];
    if (!memory) memory = view_of(parameter->text, *bytes);
    pointer.memory = memory;
    out.pointer = pointer;
  } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
    pointer.memory = allocate_local(parameter->text, local->size);
    out.pointer = pointer;
  } else {
    if (!parameter->type.is_plain() || ir::size_of(parameter->type) == 0)
      unsupported("a number for the argument " + parameter->text);
    const auto* whole = std::get_if<std::int64_t>(&argument);
    out.place = {allocate(parameter->text, 128), 0, parameter->type, {}, false};
    store(out.place, whole != nullptr ? int_value(*whole, ir::scalar_type(ir::Scalar::Long))
                                      : real_value(std::get<double>(argument), ir::scalar_type(ir::Scalar::Double)));
  }
  return out;
}

void run_groups(const ir::Unit& unit, const ir::NodePtr& function, const std::vector<Argument>& arguments,
                const Geometry& geometry, const Options& options) {
  const auto parameters = ir::parameters_of(function);
  if (parameters.size() != arguments.size()) unsupported(function->text + " takes other arguments");
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.local[d] == 0 || geometry.global[d] % geometry.local[d] != 0)
      unsupported("a global size that is no multiple of the local size");
  LaunchState launch{unit, geometry, options};
  std::map<Bytes*, MemoryPtr> buffers;
  const auto groups = [&](std::size_t d) { return geometry.global[d] / geometry.local[d]; };
  const auto all = groups(0) * groups(1) * groups(2);
  const auto some = options.most_groups == 0 ? all : std::min(all, options.most_groups);
  for (std::size_t g = 0; g < some; ++g) {
    const auto at = some == all || some < 2 ? g : g * (all - 1) / (some - 1);  // the first and the last among them
    std::vector<Variable> bindings;
    for (std::size_t p = 0; p < parameters.size(); ++p) bindings.push_back(bound(parameters[p], arguments[p], buffers));
    WorkGroup(launch, {at % groups(0), at / groups(0) % groups(1), at / groups(0) / groups(1)}).run(function, bindings);
  }
}

}  // namespace

std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::Race: return "race";
    case Finding::Kind::OutOfBounds: return "out of bounds";
    case Finding::Kind::Undefined: return "undefined";
    case Finding::Kind::DivergentBarrier: return "divergent barrier";
    case Finding::Kind::Unsupported: return "unsupported";
  }
  return "";
}

std::optional<Finding> run(const ir::Unit& unit, const std::string& kernel, const std::vector<Argument>& arguments,
                           const Geometry& geometry, const Options& options) {
  try {
    const auto function = ir::find_function(unit, kernel);
    if (!function || !ir::body_of(function)) unsupported("a kernel named " + kernel + ", which is not there");
    run_groups(unit, function, arguments, geometry, options);
  } catch (const Stopped& stopped) {
    return stopped.finding;
  }
  return std::nullopt;
}

}  // namespace hone::interpreter
