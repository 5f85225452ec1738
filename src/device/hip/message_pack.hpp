#pragma once
// MessagePack as far as code objects use it: maps by words, lists, texts, numbers, yes and no.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::device::hip {

class MessagePack {
 public:
  /// Nothing when the bytes end early, nest too deep or hold what is not known here.
  static std::optional<MessagePack> read(std::string_view bytes);

  bool has(const std::string& key) const { return fields_.contains(key); }
  /// Of a map; empty, zero where there is no such key or it holds something else.
  std::string text(const std::string& key) const;
  std::int64_t number(const std::string& key) const;
  const std::vector<MessagePack>& items(const std::string& key) const;

 private:
  static std::optional<MessagePack> value(std::string_view& rest, int depth);
  const MessagePack* find(const std::string& key) const;
  std::string text_;
  std::int64_t number_ = 0;
  std::vector<MessagePack> items_;
  std::map<std::string, MessagePack> fields_;
};

}  // namespace hone::device::hip
