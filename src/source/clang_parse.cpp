#include "source/clang_parse.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <memory>

#include "embedded/hone_source.hpp"

namespace hone::source {
namespace {

constexpr auto stub_folder = "/hone-stubs/";

/// Everything Clang tells while it reads; filled by the callbacks below.
struct Heard {
  std::vector<Invocation> invocations;
  std::vector<Span> inactive;
  std::vector<ParseError> errors;
  std::vector<std::string> notes;
};

std::size_t offset_in_main(const clang::SourceManager& sources, clang::SourceLocation at) {
  return sources.getDecomposedLoc(sources.getExpansionLoc(at)).second;
}

class Listener : public clang::PPCallbacks {
 public:
  Listener(clang::Preprocessor& preprocessor, Heard& heard) : preprocessor_(preprocessor), heard_(heard) {}

  bool FileNotFound(llvm::StringRef name) override {
    heard_.notes.push_back("include not found: " + name.str());
    return true;
  }

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange range,
                    const clang::MacroArgs*) override {
    const auto& sources = preprocessor_.getSourceManager();
    if (!range.getBegin().isFileID() || !sources.isInMainFile(range.getBegin())) return;
    const auto last = sources.getFileLoc(range.getEnd());
    const auto length = clang::Lexer::MeasureTokenLength(last, sources, preprocessor_.getLangOpts());
    heard_.invocations.push_back({{offset_in_main(sources, range.getBegin()), offset_in_main(sources, last) + length},
                                  name.getIdentifierInfo()->getName().str(),
                                  from_header(definition)});
  }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    const auto& sources = preprocessor_.getSourceManager();
    if (!sources.isInMainFile(range.getBegin())) return;
    heard_.inactive.push_back({offset_in_main(sources, range.getBegin()), offset_in_main(sources, range.getEnd())});
  }

 private:
  bool from_header(const clang::MacroDefinition& definition) const {
    const auto* info = definition.getMacroInfo();
    if (info == nullptr) return false;
    if (info->isBuiltinMacro()) return true;
    const auto& sources = preprocessor_.getSourceManager();
    const auto file = sources.getFilename(sources.getSpellingLoc(info->getDefinitionLoc()));
    return file.starts_with(stub_folder) || file.starts_with(HONE_CLANG_RESOURCES);
  }

  clang::Preprocessor& preprocessor_;
  Heard& heard_;
};

class Errors : public clang::DiagnosticConsumer {
 public:
  explicit Errors(Heard& heard) : heard_(heard) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    const bool placed = info.hasSourceManager() && info.getLocation().isValid();
    const bool here =
        placed && info.getSourceManager().isInMainFile(info.getSourceManager().getExpansionLoc(info.getLocation()));
    if (here)
      heard_.errors.push_back({offset_in_main(info.getSourceManager(), info.getLocation()), text.str().str()});
    else
      heard_.notes.push_back(text.str().str());
  }

 private:
  Heard& heard_;
};

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(clang::Preprocessor& preprocessor, Heard& heard, const std::function<void(const Parsed&)>& use)
      : preprocessor_(preprocessor), heard_(heard), use_(use) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    std::stable_sort(heard_.invocations.begin(), heard_.invocations.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
    use_({context, preprocessor_, heard_.invocations, heard_.inactive, heard_.errors, heard_.notes});
  }

 private:
  clang::Preprocessor& preprocessor_;
  Heard& heard_;
  const std::function<void(const Parsed&)>& use_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(Heard& heard, const std::function<void(const Parsed&)>& use) : heard_(heard), use_(use) {}

  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    auto& diagnostics = compiler.getDiagnostics();
    diagnostics.setClient(new Errors(heard_), /*ShouldOwnClient=*/true);
    diagnostics.setFatalsAsError(true);
    diagnostics.setErrorLimit(0);
    compiler.getFrontendOpts().SkipFunctionBodies = false;
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Listener>(compiler.getPreprocessor(), heard_));
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<Consumer>(compiler.getPreprocessor(), heard_, use_);
  }

 private:
  Heard& heard_;
  const std::function<void(const Parsed&)>& use_;
};

std::vector<std::string> language(ir::Dialect dialect) {
  const std::string stubs = stub_folder;
  switch (dialect) {
    case ir::Dialect::OpenCL: return {"-x", "cl", "-cl-std=CL1.2", "--target=spir64-unknown-unknown"};
    case ir::Dialect::Cuda:
      return {"-x",
              "cuda",
              "--cuda-device-only",
              "--cuda-gpu-arch=sm_80",
              "-nocudainc",
              "-nocudalib",
              "-nostdinc",
              "-nostdinc++",
              "-std=c++17",
              "-Wno-unknown-cuda-version",
              "-include",
              stubs + "cuda.h"};
    case ir::Dialect::Hip:
      return {"-x",         "hip",       "--cuda-device-only", "--offload-arch=gfx90a",
              "-nogpuinc",  "-nogpulib", "-nostdinc",          "-nostdinc++",
              "-std=c++17", "-include",  stubs + "hip.h"};
  }
  return {};
}

std::vector<std::string> arguments(const ParseRequest& request, const std::string& file) {
  std::vector<std::string> out = {"clang"};
  const auto words = language(request.dialect);
  out.insert(out.end(), words.begin(), words.end());
  out.insert(out.end(), {"-fsyntax-only", "-ferror-limit=0", "-resource-dir", HONE_CLANG_RESOURCES});
  for (const auto& [name, value] : request.defines) out.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  for (const auto& folder : request.include_dirs) out.push_back("-I" + folder);
  out.insert(out.end(), request.options.begin(), request.options.end());
  out.push_back(file);
  return out;
}

std::string default_name(ir::Dialect dialect) {
  return dialect == ir::Dialect::OpenCL ? "kernel.cl" : dialect == ir::Dialect::Cuda ? "kernel.cu" : "kernel.hip";
}

}  // namespace

Status parse(const ParseRequest& request, const std::function<void(const Parsed&)>& use) {
  const std::string file = request.file_name.empty() ? default_name(request.dialect) : request.file_name;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& name, std::string_view text) {
    memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), name));
  };
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  if (const auto folder = overlay->getCurrentWorkingDirectory()) {
    if (const auto problem = memory->setCurrentWorkingDirectory(*folder))
      return fail("E-CLANG", *folder + ": " + problem.message());
  }
  add(file, request.text);
  add(stub_folder + std::string("cuda.h"), embedded::stubs_cuda_h);
  add(stub_folder + std::string("hip.h"), embedded::stubs_hip_h);
  add(stub_folder + std::string("device.h"), embedded::stubs_device_h);
  overlay->pushOverlay(memory);

  Heard heard;
  bool used = false;
  const std::function<void(const Parsed&)> once = [&](const Parsed& parsed) {
    used = true;
    use(parsed);
  };
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  clang::tooling::ToolInvocation invocation(arguments(request, file), std::make_unique<Action>(heard, once),
                                            files.get());
  Errors start_up(heard);
  invocation.setDiagnosticConsumer(&start_up);
  invocation.run();
  if (used) return {};
  return fail("E-CLANG", "Clang could not read " + file + (heard.notes.empty() ? "" : ": " + heard.notes.back()));
}

}  // namespace hone::source
