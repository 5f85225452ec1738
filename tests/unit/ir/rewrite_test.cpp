#include "ir/rewrite.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"
#include "ir/print.hpp"

namespace hone::ir {
namespace {

const Type kInt = int_type();

TEST(Rewrite, SubstituteStopsAtADeclarationOfTheSameName) {
  const auto x = name("x", kInt);
  const auto tree = block(
      {assign_statement(name("y", kInt), x), declare(kInt, "x", int_literal(1)), assign_statement(name("z", kInt), x)});
  const auto done = substitute(tree, {{"x", int_literal(7)}});
  EXPECT_EQ(force_print(done, Dialect::OpenCL).value(), "{\n  y = 7;\n  int x = 1;\n  z = x;\n}");
}

TEST(Rewrite, SubstituteLeavesALoopsOwnCounterAlone) {
  const auto i = name("i", kInt);
  const auto loop = counted_loop("i", i, name("n", kInt), int_literal(1), expression_statement(i));
  const auto done = substitute(loop, {{"i", int_literal(3)}, {"n", int_literal(9)}});
  EXPECT_EQ(force_print(done, Dialect::OpenCL).value(), "for (int i = i; i < 9; i++)\n  i;");
}

TEST(Rewrite, KeepsTheIdentityOfWhatItDoesNotTouch) {
  const auto keep = assign_statement(name("a", kInt), int_literal(1));
  const auto tree = block({keep, assign_statement(name("b", kInt), int_literal(2))});
  const auto done = rename(tree, {{"b", "c"}});
  EXPECT_EQ(done->children[0], keep);
  EXPECT_NE(done->children[1], tree->children[1]);
  EXPECT_EQ(rename(tree, {{"nothing", "else"}}), tree);
}

TEST(Rewrite, WrittenSeesThroughIndexingMembersAndSteps) {
  const auto a = name("a", pointer_to(float_type()));
  const auto tree = block({assign_statement(index(a, name("i", kInt)), int_literal(0)),
                           expression_statement(unary("post++", name("k", kInt)))});
  EXPECT_EQ(written(tree), (std::set<std::string>{"a", "k"}));
}

TEST(Rewrite, FreshNamesDoNotCollide) {
  std::set<std::string> taken = {"i", "i_1"};
  EXPECT_EQ(fresh_name("i", taken), "i_2");
  EXPECT_EQ(fresh_name("i", taken), "i_3");
}

}  // namespace
}  // namespace hone::ir
