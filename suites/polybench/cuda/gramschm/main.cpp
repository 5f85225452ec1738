#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "gram_schmidt.cuh"

namespace {

/// Random columns, far from parallel: with twice as many rows the condition stays near ten.
std::vector<float> well_conditioned(int rows, int columns) {
  std::mt19937 engine(7);
  std::vector<float> a(size_t(rows) * columns);
  for (float& v : a) v = float(engine() >> 8) / 8388608.0f - 1.0f;
  for (int j = 0; j < columns; j++) a[size_t(j) * columns + j] += 4.0f;
  return a;
}

/// The same method in double precision, column by column in memory.
void reference(const std::vector<float>& a, std::vector<double>& q, std::vector<double>& r, int rows, int columns) {
  q.resize(size_t(rows) * columns);
  r.assign(size_t(columns) * columns, 0.0);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) q[size_t(j) * rows + i] = a[size_t(i) * columns + j];
  for (int k = 0; k < columns; k++) {
    double* unit = &q[size_t(k) * rows];
    double square = 0.0;
    for (int i = 0; i < rows; i++) square += unit[i] * unit[i];
    r[size_t(k) * columns + k] = std::sqrt(square);
    for (int i = 0; i < rows; i++) unit[i] /= std::sqrt(square);
    for (int j = k + 1; j < columns; j++) {
      double* column = &q[size_t(j) * rows];
      double dot = 0.0;
      for (int i = 0; i < rows; i++) dot += unit[i] * column[i];
      r[size_t(k) * columns + j] = dot;
      for (int i = 0; i < rows; i++) column[i] -= dot * unit[i];
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int columns = argc > 2 ? std::atoi(argv[2]) : rows / 2;
  if (columns < 1 || rows < columns) {
    std::fprintf(stderr, "usage: gramschm [rows [columns]], no more columns than rows\n");
    return 2;
  }
  const std::vector<float> a = well_conditioned(rows, columns);
  GramSchmidt solver(rows, columns);
  solver.factorise(a);
  const float ms = solver.factorise(a);

  std::vector<double> q, r;
  reference(a, q, r, rows, columns);
  const std::vector<float> q_device = solver.q(), r_device = solver.r();
  const double longest = std::sqrt(double(rows)) + 4.0;
  int wrong = 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      wrong += !(std::fabs(q_device[size_t(i) * columns + k] - q[size_t(k) * rows + i]) <= 5e-5);
  for (int k = 0; k < columns; k++)
    for (int j = k; j < columns; j++)
      wrong += !(std::fabs(r_device[size_t(k) * columns + j] - r[size_t(k) * columns + j]) <= 1e-5 * longest);
  std::printf("kernel_ms %.3f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
