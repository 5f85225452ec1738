#pragma once
// Completion by a model, where the application's code does not say enough of how a kernel is called: several proposals
// are asked for, each is completed and run like any other, and the one whose workloads tell most faults from the kernel
// is kept. What a proposal says is a guess in the MEP, and says whose.

#include "app/opened_model.hpp"
#include "core/extraction.hpp"
#include "ir/unit.hpp"
#include "mep/complete.hpp"

namespace hone::app {

struct ModelCompletion {
  Mep mep;
  Extraction extraction;  // with what was proposed
  std::string exchanges;  // where the answers are kept: they count as spent by the run that follows
};

/// Whether an answer could help: what failed is the completion, not the device or the command line.
bool is_about_completion(const Error& error);

/// `missing`: what completion without a model ended with; it is the error where no proposal works either.
/// `only_recorded`: answers that are kept, and no question.
Result<ModelCompletion> complete_by_model(const Extraction& extraction, const Error& missing, const mep::Limits& limits,
                                          DeviceSessions& sessions, const ModelChoice& choice, bool only_recorded,
                                          Console& console, TimeLedger& ledger);

/// The kernel's text as a tree, under its macros.
Result<ir::Unit> lift_extraction(const Extraction& extraction);

}  // namespace hone::app
