#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace hone {
namespace {

TEST(Hash, Sha256OfTheStandardsExample) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, ContentHashTellsContentsApart) {
  EXPECT_EQ(content_hash("a").size(), 32U);
  EXPECT_NE(content_hash("a"), content_hash("b"));
}

}  // namespace
}  // namespace hone
