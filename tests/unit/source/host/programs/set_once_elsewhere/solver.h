#include <CL/cl.h>
typedef struct solver solver;
solver *make_solver(int n);
void step(solver *s, cl_mem x, float t);
cl_mem state_of(solver *s);
