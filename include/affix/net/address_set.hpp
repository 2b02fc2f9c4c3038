// SPDX-License-Identifier: MIT
// A set of IP addresses, written as addresses and networks: who may connect, and whom we believe.
// Looked at once per connection, never per message.
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

/// A value; owns its memory. Ports mean nothing to it.
class AddressSet {
 public:
  /// Most networks of one set: a look at it goes through all of them.
  static constexpr std::size_t networks_max = 1'024;

  /// Empty.
  AddressSet() = default;

  /// Parses "192.0.2.7, 198.51.100.0/24, 2001:db8::/32": addresses and networks with commas
  /// between, nothing but numbers; an empty text is an empty set. An IPv4 address mapped into IPv6
  /// is the IPv4 address, as Address has it. InvalidArgument names the piece that is wrong; a
  /// network with bits behind its prefix is, since it is unclear what was meant. Limit:
  /// networks_max. Allocates.
  [[nodiscard]] static std::expected<AddressSet, base::Error> parse(std::string_view text);

  [[nodiscard]] bool empty() const noexcept { return networks_.empty(); }

  [[nodiscard]] bool contains(const Address& address) const noexcept;

 private:
  struct Network {
    std::array<char, 16> host{};
    std::uint8_t host_size = 0;
    std::uint8_t prefix_bits = 0;
  };

  static std::expected<Network, std::string_view> parse_network(std::string_view piece);

  std::vector<Network> networks_;
};

}  // namespace affix::inline v0::net
