// SPDX-License-Identifier: MIT
// Owner of the list of the engine's sessions: opens them at start-up and at run time, gives them to
// their workers, and closes what workers give back.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/change.hpp"
#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/journal/ring_budget.hpp"

#include "config/reload_plan.hpp"
#include "config/worker_plan.hpp"
#include "engine/client_group.hpp"
#include "engine/logon_gate.hpp"
#include "engine/worker_change.hpp"
#include "host/hosted_session.hpp"
#include "host/session_dictionary.hpp"
#include "host/session_seat.hpp"

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

namespace affix::inline v0::config {
class TlsGroups;
}  // namespace affix::inline v0::config

namespace affix::inline v0::engine {

class Acceptor;
class SendingHolds;
class Worker;

/// Any thread may make changes, one at a time: a change, which may block on the disk, delays the
/// next. Look-ups never wait for it, and a worker never waits for the registrar.
///
/// A change is checked and opened as far as possible before any of it takes effect; from then on
/// only the peers' behaviour can make it fail.
class Registrar {
 public:
  /// All arguments outlive it.
  Registrar(const config::Configuration& configuration, const config::TlsGroups& encryption,
            const SendingHolds& holds);

  // --- Start-up ---

  /// Opens the sessions of the plan, and gives each to its worker.
  void open(const config::WorkerPlan& plan, const std::vector<Worker*>& workers,
            config::Problems& problems);

  /// The hosts of every client group, for a thread that looks names up.
  [[nodiscard]] std::vector<std::shared_ptr<config::ClientAddresses>> client_addresses() const;

  /// Warnings about the dictionaries, and about hosts not resolved yet. Once.
  [[nodiscard]] config::Problems take_warnings();

  /// Targets for the listeners of that server group.
  [[nodiscard]] std::vector<LogonGate::Target> targets_of(const std::string& server) const;

  /// Sends the session templates to the listeners, which exist.
  void post_templates();

  /// Sets the acceptor, which has the listeners unless the only worker has them.
  void set_acceptor(Acceptor* acceptor) noexcept { acceptor_ = acceptor; }

  // --- While the engine runs; Engine has the contracts. ---

  [[nodiscard]] std::expected<Change, config::Problems> add(
      std::vector<config::SessionSettings> sessions);
  [[nodiscard]] std::expected<Change, config::Problems> remove(std::string_view name,
                                                               std::string_view text,
                                                               std::int64_t timeout_ns);
  [[nodiscard]] std::expected<Change, config::Problems> set_enabled(std::string_view name,
                                                                    bool enabled,
                                                                    std::string_view why,
                                                                    std::string_view by);
  [[nodiscard]] std::expected<Change, config::Problems> reload(const config::Configuration& wanted);
  [[nodiscard]] config::Configuration configuration() const;
  [[nodiscard]] std::vector<config::SessionSettings> sessions_made() const;

  [[nodiscard]] std::vector<host::SessionHandle> sessions() const;
  [[nodiscard]] host::SessionHandle session(std::string_view name) const;

  /// Closes what workers have given back. Blocks on the disk. Called by the thread that prepares
  /// journals. True: it closed something.
  bool tend();

 private:
  /// A session that is being opened, or is open.
  struct Opening {
    host::SharedSettings settings{};
    const config::InstanceSettings* instance = nullptr;
    std::shared_ptr<const ClientGroup> client{};  // Null: an acceptor's session.
    std::size_t worker = 0;
    host::SessionSeat* seat = nullptr;
    host::SessionDictionary dictionary{};
    host::HostedSessionPtr session{};
    host::RoomReservation room{};
  };

  /// Connections whose session, made from a template, is on its way to its worker.
  struct Awaited {
    std::mutex mutex;
    bool is_there = false;
    std::vector<net::ConnectionId> connections;
  };

  /// A session made from a template.
  struct MadeSession {
    host::SharedSettings settings;
    std::string made_from;
    host::SessionSeat* seat = nullptr;
    std::shared_ptr<Awaited> awaited;
  };

  /// A change as it is sent to the workers.
  struct Dispatch {
    std::vector<SessionChange> sessions;
    std::vector<std::unique_ptr<WorkerChange>> workers;
    std::map<std::string, LogonGate::Change> gates;
    config::Problems warnings = {};
    std::shared_ptr<ChangeProgress> progress = nullptr;
  };

  [[nodiscard]] static base::Error fault(const config::SessionSettings& session,
                                         std::string message, base::MessageCode code);

  // Steps of an opening; each reports its problems, and after one leaves no trace.
  void find_instance(Opening& opening, config::Problems& problems);
  void choose_worker(Opening& opening, std::vector<std::size_t>& loads,
                     config::Problems& problems) const;
  void check_limits(const Opening& opening, config::Problems& problems) const;
  static void check_ring(const Opening& opening, const config::SessionSettings& running,
                         config::Problems& problems);
  void open_dictionary(Opening& opening, config::Problems& problems);
  [[nodiscard]] journal::Options journal_of(const Opening& opening);
  void open_session(Opening& opening,
                    std::expected<std::unique_ptr<journal::Journal>, base::Error> journal,
                    config::Problems& problems);
  void open_with_journals(std::vector<Opening>& openings, config::Problems& problems);
  bool open_room(Opening& opening, config::Problems& problems) const;
  [[nodiscard]] host::SessionMake make_of(const Opening& opening) const;
  [[nodiscard]] std::vector<Opening> open_all(const std::vector<host::SharedSettings>& sessions,
                                              config::Problems& problems);
  [[nodiscard]] config::Problems check_changed(const config::SessionSettings& settings) const;
  [[nodiscard]] std::vector<Opening> open_successors(
      const config::ReloadPlan& plan, const std::vector<host::SharedSettings>& wanted,
      config::Problems& problems);
  void find_orphan(Opening& opening, config::Problems& problems) const;
  void order_handles();
  void give_up(std::vector<Opening>& openings) noexcept;
  static void check_identities(const std::vector<host::SharedSettings>& sessions,
                               config::Problems& problems);
  [[nodiscard]] config::Configuration compose() const;
  [[nodiscard]] std::vector<host::SharedSettings> share(
      const std::vector<config::SessionSettings>& wanted) const;

  // Steps of a change that can no longer fail.
  [[nodiscard]] Dispatch new_dispatch() const;
  [[nodiscard]] WorkerChange& of_worker(Dispatch& dispatch, std::size_t worker) const;
  [[nodiscard]] static ChangeItem note(Dispatch& dispatch, SessionChange session);
  [[nodiscard]] Arrival arrival_of(Opening& opening);
  void dispatch_arrival(Dispatch& dispatch, Opening& opening);
  void dispatch_departure(Dispatch& dispatch, const config::SessionSettings& settings,
                          std::string_view text, std::int64_t timeout_ns);
  void dispatch_change(Dispatch& dispatch, const config::ChangedSession& changed,
                       const host::SharedSettings& shared, Opening* successor);
  [[nodiscard]] LogonGate::Change& of_gate(Dispatch& dispatch, const std::string& server) const;
  [[nodiscard]] Change send(Dispatch dispatch);

  /// Changes data that others may read without waiting for the present change.
  template <typename Write>
  void publish(Write write) {
    const std::lock_guard guard(handles_mutex_);
    write();
  }

  void enter(const std::string& name, host::SessionHandle handle);
  void strike(const std::string& name);
  void dispose(Worker& worker, ReleasedSession& released);
  [[nodiscard]] bool is_server(const std::string& name) const;
  [[nodiscard]] session::Role role_of(const config::SessionSettings& settings) const;
  [[nodiscard]] config::Problems idle_keys_of(
      const std::vector<host::SharedSettings>& sessions) const;

  // Makes sessions for peers that match a template (registrar_templates.cpp).
  [[nodiscard]] LogonGate* gate() const noexcept;
  void post_to_gate(LogonGate::Change change) const;
  [[nodiscard]] std::vector<LogonGate::Template> templates_of(const std::string& server) const;
  void check_templates(const std::vector<config::SessionSettings>& templates,
                       config::Problems& problems);
  void check_made_names(const std::vector<host::SharedSettings>& sessions,
                        config::Problems& problems) const;
  void end_templates(Dispatch& dispatch, const std::vector<std::string>& names);
  [[nodiscard]] bool tend_wishes();
  void grant(const LogonGate::Wish& wish);
  [[nodiscard]] std::string make_session(const LogonGate::Wish& wish,
                                         const config::SessionSettings& made_from,
                                         host::SharedSettings shared);
  [[nodiscard]] std::string limit_of(const config::SessionSettings& made_from,
                                     const std::string& name) const;
  void forget_made(const host::SessionSeat& seat);

  const config::TlsGroups& encryption_;
  const SendingHolds& holds_;
  std::vector<Worker*> workers_;
  Acceptor* acceptor_ = nullptr;
  host::SeatTable seats_;
  journal::RingBudget ring_budget_;  // For all journals, which workers own.

  // One change at a time; guards all members below except those with their own lock. `running_`,
  // `sessions_` and `made_`, which configuration() and sessions_made() show, are written with
  // `handles_mutex_` held, too.
  mutable std::mutex mutex_;
  config::Configuration running_;               // Without its sessions.
  std::vector<host::SharedSettings> sessions_;  // In the order of the configuration.
  std::map<std::string, std::shared_ptr<const ClientGroup>> clients_;
  std::size_t sessions_max_ = 0;
  std::size_t automatic_workers_ = 1;  // As in the plan of the start.
  std::vector<std::size_t> loads_;     // Of each worker: sessions whose memory is not returned yet.
  std::map<std::string, host::SessionDictionary> dictionaries_;  // By the files they are read from.
  std::map<std::string, MadeSession> made_;                      // Made from templates, by name.
  std::map<std::string, std::set<std::string>> made_ever_;       // Names, by template.
  std::vector<host::SessionDictionary>
      kept_dictionaries_;                   // Of templates, so that they are read once.
  host::DictionaryStore* store_ = nullptr;  // While sessions are opened.
  config::Problems warnings_;

  mutable std::mutex handles_mutex_;  // Never held for long.
  std::vector<host::SessionHandle> handles_;
  std::unordered_map<std::string, host::SessionHandle> by_name_;
};

}  // namespace affix::inline v0::engine
