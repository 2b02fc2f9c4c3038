// SPDX-License-Identifier: MIT
// Addresses of TCP end points, IPv4 and IPv6, and the look-up of names.
// Used when listeners and connections are configured; nothing here runs per message.
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

/// A numeric address and port. A value: copied freely, owns nothing outside itself.
class Address {
 public:
  /// 0.0.0.0:0. An IPv4 address mapped into IPv6 is held as IPv4, so that one peer has one text.
  Address() noexcept;

  /// Parses "192.0.2.1:9876", "[2001:db8::1]:9876", "[fe80::1%eth0]:9876" or "*:9876" (every
  /// address of both families). Looks nothing up. The port is 0 to 65535 and may not be missing.
  [[nodiscard]] static std::expected<Address, base::Error> parse(std::string_view text);

  /// Takes over what a system call wrote. `size` bytes are read; another family than IPv4 or IPv6
  /// gives Address().
  [[nodiscard]] static Address from_native(const ::sockaddr* native, std::size_t size) noexcept;

  /// For system calls; valid as long as this object.
  [[nodiscard]] const ::sockaddr* native() const noexcept;

  [[nodiscard]] std::size_t native_size() const noexcept { return size_; }

  [[nodiscard]] bool is_ipv6() const noexcept;

  /// 127.0.0.0/8 or ::1: no other machine gets there.
  [[nodiscard]] bool is_loopback() const noexcept;
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// The host alone in network order, 4 bytes or 16. A view into this object.
  [[nodiscard]] std::string_view host_bytes() const noexcept;

  /// From 4 or 16 bytes in network order; another number of them gives Address().
  [[nodiscard]] static Address from_host_bytes(std::string_view host, std::uint16_t port) noexcept;

  /// The same address with another port.
  [[nodiscard]] Address with_port(std::uint16_t port) const noexcept;

  /// "192.0.2.1" or "2001:db8::1". Allocates.
  [[nodiscard]] std::string host_text() const;

  /// What parse() reads back. Allocates.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Address& left, const Address& right) noexcept;

 private:
  static constexpr std::size_t native_size_max = 28;  // sockaddr_in6, the larger of the two.

  alignas(8) std::array<std::byte, native_size_max> bytes_{};
  std::uint8_t size_ = 0;
};

/// Said again outside the class: a shared library exports no friend that only its class declares.
[[nodiscard]] bool operator==(const Address& left, const Address& right) noexcept;

/// Every address of "host:port", in the order in which the system wants them tried; numeric text
/// gives one. Waits for the name service, for seconds if it is slow, and allocates: for start-up,
/// never for a reactor's thread at work. NotFound: no such name; InvalidArgument: not "host:port";
/// Io: the name service failed.
[[nodiscard]] std::expected<std::vector<Address>, base::Error> wait_resolve(std::string_view text);

}  // namespace affix::inline v0::net
