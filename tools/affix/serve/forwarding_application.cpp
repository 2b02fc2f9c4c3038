// SPDX-License-Identifier: MIT
// Decides where each message goes, and what reply the sender gets if it goes nowhere.
#include "serve/forwarding_application.hpp"

#include "affix/base/text.hpp"
#include "affix/session/admin.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using host::SessionHandle;
using Severity = host::Event::Severity;

std::vector<std::string> pieces_of(std::string_view list) {
  std::vector<std::string> pieces;
  while (!list.empty()) {
    pieces.emplace_back(base::trimmed(base::take_part(list, ',')));
  }
  return pieces;
}

bool contains(const auto& list, const auto& wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

}  // namespace

// --- Common parts ---

void ForwardingApplication::change(const affix::config::Configuration& wanted) {
  const std::lock_guard lock(mutex_);
  wanted_ = Wanted{.settings = wanted.application, .routes = wanted.routes};
  changing_ = true;
}

bool ForwardingApplication::wait_changed(std::int64_t timeout_ns) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns),
                           [this] { return !changing_; });
}

void ForwardingApplication::on_session_added(SessionHandle session) noexcept {
  add(session);
}

void ForwardingApplication::on_session_removed(SessionHandle session) noexcept {
  const std::vector<Forwarder::Origin> lost = forwarder_.drop(session);
  forwarder_.forget(session);
  std::erase(patient_, session);
  remove(session);
  report_lost(session, lost);
}

void ForwardingApplication::on_wake() noexcept {
  std::optional<Wanted> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = std::exchange(wanted_, {});
  }
  if (wanted) {
    apply(wanted->settings, wanted->routes);
    const std::lock_guard lock(mutex_);
    changing_ = wanted_.has_value();
    changed_.notify_all();
  }
}

void ForwardingApplication::on_logon(SessionHandle session) noexcept {
  settle_logged(session);
  forwarder_.for_each(session.worker(), [&](Forwarder::State& state) {
    if (state.session == session) {
      state.patient_until_ns = 0;
    }
    // Its own messages, whose failures could not be reported; others' messages, which may have
    // waited for this session.
    if (state.has_open() && state.session.logged_on()) {
      state.session.redeliver();
    }
  });
}

void ForwardingApplication::on_admin(SessionHandle session,
                                     const wire::MessageView& /*message*/) noexcept {
  settle_logged(session);  // A Heartbeat comes also when no message does.
}

void ForwardingApplication::on_output_room(SessionHandle session) noexcept {
  report_lost(session, forwarder_.on_room(session));
  if (const Forwarder::State* const state = Forwarder::find_state(session);
      state != nullptr && state->has_open()) {
    session.redeliver();  // For failures that could not be reported to it.
  }
}

void ForwardingApplication::on_logout(SessionHandle session, std::string_view /*reason*/) noexcept {
  settle_logged(session);
  // A session that queues for its next logon takes them now.
  std::vector<Forwarder::Origin> lost = forwarder_.on_room(session);
  std::ranges::move(forwarder_.drop(session), std::back_inserter(lost));
  report_lost(session, lost);
}

void ForwardingApplication::on_turn_end() noexcept {
  std::erase_if(patient_, [](SessionHandle session) {
    Forwarder::State* const state = Forwarder::find_state(session);
    if (state == nullptr || state->patient_until_ns == 0) {
      return true;
    }
    if (session.now().steady_ns < state->patient_until_ns) {
      return false;
    }
    state->patient_until_ns = 0;
    for (auto& [receipt, kept] : state->kept) {
      kept.given_up = kept.given_up || kept.open;
    }
    session.redeliver();
    return true;
  });
}

void ForwardingApplication::report_lost(SessionHandle session,
                                        const std::vector<Forwarder::Origin>& lost) {
  if (lost.empty()) {
    return;
  }
  log_.write(Severity::Error, session.name(),
             std::to_string(lost.size()) + " messages that waited for room did not go out", "P104");
  // They are redelivered and their failures reported to the senders; to absent senders after their
  // next logon.
  std::vector<SessionHandle> asked;
  for (const Forwarder::Origin& origin : lost) {
    if (!contains(asked, origin.from) && origin.from.logged_on()) {
      asked.push_back(origin.from);
      origin.from.redeliver();
    }
  }
}

void ForwardingApplication::remove(SessionHandle /*session*/) {}

void ForwardingApplication::apply(const affix::config::ApplicationSettings& /*settings*/,
                                  const std::vector<affix::config::RouteSettings>& /*routes*/) {}

// --- A message ---

void ForwardingApplication::note_failed(const Received& received, SessionHandle to,
                                        Forwarder::Outcome why) {
  log_.write(Severity::Error, received.from.name(),
             "message " + std::to_string(received.delivery.sequence) + " is not passed on to " +
                 std::string(to.name()) + ": " + to_text(why),
             "P104");
}

void ForwardingApplication::note_unreported(const Received& received, std::string_view why,
                                            host::SendStatus refusal) {
  log_.write(Severity::Error, received.from.name(),
             "message " + std::to_string(received.delivery.sequence) + " is dropped: " +
                 std::string(why) + ", and its sender gets no reject: " + to_text(refusal),
             "P104");
}

ForwardingApplication::Fate ForwardingApplication::on_failed(const Received& received,
                                                             SessionHandle to,
                                                             Forwarder::Outcome why) {
  note_failed(received, to, why);
  return Fate::Logged;
}

void ForwardingApplication::deal_with(const Received& received,
                                      std::span<const SessionHandle> targets, Routing routing) {
  const SessionHandle from = received.from;
  Past past;
  if (targets.size() > 1) {
    past.kept.served = std::exchange(served_, {});
  }
  settle_logged(from);
  if (received.delivery.redelivered) [[unlikely]] {
    past = past_of(received);
    if (past.kept.lines != 0 && !past.kept.open) {
      from.keep_message();  // The log and on_room() have the rest of it.
      return;
    }
  }
  const bool was_reported =
      past.earlier != nullptr && past.earlier->was_rejected(received.delivery.sequence);
  bool open = false;
  bool logged = false;
  if (!was_reported && targets.empty()) {
    const Fate fate = on_failed(received, {}, Forwarder::Outcome::Refused);
    open = fate == Fate::Open;
    logged = fate == Fate::Logged;
  }
  if (!was_reported) {
    for (const SessionHandle to : targets) {
      if (contains(past.kept.served, to)) {
        continue;
      }
      const Fate fate = send_to(received, to, routing, past);
      if (fate == Fate::Open) {
        open = true;
      } else if (targets.size() > 1 || past.kept.waiting != 0) {
        past.kept.served.push_back(to);
      }
      logged = logged || fate == Fate::Logged;
    }
  }
  past.kept.open = open;
  past.kept.given_up = past.kept.given_up && open;
  past.kept.lines += logged ? 1U : 0U;
  if (!open && past.kept.waiting == 0 && past.kept.lines == 0) [[likely]] {
    if (received.delivery.redelivered) {
      forwarder_.state_of(from).kept.erase(received.delivery.receipt);
    }
    if (targets.size() > 1) {
      served_ = std::move(past.kept.served);  // Reuses its memory.
      served_.clear();
    }
    return;
  }
  from.keep_message();
  Forwarder::State& state = forwarder_.state_of(from);
  state.kept[received.delivery.receipt] = std::move(past.kept);
  if (logged) {
    state.logged.push_back({received.delivery.receipt, log_.position()});
    if (state.logged.size() > logged_max) {
      Forwarder::settle_logged(state);
    }
  }
}

void ForwardingApplication::settle_logged(SessionHandle session) {
  Forwarder::State* const state = Forwarder::find_state(session);
  while (state != nullptr && !state->logged.empty() &&
         log_.has_passed_on(state->logged.front().position)) {
    Forwarder::settle_logged(*state);
  }
}

ForwardingApplication::Past ForwardingApplication::past_of(const Received& received) {
  Forwarder::State& state = forwarder_.state_of(received.from);
  const bool lacks = lacks_secret(received.from, received.message);
  if (const auto known = state.kept.find(received.delivery.receipt); known != state.kept.end()) {
    return {.kept = known->second, .earlier = nullptr, .lacks_secret = lacks};
  }
  if (state.earlier == nullptr) {
    state.earlier = std::make_unique<EarlierRun>(received.from, received.delivery.receipt);
  }
  return {.kept = {}, .earlier = state.earlier.get(), .lacks_secret = lacks};
}

ForwardingApplication::Fate ForwardingApplication::send_to(const Received& received,
                                                           SessionHandle to, Routing routing,
                                                           Past& past) {
  ForwardedMessage message =
      forwarded(received.from, received.message, received.delivery.possible_resend, to, routing);
  if (past.earlier != nullptr) [[unlikely]] {
    switch (past.earlier->look_up(to, received.message, routing)) {
      case EarlierRun::Answer::Sent:
        return Fate::Settled;
      case EarlierRun::Answer::Unknown:
        message = forwarded(received.from, received.message, true, to, routing);
        break;
      case EarlierRun::Answer::NotSent:
        break;
    }
  }
  if (past.lacks_secret) [[unlikely]] {
    // A copy would carry the mask as the value.
    return on_failed(received, to, Forwarder::Outcome::Refused);
  }
  const Forwarder::Outcome outcome =
      forwarder_.forward(received.from, message, received.delivery, to);
  switch (outcome) {
    case Forwarder::Outcome::Sent:
      return Fate::Settled;
    case Forwarder::Outcome::Waiting:
      ++past.kept.waiting;
      return Fate::Settled;
    case Forwarder::Outcome::Away:
      if (waits_for(received, to, past.kept)) {
        return Fate::Open;
      }
      break;
    case Forwarder::Outcome::Refused:
    case Forwarder::Outcome::Full:
      break;
  }
  return on_failed(received, to, outcome);
}

/// A redelivered message may arrive before the session it is for, and so waits a while.
bool ForwardingApplication::waits_for(const Received& received, SessionHandle to,
                                      const Forwarder::Kept& kept) {
  if (!received.delivery.redelivered || kept.given_up || to == received.from) {
    return false;
  }
  Forwarder::State& state = forwarder_.state_of(received.from);
  if (state.patient_until_ns == 0) {
    state.patient_until_ns = received.from.now().steady_ns + patience_ns;
    patient_.push_back(received.from);
  }
  return true;
}

// --- Echo ---

void EchoApplication::add(SessionHandle /*session*/) {}

void EchoApplication::on_message(SessionHandle session, const wire::MessageView& message,
                                 const host::Delivery& delivery) noexcept {
  // Otherwise a peer that rejects every unknown message would receive each Reject back.
  if (!session.is_initiator() && !session::is_reject(message.type())) {
    deal_with({session, message, delivery}, {&session, 1}, Routing::Answer);
  }
}

ForwardingApplication::Fate EchoApplication::on_failed(const Received& received, SessionHandle to,
                                                       Forwarder::Outcome why) {
  if (why == Forwarder::Outcome::Away) {
    return Fate::Open;  // It arrived while the session was ending.
  }
  note_failed(received, to, why);
  return Fate::Logged;
}

// --- Drop copy ---

DropCopyApplication::DropCopyApplication(service::EventLog& log,
                                         const affix::config::ApplicationSettings& settings)
    : ForwardingApplication(log),
      source_names_(pieces_of(settings.drop_copy_from)),
      receiver_names_(pieces_of(settings.drop_copy_to)) {}

void DropCopyApplication::add(SessionHandle session) {
  sessions_.push_back(session);
  sort_in(session);
}

void DropCopyApplication::remove(SessionHandle session) {
  std::erase(sessions_, session);
  std::erase(sources_, session);
  std::erase(receivers_, session);
}

void DropCopyApplication::apply(const affix::config::ApplicationSettings& settings,
                                const std::vector<affix::config::RouteSettings>& /*routes*/) {
  source_names_ = pieces_of(settings.drop_copy_from);
  receiver_names_ = pieces_of(settings.drop_copy_to);
  sources_.clear();
  receivers_.clear();
  for (const SessionHandle session : sessions_) {
    sort_in(session);
  }
}

void DropCopyApplication::sort_in(SessionHandle session) {
  const bool receives = contains(receiver_names_, session.name());
  if (receives) {
    receivers_.push_back(session);
  }
  if (source_names_.empty() ? !receives : contains(source_names_, session.name())) {
    sources_.push_back(session);
  }
}

void DropCopyApplication::on_message(SessionHandle session, const wire::MessageView& message,
                                     const host::Delivery& delivery) noexcept {
  if (!contains(sources_, session)) {
    return;
  }
  std::vector<SessionHandle>& targets = targets_;
  targets.clear();
  std::ranges::copy_if(receivers_, std::back_inserter(targets),
                       [session](SessionHandle receiver) { return receiver != session; });
  if (!targets.empty()) {
    deal_with({session, message, delivery}, targets, Routing::Onward);
  }
}

ForwardingApplication::Fate DropCopyApplication::on_failed(const Received& received,
                                                           SessionHandle to,
                                                           Forwarder::Outcome why) {
  if (why == Forwarder::Outcome::Away && !received.from.logged_on()) {
    return Fate::Open;  // The engine is stopping, and the receiver may just have stopped first.
  }
  note_failed(received, to, why);
  return Fate::Logged;
}

// --- Router ---

RouterApplication::RouterApplication(service::EventLog& log,
                                     const std::vector<affix::config::RouteSettings>& routes)
    : ForwardingApplication(log) {
  set_routes(routes);
}

void RouterApplication::set_routes(const std::vector<affix::config::RouteSettings>& routes) {
  routes_.clear();
  for (const affix::config::RouteSettings& settings : routes) {
    routes_.push_back({.source_names = pieces_of(settings.route_from),
                       .target_name = settings.route_to,
                       .tag = static_cast<std::uint32_t>(settings.route_tag),
                       .values = pieces_of(settings.route_values),
                       .sources = {},
                       .target = {}});
  }
}

void RouterApplication::add(SessionHandle session) {
  by_target_comp_id_[session.target_comp_id()].push_back(session);
  sort_in(session);
}

void RouterApplication::remove(SessionHandle session) {
  std::erase(by_target_comp_id_[session.target_comp_id()], session);
  for (Route& route : routes_) {
    std::erase(route.sources, session);
    if (route.target == session) {
      route.target = {};
    }
  }
}

void RouterApplication::apply(const affix::config::ApplicationSettings& /*settings*/,
                              const std::vector<affix::config::RouteSettings>& routes) {
  set_routes(routes);
  for (const auto& [name, sessions] : by_target_comp_id_) {
    for (const SessionHandle session : sessions) {
      sort_in(session);
    }
  }
}

void RouterApplication::sort_in(SessionHandle session) {
  for (Route& route : routes_) {
    if (route.target_name == session.name()) {
      route.target = session;
    }
    if (contains(route.source_names, session.name())) {
      route.sources.push_back(session);
    }
  }
}

bool RouterApplication::Route::fits(SessionHandle from, const wire::MessageView& message) const {
  // A message is never sent back to its source.
  if (from == target || (!source_names.empty() && !contains(sources, from))) {
    return false;
  }
  return tag == 0 || contains(values, message.value_or_null(tag));
}

SessionHandle RouterApplication::target_of(SessionHandle from,
                                           const wire::MessageView& message) const {
  if (const auto deliver_to = message.find(128)) {
    if (const auto named = by_target_comp_id_.find(*deliver_to);
        named != by_target_comp_id_.end()) {
      const auto other =
          std::ranges::find_if(named->second, [from](SessionHandle to) { return to != from; });
      if (other != named->second.end()) {
        return *other;
      }
    }
  }
  for (const Route& route : routes_) {
    if (route.fits(from, message)) {
      return route.target;
    }
  }
  return {};
}

void RouterApplication::on_message(SessionHandle session, const wire::MessageView& message,
                                   const host::Delivery& delivery) noexcept {
  const SessionHandle target = target_of(session, message);
  const std::span<const SessionHandle> targets(&target, target ? 1 : 0);
  deal_with({session, message, delivery}, targets, Routing::Onward);
}

ForwardingApplication::Fate RouterApplication::on_failed(const Received& received, SessionHandle to,
                                                         Forwarder::Outcome why) {
  const std::string text =
      to ? std::string(to.target_comp_id()).append(unreachable_text) : std::string(no_route_text);
  const host::SendResult reported = received.from.reject_business(
      received.message, session::BusinessRejectReason::ApplicationNotAvailable, text);
  switch (reported.status) {
    case host::SendStatus::NotLoggedOn:
    case host::SendStatus::Stopped:
    case host::SendStatus::JournalFull:
    case host::SendStatus::Throttled:
    case host::SendStatus::Backlogged:
    case host::SendStatus::Resetting:
    case host::SendStatus::QueueFull:
      return Fate::Open;
    default:
      break;
  }
  if (reported.refused()) {
    note_unreported(received, text, reported.status);
    return Fate::Logged;
  }
  if (to) {
    note_failed(received, to, why);
  }
  return Fate::Settled;  // Its sender has the reject.
}

}  // namespace affix::inline v0::tools::serve
