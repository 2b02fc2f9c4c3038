// SPDX-License-Identifier: MIT
// The configuration files of the demonstrations, as a user would write them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::demo {

/// For the exchange: a port that the kernel chooses, and a session for each trader.
[[nodiscard]] std::string exchange_configuration(const std::string& directory);

/// For the traders: four sessions in three FIX versions, which connect to the exchange at `port`.
[[nodiscard]] std::string traders_configuration(const std::string& directory,
                                                const std::string& port);

/// The nodes of the failover demonstration. The first one leads at the beginning.
inline constexpr std::array<std::string_view, 2> node_names{"LONDON1", "LONDON2"};

/// Ports of 127.0.0.1.
struct ClusterPlaces {
  std::string etcd_port;
  std::string exchange_port;
  std::array<std::string, node_names.size()> stream_ports;  ///< Where nodes connect to each other.
  std::array<std::string, node_names.size()> accept_ports;  ///< Where traders connect.
};

/// For a node, which routes each trader's orders to the exchange and the reports back: a failover
/// group with a session for either side.
[[nodiscard]] std::string node_configuration(const std::string& directory,
                                             const ClusterPlaces& places, std::size_t node);

/// For the traders: the same sessions, which connect to whichever node leads.
[[nodiscard]] std::string traders_of_nodes_configuration(const std::string& directory,
                                                         const ClusterPlaces& places);

}  // namespace affix::inline v0::tools::demo
