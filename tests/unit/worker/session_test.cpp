// A real worker process on a real device: every test here starts build/<preset>/bin/hone-worker.

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "inputs/contents.hpp"
#include "support/start_worker.hpp"
#include "support/worker_session.hpp"
#include "worker/client.hpp"

namespace hone::worker {
namespace {

WorkerOptions options() {
  WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  return options;
}

BufferData data(std::string name, std::string type, std::size_t count, std::string fill, bool poison = false) {
  return {.name = std::move(name),
          .type = std::move(type),
          .count = count,
          .fill = std::move(fill),
          .seed = 7,
          .poison = poison,
          .contents = {}};
}

class Session : public WorkerSession<Session> {
 public:
  static void start() {
    auto started = WorkerSessions(options()).start();
    HONE_SESSION_OR_SKIP(started);
    session_ = std::move(*started);
  }
};

constexpr auto kScale =
    "kernel void scale(global const float* in, global float* out, float by) {"
    "  size_t i = get_global_id(0); out[i] = by * in[i]; }";

/// A command that starts the worker after having been killed `times` times.
WorkerOptions killed_at_first(int times) {
  const auto marks = std::filesystem::temp_directory_path() / ("hone-killed-" + std::to_string(::getpid()));
  std::filesystem::remove(marks);
  auto out = options();
  const auto script = "echo >> " + marks.string() + "; [ $(wc -l < " + marks.string() + ") -gt " +
                      std::to_string(times) + " ] || kill -9 $$; rm " + marks.string() + "; exec " +
                      out.command.front();
  out.command = {"/bin/sh", "-c", script};
  return out;
}

TEST(Starting, AWorkerThatIsKilledWhileItStartsIsStartedAgain) {
  const auto third = WorkerSessions(killed_at_first(2)).start();
  EXPECT_TRUE(third) << third.error().text();
  const auto never = WorkerSessions(killed_at_first(9)).start();
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().code(), "E-WORKER");
  (void)killed_at_first(0);  // takes its marks away
}

/// Of a process and those it started, by the processors each thread may use.
void add_allowed(const std::filesystem::path& process, std::multiset<std::string>& allowed) {
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator(process / "task", gone)) {
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("Cpus_allowed_list:")) allowed.emplace(trim(line.substr(18)));
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) add_allowed("/proc/" + child, allowed);
  }
}

TEST_F(Session, KeepsTheThreadsOfAProcessorOnCoresOfTheirOwn) {
  cpu_set_t ours;
  ASSERT_EQ(::sched_getaffinity(0, sizeof ours, &ours), 0);
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&ours));
  if (session_->device().kind != "cpu" ||
      session_->device().driver.find("Portable Computing Language") == std::string::npos)
    GTEST_SKIP() << "only PoCL can be told";
  if (std::getenv("POCL_AFFINITY") != nullptr || cores != std::thread::hardware_concurrency() || cores < 2)
    GTEST_SKIP() << "not all cores are ours";
  std::multiset<std::string> allowed;
  add_allowed("/proc/self", allowed);
  for (std::size_t core = 0; core < cores; ++core)
    EXPECT_EQ(allowed.count(std::to_string(core)), 1U) << "threads bound to core " << core;
}

TEST_F(Session, ABufferScalesThroughAKernel) {
  const auto id = build(kScale);
  load({data("in", "float", 1000, "ramp"), data("out", "float", 1000, "zero", true)});
  const auto ran =
      run(id, {{"scale", {buffer_of("in"), buffer_of("out"), scalar_of(2.0F)}, {1000}, {}, {}}}, {"in", "out"});
  const auto out = values_of<float>(ran.outputs.at("out"));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2.0F * static_cast<float>(i));
  EXPECT_EQ(ran.outputs.at("in"), *inputs::contents_of(data("in", "float", 1000, "ramp")));
  EXPECT_TRUE(ran.broken_guards.empty());
  const auto hashed = session_->hashes({"in"});
  ASSERT_TRUE(std::holds_alternative<Ran>(hashed));
  EXPECT_EQ(std::get<Ran>(hashed).hashes.at("in"), hash_of_bytes(ran.outputs.at("in")));
  EXPECT_TRUE(std::get<Ran>(hashed).outputs.empty()) << "only the hash travels";
}

TEST_F(Session, OffsetsLocalMemoryStructsAndVectorsArrive) {
  const auto id = build(
      "typedef struct { int a; float b; } pair;"
      "kernel void k(global float4* out, local float4* tmp, pair p, float4 v) {"
      "  size_t l = get_local_id(0); tmp[l] = v * p.b + p.a; barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tmp[get_local_size(0) - 1 - l] + get_global_id(0); }");
  load({data("out", "float4", 16, "zero", true)});
  struct Pair {
    int a;
    float b;
  };
  auto argument = scalar_of(Pair{3, 2.0F});
  argument.kind = ArgumentSpec::Kind::Struct;
  const auto ran = run(id,
                       {{"k",
                         {buffer_of("out"), local_of(4 * 16), argument, scalar_of(std::array<float, 4>{1, 2, 3, 4})},
                         {8},
                         {4},
                         {8}}},
                       {"out"});
  const auto out = values_of<float>(ran.outputs.at("out"));
  EXPECT_EQ(out[8 * 4], 5.0F + 8);
  EXPECT_EQ(out[15 * 4 + 3], 11.0F + 15);
  EXPECT_EQ(ran.outputs.at("out")[0], 0x7B) << "what no work-item wrote still holds the poison";
}

TEST_F(Session, ImagesAndSamplersArrive) {
  if (!std::get<bool>(session_->device().facts.at("images"))) GTEST_SKIP() << "this device has no images";
  const auto id = build(
      "kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {"
      "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imagef(out, p, read_imagef(in, s, p + (int2)(1, 0))); }");
  load({}, {{"in", "RGBA", "float", 5, 3, "ramp", 1}, {"out", "RGBA", "float", 5, 3, "zero", 1}});
  using Kind = ArgumentSpec::Kind;
  const auto ran = run(
      id,
      {{"k",
        {named_of(Kind::Image, "in"), named_of(Kind::Image, "out"), named_of(Kind::Sampler, "nearest clamp_to_edge")},
        {5, 3},
        {},
        {}}},
      {"out"});
  const auto out = values_of<float>(ran.outputs.at("out"));
  ASSERT_EQ(out.size(), 60U);
  EXPECT_EQ(out[0], 4.0F);
  EXPECT_EQ(out[4 * 4 + 1], 17.0F) << "the edge is clamped";
}

TEST_F(Session, ImagesOfEveryKindComeBackAsTheyAreWritten) {
  if (!std::get<bool>(session_->device().facts.at("images"))) GTEST_SKIP() << "this device has no images";
  const auto id = build(
      "kernel void k(read_only image3d_t in, global float* out) {"
      "  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
      "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
      "  out[p.x + 4 * (p.y + 3 * p.z)] = read_imagef(in, s, p).x; }");
  using Kind = ArgumentSpec::Kind;
  const ImageData image{"in", "RGBA", "float", 4, 3, "ramp", 1, "3d", 2};
  load({{"out", "float", 24, "zero", 1, false, {}}}, {image});
  const auto ran = run(id, {{"k", {named_of(Kind::Image, "in"), buffer_of("out")}, {4, 3, 2}, {}, {}}}, {"out", "in"});
  ASSERT_EQ(ran.outputs.at("out").size(), 96U);
  float last = 0;
  std::memcpy(&last, ran.outputs.at("out").data() + 92, sizeof last);
  EXPECT_EQ(last, 92.0F);  // four channels a pixel
  EXPECT_EQ(ran.outputs.at("in").size(), 24U * 16U);
}

TEST_F(Session, AWatchedBufferTellsReadsOutsideOfIt) {
  if (session_->device().kind != "cpu") GTEST_SKIP() << "only a device in this process can be watched";
  const auto id = build(
      "kernel void k(global const float* in, global float* out, int by) {"
      "  int i = get_global_id(0); out[i] = in[i + by]; }");
  BufferData in{"in", "float", 1024, "ramp", 1, false, {}};
  in.watched = std::size_t{1} << 20U;
  load({in, {"out", "float", 1024, "zero", 1, false, {}}});
  const auto by = [](int n) {
    ArgumentValue value;
    value.bytes.resize(sizeof n);
    std::memcpy(value.bytes.data(), &n, sizeof n);
    return value;
  };
  const auto strayed = [&](int n) {
    return run(id, {{"k", {buffer_of("in"), buffer_of("out"), by(n)}, {1024}, {}, {}}}, {"out"}).strayed;
  };
  EXPECT_TRUE(strayed(0).empty());
  const auto after = strayed(100000);
  ASSERT_TRUE(after.contains("in"));
  EXPECT_GE(after.at("in").after, 400000U);
  EXPECT_EQ(after.at("in").before, 0U);
  const auto before = strayed(-3000);
  ASSERT_TRUE(before.contains("in"));
  EXPECT_GE(before.at("in").before, 12000U);
  EXPECT_TRUE(strayed(0).empty()) << "restoring forgets";
}

TEST_F(Session, WritingOutsideABufferBreaksItsGuards) {
  const auto id = build("kernel void k(global float* a, global float* b) { a[get_global_size(0)] = 1; b[0] = 1; }");
  load({data("a", "float", 8, "zero"), data("b", "float", 8, "zero")});
  EXPECT_EQ(run(id, {{"k", {buffer_of("a"), buffer_of("b")}, {8}, {}, {}}}, {}).broken_guards,
            std::vector<std::string>{"a"});
}

TEST_F(Session, EveryRunStartsFromRestoredContents) {
  const auto id = build("kernel void k(global int* a) { a[get_global_id(0)] += 1; }");
  load({data("a", "int", 4, "ramp")});
  const std::vector<ConcreteLaunch> once = {{"k", {buffer_of("a")}, {4}, {}, {}}};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(values_of<int>(run(id, once, {"a"}).outputs.at("a")), (std::vector<int>{1, 2, 3, 4}));
  ASSERT_TRUE(std::holds_alternative<TimesTaken>(session_->time(id, once, 5, true, {})));
  EXPECT_EQ(values_of<int>(std::get<Ran>(session_->read({"a"})).outputs.at("a")), (std::vector<int>{1, 2, 3, 4}));
  ASSERT_TRUE(std::holds_alternative<TimesTaken>(session_->time(id, once, 5, false, {})));
  EXPECT_EQ(values_of<int>(std::get<Ran>(session_->read({"a"})).outputs.at("a")), (std::vector<int>{7, 8, 9, 10}));
}

TEST_F(Session, WhatIsOnlyReadIsMadeAgainWhereAKernelWroteIt) {
  const auto spoil = build("kernel void spoil(global float* in) { in[get_global_id(0)] = 5; }");
  const auto id = build(kScale);
  auto in = data("in", "float", 64, "ramp");
  in.only_read = true;
  const std::vector<BufferData> buffers = {in, data("out", "float", 64, "zero")};
  const ConcreteLaunch spoils{"spoil", {buffer_of("in")}, {64}, {}, {}};
  const ConcreteLaunch scales{"scale", {buffer_of("in"), buffer_of("out"), scalar_of(2.0F)}, {64}, {}, {}};
  load(buffers);
  run(spoil, {spoils}, {});
  const auto hash = [&] { return std::get<Ran>(session_->hashes({"in"})).hashes.at("in"); };
  const auto spoilt = hash();
  EXPECT_NE(spoilt, hash_of_bytes(*inputs::contents_of(in))) << "what a kernel did to it must be seen";
  EXPECT_EQ(values_of<float>(run(id, {scales}, {"out"}).outputs.at("out"))[3], 10) << "it is not restored";
  load(buffers);
  EXPECT_EQ(hash(), hash_of_bytes(*inputs::contents_of(in)));
  EXPECT_EQ(values_of<float>(run(id, {scales}, {"out"}).outputs.at("out"))[3], 6);
  load(buffers);  // nothing wrote it: it may stay
  EXPECT_EQ(values_of<float>(run(id, {scales}, {"out"}).outputs.at("out"))[3], 6);
}

TEST_F(Session, TimesComeWithTheHashOfWhatWasBuilt) {
  const auto id = build(kScale);
  load({data("in", "float", 64, "ramp"), data("out", "float", 64, "zero", true)});
  const ConcreteLaunch launch{"scale", {buffer_of("in"), buffer_of("out"), scalar_of(2.0F)}, {64}, {}, {}};
  const auto outcome = session_->time(id, {launch, launch}, 4, false, {});
  const auto& times = std::get<TimesTaken>(outcome);
  EXPECT_EQ(times.source_hash, source_hash(kScale, {}));
  ASSERT_EQ(times.span.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(times.span[i], times.busy[i]);
  EXPECT_GE(times.wall, std::accumulate(times.span.begin(), times.span.end(), Nanoseconds(0)));
}

TEST_F(Session, TimesOfAProcessorTellWhatEachPassRanAndWaited) {
  if (session_->device().kind != "cpu" || !std::filesystem::exists("/proc/self/schedstat"))
    GTEST_SKIP() << "no such account here";
  const auto id = build(kScale);
  load({data("in", "float", 4096, "ramp"), data("out", "float", 4096, "zero", true)});
  const auto outcome = session_->time(
      id, {{"scale", {buffer_of("in"), buffer_of("out"), scalar_of(2.0F)}, {4096}, {}, {}}}, 4, true, {});
  const auto& times = std::get<TimesTaken>(outcome);
  ASSERT_EQ(times.ran.size(), 4U);
  ASSERT_EQ(times.waited.size(), 4U);
  Nanoseconds ran{0}, waited{0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(times.ran[i], Nanoseconds(0));
    ran += times.ran[i];
    waited += times.waited[i];
  }
  EXPECT_LE(ran, times.cpu) << "the parent sees all of it";
  EXPECT_LE(waited, times.waiting);
}

TEST_F(Session, ContentsThatAreKeptAreThoseThatAreMade) {
  const auto id = build("kernel void k(global int* a) { a[get_global_id(0)] += 1; }");
  const std::vector<ConcreteLaunch> once = {{"k", {buffer_of("a")}, {4}, {}, {}}};
  for (int i = 0; i < 2; ++i) {
    load({data("a", "int", 4, "ramp")});
    EXPECT_EQ(values_of<int>(run(id, once, {"a"}).outputs.at("a")), (std::vector<int>{1, 2, 3, 4}));
    load({data("a", "int", 4, "ramp(5,1)")});
    EXPECT_EQ(values_of<int>(run(id, once, {"a"}).outputs.at("a")), (std::vector<int>{6, 7, 8, 9}));
  }
}

TEST_F(Session, WhatAKernelPrintsIsKeptApartFromTheProtocol) {
  const auto id = build("kernel void k(global int* a) { printf(\"HONE%d \", a[0]); a[0] = 2; }");
  load({data("a", "int", 1, "const(41)")});
  const auto ran = run(id, {{"k", {buffer_of("a")}, {1}, {}, {}}}, {"a"});
  EXPECT_EQ(ran.printed, "HONE41 ");
  EXPECT_EQ(values_of<int>(ran.outputs.at("a")), std::vector<int>{2});
}

TEST_F(Session, ABuildErrorComesWithItsLog) {
  const auto outcome = session_->build("kernel void k(global float* a) { a[0] = nonsense; }", {});
  ASSERT_TRUE(std::holds_alternative<NotBuilt>(outcome));
  EXPECT_NE(std::get<NotBuilt>(outcome).log.find("nonsense"), std::string::npos);
}

TEST_F(Session, LaunchesThatCannotBeAreRefusedWithTheReason) {
  const auto id = build(kScale);
  load({data("in", "float", 8, "ramp"), data("out", "float", 8, "zero")});
  const auto refused = [&](const ConcreteLaunch& launch) {
    const auto outcome = session_->run(id, {launch}, {});
    return std::holds_alternative<NotLaunched>(outcome) ? std::get<NotLaunched>(outcome).reason : "was not refused";
  };
  const std::vector<ArgumentValue> good = {buffer_of("in"), buffer_of("out"), scalar_of(1.0F)};
  EXPECT_NE(refused({"other", good, {8}, {}, {}}).find("no kernel other"), std::string::npos);
  EXPECT_NE(refused({"scale", {buffer_of("in")}, {8}, {}, {}}).find("takes 3 arguments, 1"), std::string::npos);
  EXPECT_NE(
      refused({"scale", {buffer_of("in"), buffer_of("x"), scalar_of(1.0F)}, {8}, {}, {}}).find("no buffer or image x"),
      std::string::npos);
  EXPECT_NE(refused({"scale", good, {8}, {3}, {}}).find("no multiple"), std::string::npos);
  EXPECT_NE(refused({"scale", {buffer_of("in"), buffer_of("out"), scalar_of(1.0)}, {8}, {}, {}}).find("argument 2"),
            std::string::npos);
}

TEST_F(Session, AHangCostsTheSessionAndIsCalledTimedOut) {
  const auto id = build("kernel void k(global volatile int* a) { while (a[0] == 0) {} }");
  load({data("a", "int", 1, "zero")});
  session_->limit(Milliseconds(500));
  const auto outcome = session_->run(id, {{"k", {buffer_of("a")}, {1}, {}, {}}}, {});
  ASSERT_TRUE(std::holds_alternative<WorkerLost>(outcome));
  EXPECT_EQ(std::get<WorkerLost>(outcome).cause, WorkerLost::Cause::TimedOut);
  EXPECT_TRUE(std::holds_alternative<WorkerLost>(session_->read({"a"}))) << "a lost session stays lost";
  session_.reset();
}

TEST_F(Session, ACrashCostsTheSessionAndSaysTheSignal) {
  const auto id = build("kernel void k(global int* a, ulong at) { *(volatile global int*)at = 1; }");
  load({data("a", "int", 1, "zero")});
  const auto outcome = session_->run(id, {{"k", {buffer_of("a"), scalar_of(std::uint64_t{16})}, {1}, {}, {}}}, {});
  if (!std::holds_alternative<WorkerLost>(outcome)) GTEST_SKIP() << "this device survives a wild write";
  EXPECT_EQ(std::get<WorkerLost>(outcome).cause, WorkerLost::Cause::Crashed);
  EXPECT_NE(std::get<WorkerLost>(outcome).reason.find("signal 11"), std::string::npos)
      << std::get<WorkerLost>(outcome).reason;
  start();
  EXPECT_FALSE(build(kScale).empty()) << "and another one starts";
}

TEST_F(Session, ManyBuildsAtOnceComeBackInOrder) {
  std::vector<DeviceSession::BuildRequest> requests;
  for (int i = 0; i < 5; ++i)
    requests.push_back(
        {"kernel void k" + std::to_string(i) + "(global int* a) { a[0] = " + std::to_string(i) + "; }", {}, {}});
  requests.push_back({"nonsense", {}, {}});
  const auto outcomes = session_->build_all(requests);
  ASSERT_EQ(outcomes.size(), 6U);
  for (std::size_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(std::holds_alternative<Built>(outcomes[i]));
    EXPECT_EQ(std::get<Built>(outcomes[i]).kernels.at(0).kernel, "k" + std::to_string(i));
  }
  EXPECT_TRUE(std::holds_alternative<NotBuilt>(outcomes[5]));
}

TEST(Worker, AnInventoryNamesDevicesAndASessionTakesThem) {
  const auto inventory = take_inventory(options());
  ASSERT_TRUE(inventory) << inventory.error().text();
  for (const auto& device : inventory->devices) {
    auto with = options();
    with.device = device.id;
    auto session = WorkerSessions(with).start();
    ASSERT_TRUE(session) << session.error().text();
    EXPECT_EQ((*session)->device().name, device.name);
  }
}

TEST(Worker, ADeviceThatIsNotThereIsAnErrorThatNamesIt) {
  auto with = options();
  with.device = "opencl:97:0";
  const auto session = WorkerSessions(with).start();
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code(), "E-DEVICE");
}

TEST(Worker, AProgramThatIsNoWorkerIsAnErrorNotAHang) {
  auto with = options();
  with.command = {"sh", "-c", "echo welcome to this machine; cat >/dev/null"};
  const auto session = WorkerSessions(with).start();
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().message().find("protocol"), std::string::npos) << session.error().message();
}

}  // namespace
}  // namespace hone::worker
