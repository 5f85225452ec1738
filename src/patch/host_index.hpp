#pragma once
// The host files of a whole tree as tokens and functions: enough to ask who calls a function with what. Read without
// headers and without building; what is not understood is never guessed, whoever asks has to treat it as unknown.

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {

struct HostFile {
  std::string name;
  const std::string* text = nullptr;
  std::vector<Token> tokens;

  std::string_view at(std::size_t i) const { return i < tokens.size() ? text_of(tokens[i], *text) : ""; }
  bool is(std::size_t i, std::string_view what) const { return i < tokens.size() && at(i) == what; }
  bool word(std::size_t i) const { return i < tokens.size() && tokens[i].kind == Token::Kind::Word; }
  std::size_t close(std::size_t open) const { return closing(tokens, *text, open); }
  std::string place(std::size_t i) const;  // "main.c:57"
};

/// Tokens [begin, end) of one file.
struct TokenRange {
  const HostFile* file = nullptr;
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool is(std::size_t i, std::string_view what) const { return begin + i < end && file->is(begin + i, what); }
};

struct HostParameter {
  std::string name;
  bool can_be_changed = false;  // a reference or a pointer to something that is not const
};
struct HostFunction {
  const HostFile* file = nullptr;
  std::string name;
  std::vector<HostParameter> parameters;
  std::size_t header = 0, open = 0, close = 0;   // tokens: its name, the braces of its body
  bool is_static = false;                        // nobody can call it but files of the tree that see its body
  bool local_to_file = false;                    // static, and not in a header
  int parameter(std::string_view wanted) const;  // -1: none
};

class HostIndex {
 public:
  /// `files` must outlive it.
  explicit HostIndex(const Files& files);
  const std::vector<HostFile>& files() const { return files_; }
  const std::vector<HostFunction>& functions() const { return functions_; }
  /// The function whose body the token stands in; null outside.
  const HostFunction* around(const HostFile& file, std::size_t token) const;
  const HostFile* file(const std::string& name) const;
  /// Where a word stands as a token of its own, file by file.
  const std::vector<std::size_t>& places(const HostFile& file, std::string_view word) const;
  /// Directives that have the word in them.
  const std::vector<std::size_t>& directives(const HostFile& file, std::string_view word) const;

 private:
  using Words = std::map<std::string, std::vector<std::size_t>, std::less<>>;

  void read_scope(const HostFile& file, std::size_t begin, std::size_t end);
  bool add_function(const HostFile& file, std::size_t start, std::size_t brace);
  std::vector<HostFile> files_;
  std::vector<HostFunction> functions_;
  std::map<const HostFile*, std::vector<std::size_t>> functions_of_;  // indices, in the order of their bodies
  std::map<const HostFile*, Words> words_, directive_words_;
  std::set<std::string, std::less<>> included_;  // the last parts of included names
};

/// What stands between the commas of the bracket at `open`.
std::vector<TokenRange> arguments_at(const HostFile& file, std::size_t open);
bool is_header(std::string_view name);

}  // namespace hone::patch
