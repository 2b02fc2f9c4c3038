// SPDX-License-Identifier: MIT
// Reads networks, and looks addresses up in them.
#include "affix/net/address_set.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace affix::inline v0::net {

namespace {

constexpr const char* range_form =
    "is neither an address nor a network: \"192.0.2.7\", \"198.51.100.0/24\", "
    "\"2001:db8::/32\" are";

/// True if both have the same first bits.
bool same_network(const char* one, const char* other, std::uint8_t bits) noexcept {
  const std::size_t bytes = bits / 8U;
  if (std::memcmp(one, other, bytes) != 0) {
    return false;
  }
  const unsigned rest = bits % 8U;
  const unsigned mask = 0xFFU & ~(0xFFU >> rest);
  return rest == 0 ||
         ((static_cast<unsigned char>(one[bytes]) ^ static_cast<unsigned char>(other[bytes])) &
          mask) == 0;
}

/// True if all bits after the prefix are zero.
bool is_whole(const std::array<char, 16>& host, std::size_t size, std::size_t bits) noexcept {
  for (std::size_t bit = bits; bit < size * 8; ++bit) {
    if ((static_cast<unsigned char>(host[bit / 8]) & (0x80U >> (bit % 8))) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::expected<AddressSet::Network, base::Error> AddressSet::parse_network(std::string_view piece) {
  const auto fault = [piece](const char* why) {
    return std::unexpected(base::Error{
        base::ErrorCode::InvalidArgument, "'" + std::string(piece) + "' " + why, {}, "C231"});
  };
  const std::size_t slash = std::min(piece.find('/'), piece.size());
  const std::string_view host = piece.substr(0, slash);
  const bool is_ipv6 = host.find(':') != std::string_view::npos;
  // A scope names an interface of one machine, and `*` every address: neither is a network.
  if (host.find_first_of("%*[]") != std::string_view::npos) {
    return fault(range_form);
  }
  const auto address =
      Address::parse(is_ipv6 ? "[" + std::string(host) + "]:0" : std::string(host) + ":0");
  if (!address) {
    return fault(range_form);
  }
  Network network;
  const std::string_view bytes = address->host_bytes();
  std::ranges::copy(bytes, network.host.begin());
  network.host_size = static_cast<std::uint8_t>(bytes.size());
  const unsigned written_bits = is_ipv6 ? 128 : 32;
  const auto own_bits = static_cast<unsigned>(bytes.size() * 8);
  unsigned bits = written_bits;
  if (slash != piece.size()) {
    const auto written = base::parse_number<unsigned>(piece.substr(slash + 1));
    // An IPv4 network may be written in IPv6 form, whose first bits are not part of it.
    if (!written || *written > written_bits || *written < written_bits - own_bits) {
      return fault(range_form);
    }
    bits = *written;
  }
  network.prefix_bits = static_cast<std::uint8_t>(bits - (written_bits - own_bits));
  if (!is_whole(network.host, bytes.size(), network.prefix_bits)) {
    return fault("has bits after its prefix: write the network's own address");
  }
  return network;
}

std::expected<AddressSet, base::Error> AddressSet::parse(std::string_view text) {
  AddressSet set;
  std::string_view rest = text;
  while (!base::trimmed(rest).empty()) {
    const std::string_view piece = base::trimmed(base::take_part(rest, ','));
    auto network = parse_network(piece);
    if (!network) {
      network.error().where = text;
      return std::unexpected(std::move(network.error()));
    }
    if (set.networks_.size() == networks_max) {
      return std::unexpected(base::Error{base::ErrorCode::Limit,
                                         "more than " + std::to_string(networks_max) + " networks",
                                         std::string(text.substr(0, 64)), "C231"});
    }
    set.networks_.push_back(*network);
  }
  return set;
}

bool AddressSet::contains(const Address& address) const noexcept {
  const std::string_view host = address.host_bytes();
  return std::any_of(networks_.begin(), networks_.end(), [host](const Network& network) {
    return network.host_size == host.size() &&
           same_network(network.host.data(), host.data(), network.prefix_bits);
  });
}

}  // namespace affix::inline v0::net
