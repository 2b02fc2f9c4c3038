// SPDX-License-Identifier: MIT
// The catalogue of keys: complete, and in the words of the reference.
#include "affix/engine/configuration_catalogue.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::engine {
namespace {

const KeyDescription& key(const std::vector<KeyDescription>& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [name](const KeyDescription& one) { return one.name == name; });
  return found == keys.end() ? keys.front() : *found;
}

TEST(ConfigurationCatalogue, EveryKeyHasAMeaning) {
  for (const KeyDescription& one : describe_keys()) {
    EXPECT_FALSE(one.meaning.empty())
        << one.name << ": say what it means in src/engine/key_meanings.cpp";
    EXPECT_FALSE(one.allowed.empty()) << one.name;
    EXPECT_FALSE(one.kinds.empty()) << one.name;
  }
}

TEST(ConfigurationCatalogue, NoNameStandsForTwoKeys) {
  std::set<std::string_view> names;
  for (const KeyDescription& one : describe_keys()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
}

TEST(ConfigurationCatalogue, TellsDefaultsValuesAndUnits) {
  const auto keys = describe_keys();
  const KeyDescription& heartbeat = key(keys, "heartbeat_interval_seconds");
  EXPECT_EQ(heartbeat.standard, "30");
  EXPECT_EQ(heartbeat.allowed, "0 to 86400");
  EXPECT_EQ(heartbeat.units, "us, ms, s, m, h, d");
  ASSERT_EQ(heartbeat.kinds.size(), 1U);
  EXPECT_EQ(heartbeat.kinds[0], GroupKind::Session);
  EXPECT_EQ(key(keys, "durability").allowed, "memory, process, group, sync");
  EXPECT_EQ(key(keys, "disable_nagle").standard, "true");
  EXPECT_EQ(key(keys, "disable_nagle").kinds.size(), 2U);
  EXPECT_EQ(key(keys, "primary_port").standard, "");
  EXPECT_EQ(key(keys, "accept_port").standard, "0");
  EXPECT_EQ(key(keys, "pending_connection_queue_size").units, "");
  EXPECT_TRUE(key(keys, "logon_password").secret);
  EXPECT_FALSE(key(keys, "logon_username").secret);
}

TEST(ConfigurationCatalogue, TheNearestKeyIsSuggested) {
  EXPECT_EQ(nearest_key("heartbeat_intervall"), "");
  EXPECT_EQ(nearest_key("heartbeat_interval_second"), "heartbeat_interval_seconds");
  EXPECT_EQ(nearest_key("Accept_Port"), "accept_port");
  EXPECT_EQ(nearest_key("acecpt_port"), "accept_port");
  EXPECT_EQ(nearest_key(""), "");
  EXPECT_EQ(nearest_key(std::string(100, 'a')), "");
}

}  // namespace
}  // namespace affix::engine
