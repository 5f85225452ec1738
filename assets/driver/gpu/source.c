#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

struct text {
  char* bytes;
  size_t size, room;
};

static void add_part(struct text* text, const char* part, size_t size) {
  if (text->size + size + 1 > text->room) {
    text->room = 2 * (text->size + size) + 256;
    text->bytes = realloc(text->bytes, text->room);
    if (text->bytes == NULL) stop("no memory for a source");
  }
  memcpy(text->bytes + text->size, part, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}
static void add(struct text* text, const char* part) { add_part(text, part, strlen(part)); }

static int is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next place of `word` that is a word of its own. */
static const char* find_word(const char* text, const char* word) {
  const size_t size = strlen(word);
  const char* at = text;
  while ((at = strstr(at, word)) != NULL) {
    if ((at == text || !is_name(at[-1])) && !is_name(at[size])) return at;
    at += size;
  }
  return NULL;
}

/* A variable of the source that the host sets: declared with __constant__ or __device__. */
static int is_variable(const char* source, const char* name) {
  const char* at = source;
  while ((at = find_word(at, name)) != NULL) {
    const char *begin = at, *end = at + strlen(name);
    char* statement;
    int found;
    while (begin > source && strchr(";{}#", begin[-1]) == NULL) --begin;
    while (isspace((unsigned char)*end)) ++end;
    statement = zeroed((size_t)(at - begin) + 1);
    memcpy(statement, begin, (size_t)(at - begin));
    found = strchr("[;=,", *end) != NULL && strchr(statement, '(') == NULL &&
            (find_word(statement, "__constant__") != NULL || find_word(statement, "__device__") != NULL);
    free(statement);
    if (found) return 1;
    at = end;
  }
  return 0;
}

#if defined(EMULATE)
/* emulated.h stands for the vendors' headers. */
static char* without_vendor_headers(const char* source) {
  static const char* const theirs[] = {"cuda", "hip/", "device_"};
  char *out = strcpy(zeroed(strlen(source) + 1), source), *at, *name;
  size_t i;
  for (at = out; (at = strstr(at, "#include")) != NULL; ++at) {
    for (name = at + 8; *name == ' ' || *name == '<' || *name == '"'; ++name) continue;
    for (i = 0; i < sizeof theirs / sizeof *theirs; ++i)
      if (strncmp(name, theirs[i], strlen(theirs[i])) == 0) memcpy(at, "//      ", 8);
  }
  return out;
}
#endif

#if defined(EMULATE)
/* "extern __shared__ float s[];" has no meaning where shared memory is an array of the host's: it becomes a pointer.
 * The end of such a declaration that begins at `at`; null when it is something else. */
static const char* end_of_dynamic(const char* at, const char** type, const char** name, const char** open) {
  const char *end = strchr(at, ';'), *shared = find_word(at, "__shared__"), *one;
  if (end == NULL || shared == NULL || shared > end) return NULL;
  for (one = at; one < shared; ++one)
    if (*one == '{' || *one == '"') return NULL; /* of a kernel */
  *open = strchr(shared, '[');
  if (*open == NULL || *open > end) return NULL;
  *type = shared + strlen("__shared__");
  for (*name = *open; isspace((unsigned char)(*name)[-1]);) --*name;
  while (is_name((*name)[-1])) --*name;
  return end;
}

static void add_source(struct text* out, const char* given) {
  const char *source = without_vendor_headers(given), *at, *end, *type, *name, *open;
  while ((at = find_word(source, "extern")) != NULL) {
    end = end_of_dynamic(at, &type, &name, &open);
    add_part(out, source, (size_t)(at - source) + (end == NULL ? strlen("extern") : 0));
    source = end == NULL ? at + strlen("extern") : end;
    if (end == NULL) continue;
    add(out, "static EMULATED_POINTER(");
    add_part(out, type, (size_t)(name - type));
    add(out, ") ");
    add_part(out, name, (size_t)(open - name));
    add(out, " = emulation::dynamic_memory");
  }
  add(out, source);
}
#else
static void add_source(struct text* out, const char* source) { add(out, source); }
#endif

/* Kernels and variables are called by their own names, whatever namespace they are in. */
static void add_namespaces(struct text* out, const char* source) {
  const char *at = source, *end;
  while ((at = find_word(at, "namespace")) != NULL) {
    at += strlen("namespace");
    while (isspace((unsigned char)*at)) ++at;
    for (end = at; is_name(*end) || *end == ':';) ++end;
    if (end == at) continue; /* it has no name */
    for (; isspace((unsigned char)*end) && *end != '\0'; ++end) continue;
    if (*end != '{') continue; /* another name for one, or a use of it */
    add(out, "using namespace ");
    add_part(out, at, (size_t)(end - at));
    add(out, ";\n");
  }
}

/* Once for each name. */
static int seen_before(const struct problem* problem, size_t workload, size_t launch) {
  const char* name = problem->workload[workload].launch[launch].kernel;
  size_t w, l;
  for (w = 0; w <= workload; ++w)
    for (l = 0; l < (w == workload ? launch : problem->workload[w].launches); ++l)
      if (strcmp(problem->workload[w].launch[l].kernel, name) == 0) return 1;
  return 0;
}

static void add_kernels(struct text* out, const struct problem* problem) {
  size_t w, l;
  add(out, "static const program_kernel program_kernels[] = {\n");
  for (w = 0; w < problem->workloads; ++w)
    for (l = 0; l < problem->workload[w].launches; ++l) {
      const char* name = problem->workload[w].launch[l].kernel;
      if (seen_before(problem, w, l)) continue;
      add(out, "  program_kernel_of(\"");
      add(out, name);
      add(out, "\", &");
      add(out, name);
      add(out, "),\n");
    }
  add(out, "  program_kernel()};\n");
}

static void add_variables(struct text* out, const struct problem* problem) {
  size_t i;
  add(out, "static const program_variable program_variables[] = {\n");
  for (i = 0; problem->workloads > 0 && i < problem->workload[0].memories; ++i) {
    const char* name = problem->workload[0].memory[i].name;
    if (!is_variable(problem->source, name)) continue;
    add(out, "  {\"");
    add(out, name);
    add(out, "\", [](void** at, size_t* bytes) { *bytes = sizeof(");
    add(out, name);
    add(out, "); return (int)GPU(GetSymbolAddress)(at, GPU_SYMBOL(");
    add(out, name);
    add(out, ")); }},\n");
  }
  add(out, "  {NULL, NULL}};\n");
}

char* program_text(const struct problem* problem, const char* driver) {
  struct text out = {NULL, 0, 0};
  add(&out, "#include \"");
  add(&out, driver);
  add(&out, "/program.h\"\n#line 1 \"kernel\"\n");
  if (problem != NULL) add_source(&out, problem->source);
  add(&out, "\n#line 1 \"entries\"\n");
  if (problem == NULL)
    add(&out,
        "static const program_kernel program_kernels[] = {program_kernel()};\n"
        "static const program_variable program_variables[] = {{NULL, NULL}};\n");
  if (problem != NULL) add_namespaces(&out, problem->source);
  if (problem != NULL) add_kernels(&out, problem);
  if (problem != NULL) add_variables(&out, problem);
  add(&out, "#include \"");
  add(&out, driver);
  add(&out, "/entries.h\"\n");
  return out.bytes;
}
