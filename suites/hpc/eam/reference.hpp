#pragma once

#include "crystal.hpp"
#include "potential.hpp"
#include "step.hpp"

/// How many atoms have a density, a force or an energy that differs from the formulas in double precision.
int wrong_atoms(const Crystal& crystal, const NeighbourList& lists, const Potential& potential,
                const StepResult& result);
