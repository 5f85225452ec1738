#pragma once
// A worker for tests that need a device. Only "there is no device here" (E-DEVICE) is a reason to skip: a worker that
// does not start for any other reason is a fault, and where HONE_MUST_RUN is set, as in scripts/test, so is a missing
// device.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace hone {

/// Why a test may be skipped after this error; nothing when the error is a failure of the test.
inline std::optional<std::string> reason_to_skip(const Error& error, bool must_run) {
  if (must_run || error.code() != "E-DEVICE") return std::nullopt;
  return error.message();
}
inline std::optional<std::string> reason_to_skip(const Error& error) {
  return reason_to_skip(error, std::getenv("HONE_MUST_RUN") != nullptr);
}

}  // namespace hone

/// `started` is a Result of a session. Skips the test or fails it; what follows runs only with a session.
#define HONE_SESSION_OR_SKIP(start)                                                               \
  do {                                                                                            \
    if (const auto& started_session = (start); !started_session) {                                \
      if (const auto why = ::hone::reason_to_skip(started_session.error())) GTEST_SKIP() << *why; \
      FAIL() << "no worker: " << started_session.error().text();                                  \
    }                                                                                             \
  } while (false)
