#include "app/evaluator.hpp"

namespace hone::app {

Result<loop::Screened> JudgeEvaluator::screen(const Variant& variant,
                                              const std::map<std::string, Nanoseconds>& incumbent) {
  auto judgement = judge_.screen(variant, incumbent);
  if (!judgement) return fail(std::move(judgement).error());
  return loop::Screened{std::move(judgement->verdict), std::move(judgement->times), judgement->censored};
}

}  // namespace hone::app
