#pragma once
// The chain of digests through the trials: each covers its own row and the digest before it.

#include <string>

#include "base/result.hpp"
#include "store/database.hpp"

namespace hone::store {

std::string next_digest(const std::string& last, const std::string& run, const std::string& key,
                        const std::string& record);
/// Of the newest trial; empty when there is none.
Result<std::string> last_digest(const Database& database);

}  // namespace hone::store
