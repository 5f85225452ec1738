// Loads, stores and atomics. Global and generic accesses are checked against allocations, shared ones against the
// block's window; parameters and locals lie on the fiber's stack.
#include <fmt/format.h>

#include "emulator/ptx/emitter.hpp"

namespace hone::emulator::ptx {
namespace {

bool in(const Instruction& one, std::string_view space) {
  return one.has(space) || one.has(std::string(space) + "::cta");
}

Type bits_of(Type type) {
  return type.lanes == 2 ? Type{'b', 32, 1} : Type{type.kind == 's' ? 's' : 'b', type.bits, 1};
}

/// A pointer to `lanes` elements, checked.
std::string place(Emitter& e, const Instruction& one, const Operand& operand, Type type, std::size_t lanes) {
  const auto element = c_type(bits_of(type));
  const auto bytes = static_cast<std::size_t>(bits_of(type).bits) / 8 * lanes;
  const auto address = e.address(operand);
  if (in(one, "shared")) return fmt::format("at_shared<{}>(t, {}, {})", element, address, bytes);
  if (one.has("param") || one.has("local")) return fmt::format("(({}*)({}))", element, address);
  return fmt::format("at<{}>(t, {}, {}, {})", element, address, bytes, e.new_range());
}

/// Whether others see what it touches, so that it may race.
bool is_seen(const Instruction& one) { return !one.has("param") && !one.has("local") && !one.has("const"); }

/// Meant for what others touch meanwhile. Volatile shared memory is not: it was how warps ran in lock step.
bool is_strong(const Instruction& one) {
  return one.has("acquire") || one.has("release") || one.has("relaxed") || (one.has("volatile") && !in(one, "shared"));
}

bool refused(Emitter& e, const Instruction& one) {
  if (!one.has("shared::cluster") && !one.has("multimem") && !one.has("v8")) return false;
  e.refuse(one.words() + ": clusters are not emulated");
  return true;
}

void ld(Emitter& e, const Instruction& one) {
  if (refused(e, one)) return;
  const auto type = bits_of(one.type());
  const auto& to = one.operands[0];
  const auto lanes = to.kind == Operand::Kind::Vector ? to.parts.size() : 1;
  e.line(fmt::format("{{ auto* p_ = {};", place(e, one, one.operands[1], one.type(), lanes)));
  if (is_seen(one))
    e.line(fmt::format("HONE_TOUCH(p_, {}, {});", lanes * static_cast<std::size_t>(type.bits) / 8,
                       is_strong(one) ? "kHoneStrongRead" : "kHoneRead"));
  if (lanes == 1 && to.kind != Operand::Kind::Vector) {
    e.set(to, type, "p_[0]");
  } else {
    // All are read before one of them is written: the address may be among them.
    for (std::size_t i = 0; i < lanes; ++i) e.line(fmt::format("const auto l{}_ = p_[{}];", i, i));
    for (std::size_t i = 0; i < lanes; ++i) e.set(to.parts[i], type, fmt::format("l{}_", i));
  }
  e.line("}");
  if (one.has("acquire") || (one.has("volatile") && !in(one, "shared"))) e.line("t->calls->yield(t);");
}

void st(Emitter& e, const Instruction& one) {
  if (refused(e, one)) return;
  const auto type = bits_of(one.type());
  const auto& from = one.operands[1];
  const auto lanes = from.kind == Operand::Kind::Vector ? from.parts.size() : 1;
  e.line(fmt::format("{{ auto* p_ = {};", place(e, one, one.operands[0], one.type(), lanes)));
  const auto store = [&](std::size_t i, const Operand& value) {
    e.line(fmt::format("{{ const {} v_ = {};", c_type(type), e.value(value, type)));
    if (is_strong(one))
      e.line(fmt::format("HONE_TOUCH(&p_[{}], sizeof v_, kHoneAtomic);", i));
    else if (is_seen(one))
      e.line(fmt::format("HONE_WRITES(p_[{}], v_);", i));
    e.line(fmt::format("p_[{}] = v_; }}", i));
  };
  if (from.kind != Operand::Kind::Vector) {
    store(0, from);
  } else {
    for (std::size_t i = 0; i < lanes; ++i) store(i, from.parts[i]);
  }
  e.line("}");
}

/// What stands in memory afterwards, over `old_`, `b_` and `c_`; empty when the operation is not known.
std::string changed(const Instruction& one, Type type) {
  const auto f = [&](const std::string& expression) -> std::string {
    if (type.kind == 'f') return (type.bits == 64 ? "DB(" : "FB(") + expression + ")";
    return (type.kind == 'h' ? "HB(" : "BB(") + expression + ")";
  };
  const std::string of = type.kind == 'f' ? (type.bits == 64 ? "D" : "F") : type.kind == 'h' ? "H" : "BF";
  if (one.has("exch")) return "b_";
  if (one.has("cas")) return "old_ == b_ ? c_ : old_";
  if (one.has("and")) return "old_ & b_";
  if (one.has("or")) return "old_ | b_";
  if (one.has("xor")) return "old_ ^ b_";
  if (one.has("inc")) return "old_ >= b_ ? 0 : old_ + 1";
  if (one.has("dec")) return "old_ == 0 || old_ > b_ ? b_ : old_ - 1";
  if (type.lanes == 2 && one.has("add")) {
    const auto half =
        fmt::format("[](u16 a, u16 b, u16) {{ return {0}B({1}(a) + {1}(b)); }}", type.kind == 'h' ? "H" : "B", of);
    return "pairs(old_, b_, 0, " + half + ")";
  }
  if (one.has("add")) return type.is_float() ? f(of + "(old_) + " + of + "(b_)") : "old_ + b_";
  for (const auto& [name, sign] : {std::pair{"min", "<"}, std::pair{"max", ">"}})
    if (one.has(name))
      return type.is_float() ? fmt::format("{0}(old_) {1} {0}(b_) ? old_ : b_", of, sign)
                             : fmt::format("({0})old_ {1} ({0})b_ ? old_ : b_", c_type(type), sign);
  return {};
}

void atomic(Emitter& e, const Instruction& one, bool answers) {
  if (refused(e, one)) return;
  const auto type = one.type();
  const auto bits = Type{'b', type.lanes * type.bits, 1};
  const std::size_t first = answers ? 1 : 0;
  const auto after = changed(one, type);
  if (after.empty() || one.operands.size() < first + 2 || one.operands[first + 1].kind == Operand::Kind::Vector)
    return e.refuse(one.words() + " is not emulated");
  e.line(fmt::format("{{ auto* p_ = {};", place(e, one, one.operands[first], bits, 1)));
  e.line(fmt::format("HONE_TOUCH(p_, sizeof *p_, {});", one.has("cas") ? "kHoneCompareAndSwap" : "kHoneAtomic"));
  e.line(fmt::format("const {} old_ = *p_, b_ = {};", c_type(bits), e.value(one.operands[first + 1], bits)));
  if (one.has("cas")) e.line(fmt::format("const {} c_ = {};", c_type(bits), e.value(one.operands[first + 2], bits)));
  e.line(fmt::format("*p_ = {};", after));
  if (answers) e.set(one.operands[0], bits, "old_");
  // Who waits for a lock must let its owner go on.
  if (one.has("cas")) e.line("if (old_ != b_) t->calls->yield(t);");
  if (one.has("exch")) e.line("t->calls->yield(t);");
  e.line("}");
}
void atom(Emitter& e, const Instruction& one) { atomic(e, one, true); }
void red(Emitter& e, const Instruction& one) {
  if (one.has("async")) return e.refuse(one.words() + " is not emulated");
  atomic(e, one, false);
}

/// cp.async is a plain copy here; waiting for it is nothing then.
void cp(Emitter& e, const Instruction& one) {
  if (!one.has("async") || one.has("bulk") || one.has("mbarrier")) return e.refuse(one.words() + " is not emulated");
  if (one.has("commit_group") || one.has("wait_group") || one.has("wait_all")) return;
  const auto bytes = number_of(one.operands[2].text).value_or(0);
  const bool given = one.operands.size() > 3 && one.operands[3].text.starts_with('%');
  if (bytes != 4 && bytes != 8 && bytes != 16) return e.refuse(one.words());
  e.line(fmt::format("{{ u8* to_ = at_shared<u8>(t, {}, {});", e.address(one.operands[0]), bytes));
  e.line(fmt::format("const u32 n_ = {};",
                     one.operands.size() > 3 && (given || one.operands[3].kind == Operand::Kind::Number)
                         ? e.value(one.operands[3], {'u', 32, 1})
                         : std::to_string(bytes)));
  e.line(fmt::format("const u8* from_ = n_ == 0 ? to_ : at<u8>(t, {}, {}, {});", e.address(one.operands[1]), bytes,
                     e.new_range()));
  e.line(fmt::format("if (n_ != 0) HONE_TOUCH(from_, n_, kHoneRead); HONE_TOUCH(to_, {}, kHoneWrite);", bytes));
  e.line(fmt::format("for (u32 i_ = 0; i_ < {}; ++i_) to_[i_] = i_ < n_ ? from_[i_] : 0; }}", bytes));
}

void nothing(Emitter&, const Instruction&) {}

}  // namespace

const Handlers& memory() {
  static const Handlers all = {{"ld", ld},
                               {"ldu", ld},
                               {"st", st},
                               {"atom", atom},
                               {"red", red},
                               {"cp", cp},
                               {"prefetch", nothing},
                               {"prefetchu", nothing},
                               {"discard", nothing},
                               {"applypriority", nothing}};
  return all;
}

}  // namespace hone::emulator::ptx
