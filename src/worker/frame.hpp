#pragma once
// One message on the wire: a JSON header and raw blobs. Lengths come first, so that a reader knows what it will get,
// and are bounded, so that nobody can make it allocate what was never sent.
//
//   "HONE"  u32 version  u32 header bytes  u64 blob bytes   (little endian)
//   header  JSON object; "blobs" lists the size of each blob
//   blobs   one after the other

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace hone::worker {

inline constexpr std::uint32_t kProtocolVersion = 1;

using Blob = std::vector<std::uint8_t>;

struct Frame {
  nlohmann::json header = nlohmann::json::object();
  std::vector<Blob> blobs;
};

struct FrameLimits {
  std::uint64_t header_bytes = std::uint64_t{64} << 20U;
  std::uint64_t blob_bytes = std::uint64_t{8} << 30U;
  std::size_t blobs = 65536;
};

/// Prologue and header; the blobs follow as they are.
std::string encode_head(const Frame& frame);
/// The whole frame as bytes.
std::string encode(const Frame& frame);

/// Takes bytes as they arrive and gives frames. Memory follows what has arrived, never what was announced.
class FrameReader {
 public:
  explicit FrameReader(FrameLimits limits = {}) : limits_(limits) {}
  /// Consumes from the front of `bytes` up to the end of one frame; the rest stays in `bytes`. Nothing when more is
  /// needed. After an error the stream cannot be used any more.
  Result<std::optional<Frame>> take(std::span<const std::uint8_t>& bytes);
  bool in_the_middle() const { return !pending_.empty() || frame_.has_value(); }

 private:
  static constexpr std::size_t kPrologue = 20;
  bool gather(std::span<const std::uint8_t>& bytes, std::size_t wanted);
  Status read_prologue();
  Status read_header();

  FrameLimits limits_;
  std::vector<std::uint8_t> pending_;  // of the prologue, then of the header
  bool have_prologue_ = false;
  std::uint64_t header_bytes_ = 0, blob_bytes_ = 0;
  std::optional<Frame> frame_;        // once its header is read
  std::vector<std::uint64_t> sizes_;  // of its blobs
};

}  // namespace hone::worker
