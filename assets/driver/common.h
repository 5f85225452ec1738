/* What every part of the driver needs: an end with a message, memory that grows, files as text. */
#ifndef COMMON_H
#define COMMON_H

#include <stddef.h>

/* Prints "run: ..." and ends with 2: misuse or broken input. A wrong kernel is an answer (1), not this. */
void stop(const char* format, ...);

void* zeroed(size_t bytes);
/* Room for one more element at the end of `array`, whose old place is given up; `count` is not changed. */
void* grown(void* array, size_t count, size_t element_bytes);
/* "folder/name", or `name` itself when it starts at the root. */
char* path_in(const char* folder, const char* name);
/* Ends with a zero byte that does not count. Null when there is no such file. */
char* read_file(const char* path, size_t* bytes);

#endif
