#pragma once
// Where every byte of an extracted kernel came from, and where the application launches it: what `patch/` needs to put
// the winner back, and to notice that the tree has moved on. Stored beside a Mep as origin.json.

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace hone {

struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// How the kernel's text sits in its file.
/// Stringized: between the brackets of a macro that makes a string of them. Python: its strings, triple quoted or not.
enum class Embedding { File, StringLiterals, RawString, Stringized, Python };

/// One run of bytes of Mep::source and the bytes of the application it was taken from, decoded when it is in a string.
struct OriginPiece {
  ByteRange here;
  std::string file;  // relative to the application's folder
  ByteRange there;
  Embedding embedding = Embedding::File;
  std::string kernel;     // the kernel whose definition this is; empty for the closure around it
  bool computed = false;  // what a macro at `there` stands for: its bytes do not stand in the file
  bool operator==(const OriginPiece&) const = default;
};

/// A call that launches the kernel: the call itself and, where they could be followed, the expressions of its sizes.
struct LaunchSite {
  std::string kernel;
  std::string file;
  ByteRange call;
  std::vector<ByteRange> arguments;  // of the call, in order
  std::vector<std::string> global;   // host expressions per dimension; empty when not followed
  std::vector<std::string> local;    // empty when NULL or not followed
  bool local_is_null = false;
  std::string function;  // the host function the call is in
  bool operator==(const LaunchSite&) const = default;
};

struct FileStamp {
  std::string file, sha256;
  bool operator==(const FileStamp&) const = default;
};

struct Origin {
  std::vector<OriginPiece> pieces;
  std::vector<LaunchSite> launches;
  std::vector<FileStamp> files;  // every file named above, as it was when the kernel was taken out
  bool operator==(const Origin&) const = default;
};

std::string to_json(const Origin& origin);
Result<Origin> origin_from_json(const std::string& text);

}  // namespace hone
