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
