#include "device/opencl/data.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "device/guard.hpp"
#include "device/opencl/image_format.hpp"

namespace hone::device {
namespace {

Status checked(cl_int status, const std::string& doing) {
  if (status == CL_SUCCESS) return {};
  return fail("E-DEVICE", doing + ": " + status_name(status));
}

}  // namespace

Result<OpenClData> OpenClData::make(cl_context context, cl_command_queue queue, std::size_t alignment,
                                    bool shares_memory, const std::vector<BufferContents>& buffers,
                                    const std::vector<ImageContents>& images, OpenClData& before) {
  OpenClData data;
  data.queue_ = queue;
  for (const auto& contents : buffers) {
    if (data.take_over(before, contents)) continue;
    if (auto added = shares_memory && contents.watched > 0 && alignment > 0 ? data.add_watched(context, contents)
                                                                            : data.add(context, alignment, contents);
        !added)
      return fail(std::move(added).error());
  }
  for (const auto& contents : images)
    if (auto added = data.add(context, contents); !added) return fail(std::move(added).error());
  if (auto restored = data.restore(); !restored) return fail(std::move(restored).error());
  return data;
}

Status OpenClData::add(cl_context context, std::size_t alignment, const BufferContents& contents) {
  const OpenCl& cl = *opencl();
  Buffer buffer;
  buffer.size = std::max<std::size_t>(contents.bytes.size(), 1);
  buffer.guard = alignment == 0 ? 0 : (kGuardBytes + alignment - 1) / alignment * alignment;
  cl_int status = CL_SUCCESS;
  buffer.whole = Memory(cl.clCreateBuffer(context, CL_MEM_READ_WRITE, buffer.whole_size(), nullptr, &status));
  if (status == CL_SUCCESS) {
    const cl_buffer_region inside{buffer.guard, buffer.size};
    buffer.inner = Memory(
        cl.clCreateSubBuffer(buffer.whole.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &inside, &status));
  }
  if (status == CL_SUCCESS && !contents.only_read)
    buffer.pristine = Memory(cl.clCreateBuffer(context, CL_MEM_READ_WRITE, buffer.whole_size(), nullptr, &status));
  if (contents.only_read) buffer.hash = contents.hash;
  const auto write = [&](std::size_t at, std::span<const std::uint8_t> bytes) {
    if (status != CL_SUCCESS || bytes.empty()) return;
    const auto& first = contents.only_read ? buffer.whole : buffer.pristine;
    status = cl.clEnqueueWriteBuffer(queue_, first.get(), CL_TRUE, at, bytes.size(), bytes.data(), 0, nullptr, nullptr);
  };
  const auto& zone = guard_zone(buffer.guard);
  write(0, zone);
  write(buffer.guard, contents.bytes);
  write(buffer.guard + buffer.size, zone);
  if (auto made = checked(status, "making buffer " + contents.name); !made) return made;
  buffers_.insert_or_assign(contents.name, std::move(buffer));
  return {};
}

/// A kernel may have written where it should only read: what stays is looked at first.
bool OpenClData::take_over(OpenClData& before, const BufferContents& contents) {
  const auto found = before.buffers_.find(contents.name);
  if (!contents.only_read || contents.hash.empty() || contents.watched > 0 || found == before.buffers_.end())
    return false;
  auto& buffer = found->second;
  if (buffer.size != contents.bytes.size() || buffer.hash != contents.hash) return false;
  const auto held = before.hash_of(buffer, contents.name);
  const auto guarded = before.is_guarded(buffer, contents.name);
  if (!held || *held != contents.hash || !guarded || !*guarded) return false;
  buffers_.insert_or_assign(contents.name, std::move(buffer));
  before.buffers_.erase(found);
  return true;
}

/// In memory of this process, where the runtime uses it in place.
Status OpenClData::add_watched(cl_context context, const BufferContents& contents) {
  Buffer buffer;
  buffer.watched = WatchedMemory::make(contents.bytes, contents.watched);
  if (!buffer.watched) return fail("E-DEVICE", "no room to watch buffer " + contents.name);
  buffer.size = std::max<std::size_t>(contents.bytes.size(), 1);
  cl_int status = CL_SUCCESS;
  buffer.inner = Memory(opencl()->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, buffer.size,
                                                 buffer.watched->begin(), &status));
  if (auto made = checked(status, "making buffer " + contents.name); !made) return made;
  buffers_.insert_or_assign(contents.name, std::move(buffer));
  return {};
}

std::map<std::string, Strayed> OpenClData::strayed() const {
  std::map<std::string, Strayed> out;
  for (const auto& [name, buffer] : buffers_) {
    if (!buffer.watched) continue;
    const auto how_far = buffer.watched->strayed();
    if (how_far.before > 0 || how_far.after > 0) out[name] = how_far;
  }
  return out;
}

Status OpenClData::add(cl_context context, const ImageContents& contents) {
  const OpenCl& cl = *opencl();
  const auto format = image_format(contents.image.channel_order, contents.image.channel_type);
  if (!format) return fail(format.error());
  Image image{.image = {},
              .pristine = {},
              .backing = {},
              .region = {contents.image.width, contents.image.height, contents.image.depth},
              .bytes = contents.bytes.size()};
  cl_int status = CL_SUCCESS;
  auto description = image_description(contents.image);
  if (!description) return fail(std::move(description).error());
  if (description->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return add_buffer_image(context, contents, *format, *description);
  image.image = Memory(cl.clCreateImage(context, CL_MEM_READ_WRITE, &*format, &*description, nullptr, &status));
  if (status == CL_SUCCESS)
    image.pristine = Memory(cl.clCreateImage(context, CL_MEM_READ_WRITE, &*format, &*description, nullptr, &status));
  const std::array<std::size_t, 3> origin{0, 0, 0};
  if (status == CL_SUCCESS)
    status = cl.clEnqueueWriteImage(queue_, image.pristine.get(), CL_TRUE, origin.data(), image.region.data(), 0, 0,
                                    contents.bytes.data(), 0, nullptr, nullptr);
  if (auto made = checked(status, "making image " + contents.image.name); !made) return made;
  images_.insert_or_assign(contents.image.name, std::move(image));
  return {};
}

/// An image over a buffer: the buffer is what is restored and read.
Status OpenClData::add_buffer_image(cl_context context, const ImageContents& contents, const cl_image_format& format,
                                    cl_image_desc description) {
  const OpenCl& cl = *opencl();
  Image image{.image = {},
              .pristine = {},
              .backing = {},
              .region = {contents.image.width, 1, 1},
              .bytes = contents.bytes.size()};
  cl_int status = CL_SUCCESS;
  image.backing = Memory(cl.clCreateBuffer(context, CL_MEM_READ_WRITE, image.bytes, nullptr, &status));
  if (status == CL_SUCCESS) {
    description.buffer = image.backing.get();
    image.image = Memory(cl.clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &status));
  }
  if (status == CL_SUCCESS)
    image.pristine = Memory(cl.clCreateBuffer(context, CL_MEM_READ_WRITE, image.bytes, nullptr, &status));
  if (status == CL_SUCCESS)
    status = cl.clEnqueueWriteBuffer(queue_, image.pristine.get(), CL_TRUE, 0, image.bytes, contents.bytes.data(), 0,
                                     nullptr, nullptr);
  if (auto made = checked(status, "making image " + contents.image.name); !made) return made;
  images_.insert_or_assign(contents.image.name, std::move(image));
  return {};
}

cl_mem OpenClData::find(const std::string& name) const {
  if (const auto buffer = buffers_.find(name); buffer != buffers_.end()) return buffer->second.inner.get();
  if (const auto image = images_.find(name); image != images_.end()) return image->second.image.get();
  return nullptr;
}

Status OpenClData::restore() const {
  const OpenCl& cl = *opencl();
  for (const auto& [name, buffer] : buffers_) {
    if (buffer.watched) {
      buffer.watched->restore();
      continue;
    }
    if (buffer.pristine.get() == nullptr) continue;
    const cl_int status = cl.clEnqueueCopyBuffer(queue_, buffer.pristine.get(), buffer.whole.get(), 0, 0,
                                                 buffer.whole_size(), 0, nullptr, nullptr);
    if (auto copied = checked(status, "restoring buffer " + name); !copied) return copied;
  }
  for (const auto& [name, image] : images_) {
    const std::array<std::size_t, 3> origin{0, 0, 0};
    const cl_int status = image.backing.get() != nullptr
                              ? cl.clEnqueueCopyBuffer(queue_, image.pristine.get(), image.backing.get(), 0, 0,
                                                       image.bytes, 0, nullptr, nullptr)
                              : cl.clEnqueueCopyImage(queue_, image.pristine.get(), image.image.get(), origin.data(),
                                                      origin.data(), image.region.data(), 0, nullptr, nullptr);
    if (auto copied = checked(status, "restoring image " + name); !copied) return copied;
  }
  return checked(cl.clFinish(queue_), "restoring data");
}

Result<std::vector<std::uint8_t>> OpenClData::read(const std::string& name) const {
  const OpenCl& cl = *opencl();
  cl_int status = CL_SUCCESS;
  std::vector<std::uint8_t> bytes;
  if (const auto buffer = buffers_.find(name); buffer != buffers_.end()) {
    bytes.resize(buffer->second.size);
    status = cl.clEnqueueReadBuffer(queue_, buffer->second.inner.get(), CL_TRUE, 0, bytes.size(), bytes.data(), 0,
                                    nullptr, nullptr);
  } else if (const auto image = images_.find(name); image != images_.end()) {
    bytes.resize(image->second.bytes);
    const std::array<std::size_t, 3> origin{0, 0, 0};
    status = image->second.backing.get() != nullptr
                 ? cl.clEnqueueReadBuffer(queue_, image->second.backing.get(), CL_TRUE, 0, bytes.size(), bytes.data(),
                                          0, nullptr, nullptr)
                 : cl.clEnqueueReadImage(queue_, image->second.image.get(), CL_TRUE, origin.data(),
                                         image->second.region.data(), 0, 0, bytes.data(), 0, nullptr, nullptr);
  } else {
    return fail("E-DEVICE", "there is no buffer or image " + name);
  }
  if (auto got = checked(status, "reading " + name); !got) return fail(std::move(got).error());
  return bytes;
}

/// Looked at where it lies, where the device allows it: large buffers are not copied to be hashed.
Result<std::string> OpenClData::hash_of(const Buffer& buffer, const std::string& name) const {
  const OpenCl& cl = *opencl();
  cl_int status = CL_SUCCESS;
  void* mapped = cl.clEnqueueMapBuffer(queue_, buffer.inner.get(), CL_TRUE, CL_MAP_READ, 0, buffer.size, 0, nullptr,
                                       nullptr, &status);
  if (auto got = checked(status, "reading " + name); !got) return fail(std::move(got).error());
  auto hash = hash_of_bytes(std::span(static_cast<const std::uint8_t*>(mapped), buffer.size));
  status = cl.clEnqueueUnmapMemObject(queue_, buffer.inner.get(), mapped, 0, nullptr, nullptr);
  if (status == CL_SUCCESS) status = cl.clFinish(queue_);
  if (auto done = checked(status, "reading " + name); !done) return fail(std::move(done).error());
  return hash;
}

Result<std::string> OpenClData::hash(const std::string& name) const {
  if (const auto buffer = buffers_.find(name); buffer != buffers_.end()) return hash_of(buffer->second, name);
  return read(name).map([](const std::vector<std::uint8_t>& bytes) { return hash_of_bytes(bytes); });
}

Result<bool> OpenClData::is_guarded(const Buffer& buffer, const std::string& name) const {
  std::vector<std::uint8_t> zone(buffer.guard);
  if (zone.empty()) return true;
  for (const std::size_t begin : {std::size_t{0}, buffer.guard + buffer.size}) {
    const cl_int status = opencl()->clEnqueueReadBuffer(queue_, buffer.whole.get(), CL_TRUE, begin, zone.size(),
                                                        zone.data(), 0, nullptr, nullptr);
    if (auto got = checked(status, "reading the guard zones of " + name); !got) return fail(std::move(got).error());
    if (zone != guard_zone(buffer.guard)) return false;
  }
  return true;
}

Result<std::vector<std::string>> OpenClData::broken_guards() const {
  std::vector<std::string> broken;
  for (const auto& [name, buffer] : buffers_) {
    const auto guarded = is_guarded(buffer, name);
    if (!guarded) return fail(guarded.error());
    if (!*guarded) broken.push_back(name);
  }
  return broken;
}

void OpenClData::forget_copies() {
  for (auto& [name, buffer] : buffers_) buffer.pristine = Memory();
  for (auto& [name, image] : images_) image.pristine = Memory();
}

}  // namespace hone::device
