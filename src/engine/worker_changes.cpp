// SPDX-License-Identifier: MIT
// Sessions that come to a worker, leave, rest and change at run time. Other threads open and close
// journals; this file has the part that belongs to the turn.
#include "engine/worker.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <variant>

namespace affix::inline v0::engine {

// --- From other threads, and to them ---

void Worker::post(std::unique_ptr<WorkerChange> change) {
  changes_.post(std::move(change));
  waker().wake();
}

void Worker::take_changes() {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Change);
  for (const std::unique_ptr<WorkerChange>& change : changes_.take_posted()) {
    carry_out_change(*change);
  }
}

void Worker::carry_out_change(WorkerChange& change) {
  for (const Adjustment& adjustment : change.adjustments) {
    adjust(adjustment);
  }
  for (const Switch& wanted : change.switches) {
    switch_session(wanted);
  }
  for (Departure& departure : change.departures) {
    depart(departure);
  }
  for (Arrival& arrival : change.arrivals) {
    arrive(arrival);
  }
  for (const NewEpoch& epoch : change.epochs) {
    begin_epoch(epoch);
  }
  std::ranges::move(change.passes, std::back_inserter(failover_.passes));
  for (const FailoverReport& failover : change.reports) {
    report_failover(failover);
  }
}

void Worker::adjust(const Adjustment& adjustment) {
  SessionPlace* const place = place_of(adjustment.session);
  if (place != nullptr && place->leaving) {
    if (leaving_of(*place).departure.successor != nullptr) {
      place->afterwards.emplace_back(adjustment);  // Its successor must apply it.
      return;
    }
  } else if (place != nullptr) {
    place->session->apply(adjustment.settings);
  }
  adjustment.item.complete();
}

SessionPlace* Worker::place_of(host::SessionHandle session) noexcept {
  const host::HostedSession* const hosted = session.hosted();
  return hosted == nullptr ? nullptr : &places_[hosted->number()];
}

// --- Coming ---

void Worker::assign_buffers(host::HostedSession& session, host::BufferReservation buffers) {
  auto pool =
      std::ranges::find_if(buffer_pools_, [&](const std::unique_ptr<host::BufferPool>& one) {
        return one->sizes() == buffers.sizes();
      });
  if (pool == buffer_pools_.end()) {
    pool = buffer_pools_.insert(buffer_pools_.end(),
                                std::make_unique<host::BufferPool>(buffers.sizes()));
  }
  (*pool)->adopt(std::move(buffers));
  session.set_buffer_pool(**pool);
}

SessionPlace& Worker::place_session(Arrival& arrival) {
  const std::size_t number = places_.take();
  SessionPlace& place = places_[number];
  place.session = std::move(arrival.session);
  host::HostedSession& session = *place.session;
  session.set_number(number);
  assign_buffers(session, std::move(arrival.buffers));
  session.journal().watch_stalls(&journal_waits_);
  session.slot().attach(session);
  journals_.join(*session.roster_entry());
  place.left = std::move(arrival.left);
  if (arrival.led != nullptr) {
    join_group(place, std::move(arrival.led));
  }
  if (!session.settings().enabled) {
    set_enabled(place, false, {}, "its configuration");
  }
  if (arrival.of_template) {
    place.retirement = TemplateRetirement(arrival.retire_ns, now_.steady_ns);
  }
  if (arrival.client != nullptr) {
    place.dialing.client = std::move(arrival.client);
    place.dialing.dialer.emplace(std::vector<net::Address>(), place.dialing.client->pauses,
                                 std::hash<std::string>{}(session.identity()));
    take_addresses(place);
    place.dialing.dialer->set_open(session.may_log_on());
    place.dialing.dialer->set_wanted(place.enabled);
  }
  return place;
}

void Worker::take_in(Arrival arrival) {
  place_session(arrival);
}

/// Begins redelivery, and the first attempt to connect.
void Worker::begin(SessionPlace& place) noexcept {
  place.session->begin_redelivery();
  if (place.dialing.dialer && !place.session->connected()) {
    place.dialing.dialer->start(now_.steady_ns);
  }
  needs_attention(*place.session);
}

void Worker::arrive(Arrival& arrival) {
  const ChangeItem item = std::move(arrival.item);
  const std::function<void()> then = std::move(arrival.then);
  const SendingHolds* const holds = arrival.holds;
  SessionPlace& place = place_session(arrival);
  host::HostedSession& session = *place.session;
  // Checked here and not where the session was opened: a thread that stops a scope and then lists
  // its sessions finds this one, or this code finds the stop.
  if (holds != nullptr && holds->is_stopped({.instance = session.settings().instance,
                                             .session = session.settings().name})) {
    session.begin_stopped();
    report(host::Event::Severity::Warning, session.settings().name,
           "starts with sending stopped: the kill switch is set", "A101");
  }
  if (session.settings().callback_thread >= 0) {
    host::CallbackRelay* const relay =
        relay_to(session.settings().callback_thread, session.settings().max_message_bytes);
    AFFIX_ASSERT(relay != nullptr);  // The thread that opened the session has checked it.
    session.set_relay(*relay);
  }
  session.report_added();
  if (ending_ != Ending::No) {
    log_out(session, {});
  }
  continue_left(place);
  begin(place);
  item.complete();
  if (then) {
    then();
  }
}

// --- Resting ---

/// The switch applies to the place, and so to a successor: a session that is being restarted need
/// not be waited for.
void Worker::switch_session(const Switch& wanted) {
  SessionPlace* const place = place_of(wanted.session);
  if (place == nullptr) {
    wanted.item.complete();
    return;
  }
  set_enabled(*place, wanted.enabled, wanted.why, wanted.by);
  if (wanted.enabled) {
    complete_down(*place);
    connect(*place->session);
    wanted.item.complete();
    return;
  }
  refuse_newcomer(*place, {"the session is disabled", "N210"});
  place->wanted_afterwards = false;
  go_down(*place, host::EndedBy::Operator, wanted.why);
  complete_when_down(*place, wanted.item);
}

void Worker::set_enabled(SessionPlace& place, bool enabled, std::string_view why,
                         std::string_view by) noexcept {
  place.enabled = enabled;
  place.disabled_why.clear();
  if (!enabled) {
    place.disabled_why = "by " + std::string(by.empty() ? "an operator" : by);
    if (!why.empty()) {
      place.disabled_why += ": " + std::string(why);
    }
  }
  place.switched_utc_ns = now().utc_ns;
  place.session->note_disabled(place.disabled_why);
}

void Worker::complete_when_down(SessionPlace& place, const ChangeItem& item) {
  if (place.session->connected()) {
    place.until_down.push_back(item);
  } else {
    item.complete();
  }
}

void Worker::complete_down(SessionPlace& place) noexcept {
  for (const ChangeItem& item : place.until_down) {
    item.complete();
  }
  place.until_down.clear();
}

// --- Going ---

void Worker::depart(Departure& departure) {
  SessionPlace* const place = place_of(departure.session);
  if (place == nullptr) {
    departure.item.complete();
    return;
  }
  if (place->leaving) {
    depart_again(*place, departure);
    return;
  }
  place->leaving = true;
  place->wanted_afterwards = place->dialing.dialer && place->dialing.dialer->wanted();
  refuse_newcomer(*place, {"the session is going", "N210"});
  if (departure.parting == Parting::Cut) {
    cut(*place);
  } else {
    go_down(*place, host::EndedBy::Change, departure.text);
  }
  const std::int64_t deadline_ns = now_.steady_ns + departure.timeout_ns;
  leaving_.push_back({std::move(departure), deadline_ns});
}

/// A leaving session is to leave again, or a session that is being restarted is to leave or to be
/// restarted with other settings: neither waits longer than the last request allows.
void Worker::depart_again(SessionPlace& place, Departure& departure) {
  LeavingSession& leaving = leaving_of(place);
  leaving.deadline_ns = std::min(leaving.deadline_ns, now_.steady_ns + departure.timeout_ns);
  if (leaving.departure.successor == nullptr) {
    AFFIX_ASSERT(departure.successor == nullptr);  // No caller can name a session that is leaving.
    leaving.further_items.push_back(std::move(departure.item));
  } else {
    place.afterwards.emplace_back(std::move(departure));
  }
}

LeavingSession& Worker::leaving_of(const SessionPlace& place) noexcept {
  const auto found = std::ranges::find_if(leaving_, [&](const LeavingSession& one) {
    return one.departure.session.hosted() == place.session.get();
  });
  AFFIX_ASSERT(found != leaving_.end());
  return *found;
}

/// Its initiator stops connecting, and its connection ends.
void Worker::go_down(SessionPlace& place, host::EndedBy who, std::string_view text) noexcept {
  if (place.dialing.dialer) {
    place.dialing.dialer->set_wanted(false);
    give_up_dialing(place);
  }
  if (place.session->connected()) {
    place.session->note_end(who);
  }
  place.session->logout(text);
}

/// Its initiator stops connecting, and its connection is left to the next primary, or closed at
/// once: nothing that waits may leave.
void Worker::cut(SessionPlace& place) noexcept {
  if (place.dialing.dialer) {
    place.dialing.dialer->set_wanted(false);
    give_up_dialing(place);
  }
  if (place.session->passed_on()) {
    place.session->leave_connection({"goes on at another node", "E311"});
  } else if (place.session->connected()) {
    place.session->drop_connection({"another node leads the session's group", "E301"});
  }
}

/// At the end of a turn, where no code holds a reference to a session.
void Worker::advance_leaving() {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Change);
  for (std::size_t at = 0; at < leaving_.size();) {
    if (is_out(leaving_[at])) {
      LeavingSession done = std::move(leaving_[at]);
      leaving_.erase(leaving_.begin() + static_cast<std::ptrdiff_t>(at));
      release(done);
    } else {
      ++at;
    }
  }
}

bool Worker::is_out(LeavingSession& leaving) {
  SessionPlace& place = *place_of(leaving.departure.session);
  host::HostedSession& session = *place.session;
  if (session.connected() && now_.steady_ns >= leaving.deadline_ns) {
    leaving.forced = true;
    session.drop_connection({"the session goes, and its logout was not complete in time", "S305"});
  }
  if (!session.is_settled()) {
    return false;
  }
  const bool for_good = leaving.departure.successor == nullptr;
  session.settle(for_good);
  if (session.relay() == nullptr) {
    return true;
  }
  // Its callback thread may be about to use it.
  session.say_farewell(for_good);
  return session.relay_drained();
}

void Worker::release(LeavingSession& leaving) {
  Departure& departure = leaving.departure;
  SessionPlace& place = *place_of(departure.session);
  host::HostedSession& session = *place.session;
  const bool for_good = departure.successor == nullptr;
  if (for_good && session.relay() == nullptr) {
    session.report_removed();
    session.settle(false);
  }
  store_late_messages();  // After that no mark waits for its journal.
  leave_group(place);
  forget(session);
  session.journal().watch_stalls(nullptr);
  session.vacate();
  complete_down(place);
  host::BufferReservation buffers = session.buffer_pool().take_out();
  if (!for_good) {
    replace(leaving, place, std::move(buffers));
    return;
  }
  session.slot().detach();
  journals_.depart(*session.roster_entry());
  WorkerNews news;
  news.released.push_back({.session = std::move(place.session),
                           .buffers = std::move(buffers),
                           .item = std::move(departure.item),
                           .further_items = std::move(leaving.further_items),
                           .forced = leaving.forced});
  places_.give_back(place);
  changes_.report(std::move(news));
  journals_.want_preparation();  // The preparing thread takes the news.
}

/// Its successor takes over, with the requests made meanwhile.
void Worker::replace(LeavingSession& leaving, SessionPlace& place,
                     host::BufferReservation buffers) {
  Departure& departure = leaving.departure;
  host::HostedSession& successor = *departure.successor;
  assign_buffers(successor, std::move(departure.buffers));
  successor.take_over(*place.session);
  successor.journal().watch_stalls(&journal_waits_);
  successor.slot().attach(successor);
  WorkerNews news;
  news.released.push_back({.session = std::exchange(place.session, std::move(departure.successor)),
                           .buffers = std::move(buffers),
                           .item = std::move(departure.item),
                           .forced = leaving.forced,
                           .for_good = false});
  changes_.report(std::move(news));
  journals_.want_preparation();  // The preparing thread takes the news.
  place.leaving = false;
  if (place.dialing.dialer) {
    place.dialing.dialer->set_open(successor.may_log_on());
    place.dialing.dialer->set_wanted(place.wanted_afterwards && place.enabled &&
                                     ending_ == Ending::No);
  }
  for (LaterChange& change : std::exchange(place.afterwards, {})) {
    if (auto* const adjustment = std::get_if<Adjustment>(&change)) {
      adjust(*adjustment);
    } else {
      depart(std::get<Departure>(change));
    }
  }
  if (place.dialing.dialer && !place.leaving) {
    place.dialing.dialer->start(now_.steady_ns);
  }
  needs_attention(successor);
}

/// Drops every reference to it.
void Worker::forget(host::HostedSession& session) {
  waiting_.forget(session);
  timers_.forget(static_cast<std::uint32_t>(session.number()));
  relays_.forget(session);
  connections_.forget(session, [this](net::ConnectionId connection, Connection& entry) {
    refuse(connection, entry, {"its session is gone", "N210"});
  });
}

// --- Templates ---

/// Decided here, where its Logons are accepted: no peer logs on to a session that is being removed.
void Worker::look_for_retirement(SessionPlace& place) noexcept {
  if (place.leaving || !place.retirement.take_due(now_.steady_ns)) {
    return;
  }
  if (!place.session->connected()) {
    place.leaving = true;
    leaving_.push_back(
        {.departure = {.session = place.session->handle()}, .deadline_ns = now_.steady_ns});
  }
}

}  // namespace affix::inline v0::engine
