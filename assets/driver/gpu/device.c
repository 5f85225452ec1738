#define _POSIX_C_SOURCE 200809L
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "source.h"

/* What entries.h exports. */
#define CALLS(X)                                       \
  X(const char*, error, (int))                         \
  X(int, devices, (int*))                              \
  X(int, device_name, (int, char*, size_t))            \
  X(int, open, (int))                                  \
  X(int, allocate, (void**, size_t))                   \
  X(int, free, (void*))                                \
  X(int, copy, (void*, const void*, size_t))           \
  X(int, begin, (void))                                \
  X(int, end, (double*))                               \
  X(int, wait, (void))                                 \
  X(const size_t*, parameters, (const char*, size_t*)) \
  X(int, variable_at, (const char*, void**, size_t*))  \
  X(int, launch, (const char*, const unsigned*, const unsigned*, size_t, void**))

struct program {
#define DECLARE(result, name, takes) result(*name) takes;
  CALLS(DECLARE)
#undef DECLARE
};

static void must(const struct program* program, int status, const char* doing) {
  if (status != 0) stop("%s: %s", doing, program->error(status));
}

static char* joined(const char* a, const char* b, const char* c) {
  char* out = zeroed(strlen(a) + strlen(b) + strlen(c) + 1);
  return strcat(strcat(strcpy(out, a), b), c);
}

/* In quotes for the shell. */
static char* quoted(const char* text) {
  char *out = zeroed(4 * strlen(text) + 3), *at = out;
  *at++ = '\'';
  for (; *text != '\0'; ++text) {
    if (*text == '\'') at = strcpy(at, "'\\'") + 3;
    *at++ = *text;
  }
  *at = '\'';
  return out;
}

static const char* compiler(void) {
  const char* given = getenv("COMPILER");
  return given != NULL && *given != '\0' ? given : COMPILER;
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) stop("%s cannot be written", path);
}

static struct program* loaded(const char* library) {
  struct program* out = zeroed(sizeof *out);
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) stop("%s", dlerror());
#define FIND(result, name, takes)                        \
  *(void**)&out->name = dlsym(handle, "program_" #name); \
  if (out->name == NULL) stop("a program has no program_" #name);
  CALLS(FIND)
#undef FIND
  return out;
}

/* Null when the compiler refuses it. */
static struct program* compiled(const char* driver, const struct problem* problem, const char* options) {
  char folder[] = "/tmp/hone-run-XXXXXX";
  char *text = program_text(problem, driver), *source, *library, *log, *command, *at, *words;
  struct program* out = NULL;
  int status;
  if (mkdtemp(folder) == NULL) stop("no folder can be made in /tmp");
  source = joined(folder, "/program.", SOURCE_EXTENSION);
  library = joined(folder, "/program.so", "");
  log = joined(folder, "/log", "");
  write_text(source, text);
  words = joined(compiler(), " ", options);
  if (problem != NULL) {
    /* Headers beside the kernel. */
    at = quoted(problem->folder);
    words = joined(words, " -I", at);
  }
  command = joined(words, " -o ", library);
  command = joined(command, " ", source);
  command = joined(command, " > ", log);
  command = joined(command, " 2>&1", "");
  status = system(command);
  if (status == 0) {
    out = loaded(library);
  } else {
    char* said = read_file(log, NULL);
    printf("%s does not build with \"%s\":\n%s\n", problem == NULL ? "program.h" : problem->folder, words,
           said == NULL ? "" : said);
  }
  remove(source);
  remove(library);
  remove(log);
  rmdir(folder);
  free(text);
  return out;
}

static struct program* program_without_kernels(const char* driver) {
  struct program* out = compiled(driver, NULL, "");
  if (out == NULL) stop("the compiler does not work; see the Makefile");
  return out;
}

/* Beside the program that runs, where it lies in the MEP's folder. */
static const char* driver_folder(void) {
  static char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 16);
  char* slash;
  if (size <= 0) stop("/proc/self/exe cannot be read");
  path[size] = '\0';
  slash = strrchr(path, '/');
  strcpy(slash == NULL ? path : slash, "/driver");
  return path;
}

static void print_device(const struct program* program, const char* before, int number) {
  char name[256] = "";
  program->device_name(number, name, sizeof name);
  printf("%s%d  %s\n", before, number, name);
}

static int count_of(const struct program* program) {
  int count = 0;
  must(program, program->devices(&count), "listing the devices");
  if (count == 0) stop("there is no device");
  return count;
}

void list_devices(void) {
  const struct program* program = program_without_kernels(driver_folder());
  const int count = count_of(program);
  int i;
  for (i = 0; i < count; ++i) print_device(program, "", i);
}

void open_device(const char* which, struct device* out) {
  char* end;
  out->driver = driver_folder();
  out->api = program_without_kernels(out->driver);
  out->number = which == NULL ? 0 : (int)strtol(which, &end, 10);
  if (which != NULL && (end == which || *end != '\0')) stop("a device is a number, as --list prints it");
  if (out->number < 0 || out->number >= count_of(out->api))
    stop("there is no such device; --list prints those there are");
  must(out->api, out->api->open(out->number), "opening the device");
  print_device(out->api, "device ", out->number);
}

/* An emulation understands what names and defines things. */
static int is_understood(const char* word) {
#if defined(EMULATE)
  return word[0] == '-' && word[1] != '\0' && strchr("DUI", word[1]) != NULL;
#else
  return word[0] != '\0';
#endif
}

/* -DROWS=(2*N) is one word to a shell only between quotes. */
static char* for_a_shell(const char* options) {
  char *copy = joined(options, "", ""), *out = joined("", "", ""), *word;
  for (word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    char *safe, *longer;
    if (!is_understood(word)) continue;
    safe = quoted(word);
    longer = joined(out, " ", safe);
    free(out);
    free(safe);
    out = longer;
  }
  free(copy);
  return out;
}

struct program* build_program(const struct device* device, const struct problem* problem, const char* more) {
  char* words = joined(problem->options == NULL ? "" : problem->options, " ", more == NULL ? "" : more);
  char* options = for_a_shell(words);
  struct program* out = compiled(device->driver, problem, options);
  if (out != NULL) must(out, out->open(device->number), "opening the device");
  free(words);
  free(options);
  return out;
}

struct data* load_data(const struct device* device, const struct workload* workload) {
  struct data* out = zeroed(sizeof *out);
  size_t i;
  out->workload = workload;
  out->api = device->api;
  out->initial = zeroed(workload->memories * sizeof *out->initial);
  out->memory = zeroed(workload->memories * sizeof *out->memory);
  for (i = 0; i < workload->memories; ++i) {
    const struct memory* memory = &workload->memory[i];
    if (memory->is_image) stop("%s: images are not served in this language", memory->name);
    out->initial[i] = zeroed(memory->bytes);
    if (strcmp(memory->fill, "poison") == 0)
      memset(out->initial[i], POISON, memory->bytes);
    else if (!fill_elements(memory->fill, &memory->type, memory->seed, out->initial[i], memory->bytes))
      stop("%s: fill \"%s\" is not known", memory->name, memory->fill);
    must(device->api, device->api->allocate(&out->memory[i], memory->bytes), memory->name);
  }
  return out;
}

void free_data(struct data* data) {
  size_t i;
  for (i = 0; i < data->workload->memories; ++i) {
    data->api->free(data->memory[i]);
    free(data->initial[i]);
  }
  free(data->memory);
  free(data->initial);
  free(data);
}

void read_back(const struct device* device, const struct data* data, size_t memory, unsigned char* out) {
  must(device->api, device->api->copy(out, data->memory[memory], data->workload->memory[memory].bytes),
       "reading an output");
}

static int refused(const struct launch* launch, const char* what) {
  printf("    launching %s: %s\n", launch->kernel, what);
  return 0;
}

/* To and from the variables of the source: buffers behind a kernel's own parameters. */
static int move_variables(const struct program* program, const struct workload* workload, const struct data* data,
                          int back) {
  size_t l, i, count, bytes;
  void* at;
  for (l = 0; l < workload->launches; ++l) {
    const struct launch* launch = &workload->launch[l];
    size_t given = 0;
    program->parameters(launch->kernel, &count);
    for (i = 0; i < launch->arguments; ++i) {
      const struct argument* argument = &launch->argument[i];
      const struct memory* memory = &workload->memory[argument->memory];
      if (argument->kind == LOCAL_ARGUMENT || given++ < count) continue;
      if (argument->kind != MEMORY_ARGUMENT) return refused(launch, "more arguments are given than it takes");
      if (program->variable_at(memory->name, &at, &bytes) != 0 || bytes < memory->bytes)
        return refused(launch, "a buffer is neither an argument of the kernel nor a variable of the source");
      if (back ? program->copy(data->memory[argument->memory], at, memory->bytes)
               : program->copy(at, data->memory[argument->memory], memory->bytes))
        return refused(launch, "a variable of the source cannot be copied");
    }
  }
  return 1;
}

static int enqueue(struct program* program, const struct data* data, const struct launch* launch) {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  size_t shared = 0, count = 0, given = 0, i;
  const size_t* bytes = program->parameters(launch->kernel, &count);
  void** values = zeroed((launch->arguments + 1) * sizeof *values);
  int status;
  if (bytes == NULL) return refused(launch, "the program has no such kernel");
  for (i = 0; i < launch->dimensions; ++i) {
    block[i] = (unsigned)(launch->has_local ? launch->local[i] : 1);
    if (block[i] == 0 || launch->global[i] % block[i] != 0)
      return refused(launch, "its blocks do not divide its threads");
    grid[i] = (unsigned)(launch->global[i] / block[i]);
  }
  for (i = 0; i < launch->arguments; ++i) {
    const struct argument* argument = &launch->argument[i];
    const int is_memory = argument->kind == MEMORY_ARGUMENT;
    if (argument->kind == LOCAL_ARGUMENT) shared += argument->bytes;
    if (argument->kind == LOCAL_ARGUMENT || given == count) continue;
    if (bytes[given] != (is_memory ? sizeof(void*) : argument->bytes))
      return refused(launch, "an argument has another size");
    values[given++] = is_memory ? (void*)&data->memory[argument->memory] : argument->value;
  }
  if (given != count) return refused(launch, "it takes more arguments than are given");
  status = program->launch(launch->kernel, grid, block, shared, values);
  free(values);
  return status == 0 || refused(launch, program->error(status));
}

double run_pass(const struct device* device, struct program* program, const struct workload* workload,
                const struct data* data) {
  enum { AT_ONCE = 4096 }; /* a sequence of very many launches must not pile up in the driver */
  double part = 0, all = 0;
  size_t i;
  for (i = 0; i < workload->memories; ++i)
    must(device->api, device->api->copy(data->memory[i], data->initial[i], workload->memory[i].bytes),
         "restoring the contents");
  if (!move_variables(program, workload, data, 0)) return -1;
  for (i = 0; i < workload->launches; ++i) {
    int status = 0;
    if (i % AT_ONCE == 0) status = program->begin();
    if (status == 0 && !enqueue(program, data, &workload->launch[i])) return -1;
    if (status == 0 && ((i + 1) % AT_ONCE == 0 || i + 1 == workload->launches)) {
      status = program->end(&part);
      all += part;
    }
    if (status != 0) {
      printf("    a kernel failed while it ran: %s\n", program->error(status));
      return -1;
    }
  }
  return move_variables(program, workload, data, 1) ? all : -1;
}
