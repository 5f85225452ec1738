// libFuzzer: bytes as either side of the protocol would get them. The first byte says how they are cut into reads.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "worker/messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hone::worker;
  if (size == 0) return 0;
  const std::size_t step = data[0] == 0 ? size : data[0];
  FrameReader reader;
  for (std::size_t at = 1; at < size; at += step) {
    std::span<const std::uint8_t> bytes(data + at, std::min(step, size - at));
    while (!bytes.empty()) {
      auto frame = reader.take(bytes);
      if (!frame) return 0;
      if (!*frame) break;
      auto copy = **frame;
      // What is understood can be said again, and is understood again.
      if (auto request = request_from(std::move(copy)))
        if (!request_from(to_frame(std::move(*request)))) std::abort();
      if (auto reply = reply_from(std::move(**frame)))
        if (!reply_from(to_frame(std::move(*reply)))) std::abort();
    }
  }
  return 0;
}
