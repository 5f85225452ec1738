// What is compiled once and run in several processes. Only PoCL keeps anything that travels; elsewhere these are
// skipped.

#include "worker/compiled_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/start_worker.hpp"
#include "support/worker_session.hpp"

namespace hone::worker {
namespace {

constexpr Milliseconds kLimit{60'000};
constexpr auto kOne = "kernel void put(global int* a) { a[get_global_id(0)] = 1; }";
constexpr auto kTwo = "kernel void put(global int* a) { a[get_global_id(0)] = 2; }";

WorkerOptions plain() {
  WorkerOptions out;
  out.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  return out;
}

class CompiledOnce : public testing::Test {
 protected:
  void SetUp() override {
    auto started = WorkerSessions(plain()).start();
    HONE_SESSION_OR_SKIP(started);
    if (!(*started)->device().driver.starts_with("Portable Computing Language")) GTEST_SKIP() << "not PoCL";
    programs_ = std::make_shared<CompiledPrograms>(plain());
    programs_->begin();
  }

  CompiledForm form_of(const std::string& source) {
    auto outcome = programs_->of(source, {}, kLimit);
    auto* form = outcome ? std::get_if<CompiledForm>(&*outcome) : nullptr;
    EXPECT_NE(form, nullptr);
    return form == nullptr ? CompiledForm() : std::move(*form);
  }

  /// The number that the kernel puts into its buffer.
  static int put_by(DeviceSession& session, const std::string& source) {
    const auto built = session.build(source, {});
    if (!std::holds_alternative<hone::Built>(built)) return -1;
    BufferData buffer{.name = "a", .type = "int", .count = 4, .fill = "zero", .contents = {}};
    session.load({buffer}, {});
    const auto ran = session.run(std::get<hone::Built>(built).id, {{"put", {buffer_of("a")}, {4}, {4}, {}}}, {"a"});
    if (!std::holds_alternative<hone::Ran>(ran)) return -2;
    return std::get<hone::Ran>(ran).outputs.at("a").front();
  }

  std::unique_ptr<DeviceSession> sharing() {
    auto shared = plain();
    shared.compiled = programs_;
    auto started = WorkerSessions(shared).start();
    return started ? std::move(*started) : nullptr;
  }

  std::shared_ptr<CompiledPrograms> programs_;
};

TEST_F(CompiledOnce, SessionsThatShareItRunEachTheirOwnProgram) {
  for (const auto& [source, number] : {std::pair(kOne, 1), std::pair(kTwo, 2)}) {
    const auto session = sharing();
    ASSERT_NE(session, nullptr);
    EXPECT_EQ(put_by(*session, source), number);
  }
}

TEST_F(CompiledOnce, WhatASessionIsGivenIsWhatItRuns) {
  // The compiled text of one program under the name of another: nobody compiled that in the session.
  auto given = form_of(kOne);
  const auto two = form_of(kTwo);
  ASSERT_EQ(given.size(), 1U);
  ASSERT_EQ(two.size(), 1U);
  ASSERT_NE(given.begin()->first, two.begin()->first);
  given.begin()->second = two.begin()->second;
  auto connection = Connection::open(plain().command, {});
  ASSERT_TRUE(connection);
  connection->ask(Hello{}, kLimit);
  const auto provided = connection->ask(Provide{given}, kLimit);
  ASSERT_TRUE(std::holds_alternative<Provided>(std::get<Answer>(provided)));
  connection->ask(worker::Build{kOne, {}}, kLimit);
  BufferData buffer{.name = "a", .type = "int", .count = 4, .fill = "zero", .contents = {}};
  connection->ask(worker::Load{{buffer}, {}}, kLimit);
  const auto asked =
      connection->ask(worker::Run{source_hash(kOne, {}), {{"put", {buffer_of("a")}, {4}, {4}, {}}}, {"a"}}, kLimit);
  const auto* ran = std::get_if<hone::Ran>(&std::get<Answer>(asked));
  ASSERT_NE(ran, nullptr);
  EXPECT_EQ(ran->outputs.at("a").front(), 2);
}

TEST_F(CompiledOnce, WhatDoesNotCompileIsSaidWithTheCompilersWords) {
  const auto outcome = programs_->of("kernel void put(global int* a) { a[0] = nothing; }", {}, kLimit);
  ASSERT_TRUE(outcome);
  const auto* refused = std::get_if<hone::NotBuilt>(&*outcome);
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->log.find("nothing"), std::string::npos) << refused->log;
}

TEST_F(CompiledOnce, SeveralAreCompiledAtOnce) {
  const auto forms = programs_->of({{kOne, {}, {}}, {kTwo, {}, {}}, {"this is no kernel", {}, {}}}, kLimit);
  EXPECT_EQ(forms.size(), 2U);
  EXPECT_TRUE(std::ranges::all_of(forms, [](const auto& file) { return !file.second.empty(); }));
}

TEST(CompiledNowhere, WithoutACompilerEachSessionCompilesForItself) {
  auto broken = plain();
  broken.command = {"/bin/false"};
  CompiledPrograms programs(broken);
  programs.begin();
  EXPECT_FALSE(programs.of(kOne, {}, kLimit));
  EXPECT_FALSE(programs.of(kTwo, {}, kLimit));
}

}  // namespace
}  // namespace hone::worker
