#pragma once
// Processor time by the kernel's account, which no program can forge: what a process used, and how long its threads
// stood ready while others had the processors. The first does not grow while it waits for a busy machine; the second
// tells how busy the machine was for it.

#include <sys/types.h>

#include <vector>

#include "base/units.hpp"
#include "os/fd.hpp"

namespace hone::os {

struct ProcessorUse {
  Nanoseconds ran{0};
  Nanoseconds waited{0};  // ready to run; zero where the system does not tell
  ProcessorUse operator-(const ProcessorUse& before) const { return {ran - before.ran, waited - before.waited}; }
};

/// Of a process and everything it started that still runs. Zero when it is gone.
ProcessorUse processor_use(pid_t root);

/// The threads of this process as they are when it is made; the calling one apart, which mostly waits for the others.
class OwnThreads {
 public:
  OwnThreads();
  /// False where the system does not tell how long threads wait.
  bool known() const { return !others_.empty() && caller_; }

  struct Use {
    ProcessorUse caller, others;
    /// What the work between two looks used. A caller that does a part of it counts; one that only waits for the rest
    /// does not, for nobody waits for it.
    ProcessorUse since(const Use& before) const;
  };
  Use now() const;

 private:
  Fd caller_;
  std::vector<Fd> others_;
};

}  // namespace hone::os
