#pragma once
// One HTTP POST, with bounded retries. The only file of Hone that knows curl is http.cpp. Proxies are curl's own
// (https_proxy and its kin).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone::llm {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "name: value"
  std::string body;
  /// An answer that is read while it comes: each try begins anew, and gets every piece; true says that the answer is
  /// complete, though the connection may stay open. What breaks off on the way is then an answer too.
  std::function<void()> begins = {};
  std::function<bool(std::string_view piece)> piece = {};
  Seconds first_byte{0}, stall{0};  // how long nothing may come, before anything has and after; 0: no limit
};
struct HttpAnswer {
  int status = 0;
  std::string body;
  Seconds retry_after{0};  // what the server asked for; 0 when it did not
  std::string broken;      // why it ended before it was complete; empty otherwise
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
