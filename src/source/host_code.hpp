#pragma once
// Host programs as functions and statements, read without their headers and without building anything: what matters
// here is who calls whom with what, and that survives missing types. In: C and C++ files. Out: a tree of token ranges.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "source/host_tokens.hpp"

namespace hone::source::host {

struct HostFile {
  std::string path, text;
  Tokens tokens;
};

/// Tokens [begin, end) of one file.
struct Span {
  const HostFile* file = nullptr;
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  const Token& operator[](std::size_t i) const { return file->tokens[begin + i]; }
  std::size_t size() const { return end > begin ? end - begin : 0; }
  Span sub(std::size_t from, std::size_t to) const { return {file, begin + from, begin + to}; }
  std::string text() const;
};

struct Statement {
  enum class Kind { Block, For, Loop, If, Simple, Return };
  Kind kind = Kind::Simple;
  Span all;                         // a Simple or Return without its `;`
  Span condition;                   // of For, Loop, If
  Span init, step;                  // of For
  std::vector<Statement> children;  // of Block; body; then and else
};

struct HostFunction {
  std::string name;
  const HostFile* file = nullptr;
  std::vector<std::string> parameters;
  Statement body;
  std::vector<std::string> calls;  // every word that is followed by a bracket
};

struct HostCode {
  std::vector<std::unique_ptr<HostFile>> files;
  std::vector<HostFunction> functions;
  std::vector<Statement> globals;      // what stands outside of functions
  std::map<std::string, Span> macros;  // without parameters: their replacement
  std::vector<std::unique_ptr<HostFile>> macro_texts;
  const HostFunction* function(const std::string& name) const;
  /// A number given to that name anywhere (`.rows = 512`, `int width = 1920`): the first, in the order of the files.
  std::optional<std::int64_t> hint(const std::string& name) const;
};

HostCode read_host(const Files& files);

/// Arguments of the call whose opening bracket is at `open`.
std::vector<Span> arguments_of(const Span& in, std::size_t open);
/// Pieces between separators that are in no brackets.
std::vector<Span> split_at(const Span& in, std::string_view separator);

}  // namespace hone::source::host
