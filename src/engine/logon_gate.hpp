// SPDX-License-Identifier: MIT
// Listeners, and connections whose session is not known yet. Used by the worker itself when there
// is only one, else by the acceptor's thread; checks nothing except that the first message is a
// Logon that names one of our sessions.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/net/address_set.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "engine/group_primaries.hpp"
#include "engine/kept_connections.hpp"
#include "engine/logon_connection.hpp"
#include "engine/logon_server.hpp"
#include "engine/logon_targets.hpp"
#include "engine/peer_info.hpp"
#include "engine/post_box.hpp"
#include "engine/report_limit.hpp"
#include "engine/session_requests.hpp"
#include "host/hosted_session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A session of a failover group, for refusing its peer while another node leads the group.
struct FailoverSession {
  host::SharedSettings settings;
  std::string group;
};

/// A change to apply while the gate listens.
struct GateChange {
  std::string server;                   ///< Name of the server group.
  std::vector<LogonTarget> admitted{};  ///< Added; one of the same handle is replaced.
  std::vector<host::SessionHandle> withdrawn{};
  std::optional<config::ServerSettings> settings{};       ///< The new limits.
  std::optional<std::vector<LogonTemplate>> templates{};  ///< Replaces all templates.
  std::vector<SessionAnswer> answers{};
  std::vector<FailoverSession> failover{};            ///< Added.
  std::shared_ptr<const GroupPrimaries> primaries{};  ///< Of `failover`.
};

/// On the thread of its reactor. It owns a connection from on_accepted() until the connection is
/// claimed (leave()), refused or closed. It reads only the first message: a whole Logon of at most
/// session::logon_bytes_max, in time, or the connection is closed without an answer.
class LogonGate {
 public:
  /// Result of on_bytes().
  struct Claim {
    std::size_t consumed = 0;  ///< Bytes done with.
    std::optional<LogonTarget> target =
        std::nullopt;        ///< After those, the bytes begin with a whole Logon for this session.
    std::size_t header = 0;  ///< Part of those: the header of a proxy, which is not the peer's.
  };

  /// `reactor` and `application` outlive this. Events are reported to the application. `tls` is the
  /// same reactor when it speaks TLS, else null. `stamped`: see socket_options().
  LogonGate(net::Reactor& reactor, tls::TlsReactor* tls, host::Application& application,
            bool stamped);

  LogonGate(const LogonGate&) = delete;
  LogonGate& operator=(const LogonGate&) = delete;
  ~LogonGate() = default;

  /// Listens for a server group with the sessions `targets`; returns the address, or a problem.
  /// `endpoint`: peers must use TLS; null: plain text. `kept`: continues with the socket of an
  /// earlier process, if there is one, and has the socket kept for the next; null: nobody keeps it.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const config::ServerSettings& settings, std::span<const LogonTarget> targets,
      std::shared_ptr<const tls::TlsEndpoint> endpoint, KeptConnections* kept);

  void on_accepted(net::ListenerId listener, net::ConnectionId connection, const net::Address& peer,
                   std::int64_t now_ns) noexcept;

  /// For a connection that it owns; for any other, consumes all bytes.
  [[nodiscard]] Claim on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept;

  /// Frees a process resource that has run out: closes the connection that has waited longest for
  /// its Logon, if it has had enough time for one. Call with any connection.
  void make_room(base::CodedText why, std::int64_t now_ns) noexcept;

  void on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept;

  /// The connection has ended. Ignores connections that it does not own.
  void on_closed(net::ConnectionId connection) noexcept;

  /// Gives up a connection that it owns.
  [[nodiscard]] PeerInfo leave(net::ConnectionId connection) noexcept;

  /// Closes a connection without an answer and reports the reason; in a flood of them only a few
  /// times a second, with the number of the others.
  void refuse(net::ConnectionId connection, base::CodedText why) noexcept;

  /// Closes connections whose Logon did not come in time, and reports what is not reported yet.
  void close_late(std::int64_t now_ns) noexcept;

  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept {
    return std::min(timers_.nearest_ns(), refusals_.due_ns());
  }

  /// Stops listening.
  void stop() noexcept;

  /// Queues a change for its thread's next turn; the caller wakes that thread. Any thread.
  void post(GateChange change) { changes_.post(std::move(change)); }

  /// Applies the queued changes.
  void take_changes() {
    if (changes_.has_posted()) [[unlikely]] {
      carry_out_changes();
    }
  }

  /// Its requests for sessions, to be answered by a change.
  [[nodiscard]] SessionRequests& requests() noexcept { return requests_; }

 private:
  [[nodiscard]] std::expected<net::Listening, base::Error> listen_plain(
      const std::string& group, const net::Address& address, const net::SocketOptions& options,
      KeptConnections* kept);
  [[nodiscard]] std::optional<net::Listening> listen_again(const std::string& group,
                                                           const net::Address& address,
                                                           const net::SocketOptions& options,
                                                           KeptConnections& kept);
  void report(const std::string& peer, base::CodedText why) noexcept;
  void turn_away(net::ConnectionId connection) noexcept;
  void carry_out_changes();
  [[nodiscard]] LogonConnection* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] bool admits_address(net::ConnectionId connection, LogonConnection& entry) noexcept;
  [[nodiscard]] std::optional<std::size_t> read_header(net::ConnectionId connection,
                                                       LogonConnection& entry,
                                                       std::string_view bytes) noexcept;
  [[nodiscard]] Claim claim_of(net::ConnectionId connection, LogonConnection& entry,
                               std::string_view bytes) noexcept;

  /// Requirements that the session of a Logon sets for its peer.
  struct Demands {
    std::string name;
    const std::string& tls_peer;
    const std::shared_ptr<const net::AddressSet>& allowed;
  };

  [[nodiscard]] bool admits(net::ConnectionId connection, LogonConnection& entry,
                            const Demands& demands) noexcept;
  [[nodiscard]] bool request_session(net::ConnectionId connection, LogonConnection& entry,
                                     const wire::MessageView& logon);
  void take_answer(const SessionAnswer& answer) noexcept;
  [[nodiscard]] std::optional<wire::MessageView> logon_of(std::string_view message) noexcept;

  net::Reactor& reactor_;
  tls::TlsReactor* const tls_;
  const bool stamped_;
  host::Application& application_;
  std::deque<LogonServer> servers_;           // Addresses of elements are kept.
  std::vector<LogonConnection> connections_;  // By the reactor's slot.
  base::DeadlineHeap timers_;                 // By the reactor's slot.
  std::unique_ptr<host::MessageIndex> index_;
  ReportLimit refusals_;
  PostBox<GateChange> changes_;
  SessionRequests requests_;
  std::shared_ptr<const GroupPrimaries> primaries_;  // Null: there are no failover groups.
};

}  // namespace affix::inline v0::engine
