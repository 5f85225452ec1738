"""Where a run is and how long it will take, one line on standard error for each step."""

import sys
import time


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Progress:
    def __init__(self, total, guess, now=time.monotonic, out=sys.stderr):
        """`guess`: seconds a program is thought to take before one has been seen."""
        self.total, self.guess, self.now, self.out = total, guess, now, out
        self.started = now()
        self.done, self.measured, self.took = 0, 0, 0.0  # measured: those that were not taken from the state

    def left(self):
        """A whole program is taken to last as long as those measured did on average."""
        each = self.took / self.measured if self.measured else self.guess
        return each * (self.total - self.done)

    def finished(self, seconds):
        """`seconds` is None for a program the state had already."""
        self.done += 1
        if seconds is not None:
            self.measured += 1
            self.took += seconds

    def say(self, name, what):
        print(f"[{self.done + 1}/{self.total}] {name}: {what} ({minutes(self.now() - self.started)} so far, about {minutes(self.left())} left)",
              file=self.out, flush=True)
