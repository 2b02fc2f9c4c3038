// SPDX-License-Identifier: MIT
// One thread's share of the engine: a reactor, the sessions it drives, and the connections that
// have not said yet which session they are for.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"

#include "engine/deadline_queue.hpp"
#include "engine/dialer.hpp"
#include "engine/hosted_session.hpp"

#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::engine {

class Worker final : private net::Handler, private SessionHost {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Worker>, Problems> open(
      const Configuration& configuration, Application& application);

  ~Worker();

  bool poll(std::int64_t wait_until_ns) noexcept;

  /// Any thread but one at a time; beside the worker's.
  bool prepare_journals() noexcept;

  /// Whether a journal has come to want prepare_journals() since the last call. The worker's
  /// thread.
  [[nodiscard]] bool take_preparation_request() noexcept;

  void log_out_all(std::string_view text) noexcept;

  /// No session has a connection, and none will make one.
  [[nodiscard]] bool all_down() const noexcept;

  [[nodiscard]] const std::vector<SessionHandle>& handles() const noexcept { return handles_; }

  [[nodiscard]] const std::vector<net::Address>& listening_addresses() const noexcept {
    return listening_addresses_;
  }

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t core() const noexcept { return core_; }

 private:
  /// A server group while it runs.
  struct Server {
    std::string name;
    net::ListenerId listener;
    std::size_t before_logon = 0;  // Connections that have not logged on.
    std::size_t before_logon_max = 0;
    std::unordered_map<std::string, HostedSession*> sessions;  // By identity key.
  };

  /// What a client group gives each of its sessions.
  struct Client {
    net::SocketOptions socket;
    std::int64_t connect_timeout_ns = 0;
  };

  /// What a reactor's connection is for.
  struct Connection {
    std::uint32_t generation = 0;
    HostedSession* session = nullptr;  // Null before its first message.
    Server* server = nullptr;          // Set while it has none.
    std::string peer;
  };

  /// Beside a session: how it connects, when it is an initiator's.
  struct Place {
    std::unique_ptr<HostedSession> session;
    std::optional<Dialer> dialer;
    std::optional<net::ConnectionId> dialing;
    const Client* client = nullptr;
  };

  struct WaitingForLogon {
    std::int64_t deadline_ns;
    net::ConnectionId connection;
  };

  Worker(Application& application, std::size_t session_count);

  void open_reactor(const Configuration& configuration, Problems& problems);
  void open_server(const Configuration& configuration, const ServerSettings& settings,
                   Problems& problems);
  void open_client(const Configuration& configuration, const ClientSettings& settings,
                   Problems& problems);
  HostedSession* open_session(const SessionSettings& settings, session::Role role,
                              const InstanceSettings& instance, Problems& problems);

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  // SessionHost
  [[nodiscard]] base::Now now() noexcept override;

  [[nodiscard]] net::Reactor& reactor() noexcept override { return *reactor_; }

  [[nodiscard]] Application& application() noexcept override { return application_; }

  [[nodiscard]] MessageIndex& replay_index() noexcept override { return *replay_index_; }

  [[nodiscard]] bool in_turn() const noexcept override { return in_turn_; }

  void needs_attention(HostedSession& session) noexcept override;
  void on_session_down(HostedSession& session) noexcept override;
  void on_session_up(HostedSession& session) noexcept override;
  void log_out(HostedSession& session, std::string_view text) noexcept override;
  void connect(HostedSession& session) noexcept override;
  [[nodiscard]] bool dialing(const HostedSession& session) const noexcept override;
  void report(Event::Severity severity, std::string_view session,
              std::string_view text) noexcept override;

  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  Connection& enter(net::ConnectionId connection);
  std::size_t first_bytes(net::ConnectionId connection, Connection& entry,
                          base::PaddedBytes bytes) noexcept;
  [[nodiscard]] HostedSession* session_for(Connection& entry, std::string_view message) noexcept;
  void refuse(net::ConnectionId connection, Connection& entry, std::string_view why) noexcept;
  void leave_waiting(Connection& entry) noexcept;
  void close_late_logons() noexcept;
  void run_timers() noexcept;
  void dial(Place& place) noexcept;
  void attend_sessions() noexcept;
  void redeliver() noexcept;
  [[nodiscard]] std::int64_t next_deadline() const noexcept;

  Application& application_;
  std::unique_ptr<net::Reactor> reactor_;
  std::vector<Place> places_;
  std::deque<Server> servers_;  // Addresses of elements are kept.
  std::deque<Client> clients_;
  std::vector<Connection> connections_;  // By the reactor's slot.
  std::deque<WaitingForLogon> waiting_;  // All wait equally long, so by deadline.
  std::vector<SessionHandle> handles_;
  std::vector<net::Address> listening_addresses_;
  std::unique_ptr<MessageIndex> index_;
  std::unique_ptr<MessageIndex> replay_index_;
  std::vector<HostedSession*> attention_;
  std::vector<HostedSession*> attending_;
  std::vector<HostedSession*> again_;
  DeadlineQueue deadlines_;
  base::Now now_;
  net::Wait wait_;
  std::int64_t core_ = -1;
  std::int64_t logon_timeout_ns_ = 0;  // The longest of the sessions'.
  bool in_turn_ = false;
  bool redelivered_ = false;
  bool work_waits_ = false;
  bool preparation_waits_ = true;
};

}  // namespace affix::inline v0::engine
