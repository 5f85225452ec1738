#include "emulator/ptx/module.hpp"

#include <algorithm>
#include <cstring>

namespace hone::emulator::ptx {
namespace {

using Tokens = std::vector<std::string_view>;

std::optional<Space> space_named(std::string_view word) {
  if (word == ".global") return Space::Global;
  if (word == ".const") return Space::Constant;
  if (word == ".shared") return Space::Shared;
  if (word == ".local") return Space::Local;
  if (word == ".param") return Space::Param;
  return std::nullopt;
}

/// Values of an initialiser, flat: nested braces are rows.
void read_values(const Tokens& tokens, std::size_t& at, std::size_t element, Variable& variable) {
  const auto put = [&](std::uint64_t value) {
    for (std::size_t i = 0; i < element; ++i) variable.initial.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  int depth = 0;
  for (; at < tokens.size() && tokens[at] != ";" && (depth > 0 || tokens[at] != ","); ++at) {
    const auto word = tokens[at];
    if (word == "{") ++depth;
    if (word == "}") --depth;
    if (word == "{" || word == "}" || word == "," || word == "generic" || word == "(" || word == ")") continue;
    if (word == "-" && at + 1 < tokens.size()) {
      put(~number_of(tokens[++at]).value_or(0) + 1);
    } else if (word == "+" && at + 1 < tokens.size() && !variable.relocations.empty()) {
      variable.relocations.back().addend = static_cast<std::int64_t>(number_of(tokens[++at]).value_or(0));
    } else if (const auto value = number_of(word)) {
      put(*value);
    } else {
      variable.relocations.push_back({variable.initial.size(), std::string(word), 0});
      put(0);
    }
  }
}

class Reader {
 public:
  explicit Reader(Module& module) : module_(module), tokens_(tokens_of(module.text)) {}

  Status all() {
    while (at_ < tokens_.size()) {
      const auto word = tokens_[at_];
      if (word == ".version" || word == ".address_size") {
        at_ += 2;
      } else if (word == ".target") {
        target();
      } else if (word == ".visible" || word == ".weak" || word == ".extern" || word == ".common") {
        external_ = word == ".extern";
        ++at_;
        continue;
      } else if (word == ".entry" || word == ".func") {
        if (auto read = function(word == ".entry"); !read) return read;
      } else if (space_named(word)) {
        if (auto read = variable(); !read) return read;
      } else if (word == ".file" || word == ".pragma" || word == ".section") {
        skip_directive();
      } else if (word == ";") {
        ++at_;
      } else {
        return fail("E-PTX", "not understood: " + std::string(word));
      }
      external_ = false;
    }
    return {};
  }

 private:
  bool is(std::string_view word) const { return at_ < tokens_.size() && tokens_[at_] == word; }

  void target() {
    module_.target = tokens_[++at_];
    ++at_;
    while (is(",")) at_ += 2;
  }

  /// `.file 1 "name", 2, 3` ends with its line, which is not kept; a `.section` is a block.
  void skip_directive() {
    const bool section = is(".section");
    ++at_;
    if (section) {
      while (at_ < tokens_.size() && !is("}")) ++at_;
      ++at_;
      return;
    }
    while (at_ < tokens_.size() && !tokens_[at_].starts_with('.') && !is(";")) ++at_;
  }

  Status variable() {
    auto read = read_variables(tokens_, at_);
    if (!read) return fail(std::move(read).error());
    for (auto& one : *read) {
      one.is_external = one.is_external || (external_ && one.space == Space::Shared);
      module_.variables.push_back(std::move(one));
    }
    return {};
  }

  Result<std::vector<Parameter>> parameters() {  // at "("
    std::vector<Parameter> out;
    std::size_t offset = 0;
    for (++at_; at_ < tokens_.size() && !is(")");) {
      if (is(",")) ++at_;
      if (is(".reg")) return fail("E-PTX", "functions that take registers");
      Parameter one;
      std::size_t element = 0;
      for (; at_ < tokens_.size() && tokens_[at_].starts_with('.'); ++at_) {
        if (is(".align")) {
          one.alignment = static_cast<std::size_t>(number_of(tokens_[++at_]).value_or(1));
        } else if (const auto bytes = bytes_of_type(tokens_[at_]); bytes != 0) {
          element = bytes;
        } else if (is(".ptr") && at_ + 1 < tokens_.size() && space_named(tokens_[at_ + 1])) {
          ++at_;
          if (at_ + 1 < tokens_.size() && tokens_[at_ + 1] == ".align") at_ += 2;  // of what it points to
        } else if (is(".ptr") && at_ + 1 < tokens_.size() && tokens_[at_ + 1] == ".align") {
          at_ += 2;
        }
      }
      one.name = tokens_[at_++];
      std::size_t count = 1;
      if (is("[")) {
        count = static_cast<std::size_t>(number_of(tokens_[at_ + 1]).value_or(0));
        at_ += 3;
      }
      one.alignment = std::max(one.alignment, element);
      one.bytes = element * count;
      one.offset = offset = (offset + one.alignment - 1) / one.alignment * one.alignment;
      offset += one.bytes;
      out.push_back(std::move(one));
    }
    ++at_;
    return out;
  }

  Status function(bool entry) {
    Function one;
    one.is_entry = entry;
    ++at_;
    if (is("(")) {
      auto results = parameters();
      if (!results) return fail(std::move(results).error());
      one.results = std::move(*results);
    }
    one.name = tokens_[at_++];
    if (is("(")) {
      auto taken = parameters();
      if (!taken) return fail(std::move(taken).error().context(one.name));
      one.parameters = std::move(*taken);
    }
    while (at_ < tokens_.size() && !is("{") && !is(";")) ++at_;  // .maxntid and its kin
    if (is("{")) {
      int depth = 1;
      for (++at_; at_ < tokens_.size(); ++at_) {
        if (is("{")) ++depth;
        if (is("}") && --depth == 0) break;
        one.body.push_back(tokens_[at_]);
      }
      one.is_defined = true;
      ++at_;
    }
    auto& known = module_.functions[one.name];
    if (one.is_defined || !known.is_defined) known = std::move(one);
    return {};
  }

  Module& module_;
  Tokens tokens_;
  std::size_t at_ = 0;
  bool external_ = false;
};

}  // namespace

std::size_t Function::parameter_bytes() const {
  return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
}

Result<std::vector<Variable>> read_variables(const Tokens& tokens, std::size_t& at) {
  std::vector<Variable> out;
  Variable shape;
  shape.space = *space_named(tokens[at++]);
  std::size_t element = 0, lanes = 1;
  for (; at < tokens.size() && tokens[at].starts_with('.'); ++at) {
    if (tokens[at] == ".align") {
      shape.alignment = static_cast<std::size_t>(number_of(tokens[++at]).value_or(1));
    } else if (tokens[at] == ".v2" || tokens[at] == ".v4") {
      lanes = tokens[at] == ".v2" ? 2 : 4;
    } else if (const auto bytes = bytes_of_type(tokens[at]); bytes != 0) {
      element = bytes;
    } else if (tokens[at] == ".texref" || tokens[at] == ".surfref" || tokens[at] == ".samplerref") {
      return fail("E-PTX", "textures and surfaces are not emulated");
    } else if (tokens[at] != ".attribute" && tokens[at] != ".managed") {
      return fail("E-PTX", "a variable with " + std::string(tokens[at]));
    }
    if (tokens[at] == ".attribute") at += 3;
  }
  if (element == 0) return fail("E-PTX", "a variable without a type");
  for (; at < tokens.size() && tokens[at] != ";";) {
    if (tokens[at] == ",") ++at;
    Variable one = shape;
    one.name = tokens[at++];
    one.alignment = std::max(one.alignment, element * lanes);
    std::size_t count = 1;
    while (at < tokens.size() && tokens[at] == "[") {
      const bool open = tokens[at + 1] == "]";
      one.is_external = one.is_external || (open && one.space == Space::Shared);
      count *= open ? 0 : static_cast<std::size_t>(number_of(tokens[at + 1]).value_or(0));
      at += open ? 2 : 3;
    }
    one.bytes = element * lanes * count;
    if (at < tokens.size() && tokens[at] == "=") read_values(tokens, ++at, element, one);
    one.bytes = std::max(one.bytes, one.initial.size());
    out.push_back(std::move(one));
  }
  ++at;
  return out;
}

Result<std::unique_ptr<Module>> read_module(std::string text) {
  auto module = std::make_unique<Module>();
  module->text = std::move(text);
  Reader reader(*module);
  if (auto read = reader.all(); !read) return fail(std::move(read).error());
  return module;
}

}  // namespace hone::emulator::ptx
