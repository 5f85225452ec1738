#pragma once
// D = alpha A B C + beta D in two steps. All pointers are device pointers.
void launch_product(const float* a, const float* b, float* tmp, float alpha, int ni, int nj, int nk);
void launch_accumulate(const float* tmp, const float* c, float* d, float beta, int ni, int nl, int nj);
