// matrixmultiplication [ROWS COLUMNS INNER]: C = A B, with A of ROWS x INNER and B of INNER x COLUMNS.
#include <algorithm>
#include <cmath>
#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

#include "matrix.hpp"
#include "multiplier.hpp"

int main(int argc, char** argv) {
  if (argc != 1 && argc != 4) {
    std::cerr << "usage: " << argv[0] << " [ROWS COLUMNS INNER]\n";
    return 2;
  }
  try {
    const int rows = argc == 4 ? std::stoi(argv[1]) : 512;
    const int columns = argc == 4 ? std::stoi(argv[2]) : 512;
    const int inner = argc == 4 ? std::stoi(argv[3]) : 512;
    if (rows < 1 || columns < 1 || inner < 1) throw std::invalid_argument("sizes start at one");
    const Matrix a = random_matrix(rows, inner, 1), b = random_matrix(inner, columns, 2);
    Matrix c(rows, columns);

    Multiplier multiplier;
    multiplier.multiply(a, b, c);
    double best = multiplier.multiply(a, b, c);
    for (int run = 1; run < 3; run++) best = std::min(best, multiplier.multiply(a, b, c));

    // products are below one, and so is the rounding error of every addition below half a unit of the running sum
    const double error = largest_error(a, b, c), allowed = 4e-7 * inner;
    std::cout << "kernel_ms " << std::fixed << std::setprecision(3) << best << "\n";
    std::cout << "largest error " << std::scientific << error << ", allowed " << allowed << "\n";
    std::cout << "check " << (error <= allowed ? "OK" : "FAILED") << std::endl;
    return error <= allowed ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
