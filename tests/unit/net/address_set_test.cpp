// SPDX-License-Identifier: MIT
// Sets of addresses: members, non-members, and invalid texts.
#include "affix/net/address_set.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::net {
namespace {

AddressSet set_of(std::string_view text) {
  auto set = AddressSet::parse(text);
  EXPECT_TRUE(set) << set.error().text();
  return set.value_or(AddressSet());
}

bool holds(const AddressSet& set, std::string_view address) {
  return set.contains(Address::parse(address).value());
}

TEST(AddressSet, NothingIsEmpty) {
  EXPECT_TRUE(set_of("").empty());
  EXPECT_TRUE(set_of("  ").empty());
  EXPECT_FALSE(holds(set_of(""), "192.0.2.1:1"));
}

TEST(AddressSet, HoldsItsAddressesWhateverThePort) {
  const AddressSet set = set_of("192.0.2.7, 2001:db8::7");
  EXPECT_TRUE(holds(set, "192.0.2.7:1"));
  EXPECT_TRUE(holds(set, "192.0.2.7:65535"));
  EXPECT_FALSE(holds(set, "192.0.2.8:1"));
  EXPECT_TRUE(holds(set, "[2001:db8::7]:1"));
  EXPECT_FALSE(holds(set, "[2001:db8::8]:1"));
}

TEST(AddressSet, HoldsItsNetworksToTheBit) {
  const AddressSet set = set_of("198.51.100.128/25,10.32.0.0/11,2001:db8:8000::/33");
  EXPECT_TRUE(holds(set, "198.51.100.128:1"));
  EXPECT_TRUE(holds(set, "198.51.100.255:1"));
  EXPECT_FALSE(holds(set, "198.51.100.127:1"));
  EXPECT_FALSE(holds(set, "198.51.101.128:1"));
  EXPECT_TRUE(holds(set, "10.63.255.255:1"));
  EXPECT_FALSE(holds(set, "10.64.0.0:1"));
  EXPECT_FALSE(holds(set, "10.31.255.255:1"));
  EXPECT_TRUE(holds(set, "[2001:db8:ffff::1]:1"));
  EXPECT_FALSE(holds(set, "[2001:db8:7fff::1]:1"));
}

TEST(AddressSet, AFamilyIsNotTheOther) {
  EXPECT_TRUE(holds(set_of("0.0.0.0/0"), "203.0.113.9:1"));
  EXPECT_FALSE(holds(set_of("0.0.0.0/0"), "[2001:db8::1]:1"));
  EXPECT_TRUE(holds(set_of("::/0"), "[2001:db8::1]:1"));
  EXPECT_FALSE(holds(set_of("::/0"), "203.0.113.9:1"));
}

TEST(AddressSet, AMappedAddressIsTheOneThatIsMapped) {
  EXPECT_TRUE(holds(set_of("::ffff:192.0.2.0/120"), "192.0.2.200:1"));
  EXPECT_FALSE(holds(set_of("::ffff:192.0.2.0/120"), "192.0.3.1:1"));
  EXPECT_TRUE(holds(set_of("192.0.2.0/24"), "[::ffff:192.0.2.9]:1"));
}

TEST(AddressSet, TextThatIsNotASetIsNamed) {
  for (const std::string_view text :
       {"example.com", "192.0.2.1:80", "192.0.2", "192.0.2.1/", "192.0.2.1/33", "192.0.2.1/-1",
        "192.0.2.0/24x", "192.0.2.0/ 24", "2001:db8::/129", "[2001:db8::1]", "fe80::1%lo", "*",
        "192.0.2.1,,192.0.2.2", ",192.0.2.1", "::ffff:192.0.2.0/95", "192.0.2.1 192.0.2.2"}) {
    EXPECT_FALSE(AddressSet::parse(text)) << text;
  }
  const auto wrong = AddressSet::parse("192.0.2.1, nonsense");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(support::has_message(wrong.error().text(), "C231", {"'nonsense'"}));
}

TEST(AddressSet, BitsAfterThePrefixAreRefused) {
  const auto wrong = AddressSet::parse("192.0.2.1/24");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(support::has_message(wrong.error().text(), "C231", {"192.0.2.1/24", "prefix"}));
  EXPECT_FALSE(AddressSet::parse("2001:db8::1/64"));
  EXPECT_TRUE(AddressSet::parse("2001:db8::/64"));
}

TEST(AddressSet, HasALimit) {
  std::string text;
  for (std::size_t number = 0; number < AddressSet::networks_max; ++number) {
    text += "10.0." + std::to_string(number / 256) + "." + std::to_string(number % 256) + ",";
  }
  EXPECT_TRUE(AddressSet::parse(text));
  const auto more = AddressSet::parse(text + "10.9.9.9");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, base::ErrorCode::Limit);
}

}  // namespace
}  // namespace affix::net
