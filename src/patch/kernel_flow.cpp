#include "patch/kernel_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"
#include "patch/functor_types.hpp"
#include "patch/host_index.hpp"
#include "patch/host_scopes.hpp"
#include "patch/program_files.hpp"

namespace hone::patch {
namespace {

constexpr int deepest_flow = 16;

/// Names of kernels, and parameters whose string names them: known once the function's callers are.
struct Flow {
  std::set<std::string> names;
  std::set<std::pair<const HostFunction*, int>> parameters;
  void merge(const Flow& other) {
    names.insert(other.names.begin(), other.names.end());
    parameters.insert(other.parameters.begin(), other.parameters.end());
  }
};

/// A variable that holds kernels, and where all that is said about it stands.
struct Subject {
  std::string name;
  bool member = false;
  const HostFunction* inside = nullptr;  // of a local variable
  const HostFile* file = nullptr;        // of a static one
};

std::string unquoted(std::string_view literal) { return std::string(literal.substr(1, literal.size() - 2)); }

class KernelFlow {
 public:
  explicit KernelFlow(const Files& files) : index_(files), functor_types_(functor_types(index_)) {}

  std::vector<PassingKernels> all() {
    std::vector<PassingKernels> out;
    for (const auto& file : index_.files())
      for (std::size_t i = 0; i < file.tokens.size(); ++i)
        if (auto found = launch_at(file, i)) {
          if (!found->known) found->made_by_program = made_beside(file);
          auto calls = found->known ? calls_of_functor(file, i, *found) : calls_of_member_functor(file, i);
          if (calls.empty()) calls.push_back(std::move(*found));
          out.insert(out.end(), calls.begin(), calls.end());
        }
    return out;
  }

 private:
  std::optional<PassingKernels> launch_at(const HostFile& file, std::size_t i) {
    const auto word = file.at(i);
    PassingKernels out;
    out.file = file.name;
    out.place = file.place(i);
    out.call = {file.tokens[i].begin, file.tokens[i].end};
    if (file.tokens[i].kind == Token::Kind::Directive) {
      for (const std::string_view name : {"EnqueueNDRangeKernel", "enqueueNDRangeKernel", "clEnqueueTask"})
        if (word.find(name) != std::string_view::npos && word.find("include") == std::string_view::npos) {
          out.why = "a macro launches here";
          return out;
        }
      return std::nullopt;
    }
    if (!file.word(i)) return std::nullopt;
    if (functor_types_.contains(word)) {
      if (names_functor_type(file, i)) return std::nullopt;
      return functor(file, i, std::move(out));
    }
    if (!is_one_of(word, {"clEnqueueNDRangeKernel", "enqueueNDRangeKernel", "clEnqueueTask"})) return std::nullopt;
    if (!file.is(i + 1, "(")) {
      out.why = "the launching function is passed on here";
      return out;
    }
    const std::size_t close = file.close(i + 1);
    if (close < file.tokens.size()) out.call.end = file.tokens[close].end;
    const auto arguments = arguments_at(file, i + 1);
    const std::size_t position = word == "enqueueNDRangeKernel" ? 0 : 1;
    why_.clear();
    busy_.clear();
    if (index_.around(file, i) == nullptr) {
      out.why = "the launch stands in no function";
    } else if (position >= arguments.size()) {
      out.why = "the launch has too few arguments";
    } else if (const auto flow = value(arguments[position], 0)) {
      if (auto names = settled(*flow, 0)) {
        out.known = true;
        out.kernels = std::move(*names);
      }
    }
    if (!out.known && out.why.empty()) out.why = why_;
    return out;
  }

  /// What a launch that could not be followed may get at all.
  std::optional<std::set<std::string>> made_beside(const HostFile& file) {
    if (programs_.empty()) programs_ = programs_of(index_);
    const auto program = programs_.at(&file);
    if (!made_in_.contains(program)) made_in_[program] = made_in(program);
    return made_in_[program];
  }

  /// By the C API alone: the bindings' objects are made in too many ways to have seen all of them.
  std::optional<std::set<std::string>> made_in(std::size_t program) {
    std::set<std::string> out;
    for (const auto& file : index_.files()) {
      if (programs_.at(&file) != program) continue;
      for (const std::string_view word : {"KernelFunctor", "make_kernel", "createKernels", "clCreateKernelsInProgram"})
        if (!index_.places(file, word).empty() || !index_.directives(file, word).empty()) return std::nullopt;
      for (const std::size_t i : index_.places(file, "Kernel"))
        if (i > 2 && file.is(i - 1, ":") && file.is(i - 3, "cl")) return std::nullopt;
      if (!index_.directives(file, "clCreateKernel").empty()) return std::nullopt;
      for (const std::size_t i : index_.places(file, "clCreateKernel")) {
        const auto arguments = file.is(i + 1, "(") ? arguments_at(file, i + 1) : std::vector<TokenRange>{};
        if (arguments.size() < 2) return std::nullopt;
        const auto named = name_in(arguments[1], index_.around(file, i));
        const auto names = named ? settled(*named, 0) : std::nullopt;
        if (!names) return std::nullopt;
        out.insert(names->begin(), names->end());
      }
    }
    if (out.empty()) return std::nullopt;  // it gets them from somewhere else
    return out;
  }

  /// cl::KernelFunctor<...> f(program, "name"): the whole statement has the name, or it is not known.
  std::optional<PassingKernels> functor(const HostFile& file, std::size_t i, PassingKernels out) {
    out.why = "a functor is made here whose kernel is not named";
    for (std::size_t t = i; t < file.tokens.size() && !file.is(t, ";") && !file.is(t, "{"); ++t) {
      if (file.tokens[t].kind != Token::Kind::String) continue;
      out.known = true;
      out.kernels.insert(unquoted(file.at(t)));
    }
    return out;
  }

  /// The variable that a functor is made into, as a token: of `cl::KernelFunctor<...> f(program, "name")` and of
  /// `auto f = cl::KernelFunctor<...>(program, "name")`.
  static std::optional<std::size_t> functor_variable(const HostFile& file, std::size_t i) {
    const auto at = behind_type(file, i);
    if (file.word(at) && (file.is(at + 1, "(") || file.is(at + 1, "{"))) return at;
    std::size_t first = i;
    while (first > 2 && file.is(first - 1, ":")) first -= file.word(first - 3) ? 3 : 2;
    const bool copied = first > 2 && file.is(first - 1, "=") && file.word(first - 2) && file.is(first - 3, "auto");
    return copied ? std::optional(first - 2) : std::nullopt;
  }

  /// Where a functor of a function's own is called. None when it is not certain that these are all: it goes somewhere
  /// else, or two have the same name.
  std::vector<PassingKernels> calls_of_functor(const HostFile& file, std::size_t i, const PassingKernels& made) const {
    const auto* function = index_.around(file, i);
    if (function == nullptr || !functor_types_.contains(file.at(i))) return {};
    const auto variable = functor_variable(file, i);
    if (!variable) return {};
    std::vector<PassingKernels> out;
    for (const std::size_t at : index_.places(file, file.at(*variable))) {
      if (at <= function->open || at >= function->close || at == *variable) continue;
      if (follows_a_dot(file, at) || file.is(at - 1, ">") || file.is(at - 1, "&") || !file.is(at + 1, "(")) return {};
      const std::size_t close = file.close(at + 1);
      if (close >= file.tokens.size()) return {};
      out.push_back(made);
      out.back().call = {file.tokens[at].begin, file.tokens[close].end};
      out.back().place = file.place(at);
    }
    return out;
  }

  /// A functor among the fields of a class: it gets its kernel in constructors or by assignment. None when it may get
  /// another one, or goes somewhere else.
  std::vector<PassingKernels> calls_of_member_functor(const HostFile& file, std::size_t i) const {
    const auto declared = behind_type(file, i);
    const bool field = functor_types_.contains(file.at(i)) && index_.around(file, i) == nullptr &&
                       file.word(declared) && file.is(declared + 1, ";");
    if (!field) return {};
    const auto name = file.at(declared);
    PassingKernels made;
    made.known = true;
    std::vector<PassingKernels> calls;
    for (const auto& other : index_.files()) {
      if (!index_.directives(other, name).empty()) return {};
      for (const std::size_t at : index_.places(other, name)) {
        if (&other == &file && at == declared) continue;
        if (!read_member_functor(other, at, made, calls)) return {};
      }
    }
    if (made.kernels.size() != 1) return {};
    for (auto& call : calls) call.kernels = made.kernels;
    return calls;
  }

  /// `f(program, "name")` of a constructor, `f = F(program, "name")`, or a call `f(args, a, b)`; false for anything
  /// else.
  bool read_member_functor(const HostFile& file, std::size_t at, PassingKernels& made,
                           std::vector<PassingKernels>& calls) const {
    const bool opens = file.is(at + 1, "(") || file.is(at + 1, "{");
    const bool assigned = file.is(at + 1, "=") && !file.is(at + 2, "=");
    if (!opens && !assigned) return false;
    std::size_t end = opens ? file.close(at + 1) : at;
    while (assigned && end < file.tokens.size() && !file.is(end, ";")) ++end;
    if (end >= file.tokens.size()) return false;
    std::size_t names = 0;
    for (std::size_t t = at; t < end; ++t) {
      if (file.tokens[t].kind != Token::Kind::String) continue;
      made.kernels.insert(unquoted(file.at(t)));
      ++names;
    }
    if (names > 0) return names == 1;
    if (assigned || !file.is(at + 1, "(") || index_.around(file, at) == nullptr) return false;
    PassingKernels call;
    call.file = file.name;
    call.call = {file.tokens[at].begin, file.tokens[end].end};
    call.place = file.place(at);
    call.known = true;
    calls.push_back(std::move(call));
    return true;
  }

  std::optional<Flow> unknown(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return std::nullopt;
  }

  /// The text of a string argument: a literal, a macro that is one everywhere, or a parameter.
  std::optional<Flow> name_in(const TokenRange& range, const HostFunction* function) {
    if (auto listed = name_in_list(range)) return listed;
    if (range.size() != 1) return unknown(range.file->place(range.begin) + ": a kernel's name is made at run time");
    const auto text = range.file->at(range.begin);
    if (range.file->tokens[range.begin].kind == Token::Kind::String) return Flow{{unquoted(text)}, {}};
    if (function != nullptr)
      if (const int parameter = function->parameter(text); parameter >= 0) return Flow{{}, {{function, parameter}}};
    Flow out;
    for (const auto& file : index_.files())
      for (std::size_t i = 0; i < file.tokens.size(); ++i) {
        if (file.tokens[i].kind != Token::Kind::Directive) continue;
        const std::string inside(file.at(i).substr(1));
        const auto tokens = tokens_of(inside);
        if (tokens.size() == 3 && text_of(tokens[0], inside) == "define" && text_of(tokens[1], inside) == text &&
            tokens[2].kind == Token::Kind::String)
          out.names.insert(unquoted(text_of(tokens[2], inside)));
      }
    if (out.names.empty()) return unknown(range.file->place(range.begin) + ": a kernel's name is made at run time");
    return out;
  }

  /// `names[i]` of `const char *names[] = {"a", "b"}`, where nobody writes into it: each of them.
  std::optional<Flow> name_in_list(const TokenRange& range) const {
    const auto& file = *range.file;
    if (!file.word(range.begin) || !range.is(1, "[") || file.close(range.begin + 1) + 1 != range.end) return {};
    const auto name = file.at(range.begin);
    Flow out;
    for (const auto& other : index_.files()) {
      if (!index_.directives(other, name).empty()) return {};
      for (const std::size_t i : index_.places(other, name)) {
        if (!other.is(i + 1, "[")) return {};  // goes somewhere whole
        const std::size_t next = other.close(i + 1) + 1;
        const bool declared = other.is(i - 1, "*") && other.is(i - 2, "char");
        if (!other.is(next, "=") || other.is(next + 1, "=")) {
          if (declared || other.is(i - 1, "&")) return {};
          continue;
        }
        if (!declared || !other.is(next + 1, "{")) return {};
        for (const auto& item : arguments_at(other, next + 1)) {
          if (item.size() != 1 || other.tokens[item.begin].kind != Token::Kind::String) return {};
          out.names.insert(unquoted(other.at(item.begin)));
        }
      }
    }
    return out.names.empty() ? std::nullopt : std::optional(out);
  }

  /// Which kernels an expression can be.
  std::optional<Flow> value(TokenRange range, int depth) {
    if (depth > deepest_flow) return unknown("too many functions between a kernel and its launch");
    if (range.begin >= range.end) return unknown("nothing is passed");
    range = stripped(range);
    const auto& file = *range.file;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (file.is(i, "(") || file.is(i, "[") || file.is(i, "{")) i = file.close(i);
      if (i < range.end && file.is(i, "?")) return choice({&file, i + 1, range.end}, depth);
    }
    if (range.size() == 1) {
      if (is_one_of(file.at(range.begin), {"NULL", "nullptr", "0"})) return Flow{};
      if (file.word(range.begin)) return variable(file, range.begin, depth);
    }
    const std::size_t last = range.end - 1;
    if (file.is(last, ")")) return called(range, depth);
    if (file.is(last, "]")) return element(range, depth);
    const bool member = range.size() > 2 && file.word(last) &&
                        (file.is(last - 1, ".") || (file.is(last - 1, ">") && file.is(last - 2, "-")));
    if (member) return held({std::string(file.at(last)), true, nullptr, nullptr}, depth);
    return unknown(file.place(range.begin) + ": it could not be followed which kernel is meant");
  }

  std::optional<Flow> choice(const TokenRange& rest, int depth) {
    for (std::size_t i = rest.begin; i < rest.end; ++i) {
      if (rest.file->is(i, "(") || rest.file->is(i, "[")) i = rest.file->close(i);
      if (i >= rest.end || !rest.file->is(i, ":") || rest.file->is(i + 1, ":") || rest.file->is(i - 1, ":")) continue;
      auto one = value({rest.file, rest.begin, i}, depth + 1);
      const auto other = value({rest.file, i + 1, rest.end}, depth + 1);
      if (!one || !other) return std::nullopt;
      one->merge(*other);
      return one;
    }
    return unknown(rest.file->place(rest.begin) + ": it could not be followed which kernel is meant");
  }

  std::optional<Flow> element(const TokenRange& range, int depth) {
    const auto& file = *range.file;
    if (file.word(range.begin) && file.is(range.begin + 1, "[") && file.close(range.begin + 1) + 1 == range.end)
      return variable(file, range.begin, depth);
    for (std::size_t i = range.end - 1; i > range.begin + 1; --i) {
      if (!file.is(i, "[") || file.close(i) + 1 != range.end || !file.word(i - 1)) continue;
      return held({std::string(file.at(i - 1)), true, nullptr, nullptr}, depth);
    }
    return unknown(file.place(range.begin) + ": it could not be followed which kernel is meant");
  }

  /// clCreateKernel, cl::Kernel, or a function of the tree that returns one.
  std::optional<Flow> called(const TokenRange& range, int depth) {
    const auto& file = *range.file;
    std::size_t open = range.end - 1;
    while (open > range.begin && !(file.is(open, "(") && file.close(open) + 1 == range.end)) --open;
    if (open == range.begin || !file.word(open - 1))
      return unknown(file.place(range.begin) + ": a call that is not known");
    const auto name = file.at(open - 1);
    const auto arguments = arguments_at(file, open);
    const auto* here = index_.around(file, open);
    if (is_one_of(name, {"clCreateKernel", "Kernel"})) {
      if (arguments.size() < 2) return unknown(file.place(open) + ": a kernel without a name");
      return name_in(arguments[1], here);
    }
    Flow out;
    bool defined = false;
    for (const auto& function : index_.functions()) {
      if (function.name != name || function.parameters.size() != arguments.size()) continue;
      if (function.local_to_file && function.file != &file) continue;
      defined = true;
      const auto made = returned(function, depth);
      if (!made) return std::nullopt;
      out.names.insert(made->names.begin(), made->names.end());
      for (const auto& [owner, position] : made->parameters) {
        if (owner != &function) return unknown(file.place(open) + ": a call that is not known");
        const auto named = name_in(arguments[static_cast<std::size_t>(position)], here);
        if (!named) return std::nullopt;
        out.merge(*named);
      }
    }
    if (!defined) return unknown(fmt::format("{}: {} is not in the tree", file.place(open), name));
    return out;
  }

  std::optional<Flow> returned(const HostFunction& function, int depth) {
    Flow out;
    bool any = false;
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (!function.file->is(i, "return")) continue;
      std::size_t end = i + 1;
      while (end < function.close && !function.file->is(end, ";")) ++end;
      const auto flow = value({function.file, i + 1, end}, depth + 1);
      if (!flow) return std::nullopt;
      out.merge(*flow);
      any = true;
    }
    if (!any) return unknown(function.file->place(function.open) + ": nothing is returned");
    return out;
  }

  std::optional<Flow> variable(const HostFile& file, std::size_t at, int depth) {
    const std::string name(file.at(at));
    const auto* function = index_.around(file, at);
    if (function == nullptr) return unknown(file.place(at) + ": it could not be followed which kernel is meant");
    if (in_lambda_with(file, *function, at, name)) return unknown(file.place(at) + ": a lambda is given the kernel");
    const int parameter = function->parameter(name);
    const bool local = declared_in(*function, name);
    if (parameter >= 0 && local) return unknown(file.place(at) + ": two variables are called " + name);
    if (parameter >= 0) {
      // Assigned inside, or given by the callers.
      auto inside = held({name, false, function, nullptr}, depth);
      const auto callers = given(*function, static_cast<std::size_t>(parameter), depth);
      if (!inside || !callers) return std::nullopt;
      inside->merge(*callers);
      return inside;
    }
    if (local) return held({name, false, function, nullptr}, depth);
    return held({name, true, nullptr, static_in(file, name) ? &file : nullptr}, depth);
  }

  /// What every caller in the tree passes.
  std::optional<Flow> given(const HostFunction& function, std::size_t position, int depth) {
    return once({&function, "given " + function.parameters[position].name},
                [&] { return given_by_callers(function, position, depth); });
  }

  /// A question that leads back to itself adds nothing to its own answer.
  template <typename Question>
  std::optional<Flow> once(const std::pair<const void*, std::string>& key, const Question& question) {
    if (!busy_.insert(key).second) return Flow{};
    auto answer = question();
    busy_.erase(key);
    return answer;
  }

  std::optional<Flow> given_by_callers(const HostFunction& function, std::size_t position, int depth) {
    Flow out;
    bool any = false;
    for (const auto& file : index_.files()) {
      if (function.local_to_file && &file != function.file) continue;
      if (&file != function.file && has_its_own(file, function)) continue;
      for (const std::size_t i : index_.directives(file, function.name))
        return unknown(file.place(i) + ": a macro calls " + function.name);
      for (const std::size_t i : index_.places(file, function.name)) {
        const auto* caller = index_.around(file, i);
        if (caller == nullptr) {
          const bool declares = i > 0 && file.is(i + 1, "(") &&
                                (file.word(i - 1) || file.is(i - 1, "*") || file.is(i - 1, "&") ||
                                 file.is(i - 1, ":") || file.is(i - 1, ">"));
          if (!declares)
            return unknown(fmt::format("{}: {} is used other than by a call", file.place(i), function.name));
          continue;
        }
        if (!file.is(i + 1, "("))
          return unknown(fmt::format("{}: {} is used other than by a call", file.place(i), function.name));
        const auto arguments = arguments_at(file, i + 1);
        if (position >= arguments.size())
          return unknown(fmt::format("{}: a call of {} that is not known", file.place(i), function.name));
        const auto flow = value(arguments[position], depth + 1);
        if (!flow) return std::nullopt;
        out.merge(*flow);
        any = true;
      }
    }
    // A helper of a shared header that this program has no use for launches nothing.
    if (!any && !function.is_static)
      return unknown(fmt::format("{}: nobody calls {}", function.file->place(function.header), function.name));
    return out;
  }

  /// A file with a function of that name and as many parameters calls its own.
  bool has_its_own(const HostFile& file, const HostFunction& function) const {
    return std::any_of(index_.functions().begin(), index_.functions().end(), [&](const HostFunction& f) {
      return f.file == &file && f.name == function.name && f.parameters.size() == function.parameters.size();
    });
  }

  bool declared_in(const HostFunction& function, const std::string& name) const {
    for (const std::size_t i : index_.places(*function.file, name))
      if (function.open < i && i < function.close && !follows_a_dot(*function.file, i) &&
          declares_at(*function.file, function.open, i) && !is_value_of_declaration(*function.file, i))
        return true;
    return false;
  }

  bool static_in(const HostFile& file, const std::string& name) const {
    if (is_header(file.name)) return false;
    for (const std::size_t i : index_.places(file, name))
      if (index_.around(file, i) == nullptr && declares_at(file, 0, i)) {
        for (std::size_t t = i; t-- > 0 && !file.is(t, ";") && !file.is(t, "}");)
          if (file.is(t, "static")) return true;
      }
    return false;
  }

  /// Everything that is ever put into a variable.
  std::optional<Flow> held(const Subject& subject, int depth) {
    return once({subject.inside, (subject.member ? "member " : "held ") + subject.name},
                [&] { return put_into(subject, depth); });
  }

  std::optional<Flow> put_into(const Subject& subject, int depth) {
    if (subject.member && subject.inside == nullptr)
      if (const auto& aggregate = braces())
        return unknown(*aggregate + ": a kernel is put into a struct by its position");
    Flow out;
    bool any = false;
    for (const auto& file : index_.files()) {
      if (subject.inside != nullptr && subject.inside->file != &file) continue;
      if (subject.file != nullptr && subject.file != &file) continue;
      const std::size_t begin = subject.inside != nullptr ? subject.inside->open : 0;
      const std::size_t end = subject.inside != nullptr ? subject.inside->close : file.tokens.size();
      for (const std::size_t i : index_.directives(file, subject.name))
        if (begin <= i && i < end) return unknown(file.place(i) + ": a macro uses " + subject.name);
      for (const std::size_t i : index_.places(file, subject.name)) {
        if (i < begin || i >= end) continue;
        if (!subject.member && follows_a_dot(file, i)) continue;
        if (subject.inside == nullptr && !follows_a_dot(file, i) && is_local_there(file, i)) continue;
        auto put = put_at(file, i, subject, depth);
        if (!put.understood) return std::nullopt;
        if (put.flow) {
          out.merge(*put.flow);
          any = true;
        }
      }
    }
    const bool is_parameter = subject.inside != nullptr && subject.inside->parameter(subject.name) >= 0;
    if (!any && !is_parameter) return unknown("where " + subject.name + " gets its kernel was not found");
    return out;
  }

  /// A parameter or a local variable of the same name is another one.
  bool is_local_there(const HostFile& file, std::size_t i) const {
    const auto* function = index_.around(file, i);
    const std::string name(file.at(i));
    return function != nullptr && (function->parameter(name) >= 0 || declared_in(*function, name));
  }

  struct Put {
    bool understood = true;
    std::optional<Flow> flow;  // nothing: the variable is only read here
  };

  Put put_at(const HostFile& file, std::size_t i, const Subject& subject, int depth) {
    const auto not_known = [&](const std::string& why) {
      unknown(file.place(i) + ": " + why);
      return Put{false, {}};
    };
    std::size_t next = i + 1;
    if (file.is(next, "[")) next = file.close(next) + 1;
    const bool assigned = file.is(next, "=") && !file.is(next + 1, "=");
    if (assigned) {
      std::size_t end = next + 1;
      while (end < file.tokens.size() && !is_one_of(file.at(end), {";", ",", ")", "}"})) {
        if (is_one_of(file.at(end), {"(", "[", "{"})) end = file.close(end);
        ++end;
      }
      if (!file.is(next + 1, "{")) return result(value({&file, next + 1, end}, depth + 1));
      Flow out;
      for (const auto& item : arguments_at(file, next + 1)) {
        const auto flow = value(item, depth + 1);
        if (!flow) return {false, {}};
        out.merge(*flow);
      }
      return {true, out};
    }
    if (is_aliased(file, i)) return not_known("the address of " + subject.name + " is taken");
    const auto* function = index_.around(file, i);
    const bool header_of_function = function == nullptr && file.is(next, "(") && is_function_name(file, i);
    if ((file.is(next, "(") || file.is(next, "{")) && next == i + 1 && !header_of_function) {
      const bool makes = subject.member ? !follows_a_dot(file, i) : declares_at(file, 0, i);
      const auto arguments = arguments_at(file, next);
      if (!makes) return arguments.empty() ? Put{} : not_known(subject.name + " is called");
      if (arguments.empty()) return {};
      if (arguments.size() == 1) return result(value(arguments[0], depth + 1));
      return result(name_in(arguments[1], function));
    }
    if (file.is(next, ":") && !file.is(next + 1, ":") && i > 0 && declares_at(file, 0, i) && in_for(file, i))
      return not_known("a loop runs over kernels");
    return passed_on(file, i, next, not_known);
  }

  /// As an argument: of a function that may change it?
  template <typename NotKnown>
  Put passed_on(const HostFile& file, std::size_t i, std::size_t next, const NotKnown& not_known) {
    if (!is_one_of(file.at(next), {",", ")"})) return {};
    std::size_t open = i;
    int depth = 0;
    while (open > 0) {
      --open;
      if (is_one_of(file.at(open), {")", "]", "}"})) ++depth;
      if (is_one_of(file.at(open), {"(", "[", "{"}) && --depth < 0) break;
    }
    if (!file.is(open, "(") || open == 0 || !file.word(open - 1)) return {};
    const auto callee = file.at(open - 1);
    if (is_one_of(callee, {"clCreateKernelsInProgram", "swap", "exchange", "tie", "memcpy", "createKernels"}))
      return not_known(std::string(callee) + " may put another kernel there");
    const auto arguments = arguments_at(file, open);
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (i < arguments[a].begin || i >= arguments[a].end) continue;
      for (const auto& f : index_.functions())
        if (f.name == callee && a < f.parameters.size() && f.parameters[a].can_be_changed && f.open != open)
          return not_known(f.name + " may put another kernel there");
    }
    return {};
  }

  Put result(std::optional<Flow> flow) const { return {flow.has_value(), std::move(flow)}; }

  bool is_function_name(const HostFile& file, std::size_t i) const {
    return std::any_of(index_.functions().begin(), index_.functions().end(),
                       [&](const HostFunction& f) { return f.file == &file && f.header == i; });
  }

  /// Names that stand for parameters become what the callers pass.
  std::optional<std::set<std::string>> settled(const Flow& flow, int depth) {
    auto out = flow.names;
    if (depth > deepest_flow) {
      unknown("too many functions between a kernel's name and its launch");
      return std::nullopt;
    }
    for (const auto& [function, position] : flow.parameters) {
      bool any = false;
      for (const auto& file : index_.files()) {
        if (function->local_to_file && &file != function->file) continue;
        if (!index_.directives(file, function->name).empty()) {
          unknown("a macro of " + file.name + " calls " + function->name);
          return std::nullopt;
        }
        for (const std::size_t i : index_.places(file, function->name)) {
          if (index_.around(file, i) == nullptr) continue;
          const auto arguments = file.is(i + 1, "(") ? arguments_at(file, i + 1) : std::vector<TokenRange>{};
          if (static_cast<std::size_t>(position) >= arguments.size()) {
            unknown(fmt::format("{}: {} is used other than by a call", file.place(i), function->name));
            return std::nullopt;
          }
          const auto named = name_in(arguments[static_cast<std::size_t>(position)], index_.around(file, i));
          const auto more = named ? settled(*named, depth + 1) : std::nullopt;
          if (!more) return std::nullopt;
          out.insert(more->begin(), more->end());
          any = true;
        }
      }
      if (!any && !function->is_static) {
        unknown("nobody calls " + function->name);
        return std::nullopt;
      }
    }
    return out;
  }

  const std::optional<std::string>& braces() {
    if (!braces_) braces_ = kernel_in_braces(index_);
    return *braces_;
  }

  HostIndex index_;
  std::set<std::string, std::less<>> functor_types_;
  std::string why_;
  std::set<std::pair<const void*, std::string>> busy_;
  std::optional<std::optional<std::string>> braces_;  // looked for once
  std::map<const HostFile*, std::size_t> programs_;
  std::map<std::size_t, std::optional<std::set<std::string>>> made_in_;
};

}  // namespace

std::vector<PassingKernels> launches_in(const Files& files) { return KernelFlow(files).all(); }

}  // namespace hone::patch
