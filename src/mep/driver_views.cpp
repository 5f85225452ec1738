#include "mep/driver_views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/layout.hpp"
#include "inputs/contents.hpp"

namespace hone::mep {
namespace {

struct Place {
  std::string name, source;
  std::size_t offset = 0, stride = 0;
};

ElementType one_lane(ElementType type) {
  type.lanes = 1;
  return type;
}

Status add_views(const Place& place, const std::string& type, std::size_t count, const std::vector<StructSpec>& structs,
                 std::vector<OutputView>& out);

Status add_fields(const Place& place, const StructSpec& spec, const std::vector<StructSpec>& structs,
                  std::vector<OutputView>& out) {
  std::size_t offset = 0;
  for (const auto& field : spec.fields) {
    const auto layout = layout_of(field.type, structs);
    if (!layout) return fail(layout.error());
    const auto alignment = spec.packed ? 1 : layout->alignment;
    offset = (offset + alignment - 1) / alignment * alignment;
    const Place inner{place.name + "." + field.name, place.source, place.offset + offset, place.stride};
    if (auto added = add_views(inner, field.type, field.count, structs, out); !added) return added;
    offset += layout->bytes * field.count;
  }
  return {};
}

/// `count` elements of a type, one after the other. Only those without padding make one group.
Status add_views(const Place& place, const std::string& type, std::size_t count, const std::vector<StructSpec>& structs,
                 std::vector<OutputView>& out) {
  const auto element = element_type(type);
  if (element && element->lanes != 3) {
    out.push_back({place.name, place.source, one_lane(*element), place.offset, place.stride, element->lanes * count});
    return {};
  }
  const auto layout = layout_of(type, structs);
  if (!layout) return fail(layout.error());
  const auto spec = std::ranges::find(structs, type, &StructSpec::name);
  for (std::size_t i = 0; i < count; ++i) {
    Place one = place;
    one.offset += i * layout->bytes;
    if (count > 1) one.name += fmt::format("[{}]", i);
    if (element) {
      out.push_back({one.name, one.source, one_lane(*element), one.offset, one.stride, element->lanes});
      continue;
    }
    if (auto added = add_fields(one, *spec, structs, out); !added) return added;
  }
  return {};
}

}  // namespace

Result<std::vector<OutputView>> views_of(const Mep& mep, const std::string& output) {
  std::vector<OutputView> views;
  if (const auto buffer = std::ranges::find(mep.buffers, output, &BufferSpec::name); buffer != mep.buffers.end()) {
    const auto layout = layout_of(buffer->type, mep.structs);
    if (!layout) return fail(Error(layout.error()).context("buffer " + output));
    if (auto added = add_views({output, output, 0, layout->bytes}, buffer->type, 1, mep.structs, views); !added)
      return fail(std::move(added).error().context("buffer " + output));
    return views;
  }
  const auto image = std::ranges::find(mep.images, output, &ImageSpec::name);
  if (image == mep.images.end()) return fail("E-TYPE", output + " is neither a buffer nor an image of this MEP");
  const auto pixel = inputs::pixel_type(image->channel_order, image->channel_type);
  if (!pixel) return fail(Error(pixel.error()).context("image " + output));
  views.push_back({output, output, pixel->channel, 0, pixel->bytes(), pixel->channels});
  return views;
}

}  // namespace hone::mep
