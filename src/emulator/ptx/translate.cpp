#include "emulator/ptx/translate.hpp"

#include "emulator/ptx/emitter.hpp"

namespace hone::emulator::ptx {

Result<Translated> translate(const Module& module, const std::string& entry) {
  const auto found = module.functions.find(entry);
  if (found == module.functions.end() || !found->second.is_entry)
    return fail("E-PTX", "the module has no kernel " + entry);
  KernelText kernel;
  kernel.module = &module;
  auto text = Emitter(kernel, found->second).all();
  if (!text) return fail(std::move(text).error());
  std::string functions, prototypes;
  while (!kernel.callees.empty()) {
    const auto name = kernel.callees.back();
    kernel.callees.pop_back();
    if (!kernel.written.insert(name).second) continue;
    auto callee = Emitter(kernel, module.functions.at(name)).all();
    if (!callee) return fail(std::move(callee).error().context(entry));
    prototypes += callee->substr(0, callee->find(" {")) + ";\n";
    functions += *callee;
  }
  kernel.out.text = prototypes + functions + *text;
  // Dynamic shared memory begins behind the static one.
  kernel.out.static_shared = (kernel.shared_end + 15) / 16 * 16;
  return std::move(kernel.out);
}

}  // namespace hone::emulator::ptx
