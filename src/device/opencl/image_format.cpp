#include "device/opencl/image_format.hpp"

#include <map>

#include "base/text.hpp"

namespace hone::device {
namespace {

const std::map<std::string, cl_channel_order>& orders() {
  static const std::map<std::string, cl_channel_order> all = {{"R", CL_R},
                                                              {"A", CL_A},
                                                              {"RG", CL_RG},
                                                              {"RA", CL_RA},
                                                              {"RGBA", CL_RGBA},
                                                              {"BGRA", CL_BGRA},
                                                              {"ARGB", CL_ARGB},
                                                              {"INTENSITY", CL_INTENSITY},
                                                              {"LUMINANCE", CL_LUMINANCE}};
  return all;
}
const std::map<std::string, cl_channel_type>& channels() {
  static const std::map<std::string, cl_channel_type> all = {{"snorm_int8", CL_SNORM_INT8},
                                                             {"snorm_int16", CL_SNORM_INT16},
                                                             {"unorm_int8", CL_UNORM_INT8},
                                                             {"unorm_int16", CL_UNORM_INT16},
                                                             {"signed_int8", CL_SIGNED_INT8},
                                                             {"signed_int16", CL_SIGNED_INT16},
                                                             {"signed_int32", CL_SIGNED_INT32},
                                                             {"unsigned_int8", CL_UNSIGNED_INT8},
                                                             {"unsigned_int16", CL_UNSIGNED_INT16},
                                                             {"unsigned_int32", CL_UNSIGNED_INT32},
                                                             {"half_float", CL_HALF_FLOAT},
                                                             {"half", CL_HALF_FLOAT},
                                                             {"float", CL_FLOAT}};
  return all;
}

}  // namespace

Result<cl_image_format> image_format(const std::string& channel_order, const std::string& channel_type) {
  const auto order = orders().find(channel_order);
  const auto type = channels().find(channel_type);
  if (order == orders().end() || type == channels().end())
    return fail("E-IMAGE", "no image has channel order \"" + channel_order + "\" and type \"" + channel_type + "\"");
  return cl_image_format{order->second, type->second};
}

Result<cl_image_desc> image_description(const ImageData& image) {
  static const std::map<std::string, cl_mem_object_type> kinds = {{"1d", CL_MEM_OBJECT_IMAGE1D},
                                                                  {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER},
                                                                  {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
                                                                  {"2d", CL_MEM_OBJECT_IMAGE2D},
                                                                  {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
                                                                  {"3d", CL_MEM_OBJECT_IMAGE3D}};
  const auto kind = kinds.find(image.kind);
  if (kind == kinds.end()) return fail("E-IMAGE", "no image is \"" + image.kind + "\"");
  cl_image_desc description{};
  description.image_type = kind->second;
  description.image_width = image.width;
  if (image.kind == "1d_array") description.image_array_size = image.height;
  if (image.kind.starts_with("2d") || image.kind == "3d") description.image_height = image.height;
  if (image.kind == "2d_array") description.image_array_size = image.depth;
  if (image.kind == "3d") description.image_depth = image.depth;
  return description;
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
