// SPDX-License-Identifier: MIT
// Texts of the demonstration's configuration files.
#include "demo/configurations.hpp"

#include "dictionary/standard.hpp"

#include <array>
#include <filesystem>

namespace affix::inline v0::tools::demo {

namespace {

struct Trader {
  const char* name;
  const char* begin_string;
};

constexpr std::array traders{Trader{"ALICE", "FIX.4.4"}, Trader{"BOB", "FIX.4.4"},
                             Trader{"CAROL", "FIX.4.2"}, Trader{"DAVE", "FIXT.1.1"}};

/// A line that names a standard dictionary; empty if those are not installed.
std::string dictionary_line(std::string_view key, const std::string& file) {
  const std::string path = dictionary::standard_directory() + "/" + file;
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? std::string(key) + "=" + path + "\n"
                                                : std::string();
}

std::string session_group(const Trader& trader, const std::string& sender,
                          const std::string& target, const std::string& journal_path) {
  std::string group = "\n[SESSION_" + std::string(trader.name) + "]\n";
  group += "begin_string=" + std::string(trader.begin_string) + "\n";
  if (std::string(trader.begin_string) == "FIXT.1.1") {
    group += "default_app_ver_id=9\n";
    group += dictionary_line("transport_dictionary",
                             dictionary::file_of_begin_string(trader.begin_string));
    group += dictionary_line("dictionary", std::string(dictionary::file_of_appl_ver_id("9")));
  } else {
    group += dictionary_line("dictionary", dictionary::file_of_begin_string(trader.begin_string));
  }
  group += "sender_comp_id=" + sender + "\n";
  group += "target_comp_id=" + target + "\n";
  group += "journal_path=" + journal_path + "\n";
  return group;
}

}  // namespace

std::string exchange_configuration(const std::string& directory) {
  std::string text = "[ENGINE]\nlog_file=" + directory +
                     "/exchange.log\ncounters_file=" + directory +
                     "/exchange.counters\n\n[EXCHANGE]\nnic_address=127.0.0.1\naccept_port=0\n";
  for (const Trader& trader : traders) {
    text += session_group(trader, "EXCHANGE", trader.name, directory + "/exchange");
  }
  return text;
}

std::string traders_configuration(const std::string& directory, const std::string& port) {
  std::string text =
      "[ENGINE]\nlog_file=" + directory + "/traders.log\ncounters_file=" + directory +
      "/traders.counters\n\n[TRADERS]\nprimary_address=127.0.0.1\nprimary_port=" + port + "\n";
  for (const Trader& trader : traders) {
    text += session_group(trader, trader.name, "EXCHANGE", directory + "/traders");
    text += "heartbeat_interval_seconds=5\n";
  }
  return text;
}

}  // namespace affix::inline v0::tools::demo
