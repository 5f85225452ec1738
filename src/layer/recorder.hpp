#pragma once
// What an unmodified OpenCL program does, as lines of JSON: that the layer was loaded and where, which sources and
// options its programs have, which kernels it launches with which sizes and arguments. In: calls the layer saw. Out: a
// folder with `events.<pid>.jsonl` and each source text once, named by its hash. Thread-safe; a program that launches
// without end is cut, not the disk.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hone::layer {

struct Sizes {
  std::vector<std::size_t> global, local, offset;  // local and offset empty: NULL
};

/// An argument as it was set, as far as the layer can tell what it is.
struct Argument {
  enum class Kind { Bytes, Buffer, Local, Image, Sampler, Unset } kind = Kind::Unset;
  std::size_t size = 0;             // of a buffer, of local memory
  std::uint64_t object = 0;         // which buffer or image: two arguments with one number are one object
  std::vector<std::uint8_t> bytes;  // of a scalar or a struct
};

class Recorder {
 public:
  /// Nothing is written when the folder cannot be.
  explicit Recorder(std::string folder, std::size_t most_launches = 20'000);

  using Object = const void*;
  void program(Object program, const std::string& source);
  void program_without_source(Object program);
  /// Made of others: its text is theirs, one behind the other.
  void linked(Object program, const std::vector<Object>& parts);
  void build(Object program, const std::string& options);
  void kernel(Object kernel, Object program, const std::string& name);
  void copy_kernel(Object copy, Object kernel);
  void buffer(Object buffer, std::size_t bytes);
  void image(Object image);
  void sampler(Object sampler);
  void argument(Object kernel, std::size_t index, std::size_t size, const void* value);
  void launch(Object kernel, const Sizes& sizes);

 private:
  struct Memory {
    Argument::Kind kind = Argument::Kind::Buffer;
    std::size_t bytes = 0;
    std::uint64_t number = 0;
  };
  struct Kernel {
    std::string name;
    Object program = nullptr;
    std::map<std::size_t, Argument> arguments;
  };
  struct Program {
    std::string source;  // its hash; empty: made of something else than source
    std::string options;
  };
  std::string keep(const std::string& source);
  void write(const std::string& line);

  std::mutex mutex_;
  std::string folder_;
  std::ofstream out_;
  std::size_t left_;
  std::uint64_t objects_ = 0;
  std::map<Object, Memory> memories_;
  std::map<Object, Kernel> kernels_;
  std::map<Object, Program> programs_;
};

}  // namespace hone::layer
