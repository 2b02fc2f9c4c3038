// SPDX-License-Identifier: MIT
// One thread's share of the engine: a reactor, the sessions it drives, and the connections that
// have not said yet which session they are for.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"

#include "engine/dialer.hpp"
#include "engine/hosted_session.hpp"

#include <atomic>
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

/// The limits of a reactor that serves `configuration`.
[[nodiscard]] net::ReactorOptions reactor_options(const Configuration& configuration);

class Worker final : private net::Handler, private SessionHost {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Worker>, Problems> open(
      const Configuration& configuration, Application& application,
      std::unique_ptr<net::Reactor> reactor);

  ~Worker();

  bool poll(std::int64_t wait_until_ns) noexcept;

  /// Prepares segments, and reads the pages of history that resends wait for. Any thread but one at
  /// a time; beside the worker's.
  bool prepare_journals() noexcept;

  /// Brings to the disk what is due: of sync journals what is not there, of group journals what is
  /// older than their interval. Any thread; beside the worker's and beside prepare_journals().
  /// True: it did something.
  bool flush_journals() noexcept;

  /// How long, from now, a group journal may go without flush_journals(), or one that failed until
  /// it is tried again; never_ns when there is none. Any thread.
  [[nodiscard]] std::int64_t flush_interval_ns() const noexcept;

  /// Whether a journal here needs flush_journals() at times.
  [[nodiscard]] bool flushes_journals() const noexcept;

  /// Woken when flush_journals() has something to do at once. Null: nobody flushes but whoever
  /// drives the worker, which then does not wait while output does. The worker's thread.
  void set_flush_waker(net::Waker* waker) noexcept { flush_waker_ = waker; }

  /// Whether a journal has come to want prepare_journals() since the last call; not too often while
  /// that fails. The worker's thread.
  [[nodiscard]] bool take_preparation_request() noexcept;

  /// Stops listening, logs everybody out, and connects no more.
  void finish(std::string_view text) noexcept;

  /// No session has a connection, and none will make one.
  [[nodiscard]] bool all_down() const noexcept;

  [[nodiscard]] const std::vector<SessionHandle>& handles() const noexcept { return handles_; }

  [[nodiscard]] const std::vector<net::Address>& listening_addresses() const noexcept {
    return listening_addresses_;
  }

  /// The time its reactor goes by.
  [[nodiscard]] std::int64_t steady_ns() noexcept { return reactor_->now().steady_ns; }

  /// Leaves every journal as it is now, as killing the process would.
  void abandon() noexcept;

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t core() const noexcept { return core_; }

 private:
  /// A server group while it runs.
  struct Server {
    std::string name;
    net::ListenerId listener;
    std::size_t before_logon = 0;  // Connections that have not logged on.
    std::size_t before_logon_max = 0;
    std::unordered_multimap<std::string, HostedSession*> sessions;  // By identity_key().
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
    HostedSession* wanted = nullptr;   // The session it waits for, whose peer is probed.
    std::string peer;
  };

  /// Beside a session: how it connects, when it is an initiator's.
  struct Place {
    std::unique_ptr<HostedSession> session;
    std::optional<Dialer> dialer;
    std::optional<net::ConnectionId> dialing;
    const Client* client = nullptr;
    std::optional<net::ConnectionId> newcomer;  // Waits until its peer's first one is found dead.
    bool again = false;                         // It is in again_.
  };

  Worker(Application& application, std::size_t session_count);

  void open_reactor(const Configuration& configuration, std::unique_ptr<net::Reactor> reactor,
                    Problems& problems);
  void take_settings(const Configuration& configuration);
  void open_server(const Configuration& configuration, const ServerSettings& settings,
                   Problems& problems);
  void open_client(const Configuration& configuration, const ClientSettings& settings,
                   Problems& problems);
  void number_handles(const Configuration& configuration, Problems& problems);
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

  /// For a callback, after which the application is told of the turn's end too.
  [[nodiscard]] Application& application() noexcept override {
    called_back_ = true;
    return application_;
  }

  [[nodiscard]] Application& hooks() noexcept override { return application_; }

  [[nodiscard]] MessageIndex& replay_index() noexcept override { return *replay_index_; }

  [[nodiscard]] bool in_turn() const noexcept override { return in_turn_; }

  void needs_attention(HostedSession& session) noexcept override;
  void on_session_down(HostedSession& session) noexcept override;
  void await_durability(HostedSession& session) noexcept override;
  void await_pages(HostedSession& session) noexcept override;
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
  void admit(net::ConnectionId connection, Connection& entry, HostedSession& session) noexcept;
  [[nodiscard]] bool wait_for_probe(net::ConnectionId connection, Connection& entry,
                                    HostedSession& session) noexcept;
  void end_probe(net::ConnectionId connection, Connection& entry) noexcept;
  void refuse_newcomer(Place& place, std::string_view why) noexcept;
  void admit_newcomer(Place& place) noexcept;
  [[nodiscard]] HostedSession* session_for(Connection& entry, std::string_view message) noexcept;
  void refuse(net::ConnectionId connection, Connection& entry, std::string_view why) noexcept;
  void leave_waiting(net::ConnectionId connection, Connection& entry) noexcept;
  void close_late_logons() noexcept;
  void run_timers() noexcept;
  void dial(Place& place) noexcept;
  void end_turn() noexcept;
  void attend_sessions() noexcept;
  void notice_flushes() noexcept;
  void notice_pages() noexcept;
  bool read_histories() noexcept;
  void attend(HostedSession& session) noexcept;
  void redeliver() noexcept;
  [[nodiscard]] std::int64_t next_deadline() const noexcept;

  Application& application_;
  std::unique_ptr<net::Reactor> reactor_;
  std::vector<Place> places_;
  std::deque<Server> servers_;               // Addresses of elements are kept.
  DictionaryStore dictionaries_;             ///< While opening.
  std::vector<std::string> start_warnings_;  ///< For the first turn, before which nobody listens.
  std::deque<Client> clients_;
  std::vector<Connection> connections_;  // By the reactor's slot.
  std::vector<SessionHandle> handles_;
  std::vector<net::Address> listening_addresses_;
  std::unique_ptr<MessageIndex> index_;
  std::unique_ptr<MessageIndex> replay_index_;
  std::vector<HostedSession*> attention_;  // Asked for it in this turn, or since the last one.
  std::vector<HostedSession*> attending_;
  std::vector<HostedSession*> again_;  // Have more to do than one look at them allows.
  base::DeadlineHeap timers_;          // Of sessions and their dialers, by number.
  base::DeadlineHeap logon_timers_;    // Of connections that have not logged on, by slot.
  base::Now now_;
  net::Wait wait_;
  std::int64_t core_ = -1;
  std::int64_t logon_timeout_ns_ = 0;  // The longest of the sessions'.
  std::int64_t preparation_not_before_ns_ = 0;
  bool wants_io_uring_ = false;
  bool in_turn_ = false;
  bool called_back_ = false;  // The application was, and has not been told of the turn's end since.
  bool redelivered_ = false;
  bool finishing_ = false;
  bool preparation_waits_ = true;
  std::atomic<bool> preparation_failed_{false};  // Told by whoever prepares.
  net::Waker* flush_waker_ = nullptr;
  std::vector<HostedSession*> awaiting_durability_;
  std::vector<HostedSession*> awaiting_pages_;
  std::int64_t pages_awaited_since_ns_ = 0;  // Or since a helper was seen last.
  std::uint64_t preparations_seen_ = 0;
  bool nobody_prepares_ = false;                // So the worker reads what its resends wait for.
  std::atomic<std::uint64_t> preparations_{0};  // Told by whoever prepares: begun and ended ones.
  std::atomic<bool> pages_came_{false};         // The same: some that resends waited for are there.
  std::atomic<bool> flushed_{false};            // Told by whoever flushes: something is durable.
  std::atomic<bool> flush_failed_{false};       // The same: something could not be made so.
};

}  // namespace affix::inline v0::engine
