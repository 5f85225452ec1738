#include "covar.h"

void covariance_on_host(const std::vector<float>& data, int n, int m, std::vector<double>& matrix,
                        std::vector<double>& variance) {
  std::vector<double> centered(data.size());  // variable by variable
  for (int j = 0; j < m; j++) {
    double mean = 0.0;
    for (int i = 0; i < n; i++) mean += data[size_t(i) * m + j];
    mean /= n;
    for (int i = 0; i < n; i++) centered[size_t(j) * n + i] = data[size_t(i) * m + j] - mean;
  }
  matrix.resize(size_t(m) * m);
  variance.resize(m);
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++) sum += centered[size_t(a) * n + i] * centered[size_t(b) * n + i];
      matrix[size_t(a) * m + b] = matrix[size_t(b) * m + a] = sum / (n - 1);
      if (a == b) variance[a] = sum / (n - 1);
    }
}
