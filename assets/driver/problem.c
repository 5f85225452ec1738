#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"

/* Where the reader stands. Words end at spaces, in place. */
struct line {
  const char* path;
  unsigned long number;
  char* at;
};

static void wrong(const struct line* line, const char* what) { stop("%s:%lu: %s", line->path, line->number, what); }

/* Null at the end of the line. */
static char* next_word(struct line* line) {
  char* word;
  while (*line->at == ' ') ++line->at;
  if (*line->at == '\0') return NULL;
  word = line->at;
  while (*line->at != ' ' && *line->at != '\0') ++line->at;
  if (*line->at == ' ') *line->at++ = '\0';
  return word;
}
static char* word(struct line* line) {
  char* found = next_word(line);
  if (found == NULL) wrong(line, "something is missing at the end of the line");
  return found;
}
static char* rest(struct line* line) {
  while (*line->at == ' ') ++line->at;
  return line->at;
}
static uint64_t to_number(const struct line* line, const char* text) {
  char* end;
  const uint64_t value = strtoull(text, &end, 10);
  if (end == text || *end != '\0' || *text == '-') wrong(line, "a number is needed");
  return value;
}
static uint64_t number(struct line* line) { return to_number(line, word(line)); }

static size_t find_memory(const struct line* line, const struct workload* workload, const char* name) {
  size_t i;
  for (i = 0; i < workload->memories; ++i)
    if (strcmp(workload->memory[i].name, name) == 0) return i;
  wrong(line, "no buffer or image of this workload has that name");
  return 0;
}

static struct memory* new_memory(struct workload* workload) {
  workload->memory = grown(workload->memory, workload->memories, sizeof *workload->memory);
  return &workload->memory[workload->memories++];
}

static void read_buffer(struct line* line, struct workload* workload) {
  struct memory* memory = new_memory(workload);
  memory->name = word(line);
  if (!element_type_named(word(line), &memory->type)) wrong(line, "this element type is not known");
  memory->bytes = (size_t)number(line) * element_bytes(&memory->type);
  memory->seed = number(line);
  memory->fill = rest(line);
}

static void read_image(struct line* line, struct workload* workload) {
  struct memory* memory = new_memory(workload);
  const char *order, *type;
  memory->name = word(line);
  memory->is_image = 1;
  if (!image_kind_named(word(line), &memory->kind)) wrong(line, "this kind of image is not known");
  order = word(line);
  type = word(line);
  if (!pixel_named(order, type, &memory->pixel)) wrong(line, "this image format is not known");
  memory->type = memory->pixel.channel;
  memory->width = (size_t)number(line);
  memory->height = (size_t)number(line);
  memory->depth = (size_t)number(line);
  memory->bytes = memory->width * memory->height * memory->depth * memory->pixel.channels * memory->type.scalar_bytes;
  memory->seed = number(line);
  memory->fill = rest(line);
}

static void read_output(struct line* line, struct workload* workload) {
  struct view* view;
  workload->view = grown(workload->view, workload->views, sizeof *workload->view);
  view = &workload->view[workload->views++];
  view->name = word(line);
  view->memory = find_memory(line, workload, word(line));
  if (!element_type_named(word(line), &view->scalar) || view->scalar.lanes != 1)
    wrong(line, "this scalar type is not known");
  view->offset = (size_t)number(line);
  view->stride = (size_t)number(line);
  view->lanes = (size_t)number(line);
  if (view->lanes == 0 || view->offset + view->lanes * view->scalar.scalar_bytes > view->stride)
    wrong(line, "the scalars of a group lie beyond its end");
  view->scalars = workload->memory[view->memory].bytes / view->stride * view->lanes;
}

static void read_hex(const struct line* line, const char* digits, struct argument* argument) {
  size_t i;
  argument->bytes = strlen(digits) / 2;
  argument->value = zeroed(argument->bytes);
  for (i = 0; i < argument->bytes; ++i) {
    const char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
    char* end;
    argument->value[i] = (unsigned char)strtoul(pair, &end, 16);
    if (*end != '\0') wrong(line, "bytes are pairs of hexadecimal digits");
  }
}

static void read_scalar(const struct line* line, const char* name, const char* text, struct argument* argument) {
  struct element_type type;
  char* end;
  if (!element_type_named(name, &type) || type.lanes != 1) wrong(line, "this kind of argument is not known");
  argument->bytes = type.scalar_bytes;
  argument->value = zeroed(8);
  if (type.kind == REAL_SCALAR) {
    const double value = strtod(text, &end);
    const float single = strtof(text, NULL);
    if (type.scalar_bytes == 4)
      memcpy(argument->value, &single, 4);
    else
      memcpy(argument->value, &value, 8);
  } else {
    const uint64_t bits = *text == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    const uint32_t four = (uint32_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint8_t one = (uint8_t)bits;
    switch (type.scalar_bytes) {
      case 1: memcpy(argument->value, &one, 1); break;
      case 2: memcpy(argument->value, &two, 2); break;
      case 4: memcpy(argument->value, &four, 4); break;
      default: memcpy(argument->value, &bits, 8);
    }
  }
  if (end == text || *end != '\0') wrong(line, "the value of an argument is no number");
}

static void read_argument(const struct line* line, const struct workload* workload, char* text, struct argument* out) {
  char* colon = strchr(text, ':');
  if (colon == NULL) wrong(line, "an argument is written kind:value");
  *colon++ = '\0';
  out->kind = VALUE_ARGUMENT;
  if (strcmp(text, "buffer") == 0 || strcmp(text, "image") == 0) {
    out->kind = MEMORY_ARGUMENT;
    out->memory = find_memory(line, workload, colon);
  } else if (strcmp(text, "local") == 0) {
    out->kind = LOCAL_ARGUMENT;
    out->bytes = (size_t)to_number(line, colon);
  } else if (strcmp(text, "sampler") == 0) {
    out->kind = SAMPLER_ARGUMENT;
    if (!sampler_named(colon, &out->sampler)) wrong(line, "this sampler is not known");
  } else if (strcmp(text, "bytes") == 0) {
    read_hex(line, colon, out);
  } else {
    read_scalar(line, text, colon, out);
  }
}

static void read_launch(struct line* line, struct workload* workload) {
  struct launch* launch;
  char* at;
  size_t* sizes = NULL;
  unsigned count = 0;
  workload->launch = grown(workload->launch, workload->launches, sizeof *workload->launch);
  launch = &workload->launch[workload->launches++];
  memset(launch, 0, sizeof *launch);
  launch->kernel = word(line);
  while ((at = next_word(line)) != NULL && strcmp(at, "arguments") != 0) {
    if (strcmp(at, "global") == 0 || strcmp(at, "local") == 0 || strcmp(at, "offset") == 0) {
      sizes = *at == 'g' ? launch->global : *at == 'l' ? launch->local : launch->offset;
      launch->has_local |= *at == 'l';
      count = 0;
      continue;
    }
    if (sizes == NULL || count == 3) wrong(line, "a launch has global, local and offset of one to three sizes");
    sizes[count++] = (size_t)to_number(line, at);
    if (sizes == launch->global) launch->dimensions = count;
  }
  if (launch->dimensions == 0) wrong(line, "a launch needs its global sizes");
  while ((at = next_word(line)) != NULL) {
    launch->argument = grown(launch->argument, launch->arguments, sizeof *launch->argument);
    memset(&launch->argument[launch->arguments], 0, sizeof *launch->argument);
    read_argument(line, workload, at, &launch->argument[launch->arguments++]);
  }
}

static void add_option(char** options, const char* option) {
  char* joined = zeroed((*options == NULL ? 0 : strlen(*options)) + strlen(option) + 2);
  if (*options != NULL) strcpy(joined, *options);
  if (*joined != '\0') strcat(joined, " ");
  strcat(joined, option);
  free(*options);
  *options = joined;
}

static void read_source(struct problem* problem, const char* name) {
  char* path = path_in(problem->folder, name);
  problem->source = read_file(path, &problem->source_bytes);
  if (problem->source == NULL) stop("%s cannot be read", path);
  free(path);
}

static void read_line(struct line* line, struct problem* problem) {
  struct workload* workload = problem->workloads > 0 ? &problem->workload[problem->workloads - 1] : NULL;
  const char* what = next_word(line);
  if (what == NULL || *what == '#') return;
  if (strcmp(what, "hone-problem") == 0) {
    if (number(line) != 2) wrong(line, "this driver reads format 2 only");
  } else if (strcmp(what, "kernel") == 0) {
    read_source(problem, rest(line));
  } else if (strcmp(what, "option") == 0) {
    add_option(workload == NULL ? &problem->options : &workload->options, rest(line));
  } else if (strcmp(what, "relative") == 0) {
    problem->relative = strtod(rest(line), NULL);
  } else if (strcmp(what, "workload") == 0) {
    problem->workload = grown(problem->workload, problem->workloads, sizeof *problem->workload);
    workload = &problem->workload[problem->workloads++];
    memset(workload, 0, sizeof *workload);
    workload->role = word(line);
    workload->name = rest(line);
  } else if (workload == NULL) {
    wrong(line, "this belongs to a workload, and there is none yet");
  } else if (strcmp(what, "buffer") == 0) {
    read_buffer(line, workload);
  } else if (strcmp(what, "image") == 0) {
    read_image(line, workload);
  } else if (strcmp(what, "output") == 0) {
    read_output(line, workload);
  } else if (strcmp(what, "unordered") == 0) {
    struct memory* memory = &workload->memory[find_memory(line, workload, word(line))];
    memory->unordered = (size_t)number(line);
  } else if (strcmp(what, "launch") == 0) {
    read_launch(line, workload);
  } else {
    wrong(line, "this line is not understood");
  }
}

int read_problem(const char* folder, struct problem* out) {
  struct line line = {NULL, 0, NULL};
  char* path = path_in(folder, "problem.txt");
  char* text = read_file(path, NULL);
  memset(out, 0, sizeof *out);
  if (text == NULL) return 0;
  out->folder = folder;
  out->options = zeroed(1);
  line.path = path;
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    char* next = text + length + (text[length] == '\n');
    text[length] = '\0';
    line.at = text;
    ++line.number;
    read_line(&line, out);
    text = next;
  }
  if (out->source == NULL || out->workloads == 0) stop("%s names no kernel or no workload", path);
  return 1;
}

const struct workload* find_workload(const struct problem* problem, const char* name) {
  size_t i;
  for (i = 0; i < problem->workloads; ++i)
    if (strcmp(problem->workload[i].name, name) == 0) return &problem->workload[i];
  return NULL;
}

size_t view_at(const struct view* view, size_t i) {
  return i / view->lanes * view->stride + view->offset + i % view->lanes * view->scalar.scalar_bytes;
}
