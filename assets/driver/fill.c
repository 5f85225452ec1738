/* Built without fused multiply-adds (-ffp-contract=off): they would round differently where the processor has them. */
#include "fill.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int element_type_named(const char* name, struct element_type* out) {
  static const struct {
    const char* name;
    enum scalar_kind kind;
    size_t bytes;
  } scalars[] = {{"char", SIGNED_SCALAR, 1},     {"uchar", UNSIGNED_SCALAR, 1},  {"bool", UNSIGNED_SCALAR, 1},
                 {"short", SIGNED_SCALAR, 2},    {"ushort", UNSIGNED_SCALAR, 2}, {"int", SIGNED_SCALAR, 4},
                 {"uint", UNSIGNED_SCALAR, 4},   {"long", SIGNED_SCALAR, 8},     {"ulong", UNSIGNED_SCALAR, 8},
                 {"half", REAL_SCALAR, 2},       {"float", REAL_SCALAR, 4},      {"double", REAL_SCALAR, 8},
                 {"size_t", UNSIGNED_SCALAR, 8}, {"ptrdiff_t", SIGNED_SCALAR, 8}};
  static const char* const counts[] = {"", "2", "3", "4", "8", "16"};
  size_t i, k;
  for (i = 0; i < sizeof scalars / sizeof *scalars; ++i) {
    const size_t length = strlen(scalars[i].name);
    if (strncmp(name, scalars[i].name, length) != 0) continue;
    for (k = 0; k < sizeof counts / sizeof *counts; ++k) {
      if (strcmp(name + length, counts[k]) != 0) continue;
      out->kind = scalars[i].kind;
      out->scalar_bytes = scalars[i].bytes;
      out->lanes = k == 0 ? 1 : (size_t)atoi(counts[k]);
      return 1;
    }
  }
  return 0;
}

size_t element_bytes(const struct element_type* type) {
  return type->scalar_bytes * (type->lanes == 3 ? 4 : type->lanes);
}

/* Half precision, rounded to nearest even: C has no such type. */
uint16_t half_from(double value) {
  const unsigned sign = signbit(value) ? 0x8000U : 0U;
  const double size = fabs(value);
  double rounded;
  int exponent, spacing;
  if (isnan(value)) return 0x7E00U;
  if (size >= 65520.0) return (uint16_t)(sign | 0x7C00U);
  frexp(size, &exponent);
  spacing = size < 0x1p-14 ? -24 : exponent - 11;
  rounded = ldexp(nearbyint(ldexp(size, -spacing)), spacing);
  if (rounded < 0x1p-14) return (uint16_t)(sign | (unsigned)ldexp(rounded, 24));
  frexp(rounded, &exponent);
  return (uint16_t)(sign | ((unsigned)(exponent + 14) << 10) | ((unsigned)ldexp(rounded, 11 - exponent) & 0x3FFU));
}

double half_to(uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 0x1F;
  const int mantissa = bits & 0x3FF;
  if (exponent == 0x1F) return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp(mantissa, -24);
  return sign * ldexp(mantissa + 1024, exponent - 25);
}

enum form { ZERO, CONST, RAMP, UNIFORM, UNIFORM_INT, INDEX, PERMUTATION, SPD, DOMINANT, SPARSE, OFFSETS };

struct generator {
  enum form form;
  double a, b;
};

static const char* skip_space(const char* at) {
  while (isspace((unsigned char)*at)) ++at;
  return at;
}

/* "(1, 2)" or nothing; -1 when it is neither. */
static int read_arguments(const char* at, double out[2]) {
  int count = 0;
  at = skip_space(at);
  if (*at == '\0') return 0;
  if (*at++ != '(') return -1;
  for (;;) {
    char* end;
    const double value = strtod(at, &end);
    if (end == at || count == 2 || !isfinite(value)) return -1;
    out[count++] = value;
    at = skip_space(end);
    if (*at == ')') return *skip_space(at + 1) == '\0' ? count : -1;
    if (*at++ != ',') return -1;
  }
}

static int are_sensible(enum form form, double a, double b) {
  if (form == INDEX || form == PERMUTATION || form == SPD || form == DOMINANT)
    return a >= 1 && a <= 0x1p53 && a == floor(a);
  if (form == OFFSETS) return a >= 0 && a <= 0x1p53 && a == floor(a) && b >= 1 && b <= 0x1p53 && b == floor(b);
  if (form == UNIFORM || form == UNIFORM_INT || form == SPARSE) return a <= b && fabs(a) <= 0x1p62 && fabs(b) <= 0x1p62;
  return 1;
}

static int read_generator(const char* text, struct generator* out) {
  static const struct {
    const char* name;
    enum form form;
    int least, most;
  } forms[] = {{"zero", ZERO, 0, 0},
               {"const", CONST, 1, 1},
               {"ramp", RAMP, 0, 2},
               {"uniform", UNIFORM, 2, 2},
               {"uniform_int", UNIFORM_INT, 2, 2},
               {"index", INDEX, 1, 1},
               {"permutation", PERMUTATION, 1, 1},
               {"spd", SPD, 1, 1},
               {"dominant", DOMINANT, 1, 1},
               {"sparse", SPARSE, 2, 2},
               {"offsets", OFFSETS, 2, 2}};
  size_t i, length = 0;
  text = skip_space(text);
  while (isalpha((unsigned char)text[length]) || text[length] == '_') ++length;
  for (i = 0; i < sizeof forms / sizeof *forms; ++i) {
    double arguments[2] = {0, 0};
    int count;
    if (strlen(forms[i].name) != length || strncmp(text, forms[i].name, length) != 0) continue;
    count = read_arguments(text + length, arguments);
    if (count < forms[i].least || count > forms[i].most) return 0;
    if (forms[i].form == RAMP && count < 2) arguments[1] = 1;
    if (!are_sensible(forms[i].form, arguments[0], arguments[1])) return 0;
    out->form = forms[i].form;
    out->a = arguments[0];
    out->b = arguments[1];
    return 1;
  }
  return 0;
}

/* The finaliser of SplitMix64. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}
static uint64_t draw(uint64_t seed, uint64_t index) {
  return mix(mix(seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0x632BE59BD9B4E019)) +
             index * UINT64_C(0x9E3779B97F4A7C15));
}
static double unit(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

/* The high half of bits * n, in 32-bit parts: C99 has no wider product. */
static uint64_t below(uint64_t bits, uint64_t n) {
  const uint64_t half = UINT64_C(0xFFFFFFFF);
  const uint64_t low = (bits & half) * (n & half);
  const uint64_t left = (bits >> 32) * (n & half) + (low >> 32);
  const uint64_t right = (bits & half) * (n >> 32) + (left & half);
  return (bits >> 32) * (n >> 32) + (left >> 32) + (right >> 32);
}
static int64_t whole_between(uint64_t bits, double a, double b) {
  const int64_t low = (int64_t)ceil(a);
  const int64_t high = (int64_t)floor(b);
  if (high <= low) return low;
  return low + (int64_t)below(bits, (uint64_t)(high - low) + 1);
}

/* A bijection of the next power of two, walked until it lands below n. */
static uint64_t permuted(uint64_t seed, uint64_t i, uint64_t n) {
  unsigned bits = 1, round;
  uint64_t mask;
  while ((UINT64_C(1) << bits) < n) ++bits;
  mask = (UINT64_C(1) << bits) - 1;
  do {
    for (round = 0; round < 4; ++round) {
      const uint64_t key = draw(seed, round);
      i = (i * (key | 1U) + (key >> 32)) & mask;
      i ^= i >> ((bits + 1) / 2);
    }
  } while (i >= n);
  return i;
}

static double dominant(uint64_t seed, uint64_t index, uint64_t n, int symmetric) {
  const uint64_t i = index / n % n, j = index % n;
  const double off = unit(draw(seed, symmetric ? (i < j ? i : j) * n + (i < j ? j : i) : i * n + j));
  return i == j ? (double)n + off : off;
}

/* Where part i of `parts` ragged ones begins in [0,total]. */
static uint64_t row_offset(uint64_t seed, uint64_t i, uint64_t total, uint64_t parts) {
  double at;
  if (i >= parts) return total;
  if (draw(~seed, i / 4) % 4 == 0) i = i / 4 * 4;
  if (i == 0) return 0;
  at = ((double)i - unit(draw(seed, i))) / (double)parts;
  return (uint64_t)(at * (double)total);
}

/* Whole numbers stay whole: 64-bit ones are not squeezed through a double. */
struct number {
  int is_whole;
  int64_t whole;
  double real;
};
static struct number whole(uint64_t value) {
  struct number out = {1, 0, 0};
  out.whole = (int64_t)value;
  return out;
}
static struct number real(double value) {
  struct number out = {0, 0, 0};
  out.real = value;
  return out;
}

static struct number element(const struct generator* g, enum scalar_kind kind, uint64_t seed, uint64_t i) {
  switch (g->form) {
    case ZERO: return whole(0);
    case CONST: return real(g->a);
    case RAMP: return real(g->a + g->b * (double)i);
    case UNIFORM:
      if (kind == REAL_SCALAR) return real(g->a + (g->b - g->a) * unit(draw(seed, i)));
      return whole((uint64_t)whole_between(draw(seed, i), g->a, g->b));
    case UNIFORM_INT: return whole((uint64_t)whole_between(draw(seed, i), g->a, g->b));
    case INDEX: return whole(below(draw(seed, i), (uint64_t)g->a));
    case PERMUTATION: return whole(permuted(seed + i / (uint64_t)g->a, i % (uint64_t)g->a, (uint64_t)g->a));
    case SPD: return real(dominant(seed, i, (uint64_t)g->a, 1));
    case DOMINANT: return real(dominant(seed, i, (uint64_t)g->a, 0));
    case OFFSETS: return whole(row_offset(seed, i, (uint64_t)g->a, (uint64_t)g->b));
    case SPARSE:
      if (draw(~seed, i) % 4 != 0) return whole(0);
      if (kind == REAL_SCALAR) return real(g->a + (g->b - g->a) * unit(draw(seed, i)));
      return whole((uint64_t)whole_between(draw(seed, i), g->a, g->b));
  }
  return whole(0);
}

/* Reals beyond the range of an integer type are cut to its ends; whole numbers wrap. */
static uint64_t as_bits(const struct number* value, enum scalar_kind kind) {
  if (value->is_whole) return (uint64_t)value->whole;
  if (kind == UNSIGNED_SCALAR && value->real >= 0x1p63)
    return value->real < 0x1p64 ? (uint64_t)value->real : ~UINT64_C(0);
  if (value->real >= 0x1p63) return (uint64_t)INT64_MAX;
  if (value->real <= -0x1p63) return (uint64_t)INT64_MIN;
  return (uint64_t)(int64_t)value->real;
}

static void store_integer(uint64_t bits, size_t bytes, uint8_t* at) {
  const uint8_t one = (uint8_t)bits;
  const uint16_t two = (uint16_t)bits;
  const uint32_t four = (uint32_t)bits;
  switch (bytes) {
    case 1: memcpy(at, &one, 1); break;
    case 2: memcpy(at, &two, 2); break;
    case 4: memcpy(at, &four, 4); break;
    default: memcpy(at, &bits, 8);
  }
}

static void store(const struct number* value, const struct element_type* type, uint8_t* at) {
  const double number = value->is_whole ? (double)value->whole : value->real;
  const float single = (float)number;
  uint16_t half;
  if (type->kind != REAL_SCALAR) {
    store_integer(as_bits(value, type->kind), type->scalar_bytes, at);
  } else if (type->scalar_bytes == 2) {
    half = half_from(number);
    memcpy(at, &half, 2);
  } else if (type->scalar_bytes == 4) {
    memcpy(at, &single, 4);
  } else {
    memcpy(at, &number, 8);
  }
}

/* One field of all records: "12 int 1 index(64)". */
static int fill_field(const char* text, size_t stride, uint64_t seed, uint8_t* out, size_t bytes) {
  struct element_type type;
  struct generator g;
  char name[16], generator[256];
  unsigned long offset, lanes, i, lane;
  if (sscanf(text, "%lu %15s %lu %255s", &offset, name, &lanes, generator) != 4) return 0;
  if (!element_type_named(name, &type) || !read_generator(generator, &g)) return 0;
  if (offset + lanes * type.scalar_bytes > stride) return 0;
  for (i = 0; (i + 1) * stride <= bytes; ++i)
    for (lane = 0; lane < lanes; ++lane) {
      const struct number value = element(&g, type.kind, seed, i * lanes + lane);
      store(&value, &type, out + i * stride + offset + lane * type.scalar_bytes);
    }
  return 1;
}

/* "record(16; 0 float 3 uniform(-1,1); 12 int 1 index(64))" */
static int fill_records(const char* text, uint64_t seed, uint8_t* out, size_t bytes) {
  char part[512];
  unsigned long stride = 0;
  const char* at = text + strlen("record(");
  size_t length;
  if (sscanf(at, "%lu", &stride) != 1 || stride == 0) return 0;
  at = strchr(at, ';');
  for (; at != NULL; at = at[length + 1] == ';' ? at + length + 1 : NULL, ++seed) {
    length = strcspn(at + 1, ";");
    if (length + 1 > sizeof part) return 0;
    memcpy(part, at + 1, length);
    part[length] = '\0';
    if (at[length + 1] == '\0') { /* the bracket around all of them */
      char* last = strrchr(part, ')');
      if (last == NULL) return 0;
      *last = '\0';
    }
    if (!fill_field(part, stride, seed, out, bytes)) return 0;
  }
  return 1;
}

int fill_elements(const char* generator, const struct element_type* type, uint64_t seed, uint8_t* out, size_t bytes) {
  struct generator g;
  size_t i;
  if (strncmp(generator, "record(", 7) == 0) return fill_records(generator, seed, out, bytes);
  if (!read_generator(generator, &g)) return 0;
  for (i = 0; i < bytes / type->scalar_bytes; ++i) {
    const struct number value = element(&g, type->kind, seed, i);
    store(&value, type, out + i * type->scalar_bytes);
  }
  return 1;
}

int fill_normalised(const char* generator, const struct element_type* channel, double scale, uint64_t seed,
                    uint8_t* out, size_t bytes) {
  const double low = channel->kind == UNSIGNED_SCALAR ? 0 : -scale;
  struct generator g;
  size_t i;
  if (!read_generator(generator, &g)) return 0;
  for (i = 0; i < bytes / channel->scalar_bytes; ++i) {
    const struct number value = element(&g, REAL_SCALAR, seed, i);
    const double wanted = nearbyint((value.is_whole ? (double)value.whole : value.real) * scale);
    const double stored = wanted < low ? low : wanted > scale ? scale : wanted;
    store_integer((uint64_t)(int64_t)stored, channel->scalar_bytes, out + i * channel->scalar_bytes);
  }
  return 1;
}
