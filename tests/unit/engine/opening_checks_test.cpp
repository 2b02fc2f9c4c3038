// SPDX-License-Identifier: MIT
// Checks before an engine opens: every key with every kind of invalid value, in a file and in a
// program's settings, is reported by its key, all in one report.
#include "affix/config/configuration_catalogue.hpp"
#include "affix/config/words.hpp"
#include "affix/engine/engine.hpp"
#include "affix/tls/tls_endpoint.hpp"
#include "affix/tls/tls_settings.hpp"
#include "affix/wire/kernel.hpp"

#include "config/configuration_checks.hpp"
#include "config/key_tables.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace affix::engine {
namespace {

using support::has_message;

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

/// The same in a node whose server fails over, with a group of every kind.
std::map<std::string, Lines> groups_of_all_kinds() {
  auto groups = sound_groups();
  groups["ENGINE"].merge(Lines{{"node", "N1"},
                               {"node_addresses", "N1@127.0.0.1:1,N2@[::1]:2"},
                               {"election", "file:/nonexistent/election"},
                               {"failover_directory", "/nonexistent/failover"}});
  groups["FAILOVER"] = {{"replication_nodes", "N1,N2"}};
  groups["SERVER"].merge(Lines{{"failover_group", "FAILOVER"}});
  return groups;
}

struct WrittenFile {
  std::string text;
  /// By key: that of the last group which has it.
  std::map<std::string, std::size_t> lines;
  std::map<std::pair<std::string, std::string>, std::size_t> places;  ///< By group and key.
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
      file.places[{name, key}] = line;
    }
  }
  return file;
}

config::Configuration configuration_of(const std::map<std::string, Lines>& groups) {
  auto read = config::parse_configuration(written(groups).text, "test.ini");
  EXPECT_TRUE(read) << config::text_of(read.error());
  return read ? std::move(*read) : config::Configuration();
}

config::Configuration sound_configuration() {
  return configuration_of(sound_groups());
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
  return opened ? "opened" : config::text_of(opened.error());
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
  keys_of("FAILOVER", configuration.failovers.front());
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

TEST(OpeningChecks, EveryWrongValueInAFileIsReportedAtItsLine) {
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
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
      auto groups = groups_of_all_kinds();
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
          "test.ini:" + std::to_string(file.places.at({group, std::string(key.name)})) + ": ";
      EXPECT_NE(report.find(place), std::string::npos)
          << key.name << "=" << value << ": " << report;
    }
  });
  EXPECT_GT(tried, 500U);
}

TEST(OpeningChecks, EveryWrongValueOfSettingsMadeInCodeIsReported) {
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
  const config::Configuration sound = configuration;
  std::size_t tried = 0;
  for_each_key(configuration, [&](const std::string& group, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    const auto expect_reported = [&](const std::string& value) {
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
        expect_reported(std::to_string(value));
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
        expect_reported(value);
      }
      settings.*(*text) = was;
    } else if (const auto* choice = std::get_if<config::ChoiceAccess<Base>>(&key.member)) {
      const std::size_t was = choice->place(settings);
      choice->spoil(settings);
      ASSERT_EQ(choice->place(settings), choice->words) << key.name;
      expect_reported("a value without a word");
      choice->choose(settings, was);
    }
  });
  EXPECT_GT(tried, 550U);
}

TEST(OpeningChecks, AllThatIsWrongIsInOneReport) {
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
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
    } else if (const auto* choice = std::get_if<config::ChoiceAccess<Base>>(&key.member)) {
      choice->spoil(settings);
      wrong.push_back(key.name);
    }
  });
  const std::string report = refusal_of(configuration);
  for (const std::string_view key : wrong) {
    EXPECT_TRUE(says(report, key)) << key;
  }
}

TEST(OpeningChecks, EveryWordOfADefaultIsOneThatAFileCouldSay) {
  // A value equal to the key's default is not checked as a value.
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
  for_each_key(configuration, [&](const std::string&, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    const std::decay_t<decltype(settings)> standard;
    if (const auto* text = std::get_if<std::string Base::*>(&key.member);
        text != nullptr && !key.allowed.empty() && key.name != "begin_string") {
      EXPECT_NE(("|" + std::string(key.allowed) + "|").find("|" + standard.*(*text) + "|"),
                std::string::npos)
          << key.name;
    } else if (const auto* choice = std::get_if<config::ChoiceAccess<Base>>(&key.member)) {
      EXPECT_LT(choice->place(standard), choice->words) << key.name;
    }
  });
}

/// Checks that a report has each key once: repeated ones would mean that a rule between keys used
/// an invalid value.
void expect_each_reported_once(const std::string& report,
                               const std::vector<std::string_view>& wrong, std::uint64_t seed) {
  EXPECT_EQ(static_cast<std::size_t>(std::count(report.begin(), report.end(), '\n')), wrong.size())
      << "seed " << seed << "\n"
      << report;
  for (const std::string_view key : wrong) {
    EXPECT_TRUE(says(report, key)) << "seed " << seed << ": " << key << "\n" << report;
  }
}

// In each round some values are invalid, including the limits of integers, and the others take part
// in as many rules between keys as possible: each invalid value is reported, no rule uses it.
TEST(OpeningChecks, NoRuleBetweenKeysJudgesAWrongValue) {
  auto rich = groups_of_all_kinds();
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
      } else if (const auto* choice = std::get_if<config::ChoiceAccess<Base>>(&key.member)) {
        choice->spoil(settings);
        say("nope");
        wrong.push_back(key.name);
      }
    });
    if (wrong.empty()) {
      continue;
    }
    expect_each_reported_once(refusal_of(configuration), wrong, seed);
    const auto read = config::parse_configuration(written(groups).text, "test.ini");
    expect_each_reported_once(read ? "" : config::text_of(read.error()), wrong_in_file, seed);
  }
}

TEST(OpeningChecks, AContradictionIsReportedBesideAWrongValue) {
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

TEST(OpeningChecks, AValueWithoutAWordIsNeverTakenForAnother) {
  config::Configuration configuration = sound_configuration();
  configuration.servers.front().tls = static_cast<config::Encryption>(2);
  configuration.sessions.front().durability = static_cast<journal::Durability>(100);
  const std::string report = refusal_of(configuration);
  EXPECT_TRUE(has_message(report, "C206", {"[SERVER]: key 'tls': ", "OFF|ON"}));
  EXPECT_TRUE(
      has_message(report, "C206", {"[SESSION]: key 'durability': ", "memory|process|group|sync"}));
}

TEST(OpeningChecks, ASecretIsNotShown) {
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
std::string problems_of(const std::map<std::string, Lines>& lines) {
  auto groups = sound_groups();
  for (const auto& [group, more] : lines) {
    for (const auto& [key, value] : more) {
      groups[group][key] = value;
    }
  }
  const auto read = config::parse_configuration(written(groups).text, "test.ini");
  if (!read) {
    return config::text_of(read.error());
  }
  std::string text;
  for (const base::Error& warning : config::errors_of(read->warnings)) {
    text += "warning: " + warning.text() + "\n";
  }
  return text;
}

TEST(OpeningChecks, KeysThatContradictEachOtherAreProblems) {
  struct Case {
    std::map<std::string, Lines> lines;
    base::MessageCode code;
    std::string_view where;  ///< The key and its value.
    std::string_view other;  ///< What it contradicts.
  };

  const std::vector<Case> cases{
      {{{"ENGINE", {{"log_file", "run/a"}, {"counters_file", "run//a"}}}},
       "C223",
       "key 'counters_file': 'run//a'",
       "'log_file'"},
      {{{"ENGINE", {{"log_file", "a"}, {"pid_file", "./a"}}}},
       "C223",
       "key 'pid_file': './a'",
       "'log_file'"},
      {{{"ENGINE",
         {{"log_file", "run/a"},
          {"pid_file", (std::filesystem::current_path() / "run/a").string()}}}},
       "C223",
       "key 'pid_file': ",
       "run/a' is the file of key 'log_file'"},
      {{{"SESSION", {{"default_app_ver_id", "banana"}}}},
       "C226",
       "key 'default_app_ver_id': 'banana'",
       {}},
      {{{"SESSION", {{"begin_string", "FIXT.1.1"}, {"default_app_ver_id", "banana"}}}},
       "C226",
       "key 'default_app_ver_id': 'banana'",
       {}},
      {{{"CLIENT", {{"secondary_port", "7"}}}},
       "C228",
       "key 'secondary_port' ",
       "'secondary_address'"},
      {{{"CLIENT", {{"secondary_address", "b"}}}},
       "C228",
       "key 'secondary_address' ",
       "'secondary_port'"},
      {{{"CLIENT", {{"reconnect_milliseconds", "2000"}, {"reconnect_milliseconds_max", "1000"}}}},
       "C239",
       "key 'reconnect_milliseconds_max': 1000 ",
       "reconnect_milliseconds, 2000"},
      {{{"SESSION",
         {{"heartbeat_interval_seconds_min", "86400"}, {"heartbeat_interval_seconds_max", "60"}}}},
       "C239",
       "key 'heartbeat_interval_seconds_max': 60 ",
       "heartbeat_interval_seconds_min, 86400"},
      {{{"SERVER", {{"accept_port", "5001"}}}, {"SERVER2", {{"accept_port", "5001"}}}},
       "C222",
       "key 'accept_port': 5001 ",
       "accept_port of [SERVER]"},
      {{{"SERVER", {{"accept_port", "5001"}, {"nic_address", "127.0.0.1"}}},
        {"SERVER2", {{"accept_port", "5001"}}}},
       "C222",
       "key 'accept_port': 5001 ",
       "accept_port of [SERVER]"},
      {{{"SERVER", {{"accept_port", "5001"}}}, {"ENGINE", {{"management_server_port", "5001"}}}},
       "C222",
       "key 'accept_port': 5001 ",
       "management_server_port"},
      {{{"ENGINE", {{"memory_journal_bytes", "442367"}}}, {"SESSION", {{"durability", "memory"}}}},
       "C221",
       "key 'memory_journal_bytes': 442367 ",
       " 442368 bytes "},
      {{{"SESSION2",
         {{"begin_string", "FIX.4.4"},
          {"sender_comp_id", "A"},
          {"target_comp_id", "B"},
          {"instance", "CLIENT"},
          {"journal_path", "/nonexistent/./journal"}}}},
       "C220",
       "key 'journal_path': ",
       "[SESSION]"},
      {{{"SESSION", {{"journal_path", "journal"}}},
        {"SESSION2",
         {{"begin_string", "FIX.4.4"},
          {"sender_comp_id", "A"},
          {"target_comp_id", "B"},
          {"instance", "CLIENT"},
          {"journal_path", (std::filesystem::current_path() / "journal/").string()}}}},
       "C220",
       "key 'journal_path': ",
       "[SESSION]"},
  };
  for (const Case& one : cases) {
    const std::string reported = problems_of(one.lines);
    EXPECT_TRUE(has_message(reported, one.code, {one.where, one.other}));
    EXPECT_EQ(reported.find("warning"), std::string::npos) << reported;
  }
}

TEST(OpeningChecks, MatchingKeysAreTaken) {
  EXPECT_EQ(problems_of({}), "");
  EXPECT_EQ(problems_of({{"ENGINE", {{"memory_journal_bytes", "442368"}}},
                         {"SESSION", {{"durability", "memory"}}}}),
            "");
  EXPECT_EQ(problems_of({{"ENGINE", {{"memory_journal_bytes", "1"}}}}), "")
      << "no journal in memory";
  EXPECT_EQ(problems_of({{"SESSION", {{"validation_place", "BEFORE_NUMBER"}}}}), "")
      << "rules that need no dictionary are placed by it too";
  EXPECT_EQ(problems_of({{"SESSION",
                          {{"instance", "CLIENT"},
                           {"throttle_limit", "5"},
                           {"throttle_window_in_milliseconds", "9"},
                           {"send_throttle_action", "REFUSE"}}}}),
            "");
  EXPECT_EQ(problems_of({{"SESSION",
                          {{"throttle_limit", "5"},
                           {"throttle_window_in_milliseconds", "9"},
                           {"throttle_action", "REJECT"},
                           {"throttler_reject_message", "no"},
                           {"send_throttle_limit", "5"},
                           {"send_throttle_window_in_milliseconds", "9"},
                           {"send_throttle_action", "REFUSE"}}}}),
            "");
  EXPECT_EQ(problems_of({{"SERVER", {{"accept_port", "5001"}, {"nic_address", "127.0.0.1"}}},
                         {"SERVER2", {{"accept_port", "5001"}, {"nic_address", "127.0.0.2"}}}}),
            "");
  EXPECT_EQ(problems_of({{"SESSION2",
                          {{"begin_string", "FIX.4.4"},
                           {"sender_comp_id", "A"},
                           {"target_comp_id", "B"},
                           {"instance", "CLIENT"},
                           {"journal_path", "/nonexistent/other"}}}}),
            "");
}

TEST(OpeningChecks, AKeyWithoutEffectIsAWarningAtItsLine) {
  struct Case {
    std::string group;
    Lines lines;
    std::string_view key;
    base::MessageCode code = "C210";
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
       "throttle_action",
       "C212"},
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
    const std::string reported = problems_of({{one.group, one.lines}});
    const std::string wanted =
        "warning: test.ini:" + std::to_string(file.lines.at(std::string(one.key))) + ": key '" +
        std::string(one.key) + "' ";
    EXPECT_TRUE(has_message(reported, one.code, {wanted}));
    EXPECT_EQ(std::count(reported.begin(), reported.end(), '\n'), 1) << reported;
  }
}

TEST(OpeningChecks, SettingsForTlsThatIsOffAreReported) {
  config::Configuration configuration = sound_configuration();
  configuration.servers.front().tls_certificate_file = "server.pem";
  configuration.clients.front().tls_server_name = "venue";
  const auto reported = config::warnings_of(config::check_configuration(configuration), {});
  ASSERT_EQ(reported.size(), 2U) << config::text_of(reported);
  EXPECT_TRUE(has_message(reported[0].text(), "C211", {"[SERVER]: key 'tls_certificate_file' "}));
  EXPECT_TRUE(has_message(reported[1].text(), "C211", {"[CLIENT]: key 'tls_server_name' "}));
  const std::string pin = "leaf-key:" + std::string(64, 'a');
  EXPECT_TRUE(has_message(problems_of({{"SERVER", {{"tls", "OFF"}, {"tls_pins", pin}}}}), "C211",
                          {"warning: test.ini:13: key 'tls_pins' "}));
}

TEST(OpeningChecks, ABufferThatIsTakenLargerIsReported) {
  EXPECT_TRUE(has_message(
      problems_of({{"SERVER", {{"rx_buffer_capacity", "4096"}}}}), "C213",
      {"warning: test.ini:12: key 'rx_buffer_capacity': 4096 ", " 65792", "[SESSION]"}));
}

TEST(OpeningChecks, ARingThatIsTakenLargerIsReported) {
  const auto problems_of_ring = [](const char* messages, const char* durability) {
    return problems_of(
        {{"SESSION",
          {{"durability", durability}, {"replay_message_cache_initial_size", messages}}}});
  };
  const std::string reported = problems_of_ring("64", "memory");
  EXPECT_TRUE(
      has_message(reported, "C213",
                  {"warning: test.ini:", "key 'replay_message_cache_initial_size': 64 ", " 6656"}));
  EXPECT_EQ(problems_of_ring("10240", "memory"), "");
  EXPECT_EQ(problems_of_ring("20480", "memory"), "");
}

TEST(OpeningChecks, BytesThatAConnectionKeepsInAdditionAreReported) {
  EXPECT_TRUE(
      has_message(problems_of({{"SERVER", {{"tx_encode_buffer_capacity", "65536"}}}}), "C213",
                  {"warning: test.ini:12: key 'tx_encode_buffer_capacity': 65536 ", " 1048576 "}));
  EXPECT_EQ(problems_of({{"SERVER", {{"tx_encode_buffer_capacity", "1048576"}}}}), "");
}

TEST(OpeningChecks, WarningsOfAFileAreNotTakenForNewOnes) {
  auto groups = sound_groups();
  groups["SERVER"]["spin_microseconds"] = "5";
  const auto read = config::parse_configuration(written(groups).text, "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  EXPECT_EQ(config::warnings_of(config::check_configuration(*read), read->warnings).size(), 0U);
  EXPECT_EQ(config::warnings_of(config::check_configuration(*read), {}).size(), 1U);
}

TEST(OpeningChecks, AWarningOfOneGroupHidesNoneOfAnother) {
  auto groups = sound_groups();
  groups["SERVER"]["spin_microseconds"] = "5";
  groups["SERVER2"] = {{"accept_port", "0"}, {"spin_microseconds", "5"}};
  const auto read = config::parse_configuration(written(groups).text, "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  ASSERT_EQ(read->warnings.size(), 2U);
  EXPECT_EQ(read->warnings.front().group, "SERVER");
  EXPECT_EQ(read->warnings.front().key, "spin_microseconds");
  // Their sentences are the same.
  EXPECT_EQ(read->warnings.front().message, read->warnings.back().message);
  const auto more =
      config::warnings_of(config::check_configuration(*read), {read->warnings.front()});
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more.front().where, "[SERVER2]");
}

/// A kernel that no machine of this kind has.
config::KernelChoice missing_kernel() {
  return wire::kernel_available(wire::Kernel::Neon) ? config::KernelChoice::Avx2
                                                    : config::KernelChoice::Neon;
}

TEST(OpeningChecks, ProblemsOfEveryPartAreInOneReport) {
  config::Configuration configuration = sound_configuration();
  config::ServerSettings& server = configuration.servers.front();
  server.worker_core_ids = "0,x";
  server.tls = config::Encryption::On;
  server.tls_certificate_file = "/nonexistent/certificate.pem";
  server.tls_key_file = "/nonexistent/key.pem";
  server.tls_peer_proof = tls::TlsPeerProof::None;
  configuration.sessions.front().worker = 7;
  configuration.engine.kernel = missing_kernel();
  const std::string report = refusal_of(configuration);
  EXPECT_TRUE(says(report, "worker_core_ids")) << report;
  EXPECT_TRUE(has_message(report, "E103", {"[SESSION]: worker 7 ", " 1 of [SERVER]"}));
  EXPECT_NE(report.find(tls::has_tls() ? "[SERVER] /nonexistent/" : "this build has no TLS"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("[ENGINE] kernel="), std::string::npos) << report;
  // Each once, though the plan reads the cores as well.
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 4) << report;
}

TEST(OpeningChecks, AProblemOfOnePartChangesNothingInTheProcess) {
  const wire::Kernel before = wire::active_kernel();
  config::Configuration configuration = sound_configuration();
  configuration.engine.kernel =
      before == wire::Kernel::Scalar ? config::KernelChoice::Auto : config::KernelChoice::Scalar;
  config::ServerSettings& server = configuration.servers.front();
  server.tls = config::Encryption::On;
  server.tls_certificate_file = "/nonexistent/certificate.pem";
  server.tls_key_file = "/nonexistent/key.pem";
  server.tls_peer_proof = tls::TlsPeerProof::None;
  EXPECT_NE(refusal_of(configuration), "opened");
  EXPECT_EQ(wire::active_kernel(), before);
}

/// A path that does not meet the condition.
std::string wrong_path(config::FileNeed need) {
  // A path that exists and is no directory, and one that does not exist.
  return need == config::FileNeed::DirectoryToMake ? "/dev/null" : "/nonexistent/for/affix";
}

TEST(OpeningChecks, EveryFileThatAKeyNamesIsCheckedIfItsFeatureIsOn) {
  support::TemporaryDirectory directory;
  const std::string path = directory.path("test.ini");
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
  std::size_t tried = 0;
  for_each_key(configuration, [&](const std::string& group, auto&, const auto& key) {
    if (key.file == config::FileNeed::None) {
      return;
    }
    for (const bool is_on : {true, false}) {
      const std::string wrong = wrong_path(key.file);
      auto groups = groups_of_all_kinds();
      groups["ENGINE"]["node"] = is_on ? "N1" : "";
      groups["SERVER"]["failover_group"] = is_on ? "FAILOVER" : "";
      groups["ENGINE"]["management_server_port"] = is_on ? "-1" : "0";
      groups["SERVER"]["tls"] = is_on ? "ON" : "OFF";
      groups["CLIENT"]["tls"] = is_on ? "ON" : "OFF";
      groups["SESSION"]["durability"] = is_on ? "process" : "memory";
      groups[group][std::string(key.name)] =
          (key.file == config::FileNeed::SecretPlace ? "file:" : "") + wrong;
      const WrittenFile file = written(groups);
      std::ofstream(path) << file.text;
      const auto read = config::load_configuration(path);
      const std::string report = read ? "" : config::text_of(read.error());
      // Of a file to be made the sentence has the directory.
      const std::string sentence =
          path + ":" + std::to_string(file.places.at({group, std::string(key.name)})) + ": key '" +
          std::string(key.name) + "': '" + wrong.substr(0, wrong.find("/for"));
      EXPECT_EQ(report.find(sentence) != std::string::npos,
                is_on || key.feature == config::Feature::Always)
          << key.name << ": " << report;
      ++tried;
    }
  });
  EXPECT_GT(tried, 50U);
}

TEST(OpeningChecks, AFileThatIsWrittenIsTheFileOfNoOtherKey) {
  if (!tls::has_tls()) {
    GTEST_SKIP() << "this build refuses the certificates of the administration port";
  }
  config::Configuration configuration = configuration_of(groups_of_all_kinds());
  configuration.engine.management_server_port = -1;
  std::vector<std::string_view> keys;
  for_each_key(configuration, [&](const std::string& group, auto& settings, const auto& key) {
    using Base = typename std::decay_t<decltype(key)>::GroupType;
    const auto* text = std::get_if<std::string Base::*>(&key.member);
    if (group != "ENGINE" || text == nullptr ||
        (key.file != config::FileNeed::Creatable && key.file != config::FileNeed::Readable)) {
      return;
    }
    settings.*(*text) = "run/./same";
    keys.push_back(key.name);
  });
  ASSERT_GT(keys.size(), 7U);
  const std::string report = refusal_of(configuration);
  for (const std::string_view key : keys) {
    // The first of them is named in the sentences about the others.
    const std::string sentence = "key '" + std::string(key) +
                                 "': 'run/./same' is the file of key '" +
                                 std::string(keys.front()) + "' too";
    EXPECT_EQ(report.find(sentence) != std::string::npos, key != keys.front()) << report;
  }
}

TEST(OpeningChecks, AProfileThatSettingsMadeInCodeOnlyNameIsReported) {
  for (const char* const profile : {"quickfix", "cme", "24x7"}) {
    config::Configuration configuration = sound_configuration();
    config::SessionSettings& session = configuration.sessions.front();
    ASSERT_TRUE(config::choose(session, "profile", profile));
    const auto reported = config::warnings_of(config::check_configuration(configuration), {});
    ASSERT_EQ(reported.size(), 1U) << profile;
    EXPECT_TRUE(has_message(reported.front().text(), "C210", {"[SESSION]: key 'profile' "}));
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
    EXPECT_EQ(problems_of({{"SESSION", {{"profile", profile}}}}), "");
  }
  EXPECT_EQ(problems_of({{"SESSION", {{"profile", "standard"}}}}), "");
}

TEST(OpeningChecks, SettingsMadeInCodeMayLeaveTheOnlyOwnerUnsaid) {
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
  EXPECT_TRUE(has_message(refusal_of(configuration), "C217", {"[SESSION]: ", "'instance'"}));
}

}  // namespace
}  // namespace affix::engine
