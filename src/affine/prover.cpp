#include "affine/prover.hpp"

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

#include <memory>

#include "base/text.hpp"

namespace hone::affine {
namespace {

struct FreeContext {
  void operator()(isl_ctx* ctx) const { isl_ctx_free(ctx); }
};
using Context = std::unique_ptr<isl_ctx, FreeContext>;

/// isl reads text; symbols and products of symbols become x0, x1, ...
class Naming {
 public:
  std::string of(const Polynomial& p) {
    std::string out = std::to_string(p.constant_part());
    for (const auto& [monomial, factor] : p.terms()) {
      if (!monomial.empty()) out += " + " + std::to_string(factor) + "*" + of(monomial);
    }
    return out;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < known_.size(); ++i) out.push_back("x" + std::to_string(i));
    return out;
  }

 private:
  std::string of(const Polynomial::Monomial& monomial) {
    const auto [found, unused] = known_.emplace(monomial, known_.size());
    return "x" + std::to_string(found->second);
  }
  std::map<Polynomial::Monomial, std::size_t> known_;
};

/// Only facts that share symbols, directly or through others, with what is asked can matter; isl's time grows with the
/// rest.
constexpr std::size_t kMostFacts = 24;
constexpr unsigned long kMostSteps = 200000;

}  // namespace

bool impossible(const Constraints& facts) {
  for (const auto& fact : facts) {
    if (const auto value = fact.constant(); value && *value < 0) return true;
  }
  if (facts.size() > kMostFacts) return false;
  Naming naming;
  std::vector<std::string> conditions;
  conditions.reserve(facts.size());
  for (const auto& fact : facts) conditions.push_back(naming.of(fact) + " >= 0");
  if (conditions.empty()) return false;
  const std::string text = "{ [" + join(naming.names(), ", ") + "] : " + join(conditions, " and ") + " }";

  const Context context(isl_ctx_alloc());
  isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context.get(), kMostSteps);
  isl_set* set = isl_set_read_from_str(context.get(), text.c_str());
  const bool empty = set != nullptr && isl_set_is_empty(set) == isl_bool_true;
  isl_set_free(set);
  return empty;
}

bool follows(const Constraints& facts, const Polynomial& goal) {
  if (const auto value = goal.constant()) return *value >= 0;
  for (const auto& fact : facts) {
    if (const auto gap = (goal - fact).constant(); gap && *gap >= 0) return true;
  }
  Constraints against = facts;
  against.push_back(Polynomial(-1) - goal);
  return impossible(against);
}

}  // namespace hone::affine
