#pragma once
// Clang's set-up, in one place: a text in memory, with includes and defines, in any of the three dialects, parsed with
// as much tolerance as Clang allows. A missing include is skipped and noted; errors are kept with their place and
// parsing goes on. CUDA and HIP are read with stub headers of ours, so that no toolkit is needed.

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ir/tree.hpp"
#include "source/lift_tokens.hpp"

namespace hone::source {

struct ParseRequest {
  std::string text;
  ir::Dialect dialect = ir::Dialect::OpenCL;
  std::map<std::string, std::string> defines;
  std::vector<std::string> include_dirs;
  std::string file_name;             ///< as the file should be called; includes beside it are found
  std::vector<std::string> options;  ///< further arguments for Clang
};

/// One macro invocation written in the main file.
struct Invocation {
  Span span;
  std::string name;
  bool from_header = false;  ///< defined by the default header or a stub of ours, not by the user
};

struct ParseError {
  std::size_t offset = 0;  ///< in the main file
  std::string message;
};

/// What is known while the AST lives.
struct Parsed {
  clang::ASTContext& context;
  clang::Preprocessor& preprocessor;
  std::vector<Invocation> invocations;  ///< in order of their place
  std::vector<Span> inactive;
  std::vector<ParseError> errors;  ///< those in the main file
  std::vector<std::string> notes;  ///< missing includes, errors elsewhere
};

/// Parses and hands the result to `use`, whatever errors there were. Fails only when Clang could not be started at all.
Status parse(const ParseRequest& request, const std::function<void(const Parsed&)>& use);

}  // namespace hone::source
