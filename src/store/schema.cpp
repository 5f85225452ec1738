#include "store/schema.hpp"

#include <array>

namespace hone::store {
namespace {

// Trials are never changed: triggers refuse it to everyone who comes through SQL, and the chain of digests shows it of
// everyone who does not.
constexpr std::array<const char*, kSchemaVersion> kSteps = {
    R"sql(
      CREATE TABLE run(id TEXT PRIMARY KEY, mep TEXT NOT NULL, options TEXT NOT NULL, seed TEXT NOT NULL,
                       device TEXT NOT NULL);
      CREATE TABLE trial(number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL REFERENCES run(id),
                         key TEXT NOT NULL, record TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE(run, key));
      CREATE INDEX trial_by_key ON trial(key);
      CREATE TRIGGER trial_is_not_changed BEFORE UPDATE ON trial
        BEGIN SELECT RAISE(ABORT, 'trials are append-only'); END;
      CREATE TRIGGER trial_is_not_removed BEFORE DELETE ON trial
        BEGIN SELECT RAISE(ABORT, 'trials are append-only'); END;
    )sql",
    R"sql(
      CREATE TABLE pattern(number INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL UNIQUE);
    )sql"};

}  // namespace

Result<std::int64_t> version_of(const Database& database) {
  auto statement = database.prepare("PRAGMA user_version");
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  return statement->integer(0);
}

Status migrate_to(const Database& database, std::int64_t version) {
  auto transaction = Transaction::begin(database);
  if (!transaction) return fail(std::move(transaction).error());
  const auto found = version_of(database);
  if (!found) return fail(found.error());
  if (*found > kSchemaVersion) {
    return fail(
        "E-STORE-NEWER",
        "the log is of version " + std::to_string(*found) + ", this hone reads up to " + std::to_string(kSchemaVersion),
        "use the newer hone, or set XDG_STATE_HOME to another folder");
  }
  for (auto step = *found; step < version; ++step) {
    auto done = database.execute(kSteps.at(static_cast<std::size_t>(step)));
    if (!done) return fail(std::move(done).error().context("bringing the log to version " + std::to_string(step + 1)));
  }
  if (*found < version) {
    auto marked = database.execute("PRAGMA user_version = " + std::to_string(version));
    if (!marked) return marked;
  }
  return transaction->commit();
}

Status migrate(const Database& database) { return migrate_to(database, kSchemaVersion); }

}  // namespace hone::store
