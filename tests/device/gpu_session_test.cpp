// Everything a worker can be asked, on a GPU of either vendor; and what is told when something breaks.

#include "device/gpu_requests.hpp"

namespace hone {
namespace {

TEST_F(Gpu, TheDeviceIsListedWithItsLimitsAndSaysWhatItIs) {
  const auto& device = session_->device();
  EXPECT_EQ(device.id, kVendor.device + ":0");
  EXPECT_EQ(device.kind, "gpu");
  EXPECT_TRUE(says(device.name, "emulator")) << device.name;
  EXPECT_EQ(std::get<std::int64_t>(device.facts.at("max_work_group_size")), 1024);
  EXPECT_EQ(std::get<std::string>(device.facts.at("architecture")), kVendor.architecture);
  auto options = gpu_options();
  options.device.clear();
  const auto inventory = worker::take_inventory(options);
  ASSERT_TRUE(inventory) << inventory.error().text();
  bool listed = false;
  for (const auto& one : inventory->devices) listed = listed || one.id == device.id;
  EXPECT_TRUE(listed);
}

TEST_F(Gpu, ABuildTellsTheResourcesOfItsKernels) {
  const auto outcome = session_->build(
      "extern \"C\" __global__ void a(int* x) { __shared__ int s[32]; s[threadIdx.x] = *x; __syncthreads(); *x = s[0]; "
      "}"
      "__global__ void b(float y, double z) {}",
      {});
  ASSERT_TRUE(std::holds_alternative<Built>(outcome)) << std::get<NotBuilt>(outcome).log;
  const auto& kernels = std::get<Built>(outcome).kernels;
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "a");
  EXPECT_EQ(kernels[0].numbers.at("local_bytes"), 128);
  EXPECT_EQ(kernels[0].numbers.at("arguments"), 1);
  EXPECT_EQ(kernels[1].kernel, "b") << "names are those of the source, not of the object file";
  EXPECT_EQ(kernels[1].numbers.at("arguments"), 2);
}

TEST_F(Gpu, ABuildErrorComesWithItsLog) {
  const auto outcome = session_->build("__global__ void k(float* a) { a[0] = nonsense; }", {});
  ASSERT_TRUE(std::holds_alternative<NotBuilt>(outcome));
  EXPECT_TRUE(says(std::get<NotBuilt>(outcome).log, "nonsense")) << std::get<NotBuilt>(outcome).log;
  EXPECT_TRUE(says(std::get<NotBuilt>(outcome).log, kVendor.device == "hip" ? "kernel.hip(1)" : "kernel.cu(1)"));
}

TEST_F(Gpu, OptionsAndHeadersOfTheHostReachTheCompiler) {
  const auto id = build(
      "#include <cstdint>\n#include <stdio.h>\n#include <cuda_runtime.h>\n#include <float.h>\n#include <math.h>\n"
      "extern \"C\" __global__ void k(int32_t* a) { a[0] = N + (FLT_MAX > 1) + (M_PI > 3); }",
      {"-DN=40"});
  load({data_of("a", "int", std::vector<int>{0})});
  EXPECT_EQ(values_of<int>(run(id, {{"k", {buffer_of("a")}, {1}, {1}, {}}}, {"a"}).outputs.at("a"))[0], 42);
}

TEST_F(Gpu, StructsAndVectorsArriveByValue) {
  struct alignas(8) Pair {
    char c;
    float b;
    double d;
  };
  const auto id = build(
      "struct Pair { char c; float b; double d; };"
      "extern \"C\" __global__ void k(float* out, Pair p, float4 v, double2 w) {"
      "  out[0] = p.c; out[1] = p.b; out[2] = p.d; out[3] = v.w; out[4] = w.y; }");
  load({data_of("out", "float", std::vector<float>(5))});
  auto pair = scalar_of(Pair{3, 2.5F, 7.25});
  pair.kind = ArgumentSpec::Kind::Struct;
  const auto ran = run(
      id,
      {{"k",
        {buffer_of("out"), pair, scalar_of(std::array<float, 4>{1, 2, 3, 4}), scalar_of(std::array<double, 2>{5, 6})},
        {1},
        {1},
        {}}},
      {"out"});
  EXPECT_EQ(values_of<float>(ran.outputs.at("out")), (std::vector<float>{3, 2.5F, 7.25F, 4, 6}));
}

TEST_F(Gpu, TemplatesAreLaunchedByTheirInstance) {
  const auto id = build("template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = T(N) / 2; }");
  load({data_of("f", "float", std::vector<float>(2)), data_of("i", "int", std::vector<int>(2))});
  const auto ran =
      run(id, {{"fill<float, 5>", {buffer_of("f")}, {2}, {2}, {}}, {"fill<int,5>", {buffer_of("i")}, {2}, {2}, {}}},
          {"f", "i"});
  EXPECT_EQ(values_of<float>(ran.outputs.at("f")), (std::vector<float>{2.5F, 2.5F}));
  EXPECT_EQ(values_of<int>(ran.outputs.at("i")), (std::vector<int>{2, 2}));
}

TEST_F(Gpu, KernelsInNamespacesAreFoundByEitherName) {
  const auto id = build("namespace a { namespace b { __global__ void k(int* x) { *x += 1; } } }");
  load({data_of("x", "int", std::vector<int>{0})});
  EXPECT_EQ(values_of<int>(
                run(id, {{"a::b::k", {buffer_of("x")}, {1}, {1}, {}}, {"k", {buffer_of("x")}, {1}, {1}, {}}}, {"x"})
                    .outputs.at("x"))[0],
            2);
}

TEST_F(Gpu, VariablesOfTheModuleAreFilledAndReadBack) {
  const auto id = build(
      "__constant__ float filter[4]; __device__ int count; namespace n { __device__ float scale = 2; }"
      "extern \"C\" __global__ void k(float* out) { int t = threadIdx.x; out[t] = filter[t] * n::scale; "
      "atomicAdd(&count, t); }");
  load({data_of("out", "float", std::vector<float>(4)), data_of("filter", "float", std::vector<float>{1, 2, 3, 4}),
        data_of("count", "int", std::vector<int>{100})});
  const ConcreteLaunch launch{"k", {buffer_of("out"), buffer_of("filter"), buffer_of("count")}, {4}, {4}, {}};
  for (int again = 0; again < 2; ++again) {  // every run begins with what was loaded
    const auto ran = run(id, {launch}, {"out", "count"});
    EXPECT_EQ(values_of<float>(ran.outputs.at("out")), (std::vector<float>{2, 4, 6, 8}));
    EXPECT_EQ(values_of<int>(ran.outputs.at("count"))[0], 106);
  }
}

TEST_F(Gpu, WhatAKernelPrintsIsKeptApartFromTheProtocol) {
  const auto id = build(
      "extern \"C\" __global__ void k(int* a) { printf(\"HONE%d %s %.2f %lld|\", a[0], \"x\", 1.5, 1ll << 40); a[0] = "
      "2; }");
  load({data_of("a", "int", std::vector<int>{41})});
  const auto ran = run(id, {{"k", {buffer_of("a")}, {1}, {1}, {}}}, {"a"});
  EXPECT_EQ(ran.printed, "HONE41 x 1.50 1099511627776|");
  EXPECT_EQ(values_of<int>(ran.outputs.at("a"))[0], 2);
}

TEST_F(Gpu, WritingOutsideABufferBreaksItsGuards) {
  const auto id = build("extern \"C\" __global__ void k(float* a, float* b) { a[8] = 1; b[0] = 1; }");
  load({data_of("a", "float", std::vector<float>(8)), data_of("b", "float", std::vector<float>(8))});
  EXPECT_EQ(run(id, {{"k", {buffer_of("a"), buffer_of("b")}, {1}, {1}, {}}}, {}).broken_guards,
            std::vector<std::string>{"a"});
}

TEST_F(Gpu, EveryRunStartsFromRestoredContents) {
  const auto id = build("extern \"C\" __global__ void k(int* a) { a[threadIdx.x] += 1; }");
  load({data_of("a", "int", std::vector<int>{0, 1, 2, 3})});
  const std::vector<ConcreteLaunch> once = {{"k", {buffer_of("a")}, {4}, {4}, {}}};
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(values_of<int>(run(id, once, {"a"}).outputs.at("a")), (std::vector<int>{1, 2, 3, 4}));
  ASSERT_TRUE(std::holds_alternative<TimesTaken>(session_->time(id, once, 5, false, {})));
  EXPECT_EQ(values_of<int>(std::get<Ran>(session_->read({"a"})).outputs.at("a")), (std::vector<int>{7, 8, 9, 10}));
}

TEST_F(Gpu, TimesComeFromEventsAndWithTheHashOfWhatWasBuilt) {
  const auto id = build(kScale);
  load({data_of("in", "float", std::vector<float>(64, 1)), data_of("out", "float", std::vector<float>(64))});
  const ConcreteLaunch launch{
      "scale", {buffer_of("in"), buffer_of("out"), scalar_of(2.0F), scalar_of(64)}, {64}, {32}, {}};
  const auto outcome = session_->time(id, {launch, launch}, 4, true, {"out"});
  ASSERT_TRUE(std::holds_alternative<TimesTaken>(outcome));
  const auto& times = std::get<TimesTaken>(outcome);
  EXPECT_EQ(times.source_hash, source_hash(kScale, {}));
  ASSERT_EQ(times.span.size(), 4U);
  EXPECT_EQ(times.output_hashes.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(times.busy[i], Nanoseconds(0));
    EXPECT_GE(times.span[i] + Nanoseconds(1000), times.busy[i]);
  }
}

TEST_F(Gpu, ManyBuildsAtOnceComeBackInOrder) {
  std::vector<DeviceSession::BuildRequest> requests;
  for (int i = 0; i < 2; ++i)
    requests.push_back({"__global__ void k" + std::to_string(i) + "(int* a) { a[0] = 1; }", {}, {}});
  requests.push_back({"nonsense", {}, {}});
  const auto outcomes = session_->build_all(requests);
  ASSERT_EQ(outcomes.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(std::get<Built>(outcomes[i]).kernels.at(0).kernel, "k" + std::to_string(i));
  EXPECT_TRUE(std::holds_alternative<NotBuilt>(outcomes[2]));
}

TEST_F(Gpu, LaunchesThatCannotBeAreRefusedWithTheReason) {
  const auto id = build(kScale);
  load({data_of("in", "float", std::vector<float>(8)), data_of("out", "float", std::vector<float>(8))});
  const std::vector<ArgumentValue> good = {buffer_of("in"), buffer_of("out"), scalar_of(1.0F), scalar_of(8)};
  EXPECT_TRUE(says(refused(id, {"other", good, {8}, {8}, {}}), "no kernel other"));
  EXPECT_TRUE(says(refused(id, {"scale", {buffer_of("in")}, {8}, {8}, {}}), "takes 4 arguments, 1"));
  EXPECT_TRUE(
      says(refused(id, {"scale", {buffer_of("in"), buffer_of("x"), scalar_of(1.0F), scalar_of(8)}, {8}, {8}, {}}),
           "no buffer x"));
  EXPECT_TRUE(says(refused(id, {"scale", good, {8}, {3}, {}}), "no multiple"));
  EXPECT_TRUE(
      says(refused(id, {"scale", {buffer_of("in"), buffer_of("out"), scalar_of(1.0), scalar_of(8)}, {8}, {8}, {}}),
           "argument 2 has 4 bytes, 8"));
  EXPECT_TRUE(says(refused(id, {"scale", good, {2048}, {2048}, {}}), "2048 threads in a block"));
  EXPECT_TRUE(says(refused(id, {"scale", good, {8}, {8}, {4}}), "no offset"));
  auto too_much = good;
  too_much.push_back(shared_of(200000));
  EXPECT_TRUE(says(refused(id, {"scale", too_much, {8}, {8}, {}}), "200000 bytes of dynamic shared memory"));
  EXPECT_EQ(refused(id, {"scale", good, {8}, {8}, {}}), "was not refused") << "none of them cost the worker";
}

TEST_F(Gpu, AnIllegalAddressCostsTheWorkerAndSaysSo) {
  const auto id = build("extern \"C\" __global__ void k(int* a, size_t far) { a[far] = 1; }");
  load({data_of("a", "int", std::vector<int>{0})});
  const auto gone = lost(id, {"k", {buffer_of("a"), scalar_of(std::uint64_t{1} << 40U)}, {1}, {1}, {}});
  EXPECT_EQ(gone.cause, WorkerLost::Cause::Crashed);
  EXPECT_TRUE(says(gone.reason, kVendor.illegal_address)) << gone.reason;
  start();
  EXPECT_FALSE(build(kScale).empty()) << "and another one starts";
}

TEST_F(Gpu, AHangCostsTheWorkerAndIsCalledTimedOut) {
  const auto id = build("extern \"C\" __global__ void k(volatile int* a) { while (a[0] == 0) {} }");
  load({data_of("a", "int", std::vector<int>{0})});
  session_->limit(Milliseconds(1500));
  EXPECT_EQ(lost(id, {"k", {buffer_of("a")}, {1}, {1}, {}}).cause, WorkerLost::Cause::TimedOut);
}

TEST_F(Gpu, TooMuchDataIsRefusedByTheDevicesWords) {
  auto options = gpu_options();
  options.environment["CUDA_EMULATOR_MEMORY"] = "1000000";
  auto small = worker::WorkerSessions(options).start();
  ASSERT_TRUE(small) << small.error().text();
  const auto outcome = (*small)->load({data_of("big", "float", std::vector<float>(1 << 20))}, {});
  ASSERT_TRUE(std::holds_alternative<NotLaunched>(outcome));
  EXPECT_TRUE(says(std::get<NotLaunched>(outcome).reason, "making buffer big: " + kVendor.out_of_memory));
  EXPECT_TRUE(
      std::holds_alternative<std::monostate>((*small)->load({data_of("a", "float", std::vector<float>(8))}, {})))
      << "it goes on with less";
}

TEST_F(Gpu, TexturesAreRefusedByName) {
  const auto outcome = session_->load({}, {{"picture", "RGBA", "float", 4, 4, "zero", 1}});
  ASSERT_TRUE(std::holds_alternative<NotLaunched>(outcome));
  EXPECT_TRUE(
      says(std::get<NotLaunched>(outcome).reason, "textures are not served on " + kVendor.word + " devices: picture"));
}

}  // namespace
}  // namespace hone
