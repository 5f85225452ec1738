#pragma once
// What tests ask of a worker beyond answers: refusals, losses and why it does not start.

#include "device/gpu_session.hpp"

namespace hone {

inline constexpr auto kScale =
    "extern \"C\" __global__ void scale(const float* in, float* out, float by, int n) {"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = by * in[i]; }";

class Gpu : public GpuSession {
 protected:
  static std::string refused(const std::string& id, const ConcreteLaunch& launch) {
    const auto outcome = session_->run(id, {launch}, {});
    return std::holds_alternative<NotLaunched>(outcome) ? std::get<NotLaunched>(outcome).reason : "was not refused";
  }
  /// The words a worker was lost with; a new one is started.
  static WorkerLost lost(const std::string& id, const ConcreteLaunch& launch) {
    const auto outcome = session_->run(id, {launch}, {});
    session_.reset();
    if (!std::holds_alternative<WorkerLost>(outcome)) return {WorkerLost::Cause::Crashed, "was not lost"};
    return std::get<WorkerLost>(outcome);
  }
};

inline bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

inline std::string why_not(const worker::WorkerOptions& options) {
  const auto session = worker::WorkerSessions(options).start();
  return session ? "it started" : session.error().text();
}

}  // namespace hone
