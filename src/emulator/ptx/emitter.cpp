#include "emulator/ptx/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace hone::emulator::ptx {
namespace {

std::string identifier(std::string_view word, int scope) {
  std::string out = fmt::format("v{}_", scope);
  for (const char c : word) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

std::string plain_bits(int bits) { return fmt::format("u{}", bits == 1 ? 8 : bits); }

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  if (name == "pred") return Type{'p', 1, 1};
  if (name == "f16") return Type{'h', 16, 1};
  if (name == "f16x2") return Type{'h', 16, 2};
  if (name == "bf16") return Type{'g', 16, 1};
  if (name == "bf16x2") return Type{'g', 16, 2};
  const auto bytes = bytes_of_type("." + std::string(name));
  if (bytes == 0) return std::nullopt;
  return Type{name[0], static_cast<int>(bytes) * 8, 1};
}

std::string c_type(Type type) {
  if (type.lanes == 2) return "u32";
  if (type.kind == 'f') return type.bits == 64 ? "double" : "float";
  if (type.kind == 'h' || type.kind == 'g') return "float";
  if (type.kind == 'p') return "bool";
  if (type.bits == 128) return "unsigned __int128";
  return fmt::format("{}{}", type.kind == 's' ? 's' : 'u', type.bits);
}

std::string Instruction::words() const { return parts.empty() ? opcode : opcode + "." + join(parts, "."); }
bool Instruction::has(std::string_view part) const { return std::ranges::find(parts, part) != parts.end(); }

Type Instruction::type() const {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (const auto type = type_named(*part)) return *type;
  return {};
}
std::optional<Type> Instruction::type_before() const {
  bool last = true;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const auto type = type_named(*part);
    if (!type) continue;
    if (!last) return type;
    last = false;
  }
  return std::nullopt;
}

void Emitter::refuse(const std::string& what) {
  if (!refused_) refused_ = what;
}

/// Labels are known before the first jump to them; scopes are numbered in the order of their braces.
void Emitter::find_labels() {
  scopes_ = {Scope{}};
  std::vector<int> open = {0};
  const auto& body = function_.body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const bool begins = i == 0 || body[i - 1] == ";" || body[i - 1] == "{" || body[i - 1] == "}" || body[i - 1] == ":";
    if (body[i] == "{" && begins) {
      scopes_.push_back(Scope{.parent = open.back(), .ranges = {}, .labels = {}, .names = {}, .single = {}});
      open.push_back(static_cast<int>(scopes_.size()) - 1);
    } else if (body[i] == "{") {
      while (i < body.size() && body[i] != "}") ++i;  // a vector
    } else if (body[i] == "}" && open.size() > 1) {
      open.pop_back();
    } else if (i + 1 < body.size() && body[i + 1] == ":" && begins) {
      const std::string name(body[i]);
      scopes_[static_cast<std::size_t>(open.back())].labels[name] = "L" + identifier(name, open.back());
    }
  }
}

std::string Emitter::label(const std::string& name) const {
  for (int scope = open_.back(); scope >= 0; scope = scopes_[static_cast<std::size_t>(scope)].parent) {
    const auto& labels = scopes_[static_cast<std::size_t>(scope)].labels;
    if (const auto found = labels.find(name); found != labels.end()) return found->second;
  }
  return "missing_label";
}

const std::vector<std::string>* Emitter::targets(const std::string& name) const {
  const auto found = targets_.find(name);
  return found == targets_.end() ? nullptr : &found->second;
}

std::string Emitter::new_range() { return fmt::format("&t->ranges[{}]", kernel_.out.ranges++); }

Result<std::string> Emitter::all() {
  find_labels();
  open_ = {0};
  next_scope_ = 1;
  std::vector<std::string> formal;
  for (const auto& one : function_.results) formal.push_back("u8* " + identifier(one.name, 0));
  for (const auto& one : function_.parameters)
    if (!function_.is_entry) formal.push_back("u8* " + identifier(one.name, 0));
  for (const auto* list : {&function_.results, &function_.parameters})
    for (const auto& one : *list) {
      const auto name = identifier(one.name, 0);
      scopes_[0].names[one.name] = "(u64)" + name;
      if (function_.is_entry) declarations_ += fmt::format("  u8* {} = t->params + {};\n", name, one.offset);
    }
  while (at_ < function_.body.size() && !refused_) statement();
  if (refused_) return fail("E-PTX", function_.name + ": " + *refused_);
  const auto name =
      function_.is_entry ? std::string("extern \"C\" void hone_kernel") : "static void f_" + function_.name;
  return fmt::format("{}(HoneThread* t{}{}) {{\n  bool cc = false;\n{}{}  done:;\n}}\n", name,
                     formal.empty() ? "" : ", ", join(formal, ", "), declarations_, body_);
}

void Emitter::statement() {
  if (is("{")) {
    ++at_;
    open_.push_back(static_cast<int>(next_scope_++));
    return;
  }
  if (is("}")) {
    ++at_;
    if (open_.size() > 1) open_.pop_back();
    return;
  }
  if (is(";")) {
    ++at_;
    return;
  }
  if (at_ + 1 < function_.body.size() && function_.body[at_ + 1] == ":") {
    const auto name = take();
    ++at_;
    if (is(".branchtargets")) {
      auto& list = targets_[name];
      for (++at_; at_ < function_.body.size() && !is(";"); ++at_)
        if (!is(",")) list.push_back(label(std::string(function_.body[at_])));
      return;
    }
    if (is(".callprototype")) return refuse("calls through pointers");
    body_ += " " + label(name) + ":;\n";
    return;
  }
  if (function_.body[at_].starts_with('.')) return directive();
  instruction();
}

void Emitter::directive() {
  const auto word = function_.body[at_];
  if (word == ".reg") return declare_registers();
  if (word == ".local" || word == ".shared" || word == ".param") return declare_variable();
  if (word == ".loc") {  // three numbers, and where it was inlined
    at_ += 4;
    while (is(",")) {
      while (at_ < function_.body.size() && !function_.body[at_].starts_with("inlined_at") && !is(";") && !is("@") &&
             !function_.body[at_].starts_with('.'))
        ++at_;
      if (at_ < function_.body.size() && function_.body[at_].starts_with("inlined_at")) at_ += 4;
    }
    return;
  }
  if (word == ".pragma") {
    while (at_ < function_.body.size() && !is(";")) ++at_;
    return;
  }
  refuse("the directive " + std::string(word));
}

void Emitter::declare_registers() {
  ++at_;
  auto type = type_named(take().substr(1));
  if (!type) return refuse("registers of an unknown type");
  auto& scope = scopes_[static_cast<std::size_t>(open_.back())];
  const int bits = type->lanes == 2 ? 32 : type->bits;
  while (at_ < function_.body.size() && !is(";")) {
    if (is(",")) ++at_;
    const auto name = take();
    if (is("<")) {
      at_ += 3;
      scope.ranges.push_back({name, {}, bits});
    } else {
      scope.single[name] = bits;
    }
  }
}

void Emitter::declare_variable() {
  auto read = read_variables(function_.body, at_);
  if (!read) return refuse(read.error().message());
  for (const auto& one : *read) {
    const int scope = open_.back();
    if (one.space == Space::Shared) {
      auto& end = kernel_.shared_end;
      end = (end + one.alignment - 1) / one.alignment * one.alignment;
      scopes_[static_cast<std::size_t>(scope)].names[one.name] = std::to_string(end);
      end += one.bytes;
      continue;
    }
    const auto name = identifier(one.name, scope);
    declarations_ += fmt::format("  alignas(16) u8 {}[{}];\n", name, std::max<std::size_t>(one.bytes, 1));
    if (one.space == Space::Local) kernel_.out.local_bytes += one.bytes;
    scopes_[static_cast<std::size_t>(scope)].names[one.name] = "(u64)" + name;
  }
}

std::string Emitter::declare(const std::string& word, int bits, int scope) {
  const auto name = identifier(word, scope);
  declarations_ += fmt::format("  {} {} = 0;\n",
                               bits == 1     ? "bool"
                               : bits == 128 ? "unsigned __int128"
                                             : plain_bits(bits),
                               name);
  bits_[name] = bits;
  scopes_[static_cast<std::size_t>(scope)].names[word] = name;
  return name;
}

std::optional<std::string> Emitter::name_of(const std::string& word) {
  for (int at = open_.back(); at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    auto& scope = scopes_[static_cast<std::size_t>(at)];
    if (const auto found = scope.names.find(word); found != scope.names.end()) return found->second;
    if (const auto found = scope.single.find(word); found != scope.single.end())
      return declare(word, found->second, at);
    for (const auto& range : scope.ranges)
      if (word.starts_with(range.prefix) && word.size() > range.prefix.size() &&
          std::all_of(word.begin() + static_cast<std::ptrdiff_t>(range.prefix.size()), word.end(),
                      [](unsigned char c) { return std::isdigit(c) != 0; }))
        return declare(word, range.bits, at);
  }
  return std::nullopt;
}

std::optional<std::string> Emitter::special(const std::string& word) const {
  for (const auto& [name, field] : {std::pair{"%tid", "tid"}, std::pair{"%ntid", "ntid"}, std::pair{"%ctaid", "ctaid"},
                                    std::pair{"%nctaid", "nctaid"}})
    for (const auto& [suffix, index] : {std::pair{".x", 0}, std::pair{".y", 1}, std::pair{".z", 2}})
      if (word == std::string(name) + suffix) return fmt::format("t->{}[{}]", field, index);
  static const std::map<std::string_view, std::string_view> others = {
      {"%laneid", "t->lane"},
      {"%warpid", "t->warp"},
      {"%nwarpid", "t->warps"},
      {"%lanemask_eq", "(1u << t->lane)"},
      {"%lanemask_lt", "((1u << t->lane) - 1)"},
      {"%lanemask_le", "((2u << t->lane) - 1)"},
      {"%lanemask_gt", "(~((2u << t->lane) - 1))"},
      {"%lanemask_ge", "(~((1u << t->lane) - 1))"},
      {"%smid", "0u"},
      {"%nsmid", "1u"},
      {"%gridid", "0u"},
      {"%dynamic_smem_size", "t->dynamic_bytes"},
      {"%total_smem_size", "t->shared_bytes"},
      {"%clock", "(u32)__builtin_ia32_rdtsc()"},
      {"%clock64", "(u64)__builtin_ia32_rdtsc()"},
      {"%clock_hi", "(u32)(__builtin_ia32_rdtsc() >> 32)"},
      {"%globaltimer", "(u64)__builtin_ia32_rdtsc()"},
      {"%globaltimer_lo", "(u32)__builtin_ia32_rdtsc()"},
      {"WARP_SZ", "32u"},
  };
  const auto found = others.find(word);
  return found == others.end() ? std::nullopt : std::optional(std::string(found->second));
}

/// A variable of the module: shared ones by their offset, others by an address the launch knows.
std::optional<std::string> Emitter::symbol(const std::string& word) {
  const auto known = kernel_.shared.find(word);
  if (known != kernel_.shared.end()) return std::to_string(known->second);
  const auto& variables = kernel_.module->variables;
  const auto found = std::ranges::find(variables, word, &Variable::name);
  if (found == variables.end()) return std::nullopt;
  if (found->space == Space::Shared && found->is_external) return "(u32)(t->shared_bytes - t->dynamic_bytes)";
  if (found->space == Space::Shared) {
    auto& end = kernel_.shared_end;
    end = (end + found->alignment - 1) / found->alignment * found->alignment;
    kernel_.shared[word] = end;
    end += found->bytes;
    return std::to_string(kernel_.shared[word]);
  }
  auto& symbols = kernel_.out.symbols;
  const auto at = std::ranges::find(symbols, word);
  const auto index = at - symbols.begin();
  if (at == symbols.end()) symbols.push_back(word);
  return fmt::format("t->symbols[{}]", index);
}

std::string Emitter::raw(const Operand& operand) {
  std::string text;
  if (operand.kind == Operand::Kind::Number) {
    const auto bits = number_of(operand.text);
    if (!bits) {
      if (operand.text.find('.') != std::string::npos) return "FB(" + operand.text + "f)";
      refuse("the number " + operand.text);
      return "0";
    }
    return fmt::format("0x{:x}ull", *bits);
  }
  if (const auto name = name_of(operand.text)) {
    text = *name;
  } else if (const auto known = special(operand.text)) {
    text = *known;
  } else if (const auto variable = symbol(operand.text)) {
    text = *variable;
  } else {
    refuse("the name " + operand.text);
    return "0";
  }
  if (operand.offset != 0) text = fmt::format("({} + {}ll)", text, operand.offset);
  return operand.negated ? "!" + text : text;
}

std::string Emitter::value(const Operand& operand, Type type, bool flush) {
  const bool decimal = operand.kind == Operand::Kind::Number && !number_of(operand.text);
  if (decimal && type.kind == 'f') return type.bits == 64 ? operand.text : operand.text + "f";
  const auto bits = raw(operand);
  if (type.lanes == 2) return "(u32)(" + bits + ")";
  switch (type.kind) {
    case 'f': return type.bits == 64 ? "D(" + bits + ")" : flush ? "Z(F((u32)" + bits + "))" : "F((u32)" + bits + ")";
    case 'h': return "H((u16)" + bits + ")";
    case 'g': return "BF((u16)" + bits + ")";
    case 'p': return "(bool)(" + bits + ")";
    default: return "(" + c_type(type) + ")(" + bits + ")";
  }
}

std::string Emitter::address(const Operand& operand) {
  Operand base = operand;
  base.kind = is_number(operand.text) ? Operand::Kind::Number : Operand::Kind::Word;
  base.offset = 0;
  const auto text = "(u64)" + raw(base);
  return operand.offset == 0 ? text : fmt::format("({} + {}ll)", text, operand.offset);
}

void Emitter::set(const Operand& to, Type type, const std::string& expression) {
  if (to.text == "_") return;
  const auto name = name_of(to.text);
  if (!name) return refuse("the register " + to.text);
  const int width = bits_.contains(*name) ? bits_[*name] : 32;
  const auto cast = width == 1     ? std::string("bool")
                    : width == 128 ? std::string("unsigned __int128")
                                   : plain_bits(width);
  std::string bits = expression;
  if (type.lanes == 1 && type.kind == 'f') bits = (type.bits == 64 ? "DB(" : "FB(") + expression + ")";
  if (type.lanes == 1 && type.kind == 'h') bits = "HB(" + expression + ")";
  if (type.lanes == 1 && type.kind == 'g') bits = "BB(" + expression + ")";
  line(fmt::format("{} = ({})({});", *name, cast, bits));
}

Operand Emitter::simple_operand() {
  Operand out;
  if (is("!")) {
    out.negated = true;
    ++at_;
  }
  bool minus = false;
  if (is("-")) {
    minus = true;
    ++at_;
  }
  out.text = (minus ? "-" : "") + take();
  out.kind = minus || is_number(out.text) ? Operand::Kind::Number : Operand::Kind::Word;
  if (is("+") || is("-")) {
    const bool less = take() == "-";
    const bool again = is("-");
    if (again) ++at_;
    const auto amount = static_cast<std::int64_t>(number_of(take()).value_or(0));
    out.offset = less != again ? -amount : amount;
  }
  return out;
}

Operand Emitter::operand() {
  Operand out;
  if (is("[")) {
    ++at_;
    out = simple_operand();
    out.kind = Operand::Kind::Address;
    ++at_;
    return out;
  }
  if (is("{")) {
    out.kind = Operand::Kind::Vector;
    for (++at_; at_ < function_.body.size() && !is("}");) {
      if (is(",")) ++at_;
      out.parts.push_back(simple_operand());
    }
    ++at_;
    return out;
  }
  if (is("(")) {  // of a call
    out.kind = Operand::Kind::Vector;
    for (++at_; at_ < function_.body.size() && !is(")");) {
      if (is(",")) ++at_;
      out.parts.push_back(simple_operand());
    }
    ++at_;
    return out;
  }
  out = simple_operand();
  if (is("|")) {
    ++at_;
    out.second.push_back(simple_operand());
  }
  return out;
}

void Emitter::instruction() {
  std::string guard;
  if (is("@")) {
    ++at_;
    guard = raw(simple_operand());
  }
  auto words = split(take(), '.');
  Instruction one;
  one.opcode = words.front();
  one.parts.assign(words.begin() + 1, words.end());
  while (at_ < function_.body.size() && !is(";") && !refused_) {
    if (is(",")) ++at_;
    one.operands.push_back(operand());
  }
  if (!guard.empty()) line("if (" + guard + ") {");
  for (const auto* handlers : {&arithmetic(), &conversions(), &memory(), &control()}) {
    const auto found = handlers->find(one.opcode);
    if (found == handlers->end()) continue;
    found->second(*this, one);
    if (!guard.empty()) line("}");
    return;
  }
  refuse(one.words() + " is not emulated");
}

}  // namespace hone::emulator::ptx
