#include "mep/index_contents.hpp"

#include <algorithm>
#include <set>

namespace hone::mep {
namespace {

using affine::MemoryAccess;
using affine::Polynomial;
using How = IndexUse::How;

/// Elements the access needs when the symbols of `without` are zero; one where that is not known.
Expression needed_without(const affine::View& view, const MemoryAccess& access, const std::set<std::string>& without) {
  MemoryAccess rest = access;
  for (const auto& symbol : without) {
    const auto factor = rest.index->coefficient(symbol);
    if (!factor) return Expression::literal(Value(std::int64_t{1}));
    *rest.index = *rest.index - *factor * Polynomial::symbol(symbol);
  }
  const auto reached = affine::footprint(view, rest);
  return reached ? reached->end.expression() : Expression::literal(Value(std::int64_t{access.width}));
}

int sign_of(const Polynomial& p) {
  const auto constant = p.constant();
  return !constant ? 1 : *constant > 0 ? 1 : *constant < 0 ? -1 : 0;
}

void add(std::vector<IndexUse>& uses, IndexUse use) {
  if (std::ranges::find(uses, use) == uses.end()) uses.push_back(std::move(use));
}

}  // namespace

std::map<std::string, std::vector<IndexUse>> index_uses(const affine::View& view) {
  std::map<std::string, std::vector<IndexUse>> out;
  const auto source = [&](const std::string& symbol) {
    const auto found = view.loaded_from.find(symbol);
    return found == view.loaded_from.end() ? std::string() : found->second;
  };
  for (const auto& access : view.accesses) {
    if (!access.index || access.array.empty()) continue;
    std::set<std::string> loaded;
    for (const auto& symbol : access.index->symbols())
      if (!source(symbol).empty()) loaded.insert(symbol);
    const bool scatters = access.direction != affine::Direction::Read && !access.atomic;
    for (const auto& symbol : loaded) {
      const auto factor = access.index->coefficient(symbol);
      if (!factor) continue;
      add(out[source(symbol)],
          {How::Subscript, access.array, factor->expression(), needed_without(view, access, loaded), scatters});
    }
    for (const auto& symbol : access.index->symbols()) {
      const auto factor = access.index->coefficient(symbol);
      if (!factor || loaded.contains(symbol)) continue;
      for (const auto& condition : access.conditions) {
        const auto of_counter = condition.coefficient(symbol);
        if (!of_counter || of_counter->is_zero()) continue;
        for (const auto& bound : condition.symbols()) {
          const auto of_bound = condition.coefficient(bound);
          if (source(bound).empty() || !of_bound || sign_of(*of_bound) * sign_of(*of_counter) >= 0) continue;
          add(out[source(bound)], {sign_of(*of_bound) > 0 ? How::End : How::Begin, access.array, factor->expression(),
                                   Expression::literal(Value(std::int64_t{0})), false});
        }
      }
    }
  }
  return out;
}

std::vector<std::string> appended_to(const affine::View& view) {
  std::set<std::string> out;
  for (const auto& access : view.accesses) {
    if (!access.index || access.direction == affine::Direction::Read || access.space != ir::AddressSpace::Global)
      continue;
    const auto symbols = access.index->symbols();
    if (std::ranges::any_of(symbols, [](const std::string& s) { return s.starts_with("atomic@"); }))
      out.insert(access.array);
  }
  return {out.begin(), out.end()};
}

}  // namespace hone::mep
