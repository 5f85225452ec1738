#pragma once
// The interpreter: runs a host program from one of its roots on values that are known, symbolic or unknown with the
// reason, and notes what it does to kernels and buffers. Nothing is executed for real. Depth, steps and time are
// bounded; what lies beyond a bound is unknown, and says so.

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/cpu_clock.hpp"
#include "core/extraction.hpp"
#include "core/format.hpp"
#include "source/host/api/table.hpp"
#include "source/host/memory.hpp"
#include "source/host/program.hpp"

namespace hone::host {

struct MachineLimits {
  std::uint64_t steps = 3000000;               // nodes evaluated in a run from one root
  std::uint64_t steps_a_quiet_loop = 4000;     // a loop that touches no API
  std::uint64_t steps_a_setting_loop = 40000;  // one that sets arguments or makes buffers
  std::uint64_t rounds = 512;                  // of a loop that launches
  std::chrono::milliseconds time{8000};
  int depth = 900;  // of evaluation
  int calls = 60;
};

/// What a run did, in order.
struct Event {
  enum class Kind { Launch, Loop, CopyIn, CopyOut };
  Kind kind = Kind::Launch;
  HostLaunch launch;
  std::string variable;  // of a Loop
  Expression begin, end;
  std::vector<Event> body;
  std::string note;  // what is copied, for goldens
};

struct Trace {
  std::string function;
  std::vector<Event> events;
  std::vector<HostBuffer> buffers;  // named as in the events
  std::vector<ProgramText> programs;
  std::vector<LaunchSite> sites;
  std::map<std::string, std::optional<hone::Value>> symbols;
  std::map<std::string, Provenance> symbol_provenance;
  std::vector<std::string> host_steps, notes;
  std::set<std::string> lines;  // of launches that were run: "main.c:57"
};

class Machine {
 public:
  Machine(const Program& program, const Files& files, const MachineLimits& limits);
  Trace run(FunctionRef root);

  // --- what API models use
  HostValue eval(const Node& node);
  std::optional<Location> locate(const Node& node);
  HostValue load(const Location& from) const { return memory_.load(from); }
  void store(const Location& to, HostValue value);
  std::int32_t make(HostValue value) { return memory_.make(std::move(value)); }
  /// Stores through a pointer argument, when it is one.
  void give(const HostValue& to, HostValue value);
  /// What a pointer points at; the value itself when it is none.
  HostValue pointed(const HostValue& value, std::int64_t element = 0) const;
  std::optional<HostValue> text_value(const HostValue& value) const;
  std::string place_of(const Node& node) const;
  std::string source_of(const Node& node) const;
  const Type* type_of(const Node& node) const;
  /// Bytes of what a pointer or an iterator points at; 0 when not known.
  std::int64_t element_bytes(const Node& node) const;
  HostValue symbol(const std::string& wanted, std::optional<hone::Value> known, bool is_real, const Node& from);
  const std::string& naming() const { return naming_; }
  const Files& files() const { return files_; }
  Trace& trace() { return trace_; }
  std::vector<Event>& events() { return *events_; }
  const Function& current_function() const;

  std::int32_t make_buffer(const Node& node, HostValue flags, HostValue bytes);
  /// The kernel an expression means. Where this run made none: the only one that the program ever makes there.
  HostValue kernel_at(const Node& written, const HostValue& value);
  void set_argument(const HostValue& kernel, std::int64_t index, HostValue argument);
  struct LaunchRequest {
    HostValue kernel;
    std::string kernel_name;  // of a function that is launched by name
    std::vector<HostValue> global, local, offset;
    bool global_known = true, local_is_null = false;
    std::vector<const Node*> written;  // the call's arguments
    const SizePlaces* sizes = nullptr;
    std::string grid_text, block_text;    // of <<<grid, block>>>, as written
    HostValue shared = {};                // bytes of dynamic shared memory, where the launch says them
    std::string global_text, local_text;  // of cl::EnqueueArgs, as written
    std::map<std::size_t, HostValue> arguments;
  };
  void launch(const Node& node, LaunchRequest request);
  void copied_in(const HostValue& to, const HostValue& from, const Node& node);
  void copied_out(const HostValue& from, const HostValue& to, const Node& node);
  HostArgument describe_argument(const HostValue& argument);
  HostArgument describe_held(const HostValue& argument);
  std::vector<HostValue> sizes_at(const HostValue& value, std::size_t dimensions);
  void note(const std::string& text);
  HostValue call_value(const HostValue& callee, const std::vector<HostValue>& arguments, const Node& node);
  HostValue input(const std::string& name, bool is_real, const Node& from);
  /// What something outside writes to a place: an input of its own name when it is a number, else unknown.
  void give_input(const HostValue& to, const std::string& why, const Node& from);
  HostValue convert(const HostValue& value, const Type* type);
  HostValue arithmetic(const std::string& op, const HostValue& a, const HostValue& b, const Type* type);
  HostValue zero_of(std::int32_t unit, std::int32_t type, int depth = 0);
  HostValue default_object(const std::string& record, int depth = 0);
  Memory& memory() { return memory_; }
  std::int32_t current_unit() const;

 private:
  enum class Flow { Next, Break, Continue, Return, Leave };
  struct Frame {
    FunctionRef function;
    std::map<std::int32_t, Location> names;
    std::map<std::string, Location> words;  // of statements that were read from their tokens
    std::map<std::int32_t, std::vector<Location>> packs;
    std::vector<HostValue> extra;  // what stands for the dots of f(format, ...)
    Location self;
    HostValue returned;
    bool has_returned = false;
    const Closure* closure = nullptr;
    std::int32_t pack_index = -1;
    std::string call_place;
  };
  struct State {  // what an undecided branch copies
    Memory memory;
    std::map<std::int32_t, Location> names;
    HostValue returned;
    bool has_returned;
  };

  // machine_statement.cpp
  Flow exec(const Node& node);
  Flow block(const Node& node);
  void declare(const Node& node);
  Flow branch(const Node& node);
  Flow both_ways(const Node& node, const HostValue& condition, const std::function<Flow()>& first,
                 const std::function<Flow()>& second);
  Flow switch_over(const Node& node);
  /// What it would leave, run beside the program: nothing of it is kept.
  Memory aside(const std::function<void()>& run);
  void see_launches(const Node& passed_by, const Node& condition, bool holds);
  void peek(const Node& node);
  /// Where the way that was not taken leaves something else, `settled` makes one value of both.
  void weigh(const Memory& before, const Node* passed_by,
             const std::function<HostValue(const HostValue&, const HostValue&)>& settled);
  Flow by_device(const Node* taken, const Node* passed_by);
  bool leaves(const Node& node, int depth = 0) const;
  std::optional<bool> assumed(const Node& node, const Node* then_part, const Node* else_part) const;

  // machine_loop.cpp
  Flow loop(const Node& node);
  Flow launching_loop(const Node& node, const Node* condition, const Node* step, const Node& body, bool body_first);
  Flow quiet_loop(const Node& node, const Node* condition, const Node* step, const Node& body, bool body_first);
  Flow read_from_file(const Node& node, std::size_t since, const std::vector<std::pair<Location, HostValue>>& grown);
  Flow range_loop(const Node& node);
  std::vector<std::pair<Location, HostValue>> appended_in(const HostValue& rounds,
                                                          const std::function<void()>& one_round);
  std::optional<std::pair<std::int32_t, Expression>> counted(const Node& condition, const Node& step);
  /// How often a counted loop runs, before its first round; nothing when its body may change that.
  std::optional<HostValue> rounds_of(const Node& condition, const Node& step, const Node& body);

  // machine_grown.cpp
  /// Lists that the loop grows, as they are when it is over.
  std::vector<std::pair<Location, HostValue>> grown_by(const Node* condition, const Node* step, const Node& body);
  void fold(std::vector<std::vector<Event>> rounds, const std::string& variable, const Expression& begin,
            const std::optional<Expression>& end, bool whole, const Node& node);
  std::vector<Location> elements_of(const HostValue& range, const std::optional<Location>& at);

  // machine_expression.cpp
  HostValue eval_inner(const Node& node);
  HostValue name(const Node& node);
  std::optional<Location> locate_name(const Node& node);
  std::optional<Location> locate_word(const std::string& word);
  std::optional<Location> locate_inner(const Node& node);
  std::optional<Location> index_into(const Node& node);
  HostValue assign(const Node& node);
  HostValue increment(const Node& node);
  HostValue select(const Node& node);
  HostValue logic(const Node& node);
  HostValue init_list(const Node& node);
  HostValue literal_as_symbol(const Node& target, const Node& from, HostValue value, std::int32_t decl, bool changes,
                              const std::string& name);
  HostValue asked_by_use(const Node& node, const Location& at, HostValue held);
  std::optional<HostValue> one_of_several(const Node& node, Location at);
  Location temporary(HostValue value);

  // machine_call.cpp
  HostValue any_call(const Node& node);
  HostValue call(const Node& node);
  HostValue method_call(const Node& node);
  HostValue operator_call(const Node& node);
  std::optional<HostValue> plain_operation(const Node& node, const std::optional<Location>& at, const HostValue& first);
  HostValue construct(const Node& node, const std::optional<Location>& into = std::nullopt);
  HostValue each_constructed(const Node& initial, const Location& at, std::int64_t count);
  HostValue new_object(const Node& node);
  HostValue lambda(const Node& node);
  HostValue call_function(FunctionRef ref, const std::vector<const Node*>& nodes, const std::vector<HostValue>* values,
                          const std::optional<Location>& self, const Closure* closure, const Node& from);
  void bind(const Function& function, Frame& frame, const std::vector<const Node*>& nodes,
            const std::vector<HostValue>* values);
  std::vector<const Node*> expanded(const Node& node, std::size_t from, std::vector<Node>& made);
  HostValue opaque(const Node& node);
  void forget_empty(const Node& part);
  std::optional<HostValue> variable_arguments(const Node& node, const std::vector<const Node*>& arguments);
  void forget_references(const Node& node, const std::vector<const Node*>& arguments);

  // names of buffers
  void remember_name(const Location& at, const HostValue& value);
  void finish();

  const Program& program_;
  const Files& files_;
  MachineLimits limits_;
  Memory memory_;
  std::vector<Frame> frames_;
  std::map<std::pair<std::int32_t, std::int32_t>, Location> statics_;
  std::map<std::string, Location> globals_;
  std::map<std::int32_t, std::string> slot_names_;
  struct BufferName {
    std::size_t depth = 1000;
    std::string name, owner;
  };
  std::map<std::int32_t, BufferName> buffer_names_;  // by the buffer's object
  std::vector<std::int32_t> buffers_, programs_;
  std::map<std::string, std::string> symbol_keys_;
  std::set<std::string> asked_for_;  // symbols that a person gives
  std::set<std::string> loop_names_, active_loops_;
  std::map<const Node*, std::string> loop_name_of_;
  Trace trace_;
  std::vector<Event>* events_ = nullptr;
  std::string naming_, condition_;
  std::uint64_t steps_ = 0, quiet_limit_ = 0, last_read_back_ = 0;
  std::map<const Node*, std::uint64_t> tired_;
  std::map<const Node*, std::vector<Node>> read_from_tokens_;
  CpuClock::time_point deadline_;
  int depth_ = 0;
  std::set<const Node*> passed_by_;                            // ways not taken whose launches were seen
  int passing_by_ = 0;                                         // on such a way
  bool over_ = false, left_ = false, undecided_exit_ = false;  // beyond a bound; the program ended
  bool gave_up() {
    if (!over_ && (++steps_ > limits_.steps || ((steps_ & 1023U) == 0 && CpuClock::now() > deadline_))) {
      over_ = true;
      note("the host program is longer than what is followed; the rest of it is not");
    }
    return over_;
  }
  friend HostValue library_call(Machine& machine, const std::string& name, const Node& node,
                                std::vector<HostValue> values, bool& known);
};

/// Functions of the C and C++ libraries: text, numbers, files, containers. `known` is false for any other.
HostValue library_call(Machine& machine, const std::string& name, const Node& node, std::vector<HostValue> values,
                       bool& known);
/// Methods of library classes, by what the object holds.
HostValue library_method(Machine& machine, const std::string& name, const std::optional<Location>& at,
                         const HostValue& object, std::vector<HostValue> values, const Node& node, bool& known);
/// An object of a library class.
HostValue library_object(Machine& machine, const std::string& record, const Node& node, std::vector<HostValue> values,
                         bool& known);
/// printf-style text; nothing when the format or a value is not known.
std::optional<HostValue> formatted(Machine& machine, const HostValue& format, const std::vector<HostValue>& values);
HostValue joined_text(const HostValue& a, const HostValue& b);
HostValue as_text(const HostValue& value);

}  // namespace hone::host
