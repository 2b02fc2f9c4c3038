// SPDX-License-Identifier: MIT
// One node's part in one failover group: decides when it leads, when it must stop, whom it follows
// and which standbys its output waits for. A pure state machine: events and time in, actions out.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/message_code.hpp"
#include "affix/replication/election_entry.hpp"
#include "affix/replication/election_store.hpp"
#include "affix/replication/member_epochs.hpp"
#include "affix/replication/shipper.hpp"
#include "affix/replication/standby.hpp"
#include "affix/replication/store_view.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace affix::inline v0::replication {

/// No time: a deadline that never comes, a permission without an end.
inline constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

/// The group as this node's configuration has it. Times are nanoseconds.
struct MemberOptions {
  std::string group;               ///< An election name.
  std::string node;                ///< This node; one of `nodes`.
  std::vector<std::string> nodes;  ///< All nodes of the group, in the same order on each of them.
  /// Output is held while fewer nodes than this are in the in-sync set, the primary included.
  std::size_t in_sync_min = 1;
  /// ASYNC: the time for which a renewal permits the primary to speak. 0: no lease, since output
  /// waits for the standbys.
  std::int64_t lease_ns = 0;
  /// Of the lease: the primary stops this much earlier, a standby waits this much longer.
  std::int64_t lease_margin_ns = 0;
  /// A primary that has not connected for this long counts as gone.
  std::int64_t absent_ns = 1'000'000'000;
  /// Each standby waits for this times the number of those that come before it.
  std::int64_t rank_delay_ns = 25'000'000;
  /// Pause after a Lead that the disk refused.
  std::int64_t lead_retry_ns = 1'000'000'000;
  /// Pause after a request that failed; doubles with each further failure up to the maximum.
  std::int64_t retry_ns = 20'000'000;
  /// Longest such pause.
  std::int64_t retry_max_ns = 500'000'000;
  /// While no primary is connected, a standby that may not lead reads the entry again when the
  /// store has said nothing for this long: the news of a change can be lost.
  std::int64_t read_again_ns = 1'000'000'000;
  /// A hand-over whose target does not have everything by then is given up.
  std::int64_t hand_over_ns = 5'000'000'000;
  /// A wish of an operator that cannot be fulfilled by then is given up.
  std::int64_t wish_ns = 10'000'000'000;
};

/// Whether this node's journals have everything that they once acknowledged.
enum class Content : std::uint8_t {
  Kept,  ///< Yes: they survived what has happened to the machine since.
  /// Perhaps not: the machine lost power, and their durability does not survive that; or a copy was
  /// damaged, moved aside or begun anew. The node does not count itself as in sync.
  Doubtful,
};

/// Maximum number of nodes of a group.
inline constexpr std::size_t group_nodes_max = standbys_max + 1;

/// A node's knowledge when its process starts.
struct MemberStart {
  std::uint64_t promised = 0;       ///< The last epoch in its file of promises; 0: none.
  std::uint64_t last_epoch = 0;     ///< The highest epoch in its journals; 0: none.
  Content content = Content::Kept;  ///< Whether its journals are complete.
};

/// The node's role in the group.
enum class Role : std::uint8_t {
  Standby,      ///< It follows, or waits for a primary.
  Leading,      ///< It is the primary.
  HandingOver,  ///< It is the primary, takes no more input and makes another node the primary.
};

/// Whether what this node's sessions have stored may leave.
enum class Output : std::uint8_t {
  NotLeading,      ///< It does not lead: nothing leaves.
  Passes,          ///< As far as the standbys in the gate have it, and until `speak_until_ns`.
  HeldForStandby,  ///< Fewer nodes than in_sync_min are in the set.
  HeldByLease,     ///< Its lease has ended, or it has none yet.
  HeldByEpoch,     ///< A standby knows a higher epoch: nobody acknowledges this one any more.
};

/// Why the node does not lead.
enum class WhyStandby : std::uint8_t {
  None,              ///< It leads.
  Underway,          ///< It is being promoted.
  StoreSilent,       ///< The store has not answered since the process started.
  StoreUnreachable,  ///< The store does not answer now, and is needed.
  EntryDamaged,      ///< The store has a value that is no entry.
  EntryMissing,  ///< The store has no entry: the first of `nodes` makes it, and only if nobody has
                 ///< led the group before. An operator may accept the loss.
  EntryOld,      ///< The entry is older than this node's journals: the store was set back.
  PrimaryAlive,  ///< The primary is connected.
  PrimaryAwaited,   ///< The primary is not connected, but may still be.
  OthersFirst,      ///< The primary is gone; standbys before this one have their time to act.
  LeaseRuns,        ///< ASYNC: the primary's lease may still run.
  NotInSync,        ///< The node is not in the in-sync set: it may lack what a peer has seen.
  ContentDoubtful,  ///< The node is in the set, but may have lost what it had.
  PromiseFailed,    ///< The node could not write the promise to its disk.
  LeadFailed,       ///< The node could not open the sessions when it was to lead.
};

/// Whether an operator's wish was taken.
enum class WishAnswer : std::uint8_t {
  Begun,            ///< The node tries it now; the standing shows what becomes of it.
  LeadsAlready,     ///< Promote: it is the primary.
  NotLeading,       ///< Hand-over: it is not the primary.
  NotANode,         ///< Hand-over: the group has no such node, or it is this one.
  NotInSync,        ///< Hand-over: the named node, or any, is not in the set. Promote: this one is
                    ///< not; only an acceptance of loss can promote it.
  ContentDoubtful,  ///< Promote: as WhyStandby::ContentDoubtful; an acceptance of loss is needed.
  EntryMissing,     ///< Promote: as WhyStandby::EntryMissing; an acceptance of loss is needed.
  EntryOld,         ///< Promote: as WhyStandby::EntryOld; an acceptance of loss is needed.
  LeaseRuns,        ///< Promote: the primary renews its lease; ask it to hand over.
  PrimaryAlive,     ///< Promote with loss: the primary is connected; ask it to hand over.
  StoreSilent,      ///< The store does not answer.
  Busy,             ///< A promotion or a hand-over is under way.
};

/// Whether an operator accepts that what only another node has is lost.
enum class Loss : std::uint8_t { Refused, Accepted };

/// News that an operator should see.
enum class AlarmKind : std::uint8_t {
  Alone,            ///< The primary goes on without any standby that may be promoted.
  NotAlone,         ///< A standby is in the set again.
  HandOverGivenUp,  ///< The hand-over did not happen; this node goes on.
  StoreSetBack,     ///< The store's entry is missing or older than what this node has seen of it.
  LossAccepted,  ///< This node leads by an operator's word, perhaps without what peers have seen.
};

/// Descriptions; static storage.
[[nodiscard]] const char* to_text(Role role) noexcept;
/// A description for operators; static storage.
[[nodiscard]] const char* to_text(Output output) noexcept;
/// A description for operators; static storage.
[[nodiscard]] const char* to_text(WhyStandby why) noexcept;
/// A description for operators; static storage.
[[nodiscard]] const char* to_text(WishAnswer answer) noexcept;
/// A description for operators; static storage.
[[nodiscard]] const char* to_text(AlarmKind kind) noexcept;

/// Codes for `affix explain`; none for WishAnswer::Begun.
[[nodiscard]] base::MessageCode code_of(AlarmKind kind) noexcept;
/// The code of to_text(answer); none for Begun.
[[nodiscard]] base::MessageCode code_of(WishAnswer answer) noexcept;

// Actions. The caller carries them out in the order in which take() returns them.

/// Pass this to ElectionStore::ask(), and its answer to on_answer().
struct Ask {
  StoreRequest request;  ///< The request.
};

/// Copy this group's journals from `primary`, and refuse every lower epoch. An empty name: nobody
/// leads; follow nobody.
struct Follow {
  std::string primary;      ///< Name of the node; empty: follow nobody.
  std::uint64_t epoch = 0;  ///< The lowest that may be acknowledged.
};

/// Write the promise to the disk, then pass it to Standby::promise(), and call on_promised() when
/// its news Promised has come; on_promise_failed() if the disk refuses.
struct Promise {
  std::uint64_t epoch = 0;  ///< Greater than every one that was promised before.
};

/// Become the primary: take the journals from the Standby (if News::whole is false, and no loss was
/// accepted, call on_lead_failed() instead), append the epoch's record, open the
/// sessions, with the gate of the SetGate before. If this node leads already, only its epoch rises:
/// the sessions go on, the shippers begin anew with that epoch.
struct Lead {
  std::uint64_t epoch = 0;  ///< In which this node leads.
};

/// Stop at once: close the sessions' connections without a word, make the journals copies.
struct StepDown {};

/// Output waits for these standbys from now on; the shippers' next turns obey.
struct SetGate {
  StandbyMask nodes = 0;  ///< The standbys for which output waits.
};

/// Output passes or is held, see Output; and the time of the steady clock from which nothing may
/// leave, which the workers compare with their own reading: never_ns without a lease.
struct SetOutput {
  Output output = Output::NotLeading;      ///< Whether output passes, and why not.
  std::int64_t speak_until_ns = never_ns;  ///< Of the steady clock.
};

/// Take no more input of the sessions, for a hand-over; output goes on. A ShipperState that says of
/// `next` that it has everything makes that the primary.
struct StopInput {
  std::string next;  ///< The node that is to lead.
};

/// Take input again: the hand-over was given up.
struct ResumeInput {};

/// Tell the operator.
struct Alarm {
  AlarmKind kind = AlarmKind::Alone;  ///< What the operator is to know.
};

/// The next step that a Member asks of its caller.
using Action = std::variant<Ask, Follow, Promise, Lead, StepDown, SetGate, SetOutput, StopInput,
                            ResumeInput, Alarm>;

/// The primary's shippers, all workers together: a bit is set if it is set for each of them, or, of
/// `late`, for any. The bits stand for the group's other nodes, in the order of
/// MemberOptions::nodes, which is that of ShipperOptions::standbys.
struct ShipperState {
  std::uint64_t epoch = 0;    ///< ShipperOptions::epoch. A state of another epoch has no effect.
  StandbyMask caught_up = 0;  ///< Shipper::caught_up(): may enter the gate.
  StandbyMask covered = 0;    ///< Shipper::covered(): may enter the in-sync set.
  StandbyMask late = 0;       ///< Shipper::late().
  StandbyMask connected = 0;  ///< Shipper::connected().
  /// Has everything that was stored. Only meaningful after StopInput, when nothing is stored any
  /// more.
  StandbyMask everything = 0;
  std::uint64_t fenced_epoch = 0;  ///< The highest Shipper::fenced_epoch().

  /// All values are the same.
  friend bool operator==(const ShipperState&, const ShipperState&) = default;
};

/// Everything about the group that an operator needs to see. Values of one moment.
struct Standing {
  Role role = Role::Standby;   ///< What the node is in the group.
  std::uint64_t epoch = 0;     ///< The epoch in which it leads, or that of the primary it follows.
  std::uint64_t promised = 0;  ///< The node refuses every primary of a lower epoch.
  std::string primary;         ///< As the store last said; empty: nobody, or not known.
  std::vector<std::string> in_sync;  ///< As the store last said.
  StandbyMask gate = 0;              ///< Standbys for which output waits.
  std::uint64_t revision = 0;        ///< Of the store's entry; 0: none, or not known.
  WhyStandby why_standby =
      WhyStandby::StoreSilent;             ///< Why it does not lead; no meaning if it does.
  Output output = Output::NotLeading;      ///< Whether output passes, and why not.
  std::int64_t speak_until_ns = never_ns;  ///< End of the lease by the steady clock.
  Content content = Content::Kept;         ///< Whether its journals are complete.
  Outcome store = Outcome::Unreachable;    ///< Of the last answer; Unreachable before the first.
  base::Error store_error;      ///< Of the last answer, unless that was Done or Conflict.
  std::string handing_over_to;  ///< Empty: no hand-over is under way.
};

/// For one thread: no locks, no clock, no I/O. After each call take all actions. `now_ns` is the
/// steady clock and never goes back.
class Member {
 public:
  /// A node always starts as a standby, and begins by reading the entry. `options` are valid:
  /// `node` is one of 1 to group_nodes_max different `nodes`.
  Member(MemberOptions options, MemberStart start, std::int64_t now_ns);

  /// An answer of the store for this group.
  void on_answer(const Answer& answer, std::int64_t now_ns);

  /// News of the Standby for this group: kind and epoch of a News. Connected, InSync, PrimaryGone
  /// and Left have no effect if they are about another epoch than the followed one; Promised and
  /// Released never have any, since the caller answers with on_promised() and on_lead_failed().
  void on_news(NewsKind kind, std::uint64_t epoch, std::int64_t now_ns);

  /// The shippers' state, whenever it has changed while this node leads. Read it after every action
  /// so far has been carried out: what was covered before a SetGate says nothing of the time after.
  void on_shippers(const ShipperState& state, std::int64_t now_ns);

  /// The promise of `epoch` is on the disk, and the Standby obeys it.
  void on_promised(std::uint64_t epoch, std::int64_t now_ns);

  /// The promise could not be written. The node is not promoted now; it tries again later.
  void on_promise_failed(std::int64_t now_ns);

  /// The Lead could not be carried out: the node steps down. With Content::Doubtful it does not
  /// count itself as in sync any more; else, if only the disk refused, it tries again later.
  void on_lead_failed(std::int64_t now_ns, Content content = Content::Doubtful);

  /// Time has passed: call it at deadline_ns() or later; earlier calls do no harm.
  void on_time(std::int64_t now_ns);

  /// An operator wants this node to lead. With a loss accepted, also if the node is not in the set,
  /// its content is doubtful, or the store has no entry or an old one.
  [[nodiscard]] WishAnswer promote(Loss loss, std::int64_t now_ns);

  /// An operator wants the primary to hand over to `node`; empty: to the first in-sync standby.
  [[nodiscard]] WishAnswer hand_over(std::string_view node, std::int64_t now_ns);

  /// When on_time() is needed next by the steady clock; never_ns: not before another event.
  [[nodiscard]] std::int64_t deadline_ns() const noexcept { return deadline_ns_; }

  /// The next action; nullopt: none.
  [[nodiscard]] std::optional<Action> take();

  /// For operators. Allocates.
  [[nodiscard]] Standing standing() const;

  /// The node's present role in the group.
  [[nodiscard]] Role role() const noexcept { return role_; }

  /// Of its reign, or of the primary that it follows; 0: none.
  [[nodiscard]] std::uint64_t epoch() const noexcept {
    return role_ == Role::Standby ? followed_.epoch : epoch_;
  }

  /// Why it does not lead; no meaning if it does.
  [[nodiscard]] WhyStandby why_standby() const noexcept { return why_; }

  /// Those that it was made with.
  [[nodiscard]] const MemberOptions& options() const noexcept { return options_; }

 private:
  /// The primary as the Standby sees it.
  struct PrimaryLink {
    enum class State : std::uint8_t { Absent, Connected, Gone };

    State state = State::Absent;
    std::int64_t since_ns = 0;
  };

  /// Whether the entry was read for the decision that is due.
  enum class Freshness : std::uint8_t { Remembered, JustRead };

  /// A hand-over, if there is one.
  struct HandOver {
    enum class Stage : std::uint8_t {
      None,
      Draining,  ///< The target does not have everything yet.
      Writing,   ///< The entry that makes it primary is being written.
      Settling,  ///< It was perhaps written: a further write decides.
    };

    [[nodiscard]] bool is_under_way() const noexcept { return stage != Stage::None; }

    Stage stage = Stage::None;
    std::size_t to = 0;         ///< Index of others_.
    std::int64_t until_ns = 0;  ///< Given up if it is not done by then.
  };

  /// An operator's wish that this node leads.
  struct Wish {
    Loss loss = Loss::Refused;
    std::int64_t until_ns = 0;
  };

  [[nodiscard]] StandbyMask others_in_set() const noexcept;
  [[nodiscard]] std::vector<std::string> set_of(StandbyMask others) const;

  [[nodiscard]] bool is_primary_in_entry() const noexcept {
    return entry_.primary == options_.node;
  }

  [[nodiscard]] bool is_handed_to_us() const noexcept;

  [[nodiscard]] bool accepts_loss() const noexcept {
    return wish_ && wish_->loss == Loss::Accepted;
  }

  [[nodiscard]] bool is_fenced() const noexcept { return shippers_.fenced_epoch > epoch_; }

  [[nodiscard]] bool has_strangers() const noexcept;

  void ask(RequestKind kind, Entry entry, std::int64_t now_ns);
  void read(std::int64_t now_ns);
  void wake_at(std::int64_t at_ns) noexcept;
  void adopt(const Entry& entry, std::uint64_t revision, std::int64_t now_ns);
  void renew_lease(const StoreView::Pending& asked, const Answer& answer) noexcept;
  void on_adopted(std::int64_t now_ns);

  /// Decides anew after every event.
  void decide(Freshness freshness, std::int64_t now_ns);
  void decide_output(std::int64_t now_ns);

  // Standby.
  void decide_standby(Freshness freshness, std::int64_t now_ns);
  void read_if_silent(std::int64_t now_ns);
  void take_over();
  [[nodiscard]] WhyStandby why_not(std::int64_t now_ns);
  [[nodiscard]] WhyStandby why_entry_forbids() const noexcept;
  [[nodiscard]] WhyStandby why_time_forbids(std::int64_t now_ns);
  [[nodiscard]] std::int64_t lease_end_ns() const noexcept;
  [[nodiscard]] std::int64_t rank() const noexcept;
  void follow_entry(std::int64_t now_ns);

  // Promotion, of a standby and of a primary whose epoch must rise.
  [[nodiscard]] std::uint64_t next_epoch() const noexcept;
  void begin_promotion(std::int64_t now_ns);
  void write_promotion(std::int64_t now_ns);
  void lead(std::uint64_t epoch, std::int64_t now_ns);

  // Primary.
  void decide_leading(Freshness freshness, std::int64_t now_ns);
  void decide_set(std::int64_t now_ns);
  void decide_hand_over(std::int64_t now_ns);
  void give_up_hand_over(std::int64_t now_ns);
  void decide_gate();
  [[nodiscard]] StandbyMask joining() const noexcept;
  [[nodiscard]] StandbyMask wanted_set() const noexcept;
  void write_set(StandbyMask nodes, std::int64_t now_ns);
  void step_down(std::int64_t now_ns);
  void tell_alone();

  MemberOptions options_;
  std::vector<std::string> others_;  // The other nodes: bit n of a mask is the n-th.
  std::size_t own_place_ = 0;        // Of this node in MemberOptions::nodes.
  std::deque<Action> actions_;
  std::int64_t deadline_ns_ = never_ns;

  StoreView store_;
  Entry entry_;  // The store's, unless is_set_back_.

  MemberEpochs epochs_;

  // Standby.
  Role role_ = Role::Standby;
  WhyStandby why_ = WhyStandby::StoreSilent;
  Content content_ = Content::Kept;
  Follow followed_;  // The last one.
  PrimaryLink link_;
  std::optional<Wish> wish_;
  bool has_promise_failed_ = false;
  bool has_lead_failed_ = false;
  std::int64_t lead_again_ns_ = 0;  // Not before, after a Lead that the disk refused.

  // Primary.
  std::uint64_t epoch_ = 0;
  StandbyMask gate_ = 0;
  ShipperState shippers_;
  std::int64_t lease_until_ns_ = 0;
  std::int64_t renew_at_ns_ = 0;
  SetOutput output_;
  HandOver hand_over_;
  std::optional<AlarmKind> told_alone_;
  // The store's entry is missing or of a lower epoch: entry_ is the last one that was right.
  bool is_set_back_ = false;
};

}  // namespace affix::inline v0::replication
