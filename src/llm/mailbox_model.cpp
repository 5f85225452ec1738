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

Result<Reply> MailboxModel::complete(const std::string& prompt, Seconds timeout) {
  const std::string id = content_hash(prompt).substr(0, 10);
  const os::Path question = os::Path(folder_) / ("prompt-" + id + ".md");
  const os::Path answer = os::Path(folder_) / ("reply-" + id + ".md");
  if (auto written = os::write_text(question, prompt); !written)
    return fail(std::move(written).error().context("writing the prompt"));

  ReplyFile reply(answer);
  bool told = false;
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    if (auto text = reply.settled()) return Reply{std::move(*text), false};
    if (!told && !std::filesystem::exists(answer)) {
      notice_(fmt::format("A reply is wanted. Give {} to a model (or answer it yourself) and save the answer as {}",
                          question.string(), answer.string()));
      told = true;
    }
    if (std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(pause_);
  }
  return fail("E-MODEL", fmt::format("no reply in {} within {:.0f} s", answer.string(), timeout.count()),
              "save the reply there and run the same command again: it is found");
}

const Provider mailbox_provider = {
    "mailbox", "DIR", [](const std::string& folder, const Environment&, const Notice& notice) {
      return Result<std::unique_ptr<LanguageModel>>(std::make_unique<MailboxModel>(folder, notice));
    }};

}  // namespace hone::llm
