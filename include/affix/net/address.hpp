// SPDX-License-Identifier: MIT
// TCP endpoint addresses, IPv4 and IPv6, and name resolution. For the configuration of listeners
// and connections; nothing here runs per message.
#pragma once

#include "affix/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace affix::inline v0::net {

/// A numeric address and port. A value that owns all its data.
class Address {
 public:
  /// 0.0.0.0:0. An IPv4 address mapped into IPv6 is stored as IPv4: one text per peer.
  Address() noexcept;

  /// Parses "192.0.2.1:9876", "[2001:db8::1]:9876", "[fe80::1%eth0]:9876" or "*:9876" (all
  /// addresses of both families). Resolves no names. The port is required, 0 to 65535.
  [[nodiscard]] static std::expected<Address, base::Error> parse(std::string_view text);

  /// Converts `size` bytes written by a system call; a family other than IPv4 or IPv6 gives
  /// Address().
  [[nodiscard]] static Address from_native(const ::sockaddr* native, std::size_t size) noexcept;

  /// For system calls; valid as long as this object.
  [[nodiscard]] const ::sockaddr* native() const noexcept;

  [[nodiscard]] std::size_t native_size() const noexcept { return size_; }

  [[nodiscard]] bool is_ipv6() const noexcept;

  /// 127.0.0.0/8 or ::1: unreachable from other machines.
  [[nodiscard]] bool is_loopback() const noexcept;
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// The host in network byte order, 4 or 16 bytes. A view into this object.
  [[nodiscard]] std::string_view host_bytes() const noexcept;

  /// From 4 or 16 bytes in network byte order; any other size gives Address().
  [[nodiscard]] static Address from_host_bytes(std::string_view host, std::uint16_t port) noexcept;

  /// The same address with another port.
  [[nodiscard]] Address with_port(std::uint16_t port) const noexcept;

  /// "192.0.2.1" or "2001:db8::1". Allocates.
  [[nodiscard]] std::string host_text() const;

  /// The form that parse() accepts. Allocates.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Address& left, const Address& right) noexcept;

 private:
  static constexpr std::size_t native_size_max = 28;  // sockaddr_in6, the larger of the two.

  alignas(8) std::array<std::byte, native_size_max> bytes_{};
  std::uint8_t size_ = 0;
};

/// Declared again at namespace scope: a shared library does not export class-only friends.
[[nodiscard]] bool operator==(const Address& left, const Address& right) noexcept;

/// Resolves "host:port" to all its addresses, in the system's order of preference; numeric text
/// gives one. Blocks on the name service, possibly for seconds, and allocates: for start-up, never
/// on a running reactor's thread. NotFound: unknown name; InvalidArgument: not "host:port"; Io: the
/// name service failed.
[[nodiscard]] std::expected<std::vector<Address>, base::Error> wait_resolve(std::string_view text);

}  // namespace affix::inline v0::net
