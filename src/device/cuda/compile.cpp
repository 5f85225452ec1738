#include "device/cuda/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <utility>

#include "device/cuda/api.hpp"
#include "device/gpu/headers.hpp"

namespace hone::device::cuda {
namespace {

/// Came with CUDA 11.1 and 11.2; asked for by name, so that a stand-in without them still serves.
template <class F>
F optional_function(const char* name) {
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(nvrtc()->version), &where) == 0) return nullptr;
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

/// `constexpr int width() { return 4; }` is a number for nvcc; NVRTC does not take it without a word of where it runs.
bool has_host_constants(const std::string& source, const std::string& log) {
  return source.find("constexpr") != std::string::npos &&
         log.find("host functions are not allowed in JIT mode") != std::string::npos;
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
  const auto text = gpu::with_cuda_header(source);
  const auto headers = gpu::host_headers(gpu::Vendor::Nvidia);
  std::optional<gpu::Compilation> made(std::in_place, *rtc, text, "kernel.cu", headers);
  auto words = options_for(options, architecture);
  made->compile(words, names);
  if (!made->good() && has_host_constants(source, made->log())) {
    words.emplace_back("--device-as-default-execution-space");
    made.emplace(*rtc, text, "kernel.cu", headers);
    made->compile(words, names);
  }
  auto& compilation = *made;
  if (!compilation.good()) return BuildLog{with_reason(compilation.log())};
  Compiled out;
  out.log = compilation.log();
  out.ptx = compilation.code();
  if (!architecture.starts_with("compute_"))
    out.cubin = compilation.text_of(optional_function<int (*)(gpu::RtcProgram, std::size_t*)>("nvrtcGetCUBINSize"),
                                    optional_function<int (*)(gpu::RtcProgram, char*)>("nvrtcGetCUBIN"));
  out.lowered = compilation.lowered();
  return out;
}

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
