/* Runs a MEP with nothing of Hone installed: see --help. Exit 0: all that was asked holds; 1: it does not; 2: misuse.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "device.h"
#include "expected.h"
#include "outputs.h"

static const char usage[] =
    "usage: ./run [--check] [--time] [--compare DIR] [options]\n"
    "\n"
    "  --check          runs the kernel and compares its outputs with expected.json\n"
    "  --time           prints the median time of the kernels, from the first start to the last end\n"
    "  --compare DIR    runs the kernel of DIR (best) on the same inputs: same outputs? how much faster?\n"
    "\n"
    "  --workload NAME  only this one; all of problem.txt otherwise\n"
    "  --runs N         timed runs, 10 unless given\n"
    "  --device D       one of those that --list prints; the first one unless given\n"
    "  --list           prints the devices there are\n"
    "  --help           prints this\n"
    "\n"
    "Without --check, --time or --compare: --check --time. Exit 0 when all holds, 1 when it does not, 2 on misuse.\n";

struct options {
  int check, time;
  const char *compare, *workload, *device;
  size_t runs;
};

static const char* value_of(int* at, int count, char** words) {
  if (*at + 1 >= count) stop("%s needs a value; see --help", words[*at]);
  return words[++*at];
}

static struct options read_options(int count, char** words) {
  struct options out = {0, 0, NULL, NULL, NULL, 10};
  int i;
  for (i = 1; i < count; ++i) {
    if (strcmp(words[i], "--check") == 0)
      out.check = 1;
    else if (strcmp(words[i], "--time") == 0)
      out.time = 1;
    else if (strcmp(words[i], "--compare") == 0)
      out.compare = value_of(&i, count, words);
    else if (strcmp(words[i], "--workload") == 0)
      out.workload = value_of(&i, count, words);
    else if (strcmp(words[i], "--device") == 0)
      out.device = value_of(&i, count, words);
    else if (strcmp(words[i], "--runs") == 0) {
      const long runs = strtol(value_of(&i, count, words), NULL, 10);
      if (runs < 1) stop("--runs takes a number from 1");
      out.runs = (size_t)runs;
    } else if (strcmp(words[i], "--list") == 0) {
      list_devices();
      exit(0);
    } else if (strcmp(words[i], "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    } else {
      stop("%s is not known; see --help", words[i]);
    }
  }
#if defined(EMULATE)
  if (out.time) stop("nothing is timed here: an emulation says nothing of a GPU's times");
  if (out.compare == NULL) out.check = 1;
#else
  if (!out.check && !out.time && out.compare == NULL) out.check = out.time = 1;
#endif
  return out;
}

/* The original, and with --compare the other one, in one process on one device. */
struct setting {
  struct options options;
  struct device device;
  struct problem original, other;
  struct program *program, *other_program;
  struct json* expected;
};

static size_t sorted_bytes;
static int by_bytes(const void* left, const void* right) { return memcmp(left, right, sorted_bytes); }

/* What the outputs hold now, one block of bytes for each view. */
static unsigned char** read_outputs(const struct setting* setting, const struct data* data) {
  const struct workload* workload = data->workload;
  unsigned char** out = zeroed(workload->views * sizeof *out);
  size_t i;
  for (i = 0; i < workload->views; ++i) {
    out[i] = zeroed(workload->memory[workload->view[i].memory].bytes);
    read_back(&setting->device, data, workload->view[i].memory, out[i]);
    sorted_bytes = workload->memory[workload->view[i].memory].unordered;
    if (sorted_bytes > 0)
      qsort(out[i], workload->memory[workload->view[i].memory].bytes / sorted_bytes, sorted_bytes, by_bytes);
  }
  return out;
}

static void free_outputs(const struct workload* workload, unsigned char** outputs) {
  size_t i;
  for (i = 0; i < workload->views; ++i) free(outputs[i]);
  free(outputs);
}

static int check(const struct setting* setting, const struct workload* workload, unsigned char** outputs) {
  const struct json* expected = expected_of(setting->expected, workload->name);
  int fine = 1;
  size_t i;
  if (expected == NULL) stop("expected.json has nothing of workload %s", workload->name);
  for (i = 0; i < workload->views; ++i)
    fine = check_output(expected, &workload->view[i], outputs[i], setting->original.relative) && fine;
  printf("  check    %s\n", fine ? "as expected" : "NOT as expected");
  return fine;
}

static int agree(const struct setting* setting, const struct workload* workload, unsigned char** wanted,
                 unsigned char** got) {
  int fine = 1;
  size_t i;
  for (i = 0; i < workload->views; ++i) {
    const struct view* view = &workload->view[i];
    const struct difference found = compare_outputs(view, wanted[i], got[i], setting->original.relative);
    if (found.count == 0) continue;
    fine = 0;
    printf("    %s: %lu of %lu elements differ; element %lu should be %.9g, is %.9g\n", view->name,
           (unsigned long)found.count, (unsigned long)view->scalars, (unsigned long)found.first,
           scalar_value(view, wanted[i], found.first), scalar_value(view, got[i], found.first));
  }
  return fine;
}

static int by_size(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

struct times {
  double low, median, high;
};
static struct times times_of(double* samples, size_t count) {
  struct times out;
  qsort(samples, count, sizeof *samples, by_size);
  out.low = samples[0];
  out.median = (samples[count / 2] + samples[(count - 1) / 2]) / 2;
  out.high = samples[count - 1];
  return out;
}

/* Turn by turn, so that a machine that slows down slows both. */
static int take_times(struct setting* setting, const struct data* data, const struct workload* other, double* mine,
                      double* its) {
  size_t i;
  for (i = 0; i < setting->options.runs; ++i) {
    mine[i] = run_pass(&setting->device, setting->program, data->workload, data);
    its[i] = other == NULL ? 0 : run_pass(&setting->device, setting->other_program, other, data);
    if (mine[i] < 0 || its[i] < 0) return 0;
  }
  return 1;
}

static int time_both(struct setting* setting, const struct data* data, const struct workload* other) {
  const size_t runs = setting->options.runs;
  double* mine = zeroed(runs * sizeof *mine);
  double* its = zeroed(runs * sizeof *its);
  const int fine = take_times(setting, data, other, mine, its);
  if (fine) {
    const struct times original = times_of(mine, runs), compared = times_of(its, runs);
    printf("  time     %.4f ms, median of %lu (%.4f to %.4f), %lu launch%s\n", original.median, (unsigned long)runs,
           original.low, original.high, (unsigned long)data->workload->launches,
           data->workload->launches == 1 ? "" : "es");
    if (other != NULL)
      printf("  compare  %.4f ms (%.4f to %.4f), speedup %.3f, outputs agree\n", compared.median, compared.low,
             compared.high, original.median / compared.median);
  }
  free(mine);
  free(its);
  return fine;
}

/* The other kernel on the same contents. Null: it does not agree, and why is printed. */
static const struct workload* agreeing(struct setting* setting, const struct data* data, unsigned char** wanted) {
  const struct workload* other = find_workload(&setting->other, data->workload->name);
  unsigned char** got;
  int fine;
  if (other == NULL) stop("%s has no workload %s", setting->options.compare, data->workload->name);
  if (other->memories != data->workload->memories) stop("%s works on other buffers", setting->options.compare);
  if (run_pass(&setting->device, setting->other_program, other, data) < 0) return NULL;
  got = read_outputs(setting, data);
  fine = agree(setting, data->workload, wanted, got);
  free_outputs(data->workload, got);
  if (!fine) printf("  compare  outputs DIFFER\n");
  return fine ? other : NULL;
}

/* Once for all workloads, or for each with options of its own. */
static int build_for(struct setting* setting, const struct workload* workload) {
  const struct workload* other;
  if (setting->program == NULL || workload->options != NULL)
    setting->program = build_program(&setting->device, &setting->original, workload->options);
  if (setting->program == NULL || setting->other.workloads == 0) return setting->program != NULL;
  other = find_workload(&setting->other, workload->name);
  if (other == NULL) stop("%s has no workload %s", setting->options.compare, workload->name);
  if (setting->other_program == NULL || other->options != NULL)
    setting->other_program = build_program(&setting->device, &setting->other, other->options);
  return setting->other_program != NULL;
}

static int run_workload(struct setting* setting, const struct workload* workload) {
  struct data* data = load_data(&setting->device, workload);
  const struct workload* other = NULL;
  unsigned char** outputs;
  int fine = 1;
  printf("%s (%s)\n", workload->name, workload->role);
  if (!build_for(setting, workload)) return 0;
  if (run_pass(&setting->device, setting->program, workload, data) < 0) return 0;
  outputs = read_outputs(setting, data);
  if (setting->options.check) fine = check(setting, workload, outputs);
  if (setting->other_program != NULL) {
    other = agreeing(setting, data, outputs);
    fine = fine && other != NULL;
  }
#if defined(EMULATE)
  if (other != NULL) printf("  compare  outputs agree\n");
  (void)time_both;
#else
  if (setting->options.time || other != NULL) fine = time_both(setting, data, other) && fine;
#endif
  free_outputs(workload, outputs);
  free_data(data);
  return fine;
}

/* Of the program: it lies in the MEP's folder. */
static char* own_folder(const char* program) {
  const char* slash = strrchr(program, '/');
  char* folder = zeroed(strlen(program) + 2);
  if (slash == NULL) return strcpy(folder, ".");
  memcpy(folder, program, (size_t)(slash - program));
  return slash == program ? strcpy(folder, "/") : folder;
}

static void prepare(struct setting* setting, const char* folder) {
  const char* compare = setting->options.compare;
  if (!read_problem(folder, &setting->original)) stop("%s has no problem.txt", folder);
  setting->expected = read_expected(folder);
  if (setting->options.check && setting->expected == NULL) stop("%s has no expected.json to check against", folder);
  open_device(setting->options.device, &setting->device);
  if (compare != NULL && !read_problem(path_in(folder, compare), &setting->other)) setting->other.workloads = 0;
}

int main(int count, char** words) {
  static struct setting setting;
  int fine = 1, ran = 0;
  size_t i;
  setting.options = read_options(count, words);
  prepare(&setting, own_folder(words[0]));
  for (i = 0; i < setting.original.workloads; ++i) {
    const struct workload* workload = &setting.original.workload[i];
    if (setting.options.workload != NULL && strcmp(setting.options.workload, workload->name) != 0) continue;
    fine = run_workload(&setting, workload) && fine;
    ran = 1;
  }
  if (!ran) stop("there is no workload %s", setting.options.workload);
  if (fine && setting.options.compare != NULL && setting.other_program == NULL)
    stop("%s has no problem.txt: there is nothing to compare with yet", setting.options.compare);
  return fine ? 0 : 1;
}
