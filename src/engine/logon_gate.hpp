// SPDX-License-Identifier: MIT
// Where a peer comes in: listeners, and connections that have not said yet which session they are
// for. Used by the worker itself when there is one, else by the acceptor's thread; judges nothing
// but whether a first message is a Logon that names a session of ours.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/address_set.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/tls_reactor.hpp"

#include "engine/address_counts.hpp"
#include "engine/hosted_session.hpp"
#include "engine/identity.hpp"
#include "engine/report_limit.hpp"
#include "engine/session_template.hpp"

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

/// What of a connection goes on with it to its session's worker.
struct Visitor {
  std::string peer;      ///< Who it is, as text.
  AddressPlace place{};  ///< Counted for its address until this is destroyed.
};

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
    std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: from anywhere.
    std::int64_t logon_timeout_ns = 0;
  };

  /// What a session may be made from for a Logon that no target is for.
  struct Template {
    std::string name;
    SessionIds patterns{};
    std::string tls_peer{};
    std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: from anywhere.
    std::int64_t logon_timeout_ns = 0;
  };

  [[nodiscard]] static Template template_for(const SessionSettings& settings);

  /// A connection that waits for a session to be made for its Logon, and for an answer.
  struct Wish {
    net::ConnectionId connection;
    std::string server;
    std::string made_from;  ///< The template's name.
    SessionIds ids{};
  };

  /// What became of a wish: there is a target for it now, or why there is not.
  struct Answer {
    net::ConnectionId connection;
    std::string refusal{};  ///< Empty: look again.
  };

  /// Of the session that `settings` are of.
  [[nodiscard]] static Target target_for(SessionHandle session, const SessionSettings& settings);

  /// What is to change while it listens.
  struct Change {
    std::string server;              ///< Name of the server group.
    std::vector<Target> admitted{};  ///< Come; one of the same handle is replaced.
    std::vector<SessionHandle> withdrawn{};
    std::optional<ServerSettings> settings{};          ///< Whose limits hold from here on.
    std::optional<std::vector<Template>> templates{};  ///< All that there are from here on.
    std::vector<Answer> answers{};
  };

  /// What became of bytes.
  struct Claim {
    std::size_t consumed = 0;  ///< So many are done with.
    std::optional<Target> target =
        std::nullopt;        ///< The bytes begin, behind those, with a whole Logon for it.
    std::size_t header = 0;  ///< Of those done with: a proxy's, which are not the peer's.
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
  /// What the process has left of something is not for connections without a Logon: the one that
  /// has waited longest ends, if it has had time for one.
  void make_room(std::string_view why, std::int64_t now_ns) noexcept;

  void on_tls_fault(net::ConnectionId connection, std::string_view text) noexcept;

  /// The connection is over. Any connection.
  void on_closed(net::ConnectionId connection) noexcept;

  /// It is another's affair from here on.
  [[nodiscard]] Visitor leave(net::ConnectionId connection) noexcept;

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

  /// Wishes since the last call. Any thread.
  [[nodiscard]] std::vector<Wish> take_wishes();

  /// There are some. Cheap; any thread.
  [[nodiscard]] bool has_wishes() const noexcept {
    return has_wishes_.load(std::memory_order_acquire);
  }

  /// There have been some since the last call: whoever prepares journals is to be asked. The
  /// gate's thread.
  [[nodiscard]] bool take_wish_notice() noexcept { return std::exchange(wish_to_tell_, false); }

 private:
  /// A server group while it runs.
  struct Server {
    std::string name;
    net::ListenerId listener;
    bool speaks_tls = false;
    std::list<net::ConnectionId> before_logon{};  // Not logged on, who waits longest first.
    std::size_t before_logon_max = 0;
    std::int64_t rests_until_ns = 0;  // For those that were refused.
    net::AddressSet allowed{};        // Empty: anybody.
    net::AddressSet proxies{};
    AddressCounts::Limits per_address{};
    std::shared_ptr<AddressCounts> addresses = std::make_shared<AddressCounts>();
    std::int64_t logon_timeout_ns = 0;  // accept_timeout_seconds, or the longest of its sessions'.
    bool fixed_patience = false;        // The first of the two.
    std::unordered_multimap<std::string, Target> sessions{};  // By identity_key().
    std::vector<Template> templates{};                        // In their order.
  };

  struct Connection {
    std::uint32_t generation = 0;
    Server* server = nullptr;  // Null: not its affair.
    std::list<net::ConnectionId>::iterator in_line{};
    std::int64_t accepted_ns = 0;
    bool awaits_header = false;   // A proxy's, which says who the peer is.
    bool address_judged = false;  // It may come from where it does.
    bool awaits_session = false;  // Not read until its wish is answered.
    bool wished = false;
    std::size_t skipped_bytes = 0;  // Garbage in front of its Logon.
    net::Address address{};         // The peer's own, as far as is known.
    Visitor visitor{};
  };

  void tell(const std::string& peer, std::string_view why) noexcept;
  void turn_away(net::ConnectionId connection) noexcept;
  static void admit(Server& server, const Target& target);
  static void grow_patience(Server& server, std::int64_t logon_timeout_ns);
  static void withdraw(Server& server, SessionHandle session);
  static void take_limits(Server& server, const ServerSettings& settings);
  void carry_out_changes();
  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] bool admits_address(net::ConnectionId connection, Connection& entry) noexcept;
  [[nodiscard]] std::optional<std::size_t> read_header(net::ConnectionId connection,
                                                       Connection& entry,
                                                       std::string_view bytes) noexcept;
  [[nodiscard]] Claim claim_of(net::ConnectionId connection, Connection& entry,
                               std::string_view bytes) noexcept;

  /// Whom a Logon is for must be a peer of that kind.
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
  std::vector<Wish> wishes_;  // Under the same lock.
  std::atomic<bool> has_wishes_{false};
  bool wish_to_tell_ = false;
};

}  // namespace affix::inline v0::engine
