// SPDX-License-Identifier: MIT
// Reads the header of the PROXY protocol, version 2.
#include "affix/net/proxy_header.hpp"

#include <algorithm>

namespace affix::inline v0::net {

namespace {

//   0            12        13        14       16
//   | signature  | version | family  | length | source, destination, their ports | TLV | TLV ...
//   |            | command | kind    |        |<------------ length bytes ------------------->
//
// Numbers are in network order. A TLV is a byte of type, two of length, and that many of value.
constexpr std::string_view signature("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t fixed_bytes = 16;
constexpr std::size_t tlv_head_bytes = 3;

constexpr unsigned version_2 = 2;
constexpr unsigned command_local = 0;
constexpr unsigned command_proxy = 1;

constexpr unsigned family_unspecified = 0x00;
constexpr unsigned family_ipv4_stream = 0x11;
constexpr unsigned family_ipv6_stream = 0x21;

unsigned byte_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<unsigned char>(bytes[at]);
}

unsigned number_at(std::string_view bytes, std::size_t at) noexcept {
  return byte_at(bytes, at) << 8U | byte_at(bytes, at + 1);
}

ProxyHeader invalid(const char* fault) noexcept {
  return {.status = ProxyHeaderStatus::Invalid, .fault = fault};
}

/// True if the bytes are a sequence of complete TLVs.
bool are_tlvs(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    if (bytes.size() < tlv_head_bytes || bytes.size() - tlv_head_bytes < number_at(bytes, 1)) {
      return false;
    }
    bytes.remove_prefix(tlv_head_bytes + number_at(bytes, 1));
  }
  return true;
}

/// `rest` is everything after the fixed part. `host_bytes` of each address.
ProxyHeader read_addresses(std::string_view rest, std::size_t host_bytes) noexcept {
  const std::size_t addresses_bytes = 2 * (host_bytes + 2);
  if (rest.size() < addresses_bytes) {
    return invalid("the PROXY header is too short for its addresses");
  }
  if (!are_tlvs(rest.substr(addresses_bytes))) {
    return invalid("the PROXY header's additions do not fit it");
  }
  const auto port = static_cast<std::uint16_t>(number_at(rest, 2 * host_bytes));
  return {.status = ProxyHeaderStatus::Complete,
          .size = fixed_bytes + rest.size(),
          .source = Address::from_host_bytes(rest.substr(0, host_bytes), port)};
}

}  // namespace

ProxyHeader read_proxy_header(std::string_view bytes) noexcept {
  const std::size_t seen = std::min(bytes.size(), signature.size());
  if (bytes.substr(0, seen) != signature.substr(0, seen)) {
    return invalid("the first bytes are not a PROXY header of version 2");
  }
  // Checked as soon as it is there, so that a wrong header is refused without waiting for the rest.
  if (bytes.size() > 12 && byte_at(bytes, 12) >> 4U != version_2) {
    return invalid("a PROXY header of another version than 2");
  }
  if (bytes.size() > 12 && (byte_at(bytes, 12) & 15U) > command_proxy) {
    return invalid("a PROXY header with a command that there is not");
  }
  if (bytes.size() < fixed_bytes) {
    return {};
  }
  const std::size_t size = fixed_bytes + number_at(bytes, 14);
  if (size > proxy_header_bytes_max) {
    return invalid("a PROXY header that is too long");
  }
  if (bytes.size() < size) {
    return {};
  }
  const std::string_view rest = bytes.substr(fixed_bytes, size - fixed_bytes);
  const unsigned family = byte_at(bytes, 13);
  // With LOCAL, and for an unspecified family, the addresses must be
  // ignored.
  if ((byte_at(bytes, 12) & 15U) == command_local || family == family_unspecified) {
    return {.status = ProxyHeaderStatus::Complete, .size = size, .is_local = true};
  }
  switch (family) {
    case family_ipv4_stream:
      return read_addresses(rest, 4);
    case family_ipv6_stream:
      return read_addresses(rest, 16);
    default:
      return invalid("a PROXY header for something else than TCP");
  }
}

}  // namespace affix::inline v0::net
