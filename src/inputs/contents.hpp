#pragma once
// The bytes a buffer or an image starts with. Parent and worker compute them alike: the worker to load, the parent to
// check afterwards that inputs are what they were.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/device_session.hpp"

namespace hone::inputs {

/// What one channel of a pixel is stored as. Normalised channels hold `scale` where a kernel reads 1.
struct PixelType {
  std::size_t channels = 1;
  ElementType channel;
  double scale = 0;  // 0: not normalised
  std::size_t bytes() const { return channels * channel.scalar_bytes; }
};
/// ("RGBA", "unorm_int8"); E-IMAGE when there is no such format.
Result<PixelType> pixel_type(const std::string& channel_order, const std::string& channel_type);

Result<std::vector<std::uint8_t>> contents_of(const BufferData& buffer);
/// Rows of pixels without padding.
Result<std::vector<std::uint8_t>> contents_of(const ImageData& image);

}  // namespace hone::inputs
