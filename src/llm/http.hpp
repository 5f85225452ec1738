#pragma once
// One HTTP POST, with bounded retries. The only file of Hone that knows curl is http.cpp. Proxies are curl's own
// (https_proxy and its kin).

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
  /// Asked with what has come so far: true when the answer is complete, though the connection may stay open.
  std::function<bool(const std::string& body)> complete = {};
};
struct HttpAnswer {
  int status = 0;
  std::string body;
  Seconds retry_after{0};  // what the server asked for; 0 when it did not
};
/// E-HTTP when there was no answer: no connection, timeout, too large. E-STOPPED soon after `stop` says so. Redirects
/// are not followed: a key is in the header.
Result<HttpAnswer> post(const HttpRequest& request, Seconds timeout, const std::function<bool()>& stop = {});

/// When to try again: after no connection, 408, 429 and 5xx.
struct Retries {
  int most = 3;
  Milliseconds first_pause{1000};  // doubled each time
  Milliseconds longest_pause{20000};
};
/// The last answer, whatever its status. All tries together stay within `timeout`; what a server asks for by
/// Retry-After is waited for in full, or not at all where that is longer than what is left.
Result<HttpAnswer> post_patiently(const HttpRequest& request, Seconds timeout, const Retries& retries,
                                  const std::function<bool()>& stop = {});

}  // namespace hone::llm
