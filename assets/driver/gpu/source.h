/* The text that the GPU's compiler gets: the kernel between what run needs before and behind it. */
#ifndef SOURCE_H
#define SOURCE_H

#include "problem.h"

/* `driver` is the folder of program.h. */
char* program_text(const struct problem* problem, const char* driver);

#endif
