#pragma once
// The judge as the loop sees it.

#include "core/device_session.hpp"
#include "judge/judge.hpp"
#include "loop/ports.hpp"

namespace hone::app {

class JudgeEvaluator final : public loop::Evaluator {
 public:
  JudgeEvaluator(judge::Judge& judge, DeviceInfo device) : judge_(judge), device_(std::move(device)) {}
  const DeviceInfo& device() const override { return device_; }
  Result<loop::Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) override;
  /// Every check on every workload first, then challenger against incumbent.
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) override {
    return judge_.prove(challenger, incumbent, everywhere);
  }
  void prepare(const std::vector<Variant>& variants) override { judge_.prepare(variants); }

 private:
  judge::Judge& judge_;
  DeviceInfo device_;
};

}  // namespace hone::app
