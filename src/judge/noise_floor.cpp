#include "judge/noise_floor.hpp"

#include <algorithm>

#include "core/format.hpp"
#include "judge/judge.hpp"

namespace hone::judge {
namespace {

/// A chain of multiplications: no memory to speak of, so that it is the clock and the machine that are measured.
constexpr const char* kChain = R"(kernel void chain(global const uint* a, global uint* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  ulong x = a[i];
  for (int s = 0; s < 800; ++s) x = x * 6364136223846793005ul + 1442695040888963407ul;
  b[i] = (uint)(x >> 32);
}
)";

constexpr const char* kMep = R"toml(format = 1
name = "noise floor"
language = "opencl"
fidelity = { values = "C", reasons = ["made to be timed"] }
[[buffer]]
name = "values"
type = "uint"
extent = "n"
fill = "uniform(0,1000000)"
[[buffer]]
name = "out"
type = "uint"
extent = "n"
fill = "zero"
[[kernel]]
name = "chain"
arguments = [ { name = "a", buffer = "uint", access = "read" }, { name = "b", buffer = "uint", access = "write" }, { name = "n", scalar = "int" } ]
[[workload]]
name = "tune"
role = "tune"
scalars = { n = 2048 }
launches = [ { kernel = "chain", arguments = { a = "values", b = "out", n = "n" }, global = ["n"], local = [64] } ]
)toml";

}  // namespace

Mep noise_mep(const Mep& mep) {
  if (mep.language != Language::OpenCL) return mep;
  auto small = mep_from_files({{"mep.toml", kMep}, {"kernel.cl", kChain}}, "noise floor");
  return small ? std::move(*small) : mep;
}

Result<double> Judge::measure_noise_floor() {
  JudgeOptions options = options_;
  options.defences = Defences::only(Defence::FreshWorkers);
  options.effort.few = options.effort.most = options.effort.first;
  JudgePorts ports;
  ports.turns = ports_.turns;
  Judge judge(noise_mep(mep_), sessions_, options, ports);
  const auto same = original(judge.mep());
  auto measured = judge.confirm(same, same, false);
  if (!measured) return fail(std::move(measured).error().context("measuring the noise floor"));
  if (!std::holds_alternative<Timed>(measured->verdict))
    return fail("E-NOISE", "the noise floor could not be measured: " + reason_of(measured->verdict));
  return std::max(measured->comparison.high, 1 / measured->comparison.low) - 1;
}

Result<double> Judge::noise_floor() {
  if (ports_.noise != nullptr)
    if (const auto known = ports_.noise->known()) return *known;
  auto floor = measure_noise_floor();
  if (floor && ports_.noise != nullptr) ports_.noise->keep(*floor);
  return floor;
}

}  // namespace hone::judge
