// SPDX-License-Identifier: MIT
// Where a peer comes in: listeners, and connections that have not said yet which session they are
// for. Used by the worker itself when there is one, else by the acceptor's thread; judges nothing
// but whether a first message is a Logon that names a session of ours.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/tls_reactor.hpp"

#include "engine/hosted_session.hpp"
#include "engine/identity.hpp"
#include "engine/report_limit.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::engine {

/// On the thread of its reactor. A connection is its affair from on_accepted() until it is claimed
/// (leave()), refused or closed; it is read only as far as its first message, a whole Logon of at
/// most session::logon_bytes_max, in time, or it is closed without a word.
class LogonGate {
 public:
  /// A session that a Logon may be for, and what it had to say of itself when it came: of the
  /// session nothing is looked at, which is its worker's.
  struct Target {
    SessionHandle session;
    FinerIds finer{};
    std::string tls_peer{};
    std::int64_t logon_timeout_ns = 0;
  };

  /// Of the session that `settings` are of.
  [[nodiscard]] static Target target_for(SessionHandle session, const SessionSettings& settings) {
    return {session, finer_ids(settings), settings.tls_peer,
            settings.logon_timeout_seconds * base::ns_per_second};
  }

  /// What is to change while it listens.
  struct Change {
    std::string server;            ///< Name of the server group.
    std::vector<Target> admitted;  ///< Come; one of the same handle is replaced.
    std::vector<SessionHandle> withdrawn;
    std::optional<ServerSettings> settings;  ///< Whose limits hold from here on.
  };

  /// What became of bytes.
  struct Claim {
    std::size_t consumed = 0;  ///< So many are done with.
    std::optional<Target> target =
        std::nullopt;  ///< The bytes begin, behind those, with a whole Logon for it.
  };

  /// `reactor` and `application` outlive this. The application is told of events. `tls` is the same
  /// reactor when it speaks TLS, else null.
  LogonGate(net::Reactor& reactor, net::TlsReactor* tls, Application& application);

  LogonGate(const LogonGate&) = delete;
  LogonGate& operator=(const LogonGate&) = delete;
  ~LogonGate() = default;

  /// Listens for a server group whose sessions are `targets`; where, or a problem. `endpoint`:
  /// peers speak TLS and nothing else; null: plain text.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const ServerSettings& settings, std::span<const Target> targets,
      std::shared_ptr<const net::TlsEndpoint> endpoint);

  void on_accepted(net::ListenerId listener, net::ConnectionId connection, const net::Address& peer,
                   std::int64_t now_ns) noexcept;

  /// Of a connection that is its affair; of another all bytes are consumed.
  [[nodiscard]] Claim on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept;

  /// TLS of a connection has failed. Any connection.
  void on_tls_fault(net::ConnectionId connection, std::string_view text) noexcept;

  /// The connection is over. Any connection.
  void on_closed(net::ConnectionId connection) noexcept;

  /// It is another's affair from here on. Who the peer is, as text.
  [[nodiscard]] std::string leave(net::ConnectionId connection) noexcept;

  /// Closes it without a word, and tells the application why; in a flood of them a few times a
  /// second, and how many more there were.
  void refuse(net::ConnectionId connection, std::string_view why) noexcept;

  /// Closes those whose Logon did not come in time, and tells what has not been told.
  void close_late(std::int64_t now_ns) noexcept;

  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept {
    return std::min(timers_.nearest_ns(), refusals_.due_ns());
  }

  /// Stops listening.
  void stop() noexcept;

  /// Has its thread carry this out in its next turn, which whoever posts it wakes. Any thread.
  void post(Change change);

  /// Carries out what was posted.
  void take_changes() {
    if (has_posted_.load(std::memory_order_acquire)) [[unlikely]] {
      carry_out_changes();
    }
  }

 private:
  /// A server group while it runs.
  struct Server {
    std::string name;
    net::ListenerId listener;
    std::size_t before_logon = 0;  // Connections that have not logged on.
    std::size_t before_logon_max = 0;
    std::int64_t logon_timeout_ns = 0;  // accept_timeout_seconds, or the longest of its sessions'.
    std::unordered_multimap<std::string, Target> sessions{};  // By identity_key().
  };

  struct Connection {
    std::uint32_t generation = 0;
    Server* server = nullptr;  // Null: not its affair.
    std::string peer;
  };

  void tell(const std::string& peer, std::string_view why) noexcept;
  static void admit(Server& server, const Target& target);
  static void withdraw(Server& server, SessionHandle session);
  static void take_limits(Server& server, const ServerSettings& settings);
  void carry_out_changes();
  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] bool admits(net::ConnectionId connection, const Connection& entry,
                            const Target& target) noexcept;
  [[nodiscard]] std::optional<Target> target_of(const Server& server,
                                                std::string_view message) noexcept;

  net::Reactor& reactor_;
  net::TlsReactor* const tls_;
  Application& application_;
  std::deque<Server> servers_;           // Addresses of elements are kept.
  std::vector<Connection> connections_;  // By the reactor's slot.
  base::DeadlineHeap timers_;            // The same.
  std::unique_ptr<MessageIndex> index_;
  ReportLimit refusals_;
  std::mutex changes_mutex_;
  std::vector<Change> posted_;
  std::atomic<bool> has_posted_{false};
};

}  // namespace affix::inline v0::engine
