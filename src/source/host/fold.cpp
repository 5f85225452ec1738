// Rounds of a loop, each as it was run, become one loop whose values are expressions of its counter: equal ones stay,
// those that grow by the same step are affine, those that come back after two to four rounds are a choice. What fits
// none is left unrolled when it is short.
#include <fmt/format.h>

#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

constexpr std::size_t longest_unrolled = 64;

Expression number_of(std::int64_t v) { return Expression::literal(hone::Value(v)); }

Expression equals(Expression a, Expression b) {
  auto node = std::make_shared<Expression::Node>();
  node->kind = Expression::Kind::Compare;
  node->operators = {"=="};
  node->operands = {std::make_shared<Expression::Node>(a.root()), std::make_shared<Expression::Node>(b.root())};
  return Expression(std::move(node));
}

Expression choice(const Expression& condition, const Expression& then, const Expression& otherwise) {
  auto node = std::make_shared<Expression::Node>();
  node->kind = Expression::Kind::Select;
  node->operands = {std::make_shared<Expression::Node>(then.root()),
                    std::make_shared<Expression::Node>(condition.root()),
                    std::make_shared<Expression::Node>(otherwise.root())};
  return Expression(std::move(node));
}

struct Fit {
  Expression counter;  // 0, 1, 2, ... in the loop's variable
  const std::map<std::string, std::optional<hone::Value>>& symbols;

  std::optional<Expression> one(const std::vector<Expression>& values) const {
    const bool equal = std::ranges::all_of(values, [&](const Expression& v) { return v == values[0]; });
    if (equal) return values[0];
    if (const auto line = affine(values)) return line;
    for (std::size_t period = 2; period <= 4 && period < values.size(); ++period) {
      bool comes_back = true;
      for (std::size_t i = period; i < values.size(); ++i) comes_back = comes_back && values[i] == values[i - period];
      if (!comes_back) continue;
      Expression out = values[period - 1];
      for (std::size_t i = period - 1; i-- > 0;) {
        const auto phase = Expression::binary("%", counter, number_of(static_cast<std::int64_t>(period)));
        out = choice(equals(phase, number_of(static_cast<std::int64_t>(i))), values[i], out);
      }
      return out;
    }
    if (values.size() == 2) return choice(equals(counter, number_of(0)), values[0], values[1]);
    return std::nullopt;
  }

 private:
  std::optional<Expression> affine(const std::vector<Expression>& values) const {
    std::vector<double> numbers;
    const auto known = [&](std::string_view name) -> std::optional<hone::Value> {
      const auto found = symbols.find(std::string(name));
      return found == symbols.end() ? std::nullopt : found->second;
    };
    bool whole = true;
    for (const auto& value : values) {
      const auto number = value.evaluate_real(known);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
      whole = whole && *number == static_cast<double>(static_cast<std::int64_t>(*number));
    }
    if (numbers.size() < 3) return std::nullopt;
    const double step = numbers[1] - numbers[0];
    for (std::size_t i = 2; i < numbers.size(); ++i) {
      const double off = numbers[i] - (numbers[0] + step * static_cast<double>(i));
      if (std::abs(off) > 1e-6 * std::max(1.0, std::abs(numbers[i]))) return std::nullopt;
    }
    const auto by = whole ? number_of(static_cast<std::int64_t>(step)) : Expression::literal(hone::Value(step));
    const auto grown = whole && step == 1 ? counter : Expression::binary("*", counter, by);
    const bool from_zero = numbers[0] == 0 && values[0].root().kind == Expression::Kind::Literal;
    return from_zero ? grown : Expression::binary("+", values[0], grown);
  }
};

/// The same position of every round; false when they are not alike.
bool fit_launch(const std::vector<const Event*>& all, const Fit& fit, Event& out) {
  const auto sizes = [&](auto member) {
    auto& to = out.launch.*member;
    for (std::size_t d = 0; d < to.size(); ++d) {
      std::vector<Expression> values;
      for (const auto* event : all) {
        const auto& from = event->launch.*member;
        if (from.size() != to.size()) return false;
        values.push_back(from[d]);
      }
      const auto fitted = fit.one(values);
      if (!fitted) return false;
      to[d] = *fitted;
    }
    return true;
  };
  if (!sizes(&HostLaunch::global) || !sizes(&HostLaunch::local) || !sizes(&HostLaunch::offset)) return false;
  for (auto& [index, argument] : out.launch.arguments) {
    std::vector<Expression> values;
    std::map<std::string, std::vector<Expression>> fields;
    for (const auto* event : all) {
      const auto found = event->launch.arguments.find(index);
      if (found == event->launch.arguments.end()) return false;
      const auto& from = found->second;
      if (from.kind == HostArgument::Kind::Unknown || argument.kind == HostArgument::Kind::Unknown) {
        if (from.kind == HostArgument::Kind::Unknown) argument = from;
        continue;
      }
      if (from.kind != argument.kind) return false;
      values.push_back(from.value);
      for (const auto& [name, value] : from.fields) fields[name].push_back(value);
    }
    if (argument.kind == HostArgument::Kind::Unknown) continue;
    const auto fitted = fit.one(values);
    if (!fitted) return false;
    argument.value = *fitted;
    for (auto& [name, list] : fields) {
      const auto field = list.size() == all.size() ? fit.one(list) : std::nullopt;
      if (field) {
        argument.fields.insert_or_assign(name, *field);
      } else {
        argument.fields.erase(name);
      }
    }
  }
  return true;
}

bool fit_events(const std::vector<const std::vector<Event>*>& rounds, const Fit& fit, std::vector<Event>& out,
                int depth) {
  if (depth > 10) return false;
  const auto telling = [](const std::vector<Event>& events) {
    std::vector<const Event*> kept;
    for (const auto& event : events) {
      if (event.kind == Event::Kind::Launch || event.kind == Event::Kind::Loop) kept.push_back(&event);
    }
    return kept;
  };
  std::vector<std::vector<const Event*>> kept;
  for (const auto* round : rounds) kept.push_back(telling(*round));
  for (const auto& round : kept) {
    if (round.size() != kept[0].size()) return false;
  }
  std::size_t next = 0;
  for (const auto& event : *rounds[0]) {
    if (event.kind != Event::Kind::Launch && event.kind != Event::Kind::Loop) {
      out.push_back(event);
      continue;
    }
    const auto position = next++;
    std::vector<const Event*> all;
    for (const auto& round : kept) all.push_back(round[position]);
    Event made = event;
    for (const auto* other : all) {
      if (other->kind != event.kind || other->launch.kernel != event.launch.kernel ||
          other->launch.place != event.launch.place)
        return false;
    }
    if (event.kind == Event::Kind::Launch) {
      if (!fit_launch(all, fit, made)) return false;
    } else {
      std::vector<const std::vector<Event>*> bodies;
      std::vector<Expression> begins, ends;
      for (const auto* other : all) {
        // A loop inside gets a new name each time it is run.
        bodies.push_back(&other->body);
        begins.push_back(other->begin);
        ends.push_back(other->end);
        if (other->variable != event.variable) return false;
      }
      const auto begin = fit.one(begins);
      const auto end = fit.one(ends);
      made.body.clear();
      if (!begin || !end || !fit_events(bodies, fit, made.body, depth + 1)) return false;
      made.begin = *begin;
      made.end = *end;
    }
    out.push_back(std::move(made));
  }
  return true;
}

bool any_launch(const std::vector<Event>& events) {
  return std::ranges::any_of(
      events, [](const Event& e) { return e.kind == Event::Kind::Launch || e.kind == Event::Kind::Loop; });
}

void replace_variable(std::vector<Event>& events, const std::string& from, const Expression& to) {
  const auto with = [&](Expression& e) {
    e = e.substitute([&](std::string_view name) -> std::optional<Expression> {
      return name == from ? std::optional(to) : std::nullopt;
    });
  };
  for (auto& event : events) {
    for (auto* list : {&event.launch.global, &event.launch.local, &event.launch.offset})
      std::ranges::for_each(*list, with);
    for (auto& [index, argument] : event.launch.arguments) {
      with(argument.value);
      for (auto& [name, field] : argument.fields) with(field);
    }
    with(event.begin);
    with(event.end);
    replace_variable(event.body, from, to);
  }
}

/// Loops in later rounds take the names they had in the first.
void same_names(std::vector<Event>& later, const std::vector<Event>& first) {
  std::vector<const Event*> loops;
  for (const auto& event : first) {
    if (event.kind == Event::Kind::Loop) loops.push_back(&event);
  }
  std::size_t next = 0;
  for (auto& event : later) {
    if (event.kind != Event::Kind::Loop) continue;
    if (next >= loops.size()) return;
    const auto& model = *loops[next++];
    if (event.variable != model.variable) {
      replace_variable(event.body, event.variable, Expression::name(model.variable));
      event.variable = model.variable;
    }
    same_names(event.body, model.body);
  }
}

}  // namespace

void Machine::fold(std::vector<std::vector<Event>> rounds, const std::string& variable, const Expression& begin,
                   const std::optional<Expression>& end, bool whole, const Node& node) {
  if (!std::ranges::any_of(rounds, any_launch)) {
    if (!rounds.empty()) events_->insert(events_->end(), rounds[0].begin(), rounds[0].end());
    return;
  }
  for (std::size_t i = 1; i < rounds.size(); ++i) same_names(rounds[i], rounds[0]);
  const auto inline_rounds = [&] {
    for (auto& round : rounds) {
      const auto value = Expression::literal(hone::Value(static_cast<std::int64_t>(&round - rounds.data())));
      if (!end || begin.root().kind == Expression::Kind::Literal) {
        const auto first = end && std::holds_alternative<std::int64_t>(begin.root().value)
                               ? std::get<std::int64_t>(begin.root().value)
                               : 0;
        const auto now = Expression::literal(hone::Value(first + std::get<std::int64_t>(value.root().value)));
        replace_variable(round, variable, now);
      }
      events_->insert(events_->end(), round.begin(), round.end());
    }
  };
  const bool once = rounds.size() == 1 && whole;
  if (once) return inline_rounds();
  Event loop;
  loop.kind = Event::Kind::Loop;
  loop.variable = variable;
  loop.launch.place = place_of(node);
  loop.begin = end ? begin : number_of(0);
  loop.end = end ? *end : number_of(static_cast<std::int64_t>(rounds.size()));
  const bool from_zero = loop.begin == number_of(0);
  const Fit fit{
      from_zero ? Expression::name(variable) : Expression::binary("-", Expression::name(variable), loop.begin),
      trace_.symbols};
  std::vector<const std::vector<Event>*> all;
  for (const auto& round : rounds) all.push_back(&round);
  if (fit_events(all, fit, loop.body, 0)) {
    events_->push_back(std::move(loop));
    return;
  }
  if (whole && rounds.size() <= longest_unrolled) return inline_rounds();
  note(fmt::format(
      "{}: launches of this loop change from round to round in a way that is not followed; its first round is taken",
      place_of(node)));
  loop.body = rounds[0];
  events_->push_back(std::move(loop));
}

}  // namespace hone::host
