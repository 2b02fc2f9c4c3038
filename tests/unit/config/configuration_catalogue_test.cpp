// SPDX-License-Identifier: MIT
// The catalogue of keys: complete, and equal to the reference.
#include "affix/config/configuration_catalogue.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::config {
namespace {

const KeyDescription& key(const std::vector<KeyDescription>& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [name](const KeyDescription& one) { return one.name == name; });
  return found == keys.end() ? keys.front() : *found;
}

TEST(ConfigurationCatalogue, EveryKeyHasAMeaning) {
  for (const KeyDescription& one : describe_keys()) {
    EXPECT_FALSE(one.meaning.empty()) << one.name << ": its row says nothing of what it means";
    EXPECT_FALSE(one.allowed.empty()) << one.name;
    EXPECT_FALSE(one.kinds.empty()) << one.name;
    EXPECT_FALSE(one.reload.empty()) << one.name;
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
  EXPECT_EQ(key(keys, "logon_username").reload, "in place, no connection ends");
  EXPECT_EQ(key(keys, "throttle_limit").reload, "restarts the session");
  EXPECT_EQ(key(keys, "gap_request").reload, "restarts the session");
  EXPECT_EQ(key(keys, "durability").reload, "refused while the engine runs");
  EXPECT_EQ(key(keys, "log_level").reload, "by the program that runs the engine");
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
}  // namespace affix::config
