#include "affine/polynomial.hpp"

#include <gtest/gtest.h>

#include "affine/prover.hpp"

namespace hone::affine {
namespace {

Polynomial sym(const char* name) { return Polynomial::symbol(name); }

TEST(Polynomial, ProductsPrintAsPeopleWriteThem) {
  EXPECT_EQ((sym("i") * sym("n") + sym("k") - Polynomial(1)).print(), "i * n + k - 1");
  EXPECT_EQ(Polynomial().print(), "0");
}

TEST(Polynomial, EqualSumsAreEqualWhateverTheirOrder) {
  EXPECT_EQ((sym("a") + sym("b")) * (sym("a") - sym("b")), sym("a") * sym("a") - sym("b") * sym("b"));
}

TEST(Polynomial, TheCoefficientOfASquaredSymbolIsNotKnown) {
  EXPECT_EQ((sym("n") * sym("i")).coefficient("i"), sym("n"));
  EXPECT_EQ((sym("i") * sym("i")).coefficient("i"), std::nullopt);
}

TEST(Prover, GuardsImplyWhatTheyBound) {
  const Constraints facts = {sym("n") - Polynomial(1) - sym("i"), sym("i") - Polynomial(1)};
  EXPECT_TRUE(follows(facts, sym("n") - Polynomial(2)));
  EXPECT_FALSE(follows(facts, sym("n") - Polynomial(3)));
}

TEST(Prover, ProductsAreUnknownsNotErrors) {
  const Constraints facts = {sym("m") * sym("n") - sym("q")};
  EXPECT_TRUE(follows(facts, sym("m") * sym("n") - sym("q") + Polynomial(1)));
  EXPECT_FALSE(follows(facts, sym("m") - sym("q")));
}

}  // namespace
}  // namespace hone::affine
