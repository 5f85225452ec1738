#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "mep/draft.hpp"
#include "mep/dynamic_shared.hpp"
#include "mep/group_guess.hpp"
#include "mep/structs.hpp"

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

/// "2d" of "__read_only image2d_t".
std::optional<std::string> image_kind(const std::string& type) {
  for (const auto& kind : image_kinds())
    if (type.find("image" + kind + "_t") != std::string::npos) return kind;
  return std::nullopt;
}

Access access_of_image(const std::string& type) {
  if (type.find("read_write") != std::string::npos) return Access::ReadWrite;
  return type.find("write_only") != std::string::npos ? Access::Write : Access::Read;
}

/// Images as arrays whose place is not known: where a kernel reads and writes them, and under which conditions, is then
/// seen like any other access.
ir::Unit with_images_as_arrays(ir::Unit unit) {
  const auto texel = ir::pointer_to(ir::in_space(ir::scalar_type(ir::Scalar::Float, 4), ir::AddressSpace::Global));
  unit.root = ir::rewrite(unit.root, [&](const ir::NodePtr& node) -> ir::NodePtr {
    if (node->kind == ir::Kind::Parameter && node->type.scalar == ir::Scalar::Opaque &&
        node->type.name.find("image") != std::string::npos)
      return ir::with_type(node, texel);
    if (node->kind != ir::Kind::Call || node->children.size() < 2 || !ir::is(node->children[0], ir::Kind::Name))
      return node;
    const bool reads = node->text.starts_with("read_image"), writes = node->text.starts_with("write_image");
    if (!reads && !writes) return node;
    ir::NodePtr place = node->children[1];
    for (std::size_t i = 2; i + (writes ? 1 : 0) < node->children.size(); ++i)
      place = ir::binary(",", place, node->children[i]);
    const auto element = ir::index(ir::name(node->children[0]->text, texel), place);
    return reads ? element : ir::assign(element, node->children.back());
  });
  return unit;
}

class Arguments {
 public:
  Arguments(const affine::View& view, const Structs& structs, Mep& mep) : view_(view), structs_(structs), mep_(mep) {}

  Result<ArgumentSpec> one(const ir::NodePtr& parameter) {
    ArgumentSpec out;
    out.name = parameter->text;
    const auto& type = parameter->type;
    const auto refuse = [&](const std::string& what) {
      return fail("E-COMPLETE",
                  fmt::format("argument {} is {}, which is not completed without a capture", parameter->text, what),
                  "write its part of mep.toml by hand; see docs/formats.md");
    };
    if (type.scalar == ir::Scalar::Opaque && !type.is_pointer()) {
      if (type.name.find("sampler") != std::string::npos) {
        out.kind = ArgumentSpec::Kind::Sampler;
        return out;
      }
      const auto kind = image_kind(type.name);
      if (!kind) return refuse("of type " + type.name);
      out.kind = ArgumentSpec::Kind::Image;
      out.type = *kind;
      out.access = access_of_image(type.name);
      return out;
    }
    const auto& element = type.is_pointer() ? *type.pointee : type;
    if (element.is_pointer()) return refuse("a pointer to pointers");
    const auto name = element_name(element);
    if (name) {
      out.type = *name;
    } else if (element.scalar == ir::Scalar::Struct) {
      auto found = structs_.find(element.name);
      if (!found) return refuse("of type " + element.name + " (" + found.error().message() + ")");
      out.type = found->back().name;
      for (auto& one : *found)
        if (std::ranges::find(mep_.structs, one.name, &StructSpec::name) == mep_.structs.end())
          mep_.structs.push_back(std::move(one));
    } else if (element.scalar == ir::Scalar::Void && type.is_pointer()) {
      out.type = "uchar";
    } else {
      return refuse("of type " + (element.name.empty() ? std::string(ir::scalar_name(element.scalar)) : element.name));
    }
    if (!type.is_pointer()) {
      if (!name) out.kind = ArgumentSpec::Kind::Struct;
      return out;
    }
    const bool local = element.space == ir::AddressSpace::Local;
    out.kind = local ? ArgumentSpec::Kind::Local : ArgumentSpec::Kind::Buffer;
    out.access = local ? Access::ReadWrite : access_of(view_, *parameter);
    return out;
  }

 private:
  const affine::View& view_;
  const Structs& structs_;
  Mep& mep_;
};

}  // namespace

Status add_kernels(const Extraction& extraction, const ir::Unit& unit, Draft& draft) {
  std::map<std::string, std::string> defines;
  for (const auto& define : extraction.defines) defines[define.name] = define.value;
  const Structs structs(unit, defines);
  const auto seen = with_images_as_arrays(unit);
  for (const auto& name : extraction.kernels) {
    const auto kernel = ir::find_function(unit, name);
    if (kernel == nullptr || !ir::body_of(kernel))
      return fail("E-COMPLETE", name + " could not be read as a kernel: " + join(unit.notes, "; "),
                  "hone show FILE --ir");
    auto& view = draft.views[name] = affine::analyse(seen, ir::find_function(seen, name));
    draft.groups[name] = group_by_arrays(kernel, view);
    KernelSpec spec;
    spec.name = name;
    Arguments arguments(view, structs, draft.mep);
    for (const auto& parameter : ir::parameters_of(kernel)) {
      auto argument = arguments.one(parameter);
      if (!argument) return fail(std::move(argument).error().context("kernel " + name));
      spec.arguments.push_back(std::move(*argument));
    }
    if (extraction.language != Language::OpenCL)
      if (auto shared = dynamic_shared(extraction.source, name, structs)) spec.arguments.push_back(std::move(*shared));
    draft.mep.kernels.push_back(std::move(spec));
  }
  return {};
}

}  // namespace hone::mep
