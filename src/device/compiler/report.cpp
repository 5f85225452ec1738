#include "device/compiler/report.hpp"

#include <regex>

#include "base/text.hpp"
#include "device/gpu/code.hpp"

namespace hone::device {
namespace {

void number_in(const std::string& line, const std::regex& pattern, const char* key, KernelResources& kernel) {
  std::smatch found;
  if (std::regex_search(line, found, pattern)) kernel.numbers[key] = std::stoll(found[1]);
}

}  // namespace

std::vector<KernelResources> ptxas_report(const std::string& log) {
  static const std::regex entry("Compiling entry function '([^']+)'"), properties("Function properties for (\\S+)"),
      stack("(\\d+) bytes stack frame"), stores("(\\d+) bytes spill stores"), loads("(\\d+) bytes spill loads"),
      registers("Used (\\d+) registers"), shared("(\\d+) bytes smem");
  std::vector<KernelResources> all;
  std::string symbol;  // of the kernel
  bool own = false;    // what comes next is said of it
  for (const auto& line : split(log, '\n')) {
    std::smatch found;
    if (std::regex_search(line, found, entry)) {
      symbol = found[1];
      own = true;
      all.push_back({gpu::source_name(symbol),
                     {{"spill_stores", 0}, {"spill_loads", 0}, {"local_bytes", 0}, {"private_bytes", 0}}});
    } else if (std::regex_search(line, found, properties)) {
      own = found[1] == symbol;
    } else if (!all.empty() && own) {
      number_in(line, stack, "private_bytes", all.back());
      number_in(line, stores, "spill_stores", all.back());
      number_in(line, loads, "spill_loads", all.back());
    }
    // Registers and shared memory are told once for each kernel, whatever it calls.
    if (!all.empty() && line.find("Used ") != std::string::npos) {
      number_in(line, registers, "registers", all.back());
      number_in(line, shared, "local_bytes", all.back());
    }
  }
  return all;
}

std::vector<KernelResources> amd_report(const std::string& log) {
  static const std::regex name("remark: Function Name: (\\S+)"), vector(" VGPRs: (\\d+)"),
      accumulation("AGPRs: (\\d+)"), scalar("SGPRs: (\\d+)"), scratch("ScratchSize \\[bytes/lane\\]: (\\d+)"),
      spilled("VGPRs Spill: (\\d+)"), shared("LDS Size \\[bytes/block\\]: (\\d+)"),
      waves("Occupancy \\[waves/SIMD\\]: (\\d+)");
  std::vector<KernelResources> all;
  for (const auto& line : split(log, '\n')) {
    std::smatch found;
    if (std::regex_search(line, found, name)) all.push_back({gpu::source_name(found[1]), {}});
    if (all.empty()) continue;
    auto& kernel = all.back();
    number_in(line, vector, "vector_registers", kernel);
    number_in(line, accumulation, "accumulation_registers", kernel);
    number_in(line, scalar, "scalar_registers", kernel);
    number_in(line, scratch, "private_bytes", kernel);
    number_in(line, spilled, "spilled_registers", kernel);
    number_in(line, shared, "local_bytes", kernel);
    number_in(line, waves, "waves", kernel);
  }
  for (auto& kernel : all)
    kernel.numbers["registers"] = kernel.numbers["vector_registers"] + kernel.numbers["accumulation_registers"];
  return all;
}

}  // namespace hone::device
