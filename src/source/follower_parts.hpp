#pragma once
// What the files of the Follower share.

#include "source/follower.hpp"

namespace hone::source::host {

using Kind = HostValue::Kind;

HostValue number(Expression value, bool real = false);
std::optional<std::int64_t> literal_of(const HostValue& value);

std::string last_word(const Span& span);
/// Position of an assignment operator outside of brackets; size() when there is none.
std::size_t assignment(const Span& span);

}  // namespace hone::source::host
