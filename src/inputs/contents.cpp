#include "inputs/contents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "inputs/generator.hpp"

namespace hone::inputs {
namespace {

/// Above this nothing is allocated, whatever is asked for.
constexpr std::size_t kLargest = std::size_t{1} << 40U;

Result<std::size_t> product(std::initializer_list<std::size_t> factors, const std::string& name) {
  std::size_t all = 1;
  for (const std::size_t factor : factors) {
    if (factor != 0 && all > kLargest / factor) return fail("E-SIZE", name + " is too large for any device");
    all *= factor;
  }
  return all;
}

struct Order {
  std::string_view name;
  std::size_t channels;
};
constexpr std::array kOrders = {Order{"R", 1},    Order{"A", 1},         Order{"RG", 2},
                                Order{"RA", 2},   Order{"RGBA", 4},      Order{"BGRA", 4},
                                Order{"ARGB", 4}, Order{"INTENSITY", 1}, Order{"LUMINANCE", 1}};
struct Channel {
  std::string_view name, type;
  double scale;
};
constexpr std::array kChannels = {Channel{"float", "float", 0},
                                  Channel{"half_float", "half", 0},
                                  Channel{"half", "half", 0},
                                  Channel{"unorm_int8", "uchar", 255},
                                  Channel{"unorm_int16", "ushort", 65535},
                                  Channel{"snorm_int8", "char", 127},
                                  Channel{"snorm_int16", "short", 32767},
                                  Channel{"signed_int8", "char", 0},
                                  Channel{"signed_int16", "short", 0},
                                  Channel{"signed_int32", "int", 0},
                                  Channel{"unsigned_int8", "uchar", 0},
                                  Channel{"unsigned_int16", "ushort", 0},
                                  Channel{"unsigned_int32", "uint", 0}};

/// A generator speaks of what the kernel reads: uniform(0,1) of an unorm_int8 image is 0 to 255 in memory.
void fill_normalised(const Generator& generator, const PixelType& pixel, std::uint64_t seed,
                     std::span<std::uint8_t> out) {
  const ElementType reals{.scalar = "double", .kind = ScalarKind::Float, .scalar_bytes = 8, .lanes = 1};
  const std::size_t width = pixel.channel.scalar_bytes;
  const double low = pixel.channel.kind == ScalarKind::Unsigned ? 0 : -pixel.scale;
  for (std::size_t i = 0; i < out.size() / width; ++i) {
    double value = 0;
    std::array<std::uint8_t, sizeof value> bytes{};
    fill(generator, reals, seed, i, bytes);
    std::memcpy(&value, bytes.data(), sizeof value);
    const auto stored = static_cast<std::int32_t>(std::clamp(std::nearbyint(value * pixel.scale), low, pixel.scale));
    std::memcpy(out.data() + i * width, &stored, width);
  }
}

}  // namespace

Result<PixelType> pixel_type(const std::string& channel_order, const std::string& channel_type) {
  const auto* order =
      std::find_if(kOrders.begin(), kOrders.end(), [&](const auto& one) { return one.name == channel_order; });
  const auto* channel =
      std::find_if(kChannels.begin(), kChannels.end(), [&](const auto& one) { return one.name == channel_type; });
  if (order == kOrders.end() || channel == kChannels.end())
    return fail("E-IMAGE", "no image has channel order \"" + channel_order + "\" and type \"" + channel_type + "\"");
  return PixelType{.channels = order->channels, .channel = *element_type(channel->type), .scale = channel->scale};
}

Result<std::vector<std::uint8_t>> contents_of(const BufferData& buffer) {
  const auto type = element_type(buffer.type);
  if (!type)
    return fail("E-TYPE", "buffer " + buffer.name + " has type \"" + buffer.type + "\", which is no element type");
  const auto size = product({buffer.count, type->bytes()}, "buffer " + buffer.name);
  if (!size) return fail(size.error());
  if (buffer.poison) return std::vector<std::uint8_t>(*size, kPoison);
  if (!buffer.contents.empty()) {
    if (buffer.contents.size() == *size) return buffer.contents;
    return fail("E-SIZE", "buffer " + buffer.name + " takes " + std::to_string(*size) + " bytes, its contents are " +
                              std::to_string(buffer.contents.size()));
  }
  const auto generator = parse_generator(buffer.fill);
  if (!generator) return fail(Error(generator.error()).context("buffer " + buffer.name));
  std::vector<std::uint8_t> bytes(*size);
  fill(*generator, *type, buffer.seed, 0, bytes);
  return bytes;
}

Result<std::vector<std::uint8_t>> contents_of(const ImageData& image) {
  const auto pixel = pixel_type(image.channel_order, image.channel_type);
  if (!pixel) return fail(Error(pixel.error()).context("image " + image.name));
  const auto size = product({image.width, image.height, pixel->bytes()}, "image " + image.name);
  if (!size) return fail(size.error());
  const auto generator = parse_generator(image.fill);
  if (!generator) return fail(Error(generator.error()).context("image " + image.name));
  std::vector<std::uint8_t> bytes(*size);
  if (pixel->scale > 0)
    fill_normalised(*generator, *pixel, image.seed, bytes);
  else
    fill(*generator, pixel->channel, image.seed, 0, bytes);
  return bytes;
}

}  // namespace hone::inputs
