/* expected.json: samples and norms of what the original kernel wrote when the MEP was made. */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "json.h"
#include "problem.h"

/* Null when the folder has none. */
struct json* read_expected(const char* folder);
/* Null when nothing is recorded for the workload. */
const struct json* expected_of(const struct json* all, const char* workload);
/* Does the output agree with what is recorded? Prints the first thing that does not. */
int check_output(const struct json* workload, const struct view* view, const unsigned char* bytes, double relative);

#endif
