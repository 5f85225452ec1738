#include "layer/recorder.hpp"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/hash.hpp"

namespace hone::layer {
namespace {

using Json = nlohmann::json;

std::string hex(const std::vector<std::uint8_t>& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

Json json_of(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::Bytes: return {{"bytes", hex(argument.bytes)}};
    case Argument::Kind::Buffer: return {{"buffer", argument.object}, {"size", argument.size}};
    case Argument::Kind::Local: return {{"local", argument.size}};
    case Argument::Kind::Image: return {{"image", argument.object}};
    case Argument::Kind::Sampler: return {{"sampler", argument.object}};
    default: return {{"unset", true}};
  }
}

}  // namespace

Recorder::Recorder(std::string folder, std::size_t most_launches)
    : folder_(std::move(folder)),
      out_(folder_ + "/events." + std::to_string(::getpid()) + ".jsonl", std::ios::app),
      left_(most_launches) {
  std::error_code unknown;
  write(Json{{"event", "loaded"}, {"folder", std::filesystem::current_path(unknown).string()}}.dump());
}

/// A line is flushed at once: programs end in many ways.
void Recorder::write(const std::string& line) { out_ << line << std::endl; }

std::string Recorder::keep(const std::string& source) {
  const auto hash = content_hash(source);
  const auto file = folder_ + "/" + hash + ".cl";
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) std::ofstream(file, std::ios::binary) << source;
  return hash;
}

void Recorder::program(Object program, const std::string& source) {
  const std::lock_guard lock(mutex_);
  programs_[program] = {keep(source), {}};
}

void Recorder::linked(Object program, const std::vector<Object>& parts) {
  const std::lock_guard lock(mutex_);
  std::ostringstream all;
  std::string options;
  for (const auto* part : parts) {
    const auto& known = programs_[part];
    if (!known.source.empty())
      all << std::ifstream(folder_ + "/" + known.source + ".cl", std::ios::binary).rdbuf() << "\n";
    options += known.options + " ";
  }
  programs_[program] = {all.str().empty() ? "" : keep(all.str()), options};
}

void Recorder::program_without_source(Object program) {
  const std::lock_guard lock(mutex_);
  programs_[program] = {};
}

void Recorder::build(Object program, const std::string& options) {
  const std::lock_guard lock(mutex_);
  programs_[program].options = options;
}

void Recorder::kernel(Object kernel, Object program, const std::string& name) {
  const std::lock_guard lock(mutex_);
  kernels_[kernel] = {name, program, {}};
}

void Recorder::copy_kernel(Object copy, Object kernel) {
  const std::lock_guard lock(mutex_);
  kernels_[copy] = kernels_[kernel];
}

void Recorder::buffer(Object buffer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  memories_[buffer] = {Argument::Kind::Buffer, bytes, ++objects_};
}

void Recorder::image(Object image) {
  const std::lock_guard lock(mutex_);
  memories_[image] = {Argument::Kind::Image, 0, ++objects_};
}

void Recorder::sampler(Object sampler) {
  const std::lock_guard lock(mutex_);
  memories_[sampler] = {Argument::Kind::Sampler, 0, ++objects_};
}

void Recorder::argument(Object kernel, std::size_t index, std::size_t size, const void* value) {
  const std::lock_guard lock(mutex_);
  Argument set;
  if (value == nullptr) {
    set.kind = Argument::Kind::Local;
    set.size = size;
  } else {
    set.kind = Argument::Kind::Bytes;
    const auto* bytes = static_cast<const std::uint8_t*>(value);
    set.bytes.assign(bytes, bytes + size);
    // A number that happens to be the address of an object is taken for it: eight bytes of that value are no accident.
    Object object = nullptr;
    if (size == sizeof object) {
      std::memcpy(&object, value, sizeof object);
      if (const auto known = memories_.find(object); known != memories_.end())
        set = {known->second.kind, known->second.bytes, known->second.number, {}};
    }
  }
  kernels_[kernel].arguments[index] = std::move(set);
}

void Recorder::launch(Object kernel, const Sizes& sizes) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) return;
  if (--left_ == 0) return write(Json{{"event", "cut"}}.dump());
  const auto& known = kernels_[kernel];
  const auto& program = programs_[known.program];
  Json arguments = Json::array();
  for (const auto& [index, argument] : known.arguments) {
    while (arguments.size() < index) arguments.push_back(json_of({}));
    arguments.push_back(json_of(argument));
  }
  write(Json{{"event", "launch"},
             {"kernel", known.name},
             {"source", program.source},
             {"options", program.options},
             {"global", sizes.global},
             {"local", sizes.local},
             {"offset", sizes.offset},
             {"arguments", std::move(arguments)}}
            .dump());
}

}  // namespace hone::layer
