// SPDX-License-Identifier: MIT
// Certificates, keys and trust of one group, read from its files and replaced as a whole by a
// reload. Shared by the reactors of all threads.
#pragma once

#include "affix/base/error.hpp"
#include "affix/tls/tls_settings.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace affix::inline v0::tls {

/// Immutable state for handshakes of new connections; internal to net.
class TlsContext;

/// Not copied, not moved. Any thread.
class TlsEndpoint {
 public:
  /// Reads every file. Blocks on the disk. The error names the file: NotFound, Denied,
  /// Damaged for invalid contents, InvalidArgument for settings, Unsupported if this build
  /// has no TLS.
  [[nodiscard]] static std::expected<std::shared_ptr<TlsEndpoint>, base::Error> open(
      TlsSettings settings);

  TlsEndpoint(const TlsEndpoint&) = delete;
  TlsEndpoint& operator=(const TlsEndpoint&) = delete;
  ~TlsEndpoint();

  /// Reads the files again, for new connections; existing connections keep their state. An error,
  /// as in open(), changes nothing. Blocks on the disk.
  [[nodiscard]] std::expected<void, base::Error> reload();

  [[nodiscard]] const TlsSettings& settings() const noexcept { return settings_; }

  /// The current state. Takes a lock: once per connection.
  [[nodiscard]] std::shared_ptr<const TlsContext> current() const;

  /// Number of successful reload() calls.
  [[nodiscard]] std::uint64_t reloads() const;

 private:
  TlsEndpoint(TlsSettings settings, std::shared_ptr<const TlsContext> first);

  const TlsSettings settings_;
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsContext> current_;
  std::uint64_t reloads_ = 0;
};

}  // namespace affix::inline v0::tls
