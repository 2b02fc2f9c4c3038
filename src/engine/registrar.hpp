// SPDX-License-Identifier: MIT
// Who the engine's sessions are: opens them when it starts and while it runs, gives them to their
// workers, and closes what workers give back.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/change.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/journal/ring_budget.hpp"

#include "engine/client_group.hpp"
#include "engine/hosted_session.hpp"
#include "engine/logon_gate.hpp"
#include "engine/reload_plan.hpp"
#include "engine/session_dictionary.hpp"
#include "engine/session_seat.hpp"
#include "engine/worker_change.hpp"
#include "engine/worker_plan.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::engine {

class Acceptor;
class SendingHolds;
class TlsGroups;
class Worker;

/// Any thread may change, one at a time: what one thread is about, which may block on the disk, the
/// next waits for. Looking up never waits for that, and a worker never waits for anything here.
///
/// A change is checked and opened as far as can be before anything of it happens; then nothing of
/// it can fail but what the peers do.
class Registrar {
 public:
  /// Everything outlives it.
  Registrar(const Configuration& configuration, const TlsGroups& encryption,
            const SendingHolds& holds);

  // --- Start-up ---

  /// Opens the sessions of the plan, and gives each to its worker.
  void open(const WorkerPlan& plan, const std::vector<Worker*>& workers, Problems& problems);

  /// The hosts of every client group, for a thread that looks names up.
  [[nodiscard]] std::vector<std::shared_ptr<ClientAddresses>> client_addresses() const;

  /// What the dictionaries were sloppy about, and hosts not looked up yet. Once.
  [[nodiscard]] std::vector<std::string> take_warnings();

  /// Whom the listeners of that server group are for.
  [[nodiscard]] std::vector<LogonGate::Target> targets_of(const std::string& server) const;

  /// Tells the listeners, which are there, what sessions may be made from.
  void post_templates();

  /// Where the listeners are, when not in the only worker.
  void set_acceptor(Acceptor* acceptor) noexcept { acceptor_ = acceptor; }

  // --- While the engine runs; as Engine has them ---

  [[nodiscard]] std::expected<Change, Problems> add(std::vector<SessionSettings> sessions);
  [[nodiscard]] std::expected<Change, Problems> remove(std::string_view name, std::string_view text,
                                                       std::int64_t timeout_ns);
  [[nodiscard]] std::expected<Change, Problems> set_enabled(std::string_view name, bool enabled,
                                                            std::string_view why,
                                                            std::string_view by);
  [[nodiscard]] std::expected<Change, Problems> reload(const Configuration& wanted);
  [[nodiscard]] Configuration configuration() const;
  [[nodiscard]] std::vector<SessionSettings> sessions_made() const;

  [[nodiscard]] std::vector<SessionHandle> sessions() const;
  [[nodiscard]] SessionHandle session(std::string_view name) const;

  /// Closes what workers have given back. Blocks on the disk. Whoever prepares journals calls it.
  /// True: there was something.
  bool tend();

 private:
  /// A session that is being opened, or is there.
  struct Opening {
    SharedSettings settings{};
    const InstanceSettings* instance = nullptr;
    std::shared_ptr<const ClientGroup> client{};  // Null: an acceptor's.
    std::size_t worker = 0;
    SessionSeat* seat = nullptr;
    SessionDictionary dictionary{};
    HostedSessionPtr session{};
    RoomReservation room{};
  };

  /// Connections for which a session of a template is on its way to its worker.
  struct Awaited {
    std::mutex mutex;
    bool is_there = false;
    std::vector<net::ConnectionId> connections;
  };

  /// A session that was made from a template.
  struct MadeSession {
    SharedSettings settings;
    std::string made_from;
    SessionSeat* seat = nullptr;
    std::shared_ptr<Awaited> awaited;
  };

  /// One change as it goes out.
  struct Dispatch {
    std::vector<SessionChange> sessions;
    std::vector<std::unique_ptr<WorkerChange>> workers;
    std::map<std::string, LogonGate::Change> gates;
    std::shared_ptr<ChangeProgress> progress = nullptr;
  };

  // Steps of an opening; each says what is wrong, and leaves nothing behind then.
  void find_instance(Opening& opening, Problems& problems);
  void choose_worker(Opening& opening, std::vector<std::size_t>& loads, Problems& problems) const;
  void check_limits(const Opening& opening, Problems& problems) const;
  static void check_ring(const Opening& opening, const SessionSettings& running,
                         Problems& problems);
  void open_dictionary(Opening& opening, Problems& problems);
  [[nodiscard]] journal::Options journal_of(const Opening& opening);
  void open_session(Opening& opening,
                    std::expected<std::unique_ptr<journal::Journal>, base::Error> journal,
                    Problems& problems);
  void open_with_journals(std::vector<Opening>& openings, Problems& problems);
  bool open_room(Opening& opening, Problems& problems) const;
  [[nodiscard]] SessionMake make_of(const Opening& opening) const;
  [[nodiscard]] std::vector<Opening> open_all(const std::vector<SharedSettings>& sessions,
                                              Problems& problems);
  [[nodiscard]] Problems check_changed(const SessionSettings& settings) const;
  [[nodiscard]] std::vector<Opening> open_successors(const ReloadPlan& plan,
                                                     const std::vector<SharedSettings>& wanted,
                                                     Problems& problems);
  void find_orphan(Opening& opening, Problems& problems) const;
  void order_handles();
  void give_up(std::vector<Opening>& openings) noexcept;
  static void check_identities(const std::vector<SharedSettings>& sessions, Problems& problems);
  [[nodiscard]] Configuration compose() const;
  [[nodiscard]] std::vector<SharedSettings> share(const std::vector<SessionSettings>& wanted) const;

  // Steps of a change that is certain.
  [[nodiscard]] Dispatch new_dispatch() const;
  [[nodiscard]] WorkerChange& of_worker(Dispatch& dispatch, std::size_t worker) const;
  [[nodiscard]] static ChangeItem note(Dispatch& dispatch, SessionChange session);
  [[nodiscard]] Arrival arrival_of(Opening& opening);
  void dispatch_arrival(Dispatch& dispatch, Opening& opening);
  void dispatch_departure(Dispatch& dispatch, const SessionSettings& settings,
                          std::string_view text, std::int64_t timeout_ns);
  void dispatch_change(Dispatch& dispatch, const ChangedSession& changed,
                       const SharedSettings& shared, Opening* successor);
  [[nodiscard]] LogonGate::Change& of_gate(Dispatch& dispatch, const std::string& server) const;
  [[nodiscard]] Change send(Dispatch dispatch);

  /// Changes what others may look at without waiting for the change under way.
  template <typename Write>
  void publish(Write write) {
    const std::lock_guard guard(handles_mutex_);
    write();
  }

  void enter(const std::string& name, SessionHandle handle);
  void strike(const std::string& name);
  void dispose(Worker& worker, ReleasedSession& released);
  [[nodiscard]] bool is_server(const std::string& name) const;

  // Sessions that are made for peers who ask for them (registrar_templates.cpp).
  [[nodiscard]] LogonGate* gate() const noexcept;
  void post_to_gate(LogonGate::Change change) const;
  [[nodiscard]] std::vector<LogonGate::Template> templates_of(const std::string& server) const;
  void check_templates(const std::vector<SessionSettings>& templates, Problems& problems);
  void check_made_names(const std::vector<SharedSettings>& sessions, Problems& problems) const;
  void end_templates(Dispatch& dispatch, const std::vector<std::string>& names);
  [[nodiscard]] bool tend_wishes();
  void grant(const LogonGate::Wish& wish);
  [[nodiscard]] std::string make_session(const LogonGate::Wish& wish,
                                         const SessionSettings& made_from, SharedSettings shared);
  [[nodiscard]] std::string limit_of(const SessionSettings& made_from,
                                     const std::string& name) const;
  void forget_made(const SessionSeat& seat);

  const TlsGroups& encryption_;
  const SendingHolds& holds_;
  std::vector<Worker*> workers_;
  Acceptor* acceptor_ = nullptr;
  SeatTable seats_;
  journal::RingBudget ring_budget_;  // Of the journals of all sessions, which workers have.

  // One change at a time, and all below but what has its own. What configuration() and
  // sessions_made() show, `running_`, `sessions_` and `made_`, is written with `handles_mutex_`
  // held, too.
  mutable std::mutex mutex_;
  Configuration running_;                 // Without its sessions.
  std::vector<SharedSettings> sessions_;  // In the order of the configuration.
  std::map<std::string, std::shared_ptr<const ClientGroup>> clients_;
  std::size_t sessions_max_ = 0;
  std::size_t automatic_workers_ = 1;  // As the plan of the start has it.
  std::vector<std::size_t> loads_;  // Of each worker: sessions whose memory is not given back yet.
  std::map<std::string, SessionDictionary> dictionaries_;   // By what is read for them.
  std::map<std::string, MadeSession> made_;                 // From templates, by their names.
  std::map<std::string, std::set<std::string>> made_ever_;  // Names, by template.
  std::vector<SessionDictionary> kept_dictionaries_;  // Of templates, so that they are read once.
  DictionaryStore* store_ = nullptr;                  // While sessions are opened.
  std::vector<std::string> warnings_;

  mutable std::mutex handles_mutex_;  // Never held for long.
  std::vector<SessionHandle> handles_;
  std::unordered_map<std::string, SessionHandle> by_name_;
};

}  // namespace affix::inline v0::engine
