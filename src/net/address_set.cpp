// SPDX-License-Identifier: MIT
// Reads networks, and looks addresses up in them.
#include "affix/net/address_set.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <system_error>

namespace affix::inline v0::net {

namespace {

constexpr std::string_view range_form =
    "is neither an address nor a network: \"192.0.2.7\", \"198.51.100.0/24\", "
    "\"2001:db8::/32\" are";

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

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

std::expected<AddressSet::Network, std::string_view> AddressSet::parse_network(
    std::string_view piece) {
  const std::size_t slash = std::min(piece.find('/'), piece.size());
  const std::string_view host = piece.substr(0, slash);
  const bool is_ipv6 = host.find(':') != std::string_view::npos;
  // A scope names an interface of one machine, and `*` every address: neither is a network.
  if (host.find_first_of("%*[]") != std::string_view::npos) {
    return std::unexpected(range_form);
  }
  const auto address =
      Address::parse(is_ipv6 ? "[" + std::string(host) + "]:0" : std::string(host) + ":0");
  if (!address) {
    return std::unexpected(range_form);
  }
  Network network;
  const std::string_view bytes = address->host_bytes();
  std::ranges::copy(bytes, network.host.begin());
  network.host_size = static_cast<std::uint8_t>(bytes.size());
  const unsigned written_bits = is_ipv6 ? 128 : 32;
  const auto own_bits = static_cast<unsigned>(bytes.size() * 8);
  unsigned bits = written_bits;
  if (slash != piece.size()) {
    const std::string_view text = piece.substr(slash + 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
    // An IPv4 network may be written in IPv6 form, whose first bits are not part of it.
    if (error != std::errc{} || end != text.data() + text.size() || bits > written_bits ||
        bits < written_bits - own_bits) {
      return std::unexpected(range_form);
    }
  }
  network.prefix_bits = static_cast<std::uint8_t>(bits - (written_bits - own_bits));
  if (!is_whole(network.host, bytes.size(), network.prefix_bits)) {
    return std::unexpected("has bits behind its prefix: write the network's own address");
  }
  return network;
}

std::expected<AddressSet, base::Error> AddressSet::parse(std::string_view text) {
  AddressSet set;
  std::string_view rest = text;
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view piece = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto network = parse_network(piece);
    if (!network) {
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument,
                      "'" + std::string(piece) + "' " + std::string(network.error()),
                      std::string(text), "C231"});
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
