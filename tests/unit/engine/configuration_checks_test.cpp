// SPDX-License-Identifier: MIT
// Every key with every kind of invalid value, in a file and in a program's settings: each is
// reported, by its key, all in one report.
#include "config/configuration_checks.hpp"

#include "affix/config/configuration_catalogue.hpp"
#include "affix/engine/engine.hpp"

#include "config/key_tables.hpp"
#include "support/without_codes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace affix::engine {
namespace {

using Lines = std::map<std::string, std::string>;

/// A valid group of each kind.
std::map<std::string, Lines> sound_groups() {
  return {
      {"ENGINE", {{"type", "engine"}}},
      {"SERVER", {{"accept_port", "0"}}},
      {"CLIENT", {{"primary_address", "127.0.0.1"}, {"primary_port", "1"}}},
      {"SESSION",
       {{"begin_string", "FIX.4.4"},
        {"sender_comp_id", "A"},
        {"target_comp_id", "B"},
        {"instance", "SERVER"},
        {"journal_path", "/nonexistent/journal"}}},
      {"APPLICATION", {{"application", "ROUTER"}}},
      {"ROUTE", {{"route_to", "SESSION"}}},
  };
}

struct WrittenFile {
  std::string text;
  std::map<std::string, std::size_t> lines;  ///< By key.
};

WrittenFile written(const std::map<std::string, Lines>& groups) {
  WrittenFile file;
  std::size_t line = 0;
  for (const auto& [name, lines] : groups) {
    file.text += "[" + name + "]\n";
    ++line;
    for (const auto& [key, value] : lines) {
      file.text += key + "=" + value + "\n";
      file.lines[key] = ++line;
    }
  }
  return file;
}

config::Configuration sound_configuration() {
  auto read = config::parse_configuration(written(sound_groups()).text, "test.ini");
  EXPECT_TRUE(read) << config::text_of(read.error());
  return read ? std::move(*read) : config::Configuration();
}

class Nobody final : public host::Application {
 public:
  void on_message(host::SessionHandle /*session*/, const wire::MessageView& /*message*/,
                  const host::Delivery& /*delivery*/) noexcept override {}
};

/// Result of Engine::open() for a program's settings; "opened" if it accepts them.
std::string refusal_of(const config::Configuration& configuration) {
  Nobody application;
  const auto opened = Engine::open(configuration, application);
  return opened ? "opened" : support::without_codes(config::text_of(opened.error()));
}

/// Calls `visit` with the name of a group, its settings in a configuration, and one of its keys.
template <typename Visit>
void for_each_key(config::Configuration& configuration, Visit&& visit) {
  const auto keys_of = [&visit](const std::string& group, auto& settings) {
    config::for_each_table<std::decay_t<decltype(settings)>>([&](const auto& table) {
      for (const auto& key : table) {
        visit(group, settings, key);
      }
    });
  };
  keys_of("ENGINE", configuration.engine);
  keys_of("SERVER", configuration.servers.front());
  keys_of("CLIENT", configuration.clients.front());
  keys_of("SESSION", configuration.sessions.front());
  keys_of("APPLICATION", configuration.application);
  keys_of("ROUTE", configuration.routes.front());
}

std::string form_of(std::string_view key) {
  for (const config::KeyDescription& one : config::describe_keys()) {
    if (one.name == key && one.allowed != "text") {
      return one.allowed;
    }
  }
  return {};
}

std::string exchanged_capitals(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::isupper(static_cast<unsigned char>(c)) != 0
                              ? std::tolower(static_cast<unsigned char>(c))
                              : std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

/// Texts that are not among a choice's words.
std::vector<std::string> no_words_of(std::string_view words) {
  std::vector<std::string> texts{"NOPE", std::string(words), std::string(words) + "|"};
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    const std::string word(words.substr(0, bar));
    texts.push_back(exchanged_capitals(word));
    texts.push_back(word + "_");
    texts.push_back(word.substr(0, word.size() - 1));
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  // Versions have no letters to change, and one word may be the beginning of another.
  std::erase_if(texts, [&](const std::string& text) { return text.empty(); });
  return texts;
}

/// Values that no key with a format accepts.
constexpr std::string_view formless = "=?;";

bool says(const std::string& report, std::string_view key) {
  return report.find("'" + std::string(key) + "'") != std::string::npos;
}

TEST(ConfigurationChecks, EveryWrongValueInAFileIsToldAtItsLine) {
  config::Configuration configuration = sound_configuration();
  std::size_t tried = 0;
  for_each_key(configuration, [&](const std::string& group, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    std::vector<std::string> values;
    if (std::holds_alternative<bool Base::*>(key.member)) {
      values = {"", "maybe", "2", "tru", "on"};
    } else if (std::holds_alternative<std::int64_t Base::*>(key.member)) {
      values = {"x",
                "1.5",
                "1x",
                "0x10",
                "--1",
                "99999999999999999999",
                std::to_string(key.minimum - 1),
                std::to_string(key.maximum + 1)};
    } else if (!key.allowed.empty()) {
      for (const std::string& text : no_words_of(key.allowed)) {
        if (("|" + std::string(key.allowed) + "|").find("|" + text + "|") == std::string::npos ||
            text.find('|') != std::string::npos) {
          values.push_back(text);
        }
      }
    } else {
      values = {std::string("a\x01") + "b"};
      if (!form_of(key.name).empty()) {
        values.emplace_back(formless);
      }
    }
    static_cast<void>(settings);
    for (const std::string& value : values) {
      auto groups = sound_groups();
      groups[group][std::string(key.name)] = value;
      const WrittenFile file = written(groups);
      const auto read = config::parse_configuration(file.text, "test.ini");
      ++tried;
      if (read) {
        ADD_FAILURE() << key.name << "=" << value << " is taken";
        continue;
      }
      const std::string report = config::text_of(read.error());
      const std::string place =
          "test.ini:" + std::to_string(file.lines.at(std::string(key.name))) + ": ";
      EXPECT_NE(report.find(place), std::string::npos)
          << key.name << "=" << value << ": " << report;
    }
  });
  EXPECT_GT(tried, 500U);
}

TEST(ConfigurationChecks, EveryWrongValueOfSettingsMadeInCodeIsTold) {
  config::Configuration configuration = sound_configuration();
  const config::Configuration sound = configuration;
  std::size_t tried = 0;
  for_each_key(configuration, [&](const std::string& group, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    const auto expect_told = [&](const std::string& value) {
      ++tried;
      const std::string report = refusal_of(configuration);
      EXPECT_TRUE(says(report, key.name)) << key.name << "=" << value << ": " << report;
      EXPECT_NE(report.find("[" + group + "]"), std::string::npos) << key.name << ": " << report;
    };
    if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
      const std::int64_t was = settings.*(*number);
      const std::int64_t standard = std::decay_t<decltype(settings)>().*(*number);
      for (const std::int64_t value :
           {key.minimum - 1, key.maximum + 1, std::numeric_limits<std::int64_t>::min(),
            std::numeric_limits<std::int64_t>::max()}) {
        if (value == standard && key.name != "primary_port") {
          continue;  // The default of a program that does not set it.
        }
        settings.*(*number) = value;
        expect_told(std::to_string(value));
      }
      settings.*(*number) = was;
    } else if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
      const std::string was = settings.*(*text);
      std::vector<std::string> values{std::string("a\x01") + "b", "a\nb", std::string("a\0b", 3)};
      if (!key.allowed.empty()) {
        for (const std::string& word : no_words_of(key.allowed)) {
          if (("|" + std::string(key.allowed) + "|").find("|" + word + "|") == std::string::npos ||
              word.find('|') != std::string::npos) {
            values.push_back(word);
          }
        }
      } else if (!form_of(key.name).empty()) {
        values.emplace_back(formless);
      }
      for (const std::string& value : values) {
        settings.*(*text) = value;
        expect_told(value);
      }
      settings.*(*text) = was;
    }
  });
  EXPECT_GT(tried, 500U);
}

TEST(ConfigurationChecks, AllThatIsWrongIsInOneReport) {
  config::Configuration configuration = sound_configuration();
  std::vector<std::string_view> wrong;
  for_each_key(configuration, [&](const std::string&, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
      settings.*(*number) = key.maximum + 1;
      wrong.push_back(key.name);
    } else if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
      // Unchanged, so that sessions find their groups.
      if (key.name != "instance" && key.name != "route_to") {
        settings.*(*text) = "a\x01";
        wrong.push_back(key.name);
      }
    }
  });
  const std::string report = refusal_of(configuration);
  for (const std::string_view key : wrong) {
    EXPECT_TRUE(says(report, key)) << key;
  }
}

TEST(ConfigurationChecks, EveryWordOfADefaultIsOneThatAFileCouldSay) {
  // A value equal to the key's default is not checked as a value.
  config::Configuration configuration = sound_configuration();
  for_each_key(configuration, [&](const std::string&, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    const std::decay_t<decltype(settings)> standard;
    if (const auto* text = std::get_if<std::string Base::*>(&key.member);
        text != nullptr && !key.allowed.empty() && key.name != "begin_string") {
      EXPECT_NE(("|" + std::string(key.allowed) + "|").find("|" + standard.*(*text) + "|"),
                std::string::npos)
          << key.name;
    }
  });
}

/// Checks that a report has each key once: repeated ones would mean that a rule between keys used
/// an invalid value.
void expect_each_told_once(const std::string& report, const std::vector<std::string_view>& wrong,
                           std::uint64_t seed) {
  EXPECT_EQ(static_cast<std::size_t>(std::count(report.begin(), report.end(), '\n')), wrong.size())
      << "seed " << seed << "\n"
      << report;
  for (const std::string_view key : wrong) {
    EXPECT_TRUE(says(report, key)) << "seed " << seed << ": " << key << "\n" << report;
  }
}

// In each round some values are invalid, including the limits of integers, and the others take part
// in as many rules between keys as possible: each invalid value is reported, no rule uses it.
TEST(ConfigurationChecks, NoRuleBetweenKeysJudgesAWrongValue) {
  auto rich = sound_groups();
  rich["ENGINE"].merge(Lines{{"numa_aware_allocations", "true"}, {"numa_bind_node", "0"}});
  rich["SERVER"].merge(Lines{{"tls", "OFF"}});
  rich["CLIENT"].merge(Lines{{"tls", "OFF"}});
  rich["SESSION"].merge(Lines{{"start_hour_utc", "8"},
                              {"start_minute_utc", "0"},
                              {"end_hour_utc", "17"},
                              {"end_minute_utc", "0"},
                              {"durability", "group"},
                              {"send_while_disconnected", "QUEUE"},
                              {"daily_reset_utc", "22:00"},
                              {"reset_start", "IN_SYNC"}});
  const auto sound = config::parse_configuration(written(rich).text, "test.ini");
  ASSERT_TRUE(sound) << config::text_of(sound.error());
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    std::mt19937_64 random(seed);
    config::Configuration configuration = *sound;
    auto groups = rich;
    std::vector<std::string_view> wrong;
    std::vector<std::string_view> wrong_in_file;
    for_each_key(configuration, [&](const std::string& group, auto& settings, const auto& key) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      const auto say = [&](const std::string& value) {
        groups[group][std::string(key.name)] = value;
        wrong_in_file.push_back(key.name);
      };
      if (random() % 24 != 0) {
        return;
      }
      if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
        const std::array<std::int64_t, 6> values{std::numeric_limits<std::int64_t>::min(),
                                                 std::numeric_limits<std::int64_t>::max(),
                                                 key.minimum - 1,
                                                 key.maximum + 1,
                                                 key.maximum + (std::int64_t{1} << 61),
                                                 -(std::int64_t{1} << 61)};
        const std::int64_t value = values[random() % values.size()];
        if (value != std::decay_t<decltype(settings)>().*(*number)) {
          settings.*(*number) = value;
          say(std::to_string(value));
          wrong.push_back(key.name);
        }
      } else if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
        // A file with such a character in a line is not parsed.
        settings.*(*text) = key.allowed.empty() ? "a\x01" : "nope";
        if (!key.allowed.empty()) {
          say("nope");
        }
        wrong.push_back(key.name);
      }
    });
    if (wrong.empty()) {
      continue;
    }
    expect_each_told_once(refusal_of(configuration), wrong, seed);
    const auto read = config::parse_configuration(written(groups).text, "test.ini");
    expect_each_told_once(read ? "" : support::without_codes(config::text_of(read.error())),
                          wrong_in_file, seed);
  }
}

TEST(ConfigurationChecks, WhatContradictsAnotherIsToldBesideAWrongValue) {
  config::Configuration configuration = sound_configuration();
  config::SessionSettings& session = configuration.sessions.front();
  session.throttle_limit = -7;
  session.start_hour_utc = 99;
  session.schedule_windows = "never";
  session.schedule_time_zone = "Mars/Base";
  session.heartbeat_interval_seconds_min = 100;
  session.heartbeat_interval_seconds_max = 50;
  config::ServerSettings& server = configuration.servers.front();
  server.tls_handshake_timeout_milliseconds = -1;
  server.tls_pins = "no pin";
  server.tls_named_certificates = "no certificate";
  const std::string report = refusal_of(configuration);
  for (const std::string_view key :
       {"throttle_limit", "start_hour_utc", "schedule_windows", "schedule_time_zone",
        "heartbeat_interval_seconds_max", "tls_handshake_timeout_milliseconds", "tls_pins",
        "tls_named_certificates"}) {
    EXPECT_TRUE(says(report, key)) << key << "\n" << report;
  }
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 8) << report;
}

TEST(ConfigurationChecks, AValueWithoutAWordIsNeverTakenForAnother) {
  config::Configuration configuration = sound_configuration();
  configuration.servers.front().tls = static_cast<config::Encryption>(2);
  configuration.sessions.front().durability = static_cast<journal::Durability>(100);
  EXPECT_EQ(refusal_of(configuration),
            "[SERVER]: key 'tls': its value is not one of OFF|ON\n"
            "[SESSION]: key 'durability': its value is not one of memory|process|group|sync\n");
}

TEST(ConfigurationChecks, ASecretIsNotShown) {
  config::Configuration configuration = sound_configuration();
  configuration.sessions.front().logon_password = "hunter2\n";
  configuration.engine.management_read_token = "hunter2";
  configuration.clients.front().tls_key_password = "hunter2";
  const std::string report = refusal_of(configuration);
  EXPECT_TRUE(says(report, "logon_password")) << report;
  EXPECT_TRUE(says(report, "management_read_token")) << report;
  EXPECT_TRUE(says(report, "tls_key_password")) << report;
  EXPECT_EQ(report.find("hunter2"), std::string::npos) << report;
}

// --- Between keys and between groups ---

/// Findings about a file's settings with these additional lines in each group.
std::string told_of(const std::map<std::string, Lines>& lines) {
  auto groups = sound_groups();
  for (const auto& [group, more] : lines) {
    for (const auto& [key, value] : more) {
      groups[group][key] = value;
    }
  }
  const auto read = config::parse_configuration(written(groups).text, "test.ini");
  if (!read) {
    return support::without_codes(config::text_of(read.error()));
  }
  std::string text;
  for (const base::Error& warning : read->warnings) {
    text += "warning: " + warning.sentence() + "\n";
  }
  return text;
}

TEST(ConfigurationChecks, KeysThatContradictEachOtherAreProblems) {
  struct Case {
    std::map<std::string, Lines> lines;
    std::string_view told;
  };

  const std::vector<Case> cases{
      {{{"ENGINE", {{"log_file", "run/a"}, {"counters_file", "run//a"}}}},
       "key 'counters_file': 'run//a' is the file of key 'log_file' too"},
      {{{"ENGINE", {{"log_file", "a"}, {"pid_file", "./a"}}}},
       "key 'pid_file': './a' is the file of key 'log_file' too"},
      {{{"ENGINE",
         {{"log_file", "run/a"},
          {"pid_file", (std::filesystem::current_path() / "run/a").string()}}}},
       "run/a' is the file of key 'log_file' too"},
      {{{"SESSION", {{"default_app_ver_id", "banana"}}}},
       "key 'default_app_ver_id': 'banana' is no ApplVerID"},
      {{{"SESSION", {{"begin_string", "FIXT.1.1"}, {"default_app_ver_id", "banana"}}}},
       "key 'default_app_ver_id': 'banana' is no ApplVerID"},
      {{{"CLIENT", {{"secondary_port", "7"}}}},
       "key 'secondary_port' needs key 'secondary_address' too"},
      {{{"CLIENT", {{"secondary_address", "b"}}}},
       "key 'secondary_address' needs key 'secondary_port' too"},
      {{{"CLIENT", {{"reconnect_milliseconds", "2000"}, {"reconnect_milliseconds_max", "1000"}}}},
       "key 'reconnect_milliseconds_max': 1000 is below reconnect_milliseconds, 2000"},
      {{{"SESSION",
         {{"heartbeat_interval_seconds_min", "86400"}, {"heartbeat_interval_seconds_max", "60"}}}},
       "key 'heartbeat_interval_seconds_max': 60 is below heartbeat_interval_seconds_min, 86400"},
      {{{"SERVER", {{"accept_port", "5001"}}}, {"SERVER2", {{"accept_port", "5001"}}}},
       "key 'accept_port': 5001 is the accept_port of [SERVER] too"},
      {{{"SERVER", {{"accept_port", "5001"}, {"nic_address", "127.0.0.1"}}},
        {"SERVER2", {{"accept_port", "5001"}}}},
       "key 'accept_port': 5001 is the accept_port of [SERVER] too"},
      {{{"SERVER", {{"accept_port", "5001"}}}, {"ENGINE", {{"management_server_port", "5001"}}}},
       "key 'accept_port': 5001 is the management_server_port too"},
      {{{"ENGINE", {{"memory_journal_bytes", "442367"}}}, {"SESSION", {{"durability", "memory"}}}},
       "key 'memory_journal_bytes': 442367 is below the 442368 bytes that journals in memory begin "
       "with (sessions with durability=memory: 1); "},
      {{{"SESSION2",
         {{"begin_string", "FIX.4.4"},
          {"sender_comp_id", "A"},
          {"target_comp_id", "B"},
          {"instance", "CLIENT"},
          {"journal_path", "/nonexistent/./journal"}}}},
       "key 'journal_path': [SESSION] has the same ids and the same journal_path"},
      {{{"SESSION", {{"journal_path", "journal"}}},
        {"SESSION2",
         {{"begin_string", "FIX.4.4"},
          {"sender_comp_id", "A"},
          {"target_comp_id", "B"},
          {"instance", "CLIENT"},
          {"journal_path", (std::filesystem::current_path() / "journal/").string()}}}},
       "key 'journal_path': [SESSION] has the same ids and the same journal_path"},
  };
  for (const Case& one : cases) {
    const std::string told = told_of(one.lines);
    EXPECT_NE(told.find(one.told), std::string::npos) << one.told << "\n" << told;
    EXPECT_EQ(told.find("warning"), std::string::npos) << told;
  }
}

TEST(ConfigurationChecks, WhatGoesTogetherIsTaken) {
  EXPECT_EQ(told_of({}), "");
  EXPECT_EQ(told_of({{"ENGINE", {{"memory_journal_bytes", "442368"}}},
                     {"SESSION", {{"durability", "memory"}}}}),
            "");
  EXPECT_EQ(told_of({{"ENGINE", {{"memory_journal_bytes", "1"}}}}), "") << "no journal in memory";
  EXPECT_EQ(told_of({{"SESSION", {{"validation_place", "BEFORE_NUMBER"}}}}), "")
      << "rules that need no dictionary are placed by it too";
  EXPECT_EQ(told_of({{"SESSION",
                      {{"instance", "CLIENT"},
                       {"throttle_limit", "5"},
                       {"throttle_window_in_milliseconds", "9"},
                       {"send_throttle_action", "REFUSE"}}}}),
            "");
  EXPECT_EQ(told_of({{"SESSION",
                      {{"throttle_limit", "5"},
                       {"throttle_window_in_milliseconds", "9"},
                       {"throttle_action", "REJECT"},
                       {"throttler_reject_message", "no"},
                       {"send_throttle_limit", "5"},
                       {"send_throttle_window_in_milliseconds", "9"},
                       {"send_throttle_action", "REFUSE"}}}}),
            "");
  EXPECT_EQ(told_of({{"SERVER", {{"accept_port", "5001"}, {"nic_address", "127.0.0.1"}}},
                     {"SERVER2", {{"accept_port", "5001"}, {"nic_address", "127.0.0.2"}}}}),
            "");
  EXPECT_EQ(told_of({{"SESSION2",
                      {{"begin_string", "FIX.4.4"},
                       {"sender_comp_id", "A"},
                       {"target_comp_id", "B"},
                       {"instance", "CLIENT"},
                       {"journal_path", "/nonexistent/other"}}}}),
            "");
}

TEST(ConfigurationChecks, WhatHasNoEffectIsAWarningAtItsLine) {
  struct Case {
    std::string group;
    Lines lines;
    std::string_view key;
  };

  const std::vector<Case> cases{
      {"SESSION", {{"default_app_ver_id", "9"}}, "default_app_ver_id"},
      {"SESSION", {{"validation_rules", "user_defined_tag:OFF"}}, "validation_rules"},
      {"SESSION", {{"validation_preset", "TOLERANT"}}, "validation_preset"},
      {"SESSION", {{"validate_repeating_groups", "false"}}, "validate_repeating_groups"},
      {"SESSION", {{"validation_order", "QUICKFIX"}}, "validation_order"},
      {"SESSION",
       {{"profile", "quickfix"}, {"validation_preset", "TOLERANT"}},
       "validation_preset"},
      {"SESSION",
       {{"instance", "CLIENT"}, {"throttle_limit", "5"}, {"throttle_action", "REJECT"}},
       "throttle_action"},
      {"SESSION", {{"instance", "CLIENT"}, {"throttle_action", "REJECT"}}, "throttle_action"},
      {"SESSION", {{"throttle_window_in_milliseconds", "9"}}, "throttle_window_in_milliseconds"},
      {"SESSION", {{"throttler_reject_message", "no"}}, "throttler_reject_message"},
      {"SESSION",
       {{"throttle_limit", "5"}, {"send_throttle_window_in_milliseconds", "9"}},
       "send_throttle_window_in_milliseconds"},
      {"SESSION", {{"send_throttle_action", "REFUSE"}}, "send_throttle_action"},
      {"SESSION", {{"template_sessions_max", "3"}}, "template_sessions_max"},
      {"SESSION", {{"second_logon_probe_milliseconds", "3"}}, "second_logon_probe_milliseconds"},
      {"SESSION", {{"send_queue_max", "3"}}, "send_queue_max"},
      {"SESSION", {{"group_interval_milliseconds", "3"}}, "group_interval_milliseconds"},
      {"SESSION", {{"durability", "memory"}, {"journal_keep_days", "3"}}, "journal_keep_days"},
      {"ENGINE", {{"numa_aware_allocations", "true"}}, "numa_aware_allocations"},
      {"ENGINE", {{"latency_records", "1024"}}, "latency_records"},
      {"SERVER", {{"spin_microseconds", "5"}}, "spin_microseconds"},
      {"SERVER", {{"worker_core_ids", "0,1"}}, "worker_core_ids"},
  };
  for (const Case& one : cases) {
    auto groups = sound_groups();
    for (const auto& [key, value] : one.lines) {
      groups[one.group][key] = value;
    }
    const WrittenFile file = written(groups);
    const std::string told = told_of({{one.group, one.lines}});
    const std::string wanted =
        "warning: test.ini:" + std::to_string(file.lines.at(std::string(one.key))) + ": key '" +
        std::string(one.key) + "' has no effect: ";
    EXPECT_TRUE(told.starts_with(wanted)) << one.key << ": " << told;
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
  }
}

TEST(ConfigurationChecks, SettingsForTlsThatIsOffAreTold) {
  config::Configuration configuration = sound_configuration();
  configuration.servers.front().tls_certificate_file = "server.pem";
  configuration.clients.front().tls_server_name = "venue";
  EXPECT_EQ(config::text_of(config::warnings_of(config::check_configuration(configuration), {})),
            "[SERVER]: key 'tls_certificate_file' has no effect: tls is OFF, and the group speaks "
            "plain text [C211]\n"
            "[CLIENT]: key 'tls_server_name' has no effect: tls is OFF, and the group speaks plain "
            "text [C211]\n");
  const std::string pin = "leaf-key:" + std::string(64, 'a');
  EXPECT_EQ(told_of({{"SERVER", {{"tls", "OFF"}, {"tls_pins", pin}}}}),
            "warning: test.ini:13: key 'tls_pins' has no effect: tls is OFF, and the group speaks "
            "plain text\n");
}

TEST(ConfigurationChecks, ABufferThatIsTakenLargerIsTold) {
  EXPECT_EQ(told_of({{"SERVER", {{"rx_buffer_capacity", "4096"}}}}),
            "warning: test.ini:12: key 'rx_buffer_capacity': 4096 is taken as 65792, what a "
            "message of max_message_bytes of [SESSION] takes\n");
}

TEST(ConfigurationChecks, ARingThatIsTakenLargerIsTold) {
  const auto told_of_ring = [](const char* messages, const char* durability) {
    return told_of(
        {{"SESSION",
          {{"durability", durability}, {"replay_message_cache_initial_size", messages}}}});
  };
  const std::string told = told_of_ring("64", "memory");
  EXPECT_TRUE(told.starts_with("warning: test.ini:")) << told;
  EXPECT_NE(told.find("key 'replay_message_cache_initial_size': 64 is taken as 6656, as a ring has "
                      "1 MiB at least, and space for eight of the largest messages\n"),
            std::string::npos)
      << told;
  EXPECT_EQ(told_of_ring("10240", "memory"), "");
  EXPECT_EQ(told_of_ring("20480", "memory"), "");
}

TEST(ConfigurationChecks, WhatAConnectionKeepsBesideIsTold) {
  EXPECT_EQ(
      told_of({{"SERVER", {{"tx_encode_buffer_capacity", "65536"}}}}),
      "warning: test.ini:12: key 'tx_encode_buffer_capacity': 65536 bytes wait in the session, "
      "and its connection keeps up to 1048576 more, as for every smaller value\n");
  EXPECT_EQ(told_of({{"SERVER", {{"tx_encode_buffer_capacity", "1048576"}}}}), "");
}

TEST(ConfigurationChecks, WarningsOfAFileAreNotTakenForNewOnes) {
  auto groups = sound_groups();
  groups["SERVER"]["spin_microseconds"] = "5";
  const auto read = config::parse_configuration(written(groups).text, "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  EXPECT_EQ(config::warnings_of(config::check_configuration(*read), read->warnings).size(), 0U);
  EXPECT_EQ(config::warnings_of(config::check_configuration(*read), {}).size(), 1U);
}

TEST(ConfigurationChecks, AProfileThatSettingsMadeInCodeOnlyNameIsTold) {
  for (const char* const profile : {"quickfix", "cme", "24x7"}) {
    config::Configuration configuration = sound_configuration();
    config::SessionSettings& session = configuration.sessions.front();
    session.profile = profile;
    const auto told = config::warnings_of(config::check_configuration(configuration), {});
    ASSERT_EQ(told.size(), 1U) << profile;
    EXPECT_TRUE(told.front().sentence().starts_with("[SESSION]: key 'profile' has no effect: "))
        << told.front().text();
    auto begun = config::settings_of_profile(profile);
    ASSERT_TRUE(begun);
    begun->name = session.name;
    begun->instance = session.instance;
    begun->begin_string = session.begin_string;
    begun->sender_comp_id = session.sender_comp_id;
    begun->target_comp_id = session.target_comp_id;
    begun->journal_path = session.journal_path;
    session = *begun;
    EXPECT_TRUE(config::warnings_of(config::check_configuration(configuration), {}).empty())
        << profile;
    // As in a file, where the profile determines the keys' defaults.
    EXPECT_EQ(told_of({{"SESSION", {{"profile", profile}}}}), "");
  }
  EXPECT_EQ(told_of({{"SESSION", {{"profile", "standard"}}}}), "");
}

TEST(ConfigurationChecks, SettingsMadeInCodeMayLeaveTheOnlyOwnerUnsaid) {
  config::Configuration configuration;
  configuration.servers.push_back({});
  configuration.servers.front().name = "SERVER";
  config::SessionSettings session;
  session.name = "SESSION";
  session.begin_string = "FIX.4.4";
  session.sender_comp_id = "A";
  session.target_comp_id = "B";
  session.durability = journal::Durability::Memory;
  configuration.sessions.push_back(session);
  EXPECT_EQ(refusal_of(configuration), "opened");
  configuration.servers.push_back(configuration.servers.front());
  configuration.servers.back().name = "OTHER";
  EXPECT_NE(refusal_of(configuration).find("[SESSION]: needs key 'instance'"), std::string::npos);
}

}  // namespace
}  // namespace affix::engine
