#include "backend.h"
#include <stdlib.h>
static void run(struct backend *b, const float *data, int n) {
  if (b->open(b)) exit(1);
  void *held = b->take(b, data, n);
  b->scale(b, held, 2.0f, n);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  run(&gpu, calloc(n, sizeof(float)), n);
  return 0;
}
