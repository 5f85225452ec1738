#pragma once

/// A is ni x nk, B is nk x nj, C is nj x nm, D is nm x nl.
struct Sizes {
  int ni, nj, nk, nl, nm;
};

/// One argument makes all sizes alike, five set each. Ends the program on anything else.
Sizes parse(int argc, char** argv);
