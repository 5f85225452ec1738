#include "ir/print.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"

namespace hone::ir {
namespace {

std::string opencl(const NodePtr& node) { return force_print(node, Dialect::OpenCL).value(); }

NodePtr scale_kernel() {
  Type elements = in_space(float_type(), AddressSpace::Global);
  Type pointer = pointer_to(elements);
  pointer.is_restrict = true;
  const auto i = name("i", int_type());
  const auto a = name("a", pointer);
  return function(scalar_type(Scalar::Void), "scale", {parameter(pointer, "a"), parameter(int_type(), "n")},
                  block({declare(int_type(), "i", thread_index(Thread::GlobalId, 0)),
                         if_then_else(binary("<", i, name("n", int_type())),
                                      assign_statement(index(a, i), literal("2.0f", float_type()), "*="))}),
                  {"kernel"});
}

Unit unit_of(NodePtr function) {
  Unit unit;
  auto root = std::make_shared<Node>();
  root->kind = Kind::Unit;
  root->children = {std::move(function)};
  unit.root = root;
  return unit;
}

TEST(Print, ParenthesesAppearOnlyWhereTheTreeNeedsThem) {
  const auto a = name("a", int_type());
  const auto b = name("b", int_type());
  EXPECT_EQ(opencl(binary("*", binary("+", a, b), b)), "(a + b) * b");
  EXPECT_EQ(opencl(binary("+", binary("*", a, b), b)), "a * b + b");
  EXPECT_EQ(opencl(binary("-", a, binary("-", b, a))), "a - (b - a)");
  EXPECT_EQ(opencl(unary("-", unary("-", a))), "- -a");
  EXPECT_EQ(opencl(member(unary("*", name("p", pointer_to(named_type(Scalar::Struct, "S")))), "x")), "p->x");
}

TEST(Print, DeclarationsReadAsCWritesThem) {
  const auto text = [](const Type& type, const char* name) {
    return print_declaration(type, name, Dialect::OpenCL).value();
  };
  EXPECT_EQ(text(array_of(in_space(float_type(), AddressSpace::Local), {16, 17}), "tile"),
            "__local float tile[16][17]");
  EXPECT_EQ(text(array_of(pointer_to(float_type()), {3}), "rows"), "float *rows[3]");
  EXPECT_EQ(text(pointer_to(array_of(float_type(), {3})), "row"), "float (*row)[3]");
}

TEST(Print, AKernelIsWrittenInEachDialect) {
  const auto unit = unit_of(scale_kernel());
  EXPECT_EQ(print(unit, Dialect::OpenCL).value(),
            "__kernel void scale(__global float *restrict a, int n) {\n  int i = get_global_id(0);\n  if (i < n)\n"
            "    a[i] *= 2.0f;\n}\n\n");
  EXPECT_EQ(print(unit, Dialect::Cuda).value(),
            "extern \"C\" __global__ void scale(float *__restrict__ a, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n)\n    a[i] *= 2.0f;\n}\n\n");
}

TEST(Print, WhatHasNoCounterpartIsRefusedByName) {
  const auto vector = name("v", scalar_type(Scalar::Float, 4));
  const auto unit =
      unit_of(function(scalar_type(Scalar::Void), "f", {}, block({expression_statement(call("read_imagef", {}))})));
  const auto text = print(unit, Dialect::Cuda);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), "E-DIALECT");
  EXPECT_NE(text.error().message().find("read_imagef"), std::string::npos);
  const auto sum = print(
      unit_of(function(scalar_type(Scalar::Void), "f", {}, block({expression_statement(binary("+", vector, vector))}))),
      Dialect::Cuda);
  EXPECT_FALSE(sum);
}

TEST(Print, AnElseStaysWithItsIf) {
  const auto c = name("c", int_type());
  const auto inner = if_then_else(c, simple(Kind::Break));
  EXPECT_EQ(opencl(if_then_else(c, inner, simple(Kind::Continue))),
            "if (c) {\n  if (c)\n    break;\n}\nelse\n  continue;");
}

}  // namespace
}  // namespace hone::ir
