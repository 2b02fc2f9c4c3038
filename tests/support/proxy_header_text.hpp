// SPDX-License-Identifier: MIT
// Writes headers of the PROXY protocol for tests.
#pragma once

#include "affix/net/address.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace affix::support {

inline constexpr std::string_view proxy_signature("\r\n\r\n\0\r\nQUIT\n", 12);

/// Version and command in one byte, family and kind in another, and the bytes after the length.
inline std::string proxy_header(unsigned command, unsigned family, std::string_view rest) {
  std::string header(proxy_signature);
  header += static_cast<char>(command);
  header += static_cast<char>(family);
  header += static_cast<char>(rest.size() >> 8U);
  header += static_cast<char>(rest.size() & 0xFFU);
  header += rest;
  return header;
}

inline void append_port(std::string& to, std::uint16_t port) {
  to += static_cast<char>(port >> 8U);
  to += static_cast<char>(port & 0xFFU);
}

/// For connections from `source`, both ends of one family; `tlvs` follow the addresses.
inline std::string proxy_header_for(std::string_view source, std::string_view tlvs = {}) {
  const net::Address from = net::Address::parse(source).value();
  const net::Address to =
      net::Address::parse(from.is_ipv6() ? "[2001:db8::99]:443" : "192.0.2.99:443").value();
  std::string rest(from.host_bytes());
  rest += to.host_bytes();
  append_port(rest, from.port());
  append_port(rest, to.port());
  return proxy_header(0x21, from.is_ipv6() ? 0x21 : 0x11, rest + std::string(tlvs));
}

}  // namespace affix::support
