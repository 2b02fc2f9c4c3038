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
                          const std::string& target, const std::string& journal_path,
                          const std::string& kind = "SESSION") {
  std::string group = "\n[" + kind + "_" + trader.name + "]\n";
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

/// The engine of the traders, and the beginning of their client group.
std::string traders_engine(const std::string& directory) {
  return "[ENGINE]\nlog_file=" + directory + "/traders.log\ncounters_file=" + directory +
         "/traders.counters\n\n[TRADERS]\n";
}

std::string trader_group(const Trader& trader, const std::string& target,
                         const std::string& directory) {
  return session_group(trader, trader.name, target, directory + "/traders") +
         "heartbeat_interval_seconds=5\n";
}

std::string route(const std::string& from, const std::string& to) {
  return "\n[TO_" + to + "]\nroute_from=" + from + "\nroute_to=" + to + "\n";
}

/// Whoever lost a connection looks for the next one at once: it may be on the other node.
constexpr std::string_view quick_reconnect =
    "reconnect_milliseconds=20\nreconnect_milliseconds_max=100\n";

/// All of this runs on one machine, which may be busy: that a node is slow is no reason to go on
/// without it. Nodes see the end of a process at once, whatever these say.
constexpr std::string_view patience =
    "replication_timeout_milliseconds=1000\nreplication_beat_milliseconds=400\n";

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
      traders_engine(directory) + "primary_address=127.0.0.1\nprimary_port=" + port + "\n";
  for (const Trader& trader : traders) {
    text += trader_group(trader, "EXCHANGE", directory);
  }
  return text;
}

std::string node_configuration(const std::string& directory, const ClusterPlaces& places,
                               std::size_t node) {
  const std::string name(node_names[node]);
  const std::string own = directory + "/" + name;
  std::string text = "[ENGINE]\nlog_file=" + own + ".log\ncounters_file=" + own +
                     ".counters\nnode=" + name + "\nnode_addresses=";
  for (std::size_t at = 0; at < node_names.size(); ++at) {
    text += (at == 0 ? "" : ", ") + std::string(node_names[at]) +
            "@127.0.0.1:" + places.stream_ports[at];
  }
  text +=
      "\nelection=etcd://127.0.0.1:" + places.etcd_port + "\nfailover_directory=" + own +
      ".failover\n\n[DESKS]\ntype=failover\nreplication_nodes=" + std::string(node_names[0]) + "," +
      std::string(node_names[1]) + "\n" + std::string(patience) +
      "\n[SERVER]\ntype=server\nnic_address=127.0.0.1\naccept_port=" + places.accept_ports[node] +
      "\nfailover_group=DESKS\n\n[CLIENT]\ntype=client\nprimary_address=127.0.0.1\n"
      "primary_port=" +
      places.exchange_port + "\n" + std::string(quick_reconnect) +
      "failover_group=DESKS\n\n[APPLICATION]\napplication=ROUTER\n";
  for (const Trader& trader : traders) {
    const std::string desk = "DESK_" + std::string(trader.name);
    const std::string market = "MARKET_" + std::string(trader.name);
    text += route(desk, market) + route(market, desk);
    // Orders that come while the other side logs on again wait, and have their numbers.
    const std::string keys = "send_while_disconnected=QUEUE\n";
    text += session_group(trader, "HUB", trader.name, own, "DESK") + "instance=SERVER\n" + keys;
    text +=
        session_group(trader, trader.name, "EXCHANGE", own, "MARKET") + "instance=CLIENT\n" + keys;
  }
  return text;
}

std::string traders_of_nodes_configuration(const std::string& directory,
                                           const ClusterPlaces& places) {
  std::string text = traders_engine(directory) +
                     "primary_address=127.0.0.1\nprimary_port=" + places.accept_ports[0] +
                     "\nsecondary_address=127.0.0.1\nsecondary_port=" + places.accept_ports[1] +
                     "\n" + std::string(quick_reconnect);
  for (const Trader& trader : traders) {
    text += trader_group(trader, "HUB", directory);
  }
  return text;
}

}  // namespace affix::inline v0::tools::demo
