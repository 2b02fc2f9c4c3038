// SPDX-License-Identifier: MIT
// Three nodes of a failover group in virtual time: real Members and an election store with faults,
// over a data plane that is reduced to what matters for them: who has which items, who refuses
// whom, and what was shown outside. One number, the seed, determines a whole history.
#pragma once

#include "affix/base/time.hpp"
#include "affix/replication/member.hpp"
#include "affix/testing/memory_election_store.hpp"

#include "simulation/dice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace affix::support::election {

using base::ns_per_ms;
using base::ns_per_second;
using replication::Entry;
using replication::Member;
using replication::StandbyMask;

/// A fault of the code that the rules must find.
enum class Plant : std::uint8_t {
  None,
  PromoteWithoutSet,        ///< A node believes itself to be in the set.
  AloneWithoutTransaction,  ///< Output waits for a late standby no more, whatever the set says.
  ForgetPromise,            ///< A node acknowledges primaries of lower epochs than it promised.
  GateAfterSet,             ///< A standby is in the gate only when it is in the set already.
  CoveredTooEarly,          ///< A standby counts as covered before it has what was released.
  BelieveOldEpoch,          ///< A node takes the epoch of the entry for a lower one.
  IgnoreLease,              ///< The primary speaks after its lease.
  TrustLostContent,         ///< A node that lost power believes that it has everything.
};

enum class Mode : std::uint8_t { BeforeSend, Async };

/// Events of a history; chances in a thousand of each moment of trouble.
struct Plan {
  Mode mode = Mode::BeforeSend;
  Plant plant = Plant::None;
  std::size_t in_sync_min = 1;
  bool has_power_losses = false;
  int moments = 60;
};

/// Events that a history has seen, which show that the model reaches its subject.
struct Tally {
  int promotions = 0;
  int raises = 0;
  int step_downs = 0;
  int hand_overs = 0;
  int hand_overs_given_up = 0;
  int accepted_losses = 0;
  std::size_t shown = 0;
};

class Model {
 public:
  static constexpr std::size_t nodes = 3;

  Model(std::uint64_t seed, Plan plan) : plan_(plan), dice_(seed), store_(seed * 31 + 7) {
    store_.on_write = [this](std::string_view, const Entry& before, const Entry& after) {
      check_write(before, after);
    };
    for (std::size_t at = 0; at < nodes; ++at) {
      node_[at].name = std::string(1, static_cast<char>('a' + at));
    }
  }

  /// Trouble, then quiet. The first broken rule, or nothing.
  [[nodiscard]] std::string run() {
    for (std::size_t at = 0; at < nodes; ++at) {
      start(at);
    }
    advance(dice_.between(20, 400) * ns_per_ms);
    for (int moment = 0; moment < plan_.moments && broken_.empty(); ++moment) {
      trouble();
      advance(dice_.between(1, dice_.chance(200) ? 900 : 120) * ns_per_ms);
    }
    heal();
    if (broken_.empty()) {
      check_progress();
    }
    return broken_;
  }

  [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

  /// The last events, for a failure.
  [[nodiscard]] std::string trace() const {
    std::string text;
    const std::size_t first = trace_.size() > 120 ? trace_.size() - 120 : 0;
    for (std::size_t at = first; at < trace_.size(); ++at) {
      text += trace_[at] + "\n";
    }
    return text;
  }

 private:
  struct Item {
    std::uint64_t content = 0;
    std::uint64_t epoch = 0;
    friend bool operator==(const Item&, const Item&) = default;
  };

  using Log = std::vector<Item>;

  /// The primary's end of a connection.
  struct Link {
    std::uint64_t connection = 0;  // 0: none.
    bool is_live = false;
    bool waits_for_gate = false;  // History is needed, and the standby must leave the gate first.
    Log theirs = {};              // While it waits.
    std::size_t sent = 0;
    std::size_t acknowledged = 0;
    std::int64_t owes_since_ns = 0;  // 0: nothing is owed.
    std::int64_t heard_ns = 0;
    std::int64_t dial_at_ns = 0;
  };

  struct Process {
    std::unique_ptr<testing::MemoryElectionStore> store;
    std::unique_ptr<Member> member;
    // As a standby.
    std::string followed;
    std::uint64_t followed_epoch = 0;
    std::uint64_t connection = 0;
    std::size_t peer = 0;
    bool is_synced = false;
    std::int64_t heard_ns = 0;
    // As the primary.
    std::uint64_t epoch = 0;   // 0: it does not lead.
    std::size_t led_from = 0;  // Items that it had before.
    bool takes_input = false;
    StandbyMask gate_asked = 0;
    StandbyMask gate = 0;
    StandbyMask covered = 0;
    std::array<Link, nodes> links;
    std::size_t released = 0;
    std::uint64_t fenced = 0;
    replication::SetOutput output;
    replication::ShipperState told;
  };

  struct Node {
    std::string name;
    Log log;
    std::uint64_t promised = 0;
    bool is_doubtful = false;
    std::unique_ptr<Process> process;
    std::uint64_t incarnation = 0;
    std::int64_t paused_until_ns = 0;
    std::vector<std::function<void()>> inbox;  // While it is paused.
  };

  // Time.

  void at(std::int64_t when_ns, std::function<void()> what) {
    events_.emplace(std::pair(when_ns, ++last_event_), std::move(what));
  }

  void advance(std::int64_t ns) {
    const std::int64_t end_ns = now_ns_ + ns;
    while (broken_.empty()) {
      std::int64_t next_ns = std::min(end_ns, store_.next_event_ns());
      if (!events_.empty()) {
        next_ns = std::min(next_ns, events_.begin()->first.first);
      }
      now_ns_ = std::max(now_ns_, next_ns);
      store_.advance(now_ns_);
      if (!events_.empty() && events_.begin()->first.first <= now_ns_) {
        auto first = events_.extract(events_.begin());
        first.mapped()();
      } else if (now_ns_ >= end_ns) {
        break;
      }
      for (std::size_t n = 0; n < nodes; ++n) {
        turn(n);
      }
    }
  }

  bool is_awake(std::size_t n) const {
    return node_[n].process != nullptr && node_[n].paused_until_ns <= now_ns_;
  }

  /// A message of the wire, or something of the node's own: it waits while the node is paused.
  void post(std::size_t n, std::int64_t delay_ns, std::function<void(Process&)> what) {
    const std::uint64_t incarnation = node_[n].incarnation;
    at(now_ns_ + delay_ns, [this, n, incarnation, what = std::move(what)] {
      auto run_it = [this, n, incarnation, what] {
        if (node_[n].process && node_[n].incarnation == incarnation) {
          what(*node_[n].process);
        }
      };
      if (node_[n].process && node_[n].paused_until_ns > now_ns_) {
        node_[n].inbox.push_back(run_it);
      } else {
        run_it();
      }
    });
  }

  /// One way, in order between two nodes.
  void send(std::size_t from, std::size_t to, std::function<void(Process&)> what) {
    if (is_cut_[from][to]) {
      return;
    }
    std::int64_t& last = arrives_ns_[from][to];
    last = std::max(last + 1, now_ns_ + dice_.between(50, 400) * base::ns_per_us);
    post(to, last - now_ns_, std::move(what));
  }

  // Processes.

  void start(std::size_t n) {
    Node& node = node_[n];
    note(n, "starts");
    ++node.incarnation;
    node.paused_until_ns = 0;
    node.inbox.clear();
    node.process = std::make_unique<Process>();
    Process& process = *node.process;
    process.store = store_.connect(node.name);
    process.store->watch("g");
    replication::MemberOptions options{.group = "g", .node = node.name, .nodes = {}};
    for (const Node& one : node_) {
      options.nodes.push_back(one.name);
    }
    options.in_sync_min = plan_.in_sync_min;
    if (plan_.mode == Mode::Async) {
      options.lease_ns = 300 * ns_per_ms;
      options.lease_margin_ns = 50 * ns_per_ms;
    }
    options.hand_over_ns = 300 * ns_per_ms;
    std::uint64_t last_epoch = 0;
    for (const Item& item : node.log) {
      last_epoch = std::max(last_epoch, item.epoch);
    }
    const bool doubts = node.is_doubtful && plan_.plant != Plant::TrustLostContent;
    const bool believes_old = plan_.plant == Plant::BelieveOldEpoch;
    process.member = std::make_unique<Member>(
        options,
        replication::MemberStart{
            .promised = plan_.plant == Plant::ForgetPromise ? 0 : node.promised,
            .last_epoch = believes_old ? 0 : last_epoch,
            .content = doubts ? replication::Content::Doubtful : replication::Content::Kept},
        now_ns_);
  }

  /// `is_power_loss`: the end of the log is lost too, and the peers see no reset.
  void kill(std::size_t n, bool is_power_loss) {
    Node& node = node_[n];
    if (!node.process) {
      return;
    }
    note(n, is_power_loss ? "loses power" : "is killed");
    Process& process = *node.process;
    if (!is_power_loss) {
      for (std::size_t other = 0; other < nodes; ++other) {
        const std::uint64_t connection = process.links[other].connection;
        if (connection != 0) {
          send(n, other, [this, other, connection](Process& at_other) {
            if (at_other.connection == connection) {
              lose_primary(other, at_other);
            }
          });
        }
      }
    }
    node.process.reset();
    node.paused_until_ns = 0;
    node.inbox.clear();
    if (is_power_loss) {
      node.log.resize(node.log.size() - std::min(node.log.size(), std::size_t{dice_.below(8)}));
      node.is_doubtful = true;
    }
    at(now_ns_ + dice_.between(1, 600) * ns_per_ms, [this, n] {
      if (!node_[n].process) {
        start(n);
      }
    });
  }

  void pause(std::size_t n) {
    if (is_awake(n)) {
      const std::int64_t ns = dice_.between(5, 900) * ns_per_ms;
      note(n, "is paused for " + std::to_string(ns / ns_per_ms) + " ms");
      node_[n].paused_until_ns = now_ns_ + ns;
      at(now_ns_ + ns, [this, n] { resume(n); });
    }
  }

  void resume(std::size_t n) {
    if (!node_[n].process || node_[n].paused_until_ns > now_ns_) {
      return;
    }
    // It may speak before it hears anything: that is what fencing is for.
    if (dice_.chance(500)) {
      append(n, *node_[n].process);
      work(n, *node_[n].process);
    }
    auto inbox = std::exchange(node_[n].inbox, {});
    for (auto& one : inbox) {
      one();
    }
  }

  // Turns.

  void turn(std::size_t n) {
    if (!is_awake(n)) {
      return;
    }
    Process& process = *node_[n].process;
    while (auto answer = process.store->take()) {
      tamper(n, *answer);
      process.member->on_answer(*answer, now_ns_);
      carry_out(n, process);
    }
    if (process.member->deadline_ns() <= now_ns_) {
      process.member->on_time(now_ns_);
      carry_out(n, process);
    }
    work(n, process);
    plan_wake(n, process);
  }

  void plan_wake(std::size_t n, Process& process) {
    std::int64_t next_ns = process.member->deadline_ns();
    next_ns =
        std::min(next_ns, process.epoch != 0 ? now_ns_ + 3 * ns_per_ms : now_ns_ + 50 * ns_per_ms);
    std::int64_t& planned = planned_ns_[n];
    if (planned <= now_ns_ || planned > next_ns) {
      planned = std::max(next_ns, now_ns_ + 1);
      at(planned, [] {});
    }
  }

  void tamper(std::size_t n, replication::Answer& answer) {
    if (answer.revision == 0) {
      return;
    }
    if (plan_.plant == Plant::PromoteWithoutSet && !answer.entry.has_in_sync(node_[n].name) &&
        !answer.entry.primary.empty()) {
      answer.entry.in_sync.push_back(node_[n].name);
      std::ranges::sort(answer.entry.in_sync);
    }
    if (plan_.plant == Plant::BelieveOldEpoch && answer.entry.epoch > 1 &&
        answer.entry.primary != node_[n].name) {
      --answer.entry.epoch;
    }
  }

  /// The data plane of one node.
  void work(std::size_t n, Process& process) {
    if (process.epoch == 0) {
      watch_primary(n, process);
      return;
    }
    if (process.takes_input && now_ns_ >= append_at_ns_[n]) {
      append_at_ns_[n] = now_ns_ + dice_.between(1, 6) * ns_per_ms;
      append(n, process);
    }
    for (std::size_t other = 0; other < nodes; ++other) {
      if (other != n) {
        tend_link(n, process, other);
      }
    }
    obey_gate(n, process);
    release(n, process);
    report(n, process);
  }

  void append(std::size_t n, Process& process) {
    if (process.epoch != 0) {
      node_[n].log.push_back({++last_content_, process.epoch});
    }
  }

  static constexpr std::int64_t beat_ns = 100 * ns_per_ms;

  void watch_primary(std::size_t n, Process& process) {
    if (process.connection != 0 && now_ns_ - process.heard_ns > 3 * beat_ns) {
      lose_primary(n, process);
    }
  }

  void lose_primary(std::size_t n, Process& process) {
    process.connection = 0;
    news(n, process, replication::NewsKind::PrimaryGone, process.followed_epoch);
  }

  void news(std::size_t n, Process& process, replication::NewsKind kind, std::uint64_t epoch) {
    process.member->on_news(kind, epoch, now_ns_);
    carry_out(n, process);
  }

  static std::size_t bit_of(std::size_t n, std::size_t other) {
    return other < n ? other : other - 1;
  }

  static StandbyMask mask_of(std::size_t n, std::size_t other) {
    return StandbyMask{1} << bit_of(n, other);
  }

  void tend_link(std::size_t n, Process& process, std::size_t other) {
    Link& link = process.links[other];
    const Log& log = node_[n].log;
    if (link.connection != 0 && now_ns_ - link.heard_ns > 3 * beat_ns) {
      link = {.acknowledged = link.acknowledged,
              .owes_since_ns = link.owes_since_ns,
              .dial_at_ns = now_ns_};
    }
    if (link.connection == 0) {
      if (now_ns_ >= link.dial_at_ns) {
        dial(n, process, other);
      }
      return;
    }
    if (link.waits_for_gate && (process.gate & mask_of(n, other)) == 0) {
      begin(n, process, other, std::exchange(link.theirs, {}), /*from_history=*/true);
    }
    const std::size_t on_the_way = link.sent - std::min(link.sent, link.acknowledged);
    if (link.is_live && on_the_way < 24 && (link.sent < log.size() || dice_.chance(20))) {
      const std::uint64_t connection = link.connection;
      const std::size_t from = link.sent;
      link.sent = std::min(log.size(), from + 12);
      std::vector<Item> items(log.begin() + static_cast<std::ptrdiff_t>(from),
                              log.begin() + static_cast<std::ptrdiff_t>(link.sent));
      if (link.owes_since_ns == 0 && link.acknowledged < link.sent) {
        link.owes_since_ns = now_ns_;
      }
      send(n, other, [this, n, other, connection, from, items](Process& at_other) {
        receive(n, other, at_other, connection, from, items);
      });
    }
  }

  void dial(std::size_t n, Process& process, std::size_t other) {
    Link& link = process.links[other];
    link.connection = ++last_connection_;
    link.is_live = false;
    link.waits_for_gate = false;
    link.heard_ns = now_ns_;
    const std::uint64_t connection = link.connection;
    const std::uint64_t epoch = process.epoch;
    send(n, other, [this, n, other, connection, epoch](Process& at_other) {
      accept(n, other, at_other, connection, epoch);
    });
  }

  /// At the standby.
  void accept(std::size_t from, std::size_t n, Process& process, std::uint64_t connection,
              std::uint64_t epoch) {
    const std::uint64_t known =
        plan_.plant == Plant::ForgetPromise
            ? 0
            : std::max({node_[n].promised, process.member->epoch(), process.epoch});
    if (epoch < known) {
      send(n, from, [this, from, n, connection, known](Process& primary) {
        Link& link = primary.links[n];
        if (link.connection == connection) {
          link = {.acknowledged = link.acknowledged,
                  .owes_since_ns = link.owes_since_ns,
                  .dial_at_ns = now_ns_ + 20 * ns_per_ms};
          primary.fenced = std::max(primary.fenced, known);
          note(from, "is refused by " + node_[n].name + " for epoch " + std::to_string(known));
        }
      });
      return;
    }
    const bool forgets = plan_.plant == Plant::ForgetPromise && process.epoch > epoch;
    const bool follows = process.epoch == 0 && process.followed == node_[from].name &&
                         (process.followed_epoch == epoch || plan_.plant == Plant::BelieveOldEpoch);
    if (!follows && !forgets) {
      if (epoch > std::max(process.followed_epoch, process.epoch)) {
        news(n, process, replication::NewsKind::HigherEpoch, epoch);
      }
      return;
    }
    process.connection = connection;
    process.peer = from;
    process.heard_ns = now_ns_;
    process.is_synced = false;
    news(n, process, replication::NewsKind::Connected, process.followed_epoch);
    Log mine = node_[n].log;
    if (forgets) {
      mine.resize(
          std::min(mine.size(), process.led_from));  // Its copy, which nobody keeps any more.
    }
    send(n, from, [this, from, n, connection, mine](Process& primary) {
      Link& link = primary.links[n];
      if (link.connection != connection || primary.epoch == 0) {
        return;
      }
      link.heard_ns = now_ns_;
      const std::size_t common = common_prefix(mine, node_[from].log);
      // Its records must be cut, or it lacks more than the backlog keeps: history.
      const bool from_history = common < mine.size() || common + 40 < node_[from].log.size();
      if (from_history && ((primary.gate | primary.gate_asked) & mask_of(from, n)) != 0) {
        link.waits_for_gate = true;
        link.theirs = mine;
        link.acknowledged = std::min(link.acknowledged, common);
      } else {
        begin(from, primary, n, mine, from_history);
      }
    });
  }

  static std::size_t common_prefix(const Log& left, const Log& right) {
    return static_cast<std::size_t>(std::ranges::mismatch(left, right).in1 - left.begin());
  }

  void begin(std::size_t n, Process& process, std::size_t other, const Log& theirs,
             bool from_history) {
    Link& link = process.links[other];
    link.waits_for_gate = false;
    link.is_live = true;
    link.sent = common_prefix(theirs, node_[n].log);
    link.acknowledged = link.sent;
    link.owes_since_ns = link.acknowledged < node_[n].log.size() ? now_ns_ : 0;
    const std::uint64_t connection = link.connection;
    const std::size_t from = link.sent;
    send(n, other, [this, other, connection, from, from_history](Process& standby) {
      if (standby.connection != connection || standby.epoch != 0) {
        return;
      }
      standby.heard_ns = now_ns_;
      if (from_history) {
        news(other, standby, replication::NewsKind::OutOfSync, standby.followed_epoch);
        node_[other].is_doubtful = true;
      }
      node_[other].log.resize(std::min(node_[other].log.size(), from));
    });
  }

  /// At the standby: items, or a beat.
  void receive(std::size_t from, std::size_t n, Process& process, std::uint64_t connection,
               std::size_t place, const std::vector<Item>& items) {
    if (process.connection != connection) {
      return;
    }
    if (process.epoch != 0) {
      if (plan_.plant == Plant::ForgetPromise) {
        const std::size_t end = place + items.size();
        send(n, from, [this, n, connection, end](Process& primary) {
          Link& link = primary.links[n];
          if (link.connection == connection && link.is_live) {
            link.heard_ns = now_ns_;
            link.acknowledged = std::max(link.acknowledged, end);
            link.owes_since_ns = 0;
          }
        });
      }
      return;
    }
    // A promise ends the connection of a lower epoch.
    if (plan_.plant != Plant::ForgetPromise && node_[n].promised > process.followed_epoch) {
      const std::uint64_t known = node_[n].promised;
      process.connection = 0;
      send(n, from, [n, connection, known](Process& primary) {
        if (primary.links[n].connection == connection) {
          primary.fenced = std::max(primary.fenced, known);
        }
      });
      return;
    }
    process.heard_ns = now_ns_;
    Log& log = node_[n].log;
    if (place == log.size()) {
      log.insert(log.end(), items.begin(), items.end());
    }
    if (!process.is_synced && place <= log.size()) {
      process.is_synced = true;
      node_[n].is_doubtful = false;
      news(n, process, replication::NewsKind::InSync, process.followed_epoch);
    }
    const std::size_t has = log.size();
    const bool is_gap = place > has;  // What was lost on a cut line is sent again.
    send(n, from, [this, n, connection, has, is_gap](Process& primary) {
      Link& link = primary.links[n];
      if (link.connection == connection && link.is_live) {
        link.heard_ns = now_ns_;
        link.acknowledged = std::max(link.acknowledged, has);
        link.sent = is_gap ? has : link.sent;
        link.owes_since_ns = link.acknowledged < link.sent ? now_ns_ : 0;
      }
    });
  }

  void obey_gate(std::size_t n, Process& process) {
    if (process.gate != process.gate_asked) {
      const StandbyMask left = process.gate & ~process.gate_asked;
      process.covered &= ~left;
      StandbyMask asked = process.gate_asked;
      if (plan_.plant == Plant::GateAfterSet) {
        const auto entry = store_.entry("g");
        for (std::size_t other = 0; other < nodes; ++other) {
          if (other != n && !(entry && entry->has_in_sync(node_[other].name))) {
            asked &= ~mask_of(n, other);
          }
        }
      }
      process.gate = asked;
    }
  }

  /// Everything that the gate lets pass is seen outside.
  void release(std::size_t n, Process& process) {
    const Log& log = node_[n].log;
    std::size_t may = log.size();
    for (std::size_t other = 0; other < nodes && plan_.mode == Mode::BeforeSend; ++other) {
      if (other == n || (process.gate & mask_of(n, other)) == 0) {
        continue;
      }
      const Link& link = process.links[other];
      if (plan_.plant == Plant::AloneWithoutTransaction && is_late(process, other)) {
        continue;
      }
      may = std::min(may, link.acknowledged);
    }
    const bool may_speak =
        process.output.output == replication::Output::Passes &&
        (now_ns_ < process.output.speak_until_ns || plan_.plant == Plant::IgnoreLease);
    const bool ignores = plan_.plant == Plant::IgnoreLease &&
                         process.output.output == replication::Output::HeldByLease;
    const bool speaks = (may_speak || ignores) && process.fenced <= process.epoch;
    for (; speaks && process.released < may; ++process.released) {
      show(n, process.epoch, process.released, log[process.released]);
    }
    cover(n, process);
  }

  void cover(std::size_t n, Process& process) {
    for (std::size_t other = 0; other < nodes; ++other) {
      const StandbyMask one = other == n ? 0 : mask_of(n, other);
      const bool has = process.links[other].acknowledged >= process.released ||
                       plan_.plant == Plant::CoveredTooEarly;
      if ((process.gate & one) != 0 && process.links[other].is_live && has) {
        process.covered |= one;
      }
    }
    if (plan_.plant == Plant::GateAfterSet) {
      process.covered |= process.gate_asked;
    }
  }

  bool is_late(const Process& process, std::size_t other) const {
    const Link& link = process.links[other];
    return link.waits_for_gate || !link.is_live ||
           (link.owes_since_ns != 0 && now_ns_ - link.owes_since_ns > 50 * ns_per_ms);
  }

  void report(std::size_t n, Process& process) {
    replication::ShipperState state{.epoch = process.epoch, .fenced_epoch = process.fenced};
    for (std::size_t other = 0; other < nodes; ++other) {
      if (other == n) {
        continue;
      }
      const Link& link = process.links[other];
      const StandbyMask one = mask_of(n, other);
      state.late |= is_late(process, other) ? one : 0;
      state.connected |= link.is_live || link.waits_for_gate ? one : 0;
      const bool near = link.is_live && (link.acknowledged + 10 >= node_[n].log.size() ||
                                         plan_.plant == Plant::CoveredTooEarly);
      state.caught_up |= near ? one : 0;
      const bool all = link.is_live && link.acknowledged == node_[n].log.size();
      state.everything |= all && !process.takes_input ? one : 0;
    }
    state.covered = process.covered;
    if (state != process.told) {
      process.told = state;
      process.member->on_shippers(state, now_ns_);
      carry_out(n, process);
    }
  }

  // Actions.

  void carry_out(std::size_t n, Process& process) {
    while (auto action = process.member->take()) {
      std::visit([&](const auto& one) { act(n, process, one); }, *action);
    }
  }

  void act(std::size_t n, Process& process, const replication::Ask& ask) {
    const auto& request = ask.request;
    note(n, std::string("asks to ") + replication::to_text(request.kind) + " " +
                entry_text(request.entry) + " at " + std::to_string(request.expected_revision));
    process.store->ask(request);
  }

  void act(std::size_t n, Process& process, const replication::Follow& follow) {
    note(n, "follows " + follow.primary + " in epoch " + std::to_string(follow.epoch));
    process.followed = follow.primary;
    process.followed_epoch = follow.epoch;
    process.connection = 0;
  }

  void act(std::size_t n, Process& /*process*/, const replication::Promise& promise) {
    note(n, "promises " + std::to_string(promise.epoch));
    const std::uint64_t epoch = promise.epoch;
    const bool is_lost = dice_.chance(20);
    if (!is_quiet_ && dice_.chance(200)) {
      // Its promise outlives it, and ends the reign of a primary that nobody has replaced.
      at(now_ns_ + dice_.between(1, 6) * ns_per_ms, [this, n] { kill(n, false); });
    }
    post(n, dice_.between(1, 8) * ns_per_ms / 4, [this, n, epoch, is_lost](Process& now) {
      if (is_lost) {
        now.member->on_promise_failed(now_ns_);
      } else {
        node_[n].promised = std::max(node_[n].promised, epoch);
        now.member->on_promised(epoch, now_ns_);
      }
      carry_out(n, now);
    });
  }

  void act(std::size_t n, Process& process, const replication::Lead& lead) {
    const bool is_raise = process.epoch != 0;
    ++(is_raise ? tally_.raises : tally_.promotions);
    note(n, "leads in epoch " + std::to_string(lead.epoch));
    check_lead(n, lead.epoch);
    node_[n].is_doubtful = false;
    process.epoch = lead.epoch;
    process.led_from = node_[n].log.size();
    process.takes_input = true;
    process.gate = process.gate_asked;
    process.covered = 0;
    process.fenced = 0;
    process.links = {};
    process.connection = 0;
    process.told = {};
    process.released = std::min(process.released, node_[n].log.size());
    if (!is_raise) {
      process.released = 0;
    }
    node_[n].log.push_back({++last_content_, lead.epoch});
  }

  void act(std::size_t n, Process& process, const replication::StepDown& /*step*/) {
    ++tally_.step_downs;
    note(n, "steps down");
    process.epoch = 0;
    process.takes_input = false;
    for (Link& link : process.links) {
      link = {};
    }
  }

  void act(std::size_t n, Process& process, const replication::SetGate& gate) {
    note(n, "has the gate " + std::to_string(gate.nodes));
    process.gate_asked = gate.nodes;
  }

  void act(std::size_t n, Process& process, const replication::SetOutput& output) {
    if (output.output != process.output.output) {
      note(n, std::string("output ") + replication::to_text(output.output));
    }
    process.output = output;
  }

  void act(std::size_t n, Process& process, const replication::StopInput& /*stop*/) {
    note(n, "stops input");
    process.takes_input = false;
  }

  void act(std::size_t n, Process& process, const replication::ResumeInput& /*resume*/) {
    note(n, "resumes input");
    process.takes_input = true;
  }

  void act(std::size_t n, Process& /*process*/, const replication::Alarm& alarm) {
    note(n, std::string("alarm: ") + replication::to_text(alarm.kind));
    tally_.hand_overs_given_up += alarm.kind == replication::AlarmKind::HandOverGivenUp ? 1 : 0;
    if (alarm.kind == replication::AlarmKind::LossAccepted && loss_accepted_by_ != n) {
      break_rule("a loss was accepted without an operator");
    }
  }

  // Trouble.

  void trouble() {
    const std::size_t n = dice_.below(nodes);
    const std::size_t other = (n + 1 + dice_.below(nodes - 1)) % nodes;
    switch (dice_.below(14)) {
      case 0:
      case 1:
        kill(n, plan_.has_power_losses && dice_.chance(300));
        break;
      case 2:
        pause(n);
        break;
      case 3:
        is_cut_[n][other] = is_cut_[other][n] = true;
        note(n, "is cut off from " + node_[other].name);
        break;
      case 4:
      case 5:
        is_cut_ = {};
        break;
      case 6:
        store_.set_reachable(node_[n].name, false);
        note(n, "cannot reach the store");
        break;
      case 7:
      case 8:
        reach_store();
        break;
      case 9:
        store_.set_running(dice_.chance(600));
        break;
      case 10:
        store_.faults = dice_.chance(400) ? testing::ElectionFaults{} : bad_store();
        break;
      case 11:
        for (std::size_t at = 0; at < nodes; ++at) {
          wish(at);
        }
        break;
      case 12:
        is_cut_[n][other] = true;  // One way only.
        break;
      default:
        isolate(n);
        break;
    }
  }

  /// Its network is gone, all of it.
  void isolate(std::size_t n) {
    note(n, "is isolated");
    for (std::size_t other = 0; other < nodes; ++other) {
      is_cut_[n][other] = is_cut_[other][n] = true;
    }
    store_.set_reachable(node_[n].name, false);
  }

  void reach_store() {
    store_.set_running(true);
    for (const Node& node : node_) {
      store_.set_reachable(node.name, true);
    }
  }

  static testing::ElectionFaults bad_store() {
    return {.delay_max_ns = 8 * ns_per_ms,
            .refused = 50,
            .lost_requests = 60,
            .lost_answers = 100,
            .late_requests = 150,
            .late_max_ns = 300 * ns_per_ms};
  }

  void wish(std::size_t n) {
    if (!is_awake(n)) {
      return;
    }
    Process& process = *node_[n].process;
    if (dice_.chance(500)) {
      if (process.member->hand_over({}, now_ns_) == replication::WishAnswer::Begun) {
        ++tally_.hand_overs;
        note(n, "is asked to hand over");
      }
    } else if (dice_.chance(700)) {
      static_cast<void>(process.member->promote(replication::Loss::Refused, now_ns_));
    }
    carry_out(n, process);
  }

  void heal() {
    is_quiet_ = true;
    is_cut_ = {};
    reach_store();
    store_.faults = {};
    for (std::size_t n = 0; n < nodes; ++n) {
      if (!node_[n].process) {
        start(n);
      }
    }
    advance(2 * ns_per_second);
    accept_loss_if_needed();
    advance(4 * ns_per_second);
  }

  /// If every node of the set has lost power, an operator must decide.
  void accept_loss_if_needed() {
    const auto entry = store_.entry("g");
    bool is_stuck = entry.has_value() && broken_.empty();
    for (std::size_t n = 0; n < nodes; ++n) {
      const bool may = entry && entry->has_in_sync(node_[n].name) && !node_[n].is_doubtful;
      is_stuck = is_stuck && !may && node_[n].process->epoch == 0;
    }
    if (!is_stuck) {
      return;
    }
    const std::size_t n = static_cast<std::size_t>(
        std::ranges::max_element(node_, {}, [](const Node& node) { return node.log.size(); }) -
        node_.begin());
    loss_accepted_by_ = n;
    note(n, "is told to lead with losses");
    if (node_[n].process->member->promote(replication::Loss::Accepted, now_ns_) !=
        replication::WishAnswer::Begun) {
      break_rule("an operator could not accept a loss");
    }
    ++tally_.accepted_losses;
    carry_out(n, *node_[n].process);
  }

  // Rules.

  void break_rule(std::string rule) {
    if (broken_.empty()) {
      broken_ = std::move(rule);
      note(0, "BROKEN: " + broken_);
    }
  }

  void check_write(const Entry& before, const Entry& after) {
    note(0, "the store has " + entry_text(after));
    if (after.epoch < before.epoch ||
        (after.epoch == before.epoch && after.primary != before.primary)) {
      break_rule("an epoch came twice, or went back");
    }
    const bool is_promotion = after.epoch > before.epoch;
    const bool is_loss = loss_accepted_by_ && node_[*loss_accepted_by_].name == after.primary;
    if (is_promotion && before.epoch != 0 && !before.has_in_sync(after.primary) && !is_loss) {
      break_rule("a node was promoted that was not in the set");
    }
  }

  void check_lead(std::size_t n, std::uint64_t epoch) {
    if (epoch <= last_led_) {
      break_rule("an epoch was led twice, or after a greater one: " + std::to_string(epoch));
    }
    last_led_ = epoch;
    if (plan_.mode == Mode::Async) {
      return;
    }
    const Log& log = node_[n].log;
    const bool is_loss = loss_accepted_by_ == n;
    if (is_loss) {
      shown_.resize(std::min(shown_.size(), common_prefix(shown_, log)));
    }
    if (common_prefix(shown_, log) < shown_.size()) {
      break_rule("node " + node_[n].name + " leads without something that was shown outside");
    }
  }

  void show(std::size_t n, std::uint64_t epoch, std::size_t place, const Item& item) {
    tally_.shown = std::max(tally_.shown, place + 1);
    if (plan_.mode == Mode::Async) {
      // Content may be lost; but never do two speak at once.
      if (epoch < shown_epoch_) {
        break_rule("node " + node_[n].name + " spoke after one of a higher epoch");
      }
      shown_epoch_ = epoch;
      return;
    }
    if (place < shown_.size()) {
      if (shown_[place] != item) {
        break_rule("node " + node_[n].name + " showed another content at place " +
                   std::to_string(place));
      }
      return;
    }
    if (epoch < shown_epoch_) {
      break_rule("node " + node_[n].name + " spoke after one of a higher epoch");
    }
    shown_epoch_ = epoch;
    shown_.push_back(item);
  }

  /// Everything is well again: somebody leads, all are in the set, everything is released, and all
  /// have the same.
  void check_progress() {
    std::size_t leaders = 0;
    for (std::size_t n = 0; n < nodes; ++n) {
      const Process& process = *node_[n].process;
      if (process.epoch == 0) {
        continue;
      }
      ++leaders;
      const auto entry = store_.entry("g");
      if (!entry || entry->primary != node_[n].name || entry->in_sync.size() != nodes) {
        break_rule("the set is not whole again: " + (entry ? entry_text(*entry) : "none"));
        describe(n);
      }
      if (process.released + 20 < node_[n].log.size()) {
        break_rule("output is still held");
      }
    }
    if (leaders != 1) {
      std::string why = std::to_string(leaders) + " nodes lead:";
      for (const Node& node : node_) {
        why +=
            " " + node.name + " " + replication::to_text(node.process->member->why_standby()) + ";";
      }
      break_rule(why);
    }
  }

  // Words.

  void describe(std::size_t n) {
    const Process& process = *node_[n].process;
    for (std::size_t other = 0; other < nodes; ++other) {
      const Link& link = process.links[other];
      const Process& standby = *node_[other].process;
      note(other, "connection " + std::to_string(link.connection) + " live " +
                      std::to_string(link.is_live) + " waits " +
                      std::to_string(link.waits_for_gate) + " has " +
                      std::to_string(link.acknowledged) + " of " +
                      std::to_string(node_[n].log.size()) + "; follows " + standby.followed +
                      " in " + std::to_string(standby.followed_epoch) + ", connection " +
                      std::to_string(standby.connection) + ", promised " +
                      std::to_string(node_[other].promised) + ", paused until " +
                      std::to_string(node_[other].paused_until_ns / base::ns_per_us));
    }
    note(n, "gate " + std::to_string(process.gate) + " covered " + std::to_string(process.covered) +
                " fenced " + std::to_string(process.fenced));
  }

  static std::string entry_text(const Entry& entry) {
    std::string text = std::to_string(entry.epoch) + " " + entry.primary + " {";
    for (const std::string& node : entry.in_sync) {
      text += node;
    }
    return text + "}";
  }

  void note(std::size_t n, std::string what) {
    trace_.push_back(std::to_string(now_ns_ / base::ns_per_us) + " us " + node_[n].name + " " +
                     std::move(what));
  }

  Plan plan_;
  simulation::Dice dice_;
  testing::ElectionRegister store_;
  std::array<Node, nodes> node_;
  std::array<std::array<bool, nodes>, nodes> is_cut_{};
  std::array<std::array<std::int64_t, nodes>, nodes> arrives_ns_{};
  std::array<std::int64_t, nodes> planned_ns_{};
  std::array<std::int64_t, nodes> append_at_ns_{};
  std::map<std::pair<std::int64_t, std::uint64_t>, std::function<void()>> events_;
  std::int64_t now_ns_ = 1;
  std::uint64_t last_event_ = 0;
  std::uint64_t last_content_ = 0;
  std::uint64_t last_connection_ = 0;
  std::uint64_t last_led_ = 0;
  std::uint64_t shown_epoch_ = 0;
  Log shown_;
  std::optional<std::size_t> loss_accepted_by_;
  bool is_quiet_ = false;
  Tally tally_;
  std::string broken_;
  std::vector<std::string> trace_;
};

}  // namespace affix::support::election
