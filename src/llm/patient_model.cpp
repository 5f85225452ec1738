#include "llm/patient_model.hpp"

#include <algorithm>
#include <chrono>

namespace hone::llm {

Result<Reply> PatientModel::one_part(const Question& question, Seconds timeout) {
  for (int tries = 1;; ++tries) {
    auto reply = inner_.complete(question, timeout);
    if (reply || reply.error().code() != "E-REPLY" || tries >= most_tries_) return reply;
  }
}

Result<Reply> PatientModel::complete(const Question& question, Seconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  Question rest = question;
  Reply whole;
  for (int parts = 1;; ++parts) {
    const Seconds left = end - std::chrono::steady_clock::now();
    auto part = one_part(rest, std::max(left, Seconds(0.001)));
    if (!part) {
      // What came before is half an answer: whoever reads it is told so.
      if (parts > 1 && part.error().code() != "E-STOPPED") break;
      return part;
    }
    whole.text += part->text;
    whole.cut = part->cut;
    whole.usage += part->usage;
    if (!part->cut || part->text.empty() || parts >= most_parts_) break;
    rest.answered = whole.text;
  }
  return whole;
}

}  // namespace hone::llm
