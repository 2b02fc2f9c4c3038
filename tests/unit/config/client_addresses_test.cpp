// SPDX-License-Identifier: MIT
// Lists of hosts, and look-ups at the start and later.
#include "config/client_addresses.hpp"

#include "support/name_service.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::config {
namespace {

using support::answer_with;
using support::answered;
using support::parsed_address;
using support::texts_of;

ClientSettings client_settings_of(std::string further) {
  ClientSettings settings;
  settings.name = "CLIENT";
  settings.primary_address = "one.example";
  settings.primary_port = 1;
  settings.further_addresses = std::move(further);
  return settings;
}

TEST(ClientHosts, ArePrimarySecondaryAndFurtherOnes) {
  ClientSettings settings = client_settings_of("three.example:3 , [2001:db8::4]:4,10.0.0.5:5");
  settings.secondary_address = "two.example";
  settings.secondary_port = 2;
  const auto hosts = client_hosts(settings);
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 5U);
  EXPECT_EQ((*hosts)[0].name, "one.example");
  EXPECT_EQ((*hosts)[1].name, "two.example");
  EXPECT_EQ((*hosts)[3].name, "2001:db8::4");
  for (std::size_t at = 0; at < hosts->size(); ++at) {
    EXPECT_EQ((*hosts)[at].port, static_cast<std::int64_t>(at) + 1);
  }
}

TEST(ClientHosts, NoSecondaryOneLeavesNoGap) {
  const auto hosts = client_hosts(client_settings_of("three.example:3"));
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 2U);
  EXPECT_EQ((*hosts)[1].name, "three.example");
}

TEST(ClientHosts, APieceThatIsNoHostAndPortIsReported) {
  for (const char* piece : {"host", "host:", ":1", "host:0", "host:65536", "host:1x", "a b:1",
                            "2001:db8::1:5", "[::1", "a:1,,b:2", "[]:1"}) {
    const auto hosts = client_hosts(client_settings_of(piece));
    ASSERT_FALSE(hosts) << piece;
    EXPECT_EQ(hosts.error().message_code, base::MessageCode("C228")) << piece;
  }
}

TEST(ClientAddresses, NumericHostsAreNeverLookedUpAgain) {
  ClientAddresses addresses("CLIENT", {{"127.0.0.1", 1}, {"::1", 2}});
  Problems problems;
  Problems warnings;
  addresses.open(problems, warnings);
  EXPECT_TRUE(problems.empty());
  EXPECT_FALSE(addresses.has_names());
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"127.0.0.1:1", "[::1]:2"}));
  EXPECT_EQ(addresses.addresses()[1].host, 1U);
  addresses.want();
  EXPECT_FALSE(addresses.look_up());
}

TEST(ClientAddresses, ANameThatMovesIsFoundWhenItIsWanted) {
  ClientAddresses addresses("CLIENT", {{"venue.example", 7}}, &answered);
  Problems problems;
  Problems warnings;
  answer_with(std::vector{parsed_address("10.0.0.1:7"), parsed_address("10.0.0.2:7")});
  addresses.open(problems, warnings);
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.1:7", "10.0.0.2:7"}));
  const std::uint32_t version = addresses.version();
  EXPECT_FALSE(addresses.look_up());  // Not requested.
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_EQ(addresses.version(), version);  // Unchanged.
  answer_with(std::vector{parsed_address("10.0.0.9:7")});
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_NE(addresses.version(), version);
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.9:7"}));
}

TEST(ClientAddresses, FoundAddressesStayWhileTheNameServiceIsDown) {
  ClientAddresses addresses("CLIENT", {{"venue.example", 7}}, &answered);
  Problems problems;
  Problems warnings;
  answer_with(std::vector{parsed_address("10.0.0.1:7")});
  addresses.open(problems, warnings);
  answer_with(std::unexpected(base::Error{base::ErrorCode::Io, "down", {}}));
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.1:7"}));
}

TEST(ClientAddresses, AtTheStartAnUnknownNameIsAProblemAndASilentServiceIsNot) {
  Problems problems;
  Problems warnings;
  answer_with(std::unexpected(base::Error{base::ErrorCode::NotFound, "no such name", {}}));
  ClientAddresses unknown("CLIENT", {{"venue.example", 7}}, &answered);
  unknown.open(problems, warnings);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].where, "[CLIENT] venue.example:7");
  EXPECT_TRUE(warnings.empty());
  answer_with(std::unexpected(base::Error{base::ErrorCode::Io, "down", {}}));
  ClientAddresses silent("CLIENT", {{"venue.example", 7}}, &answered);
  silent.open(problems, warnings);
  EXPECT_EQ(problems.size(), 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(silent.addresses().empty());
  answer_with(std::vector{parsed_address("10.0.0.1:7")});
  EXPECT_TRUE(silent.look_up());  // Requested since the start.
  EXPECT_EQ(texts_of(silent), (std::vector<std::string>{"10.0.0.1:7"}));
}

}  // namespace
}  // namespace affix::config
