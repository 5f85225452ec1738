#include "source/follower.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "source/follower_parts.hpp"

namespace hone::source::host {
namespace {

bool is_opencl(const std::string& name) {
  static const std::set<std::string> names = {"clCreateKernel",
                                              "clCreateBuffer",
                                              "clSetKernelArg",
                                              "clEnqueueNDRangeKernel",
                                              "clEnqueueTask",
                                              "clEnqueueReadBuffer",
                                              "clEnqueueWriteBuffer",
                                              "clEnqueueMapBuffer",
                                              "enqueueNDRangeKernel",
                                              "enqueueReadBuffer",
                                              "enqueueWriteBuffer",
                                              "enqueueMapBuffer",
                                              "setArg",
                                              "Buffer",
                                              "Kernel",
                                              "KernelFunctor",
                                              "make_kernel",
                                              "EnqueueArgs"};
  return names.contains(name);
}
bool is_launch(const std::string& name) {
  return name == "clEnqueueNDRangeKernel" || name == "clEnqueueTask" || name == "enqueueNDRangeKernel" ||
         name == "EnqueueArgs";
}

bool has_chevrons(const HostFunction& function) {
  const auto& all = function.body.all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is("<<<")) return true;
  }
  return false;
}

/// Functions whose calls reach one that `test` accepts.
template <class Test>
std::set<std::string> reaching(const HostCode& code, Test test) {
  std::set<std::string> out;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& function : code.functions) {
      if (out.contains(function.name)) continue;
      const bool reaches = test(function) || std::ranges::any_of(function.calls, [&](const std::string& c) {
                             return out.contains(c) && c != function.name;
                           });
      if (reaches) grew = out.insert(function.name).second || grew;
    }
  }
  return out;
}

}  // namespace

std::string last_word(const Span& span) {
  std::string out;
  for (std::size_t i = 0; i < span.size(); ++i) {
    if (span[i].is("[")) break;
    if (span[i].kind == Token::Kind::Word) out = span[i].text;
  }
  return out;
}

std::size_t assignment(const Span& span) {
  static const std::set<std::string_view> operators = {"=", "+=", "-=", "*=", "/=", "<<=", ">>="};
  for (std::size_t i = 0; i < span.size();) {
    if (span[i].is("(") || span[i].is("[") || span[i].is("{")) {
      i = after_matching(span.file->tokens, span.begin + i, span.end) - span.begin;
    } else if (span[i].kind == Token::Kind::Punctuation && operators.contains(span[i].text)) {
      return i;
    } else {
      ++i;
    }
  }
  return span.size();
}

Follower::Follower(const HostCode& code) : code_(code) {
  mattering_ =
      reaching(code, [](const HostFunction& f) { return has_chevrons(f) || std::ranges::any_of(f.calls, is_opencl); });
  launching_ =
      reaching(code, [](const HostFunction& f) { return has_chevrons(f) || std::ranges::any_of(f.calls, is_launch); });
}

HostProgram Follower::run(const HostFunction& root) {
  program_ = {};
  program_.function = root.name;
  steps_ = &program_.steps;
  function_ = root.name;
  for (const auto& statement : code_.globals) simple(statement.all);
  frame_ = ++frames_;
  for (const auto& parameter : root.parameters) types_[std::to_string(frame_) + "/" + parameter] = "";
  execute(root.body);
  return std::move(program_);
}

bool Follower::matters(const Statement& statement, bool launches_only) const {
  const auto& names = launches_only ? launching_ : mattering_;
  for (std::size_t i = 0; i < statement.all.size(); ++i) {
    const auto& token = statement.all[i];
    if (token.is("<<<")) return true;
    if (token.kind != Token::Kind::Word) continue;
    const std::string word(token.text);
    if (names.contains(word) || (launches_only ? is_launch(word) : is_opencl(word))) return true;
    if (launches_only) {  // a functor of the C++ wrapper
      const auto held = variables_.find(key_of(word));
      if (held != variables_.end() && held->second.kind == Kind::Kernel && i + 1 < statement.all.size() &&
          statement.all[i + 1].is("("))
        return true;
    }
  }
  return false;
}

bool Follower::leaves(const Statement& statement) const {
  if (statement.kind == Statement::Kind::Return) return true;
  if (statement.kind == Statement::Kind::Block)
    return std::ranges::any_of(statement.children, [&](const Statement& s) { return leaves(s); });
  if (statement.kind != Statement::Kind::Simple || statement.all.empty()) return false;
  const auto& first = statement.all[0];
  return first.is("exit") || first.is("abort") || first.is("throw") || first.is("break") || first.is("continue") ||
         first.is("goto");
}

void Follower::execute(const Statement& statement) {
  if (stopped_) return;
  switch (statement.kind) {
    case Statement::Kind::Block:
      for (const auto& child : statement.children) execute(child);
      break;
    case Statement::Kind::Simple: simple(statement.all); break;
    case Statement::Kind::Return:
      if (statement.all.size() > 1) returned_ = evaluate(statement.all.sub(1, statement.all.size()));
      stopped_ = true;
      break;
    case Statement::Kind::If: branch(statement); break;
    case Statement::Kind::For:
    case Statement::Kind::Loop: loop(statement); break;
  }
}

void Follower::simple(const Span& span) {
  if (span.empty() || span[0].is("typedef") || span[0].is("using") || span[0].is("delete")) return;
  bool first = true;
  const bool declares = span.size() > 1 && span[0].kind == Token::Kind::Word &&
                        (span[1].kind == Token::Kind::Word || span[1].is("*") || span[1].is("::") || span[1].is("<"));
  if (!declares) return one_declarator(span, false);
  for (const auto& part : split_at(span, ",")) {
    one_declarator(part, first);
    first = false;
  }
}

void Follower::one_declarator(const Span& span, bool first) {
  const auto at = assignment(span);
  const auto target = span.sub(0, at);
  if (at == span.size()) {
    // cl::Kernel k(program, "name"), cl::NDRange g(n): a type, a name and its arguments
    for (std::size_t i = 2; first && i < span.size(); ++i) {
      const bool opens = span[i].is("(") || span[i].is("{");
      if (!opens) continue;
      const bool named = span[i - 1].kind == Token::Kind::Word &&
                         (span[i - 2].kind == Token::Kind::Word || span[i - 2].is(">") || span[i - 2].is("*"));
      if (!named) break;
      const auto key = std::to_string(frame_) + "/" + std::string(span[i - 1].text);
      std::string type;
      for (std::size_t t = 0; t + 1 < i; ++t) {
        if (span[t].is("<")) break;
        if (span[t].kind == Token::Kind::Word) type = span[t].text;
      }
      types_[key] = type;
      return constructed(key, type, arguments_of(span, i));
    }
    if (first) {
      const auto name = last_word(span);
      types_[std::to_string(frame_) + "/" + name] = span.text();
      variables_.erase(std::to_string(frame_) + "/" + name);
    }
    evaluate(span);
    return;
  }
  std::string key;
  const bool declared = first && target.size() > 1;
  if (declared) {
    key = std::to_string(frame_) + "/" + last_word(target);
    types_[key] = target.text();
    variables_.erase(key);
  } else if (const auto path = path_key(target)) {
    key = *path;
  }
  const auto outer = assigned_to_;
  const int outer_memory = memory_for_;
  if (!key.empty()) {
    auto name = key.substr(key.find_last_of("/.") + 1);
    std::ranges::replace(name, '[', '_');
    std::erase(name, ']');
    const bool buffer_of_caller = memory_for_ != 0 && memory_for_ < frame_;  // made by a helper, named by who asked
    if (!buffer_of_caller) assigned_to_ = name;
    const auto type = types_.find(key);
    if (!buffer_of_caller)
      memory_for_ = type != types_.end() && type->second.find("cl_mem") != std::string::npos ? frame_ : 0;
  }
  const auto value_span = span.sub(at + 1, span.size());
  // A chain a = b = c gives both the same.
  const auto more = assignment(value_span);
  if (more < value_span.size()) one_declarator(value_span, false);
  HostValue value = evaluate(more < value_span.size() ? value_span.sub(more + 1, value_span.size()) : value_span);
  assigned_to_ = outer;
  memory_for_ = outer_memory;
  if (key.empty()) return;
  if (!span[at].is("=")) {
    const auto before = concretely(lookup(key, key));
    const auto by = concretely(value);
    value = {};
    if (before && by && (span[at].is("+=") || span[at].is("-="))) {
      value.kind = Kind::Number;
      value.number = Expression::literal(Value(span[at].is("+=") ? *before + *by : *before - *by));
    }
    variables_[key] = value;
    return;
  }
  if (value.kind == Kind::List) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (value.items[i].kind != Kind::Unknown) variables_[key + "[" + std::to_string(i) + "]"] = value.items[i];
    }
    for (const auto& part : arguments_of(value_span, 0)) {  // .rows = 512
      if (part.size() < 4 || !part[0].is(".") || !part[2].is("=")) continue;
      const auto member = key + "." + std::string(part[1].text);
      const HostValue held = evaluate(part.sub(3, part.size()));
      variables_[member] =
          held.kind == Kind::Number && concretely(held) ? symbol(member, Value(*concretely(held))) : held;
    }
    if (!declared) variables_[key] = value;
    return;
  }
  bool written_here = true;  // a number in the text, not one that came in through a parameter
  for (std::size_t i = 0; i < value_span.size(); ++i)
    written_here = written_here && value_span[i].kind != Token::Kind::Word;
  const bool literal =
      written_here && value.kind == Kind::Number && value.number.root().kind == Expression::Kind::Literal;
  if (declared && literal) value = symbol(key, value.number.root().value, value.real);
  if (value.kind == Kind::Unknown && declared) {
    const auto text = value_span.text();
    if (text.find("CL_MEM_") != std::string::npos) {
      value.kind = Kind::Text;
      value.text = text;
    } else {
      const bool pointer = target.text().find('*') != std::string::npos;
      const auto hint = code_.hint(key.substr(key.find_last_of("/.") + 1));
      if (!pointer && target[0].text != "cl_mem" && target[0].text != "struct")
        value = symbol(key, hint ? std::optional(Value(*hint)) : std::nullopt);
      if (hint && value.kind == Kind::Number)
        program_.symbol_provenance[value.number.root().text] = {Provenance::Kind::Guessed, {}};
    }
  }
  variables_[key] = value;
}

void Follower::constructed(const std::string& key, const std::string& type, const std::vector<Span>& arguments) {
  const auto outer = assigned_to_;
  assigned_to_ = key.substr(key.find_last_of('/') + 1);
  HostValue value = call(type, {}, arguments.empty() ? Span{} : arguments.front(), arguments);
  if (value.kind == Kind::Unknown && arguments.size() == 1 && type != "vector" && !is_launch(type))
    value = evaluate(arguments[0]);
  assigned_to_ = outer;
  variables_[key] = value;
}

HostValue Follower::call_function(const HostFunction& function, const std::vector<HostValue>& arguments) {
  const int outer = frame_;
  const auto outer_function = function_;
  const auto outer_returned = returned_;
  const bool outer_stopped = stopped_;
  frame_ = ++frames_;
  function_ = function.name;
  ++depth_;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto key = std::to_string(frame_) + "/" + function.parameters[i];
    types_[key] = "";
    if (arguments[i].kind != Kind::Unknown) variables_[key] = arguments[i];
  }
  returned_.reset();
  stopped_ = false;
  execute(function.body);
  HostValue out = returned_.value_or(HostValue{});
  frame_ = outer;
  function_ = outer_function;
  returned_ = outer_returned;
  stopped_ = outer_stopped;
  --depth_;
  return out;
}

std::optional<std::int64_t> constant_of(const HostCode& code, const Span& expression) {
  Follower follower(code);
  return follower.concretely(follower.evaluate(expression));
}

std::optional<std::string> string_of(const HostCode& code, const Span& expression) {
  Follower follower(code);
  const auto value = follower.evaluate(expression);
  return value.kind == Kind::Text ? std::optional(value.text) : std::nullopt;
}

Followed follow(const HostCode& code) {
  Followed out;
  const auto launching =
      reaching(code, [](const HostFunction& f) { return has_chevrons(f) || std::ranges::any_of(f.calls, is_launch); });
  std::set<std::string> called;
  for (const auto& function : code.functions) {
    for (const auto& name : function.calls) {
      if (name != function.name) called.insert(name);
    }
  }
  for (const auto& function : code.functions) {
    if (!launching.contains(function.name) || (called.contains(function.name) && function.name != "main")) continue;
    Follower follower(code);
    out.programs.push_back(follower.run(function));
    for (const auto& site : follower.sites()) {
      if (std::ranges::find(out.sites, site) == out.sites.end()) out.sites.push_back(site);
    }
  }
  return out;
}

}  // namespace hone::source::host
