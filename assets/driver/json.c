#include "json.h"

#include <string.h>

#include "common.h"

static char* skip_space(char* at) { return at + strspn(at, " \t\r\n"); }

/* From behind the opening quote; ends it in place. Null when it does not end. */
static char* read_string(char* at, const char** out) {
  char* to = at;
  *out = at;
  for (; *at != '"'; ++at) {
    if (*at == '\\') ++at;
    if (*at == '\0') return NULL;
    *to++ = *at;
  }
  *to = '\0';
  return at + 1;
}

/* A number or a word runs to the next mark; the mark is left for the caller, who must read it before it is ended. */
static char* read_value(char* at, struct json** out, char* after);

static char* read_members(char* at, struct json* parent, char close) {
  struct json** last = &parent->first;
  char mark = *(at = skip_space(at));
  if (mark == close) return at + 1;
  for (;;) {
    const char* key = NULL;
    at = skip_space(at);
    if (close == '}') {
      if (*at != '"' || (at = read_string(at + 1, &key)) == NULL || *(at = skip_space(at)) != ':') return NULL;
      ++at;
    }
    at = read_value(at, last, &mark);
    if (at == NULL) return NULL;
    (*last)->key = key;
    last = &(*last)->next;
    if (mark == close) return at;
    if (mark != ',') return NULL;
  }
}

/* `after` is the mark behind the value: the place returned lies beyond it. */
static char* read_value(char* at, struct json** out, char* after) {
  struct json* made = zeroed(sizeof *made);
  *out = made;
  at = skip_space(at);
  if (*at == '{' || *at == '[') {
    made->kind = *at == '{' ? JSON_OBJECT : JSON_ARRAY;
    at = read_members(at + 1, made, *at == '{' ? '}' : ']');
  } else {
    made->kind = JSON_TEXT;
    if (*at == '"') {
      at = read_string(at + 1, &made->text);
    } else {
      char* end = at + strcspn(at, ",]} \t\r\n");
      char* mark = skip_space(end);
      if (end == at) return NULL;
      made->text = at;
      *after = *mark;
      *end = '\0';
      return *after == '\0' ? mark : mark + 1;
    }
  }
  if (at == NULL) return NULL;
  at = skip_space(at);
  *after = *at;
  return *at == '\0' ? at : at + 1;
}

struct json* read_json(char* text) {
  struct json* root = NULL;
  char after = '\0';
  if (read_value(text, &root, &after) == NULL || after != '\0') return NULL;
  return root;
}

const struct json* json_member(const struct json* object, const char* key) {
  const struct json* at = object == NULL ? NULL : object->first;
  for (; at != NULL; at = at->next)
    if (at->key != NULL && strcmp(at->key, key) == 0) return at;
  return NULL;
}

const char* json_text(const struct json* object, const char* key) {
  const struct json* found = json_member(object, key);
  return found == NULL || found->text == NULL ? "" : found->text;
}
