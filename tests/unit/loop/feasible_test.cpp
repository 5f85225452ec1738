#include "loop/feasible.hpp"

#include <gtest/gtest.h>

namespace hone::loop {
namespace {

Expression e(const std::string& text) { return *Expression::parse(text); }

struct Fixture {
  Template proposed;
  Mep mep;
  DeviceInfo device;
  Fixture() {
    proposed.space.parameters = {{"T", {std::int64_t{1}, std::int64_t{8}}, std::int64_t{1}}};
    device.facts = {{"local_bytes", std::int64_t{64}}, {"max_work_group_size", std::int64_t{256}}};
    mep.workloads = {{"a", Role::Tune, {{"n", std::int64_t{100}}}, {}},
                     {"h", Role::HeldOut, {{"n", std::int64_t{7}}}, {}}};
  }
  bool allows(std::int64_t t) const {
    const auto space = feasible_space(proposed, mep, device);
    const Configuration c{{"T", t}};
    for (const auto& constraint : space->constraints)
      if (!*constraint.condition.evaluate_condition(environment_of(c))) return false;
    return true;
  }
};

TEST(Feasible, ResourcesAreHeldAgainstTheDevice) {
  Fixture f;
  f.proposed.resources["local_bytes"] = e("16 * T");
  EXPECT_TRUE(f.allows(1));
  EXPECT_FALSE(f.allows(8));
}

TEST(Feasible, DeviceFactsAndScalarsBecomeNumbers) {
  Fixture f;
  f.proposed.space.constraints = {{"fits", e("T * 64 <= device.max_work_group_size and n % T == 0")}};
  EXPECT_TRUE(f.allows(1));
  EXPECT_FALSE(f.allows(8));
}

TEST(Feasible, HeldOutWorkloadsDoNotShapeTheSpace) {
  Fixture f;
  f.proposed.space.constraints = {{"big", e("n >= 100")}};
  EXPECT_TRUE(f.allows(1));
}

TEST(Feasible, AnUnknownNameIsRefusedWithTheNearest) {
  Fixture f;
  f.proposed.space.parameters[0].name = "TILE";
  f.proposed.space.constraints = {{"c", e("TILES > 1")}};
  const auto space = feasible_space(f.proposed, f.mep, f.device);
  ASSERT_FALSE(space);
  EXPECT_NE(space.error().message().find("nearest: TILE"), std::string::npos);
}

}  // namespace
}  // namespace hone::loop
