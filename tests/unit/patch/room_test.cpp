// A host that reads a kernel's file into an array of a fixed size gets no text that does not fit.

#include "patch/room.hpp"

#include <gtest/gtest.h>

namespace hone::patch {
namespace {

std::optional<TextRoom> room_in(const std::string& host, std::size_t present = 500) {
  const Files tree{{"app/main.c", host}, {"app/k.cl", std::string(present, ' ')}};
  return room_of(HostIndex(tree), "app/k.cl", present);
}

TEST(Room, IsWhatTheHostReadsAtMost) {
  const auto room = room_in("#define MOST (10 * 1000)\nvoid f(void) {\n  n = fread(text, 1, MOST, file);\n}\n");
  ASSERT_TRUE(room);
  EXPECT_EQ(room->bytes, 10000U);
  EXPECT_EQ(room->place, "app/main.c:3");
  EXPECT_EQ(room_in("char text[0x2000];\nvoid f(void) { fread(text, sizeof(char), sizeof text - 1, file); }\n")->bytes,
            8191U);
  EXPECT_EQ(room_in("void f() { const int most = 4096; in.read(text, most); }\n")->bytes, 4096U);
  EXPECT_EQ(room_in("void f(void) { read(fd, text, 4096); fread(text, 1, 2048, file); }\n")->bytes, 2048U);
}

TEST(Room, IsNotKnownWhereTheFileSaysItsOwnLength) {
  EXPECT_FALSE(room_in("void f(void) { fread(text, 1, length, file); }\n"));
  EXPECT_FALSE(room_in("void f() { in.read(&text[0], size); }\n"));
}

TEST(Room, IsNotThatOfWhatReadsOtherThings) {
  EXPECT_FALSE(room_in("void f(void) { fread(header, 1, 64, file); }\n")) << "the file is longer than that today";
  const Files tree{{"other/main.c", "void f(void) { fread(text, 1, 4096, file); }\n"}, {"app/k.cl", "x"}};
  EXPECT_FALSE(room_of(HostIndex(tree), "app/k.cl", 1)) << "another program's";
  const Files named{{"other/main.c", "void f(void) { load(\"k.cl\"); fread(text, 1, 4096, file); }\n"},
                    {"app/k.cl", "x"}};
  EXPECT_TRUE(room_of(HostIndex(named), "app/k.cl", 1));
}

TEST(Room, IsNotKnownWhereItsCountLeadsInCircles) {
  EXPECT_FALSE(room_in("char text[sizeof(text)];\nvoid f(void) { fread(text, 1, sizeof(text), file); }\n"));
  EXPECT_FALSE(
      room_in("#define A (B + B + B + B)\n#define B (A * A * A * A)\nvoid f(void) { fread(text, 1, A, file); }\n"));
}

TEST(Room, ThatAFileHasGrownOutOfIsToldWithWhoReadsIt) {
  const std::vector<TextRoom> rooms{{"k.cl", 10, "main.c:3"}};
  EXPECT_TRUE(fits(rooms, {{"k.cl", std::string(10, ' ')}}));
  const auto grown = fits(rooms, {{"k.cl", std::string(11, ' ')}});
  ASSERT_FALSE(grown);
  EXPECT_EQ(grown.error().code(), "E-ROOM");
  EXPECT_NE(grown.error().text().find("main.c:3"), std::string::npos) << grown.error().text();
}

}  // namespace
}  // namespace hone::patch
