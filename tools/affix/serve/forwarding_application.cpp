// SPDX-License-Identifier: MIT
// Where each message goes, and what is said when it goes nowhere.
#include "serve/forwarding_application.hpp"

#include "affix/session/admin.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using engine::SessionHandle;
using Severity = engine::Event::Severity;

/// A reject of a reject would come back for ever.
constexpr std::string_view business_reject = "j";

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::vector<std::string> pieces_of(std::string_view list) {
  std::vector<std::string> pieces;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    pieces.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return pieces;
}

bool contains(const auto& list, const auto& wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

}  // namespace

// --- What they have in common ---

void ForwardingApplication::change(const engine::Configuration& wanted) {
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
  tell_lost(session, forwarder_.drop(session));
  remove(session);
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

void ForwardingApplication::on_output_room(SessionHandle session) noexcept {
  tell_lost(session, forwarder_.on_room(session));
}

void ForwardingApplication::on_logout(SessionHandle session, std::string_view reason) noexcept {
  static_cast<void>(reason);
  // A session that queues for its next logon takes them now.
  tell_lost(session, forwarder_.on_room(session));
  tell_lost(session, forwarder_.drop(session));
}

void ForwardingApplication::tell_lost(SessionHandle session,
                                      const std::vector<Forwarder::Lost>& lost) {
  if (lost.empty()) {
    return;
  }
  log_.write(Severity::Error, session.name(),
             std::to_string(lost.size()) + " messages that waited for room did not go out");
  for (const Forwarder::Lost& message : lost) {
    on_lost(message, session);
  }
}

void ForwardingApplication::remove(SessionHandle session) {
  static_cast<void>(session);
}

void ForwardingApplication::apply(const engine::ApplicationSettings& settings,
                                  const std::vector<engine::RouteSettings>& routes) {
  static_cast<void>(settings);
  static_cast<void>(routes);
}

void ForwardingApplication::on_lost(const Forwarder::Lost& lost, SessionHandle to) noexcept {
  static_cast<void>(lost);
  static_cast<void>(to);
}

bool ForwardingApplication::forward(SessionHandle from, const wire::MessageView& message,
                                    const engine::Delivery& delivery, SessionHandle to,
                                    Routing routing) {
  const Forwarder::Outcome outcome = forwarder_.forward(from, message, delivery, to, routing);
  if (outcome == Forwarder::Outcome::Sent || outcome == Forwarder::Outcome::Waiting) {
    return true;
  }
  log_.write(Severity::Error, from.name(),
             "message " + std::to_string(delivery.sequence) + " is not passed on to " +
                 std::string(to.name()) + ": " + to_text(outcome));
  return false;
}

// --- Echo ---

void EchoApplication::add(SessionHandle session) {
  static_cast<void>(session);
}

void EchoApplication::on_message(SessionHandle session, const wire::MessageView& message,
                                 const engine::Delivery& delivery) noexcept {
  // A peer that answers every message it does not know with a reject would get each one back.
  if (!session.is_initiator() && !session::is_reject(message.type())) {
    forward(session, message, delivery, session, Routing::Answer);
  }
}

// --- Drop copy ---

DropCopyApplication::DropCopyApplication(EventLog& log, const engine::ApplicationSettings& settings)
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

void DropCopyApplication::apply(const engine::ApplicationSettings& settings,
                                const std::vector<engine::RouteSettings>& routes) {
  static_cast<void>(routes);
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
                                     const engine::Delivery& delivery) noexcept {
  if (!contains(sources_, session)) {
    return;
  }
  for (const SessionHandle receiver : receivers_) {
    if (receiver != session) {
      forward(session, message, delivery, receiver, Routing::Onward);
    }
  }
}

// --- Router ---

RouterApplication::RouterApplication(EventLog& log,
                                     const std::vector<engine::RouteSettings>& routes)
    : ForwardingApplication(log) {
  set_routes(routes);
}

void RouterApplication::set_routes(const std::vector<engine::RouteSettings>& routes) {
  routes_.clear();
  for (const engine::RouteSettings& settings : routes) {
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

void RouterApplication::apply(const engine::ApplicationSettings& settings,
                              const std::vector<engine::RouteSettings>& routes) {
  static_cast<void>(settings);
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
  // Back to where it came from is no way for a message.
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
                                   const engine::Delivery& delivery) noexcept {
  std::string text = "no route for this message";
  if (const SessionHandle target = target_of(session, message)) {
    if (forward(session, message, delivery, target, Routing::Onward)) {
      return;
    }
    text = std::string(target.target_comp_id()) + " cannot be reached";
  }
  if (message.type() != business_reject) {
    session.reject_business(message, session::BusinessRejectReason::ApplicationNotAvailable, text);
  }
}

void RouterApplication::on_lost(const Forwarder::Lost& lost, SessionHandle to) noexcept {
  // Before FIX.4.2 there is no message that could say it so late.
  if (lost.type == business_reject || !lost.from.logged_on() ||
      lost.from.begin_string() == "FIX.4.0" || lost.from.begin_string() == "FIX.4.1") {
    return;
  }
  wire::Encoder reject = lost.from.begin(business_reject);
  reject.integer(45, static_cast<std::int64_t>(lost.sequence));
  reject.text(372, lost.type);
  reject.integer(380, std::to_underlying(session::BusinessRejectReason::ApplicationNotAvailable));
  reject.text(58, std::string(to.target_comp_id()) + " cannot be reached");
  // A sender that takes nothing now has the gap in its answers to go by.
  static_cast<void>(lost.from.commit(reject));
}

}  // namespace affix::inline v0::tools::serve
