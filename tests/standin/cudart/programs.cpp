#include "programs.hpp"

#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "driver.hpp"

namespace standin {

struct Image {
  const std::uint8_t* fat = nullptr;
  std::vector<void*> modules;  // of the driver
  bool is_loaded = false;
  std::vector<std::pair<void**, std::string>> managed;
};

namespace {

struct Symbol {
  Image* image = nullptr;
  std::string name;
  void* function = nullptr;
};

// Registrations run before main and before this library's own values may have been made.
std::deque<Image>& images() {
  static std::deque<Image> all;
  return all;
}
std::map<const void*, Symbol>& symbols() {
  static std::map<const void*, Symbol> all;
  return all;
}

template <class T>
T number_at(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

constexpr std::uint32_t kFatMagic = 0xBA55ED50;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kCompressed = 0x2000 | 0x8000;

/// The PTX texts of a fat binary: a header, then entries with headers of their own.
std::vector<std::string> texts_of(const std::uint8_t* fat) {
  std::vector<std::string> out;
  if (number_at<std::uint32_t>(fat) != kFatMagic) return out;
  const auto* at = fat + number_at<std::uint16_t>(fat + 6);
  const auto* end = at + number_at<std::uint64_t>(fat + 8);
  while (at + 64 <= end) {
    const auto header = number_at<std::uint32_t>(at + 4);
    const auto bytes = number_at<std::uint64_t>(at + 8);
    if (number_at<std::uint16_t>(at) == kPtx) {
      if ((number_at<std::uint64_t>(at + 40) & kCompressed) != 0)
        std::fprintf(stderr, "stand-in: the PTX of this program is compressed; build it with nvcc --no-compress\n");
      else
        out.emplace_back(reinterpret_cast<const char*>(at + header), bytes);
    }
    at += header + bytes;
  }
  return out;
}

void load(Image& image) {
  if (image.is_loaded) return;
  image.is_loaded = true;
  cuInit(0);
  for (const auto& text : texts_of(image.fat)) {
    void* module = nullptr;
    if (cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr) == 0) image.modules.push_back(module);
  }
  if (image.modules.empty())
    std::fprintf(stderr, "stand-in: no PTX in this program; build it with nvcc -arch=compute_80 or -arch=sm_80\n");
}

}  // namespace

Image* add_image(const void* wrapper) {
  const auto* begin = static_cast<const std::uint8_t*>(wrapper);  // magic, version, then the fat binary's address
  images().push_back({number_at<const std::uint8_t*>(begin + 8), {}, false, {}});
  return &images().back();
}

void add_kernel(Image* image, const void* host, const char* name) { symbols()[host] = {image, name, nullptr}; }
void add_variable(Image* image, const void* host, const char* name) { symbols()[host] = {image, name, nullptr}; }
void add_managed(Image* image, void** slot, const char* name) { image->managed.emplace_back(slot, name); }

void finish(Image* image) {
  if (image->managed.empty()) return;
  load(*image);
  for (const auto& [slot, name] : image->managed)
    for (void* module : image->modules) {
      std::uint64_t address = 0;
      if (cuModuleGetGlobal_v2(&address, nullptr, module, name.c_str()) == 0)
        *slot = reinterpret_cast<void*>(address);  // NOLINT
    }
}

int kernel_of(const void* host, void** function) {
  const auto found = symbols().find(host);
  if (found == symbols().end()) return kInvalidFunction;
  auto& symbol = found->second;
  load(*symbol.image);
  for (void* module : symbol.image->modules)
    if (symbol.function == nullptr) cuModuleGetFunction(&symbol.function, module, symbol.name.c_str());
  *function = symbol.function;
  return symbol.function == nullptr ? kInvalidFunction : kSuccess;
}

std::string name_of(const void* function) {
  for (const auto& [host, symbol] : symbols())
    if (symbol.function == function) return symbol.name;
  return {};
}

std::size_t text_hash_of(const void* function) {
  for (const auto& [host, symbol] : symbols()) {
    if (symbol.function != function) continue;
    for (const auto& text : texts_of(symbol.image->fat)) {
      const auto begin = text.find(".entry " + symbol.name + "(");
      if (begin != std::string::npos)
        return std::hash<std::string>()(text.substr(begin, text.find("\n}\n", begin) - begin));
    }
  }
  return 0;
}

int variable_of(const void* host, Place* place) {
  const auto found = symbols().find(host);
  if (found == symbols().end()) return kInvalidSymbol;
  load(*found->second.image);
  for (void* module : found->second.image->modules)
    if (cuModuleGetGlobal_v2(&place->address, &place->bytes, module, found->second.name.c_str()) == 0) return kSuccess;
  return kInvalidSymbol;
}

}  // namespace standin
