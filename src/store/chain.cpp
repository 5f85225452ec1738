#include "store/chain.hpp"

#include "base/hash.hpp"

namespace hone::store {

std::string next_digest(const std::string& last, const std::string& run, const std::string& key,
                        const std::string& record) {
  return sha256(last + "\n" + run + "\n" + key + "\n" + record);
}

Result<std::string> last_digest(const Database& database) {
  auto query = database.prepare("SELECT digest FROM trial ORDER BY number DESC LIMIT 1");
  if (!query) return fail(std::move(query).error());
  auto row = query->step();
  if (!row) return fail(std::move(row).error());
  return *row ? query->text(0) : std::string();
}

}  // namespace hone::store
