// cvt and mov: between types, and bits as they are.
#include <fmt/format.h>

#include "emulator/ptx/emitter.hpp"

namespace hone::emulator::ptx {
namespace {

std::string rounded(const Instruction& one, const std::string& value, bool is_double) {
  const std::string suffix = is_double ? "" : "f";
  if (one.has("rni")) return "__builtin_rint" + suffix + "(" + value + ")";
  if (one.has("rzi")) return "__builtin_trunc" + suffix + "(" + value + ")";
  if (one.has("rmi")) return "__builtin_floor" + suffix + "(" + value + ")";
  if (one.has("rpi")) return "__builtin_ceil" + suffix + "(" + value + ")";
  return value;
}

/// cvt.rn.f16x2.f32 d, a, b: a is the upper half.
void packed(Emitter& e, const Instruction& one, Type to) {
  const std::string half = to.kind == 'h' ? "HB" : "BB";
  const auto value = [&](std::size_t i) {
    const auto x = e.value(one.operands[i], {'f', 32, 1});
    return one.has("relu") ? "maxf(" + x + ", 0)" : x;
  };
  e.set(one.operands[0], {'b', 32, 1}, fmt::format("(u32){0}({1}) << 16 | {0}({2})", half, value(1), value(2)));
}

void cvt(Emitter& e, const Instruction& one) {
  const auto from = one.type();
  const auto to = one.type_before().value_or(from);
  for (const auto& part : one.parts)
    if (part == "tf32" || part.starts_with("e4m3") || part.starts_with("e5m2") || part.starts_with("e2m1") ||
        part == "rs" || part == "pack")
      return e.refuse(one.words() + " is not emulated");
  if (to.lanes == 2) return packed(e, one, to);
  const bool flush = one.has("ftz");
  const auto value = e.value(one.operands[1], from, flush);
  if (!from.is_float() && !to.is_float()) {
    const auto result =
        one.has("sat") ? fmt::format("clamp_int<{}>({})", c_type(to), value) : fmt::format("({}){}", c_type(to), value);
    return e.set(one.operands[0], to, result);
  }
  if (from.is_float() && !to.is_float())
    return e.set(one.operands[0], to, fmt::format("to_int<{}>({})", c_type(to), rounded(one, value, from.bits == 64)));
  const int mode = one.has("rm") ? 1 : one.has("rp") ? 2 : one.has("rz") ? 3 : 0;
  if (mode != 0 && (to.kind != 'f' || to.bits < 32))
    return e.refuse(one.words() + ": only rounding to nearest is emulated");
  if (mode != 0) {
    const auto exact = fmt::format("converted<{}>({}, {})", to.bits == 64 ? "double" : "float", mode, value);
    return e.set(one.operands[0], to, one.has("sat") ? "sat(" + exact + ")" : exact);
  }
  auto result = rounded(one, value, from.bits == 64);
  if (!from.is_float() || from.bits != to.bits || from.kind != to.kind)
    result = fmt::format("({})({})", to.bits == 64 ? "double" : "float", result);
  if (flush && to.kind == 'f' && to.bits == 32) result = "Z(" + result + ")";
  e.set(one.operands[0], to, one.has("sat") ? "sat(" + result + ")" : result);
}

/// {a, b} and a register twice as wide, either way.
void mov(Emitter& e, const Instruction& one) {
  auto type = one.type();
  const auto& to = one.operands[0];
  const auto& from = one.operands[1];
  if (type.kind == 'p') return e.set(to, type, e.value(from, type));
  const int total = type.lanes * type.bits;
  type = {'b', total, 1};
  if (to.kind == Operand::Kind::Vector) {
    const int each = total / static_cast<int>(to.parts.size());
    e.line(fmt::format("{{ const {} whole_ = {};", c_type(type), e.value(from, type)));
    for (std::size_t i = 0; i < to.parts.size(); ++i)
      e.set(to.parts[i], {'b', each, 1}, fmt::format("(u{})(whole_ >> {})", each, each * static_cast<int>(i)));
    return e.line("}");
  }
  if (from.kind == Operand::Kind::Vector) {
    const int each = total / static_cast<int>(from.parts.size());
    std::string whole;
    for (std::size_t i = 0; i < from.parts.size(); ++i)
      whole += fmt::format("{}({}){} << {}", i == 0 ? "" : " | ", c_type(type), e.value(from.parts[i], {'b', each, 1}),
                           each * static_cast<int>(i));
    return e.set(to, type, whole);
  }
  e.set(to, type, e.value(from, type));
}

/// Shared addresses are offsets into the block's window; all others are what they are.
void cvta(Emitter& e, const Instruction& one) {
  const Type word{'u', 64, 1};
  const auto value = e.value(one.operands[1], word);
  if (!one.has("shared") && !one.has("shared::cta")) return e.set(one.operands[0], word, value);
  e.set(one.operands[0], word, one.has("to") ? value + " - (u64)t->shared" : value + " + (u64)t->shared");
}

void isspacep(Emitter& e, const Instruction& one) {
  const auto a = e.value(one.operands[1], {'u', 64, 1});
  const auto in_shared = fmt::format("({0} >= (u64)t->shared && {0} < (u64)t->shared + t->shared_bytes)", a);
  if (one.parts[0].starts_with("shared")) return e.set(one.operands[0], {'p', 1, 1}, in_shared);
  if (one.parts[0] == "global") return e.set(one.operands[0], {'p', 1, 1}, "!" + in_shared);
  e.refuse(one.words() + " is not emulated");
}

}  // namespace

const Handlers& conversions() {
  static const Handlers all = {{"cvt", cvt}, {"mov", mov}, {"cvta", cvta}, {"isspacep", isspacep}};
  return all;
}

}  // namespace hone::emulator::ptx
