#include "app/interrupt.hpp"

#include <csignal>

namespace hone::app {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;
int open_interrupts = 0;

void on_interrupt(int) {
  asked_to_stop = asked_to_stop + 1;
  if (asked_to_stop > 1) std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() : before_(std::signal(SIGINT, on_interrupt)) {
  if (open_interrupts++ == 0) asked_to_stop = 0;
}
Interrupt::~Interrupt() {
  --open_interrupts;
  std::signal(SIGINT, before_);
}
bool Interrupt::asked() { return asked_to_stop != 0; }

}  // namespace hone::app
