#include "device/cuda/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "device/cuda/compile.hpp"

namespace hone::device::cuda {
namespace {

// Of CUfunction_attribute.
constexpr int kThreadsOfKernel = 0, kSharedOfKernel = 1, kLocalOfKernel = 3, kRegistersOfKernel = 4,
              kDynamicOfKernel = 8;

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

int attribute(Function function, int which) {
  int value = 0;
  driver()->cuFuncGetAttribute(&value, which, function);
  return value;
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

std::variant<std::unique_ptr<CudaProgram>, BuildLog> CudaProgram::build(const std::string& source,
                                                                        const std::vector<std::string>& options,
                                                                        const std::string& architecture) {
  auto compiled = compile(source, options, architecture, {});
  if (auto* log = std::get_if<BuildLog>(&compiled)) return std::move(*log);
  const auto& code = std::get<Compiled>(compiled);
  std::unique_ptr<CudaProgram> program(new CudaProgram());
  program->source_ = source;
  program->options_ = options;
  program->architecture_ = architecture;
  if (const auto status = program->load(code.cubin, code.ptx); status != 0)
    return BuildLog{"loading the compiled program: " + status_name(status)};
  program->add_kernels(code.ptx);
  return program;
}

CudaProgram::~CudaProgram() {
  for (auto* module : modules_) driver()->cuModuleUnload(module);
}

/// Machine code needs no compiler in the driver; where it does not fit, the driver may still take the PTX.
Status CudaProgram::load(const std::string& cubin, const std::string& ptx) {
  Module module = nullptr;
  Status status = cubin.empty() ? 200 : driver()->cuModuleLoadDataEx(&module, cubin.data(), 0, nullptr, nullptr);
  if (status != 0 && !is_sticky(status))
    status = driver()->cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr);
  if (status == 0) modules_.push_back(module);
  return status;
}

void CudaProgram::add_kernels(const std::string& ptx) {
  Module module = modules_.back();
  for (auto& entry : entries_of(ptx)) {
    Kernel kernel;
    if (driver()->cuModuleGetFunction(&kernel.function, module, entry.symbol.c_str()) != 0) continue;
    kernel.most_threads = attribute(kernel.function, kThreadsOfKernel);
    kernel.static_shared = static_cast<std::size_t>(attribute(kernel.function, kSharedOfKernel));
    kernel.dynamic_allowed = static_cast<std::size_t>(attribute(kernel.function, kDynamicOfKernel));
    kernel.entry = std::move(entry);
    const auto name = unspaced(kernel.entry.name);
    kernels_.insert_or_assign(name, std::move(kernel));
  }
  if (modules_.size() > 1) return;  // variables are those of the first
  for (const auto& [name, symbol] : variables_of(ptx)) {
    Address address = 0;
    std::size_t bytes = 0;
    if (driver()->cuModuleGetGlobal_v2(&address, &bytes, module, symbol.c_str()) != 0) continue;
    variables_[name] = address;
    variable_bytes_[name] = bytes;
  }
}

std::vector<KernelResources> CudaProgram::resources() const {
  std::vector<KernelResources> all;
  for (const auto& [name, kernel] : kernels_) {
    KernelResources one{.kernel = last_part(name), .numbers = {}};
    one.numbers["local_bytes"] = static_cast<std::int64_t>(kernel.static_shared);
    one.numbers["private_bytes"] = attribute(kernel.function, kLocalOfKernel);
    one.numbers["registers"] = attribute(kernel.function, kRegistersOfKernel);
    one.numbers["work_group_size"] = kernel.most_threads;
    one.numbers["preferred_multiple"] = 32;
    one.numbers["arguments"] = static_cast<std::int64_t>(kernel.entry.parameter_bytes.size());
    all.push_back(std::move(one));
  }
  return all;
}

Result<CudaProgram::Kernel*> CudaProgram::kernel(const std::string& name) {
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
  auto compiled = compile(source_, options_, architecture_, {name});
  if (const auto* log = std::get_if<BuildLog>(&compiled))
    return fail("E-LAUNCH", "instantiating " + name + ": " + log->text);
  const auto& code = std::get<Compiled>(compiled);
  const auto lowered = code.lowered.find(name);
  if (lowered == code.lowered.end()) return fail("E-LAUNCH", "the program has no kernel " + name);
  if (const auto status = load(code.cubin, code.ptx); status != 0)
    return fail("E-LAUNCH", "loading " + name + ": " + status_name(status));
  for (auto& entry : entries_of(code.ptx)) {
    if (entry.symbol != lowered->second) continue;
    Kernel made;
    if (driver()->cuModuleGetFunction(&made.function, modules_.back(), entry.symbol.c_str()) != 0) break;
    made.most_threads = attribute(made.function, kThreadsOfKernel);
    made.static_shared = static_cast<std::size_t>(attribute(made.function, kSharedOfKernel));
    made.dynamic_allowed = static_cast<std::size_t>(attribute(made.function, kDynamicOfKernel));
    made.entry = std::move(entry);
    return &kernels_.insert_or_assign(wanted, std::move(made)).first->second;
  }
  return fail("E-LAUNCH", "the program has no kernel " + name);
}

/// More than 48 KiB must be asked for, once.
hone::Status CudaProgram::allow_shared(Kernel& kernel, std::size_t bytes) const {
  if (bytes <= kernel.dynamic_allowed) return {};
  const auto status = driver()->cuFuncSetAttribute(kernel.function, kDynamicOfKernel, static_cast<int>(bytes));
  if (status != 0)
    return fail("E-LAUNCH", fmt::format("{} bytes of dynamic shared memory are more than this device gives: {}", bytes,
                                        status_name(status)));
  kernel.dynamic_allowed = bytes;
  return {};
}

Result<CudaProgram::Prepared::Variable> CudaProgram::variable(const std::string& name, const Data& data) const {
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

hone::Status CudaProgram::bind(const ConcreteLaunch& launch, const Data& data, const Kernel& kernel,
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
      return fail("E-LAUNCH", "textures are not served on CUDA devices: " + argument.text);
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

Result<CudaProgram::Prepared> CudaProgram::prepare(const ConcreteLaunch& launch, const Data& data) {
  const auto named = [&](Error error) { return fail(std::move(error).context("launching " + launch.kernel)); };
  auto found = kernel(launch.kernel);
  if (!found) return fail(std::move(found).error());
  Prepared out;
  out.function = (*found)->function;
  if (std::ranges::any_of(launch.offset, [](std::size_t x) { return x != 0; }))
    return named(Error("E-LAUNCH", "a CUDA launch has no offset"));
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

}  // namespace hone::device::cuda
