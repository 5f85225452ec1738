// `fold`: kernels that work in groups, before and after, on the interpreter, which tells races and reads of what nobody
// wrote. Group sizes that no vector divides and sizes larger than what there is room for are among them.
#include <gtest/gtest.h>

#include <cstring>

#include "interpreter/run.hpp"
#include "lifted_kernel.hpp"

namespace hone::rules {
namespace {

using interpreter::Bytes;
using interpreter::Geometry;

Bytes numbers(std::size_t count) {
  Bytes bytes(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = 0.25F * static_cast<float>((i * 37) % 23) - 1.5F;
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

/// (a, o, n) and, where the kernel takes it, local memory for two floats a work-item.
Result<Bytes> answer(const ir::Unit& unit, const std::string& kernel, int n, const Geometry& range) {
  auto a = numbers(4096), o = numbers(4096);
  std::vector<interpreter::Argument> arguments = {&a, &o, std::int64_t{n}};
  if (ir::parameters_of(ir::find_function(unit, kernel)).size() > 3)
    arguments.emplace_back(interpreter::LocalBytes{8 * range.local[0] * range.local[1]});
  if (const auto finding = interpreter::run(unit, kernel, arguments, range)) return fail("E-RUN", finding->sentence);
  return o;
}

/// Folds the kernel at every width and holds its answers against the original's. Says how many widths could be done.
int expect_kept(const std::string& text, const std::vector<Geometry>& ranges, const std::vector<int>& sizes,
                std::size_t dimensions = 1, long long local = 16, const std::vector<std::string>& options = {}) {
  auto lifted = lift_kernel(text, {dimensions, local});
  lifted.mep.options = options;
  int done = 0;
  for (const std::string width : {"1", "4", "16"}) {
    const auto variant = replay(lifted, schedule_from_lines({"fold " + width}), {});
    if (!variant) {
      EXPECT_EQ(variant.error().code(), "E-DECLINED") << variant.error().text();
      EXPECT_NE(width, "1") << variant.error().text();
      continue;
    }
    ++done;
    EXPECT_TRUE(variant->launches.empty());
    const auto after = *source::ClangLifter().lift(variant->source, ir::Dialect::OpenCL);
    for (const auto& range : ranges)
      for (const int n : sizes) {
        const auto expected = answer(lifted.unit, lifted.kernel, n, range);
        EXPECT_TRUE(expected) << expected.error().text();
        const auto got = answer(after, lifted.kernel, n, range);
        EXPECT_TRUE(got) << "width " << width << ": " << got.error().text() << "\n" << variant->source;
        if (!expected || !got) return done;
        EXPECT_EQ(*got, *expected) << "width " << width << ", n = " << n << ", groups of " << range.local[0] << "\n"
                                   << variant->source;
        if (*got != *expected) return done;
      }
  }
  return done;
}

const std::vector<Geometry> rows = {{{64, 1, 1}, {16, 1, 1}},
                                    {{64, 1, 1}, {32, 1, 1}},
                                    {{33, 1, 1}, {11, 1, 1}},
                                    {{6, 1, 1}, {2, 1, 1}},
                                    {{5, 1, 1}, {1, 1, 1}}};
const std::vector<int> lengths = {1, 7, 16, 50};

const std::string strided = R"(inline float twice(const float x) { return x / (1.0f + x * x); }
__kernel void k(__global const float* a, __global float* o, const int n) {
  const size_t row = get_group_id(0);
  __global const float* in = a + row * n;
  __global float* out = o + row * n;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[i] = twice(in[i]) * in[i];
}
)";

TEST(Fold, TakesTheTurnsOfAStridedLoopTogether) {
  EXPECT_EQ(expect_kept(strided, rows, lengths), 3);
  const auto text = rewritten(lift_kernel(strided, {1, 16}), {"fold 16"});
  EXPECT_TRUE(has(text, "if (get_local_id(0) != 0)")) << text;
  EXPECT_TRUE(has(text, "vload16(0, in + ") && has(text, "vstore16(") && !has(text, "else")) << text;
}

TEST(Fold, BringsVectorAccessAlongWhereTheBuildMayHaveNone) {
  EXPECT_EQ(expect_kept(strided, rows, lengths, 1, 16, {"-cl-std=CL2.0"}), 3);
  auto lifted = lift_kernel(
      "__kernel void k(__global const float* a, __global float* o) {\n  __local float x[16];\n"
      "  x[get_local_id(0)] = a[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  o[get_global_id(0)] = x[get_local_id(0)] + x[0];\n}\n",
      {1, 16});
  EXPECT_TRUE(has(rewritten(lifted, {"fold 4"}), "vload4"));
  lifted.mep.options = {"-cl-std=CL2.0"};
  const auto text = rewritten(lifted, {"fold 4"});
  const auto kernel = text.substr(std::min(text.find("__kernel"), text.size()));
  EXPECT_FALSE(has(kernel, "vload") || has(kernel, "vstore") || has(text, "E-")) << text;
  EXPECT_TRUE(has(kernel, "store_local_float4(load_float4(")) << text;
}

const std::string helpers = R"(float bent(float x) {
  if (x > 0.5f) return x * x;
  return x - 1.0f;
}
void put(__local float* to, float x) {
  *to = bent(x) + 0.5f;
  to[0] += 1.0f;
}
__kernel void k(__global const float* a, __global float* o, int n) {
  __local float x[32];
  const int lid = get_local_id(0);
  put(&x[lid], a[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) < n) o[get_global_id(0)] = bent(x[lid]) + x[get_local_size(0) - 1 - lid];
}
)";

TEST(Fold, TakesHelpersWithSeveralReturnsAndWithStoresOntoVectors) {
  EXPECT_EQ(expect_kept(helpers, rows, lengths), 3);
  const auto text = rewritten(lift_kernel(helpers, {1, 16}), {"fold 4"});
  EXPECT_TRUE(has(text, "vstore4(")) << text;
  const auto kernel = text.substr(text.find("__kernel"));
  EXPECT_FALSE(has(kernel, "put(") || has(kernel, "bent(")) << kernel;
}

const std::string rms = R"(__kernel void k(__global float* a, __global float* o, const int n) {
  __local float partial[32];
  const int item = get_local_id(0);
  const size_t row = (size_t)get_group_id(0) * n;
  float squares = 0.0f;
  for (int i = item; i < n; i += (int)get_local_size(0)) {
    const float x = a[row + i] + o[row + i];
    o[row + i] = x;
    squares += x * x;
  }
  partial[item] = squares;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = 16; reach > 0; reach /= 2) {
    if (item < reach && item + reach < (int)get_local_size(0)) partial[item] += partial[item + reach];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1.0f / (partial[0] / n + 0.5f);
  for (int i = item; i < n; i += (int)get_local_size(0)) a[row + i] = o[row + i] * scale;
  for (int i = item; i < n; i += (int)get_local_size(0)) o[row + i] = o[row + i] * scale;
}
)";

TEST(Fold, KeepsTheOrderOfSumsOverLocalMemory) { EXPECT_EQ(expect_kept(rms, rows, lengths), 3); }

TEST(Fold, KnowsWhatItHoldsItselfFromLocalMemoryWhereItBringsVectorAccess) {
  EXPECT_EQ(expect_kept(rms, rows, lengths, 1, 16, {"-cl-std=CL2.0"}), 3);
  auto lifted = lift_kernel(rms, {1, 16});
  lifted.mep.options = {"-cl-std=CL2.0"};
  const auto text = rewritten(lifted, {"fold 4"});
  EXPECT_TRUE(has(text, "store_local_float4(vload4(0, squares_of + ")) << text;
  EXPECT_FALSE(has(text, "load_local_float4(squares_of")) << text;
}

const std::string softmax = R"(__kernel void k(__global const float* a, __global float* o, int n, __local float* x) {
  const unsigned int row = get_group_id(0);
  const unsigned int lid = get_local_id(0), size = get_local_size(0);
  __global const float* in = a + row * n;
  __global float* out = o + row * n;
  unsigned int c, s;
  float m = -100.0f;
  for (c = lid; c < n; c += size) m = fmax(m, in[c]);
  x[lid] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (s = size / 2; s > 0; s >>= 1) {
    if (lid < s) x[lid] = fmax(x[lid], x[lid + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  m = x[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (c = lid; c < n; c += size) {
    float e = (in[c] - m) * 0.5f;
    out[c] = e;
    sum += e;
  }
  x[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (s = size / 2; s > 0; s >>= 1) {
    if (lid < s) x[lid] += x[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = x[0];
  for (c = lid; c < n; c += size) out[c] = c < n - 1 ? out[c] / (sum + 40.0f) : 0.0f;
}
)";

TEST(Fold, HoldsWhatLivesAcrossABarrierForEachWorkItem) {
  EXPECT_EQ(expect_kept(softmax, rows, lengths), 3);
  const auto text = rewritten(lift_kernel(softmax, {1, 16}), {"fold 4"});
  EXPECT_TRUE(has(text, "float m_of[256]") && has(text, "get_local_size(0) <= 256")) << text;
}

TEST(Fold, RunsTheOriginalWhereThereIsNoRoomForTheGroup) {
  EXPECT_EQ(expect_kept(softmax, {{{512, 1, 1}, {512, 1, 1}}, {{256, 1, 1}, {256, 1, 1}}}, {600}), 3);
}

TEST(Fold, NeedsNoOtherBranchWhereTheKernelSaysItsGroups) {
  auto text = softmax;
  text.replace(text.find("__kernel"), 8, "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))");
  EXPECT_EQ(expect_kept(text, {{{64, 1, 1}, {16, 1, 1}}}, lengths), 3);
  const auto folded = rewritten(lift_kernel(text, {1, 16}), {"fold 4"});
  EXPECT_TRUE(has(folded, "m_of[16]") && !has(folded, "<= 16")) << folded;
}

TEST(Fold, KeepsAScanWhoseLoopWaitsTwice) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, int n, __local float* x) {
  uint gid = get_global_id(0);
  uint lid = get_local_id(0);
  uint size = get_local_size(0);
  float value = gid < n ? a[gid] : 0;
  x[lid] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint offset = 1; offset < size; offset *= 2) {
    float add = lid >= offset ? x[lid - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[lid] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (gid < n) o[gid] = x[lid] - value;
  if (lid == size - 1) o[2048 + get_group_id(0)] = x[lid];
}
)",
                        rows, lengths),
            3);
}

TEST(Fold, KeepsSharedCountersAndWhatTheyDecide) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, int n, __local float* x) {
  const unsigned int items = get_local_size(0);
  const unsigned int item = get_local_id(0);
  const unsigned int group = get_group_id(0);
  x[item] = a[group * items + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  unsigned int active = items / 2;
  for (unsigned int level = 2; level <= 4; level++) {
    float l = 0.0f, r = 0.0f;
    if (item < active) {
      l = x[2 * item];
      r = x[2 * item + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active) x[item] = l - r;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (active == 1) break;
    active /= 2;
  }
  if (item == 0) o[group] = x[0];
  o[1024 + get_global_id(0)] = x[item] + n;
}
)",
                        rows, {3}),
            3);
}

TEST(Fold, LoopsOverEveryDimensionOfTheGroup) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, int n, __local float* x) {
  const int i = get_local_id(0), j = get_local_id(1);
  const int wide = get_local_size(0), high = get_local_size(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int t = 0; t < 3; t++) {
    const int from = t * wide + i;
    x[j * wide + i] = a[row * n + from];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < wide; k++) sum += x[j * wide + k] * (float)(k + t);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (column < n && row < n) o[row * n + column] = sum + (float)high;
}
)",
                        {{{8, 4, 1}, {4, 2, 1}}, {{32, 3, 1}, {16, 3, 1}}, {{9, 2, 1}, {3, 1, 1}}}, {5, 32}, 2, 4),
            3);
}

TEST(Fold, KeepsPrivateArraysAndEarlyEndsOfWholeGroups) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, int n, __local float* x) {
  const int lid = get_local_id(0);
  const int at = get_global_id(0);
  if (get_group_id(0) * get_local_size(0) >= n) return;
  float mine[3] = {1.0f, 2.0f};
  for (int k = 0; k < 3; k++) mine[k] += a[at + k];
  x[lid] = mine[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  mine[1] += x[(lid + 1) % get_local_size(0)];
  int odd = lid & 1;
  if (odd) mine[2] = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 3; k++) o[3 * at + k] = mine[k] + (float)odd;
}
)",
                        rows, {1, 20, 64}),
            3);
}

TEST(Fold, TakesASignedStartBelowZeroForWhatItIs) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, uint n, __local float* x) {
  const int lid = get_local_id(0);
  const int before = lid - 1;
  x[lid] = a[lid];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (before < n) o[get_global_id(0)] = x[before];
}
)",
                        rows, {1, 7, 40}),
            3);
}

void expect_declined(const std::string& body, const std::string& why) {
  const auto text = rewritten(
      lift_kernel("__kernel void k(__global float* a, __global float* o, int n, __local float* x) {\n  int lid = "
                  "get_local_id(0);\n" +
                      body + "\n}\n",
                  {1, 16}),
      {"fold 4"});
  EXPECT_TRUE(has(text, "E-DECLINED") && has(text, why)) << text;
}

TEST(Fold, DeclinesWhereWorkItemsMayPartWaysAroundABarrier) {
  expect_declined("if (lid > n) return;\n x[lid] = 1;\n barrier(CLK_LOCAL_MEM_FENCE);\n o[lid] = x[0];",
                  "a barrier stands under a condition that may differ");
  expect_declined("for (int k = 0; k < lid; k++) { x[lid] = k; barrier(CLK_LOCAL_MEM_FENCE); }",
                  "a barrier stands under a condition that may differ");
  expect_declined("int turn = a[lid] > 0; while (turn < 3) { barrier(CLK_LOCAL_MEM_FENCE); turn++; }",
                  "a barrier stands under a condition that may differ");
}

TEST(Fold, DeclinesWhatTheGroupDoesTogetherAndPointersOfEachItsOwn) {
  expect_declined("__global float* p = a + lid; if (n > 1) p = o; barrier(CLK_LOCAL_MEM_FENCE); p[0] = 1;",
                  "lives across a barrier");
  expect_declined("event_t e = async_work_group_copy(x, a, n, 0); wait_group_events(1, &e); o[lid] = x[lid];",
                  "together");
}

TEST(Fold, GivesEachWorkItemWhatItsAtomicReturns) {
  EXPECT_EQ(expect_kept(R"(__kernel void k(__global const float* a, __global float* o, int n) {
  __local int next;
  const int lid = get_local_id(0);
  if (lid == 0) next = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int place = atomic_inc(&next);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_group_id(0) * get_local_size(0) + place] = 1.0f;
}
)",
                        rows, {1}),
            3);
}

TEST(Fold, StandsWhereWorkItemsAreTakenTogetherBeforeItAndNotAfter) {
  const auto lifted = lift_kernel(strided, {1, 16});
  EXPECT_TRUE(has(rewritten(lifted, {"fold 4", "merge 0 2"}), "E-ORDER"));
  EXPECT_TRUE(has(rewritten(lifted, {"keep", "fold 4"}), "vload4("));
  EXPECT_TRUE(has(rewritten(lifted, {"fold 4", "keep"}), "vload4("));
  EXPECT_TRUE(has(rewritten(lifted, {"fold 3"}), "no vector of 3 lanes"));
}

}  // namespace
}  // namespace hone::rules
