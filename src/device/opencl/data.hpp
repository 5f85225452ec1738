#pragma once
// Buffers and images of one problem on an OpenCL device. Every buffer lies between two guard zones of one allocation,
// and has an untouched copy beside it that restores both.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "device/device.hpp"
#include "device/opencl/handle.hpp"
#include "device/watched_memory.hpp"

namespace hone::device {

class OpenClData {
 public:
  OpenClData() = default;
  /// Guard zones are multiples of `alignment`; 0 leaves them out, for devices that watch bounds themselves.
  /// `shares_memory`: the device works in this process, so that watched buffers can be watched. Buffers of `before`
  /// that are only read and still hold what is wanted are taken over.
  static Result<OpenClData> make(cl_context context, cl_command_queue queue, std::size_t alignment, bool shares_memory,
                                 const std::vector<BufferContents>& buffers, const std::vector<ImageContents>& images,
                                 OpenClData& before);

  /// What a kernel is given for that name; null when there is none.
  cl_mem find(const std::string& name) const;
  Status restore() const;
  Result<std::vector<std::uint8_t>> read(const std::string& name) const;
  Result<std::string> hash(const std::string& name) const;
  Result<std::vector<std::string>> broken_guards() const;
  std::map<std::string, Strayed> strayed() const;
  /// After this nothing can be restored; the addresses stay taken until the end of this value.
  void forget_copies();

 private:
  struct Buffer {
    Memory whole, inner;
    Memory pristine;  // none for what is only read
    std::size_t size = 0, guard = 0;
    std::string hash;                        // of what is only read, where it may be taken over
    std::unique_ptr<WatchedMemory> watched;  // then `inner` lies in it, and there are no guard zones
    std::size_t whole_size() const { return size + 2 * guard; }
  };
  struct Image {
    Memory image, pristine;
    Memory backing;  // of an image over a buffer, whose copy is a buffer too
    std::array<std::size_t, 3> region{1, 1, 1};
    std::size_t bytes = 0;
  };
  Status add(cl_context context, std::size_t alignment, const BufferContents& contents);
  bool take_over(OpenClData& before, const BufferContents& contents);
  Result<bool> is_guarded(const Buffer& buffer, const std::string& name) const;
  Result<std::string> hash_of(const Buffer& buffer, const std::string& name) const;
  Status add_watched(cl_context context, const BufferContents& contents);
  Status add(cl_context context, const ImageContents& contents);
  Status add_buffer_image(cl_context context, const ImageContents& contents, const cl_image_format& format,
                          cl_image_desc description);

  cl_command_queue queue_ = nullptr;
  std::map<std::string, Buffer> buffers_;
  std::map<std::string, Image> images_;
};

}  // namespace hone::device
