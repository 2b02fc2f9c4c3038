// SPDX-License-Identifier: MIT
// A connected socket with or without TLS, used by one thread with deadlines: for the few
// connections of an operator's program, none of which an engine waits for.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;
struct ssl_st;

namespace affix::inline v0::tools {

/// Certificates shared by connections. Any thread.
class TlsContext {
 public:
  /// For a server. Errors name the file.
  [[nodiscard]] static std::expected<TlsContext, base::Error> for_server(
      const std::string& certificate_file, const std::string& key_file);

  /// For a client that accepts only servers with this certificate, or from one of the CAs in the
  /// file. Does not check the name: the file identifies the server.
  [[nodiscard]] static std::expected<TlsContext, base::Error> for_client(
      const std::string& trusted_file);

  [[nodiscard]] ssl_ctx_st* get() const noexcept { return context_.get(); }

 private:
  explicit TlsContext(ssl_ctx_st* context);

  std::shared_ptr<ssl_ctx_st> context_;
};

/// Owns the socket, and makes it non-blocking.
class TlsChannel {
 public:
  /// Without TLS.
  explicit TlsChannel(int socket);

  TlsChannel(TlsChannel&& other) noexcept;
  TlsChannel& operator=(TlsChannel&&) = delete;
  ~TlsChannel();

  /// Handshakes as the server or the client. False: it failed, or the deadline passed.
  [[nodiscard]] bool begin_tls(const TlsContext& context, bool server, std::int64_t deadline_ns);

  /// Returns at least one byte; 0: the end; -1: an error, or the deadline passed. Deadlines are of
  /// CLOCK_MONOTONIC.
  [[nodiscard]] long read(char* to, std::size_t size, std::int64_t deadline_ns);

  /// Writes all bytes, or returns false.
  [[nodiscard]] bool write(std::string_view bytes, std::int64_t deadline_ns);

  [[nodiscard]] int socket() const noexcept { return socket_; }

 private:
  [[nodiscard]] bool wait(short events, std::int64_t deadline_ns) const noexcept;
  [[nodiscard]] long read_tls(char* to, std::size_t size, std::int64_t deadline_ns);
  [[nodiscard]] bool write_tls(std::string_view bytes, std::int64_t deadline_ns);
  void end_tls() noexcept;
  [[nodiscard]] bool wait_for_tls(int result, std::int64_t deadline_ns) const noexcept;

  int socket_ = -1;
  ssl_st* tls_ = nullptr;
};

}  // namespace affix::inline v0::tools
