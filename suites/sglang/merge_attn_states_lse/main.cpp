// merge_attn_states_lse [TOKENS [HEADS [HEAD_SIZE]]]: merges attention over a prefix with attention over the rest.
#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

#include "attention.hpp"
#include "merger.hpp"

int main(int argc, char** argv) {
  try {
    Shape shape;
    if (argc > 1) shape.tokens = std::stoi(argv[1]);
    if (argc > 2) shape.heads = std::stoi(argv[2]);
    if (argc > 3) shape.head_size = std::stoi(argv[3]);
    if (shape.tokens < 1 || shape.heads < 1 || shape.head_size < 1) throw std::invalid_argument("sizes start at one");

    State prefix, suffix;
    make_states(shape, prefix, suffix);
    Merger merger(shape, prefix, suffix);

    merger.merge();
    const double best = std::min({merger.merge(), merger.merge(), merger.merge()});
    const std::size_t wrong = count_wrong(shape, prefix, suffix, merger.result());

    std::cout << "kernel_ms " << std::fixed << std::setprecision(3) << best << '\n';
    if (wrong > 0) std::cout << wrong << " values are wrong\n";
    std::cout << "check " << (wrong > 0 ? "FAILED" : "OK") << '\n';
    return wrong > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << "merge_attn_states_lse: " << error.what() << '\n';
    return 2;
  }
}
