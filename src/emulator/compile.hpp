#pragma once
// C++ text of a kernel -> code in this process.

#include <memory>
#include <string>

#include "base/result.hpp"

namespace hone::emulator {

class Code {
 public:
  /// E-COMPILER: there is no g++ or c++ here, or what it said. The same text is compiled once in a process.
  static Result<std::shared_ptr<Code>> compile(const std::string& text);
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code();
  void* find(const char* name) const;

 private:
  explicit Code(void* library) : library_(library) {}
  void* library_;
};

}  // namespace hone::emulator
