// SPDX-License-Identifier: MIT
// A file's effective configuration, with the place of each value and without secrets.
#include "affix/config/effective_configuration.hpp"

#include "config/key_tables.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace affix::config {
namespace {

class EffectiveFile : public testing::Test {
 protected:
  std::vector<EffectiveGroup> read(const std::string& text) {
    std::ofstream(path_) << text;
    auto groups = load_effective_configuration(path_);
    EXPECT_TRUE(groups) << text_of(groups.error());
    return groups ? std::move(*groups) : std::vector<EffectiveGroup>();
  }

  static EffectiveValue value(const EffectiveGroup& group, std::string_view key) {
    const auto found = std::find_if(group.values.begin(), group.values.end(),
                                    [key](const EffectiveValue& one) { return one.key == key; });
    EXPECT_NE(found, group.values.end()) << key;
    return found == group.values.end() ? EffectiveValue() : *found;
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("main.ini");
};

TEST_F(EffectiveFile, SaysWhereEachValueComesFrom) {
  const auto groups = read(
      "[SESSION_DEFAULTS]\nlogon_password=hunter2\nprofile=quickfix\n[S]\naccept_port=0\n"
      "socket_rx_size=64KiB\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].kind, GroupKind::Engine);
  EXPECT_EQ(groups[0].where, "");
  EXPECT_EQ(groups[1].name, "S");
  EXPECT_EQ(groups[1].where, path_ + ":4");
  EXPECT_EQ(value(groups[1], "socket_rx_size").value, "65536");
  EXPECT_EQ(value(groups[1], "socket_rx_size").where, path_ + ":6");
  EXPECT_EQ(value(groups[1], "socket_rx_size").origin, Origin::Group);
  EXPECT_EQ(value(groups[1], "disable_nagle").origin, Origin::Standard);
  EXPECT_EQ(value(groups[2], "logon_timeout_seconds").origin, Origin::Profile);
  EXPECT_EQ(value(groups[2], "logon_timeout_seconds").value, "10");
  EXPECT_EQ(value(groups[2], "profile").origin, Origin::Defaults);
  EXPECT_EQ(value(groups[2], "profile").where, path_ + ":3");
  EXPECT_EQ(value(groups[2], "logon_password").value, "...");
  EXPECT_EQ(value(groups[2], "logon_message_new_password").value, "");
  EXPECT_EQ(value(groups[2], "malformed_fields").value, "GARBLED");
}

/// Gives every text of the group one value, and expects that only secrets hide it.
template <typename Settings>
std::size_t check_secrets(Configuration& configuration, Settings& settings, GroupKind kind) {
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
        settings.*(*text) = "hunter2";
      }
    }
  });
  const std::vector<EffectiveGroup> groups = describe_configuration(configuration);
  const auto group = std::ranges::find(groups, kind, &EffectiveGroup::kind);
  std::size_t texts = 0;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      const auto value = std::ranges::find(group->values, key.name, &EffectiveValue::key);
      ASSERT_NE(value, group->values.end()) << key.name;
      if (std::holds_alternative<std::string Base::*>(key.member)) {
        EXPECT_EQ(value->value, key.secret ? "..." : "hunter2") << key.name;
        EXPECT_EQ(value->origin, Origin::Group) << key.name;
        ++texts;
      } else {
        EXPECT_EQ(value->origin, Origin::Standard) << key.name;
      }
    }
  });
  return texts;
}

TEST(EffectiveConfiguration, EveryKeyShowsItsValueUnlessItIsSecret) {
  Configuration configuration;
  configuration.clients.emplace_back();
  configuration.servers.emplace_back();
  configuration.sessions.emplace_back();
  configuration.routes.emplace_back();
  configuration.failovers.emplace_back();
  EXPECT_GT(check_secrets(configuration, configuration.engine, GroupKind::Engine), 12U);
  EXPECT_GT(check_secrets(configuration, configuration.clients[0], GroupKind::Client), 12U);
  EXPECT_GT(check_secrets(configuration, configuration.servers[0], GroupKind::Server), 12U);
  EXPECT_GT(check_secrets(configuration, configuration.sessions[0], GroupKind::Session), 25U);
  EXPECT_EQ(check_secrets(configuration, configuration.application, GroupKind::Application), 4U);
  EXPECT_EQ(check_secrets(configuration, configuration.routes[0], GroupKind::Route), 3U);
  EXPECT_EQ(check_secrets(configuration, configuration.failovers[0], GroupKind::Failover), 3U);
}

TEST_F(EffectiveFile, AWrongFileIsRefusedAsEver) {
  std::ofstream(path_) << "[S]\naccept_port=x\n";
  const auto groups = load_effective_configuration(path_);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().size(), 1U);
}

}  // namespace
}  // namespace affix::config
