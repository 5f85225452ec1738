#include "patch/room.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.hpp"
#include "core/expression.hpp"

namespace hone::patch {
namespace {

constexpr int kDeepest = 8;      // of macros that are made of macros
constexpr int kMostWords = 200;  // looked up for one count: text may lead in circles

std::string folder_of(std::string_view file) {
  const auto slash = file.find_last_of('/');
  return slash == std::string_view::npos ? "" : std::string(file.substr(0, slash + 1));
}

/// In one folder or one below the other, or it says the file's name.
bool may_read(const HostFile& host, const std::string& file) {
  const auto here = folder_of(host.name), there = folder_of(file);
  return here.starts_with(there) || there.starts_with(here) ||
         host.text->find(file.substr(there.size())) != std::string::npos;
}

class Constants {
 public:
  explicit Constants(const HostIndex& index) : index_(index) {}

  std::optional<std::int64_t> value(const TokenRange& range, int depth = 0) const {
    if (depth > kDeepest) return std::nullopt;
    if (depth == 0) looked_up_ = 0;
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (range.file->word(i) && ++looked_up_ > kMostWords) return std::nullopt;
      if (range.file->is(i, "sizeof")) {
        const auto size = size_at(*range.file, i, depth);
        if (!size) return std::nullopt;
        text += std::to_string(*size);
        continue;
      }
      if (range.file->tokens[i].kind == Token::Kind::Number) {
        text += std::to_string(std::strtoll(std::string(range.file->at(i)).c_str(), nullptr, 0));
      } else if (range.file->word(i)) {
        const auto named = of_name(*range.file, range.file->at(i), depth);
        if (!named) return std::nullopt;
        text += std::to_string(*named);
      } else {
        text += range.file->at(i);
      }
      text += ' ';
    }
    return of_text(text);
  }

 private:
  static std::optional<std::int64_t> of_text(const std::string& text) {
    const auto parsed = Expression::parse(text);
    if (!parsed) return std::nullopt;
    const auto found = parsed->evaluate([](std::string_view) -> std::optional<Value> { return std::nullopt; });
    const auto* whole = found ? std::get_if<std::int64_t>(&*found) : nullptr;
    return whole ? std::optional(*whole) : std::nullopt;
  }
  /// `sizeof(char)`, or of an array of characters; moves to its last token.
  std::optional<std::int64_t> size_at(const HostFile& file, std::size_t& i, int depth) const {
    const bool bracket = file.is(i + 1, "(");
    const auto name = file.at(i + (bracket ? 2 : 1));
    i = bracket ? file.close(i + 1) : i + 1;
    if (name == "char") return 1;
    for (const auto at : index_.places(file, name))
      if (at > 0 && file.is(at - 1, "char") && file.is(at + 1, "["))
        return value({&file, at + 2, file.close(at + 1)}, depth + 1);
    return std::nullopt;
  }
  /// `#define NAME value`, or `NAME = value` where it is declared.
  std::optional<std::int64_t> of_name(const HostFile& from, std::string_view name, int depth) const {
    for (const auto& file : index_.files())
      for (const auto at : index_.directives(file, name)) {
        const std::string line(trim(file.at(at)));
        const auto begin = line.find(name);
        if (!line.starts_with("#") || line.find("define") >= begin) continue;
        const std::string body = line.substr(begin + name.size());
        const HostFile defined{file.name, &body, tokens_of(body)};
        return value({&defined, 0, defined.tokens.size()}, depth + 1);
      }
    for (const auto at : index_.places(from, name))
      if (from.is(at + 1, "=") && at + 2 < from.tokens.size() && from.tokens[at + 2].kind == Token::Kind::Number)
        return std::strtoll(std::string(from.at(at + 2)).c_str(), nullptr, 0);
    return std::nullopt;
  }

  const HostIndex& index_;
  mutable int looked_up_ = 0;
};

/// fread(to, size, count, file); file.read(to, count); read(file, to, count).
std::optional<std::int64_t> bytes_read(const HostFile& file, std::size_t name, const Constants& constants) {
  const auto arguments = arguments_at(file, name + 1);
  const bool member = name > 0 && (file.is(name - 1, ".") || file.is(name - 1, ">"));
  if (file.is(name, "fread") && arguments.size() == 4) {
    const auto size = constants.value(arguments[1]), count = constants.value(arguments[2]);
    std::int64_t bytes = 0;
    const bool known = size && count && !__builtin_mul_overflow(*size, *count, &bytes);
    return known ? std::optional(bytes) : std::nullopt;
  }
  if (!file.is(name, "read") || arguments.size() != (member ? 2U : 3U)) return std::nullopt;
  return constants.value(arguments.back());
}

}  // namespace

std::optional<TextRoom> room_of(const HostIndex& index, const std::string& file, std::size_t present) {
  const Constants constants(index);
  std::optional<TextRoom> out;
  for (const auto& host : index.files()) {
    if (!may_read(host, file)) continue;
    for (const std::string_view function : {"fread", "read"})
      for (const auto at : index.places(host, function)) {
        if (!host.is(at + 1, "(")) continue;
        const auto bytes = bytes_read(host, at, constants);
        // What it does not fit into today is read by somebody else, or read piece by piece.
        if (!bytes || *bytes < static_cast<std::int64_t>(present)) continue;
        const auto room = static_cast<std::size_t>(*bytes);
        if (!out || room < out->bytes) out = TextRoom{file, room, host.place(at)};
      }
  }
  return out;
}

Status fits(const std::vector<TextRoom>& rooms, const Files& after) {
  for (const auto& room : rooms) {
    const auto file = after.find(room.file);
    if (file != after.end() && file->second.size() > room.bytes)
      return fail("E-ROOM", fmt::format("{} would have {} bytes, and {} reads at most {} of a file", room.file,
                                        file->second.size(), room.place, room.bytes));
  }
  return {};
}

}  // namespace hone::patch
