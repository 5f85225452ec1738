// Dependences between iterations of a loop. An index i*n + k with 0 <= k < n proven is the pair (i, k): two accesses
// meet only where all their subscripts do, and each subscript is affine, which isl decides exactly.

#include <algorithm>

#include "affine/view.hpp"

namespace hone::affine {
namespace {

bool is_position(const std::string& symbol) {
  return symbol.starts_with("global_id[") || symbol.starts_with("local_id[") || symbol.starts_with("group_id[") ||
         symbol.find_first_of("@(") != std::string::npos;
}

/// The product of sizes in front of a term: of 2*i*n it is n, of i it is 1.
Polynomial::Monomial size_part(const Polynomial::Monomial& monomial, const std::vector<std::string>& counters) {
  Polynomial::Monomial out;
  for (const auto& symbol : monomial) {
    if (!is_position(symbol) && std::ranges::find(counters, symbol) == counters.end()) out.push_back(symbol);
  }
  return out;
}

Polynomial product_of(const Polynomial::Monomial& monomial) {
  Polynomial out = 1;
  for (const auto& symbol : monomial) out = out * Polynomial::symbol(symbol);
  return out;
}

/// The same polynomial at another iteration of the loop and of the loops inside it.
Polynomial primed(Polynomial p, const std::vector<std::string>& symbols) {
  for (const auto& symbol : symbols) p = p.substitute(symbol, Polynomial::symbol(symbol + "'"));
  return p;
}

std::vector<std::string> counters_from(const View& view, const MemoryAccess& access, int loop) {
  std::vector<std::string> out;
  const auto from = std::ranges::find(access.loops, loop);
  for (auto it = from; it != access.loops.end(); ++it) out.push_back(view.loops[static_cast<std::size_t>(*it)].symbol);
  return out;
}

/// Everything that may differ between two iterations: counters, and values computed or loaded inside.
std::vector<std::string> varying(const View& view, const MemoryAccess& access, int loop) {
  auto out = counters_from(view, access, loop);
  if (!access.index) return out;
  const auto& outside = view.loops[static_cast<std::size_t>(loop)].outside;
  Constraints all = access.conditions;
  all.push_back(*access.index);
  for (const auto& p : all) {
    for (const auto& symbol : p.symbols()) {
      const bool computed = symbol.find_first_of("(@") != std::string::npos;
      if (computed && !outside.contains(symbol) && std::ranges::find(out, symbol) == out.end()) out.push_back(symbol);
    }
  }
  return out;
}

}  // namespace

std::optional<Subscripts> delinearise(const View& view, const MemoryAccess& access) {
  if (!access.index) return std::nullopt;
  std::vector<std::string> counters;
  for (const int loop : access.loops) counters.push_back(view.loops[static_cast<std::size_t>(loop)].symbol);
  std::map<Polynomial::Monomial, Polynomial> groups;
  for (const auto& [monomial, factor] : access.index->terms()) {
    const auto sizes = size_part(monomial, counters);
    auto rest = monomial;
    for (const auto& symbol : sizes) rest.erase(std::ranges::find(rest, symbol));
    groups[sizes] += Polynomial(factor) * product_of(rest);
  }
  std::vector<std::pair<Polynomial::Monomial, Polynomial>> ordered(groups.begin(), groups.end());
  std::ranges::stable_sort(ordered, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  if (ordered.empty() || !ordered.back().first.empty()) ordered.emplace_back(Polynomial::Monomial{}, Polynomial(0));
  Subscripts out;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const auto stride = product_of(ordered[i].first);
    if (i > 0) {  // an inner subscript must stay within one step of the outer one: 0 <= k < n
      const Polynomial::Monomial& outer = ordered[i - 1].first;
      auto ratio = outer;
      for (const auto& symbol : ordered[i].first) {
        const auto found = std::ranges::find(ratio, symbol);
        if (found == ratio.end()) return std::nullopt;
        ratio.erase(found);
      }
      const auto room = product_of(ratio) - Polynomial(1) - ordered[i].second;
      if (!follows(access.conditions, ordered[i].second) || !follows(access.conditions, room)) return std::nullopt;
    }
    out.strides.push_back(stride);
    out.indices.push_back(ordered[i].second);
  }
  return out;
}

bool iterations_independent(const View& view, int loop,
                            const std::function<bool(const std::string&, const std::string&)>& distinct) {
  const auto inside = [&](const MemoryAccess& access) {
    return std::ranges::find(access.loops, loop) != access.loops.end();
  };
  const auto& counter = view.loops[static_cast<std::size_t>(loop)].symbol;
  if (counter.empty() || view.has_unknown) return false;
  const auto never_meet = [&](const MemoryAccess& a, const MemoryAccess& b) {
    if (a.array != b.array) return !a.array.empty() && !b.array.empty() && distinct(a.array, b.array);
    if (!a.index || !b.index || a.array.empty() || a.width != 1 || b.width != 1) return false;
    const auto here = delinearise(view, a);
    const auto there = delinearise(view, b);
    const auto changes = varying(view, b, loop);
    Constraints both = a.conditions;
    for (const auto& condition : b.conditions) both.push_back(primed(condition, changes));
    if (here && there && here->strides == there->strides) {
      for (std::size_t i = 0; i < here->indices.size(); ++i) {
        const auto gap = here->indices[i] - primed(there->indices[i], changes);
        both.push_back(gap);
        both.push_back(Polynomial(0) - gap);
      }
    } else {
      const auto gap = *a.index - primed(*b.index, changes);
      both.push_back(gap);
      both.push_back(Polynomial(0) - gap);
    }
    const auto apart = Polynomial::symbol(counter) - Polynomial::symbol(counter + "'");
    Constraints before = both;
    before.push_back(apart - Polynomial(1));
    Constraints after = both;
    after.push_back(Polynomial(-1) - apart);
    return impossible(before) && impossible(after);
  };
  for (const auto& a : view.accesses) {
    if (!inside(a) || a.direction == Direction::Read) continue;
    for (const auto& b : view.accesses) {
      if (inside(b) && !never_meet(a, b)) return false;
    }
  }
  return true;
}

}  // namespace hone::affine
