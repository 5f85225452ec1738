// Branches and loops of a followed host program.

#include "source/follower_parts.hpp"

namespace hone::source::host {

/// What changed since is no longer known for sure: numbers become symbols that start from what they were.
void Follower::forget(const Variables& before) {
  for (auto& [key, value] : variables_) {
    const auto old = before.find(key);
    if (old == before.end() || old->second == value) continue;
    if (old->second.kind == Kind::Number) {
      const auto start = concretely(old->second);
      value = symbol(key, start ? std::optional(Value(*start)) : std::nullopt, old->second.real);
    } else if (old->second.kind != Kind::Unknown) {
      value = old->second;
    }
  }
}

void Follower::branch(const Statement& statement) {
  const HostValue condition = evaluate(statement.condition);
  const auto decided = concretely(condition);
  const bool names_symbol = !condition.number.names().empty();
  const auto run = [&](const Statement& child, bool surely) {
    const auto before = variables_;
    const bool stopped = stopped_;
    execute(child);
    const bool left = stopped_ && !stopped;
    if (!surely) {
      stopped_ = stopped;
      if (left || leaves(child)) {
        variables_ = before;
      } else {
        forget(before);
      }
    }
  };
  const bool has_else = statement.children.size() > 1;
  if (decided && !names_symbol) {
    if (*decided != 0) return run(statement.children[0], true);
    if (has_else) run(statement.children[1], true);
    return;
  }
  const bool then_launches = matters(statement.children[0], true);
  if (then_launches)
    program_.notes.push_back(place(statement.condition) + ": launches under a condition (" +
                             statement.condition.text() + ") are taken as made");
  if (!leaves(statement.children[0]) || then_launches) run(statement.children[0], false);
  if (has_else && !(then_launches && matters(statement.children[1], true))) run(statement.children[1], false);
}

namespace {

struct Header {
  std::string variable;
  Span begin, end;
  bool inclusive = false;
  std::int64_t step = 1;
};

std::optional<Header> header_of(const Statement& loop) {
  Header out;
  const auto at = assignment(loop.init);
  if (at == loop.init.size() || loop.condition.size() < 3 || loop.step.empty()) return std::nullopt;
  out.variable = last_word(loop.init.sub(0, at));
  out.begin = loop.init.sub(at + 1, loop.init.size());
  if (!loop.condition[0].is(out.variable)) return std::nullopt;
  const auto op = loop.condition[1].text;
  const bool down = op == ">" || op == ">=";
  if (op != "<" && op != "<=" && op != "!=" && !down) return std::nullopt;
  out.inclusive = op == "<=" || op == ">=";
  out.end = loop.condition.sub(2, loop.condition.size());
  const auto step = loop.step.text();
  if (step.find("++") != std::string::npos && !down) return out;
  out.step = -1;
  if (step.find("--") != std::string::npos && down) return out;
  const bool adds = loop.step.size() == 3 && loop.step[0].is(out.variable) && loop.step[2].kind == Token::Kind::Number;
  if (!adds || (!loop.step[1].is("+=") && !loop.step[1].is("-="))) return std::nullopt;
  out.step = std::strtoll(std::string(loop.step[2].text).c_str(), nullptr, 0);
  if (loop.step[1].is("-=")) out.step = -out.step;
  return (out.step > 0) != down && out.step != 0 ? std::optional(out) : std::nullopt;
}

}  // namespace

/// A short loop with fixed bounds that sets arguments or makes buffers: done as often as it says.
bool Follower::unroll(const Statement& statement) {
  const auto header = header_of(statement);
  if (!header || !matters(statement, false)) return false;
  const auto begin = concretely(evaluate(header->begin));
  const auto end = concretely(evaluate(header->end));
  if (!begin || !end || header->step <= 0 || *end - *begin > 16) return false;
  const auto key = std::to_string(frame_) + "/" + header->variable;
  for (auto i = *begin; i < *end + (header->inclusive ? 1 : 0); i += header->step) {
    HostValue counter;
    counter.kind = Kind::Number;
    counter.number = Expression::literal(Value(i));
    variables_[key] = counter;
    execute(statement.children[0]);
  }
  return true;
}

void Follower::loop(const Statement& statement) {
  if (!matters(statement, true)) {
    if (statement.kind == Statement::Kind::For && unroll(statement)) return;
    const auto before = variables_;
    const bool stopped = stopped_;
    if (statement.kind == Statement::Kind::For) simple(statement.init);
    if (!statement.children.empty()) execute(statement.children[0]);
    stopped_ = stopped;
    forget(before);
    return;
  }
  const auto header = statement.kind == Statement::Kind::For ? header_of(statement) : std::nullopt;
  const HostValue begin = header ? evaluate(header->begin) : HostValue{};
  const HostValue end = header ? evaluate(header->end) : HostValue{};
  if (!header || begin.kind != Kind::Number || end.kind != Kind::Number) {
    program_.host_steps.push_back(place(statement.all) + ": launches in a loop whose number of rounds depends on data");
    if (statement.kind == Statement::Kind::For) simple(statement.init);
    execute(statement.children[0]);
    return;
  }
  const auto literal = [](std::int64_t n) { return Expression::literal(Value(n)); };
  const auto limit =
      header->inclusive ? Expression::binary("+", end.number, literal(header->step > 0 ? 1 : -1)) : end.number;
  const auto counter = Expression::name(header->variable);
  if (header->step == 1) return counted_loop(statement, header->variable, begin.number, limit, counter);
  const bool up = header->step > 0;
  const auto distance =
      up ? Expression::binary("-", limit, begin.number) : Expression::binary("-", begin.number, limit);
  const auto count = Expression::call("ceil_div", {distance, literal(up ? header->step : -header->step)});
  const auto value = Expression::binary("+", begin.number, Expression::binary("*", literal(header->step), counter));
  counted_loop(statement, header->variable, literal(0), count, value);
}

namespace {

/// The steps of the even and the odd rounds as one, with a choice where they differ.
bool alternate(std::vector<HostStep>& even, const std::vector<HostStep>& odd, const std::string& round) {
  if (even.size() != odd.size()) return false;
  for (std::size_t i = 0; i < even.size(); ++i) {
    auto* a = std::get_if<HostLaunch>(&even[i]);
    const auto* b = std::get_if<HostLaunch>(&odd[i]);
    if (a == nullptr || b == nullptr) {
      if (even[i] != odd[i]) return false;
      continue;
    }
    if (a->kernel != b->kernel || a->arguments.size() != b->arguments.size()) return false;
    for (auto& [position, argument] : a->arguments) {
      const auto& other = b->arguments.at(position);
      if (argument == other) continue;
      if (argument.kind != other.kind) return false;
      const auto choice = Expression::parse("(" + argument.value.print() + ") if (" + round + ") % 2 == 0 else (" +
                                            other.value.print() + ")");
      if (!choice) return false;
      argument.value = *choice;
    }
  }
  return true;
}

}  // namespace

void Follower::counted_loop(const Statement& statement, const std::string& variable, const Expression& begin,
                            const Expression& end, const Expression& value) {
  HostLoop out;
  out.variable = variable;
  out.begin = begin;
  out.end = end;
  const auto key = std::to_string(frame_) + "/" + variable;
  auto* outer = steps_;
  const auto before = variables_;
  const bool was_read = read_back_;
  const auto round = [&] {
    std::vector<HostStep> steps;
    steps_ = &steps;
    HostValue counter;
    counter.kind = Kind::Number;
    counter.number = value;
    variables_[key] = counter;
    const bool stopped = stopped_;
    execute(statement.children[0]);
    stopped_ = stopped;
    return steps;
  };
  out.body = round();
  const bool reads_inside = read_back_ && !was_read;
  const auto second = round();
  if (second != out.body) {
    const auto third = round();
    const auto name = print_name(variable);
    const auto number = begin.print() == "0" ? name : name + " - (" + begin.print() + ")";
    if (third != out.body || !alternate(out.body, second, number)) {
      program_.host_steps.push_back(place(statement.all) +
                                    ": what is launched changes from round to round in a way that was not followed");
    }
  }
  steps_ = outer;
  if (reads_inside && wrote_after_read_) {
    program_.host_steps.push_back(place(statement.all) + ": the host reads and writes buffers in each round");
  }
  forget(before);
  variables_.erase(key);
  steps_->emplace_back(std::move(out));
}

}  // namespace hone::source::host
