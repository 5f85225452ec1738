#include "llm/mailbox_model.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "os/files.hpp"

namespace hone::llm {
namespace {

/// A reply counts when it is there and two looks see the same: an editor may still be writing.
class ReplyFile {
 public:
  explicit ReplyFile(os::Path path) : path_(std::move(path)) {}

  std::optional<std::string> settled() {
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored)) return std::nullopt;
    auto text = os::read_text(path_);
    if (!text || trim(*text).empty()) return std::nullopt;
    const bool same = *text == last_;
    last_ = *text;
    return same ? std::optional(*text) : std::nullopt;
  }

 private:
  os::Path path_;
  std::string last_;
};

}  // namespace

Result<Reply> MailboxModel::complete(const Question& question, Seconds timeout) {
  const std::string& prompt = question.prompt;
  const std::string hash = content_hash(prompt).substr(0, 10);
  const std::string id = question.round == 0 ? hash : question.key() + "-" + hash;
  const os::Path asking = os::Path(folder_) / ("prompt-" + id + ".md");
  const os::Path answer = os::Path(folder_) / ("reply-" + id + ".md");
  if (auto written = os::write_text(asking, prompt); !written)
    return fail(std::move(written).error().context("writing the prompt"));

  ReplyFile reply(answer);
  bool told = false;
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    if (auto text = reply.settled()) return Reply{std::move(*text), false};
    if (!told && !std::filesystem::exists(answer)) {
      notice_(fmt::format("A reply is wanted. Give {} to a model (or answer it yourself) and save the answer as {}",
                          asking.string(), answer.string()));
      told = true;
    }
    if (stop_ && stop_()) return stopped();
    if (std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(pause_);
  }
  return fail("E-MODEL", fmt::format("no reply in {} within {:.0f} s", answer.string(), timeout.count()),
              "save the reply there and run the same command again: it is found");
}

const Provider mailbox_provider = {"mailbox", "DIR", [](const std::string& folder, const Surroundings& surroundings) {
                                     return Result<std::unique_ptr<LanguageModel>>(std::make_unique<MailboxModel>(
                                         folder, surroundings.notice, Milliseconds(200), surroundings.stop));
                                   }};

}  // namespace hone::llm
