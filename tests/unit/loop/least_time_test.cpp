#include "loop/least_time.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"

namespace hone::loop {
namespace {

Ceilings ceilings() {
  Ceilings out;
  out.bandwidth = {{Bytes{1024}, 1e9}};
  out.flops = {{"float", 1e9}};
  return out;
}

/// One buffer of n floats, one kernel over n work-items.
Mep saxpy() {
  Mep mep;
  mep.buffers = {{"y", "float", *Expression::parse("n"), "uniform(-1,1)"}};
  ArgumentSpec y;
  y.name = "y";
  y.kind = ArgumentSpec::Kind::Buffer;
  y.type = "float";
  mep.kernels = {{"saxpy", {y}}};
  Launch launch;
  launch.kernel = "saxpy";
  launch.arguments["y"] = {*Expression::parse("y"), {}};
  launch.global = {*Expression::parse("n")};
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{1000}}}, {launch}},
                   {"other", Role::HeldOut, {{"n", std::int64_t{2000}}}, {launch}}};
  return mep;
}

TEST(LeastTime, IsThatOfEveryBufferMovedOnceAtTheMeasuredRate) {
  const auto least = least_times(saxpy(), nullptr, {"d", "d", "1", "cpu", {}}, ceilings());
  ASSERT_EQ(least.size(), 1U) << "tune workloads only";
  EXPECT_NEAR(least.at("tune").count(), 4000, 1e-6);
}

TEST(LeastTime, IsNotKnownWhereNothingWasMeasured) {
  EXPECT_TRUE(least_times(saxpy(), nullptr, {"d", "d", "1", "cpu", {}}, {}).empty());
}

/// c[i*n + j] += a[i*n + k] * a[k*n + j] for k below `end`, where i and j are below n.
ir::Unit product(const ir::NodePtr& end) {
  using namespace ir;  // NOLINT: builders read best without a prefix
  const auto floats = pointer_to(in_space(float_type(), AddressSpace::Global));
  const auto integer = [](const char* text) { return name(text, int_type()); };
  const auto at = [&](const char* array, const char* row, const char* column) {
    return index(name(array, floats), binary("+", binary("*", integer(row), integer("n")), integer(column)));
  };
  const auto loop = counted_loop(
      "k", int_literal(0), end, int_literal(1),
      block({assign_statement(at("c", "i", "j"), binary("*", at("a", "i", "k"), at("a", "k", "j")), "+=")}));
  const auto guard = binary("&&", binary("<", integer("i"), integer("n")), binary("<", integer("j"), integer("n")));
  const auto body =
      block({declare(int_type(), "j", thread_index(Thread::GlobalId, 0)),
             declare(int_type(), "i", thread_index(Thread::GlobalId, 1)), if_then_else(guard, block({loop}))});
  auto root = std::make_shared<Node>();
  root->kind = Kind::Unit;
  root->children = {function(scalar_type(Scalar::Void), "product",
                             {parameter(floats, "a"), parameter(floats, "c"), parameter(int_type(), "n")}, body,
                             {"kernel"})};
  Unit unit;
  unit.root = root;
  return unit;
}

TEST(Operations, AreThoseOfTheWorkItemsWithinTheGuardTimesTheLoops) {
  const auto unit = product(ir::name("n", ir::int_type()));
  const auto counted = operations_of(unit, "product", {{"n", 100}}, {128, 112});
  ASSERT_TRUE(counted);
  EXPECT_DOUBLE_EQ(counted->at("float"), 2.0 * 100 * 100 * 100);
}

TEST(Operations, OfATriangleAreThoseOfTheWorkItemInItsMiddle) {
  const auto counted = operations_of(product(ir::name("i", ir::int_type())), "product", {{"n", 100}}, {100, 100});
  ASSERT_TRUE(counted);
  EXPECT_DOUBLE_EQ(counted->at("float"), 2.0 * 100 * 100 * 50);
}

TEST(Operations, AreNotKnownOfALoopThatCannotBeCounted) {
  const auto loaded = ir::index(ir::name("c", ir::pointer_to(ir::in_space(ir::int_type(), ir::AddressSpace::Global))),
                                ir::name("i", ir::int_type()));
  EXPECT_FALSE(operations_of(product(loaded), "product", {{"n", 100}}, {100, 100}));
}

}  // namespace
}  // namespace hone::loop
