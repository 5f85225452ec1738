#pragma once
// Inside ptx/ only: writes the C++ text of one function. Handlers of instructions ask it for operands as expressions.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/module.hpp"
#include "emulator/ptx/translate.hpp"

namespace hone::emulator::ptx {

struct Type {
  char kind = 'b';  // b, u, s, f, p; h: half, g: bfloat16
  int bits = 32;
  int lanes = 1;  // 2 of f16x2 and bf16x2
  bool is_float() const { return kind == 'f' || kind == 'h' || kind == 'g'; }
};
std::optional<Type> type_named(std::string_view name);  // without its dot
std::string c_type(Type type);                          // "u32", "float"

struct Operand {
  enum class Kind { Word, Number, Address, Vector } kind = Kind::Word;
  std::string text;      // a name or a number; of an address: its base
  bool negated = false;  // !%p
  std::int64_t offset = 0;
  std::vector<Operand> parts;   // of a vector
  std::vector<Operand> second;  // q of p|q
};

struct Instruction {
  std::string opcode;              // "ld"
  std::vector<std::string> parts;  // "global", "f32"
  std::vector<Operand> operands;
  std::string words() const;
  bool has(std::string_view part) const;
  Type type() const;                        // the last one named
  std::optional<Type> type_before() const;  // the one before that
};

/// What all functions of a kernel share.
struct KernelText {
  const Module* module = nullptr;
  Translated out;
  std::map<std::string, std::size_t> shared;  // offsets
  std::size_t shared_end = 0;
  std::vector<std::string> callees;  // still to be written
  std::set<std::string> written;
};

class Emitter {
 public:
  Emitter(KernelText& kernel, const Function& function) : kernel_(kernel), function_(function) {}
  /// The whole function as text.
  Result<std::string> all();

  // What handlers use.
  std::string raw(const Operand& operand);
  std::string value(const Operand& operand, Type type, bool flush = false);
  std::string address(const Operand& operand);
  void set(const Operand& to, Type type, const std::string& expression);
  void line(const std::string& text) { body_ += "  " + text + "\n"; }
  void refuse(const std::string& what);
  std::string label(const std::string& name) const;
  std::string new_range();
  void call(const std::string& name) { kernel_.callees.push_back(name); }
  const Module& module() const { return *kernel_.module; }
  const Function& function() const { return function_; }
  const std::vector<std::string>* targets(const std::string& name) const;

 private:
  using Tokens = std::vector<std::string_view>;
  struct Register {
    std::string prefix, name;
    int bits = 32;
  };
  struct Scope {
    int parent = -1;
    std::vector<Register> ranges;               // %r<81>
    std::map<std::string, std::string> labels;  // as C names them
    std::map<std::string, std::string> names;   // registers and arrays already declared
    std::map<std::string, int> single;          // registers by their full name
  };
  void find_labels();
  void statement();
  void directive();
  void declare_registers();
  void declare_variable();
  void instruction();
  Operand operand();
  Operand simple_operand();
  std::optional<std::string> name_of(const std::string& word);
  std::optional<std::string> special(const std::string& word) const;
  std::optional<std::string> symbol(const std::string& word);
  std::string declare(const std::string& word, int bits, int scope);
  bool is(std::string_view word) const { return at_ < function_.body.size() && function_.body[at_] == word; }
  std::string take() { return at_ < function_.body.size() ? std::string(function_.body[at_++]) : std::string(); }

  KernelText& kernel_;
  const Function& function_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
  std::vector<int> open_;  // scopes around where we are
  std::size_t next_scope_ = 0;
  std::map<std::string, int> bits_;  // of declared C names
  std::map<std::string, std::vector<std::string>> targets_;
  std::string declarations_, body_;
  std::optional<std::string> refused_;
};

using Handler = void (*)(Emitter&, const Instruction&);
using Handlers = std::map<std::string_view, Handler>;
const Handlers& arithmetic();
const Handlers& conversions();
const Handlers& memory();
const Handlers& control();

}  // namespace hone::emulator::ptx
