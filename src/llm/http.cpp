#include "llm/http.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace hone::llm {
namespace {

constexpr std::size_t largest_answer = std::size_t{16} << 20U;

/// What has come, and whether it is all.
struct Incoming {
  const HttpRequest& request;
  std::string& body;
  bool complete = false;
  std::chrono::steady_clock::time_point latest = std::chrono::steady_clock::now();
};

/// Why nobody waits any longer for what comes next; nothing while it may still come.
std::optional<std::string> silence(const Incoming& incoming) {
  const auto limit = incoming.body.empty() ? incoming.request.first_byte : incoming.request.stall;
  const Seconds quiet = std::chrono::steady_clock::now() - incoming.latest;
  if (limit.count() <= 0 || quiet < limit) return std::nullopt;
  return incoming.body.empty() ? fmt::format("nothing came within {:g} s", limit.count())
                               : fmt::format("nothing more came for {:g} s", limit.count());
}

size_t take(char* data, size_t size, size_t count, void* into) {
  auto& incoming = *static_cast<Incoming*>(into);
  if (incoming.body.size() + size * count > largest_answer) return 0;
  incoming.body.append(data, size * count);
  incoming.latest = std::chrono::steady_clock::now();
  if (incoming.request.piece && incoming.request.piece({data, size * count})) {
    incoming.complete = true;
    return 0;  // ends the transfer; what is wanted is here
  }
  return size * count;
}

struct EasyEnd {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListEnd {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct MultiEnd {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
using Headers = std::unique_ptr<curl_slist, ListEnd>;

Headers header_list(const HttpRequest& request) {
  Headers list;
  for (const auto& header : request.headers) list.reset(curl_slist_append(list.release(), header.c_str()));
  return list;
}

bool worth_retrying(int status) { return status == 408 || status == 429 || status >= 500; }

/// How a transfer ended; neither code nor silence when somebody wanted to end.
struct Ended {
  std::optional<CURLcode> code;
  std::optional<std::string> silence;
};

/// Runs the transfer to its end, looking up several times a second.
Ended transfer(CURL* easy, const Incoming& incoming, const std::function<bool()>& stop) {
  constexpr int look_up_every = 100;  // milliseconds
  const std::unique_ptr<CURLM, MultiEnd> multi(curl_multi_init());
  if (!multi || curl_multi_add_handle(multi.get(), easy) != CURLM_OK) return {CURLE_FAILED_INIT, {}};
  CURLcode result = CURLE_OK;
  for (int running = 1; running > 0;) {
    const bool ended = stop && stop();
    const auto quiet = silence(incoming);
    if (ended || quiet || curl_multi_perform(multi.get(), &running) != CURLM_OK) {
      curl_multi_remove_handle(multi.get(), easy);
      if (ended) return {};
      return {CURLE_FAILED_INIT, quiet};
    }
    if (running > 0) curl_multi_poll(multi.get(), nullptr, 0, look_up_every, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left))
    if (message->msg == CURLMSG_DONE) result = message->data.result;
  curl_multi_remove_handle(multi.get(), easy);
  return {result, {}};
}

/// False when somebody wants to end first.
bool pause_for(Milliseconds wait, const std::function<bool()>& stop) {
  const auto end = std::chrono::steady_clock::now() + wait;
  while (std::chrono::steady_clock::now() < end) {
    if (stop && stop()) return false;
    std::this_thread::sleep_for(std::min(Milliseconds(50), Milliseconds(end - std::chrono::steady_clock::now())));
  }
  return true;
}

}  // namespace

Result<HttpAnswer> post(const HttpRequest& request, Seconds timeout, const std::function<bool()>& stop) {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, EasyEnd> easy(curl_easy_init());
  if (!easy) return fail("E-HTTP", "curl could not be started");

  HttpAnswer answer;
  if (request.begins) request.begins();
  Incoming incoming{request, answer.body};
  const Headers headers = header_list(request);
  const long milliseconds = std::max(1L, static_cast<long>(timeout.count() * 1000));
  curl_easy_setopt(easy.get(), CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDS, request.body.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &incoming);
  curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, milliseconds);
  curl_easy_setopt(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, std::min(milliseconds, 20000L));
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  const auto ended = transfer(easy.get(), incoming, stop);
  if (!ended.code) return fail("E-STOPPED", "interrupted while waiting for the model");
  long status = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  if (*ended.code != CURLE_OK && !incoming.complete) {
    const auto why = ended.silence.value_or(curl_easy_strerror(*ended.code));
    const bool too_large = incoming.body.size() + CURL_MAX_WRITE_SIZE > largest_answer;
    if (!request.piece || status != 200 || answer.body.empty() || too_large)
      return fail("E-HTTP", fmt::format("{}: {}", request.url, too_large ? "the answer is too large" : why));
    answer.broken = why;
  }
  curl_off_t wait = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RETRY_AFTER, &wait);
  answer.status = static_cast<int>(status);
  answer.retry_after = Seconds(static_cast<double>(wait));
  return answer;
}

Result<HttpAnswer> post_patiently(const HttpRequest& request, Seconds timeout, const Retries& retries,
                                  const std::function<bool()>& stop) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  Milliseconds pause = retries.first_pause;
  for (int tries = 0;; ++tries) {
    const Seconds left = end - std::chrono::steady_clock::now();
    auto answer = post(request, left, stop);
    if (answer && !worth_retrying(answer->status)) return answer;
    if (!answer && answer.error().code() == "E-STOPPED") return answer;
    Milliseconds wait = std::min(pause, retries.longest_pause);
    if (answer && answer->retry_after.count() > 0) wait = Milliseconds(answer->retry_after);
    if (tries >= retries.most || std::chrono::steady_clock::now() + wait >= end) return answer;
    if (!pause_for(wait, stop)) return fail("E-STOPPED", "interrupted while waiting for the model");
    pause *= 2;
  }
}

}  // namespace hone::llm
