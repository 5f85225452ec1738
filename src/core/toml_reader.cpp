#include "core/toml_reader.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace hone {

void TomlFaults::add(const toml::node* at, const std::string& message, std::string next) {
  if (first_) return;
  const auto line = at == nullptr ? 0 : at->source().begin.line;
  first_ = Error("E-FORMAT",
                 line == 0 ? fmt::format("{}: {}", file_, message) : fmt::format("{}:{}: {}", file_, line, message),
                 std::move(next));
}

TomlTable::TomlTable(const toml::table& table, std::string where, TomlFaults& faults)
    : table_(table), where_(std::move(where)), faults_(faults) {}

TomlTable::~TomlTable() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::ranges::find(asked_, name) != asked_.end()) continue;
    const auto close = nearest(name, asked_);
    faults_.add(&node,
                fmt::format("unknown key '{}' in {}{}", name, where_, close ? "; nearest known key: " + *close : ""));
  }
}

const toml::node* TomlTable::find(std::string_view key, bool required) {
  asked_.emplace_back(key);
  const auto* node = table_.get(key);
  if (node == nullptr && required) faults_.add(&table_, fmt::format("{} needs the key '{}'", where_, key));
  return node;
}

void TomlTable::fault(std::string_view key, const std::string& message) {
  const auto* node = table_.get(key);
  faults_.add(node == nullptr ? &table_ : node, fmt::format("{} in {}: {}", key, where_, message));
}

bool TomlTable::has(std::string_view key) { return find(key, false) != nullptr; }

std::string TomlTable::text(std::string_view key, bool required) {
  const auto* node = find(key, required);
  if (node == nullptr) return {};
  if (const auto* s = node->as_string()) return s->get();
  fault(key, "must be a string");
  return {};
}

std::optional<double> TomlTable::real(std::string_view key) {
  const auto* node = find(key, false);
  if (node == nullptr) return std::nullopt;
  if (const auto* f = node->as_floating_point()) return f->get();
  if (const auto* i = node->as_integer()) return static_cast<double>(i->get());
  fault(key, "must be a number");
  return std::nullopt;
}

std::optional<bool> TomlTable::boolean(std::string_view key) {
  const auto* node = find(key, false);
  if (node == nullptr) return std::nullopt;
  if (const auto* b = node->as_boolean()) return b->get();
  fault(key, "must be true or false");
  return std::nullopt;
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key) {
  const auto* node = find(key, false);
  if (node == nullptr) return std::nullopt;
  if (const auto* i = node->as_integer()) return i->get();
  fault(key, "must be an integer");
  return std::nullopt;
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  std::vector<std::string> out;
  const auto* node = find(key, false);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    fault(key, "must be an array of strings");
    return out;
  }
  for (const auto& item : *array) {
    const auto* s = item.as_string();
    if (s == nullptr)
      fault(key, "must be an array of strings");
    else
      out.push_back(s->get());
  }
  return out;
}

std::optional<Value> toml_value(const toml::node& node) {
  if (const auto* s = node.as_string()) return Value(s->get());
  if (const auto* i = node.as_integer()) return Value(i->get());
  if (const auto* f = node.as_floating_point()) return Value(f->get());
  if (const auto* b = node.as_boolean()) return Value(b->get());
  return std::nullopt;
}

static std::optional<Expression> as_expression(const toml::node& node, TomlFaults& faults, const std::string& where) {
  const auto value = toml_value(node);
  if (!value) {
    faults.add(&node, where + ": must be an expression (a string or a number)");
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&*value);
  if (text == nullptr) return Expression::literal(*value);
  auto parsed = Expression::parse(*text);
  if (parsed) return *parsed;
  faults.add(&node, where + ": " + parsed.error().message());
  return std::nullopt;
}

Expression TomlTable::expression(std::string_view key, bool required) {
  const auto* node = find(key, required);
  if (node == nullptr) return {};
  return as_expression(*node, faults_, fmt::format("{} in {}", key, where_)).value_or(Expression());
}

std::vector<Expression> TomlTable::expressions(std::string_view key) {
  std::vector<Expression> out;
  const auto* node = find(key, false);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    fault(key, "must be an array of expressions");
    return out;
  }
  for (const auto& item : *array)
    if (auto e = as_expression(item, faults_, fmt::format("{} in {}", key, where_))) out.push_back(*e);
  return out;
}

std::vector<Value> TomlTable::values(std::string_view key) {
  std::vector<Value> out;
  const auto* node = find(key, true);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    fault(key, "must be an array of values");
    return out;
  }
  for (const auto& item : *array) {
    if (auto v = toml_value(item))
      out.push_back(*v);
    else
      fault(key, "must hold numbers, strings or booleans");
  }
  return out;
}

std::optional<Value> TomlTable::value(std::string_view key) {
  const auto* node = find(key, false);
  if (node == nullptr) return std::nullopt;
  auto v = toml_value(*node);
  if (!v) fault(key, "must be a number, a string or a boolean");
  return v;
}

const toml::table* TomlTable::table(std::string_view key) {
  const auto* node = find(key, false);
  if (node == nullptr) return nullptr;
  if (const auto* t = node->as_table()) return t;
  fault(key, "must be a table");
  return nullptr;
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key) {
  std::vector<const toml::table*> out;
  const auto* node = find(key, false);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    fault(key, "must be an array of tables");
    return out;
  }
  for (const auto& item : *array) {
    if (const auto* t = item.as_table())
      out.push_back(t);
    else
      fault(key, "must be an array of tables");
  }
  return out;
}

std::vector<std::string> TomlTable::all_keys() {
  std::vector<std::string> out;
  for (const auto& [key, node] : table_) out.emplace_back(key.str());
  asked_.insert(asked_.end(), out.begin(), out.end());
  return out;
}

std::string toml_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string toml_key(std::string_view text) {
  const bool bare = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return bare ? std::string(text) : toml_quote(text);
}

}  // namespace hone
