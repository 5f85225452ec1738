#include "device/hip/message_pack.hpp"

namespace hone::device::hip {
namespace {

constexpr int kDeepest = 16;

/// Big-endian, as everything in this format.
std::optional<std::uint64_t> unsigned_in(std::string_view& rest, std::size_t bytes) {
  if (rest.size() < bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(rest[i]);
  rest.remove_prefix(bytes);
  return value;
}

std::int64_t with_sign(std::uint64_t value, std::size_t bytes) {
  const auto shift = 64 - 8 * bytes;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

enum class Shape { Text, List, Map, Unsigned, Signed, Bool, Nil, Unknown };
struct Head {
  Shape shape = Shape::Unknown;
  std::size_t size_bytes = 0;   // of the number that follows: a length, or the value itself
  std::uint64_t immediate = 0;  // where the first byte holds it
};

Head head_of(unsigned char byte) {
  if (byte < 0x80) return {Shape::Unsigned, 0, byte};
  if (byte < 0x90) return {Shape::Map, 0, byte & 0x0FU};
  if (byte < 0xA0) return {Shape::List, 0, byte & 0x0FU};
  if (byte < 0xC0) return {Shape::Text, 0, byte & 0x1FU};
  if (byte >= 0xE0) return {Shape::Signed, 0, static_cast<std::uint64_t>(static_cast<signed char>(byte))};
  switch (byte) {
    case 0xC0: return {Shape::Nil, 0, 0};
    case 0xC2: return {Shape::Bool, 0, 0};
    case 0xC3: return {Shape::Bool, 0, 1};
    case 0xC4:
    case 0xD9: return {Shape::Text, 1, 0};
    case 0xC5:
    case 0xDA: return {Shape::Text, 2, 0};
    case 0xC6:
    case 0xDB: return {Shape::Text, 4, 0};
    case 0xCC: return {Shape::Unsigned, 1, 0};
    case 0xCD: return {Shape::Unsigned, 2, 0};
    case 0xCE: return {Shape::Unsigned, 4, 0};
    case 0xCF: return {Shape::Unsigned, 8, 0};
    case 0xD0: return {Shape::Signed, 1, 0};
    case 0xD1: return {Shape::Signed, 2, 0};
    case 0xD2: return {Shape::Signed, 4, 0};
    case 0xD3: return {Shape::Signed, 8, 0};
    case 0xDC: return {Shape::List, 2, 0};
    case 0xDD: return {Shape::List, 4, 0};
    case 0xDE: return {Shape::Map, 2, 0};
    case 0xDF: return {Shape::Map, 4, 0};
    default: return {};
  }
}

}  // namespace

std::optional<MessagePack> MessagePack::value(std::string_view& rest, int depth) {
  if (rest.empty() || depth > kDeepest) return std::nullopt;
  const auto head = head_of(static_cast<unsigned char>(rest.front()));
  rest.remove_prefix(1);
  if (head.shape == Shape::Unknown) return std::nullopt;
  auto number = head.immediate;
  if (head.size_bytes != 0) {
    const auto read = unsigned_in(rest, head.size_bytes);
    if (!read) return std::nullopt;
    number = *read;
  }
  MessagePack out;
  out.number_ = static_cast<std::int64_t>(number);
  if (head.shape == Shape::Signed && head.size_bytes != 0) out.number_ = with_sign(number, head.size_bytes);
  // Each element takes a byte at least: a length that cannot be is not waited for.
  const bool has_length = head.shape == Shape::Text || head.shape == Shape::List || head.shape == Shape::Map;
  if (has_length && number > rest.size()) return std::nullopt;
  if (head.shape == Shape::Text) {
    out.text_ = rest.substr(0, number);
    rest.remove_prefix(number);
  }
  if (head.shape != Shape::List && head.shape != Shape::Map) return out;
  for (std::uint64_t i = 0; i < number; ++i) {
    auto first = value(rest, depth + 1);
    if (!first) return std::nullopt;
    if (head.shape == Shape::List) {
      out.items_.push_back(std::move(*first));
      continue;
    }
    auto second = value(rest, depth + 1);
    if (!second) return std::nullopt;
    out.fields_.insert_or_assign(first->text_, std::move(*second));
  }
  return out;
}

std::optional<MessagePack> MessagePack::read(std::string_view bytes) { return value(bytes, 0); }

const MessagePack* MessagePack::find(const std::string& key) const {
  const auto found = fields_.find(key);
  return found == fields_.end() ? nullptr : &found->second;
}
std::string MessagePack::text(const std::string& key) const {
  const auto* found = find(key);
  return found == nullptr ? std::string() : found->text_;
}
std::int64_t MessagePack::number(const std::string& key) const {
  const auto* found = find(key);
  return found == nullptr ? 0 : found->number_;
}
const std::vector<MessagePack>& MessagePack::items(const std::string& key) const {
  static const std::vector<MessagePack> none;
  const auto* found = find(key);
  return found == nullptr ? none : found->items_;
}

}  // namespace hone::device::hip
