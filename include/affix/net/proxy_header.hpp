// SPDX-License-Identifier: MIT
// The header of the PROXY protocol, version 2, by which a load balancer says on whose behalf it
// connects: what stands before the first byte of the peer. Reads bytes, knows no connection.
#pragma once

#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::net {

/// The longest header that is taken, its additions (TLVs) included. The protocol would allow 64 KiB
/// and its authors advise to stay within one segment.
inline constexpr std::size_t proxy_header_bytes_max = 4'096;

/// What the first bytes of a connection are.
enum class ProxyHeaderStatus : std::uint8_t {
  Partial,   ///< A header so far, and more of it is to come.
  Complete,  ///< `size` bytes of header; the peer's begin behind them.
  Invalid,   ///< None, or a wrong one: `fault` says why. Nothing of the connection is to be
             ///< believed.
};

struct ProxyHeader {
  ProxyHeaderStatus status = ProxyHeaderStatus::Partial;
  std::size_t size = 0;

  /// Complete, and a connection of the proxy itself (LOCAL, as for a health check), or one whose
  /// kind it does not know: the socket's own addresses are the true ones.
  bool is_local = false;

  /// Complete and not local: who has connected to the proxy.
  Address source{};

  const char* fault = "";
};

/// Reads the header that `bytes` begin with. Strict: signature, version, command, a stream of IPv4
/// or IPv6, a length that holds the addresses, additions that fill the rest exactly; what they say
/// is skipped. Allocates nothing.
[[nodiscard]] ProxyHeader read_proxy_header(std::string_view bytes) noexcept;

}  // namespace affix::inline v0::net
