// SPDX-License-Identifier: MIT
// Makes counters of a group's standing.
#include "engine/failover_meter.hpp"

#include <algorithm>
#include <string>

namespace affix::inline v0::engine {

namespace {

using counters::FailoverCounter;
using counters::FailoverRole;
using counters::StandbyCounter;

FailoverRole role_of(replication::Role role) noexcept {
  switch (role) {
    case replication::Role::Standby:
      break;
    case replication::Role::Leading:
      return FailoverRole::Primary;
    case replication::Role::HandingOver:
      return FailoverRole::HandingOver;
  }
  return FailoverRole::Standby;
}

bool answers(replication::Outcome store) noexcept {
  return store == replication::Outcome::Done || store == replication::Outcome::Conflict;
}

void show_standby(counters::StandbyCounters& counters, const StandbyStanding& standby) noexcept {
  counters.name.set(standby.node);
  counters[StandbyCounter::Connected].set(standby.connected ? 1 : 0);
  counters[StandbyCounter::InGate].set(standby.in_gate ? 1 : 0);
  counters[StandbyCounter::Late].set(standby.late ? 1 : 0);
  counters[StandbyCounter::LagBytes].set(standby.lag_bytes);
  counters[StandbyCounter::LagTime].set(static_cast<std::uint64_t>(standby.lag_ns));
}

}  // namespace

void FailoverMeter::leads(base::Now now) noexcept {
  counters_[FailoverCounter::Promotions].add();
  counters_[FailoverCounter::LeadingSince].set(static_cast<std::uint64_t>(now.utc_ns));
  counters_[FailoverCounter::LastTakeOver].set(
      began_ns_ == 0
          ? 0
          : static_cast<std::uint64_t>(std::max<std::int64_t>(now.steady_ns - began_ns_, 1)));
  began_ns_ = 0;
}

void FailoverMeter::ends(LeadEnd how) noexcept {
  counters_[how == LeadEnd::HandedOver ? FailoverCounter::HandOvers : FailoverCounter::StepDowns]
      .add();
  counters_[FailoverCounter::LeadingSince].set(0);
}

void FailoverMeter::show(const FailoverStanding& group) noexcept {
  const replication::Standing& standing = group.standing;
  const bool leads = standing.role != replication::Role::Standby;
  std::string in_sync;
  for (const std::string& node : standing.in_sync) {
    in_sync += (in_sync.empty() ? "" : ",") + node;
  }
  const std::uint64_t version = counters_.version.load(std::memory_order_relaxed);
  counters_.version.store(version + 1, std::memory_order_relaxed);
  // Later writes are not visible before the odd version.
  std::atomic_thread_fence(std::memory_order_release);
  counters_.primary.set(standing.primary);
  counters_.in_sync.set(in_sync);
  counters_[FailoverCounter::Role].set(static_cast<std::uint64_t>(role_of(standing.role)));
  counters_[FailoverCounter::Epoch].set(standing.epoch);
  counters_[FailoverCounter::InSync].set(standing.in_sync.size());
  counters_[FailoverCounter::Alone].set(is_alone(standing) ? 1 : 0);
  counters_[FailoverCounter::OutputHeld].set(
      leads && standing.output != replication::Output::Passes ? 1 : 0);
  counters_[FailoverCounter::StoreSilent].set(answers(standing.store) ? 0 : 1);
  for (std::size_t number = 0; number < counters_.standbys.size(); ++number) {
    show_standby(counters_.standbys[number],
                 number < group.standbys.size() ? group.standbys[number] : StandbyStanding());
  }
  counters_.version.store(version + 2, std::memory_order_release);
}

}  // namespace affix::inline v0::engine
