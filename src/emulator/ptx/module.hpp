#pragma once
// PTX as a module: variables, functions, and the tokens of their bodies. Translating a body is the business of
// translate.hpp; nothing here knows instructions.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace hone::emulator::ptx {

enum class Space { Generic, Global, Constant, Shared, Local, Param };

struct Relocation {  // the address of another variable stands at `offset`
  std::size_t offset = 0;
  std::string symbol;
  std::int64_t addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  std::size_t alignment = 1, bytes = 0;
  bool is_external = false;  // of shared memory: as large as the launch says
  std::vector<std::uint8_t> initial;
  std::vector<Relocation> relocations;
};

struct Parameter {
  std::string name;
  std::size_t alignment = 1, bytes = 0, offset = 0;
};

struct Function {
  std::string name;
  bool is_entry = false, is_defined = false;
  std::vector<Parameter> results, parameters;
  std::vector<std::string_view> body;  // between the outer braces
  std::size_t parameter_bytes() const;
};

struct Module {
  std::string text;  // what the tokens point into
  std::string target;
  std::vector<Variable> variables;  // global, constant and shared ones of the module
  std::map<std::string, Function> functions;
};

/// Words of PTX without comments; directives and opcodes keep their dots.
std::vector<std::string_view> tokens_of(std::string_view text);
/// ".u64" is 8; 0 when it is no type.
std::size_t bytes_of_type(std::string_view type);
/// "-12", "0x1F", "0f3F800000" as 64 raw bits; nothing when it is no number.
std::optional<std::uint64_t> number_of(std::string_view word);
/// `.shared .align 4 .b8 name[64] = {...}` from `at` to behind its semicolon.
Result<std::vector<Variable>> read_variables(const std::vector<std::string_view>& tokens, std::size_t& at);

/// E-PTX names what could not be read. The module keeps the text.
Result<std::unique_ptr<Module>> read_module(std::string text);

}  // namespace hone::emulator::ptx
