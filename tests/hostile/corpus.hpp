#pragma once
// The corpus: kernels as plain files, each opening with the base MEP it pretends to improve, the verdict it must get,
// and a sentence that says what it does.

#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/template.hpp"
#include "judge/judge.hpp"

namespace hone::hostile {

struct Entry {
  std::string name, base;
  std::vector<std::string> verdicts;  // any of these is right
  std::vector<std::string> defences;  // any of these may decide; empty: whichever
  Variant variant;
  std::optional<double> seconds;  // patience that is enough for it
};

/// The entries of tests/hostile/<kind>, by name; "cuda/hostile" are those in CUDA.
std::vector<Entry> entries(const std::string& kind);
Entry entry(const std::string& name);
Mep base(const std::string& name);
/// K(0) of that base in double precision, where there is one.
std::optional<Variant> precise(const std::string& name);

}  // namespace hone::hostile
