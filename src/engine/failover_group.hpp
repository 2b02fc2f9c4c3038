// SPDX-License-Identifier: MIT
// This node's part in one failover group: carries out what its Member decides, on the standby's
// copies, the engine's sessions and the shippers.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/change.hpp"
#include "affix/engine/failover_standing.hpp"
#include "affix/host/application.hpp"
#include "affix/replication/election_store.hpp"
#include "affix/replication/member.hpp"
#include "affix/replication/standby.hpp"

#include "engine/epoch_record_watch.hpp"
#include "engine/failover_meter.hpp"
#include "engine/passing.hpp"
#include "engine/promise_file.hpp"
#include "engine/shared_keeper.hpp"
#include "host/led_group.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

class Registrar;
class Worker;

/// Shared by all groups of a node. Outlives them.
struct FailoverNode {
  std::string cluster;
  std::string node;
  std::vector<config::NodeAddress> addresses;
  replication::ElectionStore& store;
  replication::Standby& standby;
  Registrar& registrar;
  std::vector<Worker*> workers;
  const PromiseFiles& promises;
  journal::BootId boot;
  net::Waker* control;   ///< Wakes the control thread; null: it has none.
  SharedKeeper* keeper;  ///< Null: there is none.
};

/// The control thread's.
class FailoverGroup {
 public:
  /// `remembered` was read from the node's promises. Reads which epochs the journals have: blocks
  /// on the disk.
  FailoverGroup(const config::FailoverSettings& settings, FailoverNode& node, Remembered remembered,
                counters::FailoverCounters& counters, base::Now now);

  FailoverGroup(const FailoverGroup&) = delete;
  FailoverGroup& operator=(const FailoverGroup&) = delete;

  void on_answer(const replication::Answer& answer, base::Now now);
  void on_news(replication::News news, base::Now now);

  /// Looks at the shippers, at changes of sessions under way, and at the time. True: it has acted
  /// since the last call.
  bool turn(base::Now now);

  /// Steady time of the next turn() without an event.
  [[nodiscard]] std::int64_t deadline_ns() const noexcept;

  [[nodiscard]] replication::WishAnswer promote(replication::Loss loss, base::Now now);
  [[nodiscard]] replication::WishAnswer hand_over(std::string_view node, base::Now now);

  [[nodiscard]] const std::string& name() const noexcept { return settings_.name; }

  [[nodiscard]] FailoverStanding standing() const;

  /// The engine ends: the group's sessions ship no more, and the standby is to give its copies
  /// back. True: News::Released will follow.
  [[nodiscard]] bool end();

  /// All of the group's journals are closed, with their ends on the disk.
  void remember_closed();

 private:
  /// Time for which a next primary waits for connections that the former one is about to leave.
  static constexpr std::int64_t passed_patience_ns = 300 * base::ns_per_ms;

  /// Where the group's journals are.
  enum class Place : std::uint8_t {
    Closed,     ///< Nobody has them open.
    Standby,    ///< The standby follows with them.
    Releasing,  ///< The standby is to give them back.
    Sessions,   ///< The engine's sessions append to them.
    Leaving,    ///< The sessions are being cut.
  };

  /// One worker's part of the group while this node leads it.
  struct Part {
    std::size_t worker;
    std::shared_ptr<host::LedGroup> led;
  };

  void act(base::Now now);
  void carry_out(base::Now now);
  void advance(base::Now now);
  void show(base::Now now);

  void act_on(replication::Ask& ask, base::Now now);
  void act_on(const replication::Follow& follow, base::Now now);
  void act_on(const replication::Promise& promise, base::Now now);
  void act_on(const replication::Lead& lead, base::Now now);
  void act_on(const replication::StepDown& down, base::Now now);
  void act_on(const replication::SetGate& gate, base::Now now);
  void act_on(const replication::SetOutput& output, base::Now now);
  void act_on(const replication::StopInput& stop, base::Now now);
  void act_on(const replication::ResumeInput& resume, base::Now now);
  void act_on(const replication::Alarm& alarm, base::Now now);

  void remember_held(std::uint64_t epoch);
  void remember_led(base::Now now);
  void remember(const Remembered& wanted);
  void follow_now();
  void open_sessions(base::Now now);
  void open_sessions_with(replication::News& released,
                          const std::shared_ptr<KeptConnections>& passed, base::Now now);
  [[nodiscard]] std::expected<std::unique_ptr<journal::Journal>, base::Error> open_journal(
      const journal::Options& options, std::unique_ptr<journal::Journal> copy,
      const host::LinkRecord* passed, std::uint64_t epoch, base::Now now) const;
  void begin_epoch(std::uint64_t epoch, base::Now now);
  void serve(std::uint64_t epoch);
  [[nodiscard]] std::shared_ptr<host::LedGroup> make_part(std::size_t worker,
                                                          std::span<const std::size_t> workers,
                                                          std::uint64_t epoch) const;
  [[nodiscard]] replication::ShipperState shippers() const;

  // Connections that go on at the next primary (failover_group_passing.cpp).
  [[nodiscard]] bool must_pass_first(const replication::ShipperState& state, base::Now now);
  void begin_to_pass(base::Now now);
  [[nodiscard]] bool await_passed(base::Now now);
  void close_untaken(KeptConnections& passed);
  void take_connections_back();
  void leave_connections(base::Now now);
  void look_after_connections(base::Now now);
  void look_at_left(std::string_view node, base::Now now);
  [[nodiscard]] bool look_once(LeftLook& look, base::Now now);
  void wake_workers() const noexcept;
  void report(host::Event::Severity severity, std::string_view text, base::MessageCode code,
              std::optional<host::FailoverNotice::Kind> notice = {}) const;

  const config::FailoverSettings settings_;
  FailoverNode& node_;
  std::vector<replication::Node> others_;  // In the order of the masks' bits.
  Remembered remembered_;
  std::unique_ptr<replication::Member> member_;
  FailoverMeter meter_;
  bool handing_over_ = false;  // It takes no more input.
  std::string next_;           // To lead after this node.

  Place place_ = Place::Closed;
  replication::Follow follow_;         // The last one; at first nobody leads.
  bool did_ = false;                   // Something, since the last turn().
  bool must_follow_ = true;            // It is yet to be given to the standby.
  std::optional<std::uint64_t> lead_;  // Wanted, and not done yet.
  std::uint64_t epoch_ = 0;            // Of the sessions.
  bool loss_accepted_ = false;
  Change leaving_;
  std::vector<Part> parts_;
  std::shared_ptr<host::GroupPermit> permit_ = std::make_shared<host::GroupPermit>();
  replication::StandbyMask gate_ = 0;
  replication::ShipperState seen_;
  std::int64_t show_ns_ = 0;  // Steady time of the next show() without a change.
  EpochRecordWatch record_watch_;

  // As the next primary: the journals are here, and connections may be on their way.
  std::optional<replication::News> released_;
  std::shared_ptr<KeptConnections> passed_;  // What has come.
  std::int64_t ask_ns_ = replication::never_ns;
  std::int64_t ask_until_ns_ = 0;

  // As the one that hands over.
  enum class PassStage : std::uint8_t {
    None,   ///< Nothing is passed on.
    Due,    ///< Once the next primary has everything.
    Begun,  ///< The workers are at it, or done.
  };
  PassStage pass_stage_ = PassStage::None;
  std::shared_ptr<Passing> passing_;
  std::shared_ptr<KeptConnections> taken_back_;  // The keeper is yet to hear of it.

  std::vector<LeftLook> left_looks_;  // One for each node at most.
};

}  // namespace affix::inline v0::engine
