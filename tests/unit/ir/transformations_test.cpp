#include "ir/transformations.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"

namespace hone::ir {
namespace {

NodePtr node(Kind kind, std::string text, Nodes children = {}, Type type = {}) {
  auto out = std::make_shared<Node>();
  out->kind = kind;
  out->text = std::move(text);
  out->children = std::move(children);
  out->type = std::move(type);
  return out;
}

Unit unit_of(Nodes statements) {
  Unit unit;
  unit.root = node(Kind::Unit, "", {node(Kind::Function, "k", {node(Kind::Block, "", std::move(statements))})});
  return unit;
}

NodePtr loop(NodePtr body) {
  const auto none = node(Kind::Empty, "");
  return node(Kind::For, "", {none, none, none, std::move(body)});
}

TEST(Transformations, AreWhatTheOriginalDoesNotHave) {
  const auto original = unit_of({loop(node(Kind::Block, ""))});
  auto local = array_of(float_type(), {16});
  local.space = AddressSpace::Local;
  const auto rewritten =
      unit_of({node(Kind::Declare, "", {node(Kind::Variable, "tile", {}, local)}), node(Kind::Barrier, "local"),
               loop(loop(node(Kind::Block, ""))),
               node(Kind::Declare, "", {node(Kind::Variable, "v", {}, scalar_type(Scalar::Float, 4))})});
  const auto found = transformations(original, rewritten);
  EXPECT_EQ(found, (std::set<std::string>{"barriers", "local memory", "loops nested deeper", "more loops", "vectors"}));
}

TEST(Transformations, OfTheOriginalItselfAreNone) {
  const auto original = unit_of({loop(node(Kind::Block, "")), node(Kind::Barrier, "local")});
  EXPECT_TRUE(transformations(original, original).empty());
}

}  // namespace
}  // namespace hone::ir
