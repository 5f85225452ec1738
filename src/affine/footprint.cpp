// Footprints: the largest and the smallest value of an index over all work-items and iterations, by replacing one
// symbol after the other with its bound. Sound because each replacement only moves the value outwards; exact when every
// bound is reached.

#include <algorithm>

#include "affine/view.hpp"

namespace hone::affine {
namespace {

bool is_work_item_number(const std::string& symbol) {
  return symbol.starts_with("global_id[") || symbol.starts_with("local_id[") || symbol.starts_with("group_id[");
}

/// Scalars and sizes of the launch stay; everything else must be bounded away.
bool stays(const std::string& symbol, const std::vector<std::string>& counters) {
  if (symbol.starts_with("launch.") || symbol.starts_with("num_groups[")) return true;
  if (is_work_item_number(symbol) || symbol.find('@') != std::string::npos || symbol.find('(') != std::string::npos)
    return false;
  return std::ranges::find(counters, symbol) == counters.end();
}

/// All symbols stand for sizes or positions, which are not negative; a polynomial with one sign throughout has that
/// sign.
int sign_of(const Polynomial& p) {
  const bool none_negative = std::ranges::all_of(p.terms(), [](const auto& term) { return term.second > 0; });
  const bool none_positive = std::ranges::all_of(p.terms(), [](const auto& term) { return term.second < 0; });
  return none_negative ? 1 : none_positive ? -1 : 0;
}

/// p / by when every term divides.
std::optional<Polynomial> divided(const Polynomial& p, const Polynomial& by) {
  if (by.terms().size() != 1) return p == by ? std::optional(Polynomial(1)) : std::nullopt;
  const auto& [monomial, factor] = *by.terms().begin();
  Polynomial out;
  for (const auto& [term, coefficient] : p.terms()) {
    if (coefficient % factor != 0) return std::nullopt;
    auto rest = term;
    for (const auto& symbol : monomial) {
      const auto found = std::ranges::find(rest, symbol);
      if (found == rest.end()) return std::nullopt;
      rest.erase(found);
    }
    Polynomial product = coefficient / factor;
    for (const auto& symbol : rest) product = product * Polynomial::symbol(symbol);
    out += product;
  }
  return out;
}

Constraints launch_bounds() {
  Constraints out;
  for (int d = 0; d < 3; ++d) {
    out.push_back(Polynomial::symbol(global_size(d)) - Polynomial(1) - Polynomial::symbol(work_item(d)));
    out.push_back(Polynomial::symbol(local_size(d)) - Polynomial(1) - Polynomial::symbol(local_item(d)));
    out.push_back(Polynomial::symbol(group_count(d)) - Polynomial(1) - Polynomial::symbol(group_of(d)));
  }
  return out;
}

class Bounder {
 public:
  explicit Bounder(const Constraints& facts) : facts_(facts) {
    for (const auto& fact : facts_) {
      for (const auto& symbol : fact.symbols()) seen_.insert(symbol);
    }
  }

  /// The largest (up) or smallest value of p in symbols that stay.
  std::optional<Polynomial> bound(Polynomial p, bool up, const std::vector<std::string>& counters) {
    for (int steps = 0; steps < 24; ++steps) {
      const auto symbol = next(p, counters);
      if (!symbol) return p;
      const auto replaced = replace(p, *symbol, up, counters);
      if (!replaced) return std::nullopt;
      p = *replaced;
    }
    return std::nullopt;
  }
  bool exact() const { return exact_; }

 private:
  /// Innermost first: values made from others, then counters in the order of their loops, then work-items.
  static std::optional<std::string> next(const Polynomial& p, const std::vector<std::string>& counters) {
    const auto rank = [&](const std::string& symbol) {
      if (symbol.starts_with("global_id[") || symbol.starts_with("group_id[")) return 0;
      if (symbol.starts_with("local_id[")) return 1;
      const auto found = std::ranges::find(counters, symbol);
      if (found != counters.end()) return 2 + static_cast<int>(found - counters.begin());
      return 1000;
    };
    std::optional<std::string> out;
    for (const auto& symbol : p.symbols()) {
      if (!stays(symbol, counters) && (!out || rank(symbol) > rank(*out))) out = symbol;
    }
    return out;
  }

  std::optional<Polynomial> replace(const Polynomial& p, const std::string& symbol, bool up,
                                    const std::vector<std::string>& counters) {
    const auto coefficient = p.coefficient(symbol);
    if (!coefficient) return std::nullopt;
    const int sign = sign_of(*coefficient);
    if (sign == 0) return std::nullopt;
    const bool from_above = (sign > 0) == up;
    const Polynomial rest = p - *coefficient * Polynomial::symbol(symbol);
    std::vector<Polynomial> candidates;
    for (const auto& fact : facts_) add_candidate(fact, symbol, from_above, *coefficient, candidates);
    if (candidates.empty()) {
      for (const auto& fact : launch_bounds()) add_candidate(fact, symbol, from_above, *coefficient, candidates);
    }
    if (candidates.empty() && !from_above && is_work_item_number(symbol)) candidates.emplace_back(0);
    if (candidates.empty()) return std::nullopt;
    return rest + best(candidates, up, counters);
  }

  /// From a*s <= r follows c*s <= (c/a)*r; `fact` is r - a*s >= 0.
  static void add_candidate(const Polynomial& fact, const std::string& symbol, bool from_above,
                            const Polynomial& coefficient, std::vector<Polynomial>& out) {
    const auto in_fact = fact.coefficient(symbol);
    if (!in_fact || in_fact->is_zero()) return;
    const int sign = sign_of(*in_fact);
    if (sign == 0 || (sign < 0) != from_above) return;
    const Polynomial against = sign < 0 ? Polynomial(0) - *in_fact : *in_fact;
    const auto times = divided(coefficient, against);
    if (!times) return;
    const Polynomial rest = fact - *in_fact * Polynomial::symbol(symbol);
    out.push_back(*times * (sign < 0 ? rest : Polynomial(0) - rest));
  }

  /// The tightest; where two cannot be compared, one without launch sizes and with the fewest unknowns.
  Polynomial best(const std::vector<Polynomial>& candidates, bool up, const std::vector<std::string>& counters) {
    const auto unknowns = [&](const Polynomial& p) {
      int count = 0;
      for (const auto& symbol : p.symbols())
        count += stays(symbol, counters) ? (symbol.starts_with("launch.") ? 1 : 0) : 10;
      return count;
    };
    Polynomial out = candidates.front();
    for (const auto& candidate : candidates) {
      if (candidate == out) continue;
      const Polynomial tighter = up ? out - candidate : candidate - out;
      if (follows(facts_, tighter)) {
        out = candidate;
      } else if (!follows(facts_, Polynomial(0) - tighter)) {
        exact_ = false;
        if (unknowns(candidate) < unknowns(out)) out = candidate;
      }
    }
    return out;
  }

  Constraints facts_;
  std::set<std::string> seen_;
  bool exact_ = true;
};

std::vector<std::string> counters_of(const View& view, const MemoryAccess& access) {
  std::vector<std::string> out;
  for (const int loop : access.loops) out.push_back(view.loops[static_cast<std::size_t>(loop)].symbol);
  return out;
}

/// Sizes are at least one; so are their products, and a product is no smaller than its factors.
Constraints size_facts(const Polynomial& p) {
  Constraints out;
  for (const auto& symbol : p.symbols()) out.push_back(Polynomial::symbol(symbol) - Polynomial(1));
  for (const auto& [monomial, unused] : p.terms()) {
    if (monomial.size() != 2) continue;
    const auto a = Polynomial::symbol(monomial[0]);
    const auto b = Polynomial::symbol(monomial[1]);
    out.push_back(a * b - a - b + Polynomial(1));
  }
  return out;
}

bool at_least(const Polynomial& a, const Polynomial& b) { return follows(size_facts(a - b), a - b); }

/// Keeps the largest; several when they cannot be compared.
void keep_largest(std::vector<Polynomial>& kept, const Polynomial& one) {
  if (std::ranges::any_of(kept, [&](const Polynomial& k) { return at_least(k, one); })) return;
  std::erase_if(kept, [&](const Polynomial& k) { return at_least(one, k); });
  kept.push_back(one);
}

Expression largest(const std::vector<Polynomial>& kept) {
  Expression out = kept.front().expression();
  for (std::size_t i = 1; i < kept.size(); ++i) out = Expression::call("max", {out, kept[i].expression()});
  return out;
}

}  // namespace

std::optional<Footprint> footprint(const View& view, const MemoryAccess& access) {
  if (!access.index) return std::nullopt;
  const auto counters = counters_of(view, access);
  Bounder upper(access.conditions);
  Bounder lower(access.conditions);
  const auto high = upper.bound(*access.index, true, counters);
  const auto low = lower.bound(*access.index, false, counters);
  if (!high || !low) return std::nullopt;
  return Footprint{*low, *high + Polynomial(access.width), upper.exact() && !access.guarded_by_data};
}

std::optional<Extent> extent(const View& view, const std::string& array) {
  std::vector<Polynomial> ends;
  Extent out;
  for (const auto& access : view.accesses) {
    if (access.array != array || impossible(access.conditions)) continue;
    const auto one = footprint(view, access);
    if (!one) return std::nullopt;
    out.exact = out.exact && one->exact;
    out.from_zero = out.from_zero && at_least(one->begin, Polynomial(0));
    keep_largest(ends, one->end);
  }
  if (ends.empty()) return std::nullopt;
  out.size = largest(ends);
  return out;
}

std::vector<std::optional<Expression>> guarded_size(const View& view) {
  std::vector<std::optional<Expression>> out;
  for (int d = 0; d < view.dimensions; ++d) {
    std::vector<Polynomial> sizes;
    bool bounded = true;
    for (const auto& access : view.accesses) {
      if (access.space != ir::AddressSpace::Global || !bounded) continue;
      Bounder bounder(access.conditions);
      const auto high = bounder.bound(Polynomial::symbol(work_item(d)), true, counters_of(view, access));
      bounded = high && !high->mentions(global_size(d));
      if (bounded) keep_largest(sizes, *high + Polynomial(1));
    }
    out.push_back(bounded && !sizes.empty() ? std::optional(largest(sizes)) : std::nullopt);
  }
  return out;
}

}  // namespace hone::affine
