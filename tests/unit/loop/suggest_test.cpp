#include "loop/suggest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::loop {
namespace {

using affine::Polynomial;

affine::MemoryAccess access(const std::string& array, const Polynomial& index, affine::Direction direction,
                            std::vector<int> loops) {
  affine::MemoryAccess out;
  out.array = array;
  out.index = index;
  out.direction = direction;
  out.loops = std::move(loops);
  return out;
}

/// c[i*n + j] += a[i*n + k] * b[k*n + j] over k, with i along work-item 0 and j along work-item 1.
affine::View product() {
  const auto i = Polynomial::symbol(affine::work_item(0)), j = Polynomial::symbol(affine::work_item(1));
  const auto n = Polynomial::symbol("n"), k = Polynomial::symbol("k");
  affine::View view;
  view.dimensions = 2;
  affine::Loop loop;
  loop.variable = loop.symbol = "k";
  view.loops = {loop};
  view.accesses = {access("a", i * n + k, affine::Direction::Read, {0}),
                   access("b", k * n + j, affine::Direction::Read, {0}),
                   access("c", i * n + j, affine::Direction::Update, {0})};
  return view;
}

bool has(const std::vector<Suggestion>& all, SuggestionKind kind, const std::string& target) {
  return std::ranges::any_of(all, [&](const Suggestion& s) { return s.kind == kind && s.target == target; });
}

TEST(Suggest, ReadsTheAccessesOfAProduct) {
  const auto all = suggest(product(), {}, {}, 0);
  EXPECT_TRUE(has(all, SuggestionKind::Locality, "b"));
  EXPECT_TRUE(has(all, SuggestionKind::Traffic, "c"));
  EXPECT_TRUE(has(all, SuggestionKind::Coalescing, "a"));
  EXPECT_FALSE(has(all, SuggestionKind::Coalescing, "b"));
}

TEST(Suggest, WeighsTheTimeAgainstTheCeiling) {
  Profile slow, fast;
  slow.numbers["compulsory_gbytes_per_s"] = 0.1;
  fast.numbers["compulsory_gbytes_per_s"] = 9;
  EXPECT_NE(suggest({}, slow, {}, 10).at(0).sentence, suggest({}, fast, {}, 10).at(0).sentence);
  EXPECT_TRUE(suggest({}, fast, {}, 0).empty());
}

TEST(Suggest, TooFewWorkItemsForTheDeviceAreNoticed) {
  Profile profile;
  profile.numbers["work_items"] = 8;
  const DeviceInfo device{"", "", "", "", {{"compute_units", std::int64_t{64}}}};
  EXPECT_TRUE(has(suggest({}, profile, device, 0), SuggestionKind::Parallelism, "launch"));
}

TEST(Suggest, AccessPatternsNameEachStride) {
  EXPECT_EQ(access_patterns(product()).at(1),
            "b[k * n + global_id[1]] moves by 0 with work-item 0, moves by 1 with work-item 1, by n with k");
}

}  // namespace
}  // namespace hone::loop
