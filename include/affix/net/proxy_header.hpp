// SPDX-License-Identifier: MIT
// Parses the header of the PROXY protocol, version 2, in which a load balancer sends the address of
// its client before the client's first byte. Knows bytes only, no connections.
#pragma once

#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::net {

/// Maximum accepted header with its additions (TLVs). The protocol allows 64 KiB, and its authors
/// recommend one segment.
inline constexpr std::size_t proxy_header_bytes_max = 4'096;

/// Classification of the first bytes of a connection.
enum class ProxyHeaderStatus : std::uint8_t {
  Partial,   ///< A valid prefix of a header; more bytes are needed.
  Complete,  ///< `size` bytes of header; the client's bytes follow.
  Invalid,   ///< Missing or invalid; `fault` has the reason. Trust nothing on the
             ///< connection.
};

struct ProxyHeader {
  ProxyHeaderStatus status = ProxyHeaderStatus::Partial;
  std::size_t size = 0;

  /// Complete, for a connection of the proxy itself (LOCAL, such as a health check) or of an
  /// unknown kind: use the addresses of the socket.
  bool is_local = false;

  /// Complete and not local: address of the proxy's client.
  Address source{};

  const char* fault = "";
};

/// Parses the header at the begin of `bytes`. Strict: signature, version, command, a stream over
/// IPv4 or IPv6, a length that includes the addresses, additions that fill the rest exactly; their
/// contents are skipped. Allocates nothing.
[[nodiscard]] ProxyHeader read_proxy_header(std::string_view bytes) noexcept;

}  // namespace affix::inline v0::net
