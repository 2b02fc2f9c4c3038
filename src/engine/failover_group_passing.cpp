// SPDX-License-Identifier: MIT
// Connections that go on when a group is handed over to another node of this machine: put into the
// keeper of both before that one leads, taken from there when it does. Nobody's connections stay in
// the keeper for long: their peers would wait there for an answer.
#include "engine/failover_group.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Time for which a hand-over waits for output to leave; a connection whose peer does not read is
/// cut.
constexpr std::int64_t output_patience_ns = 100 * base::ns_per_ms;

/// Between two questions of a next primary whether the former one has left its connections.
constexpr std::int64_t between_asks_ns = 2 * base::ns_per_ms;

/// After this time a next primary that lives has taken them; and between two looks while somebody
/// is at it.
constexpr std::int64_t left_look_after_ns = 500 * base::ns_per_ms;

/// Looks at connections that somebody is at, before they are left to the keeper's own time.
constexpr int left_looks_max = 120;

}  // namespace

// --- The one that hands over ---

/// True: the next primary is not to have everything yet, as the connections are not in the keeper.
bool FailoverGroup::must_pass_first(const replication::ShipperState& state, base::Now now) {
  if (pass_stage_ == PassStage::Due) {
    const auto next = std::ranges::find(others_, next_, &replication::Node::name);
    const auto bit = replication::StandbyMask{1} << (next - others_.begin());
    if ((state.everything & bit) != 0) {
      begin_to_pass(now);
    }
  }
  return pass_stage_ == PassStage::Due || (pass_stage_ == PassStage::Begun && !passing_->is_done());
}

void FailoverGroup::begin_to_pass(base::Now now) {
  pass_stage_ = PassStage::None;
  auto place = node_.keeper->pass_to(next_, settings_.name,
                                     node_.registrar.journals_of_group(settings_.name).size());
  if (place == nullptr) {
    return;
  }
  pass_stage_ = PassStage::Begun;
  passing_ = std::make_shared<Passing>(std::move(place), parts_.size(),
                                       now.steady_ns + output_patience_ns, node_.control);
  for (const Part& part : parts_) {
    auto change = std::make_unique<WorkerChange>();
    change->passes.push_back({part.led, passing_});
    node_.workers[part.worker]->post(std::move(change));
  }
}

/// The workers take them back when they see that input goes on.
void FailoverGroup::take_connections_back() {
  pass_stage_ = PassStage::None;
  if (passing_ != nullptr) {
    taken_back_ = passing_->to();
    passing_.reset();
  }
}

void FailoverGroup::leave_connections(base::Now now) {
  pass_stage_ = PassStage::None;
  const std::shared_ptr<Passing> passing = std::exchange(passing_, nullptr);
  const std::size_t count = passing != nullptr ? passing->connections() : 0;
  report(host::Event::Severity::Warning,
         count == 0 ? std::string("does not lead any more: its sessions are cut")
                    : "does not lead any more: " + std::to_string(count) +
                          " connections go on at node " + next_ + ", and the others are cut",
         "E306", host::FailoverNotice::Kind::SteppedDown);
  if (passing != nullptr) {
    look_at_left(next_, now);
  }
}

// --- The one that takes them ---

/// The former primary leaves its connections when it sees that it does not lead any more, which may
/// be a little later than here. True: they are to be asked for again at ask_ns_.
bool FailoverGroup::await_passed(base::Now now) {
  if (node_.keeper == nullptr || !lead_) {
    return false;
  }
  SharedKeeper::Taken taken = node_.keeper->take(settings_.name);
  passed_ = std::move(taken.connections);
  if (!taken.busy || now.steady_ns >= ask_until_ns_) {
    return false;
  }
  ask_ns_ = now.steady_ns + between_asks_ns;
  return true;
}

void FailoverGroup::close_untaken(KeptConnections& passed) {
  for (const std::string& text : passed.take_reports()) {
    report(host::Event::Severity::Warning, text, "K301");
  }
  for (const std::string& name : passed.close_left()) {
    report(host::Event::Severity::Warning,
           "the connection of another node is closed: there is no session " + name +
               " that could continue it",
           "K301");
  }
}

// --- Afterwards ---

void FailoverGroup::look_at_left(std::string_view node, base::Now now) {
  if (node_.keeper == nullptr) {
    return;
  }
  std::erase_if(left_looks_, [node](const LeftLook& look) { return look.node == node; });
  left_looks_.push_back({.node = std::string(node), .at_ns = now.steady_ns + left_look_after_ns});
}

void FailoverGroup::look_after_connections(base::Now now) {
  if (taken_back_ != nullptr) {
    taken_back_->repeat_delayed();
    if (taken_back_.use_count() == 1 && taken_back_->is_settled()) {
      taken_back_->drop_table();
      taken_back_.reset();
    }
  }
  std::erase_if(left_looks_, [&](LeftLook& look) {
    return look.at_ns <= now.steady_ns && look_once(look, now);
  });
}

/// True: it was the last one.
bool FailoverGroup::look_once(LeftLook& look, base::Now now) {
  look.at_ns = now.steady_ns + left_look_after_ns;
  if (++look.looks == left_looks_max) {
    return true;
  }
  if (look.node == node_.node && (lead_ || place_ == Place::Releasing)) {
    return false;  // It is about to take them.
  }
  const auto ended = node_.keeper->end_untaken(look.node, settings_.name);
  if (ended && *ended != 0) {
    report(host::Event::Severity::Warning,
           "node " + look.node + " has not taken " + std::to_string(*ended) +
               " connections that were passed on to it, so they are closed",
           "E312");
  }
  return ended.has_value();
}

}  // namespace affix::inline v0::engine
