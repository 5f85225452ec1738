#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

std::optional<std::string> element_name(const ir::Type& type) {
  const std::string scalar = ir::scalar_name(type.scalar);
  const auto name = type.lanes > 1 ? scalar + std::to_string(type.lanes) : scalar;
  return element_type(name) ? std::optional(name) : std::nullopt;
}

Access access_of(const affine::View& view, const ir::Node& parameter) {
  bool reads = false;
  bool writes = false;
  for (const auto& access : view.accesses) {
    if (access.array != parameter.text) continue;
    reads = reads || access.direction != affine::Direction::Write;
    writes = writes || access.direction != affine::Direction::Read;
  }
  const bool constant = parameter.type.pointee->is_const || parameter.type.pointee->space == ir::AddressSpace::Constant;
  if (constant) return Access::Read;
  if (view.has_unknown || (!reads && !writes)) return Access::ReadWrite;
  if (!writes) return Access::Read;
  return reads ? Access::ReadWrite : Access::Write;
}

Result<ArgumentSpec> argument_of(const affine::View& view, const ir::NodePtr& parameter) {
  ArgumentSpec out;
  out.name = parameter->text;
  const auto& type = parameter->type;
  const auto refuse = [&](const std::string& what) {
    return fail("E-COMPLETE",
                fmt::format("argument {} is {}, which is not completed without a capture", parameter->text, what),
                "write its part of mep.toml by hand; see docs/formats.md");
  };
  if (type.scalar == ir::Scalar::Opaque && !type.is_pointer()) {
    out.kind = type.name.find("sampler") != std::string::npos ? ArgumentSpec::Kind::Sampler : ArgumentSpec::Kind::Image;
    const bool writes = type.name.find("write_only") != std::string::npos;
    out.access = writes ? Access::Write : Access::Read;
    return out;
  }
  const auto& element = type.is_pointer() ? *type.pointee : type;
  if (element.is_pointer()) return refuse("a pointer to pointers");
  const auto name = element_name(element);
  if (!name)
    return refuse("of type " + (element.name.empty() ? std::string(ir::scalar_name(element.scalar)) : element.name));
  out.type = *name;
  if (!type.is_pointer()) return out;
  const bool local = element.space == ir::AddressSpace::Local;
  out.kind = local ? ArgumentSpec::Kind::Local : ArgumentSpec::Kind::Buffer;
  out.access = local ? Access::ReadWrite : access_of(view, *parameter);
  return out;
}

}  // namespace

Status add_kernels(const Extraction& extraction, const ir::Unit& unit, Draft& draft) {
  for (const auto& name : extraction.kernels) {
    const auto kernel = ir::find_function(unit, name);
    if (kernel == nullptr || !ir::body_of(kernel))
      return fail("E-COMPLETE", name + " could not be read as a kernel: " + join(unit.notes, "; "),
                  "hone show FILE --ir");
    auto& view = draft.views[name] = affine::analyse(unit, kernel);
    KernelSpec spec;
    spec.name = name;
    for (const auto& parameter : ir::parameters_of(kernel)) {
      auto argument = argument_of(view, parameter);
      if (!argument) return fail(std::move(argument).error().context("kernel " + name));
      spec.arguments.push_back(std::move(*argument));
    }
    draft.mep.kernels.push_back(std::move(spec));
  }
  return {};
}

}  // namespace hone::mep
