#pragma once
// Ctrl-C: the first one asks the loop to end after what is being measured, and with what is proven; the second is still
// patient, since a proof may be under way; the third ends the program.

namespace hone::app {

/// One inside another is the same one: what was asked of the inner is still asked of the outer when that ends.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static bool asked();

 private:
  void (*before_)(int);
};

}  // namespace hone::app
