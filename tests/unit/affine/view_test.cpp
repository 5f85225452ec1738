#include "affine/view.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"

namespace hone::affine {
namespace {

using namespace ir;  // NOLINT: builders read best without a prefix

Type buffer(AddressSpace space = AddressSpace::Global) { return pointer_to(in_space(float_type(), space)); }

NodePtr times(NodePtr a, NodePtr b) { return binary("*", std::move(a), std::move(b)); }
NodePtr plus(NodePtr a, NodePtr b) { return binary("+", std::move(a), std::move(b)); }
NodePtr integer(const char* text) { return name(text, int_type()); }
NodePtr floats(const char* text) { return name(text, buffer()); }

struct Gemm {
  NodePtr a = index(floats("A"), plus(times(integer("i"), integer("nk")), integer("k")));
  NodePtr b = index(floats("B"), plus(times(integer("k"), integer("nj")), integer("j")));
  NodePtr c = index(floats("C"), plus(times(integer("i"), integer("nj")), integer("j")));
  NodePtr loop =
      counted_loop("k", int_literal(0), integer("nk"), int_literal(1), block({assign_statement(c, times(a, b), "+=")}));
  Unit unit;

  Gemm() {
    const auto guard = binary("&&", binary("<", integer("i"), integer("ni")), binary("<", integer("j"), integer("nj")));
    const auto body =
        block({declare(int_type(), "j", thread_index(Thread::GlobalId, 0)),
               declare(int_type(), "i", thread_index(Thread::GlobalId, 1)), if_then_else(guard, block({loop}))});
    Nodes parameters = {parameter(buffer(), "A"), parameter(buffer(), "B"), parameter(buffer(), "C")};
    for (const char* n : {"ni", "nj", "nk"}) parameters.push_back(parameter(int_type(), n));
    auto root = std::make_shared<Node>();
    root->kind = Kind::Unit;
    root->children = {function(scalar_type(Scalar::Void), "gemm", parameters, body, {"kernel"})};
    unit.root = root;
  }
  View view() const { return analyse(unit, unit.root->children[0]); }
};

TEST(AffineView, StridesAreExpressionsOfTheScalars) {
  const Gemm gemm;
  const auto view = gemm.view();
  const auto* b = access_at(view, gemm.b);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(constant_stride(*b, work_item(0)), 1);
  EXPECT_EQ(constant_stride(*b, work_item(1)), 0);
  EXPECT_EQ(stride(*b, "k"), Polynomial::symbol("nj"));
  EXPECT_EQ(constant_stride(*access_at(view, gemm.a), "k"), 1);
  EXPECT_EQ(access_at(view, gemm.c)->direction, Direction::Update);
}

TEST(AffineView, ExtentsComeFromGuardsAndLoopBounds) {
  const auto view = Gemm().view();
  EXPECT_EQ(extent(view, "A")->size.print(), "ni * nk");
  EXPECT_EQ(extent(view, "B")->size.print(), "nj * nk");
  EXPECT_EQ(extent(view, "C")->size.print(), "ni * nj");
  EXPECT_TRUE(extent(view, "A")->from_zero);
}

TEST(AffineView, TheGuardSaysWhichScalarBoundsWhichDimension) {
  const auto sizes = guarded_size(Gemm().view());
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0]->print(), "nj");
  EXPECT_EQ(sizes[1]->print(), "ni");
}

TEST(AffineView, AnIndexIsTakenApartWhereTheInnerPartIsBounded) {
  const Gemm gemm;
  const auto view = gemm.view();
  const auto parts = delinearise(view, *access_at(view, gemm.b));
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->indices[0].print(), "k");
  EXPECT_EQ(parts->indices[1].print(), "global_id[0]");
}

TEST(AffineView, ALoopThatAddsIntoOneElementIsNotIndependent) {
  const Gemm gemm;
  const auto view = gemm.view();
  EXPECT_FALSE(iterations_independent(view, 0, [](const auto&, const auto&) { return true; }));
}

}  // namespace
}  // namespace hone::affine
