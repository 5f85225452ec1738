/* Just enough JSON to read expected.json. */
#ifndef JSON_H
#define JSON_H

struct json {
  enum { JSON_OBJECT, JSON_ARRAY, JSON_TEXT } kind;
  const char* key;  /* inside an object */
  const char* text; /* of a string, number or word */
  struct json *first, *next;
};

/* Takes the text apart in place. Null when it is no JSON. */
struct json* read_json(char* text);
/* Null when there is none of that name. */
const struct json* json_member(const struct json* object, const char* key);
/* The member's text, or "" when there is none. */
const char* json_text(const struct json* object, const char* key);

#endif
