// SPDX-License-Identifier: MIT
// The catalogue of keys: complete, and equal to the reference.
#include "affix/config/configuration_catalogue.hpp"

#include "config/foreign_keys.hpp"
#include "config/key_tables.hpp"
#include "config/list_text.hpp"
#include "config/measured_number.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

/// Every row of the tables of `Settings` is described; returns their number.
template <typename Settings>
std::size_t check_described(const std::vector<KeyDescription>& keys) {
  std::size_t count = 0;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& row : table) {
      ++count;
      const auto found = std::ranges::find(keys, row.name, &KeyDescription::name);
      if (found == keys.end()) {
        ADD_FAILURE() << row.name;
        continue;
      }
      EXPECT_EQ(found->secret, row.secret) << row.name;
      EXPECT_EQ(found->units, units_of(row.measure)) << row.name;
      EXPECT_EQ(is_secret_key(row.name), row.secret) << row.name;
    }
  });
  return count;
}

TEST(ConfigurationCatalogue, EveryRowIsDescribed) {
  const auto keys = describe_keys();
  const std::size_t instance = check_described<InstanceSettings>(keys);
  // Clients and servers share the rows of an instance.
  EXPECT_EQ(check_described<EngineSettings>(keys) + check_described<ClientSettings>(keys) +
                check_described<ServerSettings>(keys) - instance +
                check_described<SessionSettings>(keys) +
                check_described<ApplicationSettings>(keys) + check_described<RouteSettings>(keys) +
                check_described<FailoverSettings>(keys),
            keys.size());
}

/// The quantity that the end of a key's name says; nothing for a name that says none.
std::optional<Measure> measure_said_by(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Measure>, 7> endings{{
      {"_bytes", Measure::Bytes},
      {"_microseconds", Measure::Microseconds},
      {"_milliseconds", Measure::Milliseconds},
      {"_seconds", Measure::Seconds},
      {"_secs", Measure::Seconds},
      {"_hours", Measure::Hours},
      {"_days", Measure::Days},
  }};
  for (const std::string_view bound : {"_min", "_max"}) {
    if (name.ends_with(bound)) {
      name.remove_suffix(bound.size());
    }
  }
  for (const auto& [ending, measure] : endings) {
    if (name.ends_with(ending)) {
      return measure;
    }
  }
  return std::nullopt;
}

template <typename Settings>
std::size_t check_measures() {
  std::size_t count = 0;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& row : table) {
      using Base = typename std::decay_t<decltype(row)>::GroupType;
      const auto said = measure_said_by(row.name);
      if (!std::holds_alternative<std::int64_t Base::*>(row.member)) {
        EXPECT_EQ(row.measure, Measure::Count) << row.name << " is no number";
      } else if (said) {
        EXPECT_EQ(row.measure, *said) << row.name;
        ++count;
      }
    }
  });
  return count;
}

TEST(ConfigurationCatalogue, ANumberIsCountedInTheUnitOfItsName) {
  EXPECT_GT(check_measures<EngineSettings>(), 4U);
  EXPECT_GT(check_measures<ClientSettings>() + check_measures<ServerSettings>(), 8U);
  EXPECT_GT(check_measures<SessionSettings>(), 18U);
  EXPECT_EQ(check_measures<FailoverSettings>(), 4U);
}

template <typename Settings>
std::size_t check_file_needs() {
  std::size_t count = 0;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& row : table) {
      using Base = typename std::decay_t<decltype(row)>::GroupType;
      const bool is_text = std::holds_alternative<std::string Base::*>(row.member);
      if (row.file != FileNeed::None) {
        EXPECT_TRUE(is_text && row.allowed.empty()) << row.name << " names no file";
        ++count;
      } else if (is_text && (row.name.ends_with("_file") || row.name.ends_with("_path"))) {
        // The schedule's checks read it.
        EXPECT_EQ(row.name, "schedule_holidays_file") << row.name << " is not checked";
      }
    }
  });
  return count;
}

TEST(ConfigurationCatalogue, AKeyNamedAfterAFileSaysWhatTheFileMustBe) {
  EXPECT_GT(check_file_needs<EngineSettings>(), 10U);
  EXPECT_GT(check_file_needs<ServerSettings>(), 7U);
  EXPECT_GT(check_file_needs<SessionSettings>(), 4U);
  EXPECT_EQ(check_file_needs<ApplicationSettings>(), 1U);
  EXPECT_EQ(check_file_needs<NodeSettings>(), 8U);
  EXPECT_EQ(check_file_needs<FailoverSettings>(), 2U);
}

TEST(ConfigurationCatalogue, EveryKeyThatReplacesAForeignOneExists) {
  const auto keys = describe_keys();
  std::size_t count = 0;
  for (const ForeignKey& foreign : foreign_keys()) {
    EXPECT_EQ(keys_in_place_of(foreign.name), foreign.ours);
    for (std::string_view rest = foreign.ours; !rest.empty();) {
      const std::string_view ours = take_piece(rest);
      EXPECT_NE(std::ranges::find(keys, ours, &KeyDescription::name), keys.end())
          << foreign.name << " becomes " << ours;
      ++count;
    }
    EXPECT_EQ(std::ranges::find(keys, foreign.name, &KeyDescription::name), keys.end())
        << foreign.name << " is a key of ours";
  }
  EXPECT_GT(count, 12U);
}

TEST(ConfigurationCatalogue, NoNameStandsForTwoKeys) {
  std::set<std::string_view> names;
  for (const KeyDescription& one : describe_keys()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
}

TEST(ConfigurationCatalogue, ReportsDefaultsValuesAndUnits) {
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
  EXPECT_EQ(key(keys, "enabled").reload, "logs the session out, or lets it log on");
  EXPECT_EQ(key(keys, "profile").allowed, "standard, quickfix, cme, 24x7");
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
