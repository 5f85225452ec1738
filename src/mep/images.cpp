// Images: formats and sizes as the host makes them; where it does not say, the format by how the kernel reads or writes
// and the sizes by the launch.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/launch_walk.hpp"
#include "ir/rewrite.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

/// The letter after read_image or write_image: f, i, ui or h.
std::string value_suffix(const std::string& call) {
  for (const std::string_view prefix : {"read_image", "write_image"})
    if (call.starts_with(prefix)) return call.substr(prefix.size());
  return {};
}

/// How this argument is accessed; by any image call of the unit where no call names it directly.
std::string suffix_of(const ir::Unit& unit, const std::string& kernel, const std::string& argument) {
  std::string direct, any;
  const auto look = [&](const ir::NodePtr& root, std::string& named) {
    ir::for_each(root, [&](const ir::NodePtr& node) {
      if (node->kind != ir::Kind::Call || node->children.empty()) return;
      const auto suffix = value_suffix(node->text);
      if (suffix.empty()) return;
      if (any.empty()) any = suffix;
      if (ir::is(node->children[0], ir::Kind::Name, argument)) named = suffix;
    });
  };
  if (const auto function = ir::find_function(unit, kernel)) look(function, direct);
  std::string unused;
  look(unit.root, unused);
  return !direct.empty() ? direct : any;
}

ImageSpec spec_of(const std::string& name, const ArgumentSpec& argument, const std::string& suffix) {
  ImageSpec out;
  out.name = name;
  out.kind = argument.type;
  out.channel_order = "RGBA";
  out.channel_type = suffix == "i" ? "signed_int32" : suffix == "ui" ? "unsigned_int32" : "float";
  out.from = {Provenance::Kind::Guessed, {}};
  return out;
}

std::string fill_for(const ImageSpec& image, bool read) {
  if (!read) return "zero";
  if (image.channel_type.starts_with("unsigned")) return "uniform_int(0,200)";
  if (image.channel_type.starts_with("signed")) return "uniform_int(-100,100)";
  return "uniform(0,1)";
}

}  // namespace

Status add_images(const Extraction& extraction, const ir::Unit& unit, Draft& draft) {
  std::map<std::string, bool> read;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    for (const auto& argument : find_kernel(draft.mep, launch.kernel)->arguments) {
      if (argument.kind != ArgumentSpec::Kind::Image) continue;
      for (const auto& name : launch.arguments.at(argument.name).value.names()) {
        if (std::ranges::any_of(loops, [&](const LaunchLoop* l) { return l->variable == name; })) continue;
        read[name] = read[name] || argument.access != Access::Write;
        if (std::ranges::find(draft.mep.images, name, &ImageSpec::name) != draft.mep.images.end()) continue;
        auto image = spec_of(name, argument, suffix_of(unit, launch.kernel, argument.name));
        const auto size = [&](std::size_t d) {
          return d < launch.global.size() ? launch.global[d] : Expression::literal(Value(std::int64_t{1}));
        };
        image.width = size(0);
        image.height = image.kind.starts_with("1d") && image.kind != "1d_array" ? size(3) : size(1);
        image.depth = image.kind == "3d" || image.kind == "2d_array" ? size(2) : size(3);
        const auto host = std::ranges::find(extraction.host.buffers, name, &HostBuffer::name);
        if (host != extraction.host.buffers.end() && host->image) {
          const auto& said = *host->image;
          if (!said.channel_order.empty()) image.channel_order = said.channel_order;
          if (!said.channel_type.empty()) image.channel_type = said.channel_type;
          bool all = true;
          const auto take = [&](const std::optional<Expression>& from, Expression& to) {
            const auto known = from ? in_names_of(draft, extraction.host, *from) : std::nullopt;
            if (known && known->print() != "0") to = *known;
            all = all && (known || !from);
          };
          take(said.width, image.width);
          take(said.height, image.height);
          take(said.depth, image.depth);
          if (all && !said.channel_type.empty()) image.from = host->provenance;
        }
        if (image.from.kind == Provenance::Kind::Guessed)
          draft.because(fmt::format("{}: an image of {} {}, {} by {}{}, chosen by the kernel's calls and the launch",
                                    name, image.channel_order, image.channel_type, image.width.print(),
                                    image.height.print(),
                                    image.depth.print() == "1" ? "" : " by " + image.depth.print()));
        draft.mep.images.push_back(std::move(image));
      }
    }
  });
  for (auto& image : draft.mep.images) image.fill = fill_for(image, read[image.name]);
  return {};
}

}  // namespace hone::mep
