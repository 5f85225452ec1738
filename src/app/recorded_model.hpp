#pragma once
// Every answer of a model is kept, by the question it answers (round, slot, attempt), before anybody reads it. A run
// that is resumed, or replayed, finds it there and does not ask again.

#include <functional>
#include <memory>

#include "base/aside.hpp"
#include "core/language_model.hpp"

namespace hone::app {

class RecordedModel final : public LanguageModel {
 public:
  /// `inner`: null when there is only the recording. `came` is told the key of each answer. `aside`: where it is
  /// waited for when it comes from elsewhere; null when it does not.
  RecordedModel(std::string name, LanguageModel* inner, std::string folder,
                std::function<void(const std::string& key)> came = {}, Aside* aside = nullptr)
      : name_(std::move(name)), inner_(inner), folder_(std::move(folder)), came_(std::move(came)), aside_(aside) {}
  std::string name() const override { return name_; }
  bool is_elsewhere() const override { return aside_ != nullptr; }
  Result<Reply> complete(const Question& question, Seconds timeout) override;

 private:
  Result<Reply> answer(const Question& question, Seconds timeout);
  std::string name_;
  LanguageModel* inner_;
  std::string folder_;
  std::function<void(const std::string&)> came_;
  Aside* aside_;
};

/// What the answers of a folder have used so far.
struct RecordedSpend {
  std::size_t calls = 0;
  Usage usage;
  RecordedSpend& operator+=(const RecordedSpend& more) {
    calls += more.calls, usage += more.usage;
    return *this;
  }
  bool operator==(const RecordedSpend&) const = default;
};
/// What was last kept there; in a folder of answers alone, their sum.
RecordedSpend spent_in(const std::string& folder);
/// Everything that was asked, also what broke off or was cut and is no answer there.
Status keep_spent(const std::string& folder, const RecordedSpend& spent);

}  // namespace hone::app
