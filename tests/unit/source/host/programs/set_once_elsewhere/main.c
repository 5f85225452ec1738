#include "solver.h"
int main(void) {
  solver *s = make_solver(2000);
  for (int i = 0; i < 20; i++) step(s, state_of(s), 0.25f * i);
  return 0;
}
