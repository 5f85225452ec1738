#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stop(const char* format, ...) {
  va_list arguments;
  fflush(stdout);
  fputs("run: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

void* zeroed(size_t bytes) {
  void* made = calloc(1, bytes > 0 ? bytes : 1);
  if (made == NULL) stop("no memory for %lu bytes", (unsigned long)bytes);
  return made;
}

void* grown(void* array, size_t count, size_t element_bytes) {
  void* made;
  if ((count & (count - 1)) != 0) return array; /* room is made in powers of two */
  made = realloc(array, (count == 0 ? 1 : 2 * count) * element_bytes);
  if (made == NULL) stop("no memory for %lu elements", (unsigned long)count);
  memset((char*)made + count * element_bytes, 0, (count == 0 ? 1 : count) * element_bytes);
  return made;
}

char* path_in(const char* folder, const char* name) {
  char* path = zeroed(strlen(folder) + strlen(name) + 2);
  if (name[0] != '/') sprintf(path, "%s/", folder);
  strcat(path, name);
  return path;
}

char* read_file(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  size_t size = 0, room = 0, got = 1;
  if (file == NULL) return NULL;
  while (got > 0) {
    if (room - size < 2) {
      room = room == 0 ? 65536 : 2 * room;
      text = realloc(text, room);
      if (text == NULL) stop("no memory for %s", path);
    }
    got = fread(text + size, 1, room - size - 1, file);
    size += got;
  }
  if (ferror(file)) {
    fclose(file);
    free(text);
    return NULL;
  }
  fclose(file);
  text[size] = '\0';
  if (bytes != NULL) *bytes = size;
  return text;
}
