#include <gtest/gtest.h>

#include "core/language.hpp"
#include "core/origin.hpp"
#include "core/verdict.hpp"

namespace hone {
namespace {

TEST(Origin, WhatIsWrittenReadsBackTheSame) {
  const Origin origin{{{{0, 10}, "a.cpp", {5, 15}, Embedding::RawString, "k"}},
                      {{"k", "a.cpp", {20, 30}, {{21, 22}}, {"n"}, {}, true, "main"}},
                      {{"a.cpp", "00"}}};
  const auto again = origin_from_json(to_json(origin));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, origin);
}

TEST(Origin, BrokenTextIsAnErrorNotACrash) {
  EXPECT_FALSE(origin_from_json("{"));
  EXPECT_FALSE(origin_from_json("{\"format\": 2}"));
}

TEST(Timing, TrimmedMeanDropsBothEnds) {
  std::vector<Nanoseconds> samples;
  for (const double t : {1000.0, 2.0, 4.0, 3.0, 0.0}) samples.emplace_back(t);
  EXPECT_EQ(trimmed_mean(samples, 1).count(), 3.0);
  EXPECT_EQ(median(samples).count(), 3.0);
}

TEST(Verdict, KnowsItsNameReasonAndDefence) {
  const Verdict wrong = WrongOutput{"awkward-size", "C[3]"};
  EXPECT_EQ(name_of(wrong), "WrongOutput");
  EXPECT_EQ(reason_of(wrong), "C[3]");
  EXPECT_EQ(defence_of(wrong), "awkward-size");
  EXPECT_EQ(reason_of(Verdict(Timed{})), "");
}

TEST(ElementType, ThreeLanesTakeTheSpaceOfFour) {
  EXPECT_EQ(element_type("float3")->bytes(), 16U);
  EXPECT_EQ(element_type("uchar4")->bytes(), 4U);
  EXPECT_EQ(element_type("size_t")->bytes(), 8U);
  EXPECT_FALSE(element_type("float5"));
  EXPECT_FALSE(element_type("thing"));
}

}  // namespace
}  // namespace hone
