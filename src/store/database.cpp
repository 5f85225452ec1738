#include "store/database.hpp"

#include <sqlite3.h>

#include <utility>

namespace hone::store {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* connection) const { sqlite3_close(connection); }

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(statement_.get(), next_++, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}
Statement& Statement::bind(std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), next_++, number);
  return *this;
}
Statement& Statement::bind(double number) {
  sqlite3_bind_double(statement_.get(), next_++, number);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(database_->fault());
}

Status Statement::run() {
  auto row = step();
  if (!row) return fail(std::move(row).error());
  return {};
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(bytes), size);
}
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

Result<Database> Database::open(const std::string& path, Mode mode) {
  // Colleagues' transactions last milliseconds; ten seconds of waiting means that something is wrong.
  constexpr int kPatienceMs = 10'000;
  sqlite3* raw = nullptr;
  const int flags = mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(path, raw);
  if (code != SQLITE_OK) {
    return fail("E-STORE-OPEN", path + " cannot be opened: " + sqlite3_errstr(code),
                "check that the folder exists and can be written, or set XDG_STATE_HOME to one that can");
  }
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kPatienceMs);
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK) {
    return fail(fault());
  }
  return Statement(*this, statement);
}

Status Database::execute(std::string_view sql) const {
  if (sqlite3_exec(connection_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return fail(fault());
  }
  return {};
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }

Error Database::fault() const {
  const int code = sqlite3_extended_errcode(connection_.get());
  const std::string said = path_ + ": " + sqlite3_errmsg(connection_.get());
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {"E-STORE-FULL", said, "free some space, then run the same command again: it goes on from the last trial"};
    case SQLITE_READONLY:
      return {"E-STORE-READONLY", said, "make the file writable, or set XDG_STATE_HOME to a folder that is"};
    case SQLITE_CANTOPEN:
      return {"E-STORE-OPEN", said, "check that the folder can be written, or set XDG_STATE_HOME to one that can"};
    case SQLITE_BUSY:
      return {"E-STORE-BUSY", said, "another hone holds the log; run the same command again when it is done"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {"E-STORE-CORRUPT", said, "hone check --log says what is damaged; move the file away to start afresh"};
    case SQLITE_IOERR:
      return {"E-STORE-IO", said + " (" + sqlite3_errstr(code) + ")",
              "is the disk full or gone? Run the same command again when it is back: it goes on from the last trial"};
    default: return {"E-STORE", said};
  }
}

Result<Transaction> Transaction::begin(const Database& database) {
  auto begun = database.execute("BEGIN IMMEDIATE");
  if (!begun) return fail(std::move(begun).error());
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Status Transaction::commit() {
  auto done = database_->execute("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

}  // namespace hone::store
