// SPDX-License-Identifier: MIT
// Parses a captured frame down to TCP. Trusts no length that exceeds the captured bytes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// An address and a port; IPv4 addresses are mapped into IPv6.
struct PacketEndpoint {
  std::array<std::uint8_t, 16> address{};
  std::uint16_t port = 0;

  friend auto operator<=>(const PacketEndpoint&, const PacketEndpoint&) = default;
};

/// Fields of one packet's TCP header, and its payload.
struct TcpSegment {
  PacketEndpoint source;
  PacketEndpoint target;
  std::uint32_t sequence = 0;
  bool syn = false;
  bool ack = false;
  bool end = false;  ///< FIN or RST.
  std::string_view payload;
};

/// Link layers of captures, as in libpcap's DLT_ values.
enum class LinkType : std::uint8_t {
  Ethernet,
  RawIp,
  LinuxCooked,
  LinuxCooked2,
  Loopback,
  Unknown
};

[[nodiscard]] LinkType link_type_of(int dlt) noexcept;

/// The TCP segment in a frame, which the capture may have truncated. Nullopt for other protocols
/// and for IP fragments. The payload views `frame`.
[[nodiscard]] std::optional<TcpSegment> read_packet(LinkType link, std::string_view frame) noexcept;

/// "192.0.2.1:9876", "[2001:db8::1]:9876".
[[nodiscard]] std::string to_text(const PacketEndpoint& endpoint);

}  // namespace affix::inline v0::tools::log
