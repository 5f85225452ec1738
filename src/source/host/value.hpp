#pragma once
// What the interpreter knows of a host value. A number is an expression over the program's inputs together with the
// number it is in a run without arguments; what is not known says why. Values are copied freely: big ones share.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/provenance.hpp"

namespace hone::host {

struct PathStep {
  std::string field;  // empty: an index
  std::int64_t index = 0;
  auto operator<=>(const PathStep&) const = default;
};

/// Where a value is held: an object, and the way to a part of it.
struct Location {
  std::int32_t slot = -1;
  std::vector<PathStep> path;
  bool vague = false;  // somewhere in there: the index is not known
  bool operator==(const Location&) const = default;
  Location field(const std::string& name) const;
  Location element(std::int64_t index) const;
  /// A pointer moved by so many elements.
  Location moved(std::int64_t by) const;
};

/// Where the characters of a text come from: a literal or a whole file.
struct TextPiece {
  std::string file;
  std::uint32_t begin = 0, end = 0;
  bool whole_file = false, in_macro = false;
  std::size_t length = 0;
  bool operator==(const TextPiece&) const = default;
};

/// Where a text holds a number that the program computed: an expression over its inputs.
struct TextNumber {
  std::size_t begin = 0, end = 0;
  Expression value;
};

struct Parts;
struct Closure;

struct HostValue {
  enum class Kind : std::uint8_t { Unknown, Number, Text, Null, Pointer, Record, Array, Handle, Function, Lambda };
  Kind kind = Kind::Unknown;
  bool real = false;    // of a Number
  bool input = false;   // what a person gives on the command line can change it
  bool device = false;  // a device says it; taken to be what is usual, and what follows from it is never seen
  Provenance::Kind from = Provenance::Kind::Seen;
  Expression number;                       // of a Number
  std::optional<hone::Value> known;        // of a Number: what it is in a run without arguments
  std::shared_ptr<const Expression> test;  // of a truth value: the comparison it is of, where that holds inputs
  std::string text;                        // the reason; the text; the class; what a Handle is a handle of
  Location at;                             // of a Pointer or Handle
  std::string place;                       // where it was made: "main.c:57"
  std::shared_ptr<const Parts> parts;
  std::shared_ptr<const std::vector<TextPiece>> pieces;
  std::shared_ptr<const std::vector<TextNumber>> numbers;  // of a Text: absent when there are none
  std::int32_t unit = -1, function = -1;                   // of a Function or Lambda
  std::shared_ptr<const Closure> closure;

  bool is(Kind k) const { return kind == k; }
  bool is_handle(std::string_view of) const { return kind == Kind::Handle && text == of; }
  std::optional<std::int64_t> whole() const;  // the known integer
  std::optional<double> as_real() const;
  /// Is it true? Nothing when that is not known.
  std::optional<bool> truth() const;
};

struct Parts {
  std::map<std::string, HostValue> fields;
  std::map<std::int64_t, HostValue> elements;
  std::optional<HostValue> rest;  // every element that is not there
  std::optional<HostValue> size;  // of a container
};

struct Closure {
  std::map<std::int32_t, Location> names;
  Location self;
};

HostValue unknown(std::string why);
HostValue number(std::int64_t value);
HostValue real(double value);
HostValue number(Expression expression, std::optional<hone::Value> known, bool is_real);
HostValue text(std::string value);
HostValue null();
HostValue pointer(Location to);
/// What a function that returns a reference gives: the place, not what it holds.
HostValue reference(Location to);
HostValue handle(std::string of, std::int32_t slot);
HostValue record(std::string of);
HostValue array();

/// The condition under which it is true, over the program's inputs; nothing when no input changes it.
std::optional<Expression> test_of(const HostValue& value);
/// What holds after a way that the inputs' first values chose, where the other leaves something else: a number that
/// says both, else what the chosen way left, for these values only.
HostValue chosen(const Expression& test, bool truth, const HostValue& taken, const HostValue& other);

bool same(const HostValue& a, const HostValue& b, int depth = 0);
/// What holds after two ways met; `name` is what it would be called as an input.
HostValue join(const HostValue& a, const HostValue& b, int depth = 0);

/// For people and for goldens: "n * 4", "text \"...\"", "unknown (read from a file)".
std::string print(const HostValue& value);

}  // namespace hone::host
