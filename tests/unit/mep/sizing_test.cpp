// Which sizes a MEP gets, on a device that takes as long as a test says.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "completed.hpp"

namespace hone::mep {
namespace {

using test::completed;

/// A pass takes so long for so many work-items along the first dimension; the first of several less by what the timer
/// errs.
using Pace = std::function<Milliseconds(double items)>;

class PacedSession final : public DeviceSession {
 public:
  PacedSession(Pace pace, Milliseconds error) : pace_(std::move(pace)), error_(error) {
    info_.id = "paced";
    info_.kind = "cpu";
    info_.facts["global_bytes"] = std::int64_t{1} << 34;
  }
  const DeviceInfo& device() const override { return info_; }
  BuildOutcome build(const std::string& source, const std::vector<std::string>& options) override {
    return Built{"one", source_hash(source, options), {}, Milliseconds(0)};
  }
  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>&) override {
    for (const auto& buffer : buffers) elements_[buffer.name] = buffer.count;
    return std::monostate{};
  }
  RunOutcome run(const std::string&, const std::vector<ConcreteLaunch>&,
                 const std::vector<std::string>& wanted) override {
    Ran ran;
    for (const auto& name : wanted) {
      auto& bytes = ran.outputs[name];
      bytes.resize(4 * elements_[name]);
      for (std::size_t i = 0; i < elements_[name]; ++i) {
        const auto value = static_cast<float>(std::sin(static_cast<double>(i)));
        std::memcpy(bytes.data() + 4 * i, &value, 4);
      }
    }
    return ran;
  }
  TimeOutcome time(const std::string&, const std::vector<ConcreteLaunch>& launches, std::size_t runs, bool,
                   const std::vector<std::string>&) override {
    TimesTaken out;
    out.span.assign(runs, pace_(static_cast<double>(launches.front().global.front())));
    out.span.front() -= error_;
    return out;
  }
  RunOutcome read(const std::vector<std::string>& wanted) override { return run("", {}, wanted); }

 private:
  Pace pace_;
  Milliseconds error_;
  DeviceInfo info_;
  std::map<std::string, std::size_t> elements_;
};

class Paced final : public DeviceSessions {
 public:
  Paced(Pace pace, Milliseconds error) : pace_(std::move(pace)), error_(error) {}
  Result<std::unique_ptr<DeviceSession>> start() override { return std::make_unique<PacedSession>(pace_, error_); }

 private:
  Pace pace_;
  Milliseconds error_;
};

/// The edge of the squares that an application of 1,000 ends up with.
std::int64_t chosen_edge(const Pace& pace, double longest_pass, double error = 0) {
  Paced devices(pace, Milliseconds(error));
  Limits limits;
  limits.pass_max = Milliseconds(longest_pass);
  const auto mep = completed({{"main.c", R"(
#include <CL/cl.h>
int main(void) {
  int n = 1000;
  cl_mem x = clCreateBuffer(0, 0, n * n * sizeof(float), 0, 0);
  cl_kernel k = clCreateKernel(0, "scale", 0);
  clSetKernelArg(k, 0, sizeof x, &x);
  clSetKernelArg(k, 1, sizeof n, &n);
  size_t items[2] = {n, n};
  clEnqueueNDRangeKernel(0, k, 2, 0, items, 0, 0, 0, 0);
})"},
                              {"k.cl", R"(
__kernel void scale(__global float *x, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n && j < n) x[j * n + i] *= 2.0f;
})"}},
                             {"scale"}, limits, &devices);
  if (!mep) ADD_FAILURE() << mep.error().text();
  return mep ? std::get<std::int64_t>(mep->workloads.front().scalars.at("n")) : 0;
}

TEST(Sizing, TakesTheHostsOwnSizesWhereAPassOfThemFits) {
  EXPECT_EQ(chosen_edge([](double n) { return Milliseconds(40 * (n / 1000) * (n / 1000)); }, 50), 1000);
}

TEST(Sizing, HalvesTheHostsSizesUntilAPassFits) {
  EXPECT_EQ(chosen_edge([](double n) { return Milliseconds(200 * (n / 1000) * (n / 1000)); }, 100), 500);
}

TEST(Sizing, TakesTheHostsSizesThoughATimerIsNoisy) {
  // By the timer 25 ms are needed, and two thousand is where the data leave the cache.
  EXPECT_EQ(chosen_edge([](double n) { return Milliseconds(n < 1100 ? 8 * n / 1000 : 80); }, 100, 0.5), 1000);
}

TEST(Sizing, TakesLargerSizesWhereTheHostsAreTooShortToMeasure) {
  EXPECT_GT(chosen_edge([](double n) { return Milliseconds(1.0 * (n / 1000) * (n / 1000)); }, 100), 2000);
}

}  // namespace
}  // namespace hone::mep
