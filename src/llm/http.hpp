#pragma once
// One HTTP POST, with bounded retries. The only file of Hone that knows curl is http.cpp.

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone::llm {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "name: value"
  std::string body;
};
struct HttpAnswer {
  int status = 0;
  std::string body;
  Seconds retry_after{0};  // what the server asked for; 0 when it did not
};
/// E-HTTP when there was no answer: no connection, timeout, too large. Redirects are not followed: a key is in the
/// header.
Result<HttpAnswer> post(const HttpRequest& request, Seconds timeout);

/// When to try again: after no connection, 408, 429 and 5xx.
struct Retries {
  int most = 3;
  Milliseconds first_pause{1000};  // doubled each time
  Milliseconds longest_pause{20000};
};
/// The last answer, whatever its status. All tries together stay within `timeout`.
Result<HttpAnswer> post_patiently(const HttpRequest& request, Seconds timeout, const Retries& retries);

}  // namespace hone::llm
