#pragma once
// Buffers of one problem on a GPU, each between two guard zones of one allocation, with an untouched copy
// beside what kernels may write.

#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/driver.hpp"

namespace hone::device::gpu {

class Data {
 public:
  Data(const Driver& driver, Stream stream) : driver_(&driver), stream_(stream) {}
  Data(Data&& other) noexcept;
  Data& operator=(Data&& other) noexcept;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data();

  struct Place {
    Address address = 0;
    std::size_t bytes = 0;
  };
  /// `failed`: the status of the call that was refused, for whoever must know whether the device is lost.
  hone::Status add(const BufferContents& contents, Status& failed);
  const Place* find(const std::string& name) const;
  hone::Status restore(Status& failed) const;
  Result<std::vector<std::uint8_t>> read(const std::string& name, Status& failed) const;
  Result<std::vector<std::string>> broken_guards(Status& failed) const;
  /// After this nothing can be restored; the addresses stay taken until the end of this value.
  void forget_copies();

 private:
  struct Buffer {
    Address whole = 0;
    Address pristine = 0;  // none for what is only read
    Place inner;
    std::size_t whole_bytes() const { return inner.bytes + 2 * kZone; }
  };
  static const std::size_t kZone;
  void release();
  hone::Status told(Status status, const std::string& doing, Status& failed) const;
  const Driver* driver_;
  Stream stream_;
  std::map<std::string, Buffer> buffers_;
};

}  // namespace hone::device::gpu
