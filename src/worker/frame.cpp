#include "worker/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hone::worker {
namespace {

constexpr std::string_view kMagic = "HONE";

template <class T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(static_cast<std::uint8_t>(value >> (8 * i)));
}
template <class T>
T get(const std::uint8_t* at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<T>(at[i]) << (8 * i));
  return value;
}

tl::unexpected<Error> broken(std::string why) { return fail("E-PROTOCOL", "broken frame: " + std::move(why)); }

}  // namespace

std::string encode_head(const Frame& frame) {
  nlohmann::json header = frame.header;
  auto& sizes = header["blobs"] = nlohmann::json::array();
  std::uint64_t total = 0;
  for (const auto& blob : frame.blobs) {
    sizes.push_back(blob.size());
    total += blob.size();
  }
  // Text from compilers and devices need not be UTF-8; a frame always is.
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out(kMagic);
  put<std::uint32_t>(out, kProtocolVersion);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(text.size()));
  put<std::uint64_t>(out, total);
  return out + text;
}

std::string encode(const Frame& frame) {
  std::string out = encode_head(frame);
  for (const auto& blob : frame.blobs) out.append(blob.begin(), blob.end());
  return out;
}

bool FrameReader::gather(std::span<const std::uint8_t>& bytes, std::size_t wanted) {
  const std::size_t taken = std::min(wanted - pending_.size(), bytes.size());
  pending_.insert(pending_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
  bytes = bytes.subspan(taken);
  return pending_.size() == wanted;
}

Status FrameReader::read_prologue() {
  if (!std::equal(kMagic.begin(), kMagic.end(), pending_.begin()))
    return fail("E-PROTOCOL", "the other side does not speak Hone's protocol (is something printing to its stdout?)");
  const auto version = get<std::uint32_t>(&pending_[4]);
  if (version != kProtocolVersion)
    return fail("E-PROTOCOL", fmt::format("the other side speaks protocol {}, this one {}", version, kProtocolVersion),
                "install the same version of hone and hone-worker on both sides");
  header_bytes_ = get<std::uint32_t>(&pending_[8]);
  blob_bytes_ = get<std::uint64_t>(&pending_[12]);
  if (header_bytes_ > limits_.header_bytes) return broken(fmt::format("header of {} bytes", header_bytes_));
  if (blob_bytes_ > limits_.blob_bytes) return broken(fmt::format("blobs of {} bytes", blob_bytes_));
  pending_.clear();
  have_prologue_ = true;
  return {};
}

Status FrameReader::read_header() {
  Frame frame;
  frame.header = nlohmann::json::parse(pending_.begin(), pending_.end(), nullptr, false);
  if (!frame.header.is_object()) return broken("the header is not a JSON object");
  const auto sizes = frame.header.find("blobs");
  if (sizes == frame.header.end() || !sizes->is_array() || sizes->size() > limits_.blobs)
    return broken("no list of blobs");
  sizes_.clear();
  std::uint64_t left = blob_bytes_;
  for (const auto& size : *sizes) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > left)
      return broken("the sizes of its blobs do not add up");
    sizes_.push_back(size.get<std::uint64_t>());
    left -= sizes_.back();
  }
  if (left != 0) return broken("the sizes of its blobs do not add up");
  frame.header.erase("blobs");
  std::vector<std::uint8_t>().swap(pending_);
  frame_ = std::move(frame);
  return {};
}

Result<std::optional<Frame>> FrameReader::take(std::span<const std::uint8_t>& bytes) {
  if (!have_prologue_) {
    if (!gather(bytes, kPrologue)) return std::nullopt;
    if (auto read = read_prologue(); !read) return fail(std::move(read).error());
  }
  if (!frame_) {
    if (!gather(bytes, header_bytes_)) return std::nullopt;
    if (auto read = read_header(); !read) return fail(std::move(read).error());
  }
  auto& blobs = frame_->blobs;
  for (;;) {
    if (!blobs.empty() && blobs.back().size() < sizes_[blobs.size() - 1]) {
      auto& blob = blobs.back();
      const auto taken = std::min<std::uint64_t>(sizes_[blobs.size() - 1] - blob.size(), bytes.size());
      blob.insert(blob.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
      bytes = bytes.subspan(taken);
      if (blob.size() < sizes_[blobs.size() - 1]) return std::nullopt;
    }
    if (blobs.size() == sizes_.size()) break;
    blobs.emplace_back();
  }
  have_prologue_ = false;
  auto whole = std::move(frame_);
  frame_.reset();
  return whole;
}

}  // namespace hone::worker
