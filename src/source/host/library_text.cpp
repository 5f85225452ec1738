// Texts of the host program: printf and its family, string functions, streams.
#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

std::string real_text(double value) { return fmt::format("{:g}", value); }

using Numbers = std::vector<TextNumber>;

void add_numbers(Numbers& all, const HostValue& part, std::size_t at) {
  for (const auto& one : part.numbers ? *part.numbers : Numbers{})
    all.push_back({at + one.begin, at + one.end, one.value});
}
/// A whole number that depends on an input, printed as it is.
void add_number(Numbers& all, const HostValue& value, std::size_t begin, std::size_t end) {
  if (value.is(VK::Number) && !value.real && !value.number.names().empty()) all.push_back({begin, end, value.number});
}
void give_numbers(HostValue& text, Numbers all) {
  if (!all.empty()) text.numbers = std::make_shared<const Numbers>(std::move(all));
}

}  // namespace

/// A value as a stream or to_string would print it; unknown when it has no text.
HostValue as_text(const HostValue& value) {
  if (value.is(VK::Text)) return value;
  if (value.is(VK::Number) && value.known) {
    HostValue out = value.real ? text(real_text(*value.as_real())) : text(std::to_string(*value.whole()));
    out.input = value.input;
    out.from = value.from;
    Numbers numbers;
    add_number(numbers, value, 0, out.text.size());
    give_numbers(out, std::move(numbers));
    return out;
  }
  return value.is(VK::Unknown) ? value : unknown("a text made of " + print(value));
}

HostValue joined_text(const HostValue& a, const HostValue& b) {
  HostValue x = as_text(a);
  HostValue y = as_text(b);
  // A character joins as itself.
  if (a.is(VK::Text) && b.is(VK::Number) && !b.real && b.whole() && *b.whole() > 0 && *b.whole() < 128)
    y = text(std::string(1, static_cast<char>(*b.whole())));
  if (b.is(VK::Text) && a.is(VK::Number) && !a.real && a.whole() && *a.whole() > 0 && *a.whole() < 128)
    x = text(std::string(1, static_cast<char>(*a.whole())));
  if (!x.is(VK::Text)) return x;
  if (!y.is(VK::Text)) return y;
  HostValue out = text(x.text + y.text);
  out.input = x.input || y.input;
  out.place = x.place;
  auto pieces = std::make_shared<std::vector<TextPiece>>();
  for (const auto* one : {&x, &y}) {
    if (one->text.empty()) continue;
    if (one->pieces) {
      pieces->insert(pieces->end(), one->pieces->begin(), one->pieces->end());
    } else {
      TextPiece made;
      made.length = one->text.size();
      pieces->push_back(made);
    }
  }
  out.pieces = std::move(pieces);
  Numbers numbers;
  add_numbers(numbers, x, 0);
  add_numbers(numbers, y, x.text.size());
  give_numbers(out, std::move(numbers));
  return out;
}

std::optional<HostValue> formatted(Machine& machine, const HostValue& format, const std::vector<HostValue>& values) {
  const auto pattern = machine.text_value(format);
  if (!pattern) return std::nullopt;
  std::string out;
  Numbers numbers;
  std::size_t next = 0;
  bool input = false;
  bool unknown_part = false;
  const auto& text_in = pattern->text;
  for (std::size_t i = 0; i < text_in.size(); ++i) {
    if (text_in[i] != '%') {
      out += text_in[i];
      continue;
    }
    if (i + 1 < text_in.size() && text_in[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    std::string spec = "%";
    std::size_t j = i + 1;
    while (j < text_in.size() && std::string_view("-+ #0123456789.").find(text_in[j]) != std::string_view::npos)
      spec += text_in[j++];
    while (j < text_in.size() && std::string_view("hlLqjzt").find(text_in[j]) != std::string_view::npos) ++j;
    if (j >= text_in.size()) break;
    const char kind = text_in[j];
    i = j;
    if (next >= values.size()) return std::nullopt;
    const auto& value = values[next++];
    input = input || value.input;
    if (kind == 's') {
      const auto word = machine.text_value(value);
      if (!word) {
        unknown_part = true;
        continue;
      }
      if (spec == "%") add_numbers(numbers, *word, out.size());
      out += spec == "%" ? word->text : fmt::sprintf(spec + "s", word->text);
    } else if (std::string_view("diuxXoc").find(kind) != std::string_view::npos) {
      const auto whole = value.whole();
      if (!whole) {
        unknown_part = true;
        continue;
      }
      const auto begin = out.size();
      out += kind == 'c' ? std::string(1, static_cast<char>(*whole))
                         : fmt::sprintf(spec + (kind == 'u' ? 'd' : kind), *whole);
      if (kind == 'd' || kind == 'i' || kind == 'u') add_number(numbers, value, begin, out.size());
    } else if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos) {
      const auto number = value.as_real();
      if (!number) {
        unknown_part = true;
        continue;
      }
      out += fmt::sprintf(spec + kind, *number);
    } else {
      return std::nullopt;
    }
  }
  if (unknown_part) return std::nullopt;
  HostValue made = text(out);
  made.input = input;
  made.place = format.place;
  give_numbers(made, std::move(numbers));
  return made;
}

}  // namespace hone::host
