#include <gtest/gtest.h>

#include <cstring>

#include "interpreter/run.hpp"
#include "source/lift.hpp"

namespace hone::interpreter {
namespace {

ir::Unit lifted(const std::string& text) { return source::ClangLifter().lift(text, ir::Dialect::OpenCL).value(); }

std::vector<int> ints(const Bytes& bytes) {
  std::vector<int> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

const Geometry kEight = {{8, 1, 1}, {4, 1, 1}};

TEST(Interpreter, ReducesInLocalMemoryAcrossBarriers) {
  const auto unit = lifted(R"(
__kernel void sum(__global int *out, __local int *tmp) {
  int l = get_local_id(0);
  tmp[l] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 2; s > 0; s /= 2) {
    if (l < s) tmp[l] += tmp[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = tmp[0];
})");
  Bytes out(8);
  const auto finding = run(unit, "sum", {&out, LocalBytes{16}}, kEight);
  ASSERT_FALSE(finding) << finding->sentence;
  EXPECT_EQ(ints(out), (std::vector<int>{0 + 1 + 2 + 3, 4 + 5 + 6 + 7}));
}

TEST(Interpreter, WrapsUnsignedAndConvertsAsCDoes) {
  const auto unit = lifted(R"(
__kernel void k(__global int *out) {
  uint a = 3u - 5u;
  uchar b = 300;
  int c = -7 / 2, d = -7 % 2;
  float4 v = (float4)(1.0f, 2.0f, 3.5f, 4.0f);
  v.yw = v.xz * 2.0f;
  out[0] = a > 10u; out[1] = b; out[2] = c * 10 + d; out[3] = (int)(v.y + v.w);
  out[4] = as_int(1.0f); out[5] = (1 << 4) | 3; out[6] = 0; out[7] = -1 >> 1;
  for (int i = 0;; i++) { if (i == 3) continue; if (i > 5) break; out[6] += i; }
})");
  Bytes out(32);
  ASSERT_FALSE(run(unit, "k", {&out}, {}));
  EXPECT_EQ(ints(out), (std::vector<int>{1, 44, -31, 9, 0x3f800000, 19, 12, -1}));
}

}  // namespace
}  // namespace hone::interpreter
