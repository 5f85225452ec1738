#include "core/shapes.hpp"

#include <gtest/gtest.h>

#include "core/choice_by_size.hpp"

namespace hone {
namespace {

Expression expr(const char* text) { return *Expression::parse(text); }

Mep rows_of(const std::string& source) {
  Mep mep;
  mep.name = "rows";
  mep.source = source;
  mep.buffers = {{"A", "float", expr("n*d"), "zero"}};
  mep.kernels = {{"rows",
                  {{"a", ArgumentSpec::Kind::Buffer, "float", Access::ReadWrite},
                   {"width", ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
  Launch launch;
  launch.kernel = "rows";
  launch.arguments = {{"a", {expr("A"), {}}}, {"width", {expr("d"), {}}}};
  launch.global = {expr("n*64")};
  launch.local = {expr("64")};
  Workload tune{"tune", Role::Tune, {{"d", std::int64_t(100)}, {"n", std::int64_t(8)}}, {launch}};
  auto held_out = tune;
  held_out.name = "held-out";
  held_out.role = Role::HeldOut;
  auto awkward = tune;
  awkward.name = "awkward";
  awkward.role = Role::Awkward;
  mep.workloads = {tune, held_out, awkward};
  return mep;
}

std::vector<std::string> names_of(const Mep& mep) {
  std::vector<std::string> out;
  for (const auto& workload : mep.workloads) out.push_back(workload.name);
  return out;
}

TEST(Shapes, AreNamesAndWholeNumbers) {
  const auto shape = parse_shape("d=4096, n=2**3", Role::Tune);
  ASSERT_TRUE(shape) << shape.error().text();
  EXPECT_EQ(name_of(*shape), "d4096-n8");
  for (const auto* wrong : {"", "d", "d=", "d=x", "4=d", "d=1,,n=2"})
    EXPECT_EQ(parse_shape(wrong, Role::Tune).error().code(), "E-SHAPE") << wrong;
}

TEST(Shapes, TakeThePlaceOfTheWorkloadsOfTheirRoleAndLeaveTheOthers) {
  const auto mep =
      with_shapes(rows_of(""), {*parse_shape("d=4096", Role::Tune), *parse_shape("d=8192,n=2", Role::Tune)});
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_EQ(names_of(*mep), (std::vector<std::string>{"d4096", "d8192-n2", "held-out", "awkward"}));
  EXPECT_EQ(mep->workloads[0].scalars.at("n"), Value(std::int64_t(8)));
  EXPECT_EQ(mep->workloads[1].scalars.at("n"), Value(std::int64_t(2)));
  const auto reported = with_shapes(*mep, {*parse_shape("d=5120", Role::HeldOut)});
  EXPECT_EQ(names_of(*reported), (std::vector<std::string>{"d4096", "d8192-n2", "d5120", "awkward"}));
}

TEST(Shapes, ThatNoWorkloadCanHaveAreRefusedByName) {
  const auto unknown = with_shapes(rows_of(""), {*parse_shape("hidden=4096", Role::Tune)});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), "E-SHAPE");
  EXPECT_NE(unknown.error().message().find("it has d, n"), std::string::npos);
  EXPECT_FALSE(with_shapes(rows_of(""), {*parse_shape("n=0", Role::Tune)}));
  EXPECT_FALSE(with_shapes(rows_of(""), {*parse_shape("n=2", Role::Tune), *parse_shape("n=2", Role::Tune)}));
}

const char* const general_text = R"(float twice(float x) { return 2 * x; }
__kernel void rows(__global float* a, const int width) {
  a[get_global_id(0)] = twice(a[width]);
}
)";
const char* const own_text = R"(float twice(float x) { return 2 * x; }
__kernel void rows(__global float* a, const int width) {
  for (int i = 0; i < 4; ++i) a[4 * get_global_id(0) + i] = twice(a[width]);
}
)";

Variant variant_of(const char* source) { return {Language::OpenCL, source, {}, {}}; }

TEST(ChoiceBySize, AsksTheKernelsOwnArgumentAndKeepsTheGeneralBodyForTheRest) {
  const auto mep = rows_of(general_text);
  auto own = variant_of(own_text);
  own.launches = {{"rows", {expr("ceil_div(launch.global[0], 4)")}, {expr("16")}}};
  const auto joined = choice_by_size(mep, variant_of(general_text), {{{{"d", std::int64_t(4096)}}, own}});
  ASSERT_TRUE(joined) << joined.error().text();
  EXPECT_NE(joined->source.find("if (width == 4096) {\n  for (int i = 0;"), std::string::npos) << joined->source;
  EXPECT_NE(joined->source.find("else {\n  a[get_global_id(0)] = twice(a[width]);\n}"), std::string::npos);
  ASSERT_EQ(joined->launches.size(), 1U);
  const std::map<std::string, Value> here = {
      {"d", std::int64_t(4096)}, {"launch.global[0]", std::int64_t(512)}, {"launch.local[0]", std::int64_t(64)}};
  auto elsewhere = here;
  elsewhere["d"] = std::int64_t(4095);
  EXPECT_EQ(joined->launches[0].global[0].evaluate_integer(environment_of(here)), 128);
  EXPECT_EQ(joined->launches[0].local[0].evaluate_integer(environment_of(here)), 16);
  EXPECT_EQ(joined->launches[0].global[0].evaluate_integer(environment_of(elsewhere)), 512);
  EXPECT_EQ(joined->launches[0].local[0].evaluate_integer(environment_of(elsewhere)), 64);
}

TEST(ChoiceBySize, IsRefusedWhereOneTextCannotSayIt) {
  const auto mep = rows_of(general_text);
  const auto refusal = [&](const std::string& scalar, const Variant& own) {
    const auto joined = choice_by_size(mep, variant_of(general_text), {{{{scalar, std::int64_t(8)}}, own}});
    return joined ? std::string("none") : joined.error().code() + " " + joined.error().message();
  };
  EXPECT_EQ(refusal("n", variant_of(own_text)), "E-CHOICE rows does not get n as an argument");
  auto other_helper = variant_of(own_text);
  other_helper.source.replace(other_helper.source.find("2 * x"), 5, "x + x");
  EXPECT_EQ(refusal("d", other_helper), "E-CHOICE the variants differ outside of their kernels");
  auto other_options = variant_of(own_text);
  other_options.options = {"-cl-mad-enable"};
  EXPECT_EQ(refusal("d", other_options), "E-CHOICE the variants are built with different options");
  auto with_local = variant_of(own_text);
  with_local.source.replace(with_local.source.find("for (int"), 0, "__local float t[4]; ");
  EXPECT_NE(refusal("d", with_local).find("declares local memory"), std::string::npos);
}

}  // namespace
}  // namespace hone
