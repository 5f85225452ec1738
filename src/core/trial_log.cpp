#include "core/trial_log.hpp"

#include "base/hash.hpp"

namespace hone {
namespace {

/// Lengths keep ("ab", "c") and ("a", "bc") apart.
std::string framed(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const auto part : parts) out += std::to_string(part.size()) + ":" + std::string(part);
  return out;
}

}  // namespace

std::string hash_of(const RunKey& key) {
  return content_hash(framed({key.mep, key.options, std::to_string(key.seed), key.device}));
}

std::string hash_of(const VerdictKey& key) {
  return content_hash(framed({key.source, key.options, key.workload, key.device, key.driver, key.protocol}));
}

}  // namespace hone
