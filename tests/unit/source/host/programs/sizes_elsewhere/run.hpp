#pragma once
#include "options.hpp"
void run(const Options& options, const std::vector<float>& values, const std::vector<float>& mixed);
