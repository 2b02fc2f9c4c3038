// SPDX-License-Identifier: MIT
// The monitor's port: accepts connections, reads one request from each, and passes it to a handler.
// Time and size are limited for any client, and slow ones give way when others wait.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"

#include "administration/tls_channel.hpp"
#include "monitor/request.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>

namespace affix::inline v0::tools::monitor {

/// Decides on a request before its body is read, and then answers it. Several threads call both at
/// once; neither throws.
struct HttpHandlers {
  std::function<std::optional<Answer>(const Request&)> refuse;
  std::function<Answer(const Request&)> answer;
};

class HttpServer {
 public:
  static constexpr std::size_t threads = 32;

  /// Listens; for port 0 the kernel chooses one. Accepts nothing before start(). Errors: the
  /// address is in use or not local.
  [[nodiscard]] static std::expected<HttpServer, base::Error> open(const net::Address& address,
                                                                   std::optional<TlsContext> tls);

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;

  /// Ends its threads after the requests in work.
  ~HttpServer();

  [[nodiscard]] const net::Address& address() const noexcept;

  /// `handlers` may be called until this is destroyed.
  void start(HttpHandlers handlers);

 private:
  struct State;

  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace affix::inline v0::tools::monitor
