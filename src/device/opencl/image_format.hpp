#pragma once
// Names of image channels and of samplers as a MEP writes them, as OpenCL's constants.

#include <string>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "device/opencl/api.hpp"

namespace hone::device {

/// ("RGBA", "unorm_int8") -> CL_RGBA, CL_UNORM_INT8
Result<cl_image_format> image_format(const std::string& channel_order, const std::string& channel_type);

/// Of ("2d_array", 64, 48, 6): type and sizes.
Result<cl_image_desc> image_description(const ImageData& image);

struct SamplerChoice {
  bool normalized = false;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter = CL_FILTER_NEAREST;
};
/// Words in any order: "linear normalized repeat", "nearest clamp_to_edge". Unnamed: nearest, clamp_to_edge, pixels.
Result<SamplerChoice> sampler_choice(const std::string& text);

}  // namespace hone::device
