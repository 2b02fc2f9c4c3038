// SPDX-License-Identifier: MIT
// TLS of one connection for a client that waits for its answers itself: bytes of the wire in and
// out, without a socket and without OpenSSL in its header.
#pragma once

#include "affix/tls/tls_endpoint.hpp"

#include "tls/tls_status.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tls {

class TlsStream;
class TlsOutput;

/// One thread at a time.
class TlsClient {
 public:
  /// The server's certificate is verified for `utc_ns`. Unsupported (T101): this build has no TLS.
  /// Io (T212): there is no memory.
  [[nodiscard]] static std::expected<TlsClient, base::Error> make(const TlsEndpoint& endpoint,
                                                                  std::int64_t utc_ns);

  TlsClient(TlsClient&&) noexcept;
  TlsClient& operator=(TlsClient&&) noexcept;
  ~TlsClient();

  // These consume the front of `received`, and output() is to be sent after each.

  /// Continues the handshake, which it begins with nothing received.
  [[nodiscard]] TlsStatus shake_hands(std::string_view& received);

  /// Decrypts into `room`.
  [[nodiscard]] TlsRead read(std::string_view& received, std::span<char> room);

  /// Encrypts all of `plain`. False: fault().
  [[nodiscard]] bool write(std::string_view plain);

  /// Bytes for the wire; valid until the next call of a function that makes some, which appends.
  [[nodiscard]] std::string_view output() const noexcept;
  void clear_output() noexcept;

  /// A sentence without its end; empty: there was none.
  [[nodiscard]] std::string_view fault() const noexcept;

 private:
  TlsClient(std::unique_ptr<TlsStream> stream, std::unique_ptr<TlsOutput> output) noexcept;

  std::unique_ptr<TlsStream> stream_;
  std::unique_ptr<TlsOutput> output_;
};

}  // namespace affix::inline v0::tls
