#include "affine/view.hpp"

namespace hone::affine {
namespace {
std::string indexed(const char* name, int dimension) {
  return std::string(name) + "[" + std::to_string(dimension) + "]";
}
}  // namespace

std::string work_item(int dimension) { return indexed("global_id", dimension); }
std::string local_item(int dimension) { return indexed("local_id", dimension); }
std::string group_of(int dimension) { return indexed("group_id", dimension); }
std::string global_size(int dimension) { return indexed("launch.global", dimension); }
std::string local_size(int dimension) { return indexed("launch.local", dimension); }
std::string group_count(int dimension) { return indexed("num_groups", dimension); }

const MemoryAccess* access_at(const View& view, const ir::NodePtr& node) {
  for (const auto& access : view.accesses) {
    if (access.node == node) return &access;
  }
  return nullptr;
}

const Loop* loop_at(const View& view, const ir::NodePtr& node) {
  for (const auto& loop : view.loops) {
    if (loop.node == node) return &loop;
  }
  return nullptr;
}

std::optional<Polynomial> stride(const MemoryAccess& access, const std::string& symbol) {
  if (!access.index) return std::nullopt;
  return access.index->coefficient(symbol);
}

std::optional<std::int64_t> constant_stride(const MemoryAccess& access, const std::string& symbol) {
  const auto by = stride(access, symbol);
  return by ? by->constant() : std::nullopt;
}

}  // namespace hone::affine
