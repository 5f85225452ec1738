#include "store/trial_store.hpp"

#include "base/hash.hpp"
#include "store/chain.hpp"
#include "store/database.hpp"
#include "store/records.hpp"
#include "store/schema.hpp"

namespace hone::store {
namespace {

class TrialStore final : public TrialLog {
 public:
  explicit TrialStore(Database database) : database_(std::move(database)) {}

  Result<std::string> open_run(const RunKey& key) override {
    auto id = hash_of(key);
    auto insert = database_.prepare("INSERT OR IGNORE INTO run(id, mep, options, seed, device) VALUES(?, ?, ?, ?, ?)");
    if (!insert) return fail(std::move(insert).error());
    auto done = insert->bind(id).bind(key.mep).bind(key.options).bind(std::to_string(key.seed)).bind(key.device).run();
    if (!done) return fail(std::move(done).error().context("opening the run"));
    return id;
  }

  Result<std::string> append(const Trial& trial, const VerdictKey& key) override {
    auto done = append_in_transaction(trial, key);
    if (!done) return fail(std::move(done).error().context("recording a trial"));
    return done;
  }

  Result<std::optional<LoggedTrial>> lookup(const VerdictKey& key) override {
    auto query = database_.prepare("SELECT number, record FROM trial WHERE key = ? ORDER BY number DESC LIMIT 1");
    if (!query) return fail(std::move(query).error());
    auto row = query->bind(hash_of(key)).step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return std::nullopt;
    auto logged = trial_from_record(query->text(1));
    if (!logged) return fail(std::move(logged).error());
    logged->id = query->text(0);
    return std::optional(std::move(*logged));
  }

  Result<std::vector<LoggedTrial>> trials(const std::string& run) override {
    auto query = database_.prepare("SELECT number, record FROM trial WHERE run = ? ORDER BY number");
    if (!query) return fail(std::move(query).error());
    query->bind(run);
    std::vector<LoggedTrial> out;
    for (;;) {
      auto row = query->step();
      if (!row) return fail(std::move(row).error());
      if (!*row) return out;
      auto logged = trial_from_record(query->text(1));
      if (!logged) return fail(std::move(logged).error());
      logged->id = query->text(0);
      out.push_back(std::move(*logged));
    }
  }

  Status record(const Pattern& pattern) override {
    auto insert = database_.prepare("INSERT OR IGNORE INTO pattern(record) VALUES(?)");
    if (!insert) return fail(std::move(insert).error());
    return insert->bind(to_record(pattern)).run();
  }

  Result<std::vector<Pattern>> patterns() override {
    auto query = database_.prepare("SELECT record FROM pattern ORDER BY number");
    if (!query) return fail(std::move(query).error());
    std::vector<Pattern> out;
    for (;;) {
      auto row = query->step();
      if (!row) return fail(std::move(row).error());
      if (!*row) return out;
      auto pattern = pattern_from_record(query->text(0));
      if (!pattern) return fail(std::move(pattern).error());
      out.push_back(std::move(*pattern));
    }
  }

 private:
  Result<std::string> append_in_transaction(const Trial& trial, const VerdictKey& key) {
    auto transaction = Transaction::begin(database_);
    if (!transaction) return fail(std::move(transaction).error());
    const auto hash = hash_of(key);
    auto known = number_of(trial.run, hash);
    if (!known || *known) return known ? Result<std::string>(**known) : fail(std::move(known).error());
    auto last = last_digest(database_);
    if (!last) return fail(std::move(last).error());
    const auto record = to_record(trial, key);
    auto insert = database_.prepare("INSERT INTO trial(run, key, record, digest) VALUES(?, ?, ?, ?)");
    if (!insert) return fail(std::move(insert).error());
    auto done = insert->bind(trial.run).bind(hash).bind(record).bind(next_digest(*last, trial.run, hash, record)).run();
    if (!done) return fail(std::move(done).error());
    auto number = std::to_string(database_.last_row());
    auto committed = transaction->commit();
    if (!committed) return fail(std::move(committed).error());
    return number;
  }

  Result<std::optional<std::string>> number_of(const std::string& run, const std::string& key) {
    auto query = database_.prepare("SELECT number FROM trial WHERE run = ? AND key = ?");
    if (!query) return fail(std::move(query).error());
    auto row = query->bind(run).bind(key).step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return std::nullopt;
    return std::optional(query->text(0));
  }

  Database database_;
};

/// Trials are append-only for everyone else; here all of them go in one transaction, so that no half of a chain stays.
constexpr auto forget_all = R"sql(
  DROP TRIGGER trial_is_not_removed;
  DELETE FROM trial;
  DELETE FROM run;
  DELETE FROM sqlite_sequence WHERE name = 'trial';
  CREATE TRIGGER trial_is_not_removed BEFORE DELETE ON trial
    BEGIN SELECT RAISE(ABORT, 'trials are append-only'); END;
)sql";

}  // namespace

Status forget_trials(const std::string& path, bool patterns) {
  auto database = Database::open(path, Database::Mode::ReadWrite);
  if (!database) return fail(std::move(database).error());
  if (auto migrated = migrate(*database); !migrated) return migrated;
  auto transaction = Transaction::begin(*database);
  if (!transaction) return fail(std::move(transaction).error());
  if (auto done = database->execute(forget_all); !done) return done;
  if (patterns)
    if (auto done = database->execute("DELETE FROM pattern"); !done) return done;
  if (auto done = transaction->commit(); !done) return done;
  // Someone else may be reading: then the space is given back another time.
  (void)database->execute("VACUUM");
  (void)database->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  return {};
}

Result<std::unique_ptr<TrialLog>> open_trial_log(const std::string& path) {
  auto database = Database::open(path, Database::Mode::ReadWrite);
  if (!database) return fail(std::move(database).error());
  // With a write-ahead log a killed process leaves the file as of its last commit. NORMAL gives up only the last trials
  // when the power goes, never the file, and saves a disk flush a trial.
  for (const auto* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"}) {
    auto done = database->execute(pragma);
    if (!done) return fail(std::move(done).error());
  }
  auto migrated = migrate(*database);
  if (!migrated) return fail(std::move(migrated).error());
  return std::make_unique<TrialStore>(std::move(*database));
}

}  // namespace hone::store
