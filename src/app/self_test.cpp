#include "app/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/text.hpp"
#include "embedded/hone_app.hpp"

namespace hone::app {
namespace {

constexpr std::size_t kCount = 4096, kGroup = 64;
constexpr Milliseconds kPatience{20'000}, kHanging{1'500};

/// A step that did not end as it should; its words are the step's problem.
struct Unlike {
  std::string words;
};

template <class T>
ArgumentValue scalar(const T& value) {
  ArgumentValue out;
  out.bytes.resize(sizeof value);
  std::memcpy(out.bytes.data(), &value, sizeof value);
  return out;
}
ArgumentValue buffer(std::string name) { return {ArgumentSpec::Kind::Buffer, std::move(name), {}, 0}; }

template <class T>
BufferData holding(std::string name, const char* type, const std::vector<T>& values) {
  BufferData out;
  out.name = std::move(name);
  out.type = type;
  out.count = values.size();
  out.contents.resize(values.size() * sizeof(T));
  std::memcpy(out.contents.data(), values.data(), out.contents.size());
  return out;
}

template <class T>
std::vector<T> values_of(const Ran& ran, const std::string& name) {
  const auto found = ran.outputs.find(name);
  if (found == ran.outputs.end()) throw Unlike{name + " did not come back"};
  std::vector<T> out(found->second.size() / sizeof(T));
  std::memcpy(out.data(), found->second.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
void same(const std::vector<T>& got, const std::vector<T>& wanted) {
  if (got.size() != wanted.size()) throw Unlike{fmt::format("{} values for {}", got.size(), wanted.size())};
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != wanted[i]) throw Unlike{fmt::format("[{}] is {}, and should be {}", i, got[i], wanted[i])};
}

std::vector<int> counted(std::size_t count) {
  std::vector<int> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<int>(i * 7 % 1001);
  return out;
}

class Steps {
 public:
  Steps(worker::WorkerOptions options, std::unique_ptr<DeviceSession> session)
      : options_(std::move(options)), session_(std::move(session)) {
    test_.device = session_->device();
    cuda_ = !test_.device.id.starts_with("opencl");
    source_ = std::string(cuda_ ? embedded::selftest_kernels_cu : embedded::selftest_kernels_cl);
  }

  SelfTest run() {
    step("a source builds", [this] { return builds(); });
    step("a wrong source is refused with the compiler's words", [this] { return refuses_source(); });
    step("several sources at once", [this] { return builds_all(); });
    step("numbers and buffers reach a kernel", [this] { return scales(); });
    step("local memory and a barrier", [this] { return reverses(); });
    step("atomic counting", [this] { return counts(); });
    step("two dimensions", [this] { return plane(); });
    step("several launches in order, from restored inputs", [this] { return repeats(); });
    step("contents as hashes", [this] { return hashes(); });
    step("a write outside of a buffer is seen", [this] { return strays(); });
    step("sizes that do not fit are refused by name", [this] { return refuses_sizes(); });
    step("times of passes, by the device and by this clock", [this] { return times(); });
    step("a kernel that hangs costs its worker and no more", [this] { return hangs(); });
    return std::move(test_);
  }

 private:
  void step(std::string name, const std::function<std::string()>& what) {
    SelfTestStep done{std::move(name), {}, {}};
    try {
      if (!session_) start();
      done.note = what();
    } catch (const Unlike& unlike) {
      done.problem = unlike.words;
    }
    test_.steps.push_back(std::move(done));
  }

  void start() {
    auto started = worker::WorkerSessions(options_).start();
    if (!started) throw Unlike{"no worker: " + started.error().message()};
    session_ = std::move(*started);
    id_.clear();
  }

  /// Of an outcome: the alternative that was hoped for.
  template <class Wanted, class Outcome>
  Wanted got(Outcome outcome) {
    if (auto* wanted = std::get_if<Wanted>(&outcome)) return std::move(*wanted);
    if (const auto* lost = std::get_if<WorkerLost>(&outcome)) {
      session_.reset();
      throw Unlike{"the worker was lost: " + lost->reason};
    }
    if constexpr (std::is_constructible_v<Outcome, NotBuilt>)
      if (const auto* log = std::get_if<NotBuilt>(&outcome)) throw Unlike{"does not build: " + log->log.substr(0, 300)};
    if constexpr (std::is_constructible_v<Outcome, NotLaunched>)
      if (const auto* why = std::get_if<NotLaunched>(&outcome)) throw Unlike{"refused: " + why->reason};
    throw Unlike{"another answer than was asked for"};
  }

  const std::string& id() {
    if (id_.empty()) id_ = got<Built>(session_->build(source_, {})).id;
    return id_;
  }
  ConcreteLaunch launch(std::string kernel, std::vector<ArgumentValue> arguments, std::size_t count = kCount) const {
    return {std::move(kernel), std::move(arguments), {count}, {kGroup}, {}};
  }
  Ran ran(const std::vector<ConcreteLaunch>& launches, const std::vector<std::string>& wanted) {
    auto out = got<Ran>(session_->run(id(), launches, wanted));
    if (!out.broken_guards.empty()) throw Unlike{"guards broken around " + join(out.broken_guards, ", ")};
    return out;
  }
  void load(const std::vector<BufferData>& buffers) { got<std::monostate>(session_->load(buffers, {})); }

  std::string builds() {
    const auto built = got<Built>(session_->build(source_, {}));
    id_ = built.id;
    if (built.source_hash != source_hash(source_, {})) throw Unlike{"another text was built than was sent"};
    const auto named = [&](const char* name) {
      return std::ranges::find(built.kernels, name, &KernelResources::kernel);
    };
    if (named("scale") == built.kernels.end() || named("reverse") == built.kernels.end())
      throw Unlike{"kernels are missing in the answer"};
    std::vector<std::string> words;
    for (const auto& [name, number] : named("reverse")->numbers) words.push_back(fmt::format("{} {}", name, number));
    return fmt::format("{:.0f} ms; reverse: {}", built.took.count(), join(words, ", "));
  }
  std::string refuses_source() {
    const auto outcome = session_->build(source_ + "\nint f( { return nonsense; }\n", {});
    const auto refused = got<NotBuilt>(outcome);
    if (refused.log.empty()) throw Unlike{"no words of the compiler"};
    return {};
  }
  std::string builds_all() {
    const auto all = session_->build_all({{source_, {"-DA=1"}, {}}, {source_, {"-DA=2"}, {}}});
    for (const auto& one : all) got<Built>(one);
    return {};
  }
  std::string scales() {
    std::vector<float> x(kCount), wanted(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      x[i] = static_cast<float>(i) * 0.25F;
      wanted[i] = 1.5F * x[i];
    }
    auto y = holding<float>("y", "float", std::vector<float>(kCount));
    y.poison = true;
    load({holding("x", "float", x), y});
    same(values_of<float>(ran({launch("scale", {buffer("x"), buffer("y"), scalar(1.5F), scalar<int>(kCount)})}, {"y"}),
                          "y"),
         wanted);
    return {};
  }
  std::string reverses() {
    const auto x = counted(kCount);
    auto wanted = x;
    for (std::size_t i = 0; i < kCount; i += kGroup)
      std::reverse(wanted.begin() + static_cast<std::ptrdiff_t>(i),
                   wanted.begin() + static_cast<std::ptrdiff_t>(i + kGroup));
    load({holding("x", "int", x), holding("y", "int", std::vector<int>(kCount))});
    const ArgumentValue part{ArgumentSpec::Kind::Local, {}, {}, kGroup * sizeof(int)};
    same(values_of<int>(ran({launch("reverse", {buffer("x"), buffer("y"), part})}, {"y"}), "y"), wanted);
    return {};
  }
  std::string counts() {
    const auto x = counted(kCount);
    load({holding("x", "int", x), holding("count", "int", std::vector<int>(1))});
    const auto even = static_cast<int>(std::ranges::count_if(x, [](int value) { return value % 2 == 0; }));
    same(values_of<int>(ran({launch("count_even", {buffer("x"), buffer("count"), scalar<int>(kCount)})}, {"count"}),
                        "count"),
         {even});
    return {};
  }
  std::string plane() {
    constexpr std::size_t kWidth = 48, kHeight = 20, kBlock = 4;
    load({holding("y", "int", std::vector<int>(kWidth * kHeight))});
    std::vector<int> wanted(kWidth * kHeight);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = static_cast<int>(1000 * (i / kWidth / kBlock) + i % kWidth / kBlock);
    const ConcreteLaunch made{"plane", {buffer("y"), scalar<int>(kWidth)}, {kWidth, kHeight}, {kBlock, kBlock}, {}};
    same(values_of<int>(ran({made}, {"y"}), "y"), wanted);
    return {};
  }
  std::string repeats() {
    const auto y = counted(kCount);
    load({holding("y", "int", y)});
    auto wanted = y;
    for (auto& value : wanted) value += 3;
    const auto one = launch("add_one", {buffer("y")});
    for (int pass = 0; pass < 2; ++pass) same(values_of<int>(ran({one, one, one}, {"y"}), "y"), wanted);
    const auto read = got<Ran>(session_->read({"y"}));
    same(values_of<int>(read, "y"), wanted);
    return {};
  }
  std::string hashes() {
    const auto y = holding("y", "int", counted(kCount));
    load({y});
    const auto told = got<Ran>(session_->hashes({"y"}));
    const auto found = told.hashes.find("y");
    if (found == told.hashes.end() || found->second != hash_of_bytes(y.contents)) throw Unlike{"another hash"};
    return {};
  }
  std::string strays() {
    load({holding("y", "int", std::vector<int>(kCount))});
    const ConcreteLaunch out{"stray", {buffer("y"), scalar<int>(kCount)}, {4}, {4}, {}};
    const auto outcome = session_->run(id(), {out}, {"y"});
    if (const auto* lost = std::get_if<WorkerLost>(&outcome)) {  // a device that checks addresses itself
      const auto words = "the device ended it: " + lost->reason.substr(0, 120);
      session_.reset();
      return words;
    }
    if (got<Ran>(outcome).broken_guards != std::vector<std::string>{"y"}) throw Unlike{"nobody noticed"};
    return "by its guard zone";
  }
  std::string refuses_sizes() {
    load({holding("y", "int", std::vector<int>(kCount))});
    auto wrong = launch("add_one", {buffer("y")});
    wrong.local = {std::size_t{1} << 20U};
    wrong.global = wrong.local;
    return got<NotLaunched>(session_->run(id(), {wrong}, {"y"})).reason.substr(0, 100);
  }
  std::string times() {
    constexpr std::size_t kLarge = std::size_t{1} << 20U, kRuns = 8;
    load({holding("x", "float", std::vector<float>(kLarge, 1.0F)), holding("y", "float", std::vector<float>(kLarge))});
    const auto made = launch("scale", {buffer("x"), buffer("y"), scalar(2.0F), scalar<int>(kLarge)}, kLarge);
    const auto taken = got<TimesTaken>(session_->time(id(), {made}, kRuns, false, {"y"}));
    if (taken.span.size() != kRuns) throw Unlike{fmt::format("{} times for {} runs", taken.span.size(), kRuns)};
    if (taken.output_hashes.size() != kRuns) throw Unlike{"no hashes of what timed passes left"};
    auto sorted = taken.span;
    std::ranges::sort(sorted);
    if (sorted.front().count() <= 0) throw Unlike{"a pass that took no time"};
    Nanoseconds all{0};
    for (const auto& one : sorted) all += one;
    if (all > taken.wall) throw Unlike{"passes took longer together than the whole request by this clock"};
    return fmt::format("median of {} passes over 8 MiB: {:.1f} us, fastest {:.1f} us", kRuns,
                       sorted[kRuns / 2].count() * 1e-3, sorted.front().count() * 1e-3);
  }
  std::string hangs() {
    load({holding("y", "int", std::vector<int>(kGroup))});
    id();
    session_->limit(kHanging);
    const auto outcome = session_->run(id_, {{"endless", {buffer("y")}, {1}, {1}, {}}}, {"y"});
    const auto* lost = std::get_if<WorkerLost>(&outcome);
    session_.reset();
    if (lost == nullptr) throw Unlike{"it came to an end"};
    start();
    session_->limit(kPatience);
    load({holding("y", "int", counted(kCount))});
    auto wanted = counted(kCount);
    for (auto& value : wanted) value += 1;
    same(values_of<int>(ran({launch("add_one", {buffer("y")})}, {"y"}), "y"), wanted);
    return "ended after 1.5 s, and the next worker answers";
  }

  worker::WorkerOptions options_;
  std::unique_ptr<DeviceSession> session_;
  SelfTest test_;
  std::string source_, id_;
  bool cuda_ = false;
};

}  // namespace

bool SelfTest::passed() const {
  return std::ranges::all_of(steps, [](const SelfTestStep& step) { return step.problem.empty(); });
}

Result<SelfTest> self_test(const DeviceChoice& choice, const std::string& device) {
  auto options = choice.options();
  options.device = device;
  options.limit = kPatience;
  auto session = worker::WorkerSessions(options).start();
  if (!session) return fail(std::move(session).error());
  return Steps(std::move(options), std::move(*session)).run();
}

std::string in_words(const SelfTest& test) {
  std::string out = fmt::format("self-test of {}: {} ({}, driver {})\n", test.device.id, test.device.name,
                                test.device.kind, test.device.driver);
  for (const auto& step : test.steps) {
    out += fmt::format("  {:<6} {}\n", step.problem.empty() ? "ok" : "FAILED", step.name);
    const auto& more = step.problem.empty() ? step.note : step.problem;
    if (!more.empty()) out += fmt::format("         {}\n", more);
  }
  const auto good = std::ranges::count_if(test.steps, [](const SelfTestStep& step) { return step.problem.empty(); });
  return out + fmt::format("  {} of {} as they should be\n", good, test.steps.size());
}

}  // namespace hone::app
