#include "app/recorded_model.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "agents/prompts.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

using ExchangeJson = nlohmann::json;

std::string dumped(const ExchangeJson& json) {
  return json.dump(1, ' ', false, ExchangeJson::error_handler_t::replace);
}

ExchangeJson usage_json(const Usage& usage) {
  return {{"input", usage.input}, {"cached", usage.cached}, {"output", usage.output}, {"reasoning", usage.reasoning}};
}

Usage usage_in(const ExchangeJson& json) {
  const auto usage = json.value("usage", ExchangeJson::object());
  if (!usage.is_object()) return {};
  return {usage.value("input", std::int64_t{0}), usage.value("cached", std::int64_t{0}),
          usage.value("output", std::int64_t{0}), usage.value("reasoning", std::int64_t{0})};
}

/// What was written is what counts, also where an answer held bytes that cannot be written.
std::optional<Reply> reply_in(const std::string& text) {
  const auto json = ExchangeJson::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("reply") || !json["reply"].is_string()) return std::nullopt;
  Reply reply{json["reply"].get<std::string>(), json.value("cut", false)};
  reply.usage = usage_in(json);
  return reply;
}

ExchangeJson exchange_of(const std::string& name, const Question& question, const Reply& reply) {
  return {{"format", 1},
          {"model", name},
          {"role", question.role},
          {"round", question.round},
          {"slot", question.slot},
          {"attempt", question.attempt},
          {"prompts", agents::prompt_versions()},
          {"prompt", question.prompt},
          {"reply", reply.text},
          {"cut", reply.cut},
          {"usage", usage_json(reply.usage)}};
}

}  // namespace

Result<Reply> RecordedModel::complete(const Question& question, Seconds timeout) {
  const auto ask = [&] { return answer(question, timeout); };
  auto reply = aside_ == nullptr ? ask() : aside_->beside(ask);
  if (reply && came_) came_(question.key());
  return reply;
}

/// Touches nothing but the folder and the model: the run may go on meanwhile.
Result<Reply> RecordedModel::answer(const Question& question, Seconds timeout) {
  const auto file = os::Path(folder_) / (question.key() + ".json");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    const auto text = os::read_text(file);
    if (!text) return fail(text.error());
    if (auto known = reply_in(*text)) return std::move(*known);
    if (inner_ == nullptr) return fail("E-SPENT", file.string() + " is no recorded exchange");
  }
  if (inner_ == nullptr) return fail("E-SPENT", "the recording has no answer to " + question.key());
  auto reply = inner_->complete(question, timeout);
  if (!reply) return reply;
  const auto text = dumped(exchange_of(name_, question, *reply));
  if (auto kept = os::write_text(file, text); !kept) return fail(std::move(kept).error().context("keeping an answer"));
  return *reply_in(text);
}

namespace {

/// No ending of an answer's file.
constexpr auto spent_file = "spent.total";

RecordedSpend sum_of_answers(const std::string& folder) {
  RecordedSpend out;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = os::read_text(entry.path());
    const auto reply = text ? reply_in(*text) : std::nullopt;
    if (!reply) continue;
    ++out.calls;
    out.usage += reply->usage;
  }
  return out;
}

}  // namespace

RecordedSpend spent_in(const std::string& folder) {
  const auto text = os::read_text(os::Path(folder) / spent_file);
  const auto json = text ? ExchangeJson::parse(*text, nullptr, false) : ExchangeJson();
  if (!json.is_object()) return sum_of_answers(folder);
  return {json.value("calls", std::size_t{0}), usage_in(json)};
}

Status keep_spent(const std::string& folder, const RecordedSpend& spent) {
  return os::write_text(os::Path(folder) / spent_file,
                        dumped({{"calls", spent.calls}, {"usage", usage_json(spent.usage)}}));
}

}  // namespace hone::app
