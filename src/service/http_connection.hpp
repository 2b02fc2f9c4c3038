// SPDX-License-Identifier: MIT
// A client's connection to one HTTP/1.1 server, with or without TLS, for a thread that waits for
// its answers. Kept open between requests.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"
#include "affix/os/pipe.hpp"
#include "affix/tls/tls_endpoint.hpp"

#include "service/http_answer.hpp"
#include "tls/tls_client.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::service {

struct HttpServer {
  std::string host_and_port;  ///< As net::wait_resolve() takes it.
  /// Null: without TLS. Its files are read anew for each connection, so that certificates can be
  /// renewed; if they cannot be read the former ones stay.
  std::shared_ptr<tls::TlsEndpoint> tls;
  std::int64_t connect_ns = 0;  ///< Maximum time until a connection stands, with its handshake.
  std::int64_t answer_ns = 0;   ///< Maximum time from then until the answer is there.
  std::size_t body_bytes_max = 0;
};

/// One thread, but for stop().
class HttpConnection {
 public:
  struct Header {
    std::string_view name;
    std::string_view value;
  };

  struct Fault {
    bool was_sent = false;  ///< The server may have seen the request, or a part of it.
    std::string text;       ///< A sentence without its end.
  };

  /// Connects later.
  explicit HttpConnection(HttpServer server);

  /// Sends a POST and waits for its answer, which is whole. Never sends it twice. Resolves the
  /// host's name, for which there is no limit of time.
  [[nodiscard]] std::expected<HttpAnswer, Fault> post(std::string_view path,
                                                      const std::vector<Header>& headers,
                                                      std::string_view body);

  /// From any thread: ends the request that waits, and all later ones, as faults.
  void stop() noexcept;

 private:
  enum class Wait : std::uint8_t { Ready, Late, Stopped };

  [[nodiscard]] bool is_usable();
  [[nodiscard]] std::optional<std::string> connect(std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> connect_to(const net::Address& address,
                                                      std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> shake_hands(std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> write(std::string_view bytes, std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> write_wire(std::string_view bytes,
                                                      std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> read_answer(HttpAnswer& answer,
                                                       std::int64_t deadline_ns);
  [[nodiscard]] std::optional<std::string> read_wire(std::int64_t deadline_ns, bool& has_ended);
  [[nodiscard]] HttpAnswer::Progress give(HttpAnswer& answer);
  [[nodiscard]] Wait wait(short events, std::int64_t deadline_ns) const noexcept;
  [[nodiscard]] std::string text_of(Wait wait, const char* late) const;
  void close() noexcept;

  HttpServer server_;
  os::Pipe stop_;  ///< Readable for ever once stop() was called.
  net::Socket socket_;
  std::optional<tls::TlsClient> tls_;
  std::string received_;  ///< Of the wire, and not yet used.
};

}  // namespace affix::inline v0::service
