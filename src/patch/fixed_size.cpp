#include "patch/fixed_size.hpp"

#include <algorithm>
#include <optional>

#include "patch/host_scopes.hpp"

namespace hone::patch {
namespace {

constexpr int kDeepest = 6;  // a value that goes through more names than this is not followed

bool is_type_word(std::string_view word) {
  return is_one_of(word,
                   {"size_t",   "std",      "cl",      "NDRange", "dim3",      "unsigned", "int",         "long",
                    "short",    "const",    "static",  "auto",    "constexpr", "cl_uint",  "cl_int",      "cl_ulong",
                    "uint32_t", "uint64_t", "int32_t", "int64_t", "inline",    "uint",     "static_cast", "sizeof"});
}

class FixedValues {
 public:
  explicit FixedValues(const HostIndex& index) : index_(index) {}

  bool fixed(const TokenRange& value, int depth) const {
    if (depth > kDeepest || value.begin >= value.end) return false;
    for (auto i = value.begin; i < value.end; ++i) {
      const auto& file = *value.file;
      const auto kind = file.tokens[i].kind;
      if (kind == Token::Kind::Number || (kind == Token::Kind::Mark && !is_one_of(file.at(i), {".", "?", "="})))
        continue;
      if (kind != Token::Kind::Word || follows_a_dot(file, i)) return false;
      if (!is_type_word(file.at(i)) && !fixed_name(file, i, depth)) return false;
    }
    return true;
  }

 private:
  bool fixed_name(const HostFile& file, std::size_t at, int depth) const {
    const std::string name(file.at(at));
    const auto* function = index_.around(file, at);
    if (function != nullptr) {
      if (function->parameter(name) >= 0)
        return set_once(*function, name, 0) && fixed_argument(*function, function->parameter(name), depth);
      auto value = declared_in(file, name, function->open, function->close);
      if (!value) value = assigned_in(file, name, function->open, function->close);
      if (value) return set_once(*function, name, 1) && fixed(*value, depth + 1);
    }
    return fixed_macro(name, depth) || fixed_constant(name, depth);
  }

  /// What a declaration gives it: `int n = 4;`, `size_t local[2] = {8, 8};`, `dim3 block(16, 16);`.
  static std::optional<TokenRange> declared_in(const HostFile& file, std::string_view name, std::size_t begin,
                                               std::size_t end) {
    for (auto i = begin + 1; i < end; ++i) {
      const bool declares = (file.word(i - 1) && !file.is(i - 1, "return")) || file.is(i - 1, ",");
      if (!file.is(i, name) || !declares) continue;
      auto at = i + 1;
      while (file.is(at, "[")) at = file.close(at) + 1;
      if (file.is(at, "(") || file.is(at, "{")) return TokenRange{&file, at, file.close(at) + 1};
      if (!file.is(at, "=") || file.is(at + 1, "=")) continue;
      auto last = at + 1;
      while (last < end && !file.is(last, ";") && !file.is(last, ",")) {
        const bool opens = file.is(last, "{") || file.is(last, "(") || file.is(last, "[");
        last = opens ? file.close(last) + 1 : last + 1;
      }
      return TokenRange{&file, at + 1, last};
    }
    return std::nullopt;
  }

  /// Declared first and given its value later: `size_t local; ... local = 64;`.
  static std::optional<TokenRange> assigned_in(const HostFile& file, std::string_view name, std::size_t begin,
                                               std::size_t end) {
    for (auto i = begin + 1; i < end; ++i) {
      if (!file.is(i, name) || !file.is(i + 1, "=") || !is_one_of(file.at(i - 1), {";", "{", "}"})) continue;
      auto last = i + 2;
      while (last < end && !file.is(last, ";")) ++last;
      return TokenRange{&file, i + 2, last};
    }
    return std::nullopt;
  }

  /// Besides `declarations` of them nothing in the function gives it a value, nor its address to anyone but a launch.
  bool set_once(const HostFunction& function, std::string_view name, int declarations) const {
    const auto& file = *function.file;
    int set = 0;
    for (auto i = function.open; i < function.close; ++i) {
      if (!file.is(i, name) || follows_a_dot(file, i)) continue;
      auto at = i + 1;
      while (file.is(at, "[")) at = file.close(at) + 1;
      const bool assigned = file.is(at, "=") && !file.is(at + 1, "=");
      const bool changed =
          is_one_of(file.at(at), {"+", "-", "*", "/", "%", "|", "&", "<", ">", "^"}) &&
          (file.is(at + 1, "=") || (file.at(at) == file.at(at + 1) && is_one_of(file.at(at), {"+", "-"})));
      const bool counted = i > 1 && file.at(i - 1) == file.at(i - 2) && is_one_of(file.at(i - 1), {"+", "-"});
      set += assigned ? 1 : 0;
      if (changed || counted || (file.is(i - 1, "&") && !in_launch(file, i))) return false;
      if (is_one_of(file.at(i - 1), {"(", ","}) && is_one_of(file.at(i + 1), {")", ","}) && !is_only_read(file, i))
        return false;
    }
    return set <= declarations;
  }

  /// Among the arguments of an enqueue, which only reads the sizes it is given.
  static bool in_launch(const HostFile& file, std::size_t at) {
    int depth = 0;
    for (auto i = at; i-- > 0 && !file.is(i, ";") && !file.is(i, "{");) {
      depth += file.is(i, ")") ? 1 : file.is(i, "(") ? -1 : 0;
      if (depth < 0) return is_one_of(file.at(i - 1), {"clEnqueueNDRangeKernel", "enqueueNDRangeKernel"});
    }
    return false;
  }

  /// As a whole argument it may be an array or a reference: who gets it must be known not to write it.
  bool is_only_read(const HostFile& file, std::size_t at) const {
    int depth = 0;
    std::size_t before = 0, open = at;
    while (open-- > 0 && depth >= 0) {
      if (file.is(open, ";") || file.is(open, "{")) return true;  // a list of declarations, or braces of values
      depth += file.is(open, ")") ? 1 : file.is(open, "(") ? -1 : 0;
      before += depth == 0 && file.is(open, ",") ? 1 : 0;
      if (depth < 0) break;
    }
    const auto called = open == 0 ? std::string_view() : file.at(open - 1);
    if (is_one_of(called, {"clEnqueueNDRangeKernel", "enqueueNDRangeKernel", "NDRange", "printf", "fprintf", "sizeof",
                           "if", "while", "for", "switch", "return", ">", "dim3"}))
      return true;
    std::size_t known = 0;
    for (const auto& function : index_.functions()) {
      if (function.name != called) continue;
      if (before >= function.parameters.size() || function.parameters[before].can_be_changed) return false;
      ++known;
    }
    return known > 0;
  }

  /// The same of all callers: one that gives another number may be one whose launch was never followed.
  bool fixed_argument(const HostFunction& function, int parameter, int depth) const {
    std::size_t calls = 0;
    std::string given;
    for (const auto& other : index_.functions())
      if (&other != &function && other.name == function.name) return false;  // which of them is called is not known
    for (const auto& file : index_.files()) {
      if (!index_.directives(file, function.name).empty()) return false;
      for (const auto at : index_.places(file, function.name)) {
        if (&file == function.file && at == function.header) continue;
        if (index_.around(file, at) == nullptr) continue;  // a declaration
        if (!file.is(at + 1, "(")) return false;           // its address goes somewhere
        const auto arguments = arguments_at(file, at + 1);
        if (static_cast<std::size_t>(parameter) >= arguments.size()) return false;
        const auto& argument = arguments[static_cast<std::size_t>(parameter)];
        const auto words = words_of(argument);
        if (!fixed(argument, depth + 1) || (calls > 0 && words != given)) return false;
        given = words;
        ++calls;
      }
    }
    return calls > 0;
  }

  static std::string words_of(const TokenRange& range) {
    std::string out;
    for (auto i = range.begin; i < range.end; ++i) out += std::string(range.file->at(i)) + " ";
    return out;
  }

  /// Defined in one way only: another build of the application may take the other one.
  bool fixed_macro(const std::string& name, int depth) const {
    std::size_t definitions = 0;
    std::string first;
    for (const auto& file : index_.files())
      for (const auto at : index_.directives(file, name)) {
        const std::string directive(file.at(at));
        const auto tokens = tokens_of(std::string_view(directive).substr(directive.find('#') + 1));
        const std::string_view line = std::string_view(directive).substr(directive.find('#') + 1);
        if (tokens.size() < 2 || text_of(tokens[0], line) != "define" || text_of(tokens[1], line) != name) continue;
        std::string body;
        for (std::size_t i = 2; i < tokens.size(); ++i) body += std::string(text_of(tokens[i], line)) + " ";
        if (definitions > 0 && body != first) return false;
        first = body;
        ++definitions;
        for (std::size_t i = 2; i < tokens.size(); ++i) {
          const bool harmless = tokens[i].kind == Token::Kind::Number || tokens[i].kind == Token::Kind::Mark ||
                                is_type_word(text_of(tokens[i], line));
          if (!harmless && !(tokens[i].kind == Token::Kind::Word && depth < kDeepest &&
                             fixed_macro(std::string(text_of(tokens[i], line)), depth + 1)))
            return false;
        }
        if (tokens.size() == 2) return false;
      }
    return definitions > 0;
  }

  /// `constexpr int kGroup = 64;` outside of functions or in a class, and what an enum counts.
  bool fixed_constant(const std::string& name, int depth) const {
    for (const auto& file : index_.files())
      for (const auto at : index_.places(file, name)) {
        auto begin = at;
        while (begin > 0 && !is_one_of(file.at(begin - 1), {";", "{", "}"})) --begin;
        bool constant =
            begin > 1 && file.is(begin - 1, "{") && (file.is(begin - 2, "enum") || file.is(begin - 3, "enum"));
        for (auto i = begin; i < at; ++i) constant = constant || file.is(i, "const") || file.is(i, "constexpr");
        if (!constant || index_.around(file, at) != nullptr) continue;
        const auto value = declared_in(file, name, at == 0 ? 0 : at - 1, std::min(at + 64, file.tokens.size()));
        if (value) return fixed(*value, depth + 1);
        if (file.is(at + 1, "=")) return file.tokens[at + 2].kind == Token::Kind::Number;
      }
    return false;
  }

  const HostIndex& index_;
};

}  // namespace

bool is_fixed(const HostIndex& index, const TokenRange& value) { return FixedValues(index).fixed(value, 0); }

}  // namespace hone::patch
