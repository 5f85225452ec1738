#pragma once
// What `source/` takes out of an application and `mep/` completes: the text of the kernels with all they need, where it
// came from, and what the host code says about how they are launched. Plain values; nothing here needs the application
// again.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/language.hpp"
#include "core/mep.hpp"
#include "core/origin.hpp"
#include "core/provenance.hpp"

namespace hone {

/// An argument as the host sets it. Expressions are over host symbols (HostProgram::symbols) and loop variables.
struct HostArgument {
  enum class Kind { Buffer, Scalar, Local, Image, Sampler, Struct, Unknown };
  Kind kind = Kind::Unknown;
  Expression value;  // the name of the buffer or image (or a choice between names), the scalar, the bytes of local
                     // memory, the text of a sampler ("nearest clamp_to_edge")
  std::map<std::string, Expression> fields;  // of a struct passed by value: those that are known, arrays as name_0, ...
  std::string text;                          // as written in the host
  std::string reason;                        // of an Unknown: why
  Provenance provenance;
  bool operator==(const HostArgument&) const = default;
};

struct HostLaunch {
  std::string kernel;
  std::map<std::size_t, HostArgument> arguments;  // by position; what the host does not say is absent
  std::vector<Expression> global, local, offset;  // empty: not followed (local also: NULL)
  bool local_is_null = false;
  Provenance sizes;                  // of global and local
  std::string place;                 // "main.c:57", for people
  std::string condition;             // when it runs only on a way that was not decided: "only if mode == 2"
  std::vector<std::string> reasons;  // what of it could not be followed, and why
  bool operator==(const HostLaunch&) const = default;
};

struct HostLoop;
using HostStep = std::variant<HostLaunch, HostLoop>;
struct HostLoop {
  std::string variable;
  Expression begin, end;
  std::vector<HostStep> body;
  bool operator==(const HostLoop&) const;
};
inline bool HostLoop::operator==(const HostLoop& other) const {
  return variable == other.variable && begin == other.begin && end == other.end && body == other.body;
}

struct HostImage {
  std::string channel_order, channel_type;  // "RGBA", "unorm_int8"; empty when not followed
  std::optional<Expression> width, height, depth;
};

struct HostBuffer {
  std::string name;
  std::optional<Expression> bytes;
  bool kernels_only_read = false, kernels_only_write = false;  // by its flags
  std::optional<HostImage> image;
  Provenance provenance;
};

/// A sequence of launches as one run of the application makes them.
struct HostProgram {
  std::string function;  // where the sequence begins
  std::vector<HostStep> steps;
  std::vector<HostBuffer> buffers;
  std::map<std::string, std::optional<Value>> symbols;  // what sizes are made of, with the value the host starts from
  std::map<std::string, Provenance> symbol_provenance;
  std::vector<std::string> host_steps;  // why the sequence is not one program: the host computes in between
  std::vector<std::string> notes;
};

/// A macro the host gives when it builds the kernels, or that was given by the person.
struct Define {
  std::string name, value;
  std::string place;  // "lud.c:231"; empty when given
  bool inferred = false;
  Provenance provenance;
  std::optional<Expression> follows = {};  // what the value was made of, over host symbols, where that is known
};

/// A text the host hands to the runtime's compiler: what it is made of, in order, and with which options.
struct ProgramText {
  struct Piece {
    std::string file;  // where it stands; empty when the text is computed
    ByteRange range;   // of the literal, quotes included; the whole file when that is read
    bool whole_file = false, in_macro = false;
    std::string text;  // of a computed piece
  };
  std::vector<Piece> pieces;
  std::optional<std::string> options;  // with the values the host starts from; absent when not followed
  struct Number {
    std::size_t begin = 0, end = 0;
    Expression value;  // over host symbols
  };
  std::vector<Number> numbers;       // that stand in the options
  std::vector<std::string> kernels;  // made from it
  std::string place, unknown;        // why pieces are missing
};

struct Extraction {
  Language language = Language::OpenCL;
  std::string source;
  std::vector<std::string> kernels;  // those asked for, in source order
  std::vector<Define> defines;       // in effect
  std::vector<std::string> options;  // the host's other build options that change what a kernel means or costs
  Origin origin;
  HostProgram host;  // only launches of `kernels`; empty steps when no launch was found
  std::vector<std::string> notes;
};

}  // namespace hone
