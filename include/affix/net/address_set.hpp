// SPDX-License-Identifier: MIT
// A set of IP addresses, given as addresses and networks: peers that may connect, and proxies that
// are trusted. Used once per connection, not per message.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

/// A value; owns its memory. Ignores ports.
class AddressSet {
 public:
  /// Maximum number of networks: contains() checks all of them.
  static constexpr std::size_t networks_max = 1'024;

  /// The empty set.
  AddressSet() = default;

  /// Parses "192.0.2.7, 198.51.100.0/24, 2001:db8::/32": numeric addresses and networks,
  /// comma-separated; an empty text is an empty set. Treats an IPv4 address mapped into IPv6
  /// as IPv4, like Address. InvalidArgument names the faulty part; a network with bits set
  /// after its prefix is faulty, because its meaning is ambiguous. Limit: networks_max.
  /// Allocates.
  [[nodiscard]] static std::expected<AddressSet, base::Error> parse(std::string_view text);

  [[nodiscard]] bool empty() const noexcept { return networks_.empty(); }

  [[nodiscard]] bool contains(const Address& address) const noexcept;

 private:
  struct Network {
    std::array<char, 16> host{};
    std::uint8_t host_size = 0;
    std::uint8_t prefix_bits = 0;
  };

  static std::expected<Network, base::Error> parse_network(std::string_view piece);

  std::vector<Network> networks_;
};

}  // namespace affix::inline v0::net
