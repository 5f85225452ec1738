#include "worker/ceilings.hpp"

#include <gtest/gtest.h>

#include "os/files.hpp"
#include "support/start_worker.hpp"
#include "worker/client.hpp"

namespace hone::worker {
namespace {

Ceilings example_ceilings() {
  return {.device = "d",
          .driver = "v",
          .bandwidth = {{Bytes{1000}, 100e9}, {Bytes{10000}, 40e9}, {Bytes{100000}, 50e9}, {Bytes{1000000}, 10e9}},
          .flops = {{"float", 1e11}},
          .launch_overhead = Nanoseconds(5000),
          .timer_noise = Nanoseconds(20)};
}

TEST(Ceilings, ALargerFootprintNeverHasAHigherCeiling) {
  const auto ceilings = example_ceilings();
  EXPECT_EQ(ceiling_for(ceilings, Bytes{10}), 100e9);
  EXPECT_EQ(ceiling_for(ceilings, Bytes{9999}), 100e9) << "between two points the faster one holds";
  EXPECT_EQ(ceiling_for(ceilings, Bytes{10000}), 50e9) << "a point that came out low is lifted by a larger one";
  EXPECT_EQ(ceiling_for(ceilings, Bytes{std::uint64_t{1} << 40U}), 10e9);
  EXPECT_EQ(ceiling_for({}, Bytes{10}), 0);
  EXPECT_EQ(least_time(ceilings, Bytes{1000000}, Bytes{10000}), Nanoseconds(1000));
}

TEST(Ceilings, ParseOfPrintIsTheSame) {
  EXPECT_EQ(*ceilings_from_text(to_json_text(example_ceilings())), example_ceilings());
  EXPECT_FALSE(ceilings_from_text("{}"));
  EXPECT_FALSE(ceilings_from_text("nonsense"));
}

TEST(Ceilings, AreMeasuredOnceAndThenReadFromTheirFile) {
  WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  auto session = WorkerSessions(options).start();
  HONE_SESSION_OR_SKIP(session);
  const auto measured = measure_ceilings(**session, Bytes{std::uint64_t{64} << 10U});
  ASSERT_TRUE(measured) << measured.error().text();
  ASSERT_EQ(measured->bandwidth.size(), 2U);
  for (const auto& point : measured->bandwidth) EXPECT_GT(point.bytes_per_second, 0);
  EXPECT_GT(measured->flops.at("float"), 0);
  EXPECT_GT(measured->launch_overhead.count(), 0);

  const auto folder = os::TempFolder::make();
  ASSERT_TRUE(os::write_text(folder->path() / "c.json", to_json_text(*measured)));
  EXPECT_EQ(*ceilings_of(**session, folder->path() / "c.json"), *measured);
}

}  // namespace
}  // namespace hone::worker
