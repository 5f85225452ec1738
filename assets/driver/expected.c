#include "expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "outputs.h"

struct json* read_expected(const char* folder) {
  char* path = path_in(folder, "expected.json");
  char* text = read_file(path, NULL);
  struct json* root = text == NULL ? NULL : read_json(text);
  if (text != NULL && (root == NULL || strcmp(json_text(root, "format"), "1") != 0))
    stop("%s is not what this driver reads", path);
  free(path);
  return root;
}

static const struct json* named(const struct json* list, const char* name) {
  const struct json* at = list == NULL ? NULL : list->first;
  for (; at != NULL; at = at->next)
    if (strcmp(json_text(at, "name"), name) == 0) return at;
  return NULL;
}

const struct json* expected_of(const struct json* all, const char* workload) {
  return named(json_member(all, "workloads"), workload);
}

static int disagrees(const struct view* view, const char* what, double wanted, double got) {
  printf("    %s: %s should be %.9g, is %.9g\n", view->name, what, wanted, got);
  return 0;
}

static int check_samples(const struct json* record, const struct view* view, const unsigned char* bytes,
                         double tolerance, double typical) {
  const struct json* samples = json_member(record, "samples");
  const struct json* at = samples == NULL ? NULL : samples->first;
  for (; at != NULL; at = at->next) {
    size_t element;
    double wanted, got;
    char what[64];
    if (at->first == NULL || at->first->next == NULL || at->first->next->text == NULL) stop("a sample is no pair");
    element = (size_t)strtoull(at->first->text, NULL, 10);
    wanted = strtod(at->first->next->text, NULL);
    if (element >= view->scalars) stop("a sample of %s lies beyond its end", view->name);
    got = scalar_value(view, bytes, element);
    sprintf(what, "element %lu", (unsigned long)element);
    if (view->scalar.kind == REAL_SCALAR ? !same_real(wanted, got, tolerance, typical) : wanted != got)
      return disagrees(view, what, wanted, got);
  }
  return 1;
}

/* Each norm may move by what its elements together may. */
static int check_norms(const struct json* record, const struct view* view, const struct summary* got, double tolerance,
                       double typical) {
  const double count = (double)view->scalars;
  const struct {
    const char* key;
    double got, slack;
  } norms[] = {{"unwritten", (double)got->unwritten, 0},         {"nan", (double)got->nan, 0},
               {"infinite", (double)got->infinite, 0},           {"l1", got->l1, got->l1 + count * typical},
               {"l2", got->l2, got->l2 + sqrt(count) * typical}, {"max", got->max, got->max + typical}};
  size_t i;
  for (i = 0; i < sizeof norms / sizeof *norms; ++i) {
    const double wanted = strtod(json_text(record, norms[i].key), NULL);
    if (fabs(wanted - norms[i].got) > tolerance * norms[i].slack)
      return disagrees(view, norms[i].key, wanted, norms[i].got);
  }
  return 1;
}

int check_output(const struct json* workload, const struct view* view, const unsigned char* bytes, double relative) {
  const struct json* record = named(json_member(workload, "outputs"), view->name);
  const double tolerance = tolerance_of(view, relative);
  const double typical = strtod(json_text(record, "typical"), NULL);
  const struct summary got = summarise(view, bytes);
  if (record == NULL) stop("expected.json has nothing of output %s", view->name);
  if (strtoull(json_text(record, "count"), NULL, 10) != view->scalars)
    return disagrees(view, "its number of elements", strtod(json_text(record, "count"), NULL), (double)view->scalars);
  if (!check_samples(record, view, bytes, tolerance, typical)) return 0;
  if (view->scalar.kind == REAL_SCALAR) return check_norms(record, view, &got, tolerance, typical);
  if (strtoull(json_text(record, "digest"), NULL, 16) == got.digest) return 1;
  printf("    %s: all samples agree, but not all elements do (its digest is another)\n", view->name);
  return 0;
}
