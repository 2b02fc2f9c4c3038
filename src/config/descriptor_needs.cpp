// SPDX-License-Identifier: MIT
// Counts file descriptors.
#include "config/descriptor_needs.hpp"

#include "affix/os/this_process.hpp"

#include <algorithm>
#include <optional>

namespace affix::inline v0::config {

namespace {

/// Log, counters and other files of the engine, and the administration port itself.
constexpr std::size_t besides_journals = 12;

/// Clients of the administration port that get a refusal as an answer.
constexpr std::size_t turned_away_administrators = 8;

/// A new segment, its directory, a segment being read, and both ends of an archive copy.
constexpr std::size_t of_each_worker = 5;

/// durability=sync keeps segment files open: the next one besides those in use.
constexpr std::size_t of_each_synced_session = 2;

/// For each of the two threads that ask a member of etcd: a connection, and both ends of a pipe
/// that ends its wait.
constexpr std::size_t of_each_etcd_member = 6;

constexpr std::int64_t connections_before_logon_min = 256;

std::size_t sessions_of(const Configuration& configuration) {
  return configuration.sessions.size() + sessions_to_come(configuration);
}

/// Of one group: its sessions, those of its templates, and the maximum of later additions.
std::int64_t sessions_of(const Configuration& configuration, const ServerSettings& server) {
  std::int64_t count = configuration.engine.added_sessions_max;
  for (const SessionSettings& session : configuration.sessions) {
    count += session.instance == server.name ? 1 : 0;
  }
  for (const SessionSettings& made_from : configuration.templates) {
    count += made_from.instance == server.name ? made_from.template_sessions_max : 0;
  }
  return count;
}

std::string number(std::size_t value) {
  return std::to_string(value);
}

}  // namespace

std::uint32_t reserved_descriptors(const Configuration& configuration) {
  const std::size_t automatic = automatic_worker_count();
  std::size_t workers = 1;
  for (const ServerSettings& server : configuration.servers) {
    workers = std::max(workers, worker_count_of(server, automatic));
  }
  for (const ClientSettings& client : configuration.clients) {
    workers = std::max(workers, worker_count_of(client, automatic));
  }
  const auto is_synced = [](const SessionSettings& session) {
    return session.durability == journal::Durability::Sync;
  };
  auto synced = static_cast<std::size_t>(std::ranges::count_if(configuration.sessions, is_synced));
  for (const SessionSettings& made_from : configuration.templates) {
    synced += is_synced(made_from) ? static_cast<std::size_t>(made_from.template_sessions_max) : 0;
  }
  // Nothing says what later sessions will be; those of an engine that flushes are alike, mostly.
  synced += synced == 0 ? 0 : static_cast<std::size_t>(configuration.engine.added_sessions_max);
  const ManagementSettings& management = configuration.engine;
  const std::size_t administrators =
      management.management_server_port == 0
          ? 0
          : static_cast<std::size_t>(management.management_connections_max) +
                turned_away_administrators;
  const auto election = election_of(configuration.engine);
  const std::size_t etcd_members = election ? election->endpoints.size() : 0;
  return static_cast<std::uint32_t>(besides_journals + administrators + of_each_worker * workers +
                                    of_each_synced_session * synced +
                                    of_each_etcd_member * etcd_members);
}

std::int64_t connections_before_logon(const Configuration& configuration,
                                      const ServerSettings& server) {
  return server.max_connections_before_logon != 0
             ? server.max_connections_before_logon
             : std::max(connections_before_logon_min, sessions_of(configuration, server));
}

ServerSettings with_connection_limit(const Configuration& configuration,
                                     const ServerSettings& server) {
  ServerSettings settings = server;
  settings.max_connections_before_logon = connections_before_logon(configuration, server);
  return settings;
}

Problems descriptor_warnings(const Configuration& configuration, std::size_t in_use,
                             std::size_t limit) {
  Problems warnings;
  std::size_t before_logon = 0;
  for (const ServerSettings& server : configuration.servers) {
    const std::int64_t connections = connections_before_logon(configuration, server);
    before_logon += static_cast<std::size_t>(connections);
    const auto sessions = std::ranges::count_if(
        configuration.sessions,
        [&](const SessionSettings& session) { return session.instance == server.name; });
    if (connections < sessions) {
      warnings.push_back({base::ErrorCode::Limit,
                          "[" + server.name +
                              "] max_connections_before_logon=" + std::to_string(connections) +
                              " is below its " + std::to_string(sessions) +
                              " sessions: when all of them connect at once, some are turned away",
                          {},
                          "E126"});
    }
  }
  const std::size_t reserved = reserved_descriptors(configuration);
  const std::size_t needed = in_use + sessions_of(configuration) + reserved;
  const std::string of_limit =
      "the limit on open files, " + number(limit) + " (ulimit -n, " + "LimitNOFILE), ";
  if (needed > limit) {
    warnings.push_back({base::ErrorCode::Limit,
                        of_limit + "is below the " + number(needed) + " that " +
                            number(sessions_of(configuration)) +
                            " sessions need: connections are closed when only the " +
                            number(reserved) + " are left that journals need",
                        {},
                        "E125"});
  } else if (needed + before_logon > limit) {
    warnings.push_back({base::ErrorCode::Limit,
                        of_limit + "leaves room for " + number(limit - needed) + " of the " +
                            number(before_logon) + " connections that may be without a Logon",
                        {},
                        "E125"});
  }
  return warnings;
}

Problems descriptor_warnings(const Configuration& configuration) {
  const std::optional<std::size_t> limit = os::descriptors_max();
  if (!limit) {
    return {};
  }
  return descriptor_warnings(configuration, os::open_descriptors().value_or(0), *limit);
}

}  // namespace affix::inline v0::config
