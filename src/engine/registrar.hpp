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
#include "engine/change_dispatch.hpp"
#include "engine/client_group.hpp"
#include "engine/dictionary_cache.hpp"
#include "engine/groundwork.hpp"
#include "engine/logon_gate.hpp"
#include "engine/made_sessions.hpp"
#include "engine/session_directory.hpp"
#include "engine/worker_change.hpp"
#include "host/hosted_session.hpp"
#include "host/led_group.hpp"
#include "host/session_dictionary.hpp"
#include "host/session_slot.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {
class TlsGroups;
}  // namespace affix::inline v0::config

namespace affix::inline v0::engine {

class Acceptor;
class KeptConnections;
class SendingHolds;
class Worker;

/// Any thread may make changes, one at a time: a change, which may block on the disk, delays the
/// next. Look-ups never wait for it, and a worker never waits for the registrar.
///
/// A change is checked and opened as far as possible before any of it takes effect; from then on
/// only the peers' behaviour can make it fail.
class Registrar {
 public:
  /// Journals that followed their failover group here, and are to be led from now on, by identity.
  using LedJournals = std::map<std::string, std::unique_ptr<journal::Journal>>;

  /// Makes the group's part for one of `workers`, the numbers of those that its sessions are on.
  using MakeLedGroup = std::function<std::shared_ptr<host::LedGroup>(
      std::size_t worker, std::span<const std::size_t> workers)>;

  /// Sessions that begin to be led, or the problems for which none does.
  struct Led {
    Change change;
    config::Problems problems;
  };

  /// All arguments outlive it. `kept`: the keeper of connections; null: there is none.
  /// `groundwork`: laid for this configuration, or null.
  Registrar(const config::Configuration& configuration, const config::TlsGroups& encryption,
            const SendingHolds& holds, KeptConnections* kept,
            std::shared_ptr<Groundwork> groundwork);

  // --- Start-up ---

  /// Opens the sessions of the plan, and gives each to its worker.
  void open(const config::WorkerPlan& plan, const std::vector<Worker*>& workers,
            config::Problems& problems);

  /// The hosts of every client group, for a thread that looks names up.
  [[nodiscard]] std::vector<std::shared_ptr<config::ClientAddresses>> client_addresses() const;

  /// Warnings about the dictionaries, and about hosts not resolved yet. Once.
  [[nodiscard]] config::Problems take_warnings();

  /// Measurements of the journals' disks since the last call, as sentences. Any thread.
  [[nodiscard]] std::vector<std::string> take_page_notes() {
    return groundwork_->pages.take_notes();
  }

  /// Targets for the listeners of that server group.
  [[nodiscard]] std::vector<LogonTarget> targets_of(const std::string& server) const;

  /// Sends the session templates to the listeners, which exist, and the sessions of failover
  /// groups, which exist while their groups are led here.
  void post_templates();

  /// Who leads the failover groups, for the listeners.
  [[nodiscard]] GroupPrimaries& primaries() noexcept { return *primaries_; }

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

  [[nodiscard]] std::vector<host::SessionHandle> sessions() const { return directory_.all(); }

  [[nodiscard]] host::SessionHandle session(std::string_view name) const {
    return directory_.find(name);
  }

  // --- Failover groups. Their sessions exist here only while this node leads the group. ---

  /// Describes the journals of the group's sessions. Any thread.
  [[nodiscard]] std::vector<journal::Options> journals_of_group(const std::string& group);

  /// Opens the group's sessions with these journals. `passed`: connections that another node has
  /// passed on, of which they take their own; null: there are none. Does not touch the disk.
  [[nodiscard]] Led lead(const std::string& group, LedJournals journals,
                         const std::shared_ptr<KeptConnections>& passed, const MakeLedGroup& make);

  /// Cuts the connections of the group's sessions and closes their journals: another node leads it.
  [[nodiscard]] Change step_down(const std::string& group);

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
    host::SessionSlot* slot = nullptr;
    host::SessionDictionary dictionary{};
    host::HostedSessionPtr session{};
    host::BufferReservation buffers{};
    std::unique_ptr<LeftConnection> left{};  // Of an earlier process.
  };

  [[nodiscard]] static base::Error fault(const config::SessionSettings& session,
                                         std::string message, base::MessageCode code);

  /// The client or server group of these settings; null: there is none. A view of the running
  /// configuration.
  [[nodiscard]] const config::InstanceSettings* instance_of(
      const config::SessionSettings& settings) const;

  // Steps of an opening; each reports its problems, and after one leaves no trace.
  void find_instance(Opening& opening, config::Problems& problems);
  void choose_worker(Opening& opening, std::vector<std::size_t>& loads,
                     config::Problems& problems) const;
  void check_limits(const Opening& opening, config::Problems& problems) const;
  static void check_ring(const Opening& opening, const config::SessionSettings& running,
                         config::Problems& problems);
  void open_dictionary(Opening& opening, host::DictionaryStore& store, config::Problems& problems);
  void find_left(Opening& opening, KeptConnections& where) const;
  [[nodiscard]] journal::Options journal_of(const Opening& opening);
  void open_session(Opening& opening,
                    std::expected<std::unique_ptr<journal::Journal>, base::Error> journal,
                    config::Problems& problems);
  void open_with_journals(std::vector<Opening>& openings, config::Problems& problems);
  [[nodiscard]] std::expected<host::BufferReservation, base::Error> reserve_buffers(
      const Opening& opening) const;
  [[nodiscard]] host::SessionMake make_of(const Opening& opening) const;
  [[nodiscard]] std::vector<Opening> open_all(const std::vector<host::SharedSettings>& sessions,
                                              config::Problems& problems);
  [[nodiscard]] config::Problems check_changed(const config::SessionSettings& settings) const;
  [[nodiscard]] std::vector<Opening> open_successors(
      const config::ReloadPlan& plan, const std::vector<host::SharedSettings>& wanted,
      config::Problems& problems);
  void find_orphan(Opening& opening, config::Problems& problems) const;
  void give_up(std::vector<Opening>& openings) noexcept;
  static void check_identities(const std::vector<host::SharedSettings>& sessions,
                               config::Problems& problems);
  [[nodiscard]] config::Configuration compose() const;
  [[nodiscard]] std::vector<host::SharedSettings> share(
      const std::vector<config::SessionSettings>& wanted) const;

  // Steps of a change that can no longer fail.
  [[nodiscard]] Arrival arrival_of(Opening& opening);
  void dispatch_arrival(ChangeDispatch& dispatch, Opening& opening);
  [[nodiscard]] std::string_view failover_group_of(const config::SessionSettings& settings) const;
  [[nodiscard]] std::vector<host::SharedSettings> sessions_of_group(std::string_view group) const;
  void refuse_failover(const host::SharedSettings& settings, config::Problems& problems) const;
  void dispatch_departure(ChangeDispatch& dispatch, const config::SessionSettings& settings,
                          std::string_view text, std::int64_t timeout_ns);
  void dispatch_change(ChangeDispatch& dispatch, const config::ChangedSession& changed,
                       const host::SharedSettings& shared, Opening* successor);
  [[nodiscard]] Change send(ChangeDispatch dispatch, config::Problems warnings = {});

  /// Changes data that others may read without waiting for the present change.
  template <typename Write>
  void publish(Write write) {
    const std::lock_guard guard(shown_mutex_);
    write();
  }

  void dispose(Worker& worker, ReleasedSession& released);
  [[nodiscard]] bool is_server(const std::string& name) const;
  [[nodiscard]] session::Role role_of(const config::SessionSettings& settings) const;
  [[nodiscard]] config::Problems idle_keys_of(
      const std::vector<host::SharedSettings>& sessions) const;

  // Makes sessions for peers that match a template (registrar_templates.cpp).
  [[nodiscard]] LogonGate* gate() const noexcept;
  void post_to_gate(GateChange change) const;
  [[nodiscard]] std::vector<LogonTemplate> templates_of(const std::string& server) const;
  void check_templates(const std::vector<config::SessionSettings>& templates,
                       host::DictionaryStore& store, config::Problems& problems);
  void check_made_names(const std::vector<host::SharedSettings>& sessions,
                        config::Problems& problems) const;
  void end_templates(ChangeDispatch& dispatch, const std::vector<std::string>& names);
  [[nodiscard]] bool answer_session_requests();
  void grant(const SessionRequest& request);
  [[nodiscard]] std::string make_session(const SessionRequest& request,
                                         const config::SessionSettings& made_from,
                                         host::SharedSettings shared);
  void forget_made(const host::SessionSlot& slot);

  const config::TlsGroups& encryption_;
  const SendingHolds& holds_;
  KeptConnections* const kept_;  // Null: there is none.
  std::vector<Worker*> workers_;
  Acceptor* acceptor_ = nullptr;
  std::shared_ptr<GroupPrimaries> primaries_ = std::make_shared<GroupPrimaries>();
  host::SeatTable slots_;
  std::shared_ptr<Groundwork> groundwork_;
  journal::RingBudget ring_budget_;  // For all journals, which workers own.
  SessionDirectory directory_;

  // One change at a time; guards all members below except those with their own lock. `running_`,
  // `sessions_` and `made_`, which configuration() and sessions_made() show, are written with
  // `shown_mutex_` held, too.
  mutable std::mutex mutex_;
  config::Configuration running_;               // Without its sessions.
  std::vector<host::SharedSettings> sessions_;  // In the order of the configuration.
  std::map<std::string, std::shared_ptr<const ClientGroup>> clients_;
  std::size_t sessions_max_ = 0;
  std::size_t automatic_workers_ = 1;  // As in the plan of the start.
  std::vector<std::size_t> loads_;     // Of each worker: sessions whose memory is not returned yet.
  DictionaryCache dictionaries_;
  MadeSessions made_;
  config::Problems warnings_;

  mutable std::mutex shown_mutex_;  // Never held for long.
};

}  // namespace affix::inline v0::engine
