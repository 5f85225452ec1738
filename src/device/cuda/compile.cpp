#include "device/cuda/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>

#include "base/text.hpp"
#include "device/cuda/api.hpp"
#include "device/cuda/headers.hpp"

namespace hone::device::cuda {
namespace {

constexpr std::size_t kLongestLog = std::size_t{64} << 10U;

class Compilation {
 public:
  Compilation(const Nvrtc& rtc, const std::string& source) : rtc_(rtc) {
    std::vector<const char*> texts, names;
    for (const auto& header : host_headers()) {
      texts.push_back(header.text);
      names.push_back(header.name);
    }
    status_ = rtc_.nvrtcCreateProgram(&program_, source.c_str(), "kernel.cu", static_cast<int>(texts.size()),
                                      texts.data(), names.data());
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation() {
    if (program_ != nullptr) rtc_.nvrtcDestroyProgram(&program_);
  }

  bool good() const { return status_ == 0; }
  Program program() const { return program_; }

  void compile(const std::vector<std::string>& options, const std::vector<std::string>& names) {
    for (const auto& name : names)
      if (good()) status_ = rtc_.nvrtcAddNameExpression(program_, name.c_str());
    std::vector<const char*> words;
    for (const auto& option : options) words.push_back(option.c_str());
    if (good()) status_ = rtc_.nvrtcCompileProgram(program_, static_cast<int>(words.size()), words.data());
  }

  std::string log() const {
    std::size_t size = 0;
    std::string text;
    if (program_ != nullptr && rtc_.nvrtcGetProgramLogSize(program_, &size) == 0 && size > 1) {
      text.resize(size);
      rtc_.nvrtcGetProgramLog(program_, text.data());
    }
    text = std::string(trim(text.c_str()));
    if (text.empty() && !good()) text = rtc_.nvrtcGetErrorString(status_);
    return text.substr(0, kLongestLog);
  }

  std::string text_of(int (*size_of)(Program, std::size_t*), int (*get)(Program, char*)) const {
    std::size_t size = 0;
    if (size_of == nullptr || get == nullptr || size_of(program_, &size) != 0 || size == 0) return {};
    std::string text(size, '\0');
    return get(program_, text.data()) == 0 ? text : std::string();
  }

 private:
  const Nvrtc& rtc_;
  Program program_ = nullptr;
  int status_ = 0;
};

/// Came with CUDA 11.1 and 11.2; asked for by name, so that a stand-in without them still serves.
template <class F>
F optional_function(const char* name) {
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(nvrtc()->nvrtcVersion), &where) == 0) return nullptr;
  void* library = ::dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  auto found = reinterpret_cast<F>(::dlsym(library, name));
  ::dlclose(library);
  return found;
}

/// ptxas refuses it without a word.
std::string with_reason(std::string log) {
  static const std::regex shared("(\\d+) bytes smem");
  constexpr long kMostStatic = 49152;
  std::smatch found;
  if (log.find("error") == std::string::npos && std::regex_search(log, found, shared) &&
      std::stol(found[1]) > kMostStatic)
    log += fmt::format("\nerror: {} bytes of static shared memory, and {} are allowed: more must be dynamic",
                       found[1].str(), kMostStatic);
  return log;
}

std::vector<std::string> options_for(const std::vector<std::string>& given, const std::string& architecture) {
  std::vector<std::string> out = {"--gpu-architecture=" + architecture, "--ptxas-options=-v"};
  if (architecture.starts_with("compute_")) out.pop_back();
  out.insert(out.end(), given.begin(), given.end());
  if (const auto headers = cuda_headers(); !headers.empty()) {
    out.push_back("-I" + headers);
    out.push_back("-I" + headers + "/cccl");
  }
  return out;
}

}  // namespace

std::variant<Compiled, BuildLog> compile(const std::string& source, const std::vector<std::string>& options,
                                         const std::string& architecture, const std::vector<std::string>& names) {
  const auto& rtc = nvrtc();
  if (!rtc) return BuildLog{rtc.error().text()};
  Compilation compilation(*rtc, source);
  compilation.compile(options_for(options, architecture), names);
  if (!compilation.good()) return BuildLog{with_reason(compilation.log())};
  Compiled out;
  out.log = compilation.log();
  out.ptx = compilation.text_of(rtc->nvrtcGetPTXSize, rtc->nvrtcGetPTX);
  if (!architecture.starts_with("compute_"))
    out.cubin = compilation.text_of(optional_function<int (*)(Program, std::size_t*)>("nvrtcGetCUBINSize"),
                                    optional_function<int (*)(Program, char*)>("nvrtcGetCUBIN"));
  for (const auto& name : names) {
    const char* lowered = nullptr;
    if (rtc->nvrtcGetLoweredName(compilation.program(), name.c_str(), &lowered) == 0 && lowered != nullptr)
      out.lowered[name] = lowered;
  }
  return out;
}

std::string in_cuda_words(const std::string& hip) { return "#include <hip/hip_runtime.h>\n#line 1\n" + hip; }

std::vector<int> known_architectures() {
  std::vector<int> out;
  if (!nvrtc()) return out;
  int count = 0;
  const auto how_many = optional_function<int (*)(int*)>("nvrtcGetNumSupportedArchs");
  const auto get = optional_function<int (*)(int*)>("nvrtcGetSupportedArchs");
  if (how_many == nullptr || get == nullptr || how_many(&count) != 0 || count <= 0) return out;
  out.resize(static_cast<std::size_t>(count));
  if (get(out.data()) != 0) out.clear();
  std::ranges::sort(out);
  return out;
}

std::string architecture_for(int major, int minor) {
  const int wanted = major * 10 + minor;
  const auto known = known_architectures();
  if (known.empty() || std::ranges::find(known, wanted) != known.end()) return fmt::format("sm_{}", wanted);
  int best = known.front();
  for (const int one : known)
    if (one <= wanted) best = one;
  return fmt::format("compute_{}", best);
}

}  // namespace hone::device::cuda
