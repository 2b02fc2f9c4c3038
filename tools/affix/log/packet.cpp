// SPDX-License-Identifier: MIT
// Parses link, network and transport headers, each checked against the rest of the frame.
#include "log/packet.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::uint16_t ether_ipv4 = 0x0800;
constexpr std::uint16_t ether_ipv6 = 0x86DD;
constexpr std::uint16_t ether_vlan = 0x8100;
constexpr std::uint16_t ether_service_vlan = 0x88A8;
constexpr std::uint8_t protocol_tcp = 6;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<std::uint8_t>(bytes[at]);
}

std::uint16_t word_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<std::uint16_t>(byte_at(bytes, at) << 8 | byte_at(bytes, at + 1));
}

std::uint32_t long_at(std::string_view bytes, std::size_t at) noexcept {
  return std::uint32_t{word_at(bytes, at)} << 16 | word_at(bytes, at + 2);
}

/// The network layer's protocol and bytes.
struct Network {
  std::uint16_t ether_type = 0;
  std::string_view bytes;
};

Network behind_type(std::string_view frame, std::size_t type_at) noexcept {
  std::uint16_t type = word_at(frame, type_at);
  frame.remove_prefix(type_at + 2);
  // Tags may be nested; more than a few are not legitimate.
  for (int tags = 0; tags < 4 && (type == ether_vlan || type == ether_service_vlan); ++tags) {
    if (frame.size() < 4) {
      return {};
    }
    type = word_at(frame, 2);
    frame.remove_prefix(4);
  }
  return {type, frame};
}

Network by_version(std::string_view bytes) noexcept {
  if (bytes.empty()) {
    return {};
  }
  const unsigned version = byte_at(bytes, 0) >> 4;
  return {version == 4 ? ether_ipv4 : version == 6 ? ether_ipv6 : std::uint16_t{0}, bytes};
}

Network read_link(LinkType link, std::string_view frame) noexcept {
  switch (link) {
    case LinkType::Ethernet:
      return frame.size() >= 14 ? behind_type(frame, 12) : Network{};
    case LinkType::LinuxCooked:
      return frame.size() >= 16 ? behind_type(frame, 14) : Network{};
    case LinkType::LinuxCooked2:
      return frame.size() >= 20 ? Network{word_at(frame, 0), frame.substr(20)} : Network{};
    case LinkType::Loopback:
      return frame.size() >= 4 ? by_version(frame.substr(4)) : Network{};
    case LinkType::RawIp:
      return by_version(frame);
    case LinkType::Unknown:
      break;
  }
  return {};
}

bool read_ipv4(std::string_view bytes, TcpSegment& segment, std::string_view& tcp) noexcept {
  if (bytes.size() < 20) {
    return false;
  }
  const std::size_t header = std::size_t{byte_at(bytes, 0) & 15U} * 4;
  const std::size_t total = word_at(bytes, 2);
  const bool fragment = (word_at(bytes, 6) & 0x3FFF) != 0;
  // A captured packet has length 0 if the network card was to split it.
  if (header < 20 || header > bytes.size() || (total != 0 && total < header) || fragment ||
      byte_at(bytes, 9) != protocol_tcp) {
    return false;
  }
  for (const auto& [endpoint, at] :
       {std::pair{&segment.source, std::size_t{12}}, std::pair{&segment.target, std::size_t{16}}}) {
    endpoint->address[10] = endpoint->address[11] = 0xFF;
    std::memcpy(endpoint->address.data() + 12, bytes.data() + at, 4);
  }
  tcp = bytes.substr(header, total == 0 ? std::string_view::npos : total - header);
  return true;
}

bool read_ipv6(std::string_view bytes, TcpSegment& segment, std::string_view& tcp) noexcept {
  if (bytes.size() < 40) {
    return false;
  }
  std::memcpy(segment.source.address.data(), bytes.data() + 8, 16);
  std::memcpy(segment.target.address.data(), bytes.data() + 24, 16);
  const std::size_t payload = word_at(bytes, 4);
  std::uint8_t next = byte_at(bytes, 6);
  tcp = bytes.substr(40, payload == 0 ? std::string_view::npos : payload);
  // Hop-by-hop, routing and destination options precede TCP.
  for (int headers = 0; headers < 8 && (next == 0 || next == 43 || next == 60); ++headers) {
    if (tcp.size() < 8) {
      return false;
    }
    const std::size_t size = (std::size_t{byte_at(tcp, 1)} + 1) * 8;
    if (size > tcp.size()) {
      return false;
    }
    next = byte_at(tcp, 0);
    tcp.remove_prefix(size);
  }
  return next == protocol_tcp;
}

}  // namespace

LinkType link_type_of(int dlt) noexcept {
  switch (dlt) {
    case 1:
      return LinkType::Ethernet;
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return LinkType::RawIp;
    case 113:
      return LinkType::LinuxCooked;
    case 276:
      return LinkType::LinuxCooked2;
    case 0:
    case 108:
      return LinkType::Loopback;
    default:
      return LinkType::Unknown;
  }
}

std::optional<TcpSegment> read_packet(LinkType link, std::string_view frame) noexcept {
  const Network network = read_link(link, frame);
  TcpSegment segment;
  std::string_view tcp;
  const bool read = network.ether_type == ether_ipv4   ? read_ipv4(network.bytes, segment, tcp)
                    : network.ether_type == ether_ipv6 ? read_ipv6(network.bytes, segment, tcp)
                                                       : false;
  if (!read || tcp.size() < 20) {
    return std::nullopt;
  }
  const std::size_t header = std::size_t{byte_at(tcp, 12)} / 16 * 4;
  if (header < 20 || header > tcp.size()) {
    return std::nullopt;
  }
  segment.source.port = word_at(tcp, 0);
  segment.target.port = word_at(tcp, 2);
  segment.sequence = long_at(tcp, 4);
  const unsigned flags = byte_at(tcp, 13);
  segment.end = (flags & 5U) != 0;
  segment.syn = (flags & 2U) != 0;
  segment.ack = (flags & 16U) != 0;
  segment.payload = tcp.substr(header);
  return segment;
}

std::string to_text(const PacketEndpoint& endpoint) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  static constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  const bool ipv4 = std::equal(mapped.begin(), mapped.end(), endpoint.address.begin());
  inet_ntop(ipv4 ? AF_INET : AF_INET6, endpoint.address.data() + (ipv4 ? 12 : 0), text.data(),
            text.size());
  const std::string address = ipv4 ? text.data() : '[' + std::string(text.data()) + ']';
  return address + ':' + std::to_string(endpoint.port);
}

}  // namespace affix::inline v0::tools::log
