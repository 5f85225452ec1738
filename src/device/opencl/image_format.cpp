#include "device/opencl/image_format.hpp"

#include <map>

#include "base/text.hpp"
#include "device/device.hpp"

namespace hone::device {
namespace {

struct Order {
  cl_channel_order value;
  std::size_t channels;
};
const std::map<std::string, Order>& orders() {
  static const std::map<std::string, Order> all = {{"R", {CL_R, 1}},
                                                   {"A", {CL_A, 1}},
                                                   {"RG", {CL_RG, 2}},
                                                   {"RA", {CL_RA, 2}},
                                                   {"RGBA", {CL_RGBA, 4}},
                                                   {"BGRA", {CL_BGRA, 4}},
                                                   {"ARGB", {CL_ARGB, 4}},
                                                   {"INTENSITY", {CL_INTENSITY, 1}},
                                                   {"LUMINANCE", {CL_LUMINANCE, 1}}};
  return all;
}

struct Channel {
  cl_channel_type value;
  std::size_t bytes;
};
const std::map<std::string, Channel>& channels() {
  static const std::map<std::string, Channel> all = {{"snorm_int8", {CL_SNORM_INT8, 1}},
                                                     {"snorm_int16", {CL_SNORM_INT16, 2}},
                                                     {"unorm_int8", {CL_UNORM_INT8, 1}},
                                                     {"unorm_int16", {CL_UNORM_INT16, 2}},
                                                     {"signed_int8", {CL_SIGNED_INT8, 1}},
                                                     {"signed_int16", {CL_SIGNED_INT16, 2}},
                                                     {"signed_int32", {CL_SIGNED_INT32, 4}},
                                                     {"unsigned_int8", {CL_UNSIGNED_INT8, 1}},
                                                     {"unsigned_int16", {CL_UNSIGNED_INT16, 2}},
                                                     {"unsigned_int32", {CL_UNSIGNED_INT32, 4}},
                                                     {"half_float", {CL_HALF_FLOAT, 2}},
                                                     {"half", {CL_HALF_FLOAT, 2}},
                                                     {"float", {CL_FLOAT, 4}}};
  return all;
}

tl::unexpected<Error> unknown_format(const std::string& order, const std::string& type) {
  return fail("E-IMAGE", "no image format has channel order \"" + order + "\" and type \"" + type + "\"");
}

}  // namespace

Result<cl_image_format> image_format(const std::string& channel_order, const std::string& channel_type) {
  const auto order = orders().find(channel_order);
  const auto type = channels().find(channel_type);
  if (order == orders().end() || type == channels().end()) return unknown_format(channel_order, channel_type);
  return cl_image_format{order->second.value, type->second.value};
}

Result<std::size_t> pixel_bytes(const std::string& channel_order, const std::string& channel_type) {
  const auto order = orders().find(channel_order);
  const auto type = channels().find(channel_type);
  if (order == orders().end() || type == channels().end()) return unknown_format(channel_order, channel_type);
  return order->second.channels * type->second.bytes;
}

Result<SamplerChoice> sampler_choice(const std::string& text) {
  static const std::map<std::string, cl_addressing_mode> kAddressing = {
      {"none", CL_ADDRESS_NONE},
      {"clamp_to_edge", CL_ADDRESS_CLAMP_TO_EDGE},
      {"clamp", CL_ADDRESS_CLAMP},
      {"repeat", CL_ADDRESS_REPEAT},
      {"mirrored_repeat", CL_ADDRESS_MIRRORED_REPEAT}};
  SamplerChoice choice;
  for (const auto& word : split(text, ' ')) {
    if (const auto found = kAddressing.find(word); found != kAddressing.end())
      choice.addressing = found->second;
    else if (word == "normalized")
      choice.normalized = true;
    else if (word == "nearest")
      choice.filter = CL_FILTER_NEAREST;
    else if (word == "linear")
      choice.filter = CL_FILTER_LINEAR;
    else if (!word.empty() && word != "unnormalized")
      return fail("E-IMAGE", "\"" + word + "\" is not a property of a sampler");
  }
  return choice;
}

}  // namespace hone::device
