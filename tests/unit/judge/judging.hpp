#pragma once
// A judge over a device without a device, for the tests of what it screens, judges and confirms.

#include <gtest/gtest.h>

#include "fake_session.hpp"
#include "judge/judge.hpp"

namespace hone::judge {

class Judging : public testing::Test {
 protected:
  Judging() { machine_.programs["k0"] = {.run = twice}; }
  Judge judge(JudgeOptions options = {}, JudgePorts ports = {}) {
    return Judge(doubling(), sessions_, options, std::move(ports));
  }
  Judgement judged(const FakeProgram& program, JudgeOptions options = {}) {
    machine_.programs["candidate"] = program;
    return judge(options).judge(variant("candidate")).value();
  }
  FakeMachine machine_;
  FakeSessions sessions_{machine_};
};

/// Right only where `right` says so.
inline FakeProgram right_when(std::function<bool(const Memory&, int)> right) {
  return {.run = [right = std::move(right)](Memory& memory, int n) {
    if (right(memory, n)) twice(memory, n);
  }};
}

}  // namespace hone::judge
