// SPDX-License-Identifier: MIT
// Storms, quiet times and the rules that hold after them.
#include "simulation/world.hpp"

#include <algorithm>
#include <cstdio>
#include <malloc.h>

namespace affix::simulation {

namespace {

using testing::VirtualNetwork;

/// Maximum number of steps at one instant; more are a livelock.
constexpr std::uint64_t steps_in_instant_max = 50'000;

/// Memory of the whole process after a quiet time. Two engines take about five MiB.
constexpr std::size_t heap_bytes_max = std::size_t{64} * 1024 * 1024;

}  // namespace

World::World(const Plan& plan, const std::string& directory, Referee& referee)
    : plan_(plan),
      dice_(plan.seed ^ 0x5eed),
      referee_(referee),
      network_(plan.seed),
      to_venue_(referee, "firm to venue"),
      to_firm_(referee, "venue to firm"),
      venue_(plan_, Who::Venue, directory, dice_, referee, network_, to_firm_, to_venue_),
      firm_(plan_, Who::Firm, directory, dice_, referee, network_, to_venue_, to_firm_),
      strangers_(plan_, dice_, referee, network_),
      begin_ns_(network_.steady_ns()) {
  referee_.where = [this] {
    char text[64];
    const std::int64_t ns = network_.steady_ns() - begin_ns_;
    std::snprintf(text, sizeof text, "%8llu %12.6f", static_cast<unsigned long long>(steps_),
                  static_cast<double>(ns) / 1e9);
    return std::string(text);
  };
  network_.on_sent = [this](testing::NodeId from, testing::LinkId, std::string_view bytes) {
    if (referee_.tracing()) {
      std::string text(bytes);
      std::replace(text.begin(), text.end(), '\x01', '|');
      referee_.note(std::string(from == venue_.node() ? "venue" : "firm") + " > " + text);
    }
    party(from == venue_.node() ? Who::Venue : Who::Firm).die_here(bytes.size());
  };
  network_.on_taken = [this](testing::NodeId from, testing::LinkId link, std::string_view bytes) {
    const bool is_venue = from == venue_.node();
    party(is_venue ? Who::Venue : Who::Firm)
        .wire()
        .taken(static_cast<std::uint64_t>(link), bytes, is_venue ? "FIRM" : "VENUE");
  };
  venue_.peer = &firm_;
  firm_.peer = &venue_;
  venue_.start();
  firm_.start();
}

void World::run(std::uint64_t steps) {
  while (steps_ < steps && !referee_.violation()) {
    storm(std::min(plan_.calm_every, steps - steps_));
    if (!referee_.violation()) {
      calm();
    }
  }
  if (!referee_.violation()) {
    venue_.audit();
    firm_.audit();
  }
}

bool World::step_until(std::int64_t until_ns) {
  ++steps_;
  const bool more = network_.step(until_ns);
  if (network_.steady_ns() != instant_ns_) {
    instant_ns_ = network_.steady_ns();
    steps_in_instant_ = 0;
  } else {
    referee_.rule(++steps_in_instant_ < steps_in_instant_max,
                  [&] { return "livelock: no time passes; " + standing(); });
  }
  return more;
}

void World::storm(std::uint64_t steps) {
  const std::uint64_t end = steps_ + steps;
  next_act_ns_ = network_.steady_ns();
  venue_.quiet = firm_.quiet = false;
  while (steps_ < end && !referee_.violation()) {
    restart_due(Who::Venue);
    restart_due(Who::Firm);
    if (network_.steady_ns() >= next_act_ns_) {
      act();
      next_act_ns_ = network_.steady_ns() + dice_.between(0, 2 * plan_.act_interval_ns);
    }
    std::int64_t until = next_act_ns_;
    for (const Who who : {Who::Venue, Who::Firm}) {
      until = party(who).alive() ? until : std::min(until, restart_ns_[static_cast<int>(who)]);
    }
    step_until(until);
  }
}

void World::restart_due(Who who) {
  Party& one = party(who);
  std::int64_t& at = restart_ns_[static_cast<int>(who)];
  if (one.alive()) {
    return;
  }
  if (at == 0) {
    // It has died by itself, at an arbitrary point.
    const std::int64_t longest_ms = plan_.gentle ? 50 : 3'000;
    at =
        network_.steady_ns() + dice_.between(0, longest_ms) * base::ns_per_ms * dice_.between(0, 1);
  }
  if (at <= network_.steady_ns()) {
    at = 0;
    strangers_.make_room();
    one.start();
  }
}

void World::kill(Who who) {
  if (party(who).alive()) {
    party(who).kill();
    party(who).bury();
  }
}

// --- Acts ---

void World::act() {
  const std::size_t chosen = dice_.weighted(plan_.weights);
  const Who who = dice_.chance(500) ? Who::Venue : Who::Firm;
  act(static_cast<Act>(chosen), party(who), who);
}

void World::act(Act act, Party& one, Who who) {
  if (referee_.tracing()) {
    referee_.note("-- " + std::string(to_text(act)) + " (" + to_text(who) + ")");
  }
  switch (act) {
    case Act::Send:
      one.send(1 + static_cast<std::uint32_t>(dice_.below(plan_.burst_max)));
      break;
    case Act::Cut:
    case Act::Silence:
    case Act::Corrupt:
      harm_link(act);
      break;
    case Act::Kill:
      kill(who);
      break;
    case Act::ArmKill:
      one.arm_kill(1 + static_cast<std::uint32_t>(dice_.below(10)));
      break;
    case Act::StepClock:
      step_clock(who);
      break;
    case Act::Stall:
      network_.stall(one.node(), dice_.between(1, 3'000) * base::ns_per_ms);
      break;
    case Act::Conditions:
      change_conditions();
      break;
    case Act::RefuseConnect:
      change_connects();
      break;
    case Act::Reset:
      if (one.logged_on()) {
        one.reset(one.session());
      }
      break;
    case Act::Logout:
      // A firm that has logged out stays disconnected until it is commanded to connect.
      if (firm_.alive() && firm_.session().disconnected()) {
        firm_.session().connect();
      } else if (one.logged_on()) {
        one.session().logout("for now");
      }
      break;
    case Act::TestPeer:
      if (one.logged_on()) {
        one.session().test_peer();
      }
      break;
    case Act::Stranger:
      strangers_.act(venue_.alive() ? venue_.session().next_target_seq() : 1);
      break;
    case Act::LoseKeeper:
      one.lose_keeper();
      break;
  }
  for (Party* const each : {&venue_, &firm_}) {
    network_.wake(each->node());
    if (each->dead()) {
      each->bury();
    }
  }
}

void World::harm_link(Act act) {
  const std::vector<testing::LinkId> links = network_.links();
  if (links.empty()) {
    return;
  }
  const testing::LinkId link = links[dice_.below(links.size())];
  const auto some = [&](bool from_connector) {
    return dice_.below(network_.bytes_on_the_way(link, from_connector) + 1);
  };
  if (act == Act::Cut) {
    const std::uint64_t from_connector = some(true);
    network_.cut(link, from_connector, some(false));
  } else if (act == Act::Silence) {
    network_.silence(link);
  } else {
    // Two changes in one message might leave its checksum right, which no engine could detect.
    if (!corrupted_.insert(link).second) {
      return;
    }
    const bool from_connector = dice_.chance(500);
    static_cast<void>(network_.corrupt(link, from_connector, some(from_connector)));
  }
}

void World::step_clock(Who who) {
  std::int64_t& stepped = clock_steps_ns_[static_cast<int>(who)];
  // Nothing can be traded with a large difference, so half of the time the clock is corrected.
  const std::int64_t step =
      stepped != 0 && dice_.chance(500)
          ? -stepped
          : dice_.pick<std::int64_t>({-3'600, -119, -10, -1, 1, 10, 119, 3'600}) *
                base::ns_per_second;
  stepped += step;
  network_.step_utc(party(who).node(), step);
}

void World::change_conditions() {
  testing::LinkConditions& conditions = network_.conditions;
  if (plan_.gentle) {
    // No output waits so long that a session ends for it.
    conditions.delay_ns = dice_.pick<std::int64_t>({1'000, 100'000});
    conditions.jitter_ns = dice_.pick<std::int64_t>({0, 100'000});
    conditions.piece_bytes_max = dice_.pick({0U, 0U, 1U, 7U, 100U});
    conditions.window_bytes = dice_.pick<std::size_t>({256 * 1024, 4'096, 100});
    return;
  }
  conditions.delay_ns = dice_.pick<std::int64_t>({1'000, 100'000, 5'000'000, 200'000'000});
  conditions.jitter_ns = dice_.pick<std::int64_t>({0, 1'000'000, 100'000'000});
  conditions.piece_bytes_max = dice_.pick({0U, 0U, 1U, 7U, 100U});
  conditions.window_bytes = dice_.pick<std::size_t>({256 * 1024, 256 * 1024, 4'096, 100});
}

void World::change_connects() {
  const std::uint64_t how = dice_.below(4);
  network_.refuse_connects(how == 0);
  network_.ignore_connects(how == 1);
}

// --- Quiet ---

void World::heal() {
  network_.conditions = {};
  network_.refuse_connects(false);
  network_.ignore_connects(false);
  strangers_.leave();
  for (const Who who : {Who::Venue, Who::Firm}) {
    Party& one = party(who);
    one.quiet = true;
    one.arm_kill(0);
    network_.stall(one.node(), 0);
    network_.step_utc(one.node(), -std::exchange(clock_steps_ns_[static_cast<int>(who)], 0));
    if (!one.alive()) {
      restart_ns_[static_cast<int>(who)] = 0;
      one.start();
    }
    network_.wake(one.node());
  }
  if (firm_.alive()) {
    firm_.session().connect();
  }
}

bool World::agreed() const {
  if (!venue_.logged_on() || !firm_.logged_on()) {
    return false;
  }
  const host::SessionHandle venue = venue_.session();
  const host::SessionHandle firm = firm_.session();
  return venue.next_sender_seq() == firm.next_target_seq() &&
         firm.next_sender_seq() == venue.next_target_seq() && to_venue_.all_arrived() &&
         to_firm_.all_arrived();
}

std::uint64_t World::said() {
  return venue_.wire().messages() + firm_.wire().messages();
}

std::string World::standing() const {
  std::string text;
  for (const Party* const one : {&venue_, &firm_}) {
    text += one == &venue_ ? "venue " : ", firm ";
    if (!one->alive()) {
      text += "dead";
      continue;
    }
    text += (one->logged_on() ? "logged on, sends " : "not logged on, sends ") +
            std::to_string(one->session().next_sender_seq()) + ", expects " +
            std::to_string(one->session().next_target_seq());
  }
  return text;
}

void World::calm() {
  referee_.note("== quiet");
  heal();
  await_agreement();
  // A connection that fell silent may look like agreement until this is noticed.
  const std::int64_t noticed =
      network_.steady_ns() + (4 * plan_.heartbeat_seconds + 15) * base::ns_per_second;
  while (network_.steady_ns() < noticed && !referee_.violation()) {
    step_until(noticed);
  }
  await_agreement();
  to_venue_.check_all_arrived();
  to_firm_.check_all_arrived();
  referee_.rule(agreed(), [&] {
    return "no agreement " + std::to_string(plan_.longest_wait_seconds) +
           " s after the last fault: " + standing();
  });
  if (!referee_.violation()) {
    watch_quiet();
  }
}

void World::await_agreement() {
  // Two sides that miss thousands of messages and request one at a time need half a million.
  constexpr std::uint64_t said_max = 2'000'000;
  const std::uint64_t before = said();
  const std::int64_t end = network_.steady_ns() + plan_.longest_wait_seconds * base::ns_per_second;
  while (!agreed() && network_.steady_ns() < end && !referee_.violation()) {
    step_until(end);
    // A party may have logged out in the storm's last turn, and the logout may end only now.
    if (firm_.alive() && firm_.session().disconnected()) {
      firm_.session().connect();
      network_.wake(firm_.node());
    }
    referee_.rule(said() - before <= said_max, [&] {
      return "livelock: " + std::to_string(said() - before) +
             " messages after the last fault and no agreement; " + standing();
    });
  }
}

/// Without actions hardly anything is sent, and both still agree in the end.
void World::watch_quiet() {
  const std::int64_t span = 4 * plan_.heartbeat_seconds * base::ns_per_second;
  const std::uint64_t before = said();
  const std::int64_t end = network_.steady_ns() + span;
  constexpr std::uint64_t said_max = 40;  // Heartbeats of both, and TestRequests, with a margin.
  while (network_.steady_ns() < end && !referee_.violation()) {
    step_until(end);
    referee_.rule(said() - before <= said_max, [&] {
      return "livelock: " + std::to_string(said() - before) + " messages in a quiet time of " +
             std::to_string(4 * plan_.heartbeat_seconds) + " s; " + standing();
    });
  }
  for (int count = 0; count < 1'000 && !agreed() && !referee_.violation(); ++count) {
    step_until(end + base::ns_per_second);  // Heartbeats in transit.
  }
  referee_.rule(agreed(), [&] { return "the agreement did not last: " + standing(); });
  const std::size_t heap = mallinfo2().uordblks + mallinfo2().hblkhd;
  referee_.rule(heap < heap_bytes_max,
                [&] { return "memory grows: " + std::to_string(heap) + " bytes"; });
}

}  // namespace affix::simulation
