// Jumps, calls, barriers and what the lanes of a warp do together.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "emulator/ptx/emitter.hpp"

namespace hone::emulator::ptx {
namespace {

const Type kWord{'u', 32, 1};
const Type kPredicate{'p', 1, 1};

void bra(Emitter& e, const Instruction& one) { e.line("goto " + e.label(one.operands[0].text) + ";"); }

void brx(Emitter& e, const Instruction& one) {
  const auto* targets = e.targets(one.operands[1].text);
  if (targets == nullptr) return e.refuse(one.words() + " to unknown targets");
  e.line(fmt::format("switch ({}) {{", e.value(one.operands[0], kWord)));
  for (std::size_t i = 0; i < targets->size(); ++i) e.line(fmt::format("case {}: goto {};", i, (*targets)[i]));
  e.line("}");
}

void ret(Emitter& e, const Instruction&) { e.line("goto done;"); }
void leave(Emitter& e, const Instruction& one) {
  if (!e.function().is_entry) return e.refuse(one.words() + " within a function");
  e.line("goto done;");
}
void trap(Emitter& e, const Instruction&) { e.line("t->calls->fault(t, kHoneTrap, 0, \"\");"); }

void call(Emitter& e, const Instruction& one) {
  std::vector<std::string> given;
  std::string name;
  for (const auto& operand : one.operands) {
    if (operand.kind != Operand::Kind::Vector) {
      if (!name.empty()) return e.refuse("calls through pointers");
      name = operand.text;
    } else {
      for (const auto& part : operand.parts) given.push_back("(u8*)" + e.raw(part));
    }
  }
  if (name == "vprintf")
    return e.line(fmt::format("*(int*)({}) = t->calls->print(t, *(const char**)({}), *(const u8**)({}));", given.at(0),
                              given.at(1), given.at(2)));
  if (name == "__assertfail")
    return e.line(fmt::format("t->calls->fault(t, kHoneAssert, 0, *(const char**)({}));", given.at(0)));
  const auto found = e.module().functions.find(name);
  if (found == e.module().functions.end()) return e.refuse("a call through a pointer");
  if (!found->second.is_defined) return e.refuse("the function " + name + ", which is not part of the module");
  e.call(name);
  e.line(fmt::format("f_{}(t{}{});", name, given.empty() ? "" : ", ", join(given, ", ")));
}

void warp_barrier(Emitter& e, const Instruction& one) {
  e.line(fmt::format("t->calls->exchange(t, kHoneWarpBarrier, 0, 0, 0, {});", e.value(one.operands[0], kWord)));
}

void bar(Emitter& e, const Instruction& one) {
  if (one.has("warp")) return warp_barrier(e, one);
  if (one.has("cluster") || one.has("arrive")) return e.refuse(one.words() + " is not emulated");
  const auto id = [&](std::size_t at) {
    return at < one.operands.size() ? e.value(one.operands[at], kWord) : std::string("0");
  };
  if (!one.has("red")) return e.line(fmt::format("t->calls->barrier(t, {}, {});", id(0), id(1)));
  const auto& value = one.operands.back();
  const auto threads = one.operands.size() > 3 ? id(2) : std::string("0");
  const int kind = one.has("popc") ? 0 : one.has("and") ? 1 : 2;
  e.set(one.operands[0], kind == 0 ? kWord : kPredicate,
        fmt::format("t->calls->barrier_reduce(t, {}, {}, {}, {})", id(1), threads, kind, e.value(value, kPredicate)));
}

void fence(Emitter& e, const Instruction& one) {
  if (one.has("proxy") || one.has("cluster")) return e.refuse(one.words() + " is not emulated");
  e.line("t->calls->yield(t);");
}

void shfl(Emitter& e, const Instruction& one) {
  static const std::map<std::string_view, std::string_view> kinds = {
      {"up", "kHoneUp"}, {"down", "kHoneDown"}, {"bfly", "kHoneButterfly"}, {"idx", "kHoneIndex"}};
  const auto kind = std::ranges::find_if(one.parts, [](const auto& part) { return kinds.contains(part); });
  if (kind == one.parts.end() || one.operands.size() < 5) return e.refuse(one.words() + " without .sync");
  e.line(fmt::format("{{ const u64 x_ = t->calls->exchange(t, {}, {}, {}, {}, {});", kinds.at(*kind),
                     e.value(one.operands[1], kWord), e.value(one.operands[2], kWord), e.value(one.operands[3], kWord),
                     e.value(one.operands[4], kWord)));
  e.set(one.operands[0], kWord, "(u32)x_");
  if (!one.operands[0].second.empty()) e.set(one.operands[0].second[0], kPredicate, "(x_ >> 32) & 1");
  e.line("}");
}

void vote(Emitter& e, const Instruction& one) {
  const std::string kind = one.has("any")   ? "kHoneAny"
                           : one.has("all") ? "kHoneAll"
                           : one.has("uni") ? "kHoneUniform"
                                            : "kHoneBallot";
  if (!one.has("sync")) return e.refuse(one.words() + " without .sync");
  e.set(one.operands[0], one.has("ballot") ? kWord : kPredicate,
        fmt::format("t->calls->exchange(t, {}, {}, 0, 0, {})", kind, e.value(one.operands[1], kPredicate),
                    e.value(one.operands[2], kWord)));
}

void match(Emitter& e, const Instruction& one) {
  const bool all = one.has("all");
  e.line(fmt::format("{{ const u64 x_ = t->calls->exchange(t, {}, {}, 0, 0, {});",
                     all ? "kHoneMatchAll" : "kHoneMatchAny", e.value(one.operands[1], {'u', one.type().bits, 1}),
                     e.value(one.operands[2], kWord)));
  e.set(one.operands[0], kWord, "(u32)x_");
  if (!one.operands[0].second.empty()) e.set(one.operands[0].second[0], kPredicate, "(x_ >> 32) & 1");
  e.line("}");
}

void redux(Emitter& e, const Instruction& one) {
  const auto type = one.type();
  if (type.is_float()) return e.refuse(one.words() + " is not emulated");
  const std::string sign = type.kind == 's' ? "Signed" : "Unsigned";
  const std::string kind = one.has("add")   ? "kHoneSum"
                           : one.has("min") ? "kHoneMin" + sign
                           : one.has("max") ? "kHoneMax" + sign
                           : one.has("and") ? "kHoneAnd"
                           : one.has("or")  ? "kHoneOr"
                                            : "kHoneXor";
  e.set(one.operands[0], kWord,
        fmt::format("t->calls->exchange(t, {}, {}, 0, 0, {})", kind, e.value(one.operands[1], kWord),
                    e.value(one.operands[2], kWord)));
}

void activemask(Emitter& e, const Instruction& one) { e.set(one.operands[0], kWord, "t->calls->active(t)"); }
void nanosleep(Emitter& e, const Instruction&) { e.line("t->calls->yield(t);"); }
void nothing_done(Emitter&, const Instruction&) {}

}  // namespace

const Handlers& control() {
  static const Handlers all = {{"bra", bra},
                               {"brx", brx},
                               {"ret", ret},
                               {"exit", leave},
                               {"trap", trap},
                               {"brkpt", trap},
                               {"call", call},
                               {"bar", bar},
                               {"barrier", bar},
                               {"membar", fence},
                               {"fence", fence},
                               {"shfl", shfl},
                               {"vote", vote},
                               {"match", match},
                               {"redux", redux},
                               {"activemask", activemask},
                               {"nanosleep", nanosleep},
                               {"pmevent", nothing_done}};
  return all;
}

}  // namespace hone::emulator::ptx
