#include "patch/engagement.hpp"

#include <gtest/gtest.h>

#include "patch/changed_kernels.hpp"

namespace hone::patch {
namespace {

const std::string old_text = "__kernel void scale(__global float* a) { a[get_global_id(0)] *= 2; }";
const std::string new_text =
    "__kernel void scale(__global float* a) {\n  // two at once\n  vstore2(vload2(0, a) * 2, 0, a);\n}";

LaunchShape halved() {
  return {"scale", {*Expression::parse("ceil_div(launch.global[0], 2)")}, {*Expression::parse("16")}};
}
Shipped shipped() { return {{{"scale", old_text}}, {{"scale", new_text}}, {halved()}}; }

Recording recorded(const std::string& text, std::vector<RecordedLaunch> launches) {
  Recording out;
  out.watched = out.loaded = true;
  out.sources["p"] = "#define N 4\n" + text + "\n";
  out.launches = std::move(launches);
  return out;
}
const Recording before = recorded(old_text, {{"scale", "p", {100}, {}}, {"scale", "p", {64}, {}}});

TEST(Engagement, IsShownByTheShippedTextAndTheClaimedSizes) {
  const auto seen = engagement_of(shipped(), before, recorded(new_text, {{"scale", "p", {64}, {16}}}));
  EXPECT_TRUE(seen.shown) << seen.words;
  EXPECT_EQ(seen.launches, 1U);
  EXPECT_EQ(seen.words,
            "the application built the shipped scale and launched it 1 time as claimed (64 in groups of 16)");
}

TEST(Engagement, LayoutAndCommentsOfTheTextDoNotCount) {
  auto text = new_text;
  text.replace(text.find("  // two at once\n"), 17, "");
  EXPECT_TRUE(engagement_of(shipped(), before, recorded(text, {{"scale", "p", {32}, {16}}})).shown);
}

TEST(Engagement, IsNotShownByAProgramThatStillHasTheOldText) {
  const auto seen = engagement_of(shipped(), before, recorded(old_text, {{"scale", "p", {64}, {16}}}));
  EXPECT_FALSE(seen.shown);
  EXPECT_EQ(seen.words, "scale: the application still launched the text from before the patch");
}

TEST(Engagement, IsNotShownByAnotherGeometry) {
  const auto seen = engagement_of(shipped(), before, recorded(new_text, {{"scale", "p", {100}, {}}}));
  EXPECT_FALSE(seen.shown);
  EXPECT_EQ(seen.words, "scale: it was launched with 100, and 32 in groups of 16, 64 in groups of 16 was claimed");
}

TEST(Engagement, IsNotShownWhereNothingWasSeen) {
  EXPECT_FALSE(engagement_of(shipped(), before, recorded(new_text, {})).shown);
  auto binary = recorded(new_text, {{"scale", "", {64}, {16}}});
  EXPECT_EQ(engagement_of(shipped(), before, binary).words,
            "scale: the application took its program from a stored binary, not from source");
  Recording not_watched;
  not_watched.why_not = "no layer";
  EXPECT_EQ(engagement_of(shipped(), not_watched, not_watched).words, "no layer");
  Recording not_loaded;
  not_loaded.watched = true;
  EXPECT_NE(engagement_of(shipped(), not_loaded, not_loaded).words.find("loaded"), std::string::npos);
}

TEST(Engagement, OtherProgramsMayLaunchAKernelOfThatNameAsTheyLike) {
  auto after = recorded(new_text, {{"scale", "p", {64}, {16}}, {"scale", "q", {7}, {}}});
  after.sources["q"] = "__kernel void scale(__global int* b) { b[0] = 1; }";
  EXPECT_TRUE(engagement_of(shipped(), before, after).shown);
}

TEST(ChangedKernels, AreThoseWhoseTextIsAnother) {
  const std::string same = "\n__kernel void other(__global int* b) { b[0] = 1; }";
  auto after = recorded(new_text + same, {{"scale", "p", {50}, {}}, {"other", "p", {1}, {}}});
  const auto seen =
      changed_kernels(recorded(old_text + same, {{"scale", "p", {100}, {}}, {"other", "p", {2}, {}}}), after);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].kernel, "scale");
  EXPECT_TRUE(seen[0].other_sizes);
}

}  // namespace
}  // namespace hone::patch
