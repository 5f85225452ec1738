#pragma once
// The tables and how older files are brought to them. Each step is one version; a file of a newer Hone is refused.

#include "base/result.hpp"
#include "store/database.hpp"

namespace hone::store {

constexpr std::int64_t kSchemaVersion = 2;

/// Leaves the file at kSchemaVersion, or as it was. E-STORE-NEWER for files of a later Hone.
Status migrate(const Database& database);
/// Up to a given version only: how tests make files of the past.
Status migrate_to(const Database& database, std::int64_t version);
Result<std::int64_t> version_of(const Database& database);

}  // namespace hone::store
