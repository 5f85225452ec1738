#pragma once
// A model that is asked to go on where its answer was cut, and asked again where the answer broke off on the way.

#include "llm/provider.hpp"

namespace hone::llm {

class PatientModel final : public LanguageModel {
 public:
  explicit PatientModel(LanguageModel& inner, int most_parts = 4, int most_tries = 3)
      : inner_(inner), most_parts_(most_parts), most_tries_(most_tries) {}
  std::string name() const override { return inner_.name(); }
  bool is_elsewhere() const override { return inner_.is_elsewhere(); }
  /// `cut` only when so many parts were not enough.
  Result<Reply> complete(const Question& question, Seconds timeout) override;

 private:
  Result<Reply> one_part(const Question& question, Seconds timeout);
  LanguageModel& inner_;
  int most_parts_, most_tries_;
};

}  // namespace hone::llm
