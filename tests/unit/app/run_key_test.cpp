#include "app/run_key.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::app {
namespace {

struct Typed {
  ImproveOptions options;
  std::vector<Template> templates = {Template{}};
  std::string prior = "{}";
  DeviceInfo device{"opencl:0:0", "cpu", "1", "cpu", {}};
  std::string id() const { return hone::hash_of(run_key("mep", options, templates, prior, device)); }
};

TEST(RunKeys, OfEqualCommandsAreEqual) { EXPECT_EQ(Typed().id(), Typed().id()); }

TEST(RunKeys, DifferInEverythingThatChangesWhatIsTried) {
  std::vector<std::string> ids = {Typed().id()};
  const auto with = [&](auto change) {
    Typed other;
    change(other);
    ids.push_back(other.id());
  };
  with([](auto& k) { k.options.rounds = 3; });
  with([](auto& k) { k.options.candidates = 9; });
  with([](auto& k) { k.options.budget = "61s"; });
  with([](auto& k) { k.options.target = 1; });
  with([](auto& k) { k.options.no_gain = 5; });
  with([](auto& k) { k.options.strategy = "random"; });
  with([](auto& k) { k.options.model.name = "command:x"; });
  with([](auto& k) { k.options.rules = false; });
  with([](auto& k) { k.options.seed = 2; });
  with([](auto& k) { k.options.device.worker = "ssh gpu01 hone-worker"; });
  with([](auto& k) { k.templates.front().source = "other"; });
  with([](auto& k) { k.templates.clear(); });
  with([](auto& k) { k.prior = "{ }"; });
  with([](auto& k) { k.device.id = "opencl:0:1"; });
  with([](auto& k) { k.device.driver = "2"; });
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << "two commands share a run";
}

}  // namespace
}  // namespace hone::app
