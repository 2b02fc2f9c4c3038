// SPDX-License-Identifier: MIT
// The PROXY protocol's header: valid ones, complete and in pieces, and every kind of invalid one.
#include "affix/net/proxy_header.hpp"

#include "support/proxy_header_text.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::net {
namespace {

using support::proxy_header;
using support::proxy_header_for;
using Status = ProxyHeaderStatus;

TEST(ProxyHeader, HasTheAddressThatConnected) {
  for (const std::string_view source : {"203.0.113.7:50123", "[2001:db8::7]:50123"}) {
    const std::string bytes = proxy_header_for(source);
    const ProxyHeader header = read_proxy_header(bytes + "8=FIX");
    ASSERT_EQ(header.status, Status::Complete) << header.fault;
    EXPECT_EQ(header.size, bytes.size());
    EXPECT_FALSE(header.is_local);
    EXPECT_EQ(header.source.text(), source);
  }
}

TEST(ProxyHeader, AdditionsAreSkipped) {
  const std::string tlvs(
      "\x03\x00\x04"
      "abcd"
      "\xE0\x00\x00"
      "\x02\x00\x01"
      "x",
      14);
  const std::string bytes = proxy_header_for("203.0.113.7:1", tlvs);
  const ProxyHeader header = read_proxy_header(bytes);
  ASSERT_EQ(header.status, Status::Complete) << header.fault;
  EXPECT_EQ(header.size, bytes.size());
  EXPECT_EQ(header.source.text(), "203.0.113.7:1");
}

TEST(ProxyHeader, InPiecesItIsPartialUntilItsLastByte) {
  const std::string tlv(
      "\x04\x00\x02"
      "ok",
      5);
  const std::string bytes = proxy_header_for("[2001:db8::7]:1", tlv);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(read_proxy_header(std::string_view(bytes).substr(0, size)).status, Status::Partial)
        << size;
  }
  EXPECT_EQ(read_proxy_header(bytes).status, Status::Complete);
}

TEST(ProxyHeader, LocalHasNoAddressWhateverItSays) {
  for (const std::string& bytes :
       {proxy_header(0x20, 0x00, {}), proxy_header(0x20, 0x11, std::string(12, 'x')),
        proxy_header(0x20, 0x31, "not looked at"), proxy_header(0x21, 0x00, "nor is this")}) {
    const ProxyHeader header = read_proxy_header(bytes + "8=FIX");
    ASSERT_EQ(header.status, Status::Complete) << header.fault;
    EXPECT_TRUE(header.is_local);
    EXPECT_EQ(header.size, bytes.size());
  }
}

TEST(ProxyHeader, AnotherProtocolIsSeenAtItsFirstWrongByte) {
  EXPECT_EQ(read_proxy_header("8").status, Status::Invalid);
  EXPECT_EQ(read_proxy_header("PROXY TCP4 203.0.113.7").status, Status::Invalid);
  std::string bytes = proxy_header_for("203.0.113.7:1");
  for (std::size_t at = 0; at < support::proxy_signature.size(); ++at) {
    std::string wrong = bytes.substr(0, at + 1);
    wrong.back() = static_cast<char>(wrong.back() ^ 1);
    EXPECT_EQ(read_proxy_header(wrong).status, Status::Invalid) << at;
  }
}

TEST(ProxyHeader, WrongOnesAreRefused) {
  const std::string ipv4(12, '\1');
  const std::string ipv6(36, '\1');
  for (const std::string& bytes : {
           proxy_header(0x11, 0x11, ipv4),                   // Version 1.
           proxy_header(0x31, 0x11, ipv4),                   // Version 3.
           proxy_header(0x22, 0x11, ipv4),                   // A third command.
           proxy_header(0x21, 0x12, ipv4),                   // Datagrams.
           proxy_header(0x21, 0x31, std::string(216, 'x')),  // A UNIX socket.
           proxy_header(0x21, 0x41, ipv6),                   // No such family.
           proxy_header(0x21, 0x11, ipv4.substr(1)),         // Too short for its addresses.
           proxy_header(0x21, 0x21, ipv6.substr(1)),         // The same.
           proxy_header(0x21, 0x11, ipv4 + "\1"),            // Half a TLV's head.
           proxy_header(0x21, 0x11, ipv4 + std::string("\1\0\2x", 4)),  // A TLV beyond the end.
       }) {
    const ProxyHeader header = read_proxy_header(bytes);
    EXPECT_EQ(header.status, Status::Invalid);
    EXPECT_NE(std::string_view(header.fault), "");
  }
}

TEST(ProxyHeader, ALongOneIsRefusedBeforeItIsThere) {
  const std::string longest(proxy_header_bytes_max - 16, '\0');
  EXPECT_EQ(read_proxy_header(proxy_header(0x20, 0, longest)).status, Status::Complete);
  const std::string longer = proxy_header(0x20, 0, longest + "x");
  EXPECT_EQ(read_proxy_header(std::string_view(longer).substr(0, 16)).status, Status::Invalid);
}

}  // namespace
}  // namespace affix::net
