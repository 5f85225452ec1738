#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/format.hpp"
#include "core/launches.hpp"

namespace hone {
namespace {

const char* const gemm = R"toml(format = 1
name = "gemm"
language = "opencl"
fidelity = { values = "C", mutants = "46/52", reasons = ["nk: loop bound, chosen"] }
contract = ["nj % 16 == 0"]

[[buffer]]
name = "A"
type = "float"
extent = "ni*nk"
fill = "uniform(-1,1)"

[[kernel]]
name = "gemm"
arguments = [ { name = "a", buffer = "float", access = "read" }, { name = "nk", scalar = "int" }, { name = "tmp", local = "float" } ]

[[workload]]
name = "tune"
role = "tune"
scalars = { ni = 512, nk = 512, alpha = 1.5 }
launches = [
  { kernel = "gemm", arguments = { a = "A", nk = "nk", tmp = "16*16" }, global = ["nk", "ni"], local = [32, 8] },
  { loop = "k in 0..nk", launches = [ { kernel = "gemm", arguments = { a = "A", nk = "k", tmp = 4 }, global = [64] } ] } ]

[check]
relative = 1e-4
)toml";

std::string with(const std::string& from, const std::string& to) {
  std::string text = gemm;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(MepFormat, ReadsTheManifestOfTheDocument) {
  const auto mep = mep_from_toml(gemm, "mep.toml");
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_EQ(mep->buffers.at(0).extent.print(), "ni * nk");
  EXPECT_EQ(mep->kernels.at(0).arguments.at(2).kind, ArgumentSpec::Kind::Local);
  EXPECT_EQ(mep->fidelity.mutants_killed, 46);
  const auto& loop = std::get<LaunchLoop>(mep->workloads.at(0).launches.at(1));
  EXPECT_EQ(loop.variable, "k");
  EXPECT_EQ(loop.end.print(), "nk");
  EXPECT_EQ(mep->check.relative, 1e-4);
}

TEST(MepFormat, WhatIsWrittenReadsBackTheSame) {
  const auto mep = mep_from_toml(gemm, "mep.toml");
  ASSERT_TRUE(mep);
  const auto again = mep_from_toml(to_toml(*mep), "mep.toml");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *mep);
}

TEST(MepFormat, AnUnknownKeyIsNamedWithItsLineAndTheNearestKnownKey) {
  const auto mep = mep_from_toml(with("extent = ", "extend = "), "x.mep/mep.toml");
  ASSERT_FALSE(mep);
  EXPECT_NE(mep.error().message().find("x.mep/mep.toml:"), std::string::npos);
  EXPECT_NE(mep.error().message().find("'extent'"), std::string::npos) << mep.error().message();
}

TEST(MepFormat, AMisspeltOptionalKeyIsAnErrorToo) {
  const auto mep = mep_from_toml(with("relative = ", "relativ = "), "mep.toml");
  ASSERT_FALSE(mep);
  EXPECT_EQ(mep.error().message(), "mep.toml:26: unknown key 'relativ' in [check]; nearest known key: relative");
}

TEST(MepFormat, ABrokenExpressionIsReportedAtItsLine) {
  const auto mep = mep_from_toml(with("ni*nk", "ni*"), "mep.toml");
  ASSERT_FALSE(mep);
  EXPECT_EQ(mep.error().message().substr(0, 11), "mep.toml:10");
}

TEST(MepFormat, BrokenTomlNamesTheLine) {
  const auto mep = mep_from_toml("name = \"a\"\nlanguage = ", "mep.toml");
  ASSERT_FALSE(mep);
  EXPECT_EQ(mep.error().message().substr(0, 10), "mep.toml:2");
}

TEST(MepFormat, AFolderWithoutManifestSaysHowToMakeOne) {
  const auto mep = mep_from_files({}, "x.mep");
  ASSERT_FALSE(mep);
  EXPECT_NE(mep.error().next().find("hone extract"), std::string::npos);
}

RC_GTEST_PROP(MepFormat, AnyTextInStringsAndAnyNumbersSurvive, ()) {
  auto mep = *mep_from_toml(gemm, "mep.toml");
  const auto printable = rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  mep.name = *printable;
  mep.options = *rc::gen::container<std::vector<std::string>>(printable);
  mep.fidelity.reasons = *rc::gen::container<std::vector<std::string>>(printable);
  mep.workloads[0].scalars["n"] = *rc::gen::arbitrary<std::int64_t>();
  mep.workloads[0].scalars["x"] = *rc::gen::map(rc::gen::arbitrary<int>(), [](int i) { return i / 7.0; });
  const auto again = mep_from_toml(to_toml(mep), "mep.toml");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == mep);
}

/// What C allows and the expression language has words or functions for.
const std::vector<std::string> awkward_names = {"in",     "and",    "or",  "not", "if",       "else", "true",   "false",
                                                "launch", "device", "min", "max", "ceil_div", "abs",  "lambda", "x"};

Mep with_names(const std::string& buffer, const std::string& scalar, const std::string& counter) {
  Mep mep;
  mep.name = "named";
  mep.buffers = {
      {buffer, "float", Expression::binary("*", Expression::name(scalar), Expression::name(scalar)), "zero"}};
  mep.kernels = {{"k",
                  {{buffer, ArgumentSpec::Kind::Buffer, "float", Access::ReadWrite},
                   {scalar, ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
  Launch launch;
  launch.kernel = "k";
  launch.arguments = {{buffer, {Expression::name(buffer), {}}}, {scalar, {Expression::name(counter), {}}}};
  launch.global = {Expression::name(scalar)};
  mep.workloads = {{"tune",
                    Role::Tune,
                    {{scalar, std::int64_t{8}}},
                    {LaunchLoop{counter, Expression(), Expression::name(scalar), {launch}}},
                    {}}};
  return mep;
}

RC_GTEST_PROP(MepFormat, AnyIdentifierNamesABufferAScalarAndACounter, ()) {
  const auto name = [] { return *rc::gen::elementOf(awkward_names); };
  const auto buffer = name(), scalar = name(), counter = name();
  RC_PRE(buffer != scalar && scalar != counter && buffer != counter);
  const auto mep = with_names(buffer, scalar, counter);
  const auto again = mep_from_toml(to_toml(mep), "mep.toml");
  RC_LOG() << to_toml(mep);
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == mep);
  const auto problem = concretise(*again, again->workloads[0], {}, {}, 1);
  RC_ASSERT(problem.has_value());
  RC_ASSERT(problem->launches.size() == 8U && problem->buffers[0].count == 64U);
}

TEST(MepFormat, SaysWhereItsValuesAreFrom) {
  auto mep = *mep_from_toml(gemm, "mep.toml");
  mep.buffers[0].from = {Provenance::Kind::Seen, "main.c:40"};
  auto& launch = std::get<Launch>(mep.workloads[0].launches[0]);
  launch.sizes = {Provenance::Kind::Seen, "main.c:57"};
  launch.arguments.at("a").from = {Provenance::Kind::Guessed, {}};
  mep.workloads[0].from["ni"] = {Provenance::Kind::Inferred, "main.c:12"};
  mep.options = {"-DT=16"};
  mep.defines["T"] = {Provenance::Kind::Inferred, "main.c:9"};
  const auto text = to_toml(mep);
  EXPECT_EQ(text.substr(0, 10), "format = 2");
  for (const std::string part :
       {"from = \"seen main.c:40\"", "from = \"seen main.c:57\"", "arguments_from = { a = \"guessed\" }",
        "scalars_from = { ni = \"inferred main.c:12\" }", "options_from = { T = \"inferred main.c:9\" }"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto again = mep_from_toml(text, "mep.toml");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, mep);
}

TEST(MepFormat, AProvenanceIsOneOfFourWords) {
  const auto mep = mep_from_toml(with("fill = ", "from = \"believed\"\nfill = "), "mep.toml");
  ASSERT_FALSE(mep);
  EXPECT_NE(mep.error().message().find("seen, inferred, guessed or set"), std::string::npos) << mep.error().message();
}

TEST(MepFormat, InFormatOneAPointerBoundToItsOwnNameWasAGuessWhereValuesWereInferred) {
  const auto binding = [](const std::string& text) {
    const auto mep = mep_from_toml(text, "mep.toml");
    EXPECT_TRUE(mep) << mep.error().text();
    return std::get<Launch>(mep->workloads[0].launches[0]).arguments.at("a").from.kind;
  };
  EXPECT_EQ(binding(gemm), Provenance::Kind::Set);
  auto own_name = with("a = \"A\", nk = \"nk\", tmp = \"16*16\"", "a = \"a\", nk = \"nk\", tmp = \"16*16\"");
  EXPECT_EQ(binding(own_name), Provenance::Kind::Guessed);
  own_name.replace(own_name.find("values = \"C\""), 12, "values = \"B\"");
  EXPECT_EQ(binding(own_name), Provenance::Kind::Set);
}

TEST(MepFormat, AToleranceOfThePersonIsKept) {
  auto mep = *mep_from_toml(gemm, "mep.toml");
  mep.check.tolerance = 0.01;
  EXPECT_EQ(mep_from_toml(to_toml(mep), "mep.toml")->check.tolerance, 0.01);
}

}  // namespace
}  // namespace hone
