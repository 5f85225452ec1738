#pragma once
// Content hashes: a fast one for caches and keys, and SHA-256 where a record must hold against tampering (origin.json).

#include <string>
#include <string_view>

namespace hone {

/// 128-bit xxHash as 32 hexadecimal digits. For caches, names and seeds; not for security.
std::string content_hash(std::string_view bytes);
/// SHA-256 as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace hone
