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

#include "config/identity.hpp"
#include "config/session_template.hpp"
#include "engine/address_counts.hpp"
#include "engine/report_limit.hpp"
#include "host/hosted_session.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <expected>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::engine {

/// Facts about a peer that go with its connection to the session's worker.
struct Visitor {
  std::string peer;      ///< Its address and name, as text.
  AddressPlace place{};  ///< Counted for its address until this object is destroyed.
};

/// On the thread of its reactor. It owns a connection from on_accepted() until the connection is
/// claimed (leave()), refused or closed. It reads only the first message: a whole Logon of at most
/// session::logon_bytes_max, in time, or the connection is closed without an answer.
class LogonGate {
 public:
  /// A session that a Logon may name, with its data from the time it was added: the gate never
  /// reads the session itself, which belongs to its worker.
  struct Target {
    host::SessionHandle session;
    config::FinerIds finer{};
    std::string tls_peer{};
    std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: any address.
    std::int64_t logon_timeout_ns = 0;
  };

  /// Template for sessions of Logons that match no target.
  struct Template {
    std::string name;
    config::SessionIds patterns{};
    std::string tls_peer{};
    std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: any address.
    std::int64_t logon_timeout_ns = 0;
  };

  [[nodiscard]] static Template template_for(const config::SessionSettings& settings);

  /// A connection that waits for a session to be made for its Logon.
  struct Wish {
    net::ConnectionId connection;
    std::string server;
    std::string made_from;  ///< The template's name.
    config::SessionIds ids{};
  };

  /// Answer to a wish: a target exists now, or the reason why not.
  struct Answer {
    net::ConnectionId connection;
    std::string refusal{};  ///< Empty: search again.
    base::MessageCode code = {};
  };

  /// Target of the session with these settings.
  [[nodiscard]] static Target target_for(host::SessionHandle session,
                                         const config::SessionSettings& settings);

  /// A change to apply while it listens.
  struct Change {
    std::string server;              ///< Name of the server group.
    std::vector<Target> admitted{};  ///< Added; one of the same handle is replaced.
    std::vector<host::SessionHandle> withdrawn{};
    std::optional<config::ServerSettings> settings{};  ///< The new limits.
    std::optional<std::vector<Template>> templates{};  ///< Replaces all templates.
    std::vector<Answer> answers{};
  };

  /// Result of on_bytes().
  struct Claim {
    std::size_t consumed = 0;  ///< Bytes done with.
    std::optional<Target> target =
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
  /// `endpoint`: peers must use TLS; null: plain text.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const config::ServerSettings& settings, std::span<const Target> targets,
      std::shared_ptr<const tls::TlsEndpoint> endpoint);

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
  [[nodiscard]] Visitor leave(net::ConnectionId connection) noexcept;

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
  void post(Change change);

  /// Applies the queued changes.
  void take_changes() {
    if (has_posted_.load(std::memory_order_acquire)) [[unlikely]] {
      carry_out_changes();
    }
  }

  /// Wishes since the last call. Any thread.
  [[nodiscard]] std::vector<Wish> take_wishes();

  /// True if there are wishes. Cheap; any thread.
  [[nodiscard]] bool has_wishes() const noexcept {
    return has_wishes_.load(std::memory_order_acquire);
  }

  /// True if there were wishes since the last call: the caller then asks the preparing thread. The
  /// gate's thread.
  [[nodiscard]] bool take_wish_notice() noexcept { return std::exchange(wish_to_tell_, false); }

 private:
  /// A running server group.
  struct Server {
    std::string name;
    net::ListenerId listener;
    bool speaks_tls = false;
    std::list<net::ConnectionId> before_logon{};  // Not logged on, longest wait first.
    std::size_t before_logon_max = 0;
    std::int64_t rests_until_ns = 0;  // After refused connections.
    net::AddressSet allowed{};        // Empty: any address.
    net::AddressSet proxies{};
    AddressCounts::Limits per_address{};
    std::shared_ptr<AddressCounts> addresses = std::make_shared<AddressCounts>();
    std::int64_t logon_timeout_ns = 0;  // accept_timeout_seconds, or the longest of its sessions'.
    bool fixed_patience = false;        // True: by accept_timeout_seconds.
    std::unordered_multimap<std::string, Target> sessions{};  // By identity_key().
    std::vector<Template> templates{};                        // In their order.
  };

  struct Connection {
    std::uint32_t generation = 0;
    Server* server = nullptr;  // Null: not its connection.
    std::list<net::ConnectionId>::iterator in_line{};
    std::int64_t accepted_ns = 0;
    bool awaits_header = false;   // Waits for a proxy's header, which has the peer's address.
    bool address_judged = false;  // Its address has been checked.
    bool awaits_session = false;  // Not read until its wish is answered.
    bool wished = false;
    std::size_t skipped_bytes = 0;  // Garbage before its Logon.
    net::Address address{};         // The peer's own, as far as known.
    Visitor visitor{};
  };

  void tell(const std::string& peer, base::CodedText why) noexcept;
  void turn_away(net::ConnectionId connection) noexcept;
  static void admit(Server& server, const Target& target);
  static void grow_patience(Server& server, std::int64_t logon_timeout_ns);
  static void withdraw(Server& server, host::SessionHandle session);
  static void take_limits(Server& server, const config::ServerSettings& settings);
  void carry_out_changes();
  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] bool admits_address(net::ConnectionId connection, Connection& entry) noexcept;
  [[nodiscard]] std::optional<std::size_t> read_header(net::ConnectionId connection,
                                                       Connection& entry,
                                                       std::string_view bytes) noexcept;
  [[nodiscard]] Claim claim_of(net::ConnectionId connection, Connection& entry,
                               std::string_view bytes) noexcept;

  /// Requirements that the session of a Logon sets for its peer.
  struct Demands {
    std::string name;
    const std::string& tls_peer;
    const std::shared_ptr<const net::AddressSet>& allowed;
  };

  [[nodiscard]] bool admits(net::ConnectionId connection, Connection& entry,
                            const Demands& demands) noexcept;
  [[nodiscard]] bool wish_for_session(net::ConnectionId connection, Connection& entry,
                                      const wire::MessageView& logon);
  void take_answer(const Answer& answer) noexcept;
  [[nodiscard]] std::optional<wire::MessageView> logon_of(std::string_view message) noexcept;
  [[nodiscard]] static std::string why_refused(const Server& server, const wire::MessageView& first,
                                               bool is_logon);
  [[nodiscard]] static std::optional<Target> target_of(const Server& server,
                                                       const wire::MessageView& logon) noexcept;

  net::Reactor& reactor_;
  tls::TlsReactor* const tls_;
  const bool stamped_;
  host::Application& application_;
  std::deque<Server> servers_;           // Addresses of elements are kept.
  std::vector<Connection> connections_;  // By the reactor's slot.
  base::DeadlineHeap timers_;            // By the reactor's slot.
  std::unique_ptr<host::MessageIndex> index_;
  ReportLimit refusals_;
  std::mutex changes_mutex_;
  std::vector<Change> posted_;
  std::atomic<bool> has_posted_{false};
  std::vector<Wish> wishes_;  // Guarded by the same lock.
  std::atomic<bool> has_wishes_{false};
  bool wish_to_tell_ = false;
};

}  // namespace affix::inline v0::engine
