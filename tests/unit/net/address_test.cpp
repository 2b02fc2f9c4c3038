// SPDX-License-Identifier: MIT
// Addresses: accepted and refused texts, and agreement of text and value.
#include "affix/net/address.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace affix::net {
namespace {

TEST(Address, ReadsBothFamiliesAndWritesThemBack) {
  for (const char* text : {"127.0.0.1:9876", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:9876",
                           "[::]:0", "[2001:db8::1:2]:1"}) {
    const auto address = Address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
    EXPECT_EQ(Address::parse(address->text()), *address);
  }
}

TEST(Address, ReportsFamilyAndPort) {
  EXPECT_FALSE(Address::parse("10.1.2.3:80")->is_ipv6());
  EXPECT_TRUE(Address::parse("[::1]:80")->is_ipv6());
  EXPECT_EQ(Address::parse("10.1.2.3:65535")->port(), 65535);
  EXPECT_EQ(Address::parse("10.1.2.3:1")->with_port(443).text(), "10.1.2.3:443");
  EXPECT_EQ(Address().text(), "0.0.0.0:0");
}

TEST(Address, ReadsAScopeByNameAndNumber) {
  const auto by_name = Address::parse("[fe80::1%lo]:7");
  ASSERT_TRUE(by_name);
  EXPECT_EQ(by_name->text(), "[fe80::1%lo]:7");
  EXPECT_FALSE(Address::parse("[fe80::1%no-such-interface]:7"));
}

TEST(Address, StarIsEveryAddress) {
  EXPECT_EQ(Address::parse("*:5001")->text(), "[::]:5001");
}

TEST(Address, RefusesTextThatIsNotAnAddress) {
  for (const char* text : {"",
                           ":",
                           "127.0.0.1",
                           "127.0.0.1:",
                           ":80",
                           "127.0.0.1:65536",
                           "127.0.0.1:-1",
                           "127.0.0.1:+1",
                           "127.0.0.1:80 ",
                           " 127.0.0.1:80",
                           "127.0.0.1:8x",
                           "127.1:80",
                           "0x7f.0.0.1:80",
                           "::1:80",
                           "[::1]",
                           "[::1]80",
                           "[]:80",
                           "[:80",
                           "[127.0.0.1]:80",
                           "256.0.0.1:80",
                           "localhost:80",
                           "127.0.0.1:99999999999999999999",
                           "*",
                           "**:1"}) {
    const auto address = Address::parse(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, base::ErrorCode::InvalidArgument);
    EXPECT_EQ(address.error().where, text);
  }
}

TEST(Address, HoldsAMappedPeerAsIpv4) {
  EXPECT_EQ(Address::parse("[::ffff:10.1.2.3]:80")->text(), "10.1.2.3:80");
}

TEST(Address, IgnoresBytesThatTheSystemDoesNotFill) {
  sockaddr_storage native{};
  const auto* pointer = reinterpret_cast<const sockaddr*>(&native);
  native.ss_family = AF_UNIX;
  EXPECT_EQ(Address::from_native(pointer, sizeof native), Address());
  native.ss_family = AF_INET6;
  EXPECT_EQ(Address::from_native(pointer, sizeof(sockaddr_in)), Address());
  EXPECT_EQ(Address::from_native(pointer, 0), Address());
  EXPECT_EQ(Address::from_native(nullptr, 0), Address());
}

TEST(Resolve, NumericTextNeedsNoLookup) {
  const auto found = wait_resolve("192.0.2.7:12");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().text(), "192.0.2.7:12");
}

TEST(Resolve, FindsLocalhostWithThePort) {
  const auto found = wait_resolve("localhost:4321");
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_FALSE(found->empty());
  for (const Address& address : *found) {
    EXPECT_EQ(address.port(), 4321);
    EXPECT_TRUE(address.host_text() == "127.0.0.1" || address.host_text() == "::1")
        << address.text();
  }
}

TEST(Resolve, SaysWhichTextWasWrong) {
  const auto no_port = wait_resolve("localhost");
  ASSERT_FALSE(no_port);
  EXPECT_EQ(no_port.error().code, base::ErrorCode::InvalidArgument);
  // A label may not be longer than 63 characters, so no name service is asked.
  const std::string text = std::string(300, 'a') + ":1";
  const auto unknown = wait_resolve(text);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().where, text);
  for (const auto* error : {&no_port.error(), &unknown.error()}) {
    EXPECT_EQ(error->message_code, base::MessageCode("E111")) << error->text();
  }
}

}  // namespace
}  // namespace affix::net
