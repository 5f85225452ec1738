#pragma once
// Follows a host program to its launches: runs its functions on symbols instead of numbers, from the ones nobody calls
// downwards, and notes kernels, buffers, arguments and sizes on the way. What it cannot know becomes a symbol with the
// value the program starts from. Nothing is executed.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/extraction.hpp"
#include "source/host_code.hpp"

namespace hone::source::host {

/// What a host expression is worth.
struct HostValue {
  enum class Kind { Unknown, Number, Text, Kernel, Buffer, List, Null, Reference };
  Kind kind = Kind::Unknown;
  Expression number;             // of a Number; the name (or a choice of names) of a Buffer
  bool real = false;             // a Number that is no integer
  std::string text;              // of a Text; the name of a Kernel; the key of a Reference
  std::vector<HostValue> items;  // of a List
  bool operator==(const HostValue&) const = default;
};

struct Followed {
  std::vector<HostProgram> programs;  // one per function where a sequence begins
  std::vector<LaunchSite> sites;
  std::vector<std::string> notes;
};
Followed follow(const HostCode& code);

/// A macro or constant expression of the host as a number, by the values it starts from.
std::optional<std::int64_t> constant_of(const HostCode& code, const Span& expression);
/// The text of a string expression: literals, macros, adjacent pieces.
std::optional<std::string> string_of(const HostCode& code, const Span& expression);

class Follower {
 public:
  explicit Follower(const HostCode& code);
  HostProgram run(const HostFunction& root);
  const std::vector<LaunchSite>& sites() const { return sites_; }

  HostValue evaluate(const Span& span);
  std::optional<std::int64_t> concretely(const HostValue& value) const;

 private:
  using Variables = std::map<std::string, HostValue>;

  // follower.cpp: statements
  void execute(const Statement& statement);
  void simple(const Span& span);
  void one_declarator(const Span& span, bool first);
  void constructed(const std::string& key, const std::string& type, const std::vector<Span>& arguments);
  bool leaves(const Statement& statement) const;
  bool matters(const Statement& statement, bool launches_only) const;
  HostValue call_function(const HostFunction& function, const std::vector<HostValue>& arguments);

  // follower_control.cpp
  void branch(const Statement& statement);
  void loop(const Statement& statement);
  void counted_loop(const Statement& statement, const std::string& variable, const Expression& begin,
                    const Expression& end, const Expression& value);
  bool unroll(const Statement& statement);
  void forget(const Variables& before);

  // follower_expression.cpp
  class Parser;

  // follower_names.cpp
  HostValue lookup(const std::string& key, const std::string& name);
  HostValue symbol(const std::string& variable, std::optional<Value> start, bool real = false);
  std::string key_of(const std::string& variable) const;
  std::optional<std::string> path_key(const Span& span);
  std::optional<std::int64_t> size_of(const Span& type, int depth = 0) const;

  // follower_calls.cpp
  HostValue call(const std::string& name, const std::string& object, const Span& whole,
                 const std::vector<Span>& arguments);
  HostValue make_buffer(const std::vector<Span>& arguments, std::size_t flags, std::size_t bytes);
  void set_argument(const std::string& kernel, const Span& position, const Span& bytes, const Span& value,
                    bool by_address);
  void launch(const std::string& kernel, const Span& whole, const std::vector<Span>& arguments,
              std::vector<Expression> global, std::vector<Expression> local, std::vector<Expression> offset,
              bool local_is_null);
  std::vector<Expression> sizes(const Span& span, std::size_t dimensions);
  std::string place(const Span& span) const;

  const HostCode& code_;
  std::set<std::string> mattering_, launching_;  // functions that reach any OpenCL call, or a launch
  Variables variables_;
  std::map<std::string, std::string> types_, symbol_of_;
  std::map<std::string, std::map<std::size_t, HostArgument>> arguments_;  // of each kernel, as set so far
  HostProgram program_;
  std::vector<HostStep>* steps_ = nullptr;
  std::vector<LaunchSite> sites_;
  std::string assigned_to_;  // the variable a new buffer gets its name from
  int memory_for_ = 0;       // the frame in which a cl_mem variable is being given its value; 0: none
  std::string function_;
  int frame_ = 0, frames_ = 0, depth_ = 0;
  bool read_back_ = false, wrote_after_read_ = false;
  std::optional<HostValue> returned_;
  bool stopped_ = false;
};

}  // namespace hone::source::host
