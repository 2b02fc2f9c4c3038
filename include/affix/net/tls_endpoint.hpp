// SPDX-License-Identifier: MIT
// The certificates, keys and trust of one group, read from its files and replaced as a whole when
// they are read again. Shared by the reactors of all threads.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/tls_settings.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace affix::inline v0::net {

/// What a new connection's handshake is done with. Never changes; made and read inside net.
class TlsContext;

/// Not copied, not moved. Any thread.
class TlsEndpoint {
 public:
  /// Reads every file. Blocks on the disk. The error names the file: NotFound, Denied, Damaged for
  /// what does not hold what it should, InvalidArgument for settings, Unsupported without TLS in
  /// this build.
  [[nodiscard]] static std::expected<std::shared_ptr<TlsEndpoint>, base::Error> open(
      TlsSettings settings);

  TlsEndpoint(const TlsEndpoint&) = delete;
  TlsEndpoint& operator=(const TlsEndpoint&) = delete;
  ~TlsEndpoint();

  /// Reads the files again. Connections that begin from here on use what they hold; those that
  /// stand go on with what they began with. On error, as open()'s, nothing changes.
  [[nodiscard]] std::expected<void, base::Error> reload();

  [[nodiscard]] const TlsSettings& settings() const noexcept { return settings_; }

  /// What is in use now. Takes a lock: once per connection.
  [[nodiscard]] std::shared_ptr<const TlsContext> current() const;

  /// How often reload() has replaced it.
  [[nodiscard]] std::uint64_t reloads() const;

 private:
  TlsEndpoint(TlsSettings settings, std::shared_ptr<const TlsContext> first);

  const TlsSettings settings_;
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsContext> current_;
  std::uint64_t reloads_ = 0;
};

}  // namespace affix::inline v0::net
