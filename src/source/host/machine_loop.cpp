#include <fmt/format.h>

#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;
constexpr std::uint64_t explored_rounds = 4;

const Node* name_below(const Node& node) {
  const Node* at = &node;
  while (at->kind == Kind::Cast && !at->parts.empty()) at = &at->parts[0];
  return at->kind == Kind::Name ? at : nullptr;
}

bool mentions_decl(const Node& node, std::int32_t decl, int depth = 0) {
  if (depth > 200) return true;
  if (node.decl == decl && node.kind == Kind::Name) return true;
  return std::ranges::any_of(node.parts, [&](const Node& part) { return mentions_decl(part, decl, depth + 1); });
}

bool changes_decl(const Node& node, std::int32_t decl, int depth = 0) {
  if (depth > 200) return true;
  if ((node.kind == Kind::Assign || node.kind == Kind::Increment) && !node.parts.empty()) {
    const auto* to = name_below(node.parts[0]);
    if (to != nullptr && to->decl == decl) return true;
  }
  if (node.kind == Kind::AddressOf && !node.parts.empty()) {
    const auto* to = name_below(node.parts[0]);
    (void)to;  // &i goes to clSetKernelArg all the time
  }
  return std::ranges::any_of(node.parts, [&](const Node& part) { return changes_decl(part, decl, depth + 1); });
}

bool appends(const Node& node, int depth = 0) {
  if (node.kind == Kind::MethodCall && (node.text == "push_back" || node.text == "emplace_back")) return true;
  return depth < 200 && std::ranges::any_of(node.parts, [&](const Node& part) { return appends(part, depth + 1); });
}

/// fgets, fscanf, getline, `stream >> word`: how often it runs is what a file says, and so is what it sets.
bool reads_text(const Node& node, int depth = 0) {
  static const std::vector<std::string> words = {"fgets", "gets",    "fscanf", "sscanf",
                                                 "scanf", "getline", "fread",  "std::getline"};
  const bool call = node.kind == Kind::Call || node.kind == Kind::MethodCall;
  if (call && std::ranges::find(words, node.text) != words.end()) return true;
  if ((node.kind == Kind::Operator || call) && (node.text == ">>" || node.text == "operator>>")) return true;
  return depth < 200 && std::ranges::any_of(node.parts, [&](const Node& part) { return reads_text(part, depth + 1); });
}

/// Elements of a container whose number is known.
std::optional<std::int64_t> count_in(const HostValue& value) {
  return value.is(VK::Record) && value.parts && value.parts->size ? value.parts->size->whole() : std::nullopt;
}

}  // namespace

/// A container that gets so many elements in one round gets as many in each of them.
std::vector<std::pair<Location, HostValue>> Machine::appended_in(const HostValue& rounds,
                                                                 const std::function<void()>& one_round) {
  const Memory before = memory_;
  const auto journal = memory_.journal();
  one_round();
  std::vector<std::pair<Location, HostValue>> out;
  for (const auto& at : memory_.written_since(journal)) {
    const auto held = count_in(before.load(at)), now = count_in(memory_.load(at));
    if (!held || !now || *now <= *held) continue;
    auto size = arithmetic("+", number(*held), arithmetic("*", number(*now - *held), rounds, nullptr), nullptr);
    size.from = std::max(size.from, Provenance::Kind::Inferred);
    auto grown = memory_.load(at);
    auto parts = std::make_shared<Parts>();
    parts->size = std::move(size);
    parts->rest = unknown("appended in a loop");
    grown.parts = std::move(parts);
    out.emplace_back(at, std::move(grown));
  }
  return out;
}

Machine::Flow Machine::loop(const Node& node) {
  if (node.kind == Kind::RangeFor) return range_loop(node);
  const Node* condition = nullptr;
  const Node* step = nullptr;
  const Node* body = nullptr;
  if (node.kind == Kind::For) {
    const auto flow = exec(node.parts[0]);
    if (flow != Flow::Next) return flow;
    if (node.parts[1].kind != Kind::Nothing) condition = &node.parts[1];
    if (node.parts[2].kind != Kind::Nothing) step = &node.parts[2];
    body = &node.parts[3];
  } else if (node.kind == Kind::While) {
    condition = &node.parts[0];
    body = &node.parts[1];
  } else {
    condition = &node.parts[1];
    body = &node.parts[0];
    // do { ... } while (0), as macros write it
    if (condition->kind == Kind::Integer && condition->text == "0") {
      const auto flow = exec(*body);
      return flow == Flow::Break || flow == Flow::Continue ? Flow::Next : flow;
    }
    if (condition->kind == Kind::Cast && condition->parts[0].kind == Kind::Integer && condition->parts[0].text == "0") {
      const auto flow = exec(*body);
      return flow == Flow::Break || flow == Flow::Continue ? Flow::Next : flow;
    }
  }
  const bool body_first = node.kind == Kind::Do;
  const bool launches = program_.launches(current_unit(), *body) ||
                        (condition != nullptr && program_.launches(current_unit(), *condition));
  return launches ? launching_loop(node, condition, step, *body, body_first)
                  : quiet_loop(node, condition, step, *body, body_first);
}

/// A loop that launches nothing: run when it is short, else whatever it wrote is unknown.
Machine::Flow Machine::quiet_loop(const Node& node, const Node* condition, const Node* step, const Node& body,
                                  bool body_first) {
  const auto grown = grown_by(condition, step, body);
  const auto journal = memory_.journal();
  const auto begin = steps_;
  auto& tired = tired_[&node];
  const auto outer_limit = quiet_limit_;
  const bool sets = program_.matters(current_unit(), body);
  const auto most = sets ? limits_.steps_a_setting_loop : limits_.steps_a_quiet_loop;
  const auto mine = tired > 1 ? most / 20 : most;
  quiet_limit_ = outer_limit == 0 ? begin + mine : std::min(outer_limit, begin + mine);
  std::string why;
  bool input = false;
  Flow flow = Flow::Next;
  for (bool first = true;; first = false) {
    if (over_) break;
    if (condition != nullptr && !(first && body_first)) {
      const auto value = eval(*condition);
      const auto truth = value.truth();
      if (truth && !*truth) {
        if (first && value.input) peek(body);
        break;
      }
      if (!truth) {
        why = value.is(VK::Unknown) && !value.text.empty() ? value.text : "how long is not known";
        input = value.input;
        break;
      }
    }
    if (steps_ > quiet_limit_) {
      why = "it is long";
      break;
    }
    flow = exec(body);
    if (flow == Flow::Break) {
      flow = Flow::Next;
      break;
    }
    if (flow == Flow::Return || flow == Flow::Leave) break;
    flow = Flow::Next;
    if (step != nullptr) eval(*step);
  }
  quiet_limit_ = outer_limit;
  if (flow == Flow::Return && why.empty()) return flow;
  if (flow == Flow::Leave) {
    left_ = false;
    why = "an error ends it";
  }
  if (why.empty()) return Flow::Next;
  if (input || why != "it is long") {
    // Perhaps not at all, perhaps several times: once, beside not at all.
    const auto undecided = [&] {
      auto v = unknown(why);
      v.input = input;
      return v;
    }();
    const auto before = memory_.journal();
    both_ways(
        node, undecided,
        [&] {
          const auto once = exec(body);
          return once == Flow::Break || once == Flow::Continue || once == Flow::Return ? Flow::Next : once;
        },
        [&] { return Flow::Next; });
    frames_.back().has_returned = false;
    if (!input && condition != nullptr && reads_text(*condition)) return read_from_file(node, before, grown);
    if (!input) memory_.forget_writes(before, fmt::format("changed by the loop at {}", place_of(node)));
    for (const auto& [at, list] : grown) memory_.store(at, list);
    return Flow::Next;
  }
  ++tired;
  memory_.forget_writes(journal, fmt::format("changed by the loop at {}", place_of(node)));
  if (why == "it is long")
    for (const auto& [at, list] : grown) memory_.store(at, list);
  return Flow::Next;
}

/// while (fgets(line, ...)) if (...) settings->n = ...: numbers that it sets are named after what holds them, and are
/// whatever the file says, so that a size made of n stays one.
Machine::Flow Machine::read_from_file(const Node& node, std::size_t since,
                                      const std::vector<std::pair<Location, HostValue>>& grown) {
  std::vector<std::pair<Location, bool>> numbers;  // and whether it is real
  for (const auto& at : memory_.written_since(since)) {
    const auto held = memory_.load(at);
    if (!at.vague && (held.is(VK::Number) || held.input)) numbers.emplace_back(at, held.real);
  }
  memory_.forget_writes(since, fmt::format("changed by the loop at {}", place_of(node)));
  for (const auto& [at, is_real] : numbers) {
    memory_.store(at, number(Expression::name("read"), std::nullopt, is_real));
    give_input(pointer(at), "read from a file", node);
  }
  for (const auto& [at, list] : grown) memory_.store(at, list);
  return Flow::Next;
}

/// for (i = a; i < b; i++): the variable and one past its last value.
std::optional<std::pair<std::int32_t, Expression>> Machine::counted(const Node& condition, const Node& step) {
  if (condition.kind != Kind::Binary || condition.parts.size() != 2) return std::nullopt;
  if (condition.text != "<" && condition.text != "<=" && condition.text != "!=") return std::nullopt;
  const auto* variable = name_below(condition.parts[0]);
  if (variable == nullptr || variable->decl < 0) return std::nullopt;
  bool by_one = false;
  if (step.kind == Kind::Increment)
    by_one = step.text.find("++") != std::string::npos && name_below(step.parts[0]) != nullptr &&
             name_below(step.parts[0])->decl == variable->decl;
  if (step.kind == Kind::Assign && step.text == "+=") {
    const auto* to = name_below(step.parts[0]);
    by_one =
        to != nullptr && to->decl == variable->decl && step.parts[1].kind == Kind::Integer && step.parts[1].text == "1";
  }
  if (!by_one) return std::nullopt;
  const auto bound = eval(condition.parts[1]);
  if (!bound.is(VK::Number)) return std::nullopt;
  if (condition.text == "<=") return std::pair(variable->decl, arithmetic("+", bound, number(1), nullptr).number);
  return std::pair(variable->decl, bound.number);
}

std::optional<HostValue> Machine::rounds_of(const Node& condition, const Node& step, const Node& body) {
  const auto found = counted(condition, step);
  if (!found || changes_decl(body, found->first) || condition.text == "!=") return std::nullopt;
  Node reading;
  reading.kind = Kind::Name;
  reading.decl = found->first;
  const auto variable = locate_name(reading);
  const auto start = variable ? memory_.load(*variable) : HostValue{};
  auto end = eval(condition.parts[1]);
  if (!start.is(VK::Number) || !end.is(VK::Number)) return std::nullopt;
  if (condition.text == "<=") end = arithmetic("+", end, number(1), nullptr);
  return start.whole() == 0 ? end : arithmetic("-", end, start, nullptr);
}

Machine::Flow Machine::launching_loop(const Node& node, const Node* condition, const Node* step, const Node& body,
                                      bool body_first) {
  auto* const outer_events = events_;
  std::vector<std::vector<Event>> rounds;
  std::optional<Location> variable;
  Expression begin = Expression::literal(hone::Value(std::int64_t{0}));
  std::optional<Expression> end;
  std::string name = "round";
  std::int32_t decl = -1;
  if (condition != nullptr && step != nullptr) {
    if (const auto found = counted(*condition, *step); found && !changes_decl(body, found->first)) {
      Node reading;
      reading.kind = Kind::Name;
      reading.decl = decl = found->first;
      variable = locate_name(reading);
      end = found->second;
      name = program_.unit(current_unit()).decls[static_cast<std::size_t>(decl)].name;
      const auto start = variable ? memory_.load(*variable) : HostValue{};
      if (start.is(VK::Number)) {
        begin = start.number;
      } else {
        variable.reset();
        end.reset();
      }
    }
  }
  const auto named = loop_name_of_.find(&node);
  if (named != loop_name_of_.end() && !active_loops_.contains(named->second)) {
    name = named->second;
  } else {
    const auto base = name;
    for (int n = 2; trace_.symbols.contains(name) || loop_names_.contains(name); ++n)
      name = fmt::format("{}_{}", base, n);
    loop_name_of_[&node] = name;
  }
  loop_names_.insert(name);
  active_loops_.insert(name);
  const auto journal = memory_.journal();
  bool whole = false;    // every round was run
  bool by_data = false;  // the host looks at results to decide
  std::string undecided;
  Flow flow = Flow::Next;
  const auto outer_naming = naming_;
  while (rounds.size() < limits_.rounds) {
    if (over_) break;
    if (condition != nullptr && !(rounds.empty() && body_first)) {
      std::vector<Event> in_condition;
      events_ = &in_condition;
      const auto value = eval(*condition);
      events_ = outer_events;
      if (!in_condition.empty()) rounds.push_back(std::move(in_condition));
      const auto truth = value.truth();
      if (truth && !*truth) {
        whole = true;
        break;
      }
      if (!truth) {
        by_data = value.text.find("read back") != std::string::npos || (!value.input && value.is(VK::Unknown));
        undecided = value.is(VK::Unknown) ? value.text : "not decided";
        if (rounds.size() >= (variable ? explored_rounds : 2)) break;
      }
    }
    std::vector<Event> events;
    events_ = &events;
    HostValue counter;
    if (variable) {
      counter = memory_.load(*variable);
      auto symbolic = number(Expression::name(name), counter.known, false);
      memory_.store(*variable, symbolic);
    }
    const bool outer_exit = undecided_exit_;
    undecided_exit_ = false;
    flow = exec(body);
    events_ = outer_events;
    rounds.push_back(std::move(events));
    const bool may_end = undecided_exit_;
    undecided_exit_ = outer_exit;
    if (may_end && flow == Flow::Next) {
      undecided = "a condition inside decides";
      by_data = true;
      if (!variable || rounds.size() >= explored_rounds) break;
    }
    if (flow == Flow::Break) {
      whole = undecided.empty();
      flow = Flow::Next;
      break;
    }
    if (flow == Flow::Return || flow == Flow::Leave) break;
    flow = Flow::Next;
    if (variable && !counter.known) {  // from a begin that is not known: the counter stays a name
      memory_.store(*variable,
                    arithmetic("+", number(Expression::name(name), std::nullopt, false), number(1), nullptr));
    } else if (step != nullptr) {
      eval(*step);
    }
  }
  naming_ = outer_naming;
  if (variable) {
    const auto last = memory_.load(*variable);
    if (whole && last.whole()) {
      memory_.store(*variable, number(*last.whole()));
    } else if (!whole) {
      memory_.store(*variable, unknown("after a loop"));
    }
  }
  active_loops_.erase(name);  // the name stays taken: expressions mention it
  if (by_data && undecided.find("read back") != std::string::npos) {
    const auto step_text = fmt::format("{}: the host looks at results to decide whether to go on", place_of(node));
    if (std::ranges::find(trace_.host_steps, step_text) == trace_.host_steps.end())
      trace_.host_steps.push_back(step_text);
  } else if (by_data) {
    const auto step_text = fmt::format("{}: how often this loop runs is not known ({})", place_of(node), undecided);
    if (std::ranges::find(trace_.host_steps, step_text) == trace_.host_steps.end())
      trace_.host_steps.push_back(step_text);
  }
  if (!whole && flow == Flow::Next)
    memory_.forget_writes(journal, fmt::format("changed by the loop at {}", place_of(node)));
  if (!whole && undecided.empty() && rounds.size() >= limits_.rounds && !end)
    undecided = "longer than what is followed";
  if (!undecided.empty() && !end && rounds.size() > 1) rounds.resize(1);  // nothing says how often: once
  if (!undecided.empty() && !end) whole = true;
  fold(std::move(rounds), name, begin, end, whole, node);
  return flow;
}

std::vector<Location> Machine::elements_of(const HostValue& range, const std::optional<Location>& at) {
  std::vector<Location> out;
  if (!range.parts) return out;
  const Location base = at ? *at : temporary(range);
  if (range.is(VK::Record) &&
      (range.text == "std::map" || range.text == "std::unordered_map" || range.text == "std::set")) {
    for (const auto& [key, value] : range.parts->fields) {
      if (key.rfind("k:", 0) == 0) out.push_back(base.field(key));
    }
    return out;
  }
  if (range.parts->size) {
    const auto size = range.parts->size->whole();
    if (!size || *size > 4096) return {};
    for (std::int64_t i = 0; i < *size; ++i) out.push_back(base.element(i));
    return out;
  }
  for (const auto& [index, element] : range.parts->elements) out.push_back(base.element(index));
  return out;
}

Machine::Flow Machine::range_loop(const Node& node) {
  auto at = locate(node.parts[0]);
  auto range = at ? memory_.load(*at) : eval(node.parts[0]);
  const auto* type = type_of(node);
  const bool by_reference = type != nullptr && type->kind == Type::Kind::Reference;
  const bool launches = program_.launches(current_unit(), node.parts[1]);
  const bool matters = launches || program_.matters(current_unit(), node.parts[1]);
  auto elements = elements_of(range, at);
  const auto* known_type = type_of(node.parts[0]);
  if (elements.empty() && range.is(VK::Array) && known_type != nullptr && known_type->count > 0 &&
      known_type->count <= 4096 && at) {
    for (std::int64_t i = 0; i < known_type->count; ++i) elements.push_back(at->element(i));
  }
  const bool known = !elements.empty() || (range.parts && range.parts->size && range.parts->size->whole() == 0);
  if (!known || (!matters && elements.size() > 256)) {
    // Elements nobody knows: once, and what it wrote is unknown.
    const auto journal = memory_.journal();
    frames_.back().names[node.decl] = temporary(unknown("an element of " + source_of(node.parts[0])));
    const auto once = [&] {
      const auto flow = exec(node.parts[1]);
      if (flow == Flow::Return) frames_.back().has_returned = false;
      if (flow == Flow::Leave) left_ = false;
    };
    std::vector<std::pair<Location, HostValue>> grown;
    if (range.parts && range.parts->size && range.parts->size->is(VK::Number) && appends(node.parts[1])) {
      grown = appended_in(*range.parts->size, once);
    } else {
      once();
    }
    memory_.forget_writes(journal, fmt::format("changed by the loop at {}", place_of(node)));
    for (auto& [at, value] : grown) memory_.store(at, std::move(value));
    return Flow::Next;
  }
  std::vector<std::vector<Event>> rounds;
  auto* const outer = events_;
  Flow flow = Flow::Next;
  for (const auto& element : elements) {
    if (over_) break;
    std::vector<Event> events;
    if (launches) events_ = &events;
    if (by_reference) {
      frames_.back().names[node.decl] = element;
    } else {
      const auto slot = make(memory_.load(element));
      slot_names_[slot] = node.text;
      frames_.back().names[node.decl] = {slot, {}, false};
    }
    flow = exec(node.parts[1]);
    events_ = outer;
    if (launches) rounds.push_back(std::move(events));
    if (flow == Flow::Break || flow == Flow::Return || flow == Flow::Leave) break;
  }
  events_ = outer;
  for (auto& round : rounds) events_->insert(events_->end(), round.begin(), round.end());
  return flow == Flow::Return || flow == Flow::Leave ? flow : Flow::Next;
}

}  // namespace hone::host
