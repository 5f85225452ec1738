#include "emulator/program.hpp"

#include <algorithm>
#include <cstring>

#include "embedded/hone_emulator.hpp"
#include "emulator/compile.hpp"
#include "emulator/ptx/translate.hpp"

namespace hone::emulator {

struct Program::Library {
  std::shared_ptr<Code> code;
};

Program::~Program() = default;

Result<std::unique_ptr<Program>> Program::load(std::string ptx, bool watched) {
  auto module = ptx::read_module(std::move(ptx));
  if (!module) return fail(std::move(module).error());
  std::unique_ptr<Program> program(new Program());
  program->module_ = std::move(*module);
  program->watched_ = watched;
  program->place_variables();
  return program;
}

void Program::place_variables() {
  constexpr std::size_t kAlignment = 256;
  for (const auto& variable : module_->variables) {
    if (variable.space == ptx::Space::Shared) continue;
    auto& bytes = storage_[variable.name];
    bytes.assign(variable.bytes + kAlignment, 0);
    const auto begin = (reinterpret_cast<std::uint64_t>(bytes.data()) + kAlignment - 1) / kAlignment * kAlignment;
    variables_[variable.name] = {begin, begin + variable.bytes};
    if (!variable.initial.empty())
      std::memcpy(reinterpret_cast<void*>(begin), variable.initial.data(), variable.initial.size());  // NOLINT
  }
  for (const auto& variable : module_->variables)
    for (const auto& relocation : variable.relocations) {
      const auto to = variables_.find(relocation.symbol);
      if (to == variables_.end() || variable.space == ptx::Space::Shared) continue;
      const std::uint64_t address = to->second.begin + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(reinterpret_cast<void*>(variables_[variable.name].begin + relocation.offset),  // NOLINT
                  &address, sizeof address);
    }
}

bool Program::has_kernel(const std::string& name) const {
  const auto found = module_->functions.find(name);
  return found != module_->functions.end() && found->second.is_entry;
}

std::optional<Extent> Program::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

bool Program::owns(std::uint64_t address, std::size_t bytes) const {
  return std::ranges::any_of(
      variables_, [&](const auto& one) { return address >= one.second.begin && address + bytes <= one.second.end; });
}

Result<const Kernel*> Program::kernel(const std::string& name) {
  if (const auto known = kernels_.find(name); known != kernels_.end()) return &known->second;
  auto translated = ptx::translate(*module_, name);
  if (!translated) return fail(std::move(translated).error());
  std::string text(watched_ ? "#define HONE_WATCHED\n" : "");
  text += embedded::emulator_abi_h;
  text += embedded::emulator_prelude_h;
  text += translated->text;
  auto code = Code::compile(text);
  if (!code) return fail(std::move(code).error().context(name));
  Kernel kernel;
  kernel.name = name;
  kernel.function = reinterpret_cast<void (*)(HoneThread*)>((*code)->find("hone_kernel"));
  if (kernel.function == nullptr) return fail("E-PTX", "a translated kernel without an entry: " + name);
  kernel.static_shared = translated->static_shared;
  kernel.local_bytes = translated->local_bytes;
  kernel.ranges = translated->ranges;
  for (const auto& symbol : translated->symbols) {
    const auto found = variables_.find(symbol);
    if (found == variables_.end()) return fail("E-PTX", "the variable " + symbol + " is not part of the module");
    kernel.symbols.push_back(found->second.begin);
  }
  const auto& function = module_->functions.at(name);
  kernel.parameters = function.parameters;
  kernel.parameter_bytes = function.parameter_bytes();
  libraries_.push_back(std::make_unique<Library>(Library{std::move(*code)}));
  return &kernels_.emplace(name, std::move(kernel)).first->second;
}

Launch Program::launch_of(const Kernel& kernel) const {
  Launch launch;
  launch.kernel = kernel.function;
  launch.watched = watched_;
  launch.static_shared = kernel.static_shared;
  launch.local_bytes = kernel.local_bytes;
  launch.ranges = kernel.ranges;
  launch.symbols = kernel.symbols;
  for (const auto& [name, extent] : variables_) launch.variables.push_back(extent);
  return launch;
}

}  // namespace hone::emulator
