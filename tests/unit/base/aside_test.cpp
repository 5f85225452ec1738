#include "base/aside.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace hone {
namespace {

TEST(Aside, GoesOnWhereItsWaitEndedAndOnlyWhenItIsToldTo) {
  Aside aside;
  std::promise<int> answer;
  std::vector<std::string> said;  // by both, without a lock
  aside.start([&] {
    said.emplace_back("asks");
    const int got = aside.beside([&] { return answer.get_future().get(); });
    said.push_back("got " + std::to_string(got));
  });
  EXPECT_TRUE(aside.is_busy());
  EXPECT_FALSE(aside.is_ready());
  said.emplace_back("works");
  answer.set_value(7);
  said.emplace_back("works on");
  aside.go_on();
  EXPECT_FALSE(aside.is_busy());
  EXPECT_EQ(said, (std::vector<std::string>{"asks", "works", "works on", "got 7"}));
}

TEST(Aside, MayWaitSeveralTimesAndNotAtAll) {
  Aside aside;
  int waits = 0;
  aside.start([&] {
    for (int i = 0; i < 3; ++i) waits += aside.beside([] { return 1; });
  });
  int turns = 0;
  while (aside.is_busy()) {
    aside.go_on();
    ++turns;
  }
  EXPECT_EQ(waits, 3);
  EXPECT_EQ(turns, 3);
  bool ran = false;
  aside.start([&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_FALSE(aside.is_busy());
  EXPECT_TRUE(aside.is_ready());
}

TEST(Aside, IsNoWaitForWhoeverIsNotTheTask) {
  Aside aside;
  std::promise<void> end;
  aside.start([&] {
    aside.beside([&] {
      end.get_future().wait();
      return 0;
    });
  });
  EXPECT_EQ(aside.beside([] { return 3; }), 3);
  EXPECT_TRUE(aside.is_busy());
  end.set_value();
}

}  // namespace
}  // namespace hone
