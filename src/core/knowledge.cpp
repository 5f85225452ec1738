#include "core/knowledge.hpp"

namespace hone {

std::string_view name_of(SuggestionKind kind) {
  switch (kind) {
    case SuggestionKind::Parallelism: return "parallelism";
    case SuggestionKind::Locality: return "locality";
    case SuggestionKind::Traffic: return "traffic";
    case SuggestionKind::Coalescing: return "coalescing";
    case SuggestionKind::Balance: return "balance";
  }
  return "locality";
}

}  // namespace hone
