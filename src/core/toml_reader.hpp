#pragma once
// Reading TOML strictly: every key must be asked for, and a fault names the file, the line, the key and the nearest
// known key. Faults are collected as the first one met, so that a reader can be written straight down without checks.

#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/expression.hpp"

namespace hone {

/// Where a reader stands: the file and the first fault. Shared by all tables of one file.
class TomlFaults {
 public:
  explicit TomlFaults(std::string file) : file_(std::move(file)) {}
  void add(const toml::node* at, const std::string& message, std::string next = {});
  const std::optional<Error>& first() const { return first_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::optional<Error> first_;
};

class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string where, TomlFaults& faults);
  TomlTable(const TomlTable&) = delete;
  TomlTable& operator=(const TomlTable&) = delete;
  /// Reports keys that nobody asked for.
  ~TomlTable();

  bool has(std::string_view key);
  std::string text(std::string_view key, bool required = true);
  std::optional<double> real(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// A string, or a number, read as an expression.
  Expression expression(std::string_view key, bool required = true);
  std::vector<Expression> expressions(std::string_view key);
  std::vector<Value> values(std::string_view key);
  std::optional<Value> value(std::string_view key);
  const toml::table* table(std::string_view key);
  /// The tables of an array of tables; empty when the key is absent.
  std::vector<const toml::table*> tables(std::string_view key);
  /// Every key, for tables whose keys are names the user chose.
  std::vector<std::string> all_keys();

  void fault(std::string_view key, const std::string& message);
  const std::string& where() const { return where_; }
  TomlFaults& faults() { return faults_; }

 private:
  const toml::node* find(std::string_view key, bool required);
  const toml::table& table_;
  std::string where_;
  TomlFaults& faults_;
  std::vector<std::string> asked_;
};

/// A number, string or boolean node as an expression; nothing for others.
std::optional<Value> toml_value(const toml::node& node);
/// A string as TOML writes it.
std::string toml_quote(std::string_view text);
/// A key: bare where TOML allows it.
std::string toml_key(std::string_view text);

}  // namespace hone
