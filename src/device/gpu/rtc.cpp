#include "device/gpu/rtc.hpp"

#include "base/text.hpp"

namespace hone::device::gpu {

constexpr std::size_t kLongestLog = std::size_t{64} << 10U;

std::vector<std::string> fill(Rtc& rtc, void* library, Vendor vendor) {
  std::vector<std::string> missing;
#define HONE_FIND(name, nvrtc, hiprtc, type) \
  rtc.name = reinterpret_cast<type>(find_symbol(library, vendor == Vendor::Nvidia ? nvrtc : hiprtc, missing));
  HONE_RTC_FUNCTIONS(HONE_FIND)
#undef HONE_FIND
  if (missing.empty()) rtc.version(&rtc.major, &rtc.minor);
  return missing;
}

Compilation::Compilation(const Rtc& rtc, const std::string& source, const char* file, std::span<const Header> headers)
    : rtc_(rtc) {
  std::vector<const char*> texts, names;
  for (const auto& header : headers) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  status_ = rtc_.create(&program_, source.c_str(), file, static_cast<int>(texts.size()), texts.data(), names.data());
}

Compilation::~Compilation() {
  if (program_ != nullptr) rtc_.destroy(&program_);
}

void Compilation::compile(const std::vector<std::string>& options, const std::vector<std::string>& names) {
  names_ = names;
  for (const auto& name : names_)
    if (good()) status_ = rtc_.add_name(program_, name.c_str());
  std::vector<const char*> words;
  for (const auto& option : options) words.push_back(option.c_str());
  if (good()) status_ = rtc_.compile(program_, static_cast<int>(words.size()), words.data());
}

std::string Compilation::log() const {
  std::size_t size = 0;
  std::string text;
  if (program_ != nullptr && rtc_.log_size(program_, &size) == 0 && size > 1) {
    text.resize(size);
    rtc_.log(program_, text.data());
  }
  text = std::string(trim(text.c_str()));
  if (text.empty() && !good()) text = rtc_.error_text(status_);
  return text.substr(0, kLongestLog);
}

std::string Compilation::text_of(int (*size_of)(RtcProgram, std::size_t*), int (*get)(RtcProgram, char*)) const {
  std::size_t size = 0;
  if (size_of == nullptr || get == nullptr || size_of(program_, &size) != 0 || size == 0) return {};
  std::string text(size, '\0');
  return get(program_, text.data()) == 0 ? text : std::string();
}

std::map<std::string, std::string> Compilation::lowered() const {
  std::map<std::string, std::string> all;
  for (const auto& name : names_) {
    const char* lowered = nullptr;
    if (rtc_.lowered_name(program_, name.c_str(), &lowered) == 0 && lowered != nullptr) all[name] = lowered;
  }
  return all;
}

}  // namespace hone::device::gpu
