#include "device/gpu/data.hpp"

#include <algorithm>
#include <utility>

#include "device/guard.hpp"

namespace hone::device::gpu {

const std::size_t Data::kZone = kGuardBytes;

hone::Status Data::told(Status status, const std::string& doing, Status& failed) const {
  if (status == 0) return {};
  failed = status;
  return fail("E-DEVICE", doing + ": " + status_name(*driver_, status));
}

Data::Data(Data&& other) noexcept
    : driver_(other.driver_), stream_(other.stream_), buffers_(std::exchange(other.buffers_, {})) {}
Data& Data::operator=(Data&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(stream_, other.stream_);
  std::swap(buffers_, other.buffers_);
  return *this;
}
Data::~Data() { release(); }

void Data::release() {
  for (const auto& [name, buffer] : buffers_)
    for (const auto address : {buffer.whole, buffer.pristine})
      if (address != 0) driver_->release(address);
  buffers_.clear();
}

hone::Status Data::add(const BufferContents& contents, Status& failed) {
  auto& buffer = buffers_[contents.name];
  buffer.inner.bytes = std::max<std::size_t>(contents.bytes.size(), 1);
  const auto& zone = guard_zone(kZone);
  Status status = driver_->allocate(&buffer.whole, buffer.whole_bytes());
  if (status == 0 && !contents.only_read) status = driver_->allocate(&buffer.pristine, buffer.whole_bytes());
  const Address first = contents.only_read ? buffer.whole : buffer.pristine;
  const auto write = [&](std::size_t at, std::span<const std::uint8_t> bytes) {
    if (status == 0 && !bytes.empty()) status = driver_->copy_in(first + at, bytes.data(), bytes.size());
  };
  write(0, zone);
  write(kZone, contents.bytes);
  write(kZone + buffer.inner.bytes, zone);
  buffer.inner.address = buffer.whole + kZone;
  return told(status, "making buffer " + contents.name, failed);
}

const Data::Place* Data::find(const std::string& name) const {
  const auto found = buffers_.find(name);
  return found == buffers_.end() ? nullptr : &found->second.inner;
}

hone::Status Data::restore(Status& failed) const {
  for (const auto& [name, buffer] : buffers_) {
    if (buffer.pristine == 0) continue;
    const auto status = driver_->copy_within(buffer.whole, buffer.pristine, buffer.whole_bytes(), stream_);
    if (auto copied = told(status, "restoring buffer " + name, failed); !copied) return copied;
  }
  return told(driver_->wait(stream_), "restoring data", failed);
}

Result<std::vector<std::uint8_t>> Data::read(const std::string& name, Status& failed) const {
  const auto* place = find(name);
  if (place == nullptr) return fail("E-DEVICE", "there is no buffer " + name);
  std::vector<std::uint8_t> bytes(place->bytes);
  if (auto got = told(driver_->copy_out(bytes.data(), place->address, bytes.size()), "reading " + name, failed); !got)
    return fail(std::move(got).error());
  return bytes;
}

Result<std::vector<std::string>> Data::broken_guards(Status& failed) const {
  std::vector<std::string> broken;
  std::vector<std::uint8_t> zone(kZone);
  for (const auto& [name, buffer] : buffers_) {
    for (const auto begin : {buffer.whole, buffer.inner.address + buffer.inner.bytes}) {
      if (auto got = told(driver_->copy_out(zone.data(), begin, kZone), "reading the guard zones of " + name, failed);
          !got)
        return fail(std::move(got).error());
      if (zone == guard_zone(kZone)) continue;
      broken.push_back(name);
      break;
    }
  }
  return broken;
}

void Data::forget_copies() {
  for (auto& [name, buffer] : buffers_) {
    if (buffer.pristine != 0) driver_->release(buffer.pristine);
    buffer.pristine = 0;
  }
}

}  // namespace hone::device::gpu
