// Numbers: integers, floats, halves, bits.
#include <fmt/format.h>

#include "emulator/ptx/emitter.hpp"

namespace hone::emulator::ptx {
namespace {

Type unsigned_of(Type type) { return {'u', type.bits, 1}; }
Type wide(Type type) { return {type.kind, type.bits * 2, 1}; }

/// 0: to nearest, as everything else is rounded.
int rounding(const Instruction& one) { return one.has("rm") ? 1 : one.has("rp") ? 2 : one.has("rz") ? 3 : 0; }

/// Result of a float operation with what its modifiers do to it.
std::string finished(const Instruction& one, Type type, std::string expression) {
  if (type.kind == 'f' && type.bits == 32 && one.has("ftz")) expression = "Z(" + expression + ")";
  return one.has("sat") ? "sat(" + expression + ")" : expression;
}

/// f16x2 and bf16x2: the same on both halves. `body` speaks of floats x, y, z.
void in_pairs(Emitter& e, const Instruction& one, Type type, const std::string& body) {
  const std::string from = type.kind == 'h' ? "H" : "BF", to = type.kind == 'h' ? "HB" : "BB";
  std::string operands;
  for (std::size_t i = 1; i < 4; ++i)
    operands += i < one.operands.size() ? e.value(one.operands[i], type) + ", " : "0u, ";
  const auto result = one.has("sat") ? "sat((float)(" + body + "))" : body;
  e.set(one.operands[0], type,
        fmt::format("pairs({}[](u16 a, u16 b, u16 c) {{ const float x = {}(a), y = {}(b), z = {}(c); (void)y; (void)z; "
                    "return {}({}); }})",
                    operands, from, from, from, to, result));
}

void in_direction(Emitter& e, const Instruction& one, const std::string& op) {
  const auto type = one.type();
  if (type.kind != 'f') return e.refuse(one.words() + " is not emulated");
  std::string operands;
  for (std::size_t i = 1; i < 4; ++i)
    operands +=
        ", " + (i < one.operands.size() ? e.value(one.operands[i], type, one.has("ftz")) : c_type(type) + "(1)");
  e.set(one.operands[0], type,
        finished(one, type, fmt::format("directed<{}>({}, {}{})", c_type(type), rounding(one), op, operands)));
}

void two_operands(Emitter& e, const Instruction& one, const std::string& op) {
  const auto type = one.type();
  if (type.is_float() && rounding(one) != 0)
    return in_direction(e, one, op == "+" ? "kAdd" : op == "-" ? "kSubtract" : "kMultiply");
  if (type.lanes == 2) return in_pairs(e, one, type, "x " + op + " y");
  const bool flush = one.has("ftz");
  const auto a = e.value(one.operands[1], type, flush), b = e.value(one.operands[2], type, flush);
  if (type.is_float()) return e.set(one.operands[0], type, finished(one, type, a + " " + op + " " + b));
  const auto u = unsigned_of(type);
  if (one.has("sat")) return e.set(one.operands[0], type, fmt::format("clamp_int<s32>((s64){} {} (s64){})", a, op, b));
  e.set(one.operands[0], u, e.value(one.operands[1], u) + " " + op + " " + e.value(one.operands[2], u));
}

/// With the carry in and out that chains of additions keep.
void with_carry(Emitter& e, const Instruction& one, bool subtracts, bool takes) {
  const auto u = unsigned_of(one.type());
  const auto a = e.value(one.operands[1], u), b = e.value(one.operands[2], u);
  e.line(fmt::format("{{ const unsigned __int128 a_ = {}, b_ = {}, c_ = {};", a, b, takes ? "cc" : "0"));
  e.line(subtracts ? "const unsigned __int128 r_ = a_ - b_ - c_;" : "const unsigned __int128 r_ = a_ + b_ + c_;");
  e.set(one.operands[0], u, "r_");
  if (one.has("cc"))
    e.line(subtracts ? "cc = a_ < b_ + c_; }" : fmt::format("cc = (r_ >> {}) & 1; }}", u.bits));
  else
    e.line("}");
}

void add(Emitter& e, const Instruction& one) {
  if (one.has("cc")) return with_carry(e, one, false, false);
  two_operands(e, one, "+");
}
void sub(Emitter& e, const Instruction& one) {
  if (one.has("cc")) return with_carry(e, one, true, false);
  two_operands(e, one, "-");
}
void addc(Emitter& e, const Instruction& one) { with_carry(e, one, false, true); }
void subc(Emitter& e, const Instruction& one) { with_carry(e, one, true, true); }

std::string product(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (one.has("wide"))
    return fmt::format("({}){} * ({}){}", c_type(wide(type)), e.value(one.operands[1], type), c_type(wide(type)),
                       e.value(one.operands[2], type));
  if (one.has("hi")) {
    const std::string twice =
        type.bits == 64 ? (type.kind == 's' ? "__int128" : "unsigned __int128") : c_type(wide(type));
    return fmt::format("({})((({}){} * ({}){}) >> {})", c_type(type), twice, e.value(one.operands[1], type), twice,
                       e.value(one.operands[2], type), type.bits);
  }
  const auto u = unsigned_of(type);
  const auto one_side = [&](std::size_t i) { return (u.bits == 16 ? "(u32)" : "") + e.value(one.operands[i], u); };
  return one_side(1) + " * " + one_side(2);
}

void mul(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.is_float()) return two_operands(e, one, "*");
  e.set(one.operands[0], one.has("wide") ? wide(type) : type, product(e, one));
}
void mul24(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  const auto side = [&](std::size_t i) {
    return type.kind == 's' ? fmt::format("(s64)(s32)({} << 8 >> 8)", e.value(one.operands[i], type))
                            : fmt::format("(s64)({} & 0xFFFFFF)", e.value(one.operands[i], type));
  };
  auto result = fmt::format("(({} * {}) >> {})", side(1), side(2), one.has("hi") ? 16 : 0);
  if (one.opcode == "mad24") result += " + " + e.value(one.operands[3], type);
  e.set(one.operands[0], {'u', 32, 1}, result);
}

void fma(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (rounding(one) != 0) return in_direction(e, one, "kFma");
  const bool relu = one.has("relu");
  if (type.lanes == 2) return in_pairs(e, one, type, relu ? "maxf((double)x * y + z, 0)" : "(double)x * y + z");
  const bool flush = one.has("ftz");
  const auto a = e.value(one.operands[1], type, flush), b = e.value(one.operands[2], type, flush),
             c = e.value(one.operands[3], type, flush);
  if (type.kind == 'f')
    return e.set(one.operands[0], type,
                 finished(one, type, fmt::format("__builtin_fma{}({}, {}, {})", type.bits == 32 ? "f" : "", a, b, c)));
  e.set(one.operands[0], type, finished(one, type, fmt::format("((double){} * {} + {})", a, b, c)));
}

void mad(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.is_float()) return fma(e, one);
  if (one.has("cc") || one.opcode == "madc") return e.refuse(one.words() + " is not emulated");
  const auto result = one.has("wide") ? wide(type) : type;
  e.set(one.operands[0], result, product(e, one) + " + " + e.value(one.operands[3], unsigned_of(result)));
}

void divide(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  const bool flush = one.has("ftz");
  const auto a = e.value(one.operands[1], type, flush), b = e.value(one.operands[2], type, flush);
  if (type.is_float()) {
    if (rounding(one) != 0) return in_direction(e, one, "kDivide");
    return e.set(one.operands[0], type, finished(one, type, a + " / " + b));
  }
  // A device gives some number where this processor would stop.
  const bool rest = one.opcode == "rem";
  const auto all_ones = fmt::format("({})-1", c_type(type));
  if (type.kind == 's')
    return e.set(one.operands[0], type,
                 fmt::format("{1} == 0 ? {2} : {1} == -1 ? ({3})({4}) : {0} {5} {1}", a, b, rest ? a : all_ones,
                             c_type(type), rest ? "0" : "-(u64)" + a, rest ? "%" : "/"));
  e.set(one.operands[0], type,
        fmt::format("{1} == 0 ? {2} : {0} {3} {1}", a, b, rest ? a : all_ones, rest ? "%" : "/"));
}

void least_or_most(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  const std::string f = one.opcode == "min" ? "minf" : "maxf";
  if (type.lanes == 2) {
    if (type.kind == 'h' || type.kind == 'g') return in_pairs(e, one, type, f + "(x, y)");
    return e.refuse(one.words() + " is not emulated");
  }
  const bool flush = one.has("ftz");
  const auto a = e.value(one.operands[1], type, flush), b = e.value(one.operands[2], type, flush);
  if (type.kind == 'f' && type.bits == 64)
    return e.set(one.operands[0], type, fmt::format("__builtin_f{}({}, {})", one.opcode, a, b));
  if (type.is_float()) {
    auto result = f + "(" + a + ", " + b + ")";
    if (one.has("NaN")) result = fmt::format("({0} != {0} || {1} != {1} ? __builtin_nanf(\"\") : {2})", a, b, result);
    return e.set(one.operands[0], type, finished(one, type, result));
  }
  e.set(one.operands[0], type, fmt::format("{0} {2} {1} ? {0} : {1}", a, b, one.opcode == "min" ? "<" : ">"));
}

void absolute(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.lanes == 2) return in_pairs(e, one, type, "__builtin_fabsf(x)");
  const auto a = e.value(one.operands[1], type, one.has("ftz"));
  if (type.is_float())
    return e.set(one.operands[0], type, fmt::format("__builtin_fabs{}({})", type.bits == 64 ? "" : "f", a));
  e.set(one.operands[0], type, fmt::format("{0} < 0 ? -(u64){0} : {0}", a));
}
void negate(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.lanes == 2) return in_pairs(e, one, type, "-x");
  const auto a = e.value(one.operands[1], type, one.has("ftz"));
  e.set(one.operands[0], type, type.is_float() ? "-" + a : "-(u64)" + a);
}
void copysign(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  e.set(one.operands[0], type,
        fmt::format("__builtin_copysign{}({}, {})", type.bits == 64 ? "" : "f", e.value(one.operands[2], type),
                    e.value(one.operands[1], type)));
}

void of_one_float(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (rounding(one) != 0 && one.opcode == "sqrt") return in_direction(e, one, "kRoot");
  if (rounding(one) != 0) return e.refuse(one.words() + ": only rounding to nearest is emulated");
  static const std::map<std::string_view, std::string_view> functions = {
      {"sqrt", "__builtin_sqrt{}({})"}, {"rsqrt", "1 / __builtin_sqrt{}({})"}, {"rcp", "1 / ({1})"},
      {"sin", "__builtin_sin{}({})"},   {"cos", "__builtin_cos{}({})"},        {"ex2", "__builtin_exp2{}({})"},
      {"lg2", "__builtin_log2{}({})"},  {"tanh", "__builtin_tanh{}({})"}};
  const auto& form = functions.at(one.opcode);
  const std::string suffix = type.bits == 64 ? "" : "f";
  if (type.lanes == 2) return in_pairs(e, one, type, fmt::format(fmt::runtime(form), suffix, "x"));
  e.set(one.operands[0], type,
        finished(one, type, fmt::format(fmt::runtime(form), suffix, e.value(one.operands[1], type, one.has("ftz")))));
}

void bitwise(Emitter& e, const Instruction& one) {
  static const std::map<std::string_view, std::string_view> signs = {{"and", "&"}, {"or", "|"}, {"xor", "^"}};
  const auto type = one.type();
  e.set(one.operands[0], type,
        fmt::format("{} {} {}", e.value(one.operands[1], type), signs.at(one.opcode), e.value(one.operands[2], type)));
}
void bitwise_not(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  e.set(one.operands[0], type, (type.kind == 'p' ? "!" : "~") + e.value(one.operands[1], type));
}
void logical_not(Emitter& e, const Instruction& one) {
  e.set(one.operands[0], one.type(), e.value(one.operands[1], one.type()) + " == 0 ? 1 : 0");
}
void shift(Emitter& e, const Instruction& one) {
  auto type = one.type();
  if (type.kind == 'b') type.kind = 'u';
  e.set(one.operands[0], type,
        fmt::format("{}<{}>({}, {})", one.opcode, c_type(type), e.value(one.operands[1], type),
                    e.value(one.operands[2], {'u', 32, 1})));
}
void funnel(Emitter& e, const Instruction& one) {
  const Type word{'u', 32, 1};
  e.set(one.operands[0], word,
        fmt::format("shf({}, {}, {}, {}, {})", one.has("l"), one.has("clamp"), e.value(one.operands[1], word),
                    e.value(one.operands[2], word), e.value(one.operands[3], word)));
}

/// name<T>(operands...), the ones behind the first as 32 bits.
void of_bits(Emitter& e, const Instruction& one) {
  auto type = one.type();
  if (type.kind == 'b') type.kind = 'u';
  const Type word{'u', 32, 1};
  const auto value = [&](std::size_t i, Type as) { return e.value(one.operands[i], as); };
  if (one.opcode == "bfe")
    return e.set(one.operands[0], type,
                 fmt::format("bfe<{}>({}, {}, {})", c_type(type), value(1, type), value(2, word), value(3, word)));
  if (one.opcode == "bfi")
    return e.set(one.operands[0], type,
                 fmt::format("bfi<{}>({}, {}, {}, {})", c_type(type), value(1, type), value(2, type), value(3, word),
                             value(4, word)));
  if (one.opcode == "bfind")
    return e.set(one.operands[0], word,
                 fmt::format("bfind<{}>({}, {})", c_type(type), value(1, type), one.has("shiftamt")));
  if (one.opcode == "brev")
    return e.set(one.operands[0], type, fmt::format("brev<{}>({})", c_type(type), value(1, type)));
  if (one.opcode == "popc") return e.set(one.operands[0], word, "__builtin_popcountll(" + value(1, type) + ")");
  e.set(one.operands[0], word,
        fmt::format("{0} == 0 ? {1} : __builtin_clzll((u64){0}) - {2}", value(1, type), type.bits, 64 - type.bits));
}

void lookup(Emitter& e, const Instruction& one) {
  const Type word{'u', 32, 1};
  const auto value = [&](std::size_t i) { return e.value(one.operands[i], word); };
  if (one.opcode == "prmt") {
    if (one.parts.size() > 1) return e.refuse(one.words() + " is not emulated");
    return e.set(one.operands[0], word, fmt::format("prmt({}, {}, {})", value(1), value(2), value(3)));
  }
  e.set(one.operands[0], word, fmt::format("lop3({}, {}, {}, {})", value(1), value(2), value(3), value(4)));
}

void dot(Emitter& e, const Instruction& one) {
  const Type word{'u', 32, 1};
  e.set(one.operands[0], word,
        fmt::format("dp4({}, {}, {}, {}, {})", e.value(one.operands[3], {'s', 32, 1}), e.value(one.operands[1], word),
                    e.value(one.operands[2], word), one.parts[0] == "s32", one.parts.back() == "s32"));
}
void sum_of_differences(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  e.set(one.operands[0], type,
        fmt::format("({0} < {1} ? {1} - {0} : {0} - {1}) + {2}", e.value(one.operands[1], type),
                    e.value(one.operands[2], type), e.value(one.operands[3], type)));
}

/// "lt" of ints; "ltu" of floats is true for numbers that are none.
std::string compared(Emitter& e, const Instruction& one, Type type, const std::string& comparison) {
  const bool flush = one.has("ftz");
  const auto a = e.value(one.operands[1], type, flush), b = e.value(one.operands[2], type, flush);
  static const std::map<std::string, std::string> signs = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="},
                                                           {"gt", ">"},  {"ge", ">="}, {"lo", "<"}, {"ls", "<="},
                                                           {"hi", ">"},  {"hs", ">="}};
  if (type.is_float()) {
    const auto unordered = fmt::format("({0} != {0} || {1} != {1})", a, b);
    if (comparison == "nan") return unordered;
    if (comparison == "num") return "!" + unordered;
    if (comparison == "ne") return fmt::format("(!{} && {} != {})", unordered, a, b);
    if (comparison.size() == 3 && comparison.ends_with('u'))
      return fmt::format("({} || {} {} {})", unordered, a, signs.at(comparison.substr(0, 2)), b);
  }
  const auto sign = signs.find(comparison);
  if (sign == signs.end()) {
    e.refuse("the comparison " + comparison);
    return "false";
  }
  return fmt::format("({} {} {})", a, sign->second, b);
}

std::string combined(Emitter& e, const Instruction& one, const std::string& result) {
  if (one.operands.size() < 4 || one.parts.size() < 2) return result;
  const auto c = e.value(one.operands[3], {'p', 1, 1});
  if (one.parts[1] == "and") return "(" + result + " && " + c + ")";
  if (one.parts[1] == "or") return "(" + result + " || " + c + ")";
  return "(" + result + " != " + c + ")";
}

void setp(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.lanes == 2) return e.refuse(one.words() + " is not emulated");
  const auto result = compared(e, one, type, one.parts[0]);
  if (one.operands[0].second.empty()) return e.set(one.operands[0], {'p', 1, 1}, combined(e, one, result));
  e.line("{ const bool first_ = " + combined(e, one, result) + ", second_ = " + combined(e, one, "!" + result) + ";");
  e.set(one.operands[0], {'p', 1, 1}, "first_");
  e.set(one.operands[0].second[0], {'p', 1, 1}, "second_");
  e.line("}");
}
void set(Emitter& e, const Instruction& one) {
  const auto to = one.type_before().value_or(Type{'u', 32, 1});
  if (to.lanes == 2 || one.type().lanes == 2) return e.refuse(one.words() + " is not emulated");
  const auto result = combined(e, one, compared(e, one, one.type(), one.parts[0]));
  e.set(one.operands[0], to, result + (to.is_float() ? " ? 1.0f : 0.0f" : " ? -1 : 0"));
}
void selp(Emitter& e, const Instruction& one) {
  const Type bits{'b', std::max(one.type().bits, 8), 1};
  e.set(one.operands[0], bits,
        fmt::format("{} ? {} : {}", e.value(one.operands[3], {'p', 1, 1}), e.value(one.operands[1], bits),
                    e.value(one.operands[2], bits)));
}
void slct(Emitter& e, const Instruction& one) {
  const auto type = one.type_before().value_or(Type{});
  const Type bits{'b', type.bits, 1};
  e.set(one.operands[0], bits,
        fmt::format("{} >= 0 ? {} : {}", e.value(one.operands[3], one.type()), e.value(one.operands[1], bits),
                    e.value(one.operands[2], bits)));
}
void testp(Emitter& e, const Instruction& one) {
  const auto a = e.value(one.operands[1], one.type());
  const auto& kind = one.parts[0];
  const std::string text = kind == "finite"       ? "__builtin_isfinite({0})"
                           : kind == "infinite"   ? "__builtin_isinf({0})"
                           : kind == "number"     ? "!__builtin_isnan({0})"
                           : kind == "notanumber" ? "__builtin_isnan({0})"
                           : kind == "normal"     ? "__builtin_isnormal({0})"
                                                  : "({0} != 0 && __builtin_isfinite({0}) && !__builtin_isnormal({0}))";
  e.set(one.operands[0], {'p', 1, 1}, fmt::format(fmt::runtime(text), a));
}

}  // namespace

const Handlers& arithmetic() {
  static const Handlers all = {
      {"add", add},
      {"sub", sub},
      {"addc", addc},
      {"subc", subc},
      {"mul", mul},
      {"mul24", mul24},
      {"mad24", mul24},
      {"mad", mad},
      {"madc", mad},
      {"fma", fma},
      {"div", divide},
      {"rem", divide},
      {"min", least_or_most},
      {"max", least_or_most},
      {"abs", absolute},
      {"neg", negate},
      {"copysign", copysign},
      {"sqrt", of_one_float},
      {"rsqrt", of_one_float},
      {"rcp", of_one_float},
      {"sin", of_one_float},
      {"cos", of_one_float},
      {"ex2", of_one_float},
      {"lg2", of_one_float},
      {"tanh", of_one_float},
      {"and", bitwise},
      {"or", bitwise},
      {"xor", bitwise},
      {"not", bitwise_not},
      {"cnot", logical_not},
      {"shl", shift},
      {"shr", shift},
      {"shf", funnel},
      {"bfe", of_bits},
      {"bfi", of_bits},
      {"bfind", of_bits},
      {"brev", of_bits},
      {"popc", of_bits},
      {"clz", of_bits},
      {"prmt", lookup},
      {"lop3", lookup},
      {"dp4a", dot},
      {"sad", sum_of_differences},
      {"setp", setp},
      {"set", set},
      {"selp", selp},
      {"slct", slct},
      {"testp", testp},
  };
  return all;
}

}  // namespace hone::emulator::ptx
