#include "outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

double tolerance_of(const struct view* view, double relative) {
  const double by_type = view->scalar.scalar_bytes == 2 ? 1e-2 : view->scalar.scalar_bytes == 4 ? 1e-4 : 1e-10;
  return relative > 0 && relative < by_type ? relative : by_type;
}

double scalar_value(const struct view* view, const unsigned char* bytes, size_t i) {
  const unsigned char* at = bytes + view_at(view, i);
  const int is_signed = view->scalar.kind == SIGNED_SCALAR;
  union {
    uint8_t u1;
    int8_t s1;
    uint16_t u2;
    int16_t s2;
    uint32_t u4;
    int32_t s4;
    uint64_t u8;
    int64_t s8;
    float single;
    double real;
  } value;
  memcpy(&value, at, view->scalar.scalar_bytes);
  switch (view->scalar.scalar_bytes) {
    case 1: return is_signed ? value.s1 : value.u1;
    case 2: return view->scalar.kind == REAL_SCALAR ? half_to(value.u2) : is_signed ? value.s2 : value.u2;
    case 4: return view->scalar.kind == REAL_SCALAR ? value.single : is_signed ? value.s4 : (double)value.u4;
    default: return view->scalar.kind == REAL_SCALAR ? value.real : is_signed ? (double)value.s8 : (double)value.u8;
  }
}

static int is_poison(const struct view* view, const unsigned char* bytes, size_t i) {
  const unsigned char* at = bytes + view_at(view, i);
  size_t k;
  for (k = 0; k < view->scalar.scalar_bytes; ++k)
    if (at[k] != POISON) return 0;
  return 1;
}

/* FNV-1a, 64 bits. */
static unsigned long long digested(unsigned long long digest, const unsigned char* bytes, size_t count) {
  size_t k;
  for (k = 0; k < count; ++k) digest = (digest ^ bytes[k]) * 1099511628211ULL;
  return digest;
}

struct summary summarise(const struct view* view, const unsigned char* bytes) {
  struct summary out = {0, 0, 0, 0, 0, 0, 14695981039346656037ULL};
  size_t i;
  for (i = 0; i < view->scalars; ++i) {
    const double size = fabs(scalar_value(view, bytes, i));
    if (view->scalar.kind != REAL_SCALAR)
      out.digest = digested(out.digest, bytes + view_at(view, i), view->scalar.scalar_bytes);
    else if (is_poison(view, bytes, i))
      ++out.unwritten;
    else if (isnan(size))
      ++out.nan;
    else if (isinf(size))
      ++out.infinite;
    else {
      out.l1 += size;
      out.l2 += size * size;
      if (size > out.max) out.max = size;
    }
  }
  out.l2 = sqrt(out.l2);
  return out;
}

/* The k-th smallest, by partitions: order is lost. */
static double kth(double* values, size_t count, size_t k) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    const double pivot = values[low + (high - low) / 2];
    size_t i = low, j = high;
    for (;;) {
      while (values[i] < pivot) ++i;
      while (values[j] > pivot) --j;
      if (i >= j) break;
      {
        const double swapped = values[i];
        values[i++] = values[j];
        values[j--] = swapped;
      }
    }
    if (k <= j)
      high = j;
    else
      low = j + 1;
  }
  return values[k];
}

double typical_size(const struct view* view, const unsigned char* bytes) {
  double* sizes = zeroed(view->scalars * sizeof *sizes);
  double squares = 0, middle, rms;
  size_t i, count = 0;
  for (i = 0; i < view->scalars; ++i) {
    const double size = fabs(scalar_value(view, bytes, i));
    if (!isfinite(size) || size == 0 || is_poison(view, bytes, i)) continue;
    sizes[count++] = size;
    squares += size * size;
  }
  middle = count > 0 ? kth(sizes, count, count / 2) : 0;
  rms = count > 0 ? sqrt(squares / (double)count) : 0;
  free(sizes);
  return rms < 16 * middle ? rms : 16 * middle;
}

int same_real(double wanted, double got, double tolerance, double typical) {
  const double size = fabs(wanted) > typical ? fabs(wanted) : typical;
  if (isnan(wanted) || isnan(got)) return isnan(wanted) && isnan(got);
  if (isinf(wanted) || isinf(got)) return wanted == got;
  return fabs(wanted - got) <= tolerance * size;
}

struct difference compare_outputs(const struct view* view, const unsigned char* wanted, const unsigned char* got,
                                  double relative) {
  struct difference out = {0, 0};
  const double tolerance = tolerance_of(view, relative);
  const int is_real = view->scalar.kind == REAL_SCALAR;
  double typical = -1; /* only wanted when some bits differ */
  size_t i;
  for (i = 0; i < view->scalars; ++i) {
    const size_t at = view_at(view, i);
    if (memcmp(wanted + at, got + at, view->scalar.scalar_bytes) == 0) continue;
    if (is_real && typical < 0) typical = typical_size(view, wanted);
    if (is_real && !is_poison(view, wanted, i) &&
        same_real(scalar_value(view, wanted, i), scalar_value(view, got, i), tolerance, typical))
      continue;
    if (out.count++ == 0) out.first = i;
  }
  return out;
}
