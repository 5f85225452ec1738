#include "patch/host_scopes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace hone::patch {
namespace {

/// Classes of the C++ bindings whose objects hold no kernel.
constexpr std::array<std::string_view, 16> without_kernels = {
    "Buffer",  "BufferGL", "CommandQueue", "Context", "Device",   "Event",   "Image",   "Image1D",
    "Image2D", "Image3D",  "Memory",       "NDRange", "Platform", "Program", "Sampler", "UserEvent"};

/// `build({device})` and `cl::Context({device})` take devices.
bool takes_devices(const HostFile& file, std::size_t brace) {
  return brace > 1 && file.is(brace - 1, "(") && is_one_of(file.at(brace - 2), {"build", "compile", "Context"});
}

/// Statements stand in it, among them declarations of several variables: no list of values.
bool opens_a_block(const HostFile& file, std::size_t brace) {
  return brace > 0 && is_one_of(file.at(brace - 1), {")", ";", "}", "else", "do", "try", "noexcept", "override"});
}

}  // namespace

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TokenRange stripped(TokenRange range) {
  for (;;) {
    const auto& file = *range.file;
    if (range.size() > 2 && range.is(0, "(")) {
      const std::size_t close = file.close(range.begin);
      if (close + 1 == range.end) {
        ++range.begin;
        --range.end;
        continue;
      }
      if (close == range.begin + 2 && range.is(1, "cl_kernel")) {
        range.begin = close + 1;
        continue;
      }
    }
    // A wrapper's `kernel()` and `kernel.get()` are the kernel.
    if (range.size() > 2 && file.is(range.end - 1, ")") && file.is(range.end - 2, "(")) {
      const bool get = range.size() > 4 && file.is(range.end - 3, "get");
      if (get || (range.size() == 3 && file.word(range.begin))) {
        range.end -= get ? 4 : 2;
        if (get && range.is(range.size() - 1, "-")) --range.end;
        continue;
      }
    }
    return range;
  }
}

bool declares_at(const HostFile& file, std::size_t begin, std::size_t at) {
  std::size_t start = at;
  int depth = 0;
  while (start > begin) {
    const auto text = file.at(start - 1);
    if (text == ")" || text == "]" || text == "}") ++depth;
    if (depth == 0 && is_one_of(text, {";", "{", "}", "("})) break;
    if (text == "(" || text == "[" || text == "{") --depth;
    if (file.tokens[start - 1].kind == Token::Kind::Directive) break;
    --start;
  }
  while (start < at && is_one_of(file.at(start), {"static", "const", "constexpr", "extern", "thread_local"})) ++start;
  const bool of_bindings = file.is(start, "cl") && file.is(start + 1, ":") && file.is(start + 2, ":");
  if (file.is(start, "cl") && !of_bindings) return false;  // a variable of that name
  if (of_bindings && start + 3 < at &&
      std::find(without_kernels.begin(), without_kernels.end(), file.at(start + 3)) != without_kernels.end()) {
    return false;
  }
  return start < at && is_one_of(file.at(start), {"cl_kernel", "auto", "cl", "Kernel", "std"});
}

bool is_value_of_declaration(const HostFile& file, std::size_t at) {
  for (std::size_t i = at; i > 0; --i) {
    const auto text = file.at(i - 1);
    if (is_one_of(text, {";", "{", "}", ","})) return false;
    if (is_one_of(text, {"=", "(", "[", "?"})) return text != "(" || !file.is(i - 2, "for");
  }
  return false;
}

bool follows_a_dot(const HostFile& file, std::size_t i) {
  return i > 0 && (file.is(i - 1, ".") || (file.is(i - 1, ">") && i > 1 && file.is(i - 2, "-")));
}

std::size_t path_begin(const HostFile& file, std::size_t i) {
  while (i > 1 && follows_a_dot(file, i)) {
    i -= file.is(i - 1, ".") ? 2 : 3;
    for (int depth = 0; i > 0; --i) {  // over brackets, to the name before them
      if (is_one_of(file.at(i), {")", "]"})) ++depth;
      if (depth == 0) break;
      if (is_one_of(file.at(i), {"(", "["})) --depth;
    }
  }
  return i;
}

bool is_aliased(const HostFile& file, std::size_t i) {
  const std::size_t begin = path_begin(file, i);
  if (begin == 0) return false;
  if (file.is(begin - 1, "&")) {
    const bool operand =
        begin > 1 && ((file.word(begin - 2) && !file.is(begin - 2, "return")) ||
                      is_one_of(file.at(begin - 2), {")", "]"}) || file.tokens[begin - 2].kind == Token::Kind::Number);
    const bool both = begin > 1 && file.is(begin - 2, "&");
    return !operand && !both;
  }
  if (begin < 3 || !file.is(begin - 1, "=") || !file.word(begin - 2) || !file.is(begin - 3, "&")) return false;
  for (std::size_t t = begin - 3; t-- > 0 && !is_one_of(file.at(t), {";", "{", "}"});)
    if (file.is(t, "const")) return false;
  return true;
}

bool in_lambda_with(const HostFile& file, const HostFunction& function, std::size_t at, const std::string& name) {
  for (std::size_t i = function.open; i < at; ++i) {
    if (!file.is(i, "]") || !file.is(i + 1, "(")) continue;
    const std::size_t close = file.close(i + 1);
    std::size_t body = close + 1;
    while (body < function.close && !is_one_of(file.at(body), {"{", ";", ")", ","})) ++body;
    if (!file.is(body, "{") || !(body < at && at < file.close(body))) continue;
    for (std::size_t t = i + 2; t < close; ++t)
      if (file.at(t) == name) return true;
  }
  return false;
}

bool in_for(const HostFile& file, std::size_t i) {
  while (i > 0 && !is_one_of(file.at(i), {"(", ";", "{", "}"})) --i;
  return i > 0 && file.is(i, "(") && file.is(i - 1, "for");
}

std::optional<std::string> kernel_in_braces(const HostIndex& index) {
  std::set<std::string> holders;
  for (const auto& file : index.files())
    for (std::size_t i = 2; i + 1 < file.tokens.size(); ++i)
      if (file.word(i) && declares_at(file, 0, i) && !is_value_of_declaration(file, i))
        holders.insert(std::string(file.at(i)));
      else if (file.is(i, "clCreateKernel") && file.is(i + 1, "(") && file.is(i - 1, "=") && file.word(i - 2))
        holders.insert(std::string(file.at(i - 2)));
  for (const auto& file : index.files()) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < file.tokens.size(); ++i) {
      if (is_one_of(file.at(i), {"(", "[", "{"})) open.push_back(i);
      if (is_one_of(file.at(i), {")", "]", "}"}) && !open.empty()) open.pop_back();
      if (!file.word(i) || open.empty() || !file.is(open.back(), "{") || i == 0) continue;
      if (takes_devices(file, open.back()) || opens_a_block(file, open.back())) continue;
      const bool item = is_one_of(file.at(i - 1), {"{", ","});
      const bool whole = is_one_of(file.at(i + 1), {",", "}"}) || file.is(i, "clCreateKernel");
      if (item && whole && (holders.contains(std::string(file.at(i))) || file.is(i, "clCreateKernel"))) {
        // A declaration `cl_kernel a, b;` inside a body also has commas.
        if (!declares_at(file, 0, i)) return file.place(i);
      }
    }
  }
  return std::nullopt;
}

}  // namespace hone::patch
