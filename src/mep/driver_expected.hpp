#pragma once
// expected.json: enough of K(0)'s outputs to tell later, elsewhere and without them, whether a kernel still computes
// the same. Reals by samples, counts of kinds and norms; integers by samples and a digest of all of them.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"

namespace hone::mep {

using OutputBytes = std::map<std::string, std::vector<std::uint8_t>>;  // by buffer or image

struct ExpectedOutput {
  std::string name, type;  // the view's name and its scalar type
  std::size_t count = 0;
  struct Sample {
    std::size_t element = 0;
    std::string value;  // a number that reads back exactly; "nan", "inf", "-inf"
    bool operator==(const Sample&) const = default;
  };
  std::vector<Sample> samples;
  std::size_t unwritten = 0, nan = 0, infinite = 0;
  double l1 = 0, l2 = 0, max = 0;  // of the finite elements that were written
  /// What differences are measured against where an element itself is small.
  double typical = 0;
  std::uint64_t digest = 0;  // integers only
  bool operator==(const ExpectedOutput&) const = default;
};

struct ExpectedWorkload {
  std::string name;
  std::uint64_t seed = 1;
  std::vector<ExpectedOutput> outputs;
  bool operator==(const ExpectedWorkload&) const = default;
};

struct Expected {
  std::vector<ExpectedWorkload> workloads;
  bool operator==(const Expected&) const = default;
};

/// Of what K(0) wrote on one workload with the contents of one seed.
Result<ExpectedWorkload> summarise(const Mep& mep, const std::string& workload, std::uint64_t seed,
                                   const OutputBytes& outputs);
/// Runs K(0) once on each workload with the driver's contents. E-K0 when it does not build or run.
Result<Expected> expect(const Mep& mep, DeviceSession& session);

std::string to_json(const Expected& expected);

}  // namespace hone::mep
