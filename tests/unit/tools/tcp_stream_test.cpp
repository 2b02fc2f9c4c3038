// SPDX-License-Identifier: MIT
// Parsing of packets and reassembly of streams, with a network's disturbances.
#include "log/tcp_stream.hpp"

#include "log/packet.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace affix::tools::log {
namespace {

TEST(CapturedStream, SegmentsInAnyOrderAndTwiceGiveTheSameBytes) {
  std::string sent;
  for (int at = 0; at < 5'000; ++at) {
    sent += static_cast<char>('a' + at * 7 % 26);
  }
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto syn = static_cast<std::uint32_t>(0xFFFFF000U + random() % 4'096);
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    for (std::size_t at = 0; at < sent.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 400, sent.size() - at);
      parts.emplace_back(at, size);
      if (random() % 4 == 0) {
        parts.emplace_back(at / 2, size + at - at / 2);  // Retransmitted, divided differently.
      }
      at += size;
    }
    std::shuffle(parts.begin(), parts.end(), random);
    TcpStream stream;
    stream.begin(syn);
    std::string got;
    for (const auto& [at, size] : parts) {
      stream.add(syn + 1 + static_cast<std::uint32_t>(at), std::string_view(sent).substr(at, size));
      const std::size_t taken = random() % (stream.view().size() + 1);
      got += stream.view().substr(0, taken);
      stream.consume(taken);
    }
    got += stream.view();
    ASSERT_EQ(got, sent) << round;
    EXPECT_FALSE(stream.pass_over_gap());
    EXPECT_EQ(stream.missing_bytes(), 0U);
  }
}

TEST(CapturedStream, AGapIsPassedOverWhenAsked) {
  TcpStream stream;
  stream.begin(99);
  stream.add(100, "abc");
  stream.add(105, "fg");
  EXPECT_EQ(stream.view(), "abc");
  EXPECT_FALSE(stream.gap_passed());
  EXPECT_TRUE(stream.pass_over_gap());
  EXPECT_TRUE(stream.gap_passed());
  EXPECT_EQ(stream.view(), "abcfg");
  EXPECT_EQ(stream.missing_bytes(), 2U);
}

TEST(CapturedStream, WaitingBytesAreBounded) {
  TcpStream stream;
  stream.begin(0);
  const std::string piece(10'000, 'x');
  for (std::uint32_t at = 0; at < 1'000; ++at) {
    stream.add(100 + at * 10'000, piece);
    stream.consume(stream.view().size());
  }
  EXPECT_EQ(stream.missing_bytes(), 99U);
}

TEST(CapturedStream, ACaptureMayBeginInTheMiddle) {
  TcpStream stream;
  stream.add(5'000, "abc");
  stream.add(5'003, "def");
  EXPECT_EQ(stream.view(), "abcdef");
}

TEST(CapturedPacket, EveryCutIsNoPacketOrAShorterOne) {
  // IPv4 and IPv6 over Ethernet, the second with a VLAN tag.
  std::string ipv4(12, '\0');
  ipv4 += std::string("\x08\x00", 2) +
          std::string("\x45\x00\x00\x2B\x00\x00\x00\x00\x40\x06\x00\x00", 12) +
          std::string("\x0A\x00\x00\x01\x0A\x00\x00\x02", 8);
  std::string ipv6(12, '\0');
  ipv6 += std::string("\x81\x00\x00\x05\x86\xDD", 6) +
          std::string("\x60\x00\x00\x00\x00\x17\x06\x40", 8) + std::string(15, '\0') + '\x01' +
          std::string(15, '\0') + '\x02';
  const std::string tcp =
      std::string(
          "\x9C\x40\x26\x94\x00\x00\x00\x07\x00\x00\x00\x00\x50\x18\xFF\xFF\x00\x00\x00\x00", 20) +
      "abc";
  for (const std::string& head : {ipv4, ipv6}) {
    const std::string frame = head + tcp;
    const auto whole = read_packet(LinkType::Ethernet, frame);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->payload, "abc");
    EXPECT_EQ(whole->sequence, 7U);
    EXPECT_EQ(whole->source.port, 40'000);
    EXPECT_EQ(whole->target.port, 9'876);
    EXPECT_FALSE(whole->syn);
    for (std::size_t size = 0; size < frame.size(); ++size) {
      const auto cut = read_packet(LinkType::Ethernet, std::string_view(frame).substr(0, size));
      EXPECT_EQ(cut.has_value(), size >= head.size() + 20) << size;
    }
  }
  const auto first = read_packet(LinkType::Ethernet, ipv4 + tcp);
  EXPECT_EQ(to_text(first->source), "10.0.0.1:40000");
  EXPECT_EQ(to_text(read_packet(LinkType::Ethernet, ipv6 + tcp)->target), "[::2]:9876");
  EXPECT_TRUE(read_packet(LinkType::RawIp, (ipv4 + tcp).substr(14)));
  EXPECT_FALSE(read_packet(LinkType::Unknown, ipv4 + tcp));
}

}  // namespace
}  // namespace affix::tools::log
