#include "source/host/parse_unit.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <optional>
#include <set>

#include "embedded/hone_source.hpp"
#include "source/host/lower.hpp"

namespace hone::host {
namespace {

constexpr auto host_stubs = "/hone-stubs/host/";
constexpr auto own_opencl = "/hone-stubs/opencl/";

class MissingHeaders : public clang::PPCallbacks {
 public:
  explicit MissingHeaders(Unit& unit) : unit_(unit) {}
  bool FileNotFound(llvm::StringRef name) override {
    if (seen_.insert(name.str()).second) unit_.notes.push_back("header not found: " + name.str());
    return true;
  }

 private:
  Unit& unit_;
  std::set<std::string> seen_;
};

class CountErrors : public clang::DiagnosticConsumer {};

class LowerUnit : public clang::ASTConsumer {
 public:
  explicit LowerUnit(Unit& unit) : unit_(unit) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { Lowering(context, unit_).run(); }
  /// What stands in a header outside of the application is known by its name, not by its body.
  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    if (!application_) application_.emplace(decl->getASTContext().getSourceManager());
    return !application_->has(decl->getLocation());
  }

 private:
  std::optional<ApplicationFiles> application_;
  Unit& unit_;
};

class UnitAction : public clang::ASTFrontendAction {
 public:
  explicit UnitAction(Unit& unit) : unit_(unit) {}
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    auto& diagnostics = compiler.getDiagnostics();
    diagnostics.setClient(new CountErrors, /*ShouldOwnClient=*/true);
    diagnostics.setFatalsAsError(true);
    diagnostics.setErrorLimit(0);
    diagnostics.setSuppressAllDiagnostics(false);
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    compiler.getLangOpts().SpellChecking = false;
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(unit_));
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<LowerUnit>(unit_);
  }

 private:
  Unit& unit_;
};

std::vector<std::string> unit_arguments(const UnitRequest& request) {
  std::vector<std::string> out = {"clang"};
  const auto add = [&](std::initializer_list<const char*> words) { out.insert(out.end(), words.begin(), words.end()); };
  switch (request.tongue) {
    case Tongue::C: add({"-x", "c", "-std=gnu17"}); break;
    case Tongue::Cpp: add({"-x", "c++", "-std=gnu++17", "-frecovery-ast"}); break;
    case Tongue::Cuda:
      add({"-x", "cuda", "--cuda-host-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-std=gnu++17",
           "-Wno-unknown-cuda-version", "-include", "/hone-stubs/host/cuda_runtime.h"});
      break;
    case Tongue::Hip:
      add({"-x", "hip", "--cuda-host-only", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib", "-std=gnu++17",
           "-include", "/hone-stubs/host/hip/hip_runtime.h"});
      break;
  }
  add({"-fsyntax-only", "-w", "-ferror-limit=0", "-fno-spell-checking", "-Wno-implicit-function-declaration",
       "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types", "-Wno-implicit-int", "-resource-dir",
       HONE_CLANG_RESOURCES});
  out.insert(out.end(), request.options.begin(), request.options.end());
  out.insert(out.end(), {"-isystem", host_stubs});
  for (const auto& folder : request.include_folders) out.insert(out.end(), {"-idirafter", tree_root + folder});
  out.insert(out.end(), {"-idirafter", own_opencl});
  out.push_back(tree_root + request.file);
  return out;
}

}  // namespace

Unit parse_unit(const Files& application, const UnitRequest& request) {
  Unit unit;
  unit.files.push_back(request.file);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  if (const auto folder = overlay->getCurrentWorkingDirectory()) (void)memory->setCurrentWorkingDirectory(*folder);
  const auto add = [&](const std::string& name, std::string_view text) {
    memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), name));
  };
  for (const auto& [path, text] : application)
    memory->addFile(tree_root + path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
  for (const auto* name :
       {"cuda_runtime.h", "cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h", "helper_cuda.h"})
    add(std::string(host_stubs) + name, embedded::stubs_host_cuda_runtime_h);
  for (const auto* name : {"hip/hip_runtime.h", "hip/hip_runtime_api.h"})
    add(std::string(host_stubs) + name, embedded::stubs_host_hip_runtime_h);
  for (const auto* name : {"CL/cl.h", "CL/opencl.h", "OpenCL/opencl.h", "OpenCL/cl.h"})
    add(std::string(own_opencl) + name, embedded::stubs_host_cl_h);
  for (const auto* name : {"CL/opencl.hpp", "CL/cl2.hpp", "CL/cl.hpp", "opencl.hpp", "cl2.hpp", "cl.hpp"})
    add(std::string(own_opencl) + name, embedded::stubs_host_opencl_hpp);
  for (const auto* name : {"CL/cl_ext.h", "CL/cl_platform.h", "CL/cl_gl.h"}) add(std::string(own_opencl) + name, "");
  overlay->pushOverlay(memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  clang::tooling::ToolInvocation invocation(unit_arguments(request), std::make_unique<UnitAction>(unit), files.get());
  CountErrors quiet;
  invocation.setDiagnosticConsumer(&quiet);
  invocation.run();
  return unit;
}

}  // namespace hone::host
