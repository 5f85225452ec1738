// Kernels of many shapes: (const float* a, float* o, int n), one result for each of n work-items.
typedef float real;
real helper(real a, real b) { return a * b + 1.0f; }
__kernel void select_with_math(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  o[i] = a[i] > 0.0f ? sqrt(a[i]) : exp(a[i]);
}
__kernel void running_maximum(__global const float* a, __global float* o, int n) {
  size_t i = get_global_id(0);
  if (i < n) {
    float m = -1.0f;
    for (int k = 0; k < 7; k++) {
      float v = a[(i + k) % n];
      if (v > m) m = v;
    }
    o[i] = m;
  }
}
__kernel void loop_by_item(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int k = 0; k <= i % 9; k++) s += a[k * 3 + i % 5];
    o[i] = s;
  }
}
__kernel void neighbours_if(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = a[i];
    if (i > 0) s += a[i - 1];
    if (i < n - 1) s += a[i + 1];
    o[i] = s / 3;
  }
}
__kernel void clamped(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int d = -3; d <= 3; d++) {
      int j = clamp(i + d, 0, n - 1);
      s += a[j];
    }
    o[i] = s;
  }
}
__kernel void clamped_twice_and_helper(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int d = -3; d <= 3; d++) {
      int j = i + d;
      j = j < 0 ? 0 : j;
      j = j >= n ? n - 1 : j;
      s += a[j];
    }
    o[i] = helper(s, a[i]);
  }
}
__kernel void private_array_unsigned(__global const float* a, __global float* o, int n) {
  uint i = get_global_id(0);
  uint w = n;
  if (i < w) {
    float acc[3];
    for (int c = 0; c < 3; c++) acc[c] = a[i] * c;
    float t = 0;
    for (int c = 0; c < 3; c++) t += acc[c];
    o[i] = t + (i - 1u < w ? 1.0f : 2.0f) + (float)(i * 2);
  }
}
__kernel void neighbours_before_guard(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  float left = 0.f, right = 0.f;
  if (i >= 1) {
    left = a[i - 1];
  }
  if (i + 1 < n) right = a[i + 1];
  if (i < n) o[i] = left + right;
}
__kernel void update_in_place(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    o[i] = 0;
    for (int k = 0; k < n; k += 37) {
      if (k == i) continue;
      float d = a[k] - a[i];
      o[i] += 1.0f / (d * d + 0.01f);
    }
  }
}
__kernel void bits_and_flags(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int x = i & 3;
    int f = a[i] < 0.5f;
    o[i] = (float)(x * f + (i >> 1)) + (a[i] > 0 && a[i] < 0.5f);
  }
}
__kernel void reversed(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    o[n - 1 - i] = a[i];
  }
}
__kernel void unguarded(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  o[i] = a[i] * 2.0f;
}
__kernel void grid_stride(__global const float* a, __global float* o, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) o[i] = a[i] + 1.0f;
}
__kernel void switch_case(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0), j = 0;
  float v;
  if (i >= n) return;
  v = a[i];
  switch (i % 3) {
    case 0: v += 1; break;
    case 1: v *= 2; break;
    default: v = -v;
  }
  o[i] = v;
}
__kernel void vector_values(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float4 v = (float4)(a[i], 1.0f, 2.0f, 3.0f);
    o[i] = dot(v, v) + v.y;
  }
}
__kernel void double_and_long(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    double d = a[i];
    long q = i;
    d = d * 0.1 + q;
    o[i] = (float)d + fmax(a[i], 0.0f) + max(i, 7) + a[i] * a[i];
  }
}
float squared_distance(__global const float* p, __global const float* q, int len) {
  float sum = 0.0f;
  for (int f = 0; f < len; f++) {
    float d = p[f] - q[f];
    sum += d * d;
  }
  return sum;
}
__kernel void nearest_by_helper(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int best = -1;
  float least = 1000.0f;
  for (int c = 0; c < 4; c++) {
    float d = squared_distance(a + i % 2 * (n / 2), a + c % n, n - n / 2 - (c % n));
    if (d < least) {
      least = d;
      best = c;
    }
  }
  o[i] = least + best;
}
float fold_back(float d, const float box) {
  if (d > 0.5f * box)
    d -= box;
  else if (d < -0.5f * box)
    d += box;
  return d;
}
float step_of(float v) {
  if (v < 0.0f) return -1.0f;
  if (v > 0.5f) return 2.0f;
  return 0.25f * v;
}
__kernel void helpers_that_branch(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) o[i] = fold_back(a[i] * 3.0f, 1.5f) + step_of(a[i]) * (i > 2 ? step_of(a[i] + 1.0f) : 1.0f);
}
void mix_in(ulong* v, ulong m) {
  v[1] ^= m;
  v[0] += rotate(v[1], (ulong)13);
  v[1] = v[1] * 5 + v[0];
}
ulong mixed(ulong* v) {
  mix_in(v, 3);
  return v[0] ^ v[1];
}
__kernel void mixed_in_place(__global const float* a, __global float* o, int n) {
  size_t i = get_global_id(0);
  ulong v[2];
  if (i >= n) return;
  v[0] = 7UL * i;
  v[1] = 0x736f6d65UL;
  for (int w = 0; w < 3; w++) mix_in(v, w + i);
  ulong h = mixed(v);
  o[i] = (float)(h & 1023) + (h < 0x7000000000000000UL ? a[i] : 0.0f);
}
void both(float x, float* twice, float* half_of) {
  *twice = x + x;
  *half_of = 0.5f * x;
}
__kernel void results_by_address(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float t, h = 1.0f;
    both(a[i], &t, &h);
    o[i] = t * 3.0f + h;
  }
}
__kernel void strip_of_columns(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i * 5 < n) {
    for (int j = i * 5; j < min(i * 5 + 5, n); j++) o[j] = a[j] * 2.0f + a[i];
  }
}
__kernel void counters_on_top(__global const float* a, __global float* o, int n) {
  int j, k;
  float s;
  if (get_global_id(0) != 0) return;
  for (j = 0; j < n; j++) {
    s = 0.0f;
    for (k = 0; k < 3; k++) s += a[(j + k) % n];
    o[j] = s;
  }
}
__kernel void running_sum(__global const float* a, __global float* o, int n) {
  if (get_global_id(0) == 0) {
    float s = 0.0f;
    for (int j = 0; j < n; j++) {
      s += a[j];
      o[j] = s;
    }
  }
}
__kernel void shifted_along(__global const float* a, __global float* o, int n) {
  if (get_global_id(0) == 0) {
    o[0] = a[0];
    for (int j = 1; j < n; j++) o[j] = o[j - 1] * 0.5f + a[j];
  }
}
__kernel void last_of_loop(__global const float* a, __global float* o, int n) {
  float last = 0.0f;
  if (get_global_id(0) == 0) {
    for (int j = 0; j < n - 1; j++) {
      last = a[j];
      o[j] = last * 2.0f;
    }
    o[n - 1] = last;
  }
}
__kernel void halved_until_small(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float x = fabs(a[i]) * 8.0f;
    int turns = 0;
    while (x > 0.3f && turns < 9) {
      x *= 0.5f;
      turns++;
    }
    float s = 0.0f;
    for (int k = 0, m = i; k < turns || m % 3 != 0; k++, m++) s += k * 0.25f;
    for (int k = i % 4; k < 4; k++) s += a[k % n];
    o[i] = x + turns + s;
  }
}
__kernel void decisions_within(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0.0f, t = 1.0f;
    int count = 0;
    for (int k = 0; k < 5; k++) {
      float x = a[(i + k) % n];
      if (x > -0.6f) {
        const float y = x * x;
        float z = y + 1.0f;
        z -= 0.25f;
        if (y > 0.5f) {
          s += y / z;
          count++;
        } else if (x < 0.1f) {
          t *= z;
        } else {
          s -= x;
          t -= 0.125f;
        }
        count += k;
      }
    }
    o[i] = s + t * count;
  }
}
__kernel void short_vectors(__global const float* a, __global float* o, int n) {
  const int2 at = (int2)(get_global_id(0), 3);
  if (at.x >= n) return;
  float4 v = (float4)(a[at.x], 1.0f, a[(at.x + at.y) % n], 0.5f);
  float4 sum = (float4)(0.0f);
  v.xy = v.yx;
  for (int k = 0; k < 3; k++) {
    const float3 d = v.xyz - (float3)(a[k % n], 0.25f, k);
    const float w = dot(d, d) + 1.0f;
    sum += (w * 2.0f + v.w) * v;
    sum.w += fmax(d, (float3)(0.5f)).z;
    if (w > 1.5f) sum.y -= d.x;
  }
  v = sum.wzyx / 2.0f;
  v = (float4)(v.yz, v.xw);
  o[at.x] = v.x + v.y * 0.5f - v.z + -v.w;
}
__kernel void pointer_of_its_own(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  __global const float* from = a + (i * 3) % n;
  __global float* to = o + i;
  float2 pair = (float2)(from[0], i);
  to[0] = pair.x + dot(pair, pair);
}
__kernel void update_then_first(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    o[i] += a[i];
    if (i == 0) o[i] *= 3.0f;
  }
}
__kernel void update_then_same_for_all(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    o[i] += a[i];
    if (n > 10) o[i] *= 3.0f;
  }
}
__kernel void either_update(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    if (n > 10) {
      o[i] += a[i];
      if (n > 20) o[i] -= 0.25f;
    } else if (i < 6) {
      o[i] -= a[i];
    }
  }
}
__kernel void starts_at_item(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int j = i; j < n; j++) {
    float t = 0;
    for (int k = 0; k < 3; k++) t += a[(j + k) % n];
    s = s * 0.5f + t;
  }
  o[i] = s;
}
__kernel void starts_before_the_end(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int j = n - 1 - i; j <= n - 1; j++) s = s * 0.5f + a[j];
    o[i] = s;
  }
}
__kernel void ends_at_item(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    int count = 0;
    for (int j = 0; j <= i; j++) {
      s = s * 0.5f + a[j];
      count++;
    }
    o[i] = s * count;
  }
}
__kernel void ends_before_it_starts(__global const float* a, __global float* o, int n) {
  uint i = get_global_id(0);
  uint w = n;
  if (i < w) {
    float s = a[i];
    for (uint j = 5; j < i; j++) s = s * 0.5f + a[j];
    o[i] = s;
  }
}
__kernel void upper_triangle(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    o[i * n + i] = 1.0f;
    for (int j = i + 1; j < n; j++) {
      o[i * n + j] = 0.0f;
      for (int k = 0; k < 3; k++) o[i * n + j] += a[i + k] * a[j + k];
      o[j * n + i] = o[i * n + j];
    }
  }
}
__kernel void lower_triangle(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    for (int j = 0; j <= i; j++) {
      float s = 0.0f;
      for (int k = 0; k < 3; k++) s += a[i + k] * a[j + 2 - k];
      o[i * n + j] = s;
    }
  }
}
__kernel void window(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const int left = max(i - 2, 0);
  const int right = min(i + 3, n - 1);
  float s = 0;
  for (int j = left; j <= right; j++) {
    const float weight = 0.5f * (j - i + 3);
    s = s * 0.5f + a[j] * weight;
  }
  o[i] = s;
}
__kernel void window_wider_than_all(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int j = max(i - 20, 0); j < min(i + 9, n); j++) s = s * 0.5f + a[j];
    o[i] = s;
  }
}
__kernel void window_past_the_edges(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int j = i - 2; j < i + 3; j++)
      if (j >= 0 && j < n) s = s * 0.5f + a[j];
    o[i] = s;
  }
}
__kernel void window_in_a_window(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    float s = 0;
    for (int j = max(i - 1, 0); j <= min(i + 1, n - 1); j++)
      for (int k = max(j - 2, 1); k <= min(j + 1, n - 1); k++) s = s * 0.5f + a[k];
    o[i] = s;
  }
}
__kernel void rows_of_a_picture(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  const int w = n / 3 + 1;
  if (i < n) {
    const int row = i / w, column = i % w;
    o[row * w + column] = a[column] * 2.0f + a[row];
  }
}
__kernel void pairs_apart(__global const float* a, __global float* o, int n) {
  const uint i = get_global_id(0);
  const uint d = n > 20 ? 8 : 2;
  if (i < (uint)n / (2 * d) * d) {
    const uint low = i / d * d * 2 + i % d;
    const float x = o[low], y = o[low + d];
    o[low] = x + y;
    o[low + d] = x - y * a[i % d];
  }
}
__kernel void remainders_below_zero(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    const int j = i - 9;
    const int r = j % 5;
    o[i] = a[(r + 5) % n] + j / 5;
  }
}
__kernel void division_if_there_is_one(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  const int w = n - 7;
  if (i < n) {
    float s = w > 0 ? a[i % w] : 0.5f;
    if (w > 3) s += a[i / w];
    o[i] = s;
  }
}
__kernel void cells_of_a_box(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  const int w = n / 5 + 2, h = 3;
  if (i < n) {
    const int x = i % w, y = i / w % h, z = i / (w * h);
    o[z * (w * h) + y * w + x] = a[min(x, n - 1)] + a[min(y, n - 1)] * 3.0f + a[min(z, n - 1)];
  }
}
__kernel void adds_whole_numbers(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int s = i;
    uint bits = 7, product = 1;
    for (int j = 0; j < n; j++) {
      s += (int)(a[j] * 8.0f);
      s -= j;
      bits ^= (uint)(a[j] * 16.0f + 64.0f) << (j & 7);
      product *= (uint)j * 2u + 3u;
    }
    o[i] = (float)s + (float)(bits & 1023u) + (float)(product >> 20) + a[i];
  }
}
__kernel void least_and_greatest(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float most = -10.0f, least = 10.0f, last = a[i], near = 5.0f;
    for (int j = 0; j < n; j++) {
      most = fmax(most, a[j]);
      if (a[j] < least) least = a[j];
      last = last < a[j] * 0.5f ? a[j] * 0.5f : last;
      near = fmin(fabs(a[j] - a[i]) + (float)j, near);
    }
    o[i] = most + 3.0f * least + 7.0f * last + near;
  }
}
__kernel void counts_some(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int above = 0, steps = 0;
    for (int j = 0; j < n; j++) {
      if (a[j] > a[i]) above++;
      for (int l = 0; l < j % 3; l++) steps += l + 1;
    }
    o[i] = (float)(above * 100 + steps);
  }
}
__kernel void adds_from_where_it_is_to_where_it_is(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int s = 0, t = 0;
    for (int j = i; j < n; j++) s += (int)(a[j] * 8.0f) * (j - i);
    for (int j = 0; j <= i; j += 2) t = t + (int)(a[j] * 8.0f) - 1;
    o[i] = (float)(s * 3 + t);
  }
}
__kernel void what_is_no_sum(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int s = 1, t = 2, u = 3;
    for (int j = 0; j < n; j++) {
      s = s * 2 + (int)(a[j] * 8.0f);
      t = (int)(a[j] * 8.0f) - t;
      u += a[j];
    }
    o[i] = (float)(s & 4095) + (float)(t & 255) + (float)u;
  }
}
