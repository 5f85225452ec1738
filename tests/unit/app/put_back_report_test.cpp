#include "app/put_back_report.hpp"

#include <gtest/gtest.h>

namespace hone::app {
namespace {

TEST(PutBackReport, SaysThatTheApplicationWasNotRunAndWhatToType) {
  report::Run run;
  put_into(run, {}, {"app", "scale", ""});
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("the application itself was not run"), std::string::npos);
  EXPECT_NE(run.notes[0].find("hone optimize app --kernel scale --validate"), std::string::npos);
}

TEST(PutBackReport, SaysNothingOfTheKindWhereItWasValidated) {
  report::Run run;
  PutBack put;
  put.validation.emplace();
  put_into(run, put, {"app", "scale", ""});
  for (const auto& note : run.notes) EXPECT_EQ(note.find("was not run"), std::string::npos) << note;
}

TEST(Doubts, NameWorkloadsThatAreCopiesOfTheTuneOne) {
  Mep mep;
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{8}}}, {}},
                   {"held-out", Role::HeldOut, {{"n", std::int64_t{8}}}, {}},
                   {"awkward", Role::Awkward, {{"n", std::int64_t{7}}}, {}}};
  ASSERT_EQ(doubts_about(mep, "").size(), 1U);
  EXPECT_EQ(doubts_about(mep, "")[0],
            "no other size than tune was tried: held-out has its sizes, the contract allows no others");
  mep.workloads[1].scalars["n"] = std::int64_t{6};
  EXPECT_TRUE(doubts_about(mep, "").empty());
}

TEST(Doubts, NameTheRulesThatAPersonPutInThePlaceOfOurs) {
  Mep mep;
  mep.check.tolerance = 0.01;
  const auto doubts = doubts_about(mep, "python3 near.py");
  ASSERT_EQ(doubts.size(), 2U);
  EXPECT_NE(doubts[0].find("0.01"), std::string::npos);
  EXPECT_NE(doubts[1].find("python3 near.py"), std::string::npos);
}

}  // namespace
}  // namespace hone::app
