#include "inputs/contents.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <thread>
#include <utility>

#include "base/text.hpp"
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

struct RecordPart {
  std::size_t offset = 0, lanes = 0;
  ElementType type;
  Generator generator;
};

/// "record(16; 0 float 3 uniform(-1,1); 12 int 1 index(64))": bytes of a record, then of each field its first byte, its
/// scalar type, how many of these, and their generator.
Result<std::vector<std::uint8_t>> records(const BufferData& buffer, std::size_t size) {
  const auto wrong = [&] {
    return fail("E-FILL", "fill \"" + buffer.fill + "\" of buffer " + buffer.name + " is no record");
  };
  const std::string_view inside = std::string_view(buffer.fill).substr(7);
  if (!inside.ends_with(')')) return wrong();
  const auto pieces = split(inside.substr(0, inside.size() - 1), ';');
  std::size_t stride = 0;
  const auto number = [](std::string_view text, std::size_t& out) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc() && end == text.data() + text.size();
  };
  if (!number(trim(pieces.front()), stride) || stride == 0) return wrong();
  std::vector<RecordPart> parts;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const auto words = split(trim(pieces[i]), ' ');
    RecordPart part;
    const auto type = words.size() == 4 ? element_type(words[1]) : std::nullopt;
    if (!type || type->lanes != 1 || !number(words[0], part.offset) || !number(words[2], part.lanes) ||
        part.offset + part.lanes * type->scalar_bytes > stride)
      return wrong();
    const auto generator = parse_generator(words[3]);
    if (!generator) return fail(Error(generator.error()).context("buffer " + buffer.name));
    part.type = *type;
    part.generator = *generator;
    parts.push_back(part);
  }
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t at = 0; at + stride <= size; at += stride)
    for (std::size_t p = 0; p < parts.size(); ++p)
      fill(parts[p].generator, parts[p].type, buffer.seed + p, at / stride * parts[p].lanes,
           std::span(bytes).subspan(at + parts[p].offset, parts[p].lanes * parts[p].type.scalar_bytes));
  return bytes;
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

namespace {

/// An element depends on nothing but its index: large buffers are made in parts.
void fill_on_all_cores(const Generator& generator, const ElementType& type, std::uint64_t seed,
                       std::span<std::uint8_t> out) {
  constexpr std::size_t kLeast = std::size_t{4} << 20U;  // bytes for which a thread is worth starting
  const std::size_t parts =
      std::clamp<std::size_t>(out.size() / kLeast, 1, std::max(1U, std::thread::hardware_concurrency()));
  const std::size_t elements = out.size() / type.bytes(), each = elements / parts;
  std::vector<std::jthread> threads;
  for (std::size_t part = 1; part < parts; ++part) {
    const auto first = part * each, count = part + 1 == parts ? elements - first : each;
    threads.emplace_back([&, first, count] {
      fill(generator, type, seed, first, out.subspan(first * type.bytes(), count * type.bytes()));
    });
  }
  fill(generator, type, seed, 0, out.first((parts == 1 ? elements : each) * type.bytes()));
}

/// The only conversion there is: a K(0) in double precision reads what the one in single precision reads.
Result<std::vector<std::uint8_t>> widened(const BufferData& buffer) {
  BufferData narrow = buffer;
  narrow.type = std::exchange(narrow.made_as, {});
  const auto from = element_type(narrow.type), to = element_type(buffer.type);
  if (!from || !to || from->scalar != "float" || to->scalar != "double" || from->lanes != to->lanes)
    return fail("E-TYPE", "buffer " + buffer.name + ": " + narrow.type + " is not made into " + buffer.type);
  const auto bytes = contents_of(narrow);
  if (!bytes) return bytes;
  std::vector<std::uint8_t> out(2 * bytes->size());
  for (std::size_t i = 0; i < bytes->size() / sizeof(float); ++i) {
    float value = 0;
    std::memcpy(&value, bytes->data() + i * sizeof value, sizeof value);
    const double wide = value;
    std::memcpy(out.data() + i * sizeof wide, &wide, sizeof wide);
  }
  return out;
}

}  // namespace

Result<std::vector<std::uint8_t>> contents_of(const BufferData& buffer) {
  if (!buffer.made_as.empty() && !buffer.poison && buffer.contents.empty()) return widened(buffer);
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
  if (buffer.fill.starts_with("record(")) return records(buffer, *size);
  const auto generator = parse_generator(buffer.fill);
  if (!generator) return fail(Error(generator.error()).context("buffer " + buffer.name));
  std::vector<std::uint8_t> bytes(*size);
  fill_on_all_cores(*generator, *type, buffer.seed, bytes);
  return bytes;
}

Result<std::vector<std::uint8_t>> contents_of(const ImageData& image) {
  const auto pixel = pixel_type(image.channel_order, image.channel_type);
  if (!pixel) return fail(Error(pixel.error()).context("image " + image.name));
  const auto size = product({image.width, image.height, image.depth, pixel->bytes()}, "image " + image.name);
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
