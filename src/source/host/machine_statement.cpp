#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

bool never_returns(const std::string& name) {
  static const std::set<std::string> names = {"exit",
                                              "abort",
                                              "_exit",
                                              "_Exit",
                                              "quick_exit",
                                              "std::exit",
                                              "std::abort",
                                              "std::terminate",
                                              "std::quick_exit",
                                              "__assert_fail",
                                              "err",
                                              "errx",
                                              "longjmp",
                                              "std::rethrow_exception"};
  return names.contains(name);
}

}  // namespace

Machine::Flow Machine::exec(const Node& node) {
  if (gave_up() || depth_ > limits_.depth) return Flow::Leave;
  switch (node.kind) {
    case Kind::Nothing: return Flow::Next;
    case Kind::Block: return block(node);
    case Kind::Try: {
      const auto flow = block(node);
      if (flow != Flow::Leave || over_) return flow;
      left_ = false;  // thrown and caught
      return Flow::Next;
    }
    case Kind::Declare: declare(node); return left_ ? Flow::Leave : Flow::Next;
    case Kind::If: return branch(node);
    case Kind::For:
    case Kind::While:
    case Kind::Do:
    case Kind::RangeFor: {
      ++depth_;
      const auto flow = loop(node);
      --depth_;
      return flow;
    }
    case Kind::Switch: return switch_over(node);
    case Kind::Case:
    case Kind::Default: return Flow::Next;
    case Kind::Return: {
      HostValue value;
      if (!node.parts.empty()) {
        const auto place = current_function().returns_reference ? locate(node.parts[0]) : std::nullopt;
        value = place ? reference(*place) : eval(node.parts[0]);
      }
      if (left_) return Flow::Leave;
      auto& now = frames_.back();
      if (!now.has_returned) now.returned = std::move(value);
      now.has_returned = true;
      return Flow::Return;
    }
    case Kind::Break: return Flow::Break;
    case Kind::Continue: return Flow::Continue;
    case Kind::Throw: return Flow::Leave;
    case Kind::Comma: {
      for (const auto& part : node.parts) {
        if (const auto flow = exec(part); flow != Flow::Next) return flow;
      }
      return Flow::Next;
    }
    case Kind::Opaque: opaque(node); return Flow::Next;
    default: break;
  }
  if (node.kind == Kind::Call && never_returns(node.text)) return Flow::Leave;
  eval(node);
  return left_ ? Flow::Leave : Flow::Next;
}

Machine::Flow Machine::block(const Node& node) {
  ++depth_;
  Flow flow = Flow::Next;
  for (const auto& part : node.parts) {
    flow = exec(part);
    if (flow != Flow::Next) break;
  }
  --depth_;
  return flow;
}

/// The elements of an array of objects, each with its own parts.
HostValue Machine::each_constructed(const Node& initial, const Location& at, std::int64_t count) {
  constexpr std::int64_t most = 64;
  memory_.store(at, array());
  for (std::int64_t i = 0; i < std::min(count, most); ++i)
    memory_.store(at.element(i), construct(initial, at.element(i)));
  return memory_.load(at);
}

void Machine::declare(const Node& node) {
  const auto unit = current_unit();
  const auto& decl = program_.unit(unit).decls[static_cast<std::size_t>(node.decl)];
  const auto* type = type_of(node);
  if (decl.is_static) {
    const auto key = std::pair(unit, node.decl);
    if (const auto found = statics_.find(key); found != statics_.end()) {
      frames_.back().names[node.decl] = found->second;
      return;
    }
  }
  if (type != nullptr && type->kind == Type::Kind::Reference && !node.parts.empty()) {
    auto at = locate(node.parts[0]);
    if (!at) at = temporary(eval(node.parts[0]));
    frames_.back().names[node.decl] = *at;
    return;
  }
  const auto outer = naming_;
  naming_ = decl.name;
  const auto slot = make(HostValue{});
  const Location at{slot, {}, false};
  slot_names_[slot] = decl.name;
  if (!node.parts.empty() && node.parts[0].kind == Kind::Construct) frames_.back().names[node.decl] = at;
  HostValue value;
  if (node.parts.empty()) {
    value = type == nullptr ? unknown(decl.name + " was given no value")
            : type->kind == Type::Kind::Record || type->kind == Type::Kind::Array
                ? (decl.is_static                     ? zero_of(unit, node.type)
                   : type->kind == Type::Kind::Record ? default_object(type->name)
                                                      : array())
            : decl.is_static ? zero_of(unit, node.type)
                             : unknown(decl.name + " was given no value");
  } else if (node.parts[0].kind == Kind::Construct && type != nullptr && type->kind == Type::Kind::Array) {
    value = each_constructed(node.parts[0], at, type->count);
  } else if (node.parts[0].kind == Kind::Construct) {
    value = construct(node.parts[0], at);
  } else {
    value = convert(eval(node.parts[0]), type);
    if (type != nullptr && type->kind == Type::Kind::Array && value.is(VK::Array) && type->count > 0 &&
        !value.parts->rest && value.parts->elements.size() < static_cast<std::size_t>(type->count)) {
      auto parts = std::make_shared<Parts>(*value.parts);
      parts->rest = number(0);
      value.parts = std::move(parts);
    }
    value = literal_as_symbol(node, node.parts[0], std::move(value), node.decl, decl.changes || decl.is_constant,
                              decl.name);
  }
  naming_ = outer;
  frames_.back().names[node.decl] = at;
  if (decl.is_static) statics_[{unit, node.decl}] = at;
  store(at, std::move(value));
}

/// A way that ends in an error, an exit or a return is not the one that launches.
bool Machine::leaves(const Node& node, int depth) const {
  if (depth > 12) return false;
  switch (node.kind) {
    case Kind::Return:
    case Kind::Throw: return true;
    case Kind::Block:
    case Kind::Comma:
    case Kind::Try:
      for (const auto& part : node.parts) {
        if (leaves(part, depth + 1)) return true;
      }
      return false;
    case Kind::Call: {
      if (never_returns(node.text)) return true;
      if (node.function < 0) return false;
      const auto ref = program_.definition(current_unit(), node.function);
      if (!ref.found() || depth > 6) return false;
      const auto& body = program_.function(ref).body;
      if (body.parts.empty()) return false;
      const auto& last = body.parts.back();
      return (last.kind == Kind::Call || last.kind == Kind::Throw) && leaves(last, depth + 6);
    }
    default: return false;
  }
}

std::optional<bool> Machine::assumed(const Node&, const Node* then_part, const Node* else_part) const {
  const bool then_leaves = then_part != nullptr && leaves(*then_part);
  const bool else_leaves = else_part != nullptr && leaves(*else_part);
  if (then_leaves && !else_leaves) return false;
  if (else_leaves && !then_leaves) return true;
  return std::nullopt;
}

Memory Machine::aside(const std::function<void()>& run) {
  const Memory before = memory_;
  const auto frame = frames_.back();
  std::vector<Event> nowhere;
  auto* const outer = events_;
  const auto sites = trace_.sites.size();
  const auto notes = trace_.notes.size();
  events_ = &nowhere;
  run();
  events_ = outer;
  left_ = false;
  trace_.sites.resize(std::min(sites, trace_.sites.size()));
  trace_.notes.resize(std::min(notes, trace_.notes.size()));
  frames_.back() = frame;
  return std::exchange(memory_, before);
}

/// An input's first value decided which way was taken. Where the other way leaves another number, the number says both
/// ways from now on; where it leaves anything else, what is there holds for that first value only.
void Machine::weigh(const Memory& before, const Node* passed_by,
                    const std::function<HostValue(const HostValue&, const HostValue&)>& settled) {
  if (depth_ > limits_.depth / 2 || over_) return;
  if (quiet_limit_ != 0) steps_ += 60;  // copies everything: a loop may not do it often
  Memory other = before;
  if (passed_by != nullptr) {
    Memory taken = std::exchange(memory_, before);
    memory_.begin_after(taken);
    other = aside([&] { exec(*passed_by); });
    memory_ = std::move(taken);
  }
  auto places = memory_.written_since(before.journal());
  const auto others = other.written_since(before.journal());
  places.insert(places.end(), others.begin(), others.end());
  for (const auto& at : places) {
    if (!before.has(at.slot)) continue;
    const auto here = memory_.load(at), there = other.load(at);
    if (!here.is(HostValue::Kind::Unknown) && !same(here, there)) memory_.store(at, settled(here, there));
  }
}

/// What a run without arguments does not come by still says what a variable would be called that has no value yet.
void Machine::peek(const Node& node) {
  if (depth_ > limits_.depth / 2 || over_) return;
  const Memory before = memory_;
  const Memory after = aside([&] { exec(node); });
  for (const auto& [name, value] : memory_.fill_from(after, before.size())) {
    trace_.symbols[name] = value;
    trace_.symbol_provenance[name].kind = Provenance::Kind::Seen;
  }
}

/// A usual device decides. Where another one would leave something else, what is there was not seen.
Machine::Flow Machine::by_device(const Node* taken, const Node* passed_by) {
  const Memory before = memory_;
  const auto flow = taken != nullptr ? exec(*taken) : Flow::Next;
  if (flow != Flow::Next) return flow;
  weigh(before, passed_by, [](const HostValue& here, const HostValue&) {
    auto out = here;
    out.from = std::max(out.from, Provenance::Kind::Inferred);
    out.device = out.device || out.is(VK::Number);
    return out;
  });
  return flow;
}

/// The way that is not taken launches something: what it would launch is known as far as everything in front of it is,
/// and is launched when the condition says otherwise. Nothing else of it stays.
void Machine::see_launches(const Node& passed_by, const Node& condition, bool holds) {
  if (depth_ > limits_.depth / 2 || over_ || quiet_limit_ != 0 || !passed_by_.insert(&passed_by).second) return;
  const auto written = source_of(condition);
  const auto outer = std::exchange(
      condition_, (holds ? "only if " : "only unless ") + (written.empty() ? "a condition holds" : written));
  const auto began = events_->size();
  const auto steps_of_host = trace_.host_steps.size();
  const auto read_back = last_read_back_;
  const auto undecided = undecided_exit_;
  const Memory before = memory_;
  const auto frame = frames_.back();
  ++passing_by_;
  exec(passed_by);
  --passing_by_;
  frames_.back() = frame;
  memory_ = before;
  left_ = false;
  undecided_exit_ = undecided;
  last_read_back_ = read_back;
  trace_.host_steps.resize(std::min(steps_of_host, trace_.host_steps.size()));
  condition_ = outer;
  const auto first = events_->begin() + static_cast<std::ptrdiff_t>(std::min(began, events_->size()));
  events_->erase(std::remove_if(first, events_->end(),
                                [](const Event& event) {
                                  return event.kind != Event::Kind::Launch && event.kind != Event::Kind::Loop;
                                }),
                 events_->end());
}

Machine::Flow Machine::branch(const Node& node) {
  const auto condition = eval(node.parts[0]);
  const auto& then_part = node.parts[1];
  const Node* else_part = node.parts.size() > 2 && node.parts[2].kind != Kind::Nothing ? &node.parts[2] : nullptr;
  auto truth = condition.truth();
  if (!truth) truth = assumed(node.parts[0], &then_part, else_part);
  if (truth && condition.input) {  // a program that ends without arguments is meant to get some
    const Node* chosen = *truth ? &then_part : else_part;
    const Node* other = *truth ? else_part : &then_part;
    const bool ends = chosen != nullptr && leaves(*chosen) && !program_.launches(current_unit(), *chosen);
    if (ends && (other == nullptr || !leaves(*other))) truth = !*truth;
  }
  if (truth) {
    const Node* passed_by = *truth ? else_part : &then_part;
    if (condition.input && passed_by != nullptr && !leaves(*passed_by) &&
        !program_.launches(current_unit(), *passed_by))
      peek(*passed_by);
    const auto test = test_of(condition);
    const bool can_weigh =
        test && (passed_by == nullptr || (!leaves(*passed_by) && !program_.launches(current_unit(), *passed_by)));
    if (passed_by != nullptr && program_.launches(current_unit(), *passed_by))
      see_launches(*passed_by, node.parts[0], !*truth);
    const auto before = can_weigh ? std::optional(memory_) : std::nullopt;
    const Node* taken = *truth ? &then_part : else_part;
    const auto flow = taken != nullptr ? exec(*taken) : Flow::Next;
    if (before && flow == Flow::Next)
      weigh(*before, passed_by,
            [&](const HostValue& here, const HostValue& there) { return chosen(*test, *truth, here, there); });
    return flow;
  }
  if (condition.device && condition.whole()) {
    const Node* taken = *condition.whole() != 0 ? &then_part : else_part;
    const Node* passed_by = *condition.whole() != 0 ? else_part : &then_part;
    if (passed_by == nullptr || !program_.launches(current_unit(), *passed_by)) return by_device(taken, passed_by);
  }
  return both_ways(
      node, condition, [&] { return exec(then_part); },
      [&] { return else_part != nullptr ? exec(*else_part) : Flow::Next; });
}

Machine::Flow Machine::both_ways(const Node& node, const HostValue& condition, const std::function<Flow()>& first,
                                 const std::function<Flow()>& second) {
  if (++depth_ > limits_.depth) {
    --depth_;
    return Flow::Leave;
  }
  if (quiet_limit_ != 0) steps_ += 60;  // copies everything: a loop may not do it often
  const auto outer_condition = condition_;
  const auto written = node.parts.empty() ? std::string() : source_of(node.parts[0]);
  const Memory before = memory_;
  const auto names = frames_.back().names;
  const auto returned = frames_.back().returned;
  const bool has_returned = frames_.back().has_returned;
  const auto common = before.size();
  const auto journal = before.journal();
  const auto why = condition.input ? "if the program's arguments make " : "if ";
  condition_ =
      "only " + std::string(why) + (written.empty() ? "a condition" : written) + (condition.input ? " true" : "");
  const auto flow_first = first();
  left_ = false;
  Memory after_first = std::move(memory_);
  const auto returned_first = frames_.back().returned;
  const bool has_first = frames_.back().has_returned;
  const auto names_first = frames_.back().names;
  memory_ = before;
  memory_.begin_after(after_first);
  frames_.back().names = names;
  frames_.back().returned = returned;
  frames_.back().has_returned = has_returned;
  condition_ = "only unless " + (written.empty() ? "a condition holds" : written);
  const auto flow_second = second();
  left_ = flow_first == Flow::Leave && flow_second == Flow::Leave;
  condition_ = outer_condition;
  --depth_;
  if ((flow_first == Flow::Break) != (flow_second == Flow::Break) && flow_first != Flow::Leave &&
      flow_second != Flow::Leave)
    undecided_exit_ = true;
  if (flow_first == Flow::Leave && flow_second != Flow::Leave) {
    auto& names_now = frames_.back().names;
    for (const auto& [decl, at] : names_first) names_now.try_emplace(decl, at);
    return flow_second;  // the first way ended; only the second goes on
  }
  if (flow_second == Flow::Leave && flow_first != Flow::Leave) {
    memory_ = std::move(after_first);
    frames_.back().names = names_first;
    frames_.back().returned = returned_first;
    frames_.back().has_returned = has_first;
    return flow_first;
  }
  if (has_first != frames_.back().has_returned) {
    // One way returned, the other goes on: what comes after is run for that one.
    if (has_first) return flow_second;
    memory_ = std::move(after_first);
    frames_.back().names = names_first;
    frames_.back().returned = returned_first;
    frames_.back().has_returned = has_first;
    return flow_first;
  }
  Memory after_second = std::move(memory_);
  memory_ = std::move(after_first);
  memory_.join(after_second, common, journal);
  for (const auto& [decl, at] : names_first) frames_.back().names.try_emplace(decl, at);
  if (has_first) frames_.back().returned = join(returned_first, frames_.back().returned);
  return flow_first == flow_second ? flow_first : Flow::Next;
}

Machine::Flow Machine::switch_over(const Node& node) {
  const auto value = eval(node.parts[0]);
  const auto run_from = [&](std::size_t from) {
    for (std::size_t i = from; i < node.parts.size(); ++i) {
      const auto flow = exec(node.parts[i]);
      if (flow == Flow::Break) return Flow::Next;
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  };
  std::size_t fallback = node.parts.size();
  std::vector<std::size_t> cases;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    if (node.parts[i].kind == Kind::Default) fallback = i;
    if (node.parts[i].kind != Kind::Case) continue;
    cases.push_back(i);
    const auto label = eval(node.parts[i].parts[0]).whole();
    if (value.whole() && !value.device && label && *label == *value.whole()) return run_from(i);
  }
  if (value.whole() && !value.device) return run_from(fallback);
  const std::function<Flow(std::size_t)> each = [&](std::size_t n) -> Flow {
    if (n >= cases.size() || n > 40) return fallback < node.parts.size() ? run_from(fallback) : Flow::Next;
    return both_ways(node, value, [&] { return run_from(cases[n]); }, [&] { return each(n + 1); });
  };
  return each(0);
}

}  // namespace hone::host
