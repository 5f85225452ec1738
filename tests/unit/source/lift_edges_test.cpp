// What Clang hides, drops or expands, and what becomes of it in the tree.
#include <gtest/gtest.h>

#include "ir/build.hpp"
#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"
#include "source/lift.hpp"

namespace hone::source {
namespace {

using ir::Dialect;
using ir::Kind;

ir::Unit lifted(const std::string& text, const ir::LiftOptions& options = {}) {
  return ClangLifter().lift(text, Dialect::OpenCL, options).value();
}

TEST(LiftEdges, AStatementClangDropsIsVerbatimAndItsNeighboursAreNot) {
  const auto unit = lifted("__kernel void k(__global int *a) {\n  int x = 1;\n  x = missing(a) + y;\n  a[0] = x;\n}\n");
  const auto opaque = ir::find_all(unit.root, Kind::Verbatim);
  ASSERT_EQ(opaque.size(), 1U) << ir::describe(unit);
  EXPECT_EQ(opaque[0]->text, "x = missing(a) + y;");
  EXPECT_EQ(opaque[0]->effects->writes, (std::vector<std::string>{"a", "x"}));
  EXPECT_TRUE(opaque[0]->effects->unknown);
  EXPECT_EQ(ir::find_all(unit.root, Kind::Declare).size(), 1U);
  EXPECT_EQ(ir::find_all(unit.root, Kind::Index).size(), 1U);
}

TEST(LiftEdges, AnInactiveBranchIsOneDirectiveAndADefineMakesItActive) {
  const std::string text =
      "__kernel void k(__global int *a) {\n#ifdef FAST\n  a[0] = 1;\n#else\n  a[0] = 2;\n#endif\n}\n";
  const auto slow = lifted(text);
  ASSERT_EQ(ir::find_all(slow.root, Kind::Directive).size(), 2U) << ir::describe(slow);
  EXPECT_EQ(ir::find_all(slow.root, Kind::Directive)[0]->text, "#ifdef FAST\n  a[0] = 1;\n#else");
  ir::LiftOptions options;
  options.defines["FAST"] = "1";
  const auto fast = lifted(text, options);
  EXPECT_EQ(ir::find_all(fast.root, Kind::Literal)[1]->text, "1");
  EXPECT_EQ(ir::print(fast).value(), text);
}

TEST(LiftEdges, AMacroInvocationIsOwnedWholeAndReprintedExpanded) {
  const auto unit =
      lifted("#define SQ(x) ((x) * (x))\n__kernel void k(__global int *a, int n) {\n  a[0] = SQ(n + 1); // keep\n}\n");
  const auto product = ir::find_all(unit.root, Kind::Binary)[0];
  EXPECT_EQ(product->origin.bytes(), "SQ(n + 1)");
  auto changed = unit;
  const auto one = ir::find_all(product, Kind::Literal)[0];
  changed.root = ir::replace(unit.root, one, ir::int_literal(2));
  EXPECT_EQ(
      ir::print(changed).value(),
      "#define SQ(x) ((x) * (x))\n__kernel void k(__global int *a, int n) {\n  a[0] = (n + 2) * (n + 1); // keep\n}\n");
}

TEST(LiftEdges, HeaderConstantsKeepTheirNames) {
  const auto unit = lifted("__kernel void k(__global float *a) { a[0] = M_PI_F * FLT_MAX; }\n");
  EXPECT_TRUE(ir::any_of(unit.root, [](const ir::NodePtr& n) { return ir::is(n, Kind::Name, "M_PI_F"); }));
  EXPECT_TRUE(ir::any_of(unit.root, [](const ir::NodePtr& n) { return ir::is(n, Kind::Name, "FLT_MAX"); }));
}

TEST(LiftEdges, AMissingIncludeIsNotedAndTheRestIsLifted) {
  const auto unit = lifted("#include \"nowhere.h\"\n__kernel void k(__global int *a) { a[0] = 1; }\n");
  EXPECT_FALSE(ir::contains_verbatim(unit.root));
  ASSERT_EQ(unit.notes.size(), 1U);
  EXPECT_NE(unit.notes[0].find("nowhere.h"), std::string::npos);
}

TEST(LiftEdges, ADirectiveInsideAnExpressionMakesTheStatementVerbatim) {
  const std::string text =
      "__kernel void k(__global int *a) {\n  a[0] = 1\n#ifdef MORE\n  + 2\n#endif\n  ;\n  a[1] = 2;\n}\n";
  const auto unit = lifted(text);
  EXPECT_EQ(ir::find_all(unit.root, Kind::Verbatim).size(), 1U);
  EXPECT_EQ(ir::print(unit).value(), text);
}

TEST(LiftEdges, KeptStatementsKeepTheirBytesWhenOthersComeAndGo) {
  const auto unit =
      lifted("__kernel void k(__global int *a) {\n  a[0]=1;  // one\n  a[1]=2;  // two\n  a[2]=3;  // three\n}\n");
  const auto body = ir::body_of(ir::find_function(unit, "k"));
  auto changed = unit;
  auto s = body->children;
  const auto added = ir::assign_statement(ir::name("x", ir::int_type()), ir::int_literal(9));
  changed.root =
      ir::replace(unit.root, body, ir::with_children(body, {s[0], ir::declare(ir::int_type(), "x"), added, s[2]}));
  EXPECT_EQ(
      ir::print(changed).value(),
      "__kernel void k(__global int *a) {\n  a[0]=1;  // one\n  int x;\n  x = 9;  // two\n  a[2]=3;  // three\n}\n");
}

TEST(LiftEdges, OneDeclaratorOfSeveralIsReplacedAlone) {
  const auto unit = lifted("void f() {\n  int i = 0 , *p = &i , j=2;\n}\n");
  const auto variables = ir::find_all(unit.root, Kind::Variable);
  ASSERT_EQ(variables.size(), 3U);
  auto changed = unit;
  changed.root = ir::replace(unit.root, variables[2], ir::variable(ir::int_type(), "k", ir::int_literal(7)));
  EXPECT_EQ(ir::print(changed).value(), "void f() {\n  int i = 0 , *p = &i , k = 7;\n}\n");
}

}  // namespace
}  // namespace hone::source
