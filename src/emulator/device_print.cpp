#include "emulator/device_print.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace hone::emulator {
namespace {

class Packed {
 public:
  explicit Packed(const std::uint8_t* at) : at_(at) {}
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    std::memcpy(&value, at_ + offset_, sizeof value);
    offset_ += sizeof value;
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const std::uint8_t* at_;
  std::size_t offset_ = 0;
  int count_ = 0;
};

template <class T>
std::string one(const std::string& specifier, T value) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), specifier.c_str(), value);
  return text.data();
}

/// Flags, width and precision of `%` at `i`, which then stands behind them; lengths are left out.
std::string specifier_at(std::string_view format, std::size_t& i, bool& wide) {
  std::string out = "%";
  for (++i; i < format.size() && std::string_view("-+ #0123456789.").find(format[i]) != std::string_view::npos; ++i)
    out += format[i];
  for (; i < format.size() && std::string_view("hlzjtL").find(format[i]) != std::string_view::npos; ++i)
    wide = wide || format[i] != 'h';
  return out;
}

std::string all_of(const char* format, Packed& arguments) {
  std::string out;
  const std::string_view text = format;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    bool wide = false;
    auto specifier = specifier_at(text, i, wide);
    const char kind = i < text.size() ? text[i] : '%';
    if (kind == '%') {
      out += '%';
    } else if (kind == 's') {
      out += one(specifier + 's', arguments.next<const char*>());
    } else if (kind == 'p') {
      out += one(specifier + 'p', arguments.next<const void*>());
    } else if (kind == 'c') {
      out += one(specifier + 'c', arguments.next<int>());
    } else if (std::string_view("eEfFgGaA").find(kind) != std::string_view::npos) {
      out += one(specifier + kind, arguments.next<double>());
    } else if (wide) {
      out += one(specifier + "ll" + kind, arguments.next<long long>());
    } else {
      out += one(specifier + kind, arguments.next<int>());
    }
  }
  return out;
}

}  // namespace

std::string formatted(const char* format, const std::uint8_t* arguments) {
  Packed packed(arguments);
  return all_of(format, packed);
}

int device_print(const char* format, const std::uint8_t* arguments) {
  Packed packed(arguments);
  const auto text = all_of(format, packed);
  [[maybe_unused]] const auto put = ::write(STDOUT_FILENO, text.data(), text.size());
  return packed.count();
}

}  // namespace hone::emulator
