#include "core/occupancy.hpp"

#include <algorithm>
#include <array>

namespace hone {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

GpuLimits nvidia(std::string name, std::int64_t warps, std::int64_t blocks, std::int64_t shared_kib,
                 std::int64_t reserved, std::int64_t unit) {
  GpuLimits gpu;
  gpu.name = std::move(name);
  gpu.waves = warps;
  gpu.blocks = blocks;
  gpu.shared_bytes = shared_kib * 1024;
  gpu.shared_unit = unit;
  gpu.shared_reserved = reserved;
  gpu.block_shared_bytes = gpu.shared_bytes - reserved;
  return gpu;
}

GpuLimits amd(std::string name, std::int64_t waves, std::int64_t registers, std::int64_t unit) {
  GpuLimits gpu;
  gpu.name = std::move(name);
  gpu.language = Language::Hip;
  gpu.lanes = 64;
  gpu.waves = waves;
  gpu.blocks = 16;
  gpu.registers = registers;
  gpu.register_unit = unit;
  gpu.registers_of_a_thread = registers;
  gpu.shared_bytes = gpu.block_shared_bytes = 65536;
  gpu.shared_reserved = 0;
  gpu.shared_unit = 512;
  gpu.simds = 4;
  return gpu;
}

const std::vector<GpuLimits>& all_gpus() {
  static const std::vector<GpuLimits> all = {
      nvidia("sm_75", 32, 16, 64, 0, 256),
      nvidia("sm_80", 64, 32, 164, 1024, 128),
      nvidia("sm_86", 48, 16, 100, 1024, 128),
      nvidia("sm_89", 48, 24, 100, 1024, 128),
      nvidia("sm_90", 64, 32, 228, 1024, 128),
      amd("gfx906", 10, 256, 4),
      amd("gfx908", 10, 256, 4),
      amd("gfx90a", 8, 512, 8),
  };
  return all;
}

/// The least of several answers, with its name.
struct Least {
  std::int64_t blocks;
  std::string_view why;
};
Occupancy of_least(std::vector<Least> bounds, std::int64_t waves_of_block, std::int64_t most_waves) {
  const auto least = std::ranges::min_element(bounds, {}, &Least::blocks);
  return {least->blocks, least->blocks * waves_of_block, most_waves, std::string(least->why)};
}

}  // namespace

std::optional<GpuLimits> gpu_limits(std::string_view architecture) {
  const auto found = std::ranges::find(all_gpus(), architecture, &GpuLimits::name);
  return found == all_gpus().end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> known_gpus() {
  std::vector<std::string> out;
  for (const auto& gpu : all_gpus()) out.push_back(gpu.name);
  return out;
}

std::optional<Language> language_of_architecture(std::string_view architecture) {
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  if (architecture.starts_with("sm_") && digits(architecture.substr(3))) return Language::Cuda;
  if (architecture.starts_with("gfx") && digits(architecture.substr(3))) return Language::Hip;
  return std::nullopt;
}

Occupancy occupancy(const GpuLimits& gpu, const KernelNeeds& needs) {
  const auto waves = std::max<std::int64_t>((needs.threads + gpu.lanes - 1) / gpu.lanes, 1);
  const auto shared = rounded_up(needs.shared_bytes + gpu.shared_reserved, gpu.shared_unit);
  const bool fits = needs.shared_bytes <= gpu.block_shared_bytes;
  const std::int64_t by_shared = !fits ? 0 : shared == 0 ? gpu.waves * gpu.simds : gpu.shared_bytes / shared;
  // On AMD blocks of one wave need no barrier, and are bound by the waves alone.
  const std::int64_t by_blocks = gpu.simds > 1 && waves == 1 ? gpu.waves * gpu.simds : gpu.blocks;
  const std::int64_t by_threads = needs.threads > gpu.block_threads ? 0 : gpu.waves * gpu.simds / waves;
  const auto registers = std::max<std::int64_t>(needs.registers, 1);
  std::int64_t resident = 0;  // waves that the registers hold
  if (gpu.language == Language::Cuda) {
    resident = gpu.registers / rounded_up(gpu.lanes * registers, gpu.register_unit) / 4 * 4;
  } else {
    resident = std::min(gpu.waves, gpu.registers / rounded_up(registers, gpu.register_unit)) * gpu.simds;
  }
  const std::int64_t by_registers = registers > gpu.registers_of_a_thread ? 0 : resident / waves;
  return of_least(
      {{by_threads, "threads"}, {by_blocks, "blocks"}, {by_registers, "registers"}, {by_shared, "shared memory"}},
      waves, gpu.waves * gpu.simds);
}

}  // namespace hone
