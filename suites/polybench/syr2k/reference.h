/* Row i of alpha (A B^T + B A^T) + beta C in double precision against the same row of out: how many elements differ. */
int wrong_row(const float *a, const float *b, const float *c, const float *out, float alpha, float beta, int n, int m, int i);
