#include "device/gpu/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace hone::device::gpu {
namespace {

// Of CUfunction_attribute, and of hipFunction_attribute.
constexpr int kThreadsOfKernel = 0, kSharedOfKernel = 1, kLocalOfKernel = 3, kRegistersOfKernel = 4,
              kDynamicOfKernel = 8;
constexpr Status kNoImage = 200;

std::string unspaced(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// "scale" of "ns::scale"; templates keep their arguments.
std::string last_part(const std::string& name) {
  const auto arguments = name.find('<');
  const auto cut = name.substr(0, arguments).rfind("::");
  return cut == std::string::npos ? name : name.substr(cut + 2);
}

Result<std::array<unsigned, 3>> sizes(const std::vector<std::size_t>& given, const char* what) {
  std::array<unsigned, 3> out{1, 1, 1};
  if (given.size() > 3) return fail("E-LAUNCH", fmt::format("{} dimensions", given.size()));
  for (std::size_t d = 0; d < given.size(); ++d) {
    if (given[d] == 0 || given[d] > 0x7FFFFFFFU)
      return fail("E-LAUNCH", fmt::format("a {} size of {}", what, given[d]));
    out[d] = static_cast<unsigned>(given[d]);
  }
  return out;
}

}  // namespace

std::variant<std::unique_ptr<GpuProgram>, BuildLog> GpuProgram::build(const Driver& driver, const Compile& compile,
                                                                      const std::string& source,
                                                                      const std::vector<std::string>& options) {
  auto compiled = compile(source, options, {});
  if (auto* log = std::get_if<BuildLog>(&compiled)) return std::move(*log);
  auto& code = std::get<Code>(compiled);
  std::unique_ptr<GpuProgram> program(new GpuProgram(driver, compile));
  program->source_ = source;
  program->options_ = options;
  if (const auto status = program->load(code.images); status != 0)
    return BuildLog{"loading the compiled program: " + status_name(driver, status)};
  program->add_kernels(std::move(code));
  return program;
}

GpuProgram::~GpuProgram() {
  for (auto* module : modules_) driver_.unload_module(module);
}

Status GpuProgram::load(const std::vector<std::string>& images) {
  Module module = nullptr;
  Status status = kNoImage;
  for (const auto& image : images) {
    if (image.empty()) continue;
    status = driver_.load_module(&module, image.c_str(), 0, nullptr, nullptr);
    if (status == 0) modules_.push_back(module);
    if (status == 0 || is_sticky(status)) break;
  }
  return status;
}

int GpuProgram::attribute(Function function, int which) const {
  int value = 0;
  driver_.function_attribute(&value, which, function);
  return value;
}

/// Of the module that was loaded last.
std::optional<GpuProgram::Kernel> GpuProgram::loaded(Entry entry) const {
  Kernel kernel;
  if (driver_.module_function(&kernel.function, modules_.back(), entry.symbol.c_str()) != 0) return std::nullopt;
  kernel.most_threads = attribute(kernel.function, kThreadsOfKernel);
  kernel.static_shared = static_cast<std::size_t>(attribute(kernel.function, kSharedOfKernel));
  kernel.dynamic_allowed = static_cast<std::size_t>(attribute(kernel.function, kDynamicOfKernel));
  if (const auto bound = entry.numbers.find("work_group_size"); bound != entry.numbers.end())
    kernel.most_threads = std::min(kernel.most_threads, static_cast<int>(bound->second));
  kernel.entry = std::move(entry);
  return kernel;
}

void GpuProgram::add_kernels(Code code) {
  for (auto& entry : code.entries)
    if (auto kernel = loaded(std::move(entry))) {
      const auto name = unspaced(kernel->entry.name);
      kernels_.insert_or_assign(name, std::move(*kernel));
    }
  for (const auto& [name, symbol] : code.variables) {
    Address address = 0;
    std::size_t bytes = 0;
    if (driver_.module_variable(&address, &bytes, modules_.back(), symbol.c_str()) != 0) continue;
    variables_[name] = address;
    variable_bytes_[name] = bytes;
  }
}

std::vector<KernelResources> GpuProgram::resources() const {
  std::vector<KernelResources> all;
  for (const auto& [name, kernel] : kernels_) {
    KernelResources one{.kernel = last_part(name), .numbers = {}};
    one.numbers["local_bytes"] = static_cast<std::int64_t>(kernel.static_shared);
    one.numbers["private_bytes"] = attribute(kernel.function, kLocalOfKernel);
    one.numbers["registers"] = attribute(kernel.function, kRegistersOfKernel);
    one.numbers["work_group_size"] = kernel.most_threads;
    one.numbers["preferred_multiple"] = 32;
    one.numbers["arguments"] = static_cast<std::int64_t>(kernel.entry.parameter_bytes.size());
    for (const auto& [word, number] : kernel.entry.numbers) one.numbers[word] = number;
    all.push_back(std::move(one));
  }
  return all;
}

Result<GpuProgram::Kernel*> GpuProgram::kernel(const std::string& name) {
  const auto wanted = unspaced(name);
  if (const auto found = kernels_.find(wanted); found != kernels_.end()) return &found->second;
  Kernel* only = nullptr;
  for (auto& [known, kernel] : kernels_) {
    if (last_part(known) != wanted) continue;
    if (only != nullptr) return fail("E-LAUNCH", "the program has several kernels " + name);
    only = &kernel;
  }
  if (only != nullptr) return only;
  if (wanted.find('<') == std::string::npos) return fail("E-LAUNCH", "the program has no kernel " + name);
  if (!variables_.empty())
    return fail("E-LAUNCH", fmt::format("{} is not instantiated in the source, which has variables of its own: add "
                                        "\"template __global__ void {}(...);\"",
                                        name, name));
  auto compiled = compile_(source_, options_, {name});
  if (const auto* log = std::get_if<BuildLog>(&compiled))
    return fail("E-LAUNCH", "instantiating " + name + ": " + log->text);
  auto& code = std::get<Code>(compiled);
  const auto lowered = code.lowered.find(name);
  if (lowered == code.lowered.end()) return fail("E-LAUNCH", "the program has no kernel " + name);
  if (const auto status = load(code.images); status != 0)
    return fail("E-LAUNCH", "loading " + name + ": " + status_name(driver_, status));
  for (auto& entry : code.entries) {
    if (entry.symbol != lowered->second) continue;
    auto made = loaded(std::move(entry));
    if (!made) break;
    return &kernels_.insert_or_assign(wanted, std::move(*made)).first->second;
  }
  return fail("E-LAUNCH", "the program has no kernel " + name);
}

/// More than 48 KiB must be asked for, once.
hone::Status GpuProgram::allow_shared(Kernel& kernel, std::size_t bytes) const {
  if (bytes <= kernel.dynamic_allowed) return {};
  if (const auto status = driver_.allow_dynamic(kernel.function, bytes); status != 0)
    return fail("E-LAUNCH", fmt::format("{} bytes of dynamic shared memory are more than this device gives: {}", bytes,
                                        status_name(driver_, status)));
  kernel.dynamic_allowed = bytes;
  return {};
}

Result<GpuProgram::Prepared::Variable> GpuProgram::variable(const std::string& name, const Data& data) const {
  const auto* buffer = data.find(name);
  if (buffer == nullptr) return fail("E-LAUNCH", "there is no buffer " + name);
  auto found = variables_.find(name);
  if (found == variables_.end())
    found = std::ranges::find_if(variables_, [&](const auto& one) { return last_part(one.first) == name; });
  if (found == variables_.end())
    return fail("E-LAUNCH", fmt::format("{} is neither a parameter of the kernel nor a variable of the module", name));
  if (buffer->bytes > variable_bytes_.at(found->first))
    return fail("E-LAUNCH", fmt::format("{} bytes for variable {}, which has {}", buffer->bytes, name,
                                        variable_bytes_.at(found->first)));
  return Prepared::Variable{found->second, *buffer};
}

hone::Status GpuProgram::bind(const ConcreteLaunch& launch, const Data& data, const Kernel& kernel,
                              Prepared& out) const {
  using Kind = ArgumentSpec::Kind;
  const auto& takes = kernel.entry.parameter_bytes;
  std::size_t shared = 0;
  for (const auto& argument : launch.arguments) {
    if (argument.kind == Kind::Local) {
      shared += argument.local_bytes;
      continue;
    }
    if (argument.kind == Kind::Image || argument.kind == Kind::Sampler)
      return fail("E-LAUNCH", fmt::format("textures are not served on {} devices: {}", driver_.vendor, argument.text));
    if (argument.kind == Kind::Buffer && out.parameters.size() == takes.size()) {
      auto found = variable(argument.text, data);
      if (!found) return fail(std::move(found).error());
      out.variables.push_back(*found);
      continue;
    }
    std::vector<std::uint8_t> bytes = argument.bytes;
    if (argument.kind == Kind::Buffer) {
      const auto* place = data.find(argument.text);
      if (place == nullptr) return fail("E-LAUNCH", "there is no buffer " + argument.text);
      const auto* raw = reinterpret_cast<const std::uint8_t*>(&place->address);
      bytes.assign(raw, raw + sizeof place->address);
    }
    const auto at = out.parameters.size();
    if (at >= takes.size()) return fail("E-LAUNCH", fmt::format("it takes {} arguments, more are given", takes.size()));
    if (bytes.size() != takes[at])
      return fail("E-LAUNCH", fmt::format("argument {} has {} bytes, {} are given", at, takes[at], bytes.size()));
    out.parameters.push_back(std::move(bytes));
  }
  if (out.parameters.size() != takes.size())
    return fail("E-LAUNCH", fmt::format("it takes {} arguments, {} are given", takes.size(), out.parameters.size()));
  out.shared = static_cast<unsigned>(shared);
  return {};
}

Result<GpuProgram::Prepared> GpuProgram::prepare(const ConcreteLaunch& launch, const Data& data) {
  const auto named = [&](Error error) { return fail(std::move(error).context("launching " + launch.kernel)); };
  auto found = kernel(launch.kernel);
  if (!found) return fail(std::move(found).error());
  Prepared out;
  out.function = (*found)->function;
  if (std::ranges::any_of(launch.offset, [](std::size_t x) { return x != 0; }))
    return named(Error("E-LAUNCH", fmt::format("a {} launch has no offset", driver_.vendor)));
  const auto global = sizes(launch.global, "global"), local = sizes(launch.local, "local");
  if (!global) return named(global.error());
  if (!local) return named(local.error());
  out.block = *local;
  if (launch.local.empty()) out.block = {static_cast<unsigned>(std::min<std::size_t>((*global)[0], 256)), 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    if ((*global)[d] % out.block[d] != 0 && !launch.local.empty())
      return named(
          Error("E-LAUNCH", fmt::format("global size {} is no multiple of local size {}", (*global)[d], out.block[d])));
    // Where nobody chose a size it must divide: a kernel may rely on there being no more threads than were asked for.
    while ((*global)[d] % out.block[d] != 0) --out.block[d];
    out.grid[d] = (*global)[d] / out.block[d];
  }
  const auto threads = std::uint64_t{out.block[0]} * out.block[1] * out.block[2];
  if (threads > static_cast<std::uint64_t>((*found)->most_threads))
    return named(Error("E-LAUNCH",
                       fmt::format("{} threads in a block; this kernel can have {}", threads, (*found)->most_threads)));
  if (auto bound = bind(launch, data, **found, out); !bound) return named(std::move(bound).error());
  if (auto allowed = allow_shared(**found, out.shared); !allowed) return named(std::move(allowed).error());
  return out;
}

}  // namespace hone::device::gpu
