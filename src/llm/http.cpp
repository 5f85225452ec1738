#include "llm/http.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

namespace hone::llm {
namespace {

constexpr std::size_t largest_answer = std::size_t{16} << 20U;

size_t take(char* data, size_t size, size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  if (body.size() + size * count > largest_answer) return 0;
  body.append(data, size * count);
  return size * count;
}

struct EasyEnd {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListEnd {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, ListEnd>;

Headers header_list(const HttpRequest& request) {
  Headers list;
  for (const auto& header : request.headers) list.reset(curl_slist_append(list.release(), header.c_str()));
  return list;
}

bool worth_retrying(int status) { return status == 408 || status == 429 || status >= 500; }

}  // namespace

Result<HttpAnswer> post(const HttpRequest& request, Seconds timeout) {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, EasyEnd> easy(curl_easy_init());
  if (!easy) return fail("E-HTTP", "curl could not be started");

  HttpAnswer answer;
  const Headers headers = header_list(request);
  const long milliseconds = std::max(1L, static_cast<long>(timeout.count() * 1000));
  curl_easy_setopt(easy.get(), CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDS, request.body.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &answer.body);
  curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, milliseconds);
  curl_easy_setopt(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, std::min(milliseconds, 20000L));
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  const CURLcode code = curl_easy_perform(easy.get());
  if (code != CURLE_OK) return fail("E-HTTP", fmt::format("{}: {}", request.url, curl_easy_strerror(code)));

  long status = 0;
  curl_off_t wait = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy.get(), CURLINFO_RETRY_AFTER, &wait);
  answer.status = static_cast<int>(status);
  answer.retry_after = Seconds(static_cast<double>(wait));
  return answer;
}

Result<HttpAnswer> post_patiently(const HttpRequest& request, Seconds timeout, const Retries& retries) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  Milliseconds pause = retries.first_pause;
  for (int tries = 0;; ++tries) {
    const Seconds left = end - std::chrono::steady_clock::now();
    auto answer = post(request, left);
    if (answer && !worth_retrying(answer->status)) return answer;
    Milliseconds wait = pause;
    if (answer) wait = std::max(wait, Milliseconds(answer->retry_after));
    wait = std::min(wait, retries.longest_pause);
    if (tries >= retries.most || std::chrono::steady_clock::now() + wait >= end) return answer;
    std::this_thread::sleep_for(wait);
    pause *= 2;
  }
}

}  // namespace hone::llm
