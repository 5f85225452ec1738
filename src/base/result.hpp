#pragma once
// What can fail returns Result<T>. An Error names a stable code, says what happened with its evidence, and where there
// is one, the next command to type. Context is added on the way up, nearest cause last.

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace hone {

class Error {
 public:
  /// `code` is what scripts and documents refer to ("E-DEFINE"); `next` is a command or an action for the person.
  Error(std::string code, std::string message, std::string next = {})
      : code_(std::move(code)), message_(std::move(message)), next_(std::move(next)) {}

  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& next() const { return next_; }

  /// The same error, saying what was being done when it happened: "reading mep.toml: ...".
  Error context(std::string_view doing) && {
    message_ = std::string(doing) + ": " + message_;
    return std::move(*this);
  }
  Error with_next(std::string next) && {
    next_ = std::move(next);
    return std::move(*this);
  }

  /// "E-CODE  message\n  next: command", as shown to people.
  std::string text() const {
    std::string out = code_ + "  " + message_;
    if (!next_.empty()) out += "\n  next: " + next_;
    return out;
  }

 private:
  std::string code_, message_, next_;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// `return fail("E-STALE", "...");` in any function that returns a Result.
inline tl::unexpected<Error> fail(std::string code, std::string message, std::string next = {}) {
  return tl::unexpected<Error>(Error(std::move(code), std::move(message), std::move(next)));
}
/// `if (!x) return fail(std::move(x).error().context("..."));`
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace hone
