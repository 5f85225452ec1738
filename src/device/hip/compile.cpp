#include "device/hip/compile.hpp"

#include <regex>

#include "device/gpu/headers.hpp"
#include "device/gpu/rtc.hpp"
#include "device/hip/api.hpp"
#include "device/hip/code_object.hpp"

namespace hone::device::hip {
namespace {

/// Releases differ in what they call the source: some name a file of their own that is gone afterwards.
std::string in_our_words(const std::string& log) {
  static const std::regex own("\\S*/CompileSource");
  return std::regex_replace(log, own, "kernel.hip");
}

}  // namespace

std::variant<gpu::Code, BuildLog> compile(const std::string& source, const std::vector<std::string>& options,
                                          const std::string& target, const std::vector<std::string>& names) {
  const auto& rtc = hiprtc();
  if (!rtc) return BuildLog{rtc.error().text()};
  gpu::Compilation compilation(*rtc, gpu::with_hip_header(source), "kernel.hip", gpu::host_headers(gpu::Vendor::Amd));
  std::vector<std::string> words = {"--offload-arch=" + target};
  words.insert(words.end(), options.begin(), options.end());
  compilation.compile(words, names);
  if (!compilation.good()) return BuildLog{in_our_words(compilation.log())};
  auto code = read_code_object(compilation.code());
  if (!code) return BuildLog{code.error().text()};
  code->lowered = compilation.lowered();
  return std::move(*code);
}

}  // namespace hone::device::hip
