#include "store/chain.hpp"
#include "store/records.hpp"
#include "store/schema.hpp"
#include "store/trial_store.hpp"

namespace hone::store {
namespace {

Result<std::int64_t> count(const Database& database, const std::string& table) {
  auto query = database.prepare("SELECT count(*) FROM " + table);
  if (!query) return fail(std::move(query).error());
  auto row = query->step();
  if (!row) return fail(std::move(row).error());
  return query->integer(0);
}

/// What SQLite itself finds wrong with the file.
Status check_pages(const Database& database, std::vector<std::string>& problems) {
  auto query = database.prepare("PRAGMA integrity_check");
  if (!query) return fail(std::move(query).error());
  for (;;) {
    auto row = query->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return {};
    if (query->text(0) != "ok") problems.push_back("file: " + query->text(0));
  }
}

/// Numbers without gaps, digests that follow from their rows, records that can be read, runs that exist.
Status check_trials(const Database& database, std::vector<std::string>& problems) {
  auto query = database.prepare(
      "SELECT number, run, key, record, digest, EXISTS(SELECT 1 FROM run WHERE run.id = trial.run) FROM trial ORDER BY "
      "number");
  if (!query) return fail(std::move(query).error());
  std::string last;
  for (std::int64_t expected = 1;; ++expected) {
    auto row = query->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return {};
    const auto name = "trial " + query->text(0) + ": ";
    if (query->integer(0) != expected) problems.push_back(name + "trials are missing before it");
    expected = query->integer(0);
    const auto digest = next_digest(last, query->text(1), query->text(2), query->text(3));
    if (digest != query->text(4))
      problems.push_back(name + "was changed after it was recorded, or a trial before it was");
    last = query->text(4);
    if (query->integer(5) == 0) problems.push_back(name + "belongs to no run");
    const auto read = trial_from_record(query->text(3));
    if (!read) problems.push_back(name + read.error().message());
    if (read && hash_of(read->key) != query->text(2)) problems.push_back(name + "is filed under another trial's key");
  }
}

}  // namespace

Result<LogReport> check_log(const std::string& path) {
  auto database = Database::open(path, Database::Mode::ReadOnly);
  if (!database) return fail(std::move(database).error());
  LogReport report;
  const auto version = version_of(*database);
  if (!version) return fail(version.error());
  report.schema = *version;
  if (auto pages = check_pages(*database, report.problems); !pages) return fail(std::move(pages).error());
  if (report.schema < 1) {
    report.problems.emplace_back("the file holds no log");
    return report;
  }
  if (auto trials = check_trials(*database, report.problems); !trials) return fail(std::move(trials).error());
  for (const auto& [table, into] : {std::pair{"run", &report.runs}, {"trial", &report.trials}}) {
    const auto rows = count(*database, table);
    if (!rows) return fail(rows.error());
    *into = *rows;
  }
  if (report.schema >= 2) report.patterns = count(*database, "pattern").value_or(0);
  return report;
}

}  // namespace hone::store
