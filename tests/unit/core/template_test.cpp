#include "core/template.hpp"

#include <gtest/gtest.h>

#include "core/format.hpp"

namespace hone {
namespace {

const char* const tiled = R"toml(schedule = ["lanes j VX", "merge i TI"]

[[parameter]]
name = "TI"
values = [1, 2, 4, 8]
default = 1

[[parameter]]
name = "VX"
values = [4, 8]

[constraints]
fits = "TI * VX <= device.max_work_group_size"

[resources]
local_bytes = "4 * TI * VX"

[[launch]]
kernel = "gemm"
global = ["ceil_div(launch.global[0], VX)", "ceil_div(launch.global[1], TI)"]
local = ["VX", 1]

[build]
options = ["-cl-mad-enable"]
)toml";

Template source_template(std::string source, std::vector<std::string> parameters) {
  Template t;
  t.name = "t";
  t.source = std::move(source);
  for (auto& name : parameters) t.space.parameters.push_back({std::move(name), {std::int64_t{1}}, std::int64_t{1}});
  return t;
}

std::string specialised(const std::string& source, const Configuration& configuration) {
  std::vector<std::string> names;
  for (const auto& [name, value] : configuration) names.push_back(name);
  const auto variant = instantiate_source(source_template(source, names), configuration);
  return variant ? variant->source : variant.error().text();
}

TEST(TemplateFormat, WhatIsWrittenReadsBackTheSame) {
  const auto t = template_from_toml(tiled, "template.toml");
  ASSERT_TRUE(t) << t.error().text();
  EXPECT_EQ(t->space.parameters.at(1).default_value, Value(std::int64_t{4}));
  const auto again = template_from_toml(to_toml(*t), "template.toml");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *t);
}

TEST(TemplateFormat, NeedsExactlyOneOfScheduleAndSource) {
  EXPECT_FALSE(template_from_toml("name = \"x\"", "template.toml"));
  EXPECT_FALSE(template_from_toml("schedule = [\"a\"]\nsource = \"kernel.cl\"", "template.toml"));
  const auto neither = template_from_toml("name = \"empty\"", "template.toml");
  ASSERT_FALSE(neither);
  EXPECT_NE(neither.error().message().find("needs a source"), std::string::npos) << neither.error().message();
}

TEST(TemplateFormat, ADefaultOutsideTheValuesIsRefused) {
  const auto t =
      template_from_toml("schedule = [\"a\"]\n[[parameter]]\nname = \"T\"\nvalues = [1]\ndefault = 2", "t.toml");
  ASSERT_FALSE(t);
  EXPECT_EQ(t.error().message().substr(0, 8), "t.toml:5");
}

TEST(TemplateFormat, ReadsTheSourceItNames) {
  const auto t = template_from_files({{"template.toml", "source = \"k.cl\""}, {"k.cl", "code"}}, "dir/fast");
  ASSERT_TRUE(t) << t.error().text();
  EXPECT_EQ(t->source, "code");
  EXPECT_EQ(t->name, "fast");
}

TEST(Specialise, ParametersBecomeLiteralsButNotInStringsCommentsOrMembers) {
  EXPECT_EQ(specialised("x = T; /* T */ s.T = \"T\"; TT = -T;", {{"T", std::int64_t{4}}}),
            "x = 4; /* T */ s.T = \"T\"; TT = -4;");
}

TEST(Specialise, NegativeValuesAreParenthesised) { EXPECT_EQ(specialised("x-T", {{"T", std::int64_t{-1}}}), "x-(-1)"); }

TEST(Specialise, ConditionsOverParametersAloneAreFolded) {
  const std::string source = "#if T > 2 && defined(T)\na\n#elif T == 2\nb\n#else\nc\n#endif\nd\n";
  EXPECT_EQ(specialised(source, {{"T", std::int64_t{4}}}), "a\nd\n");
  EXPECT_EQ(specialised(source, {{"T", std::int64_t{2}}}), "b\nd\n");
  EXPECT_EQ(specialised(source, {{"T", std::int64_t{1}}}), "c\nd\n");
}

TEST(Specialise, NestedConditionsInADeadBranchVanish) {
  EXPECT_EQ(specialised("#if T\n#ifdef OTHER\nx\n#else\ny\n#endif\n#endif\nz\n", {{"T", std::int64_t{0}}}), "z\n");
}

TEST(Specialise, OtherConditionsStayWithTheirParametersReplaced) {
  EXPECT_EQ(specialised("#if OTHER > T\na\n#endif\n", {{"T", std::int64_t{3}}}), "#if OTHER > 3\na\n#endif\n");
}

TEST(Specialise, ADefaultInsideIfndefIsDropped) {
  EXPECT_EQ(specialised("#ifndef T\n#define T 1\n#endif\nT\n", {{"T", std::int64_t{3}}}), "3\n");
}

TEST(Specialise, APastedParameterKeepsItsDefine) {
  EXPECT_EQ(specialised("#define V float##T\nV x = T;\n", {{"T", std::int64_t{4}}}),
            "#define T 4\n#define V float##T\nV x = T;\n");
}

TEST(Specialise, AParameterThatTheSourceDefinesIsAnError) {
  EXPECT_NE(specialised("#define T 1\n", {{"T", std::int64_t{3}}}).find("E-TEMPLATE"), std::string::npos);
}

TEST(Variant, HashSeesSourceLaunchesAndOptions) {
  const Variant a{Language::OpenCL, "k", {}, {}};
  auto source = a, options = a, launches = a;
  source.source = "l";
  options.options = {"-DX"};
  launches.launches = {{"k", {Expression::literal(std::int64_t{4})}, {}}};
  EXPECT_EQ(hash_of(a), hash_of(Variant(a)));
  EXPECT_NE(hash_of(a), hash_of(source));
  EXPECT_NE(hash_of(a), hash_of(options));
  EXPECT_NE(hash_of(a), hash_of(launches));
}

}  // namespace
}  // namespace hone
