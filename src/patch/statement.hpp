#pragma once
// The host statement around a launch: where declarations can go so that they stand just before it and nowhere else.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "patch/region.hpp"

namespace hone::patch {

struct Statement {
  std::size_t begin = 0, end = 0;  // to the semicolon, when `braces`
  std::size_t after_previous = 0;  // end of the token before it
  std::size_t owner = 0;           // the first token of the statement it is the body of; else equal to begin
  bool braces = false;             // the body of an `if`, a loop or a label: declarations need a block of their own
};
/// E-LAUNCHSITE when the call stands where nothing can be put before it: a macro, the header of a loop.
Result<Statement> statement_around(const std::string& file, std::size_t call);

/// Edits that put `lines` just before the statement, indented like it.
std::vector<Edit> put_before(const std::string& file, const Statement& statement,
                             const std::vector<std::string>& lines);

/// The arguments of the call whose name begins at or after `from` and is `callee`, as ranges without surrounding space.
struct Call {
  std::size_t name = 0;
  std::vector<ByteRange> arguments;
};
Result<Call> call_named(const std::string& file, ByteRange within, std::string_view callee);

}  // namespace hone::patch
