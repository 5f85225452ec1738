#pragma once
// Faults of an answer that can be mended with certainty, by code, before anybody is asked again: what was meant is
// plain from the text itself. Each mend says what it did. A text without such a fault comes back as it was.

#include <string>
#include <vector>

#include "core/mep.hpp"

namespace hone::agents {

struct Mended {
  std::string text;
  std::vector<std::string> what;  // "quotes around an expression in line 4"; empty: nothing was done
};

/// Typographic quotes, line numbers that were copied from the prompt, fences inside the code, escaped `<`, words of
/// another dialect, a missing address space or pragma. `parameters`: names that Hone defines, so the source must not.
Mended mend_source(const std::string& source, const Mep& mep, const std::vector<std::string>& parameters);

/// Only for a manifest that cannot be read: tables with single brackets, lists without brackets, expressions without
/// quotes, a default that is no value, keys that are none.
Mended mend_manifest(const std::string& manifest);

/// `#define NAME NUMBER` lines of a source by name: what an undeclared parameter was meant to be.
std::vector<std::pair<std::string, std::string>> defined_numbers(const std::string& source);

}  // namespace hone::agents
