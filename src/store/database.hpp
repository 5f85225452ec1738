#pragma once
// A thin RAII layer over SQLite: one connection, prepared statements, errors as values that say what a person can do.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace hone::store {

class Database;

/// A prepared statement: bind in order, step through rows, read columns.
class Statement {
 public:
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);
  /// True while there is a row.
  Result<bool> step();
  /// For statements without rows.
  Status run();
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(const Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
};

class Database {
 public:
  enum class Mode { ReadWrite, ReadOnly };
  /// E-STORE-OPEN, E-STORE-CORRUPT.
  static Result<Database> open(const std::string& path, Mode mode);

  Result<Statement> prepare(std::string_view sql) const;
  Status execute(std::string_view sql) const;
  std::int64_t last_row() const;
  /// The latest fault of this connection: E-STORE-FULL, E-STORE-READONLY, E-STORE-BUSY, E-STORE-CORRUPT, E-STORE.
  Error fault() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  Database(std::string path, sqlite3* connection) : path_(std::move(path)), connection_(connection) {}
  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// Takes the write lock at once and rolls back unless committed: what is half done after a kill never was.
class Transaction {
 public:
  static Result<Transaction> begin(const Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(const Database& database) : database_(&database) {}
  const Database* database_;
};

}  // namespace hone::store
