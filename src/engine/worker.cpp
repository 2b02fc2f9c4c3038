// SPDX-License-Identifier: MIT
// The worker's turn, and its reactor's events.
#include "engine/worker.hpp"

#include "config/instance_options.hpp"
#include "config/tls_groups.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Sessions ask for attention while others are attended: messages that their callbacks sent leave
/// in the same turn. A limit, since two that answer each other must not delay the rest.
constexpr int attention_rounds = 4;

/// Maximum number of sessions with a due timer that are attended before the next ones.
constexpr std::size_t timers_at_once = 16;

}  // namespace

// --- The turn ---

bool Worker::poll(std::int64_t wait_until_ns) noexcept {
  read_clock();
  return turn(wait_until_ns);
}

bool Worker::turn(std::int64_t wait_until_ns) noexcept {
  in_turn_ = true;
  const std::int64_t began_ns = now_.steady_ns;
  if (!std::exchange(begun_, true)) {
    tell_start_warnings();
    begin_all();
  }
  notice_flushes();
  notice_pages();
  notice_relays();
  if (inbox_ != nullptr) {
    take_handed();
  }
  attend_sessions();  // Requests since the last turn.
  const bool must_flush = !lists_.durability.empty() && journals_.flushes_itself();
  const bool work_waits = called_back_ || !lists_.next_turn.empty() || !lists_.attention.empty() ||
                          must_flush || commands_.has_more();
  net::Wait wait = waiting_.wait;
  wait.deadline_ns = work_waits ? 0 : std::min(wait_until_ns, next_deadline());
  if (waiting_.longest_ns != 0) {
    wait.deadline_ns = std::min(wait.deadline_ns, now_.steady_ns + waiting_.longest_ns);
  }
  meter_.begin_turn(began_ns);
  const net::Turn turn = reactor_->poll(now_, wait, *this);
  now_ = reactor_->now_again();
  const std::int64_t woke_ns = now_.steady_ns;
  if (turn.woken) {
    application().on_wake();
  }
  // After the wait, which a courier's wake prevents or ends.
  const std::uint64_t commands = take_commands();
  if (std::min(timers_.nearest_ns(), probe_timers_.nearest_ns()) <= now_.steady_ns ||
      changes_.has_posted()) [[unlikely]] {
    do_what_is_due();
  }
  notice_relays();
  if (journals_.has_flush_news()) [[unlikely]] {
    notice_flushes();
  }
  notice_pages();
  tell_of_refusals();
  if (gate_ != nullptr) {
    gate_->take_changes();
    gate_->close_late(now_.steady_ns);
  }
  for (host::HostedSession* session : lists_.next_turn) {
    session->waits().remove(host::Wait::NextTurn);
    needs_attention(*session);
  }
  lists_.next_turn.clear();
  end_turn();
  if (!leaving_.empty()) [[unlikely]] {
    advance_leaving();
  }
  reactor_->submit();
  for (const Relay& one : relays_) {
    one.relay->wake_if_relayed();
  }
  for (const auto& pool : rooms_) {
    pool->trim(now_.steady_ns);
  }
  in_turn_ = false;
  const bool busy = turn.events != 0 || turn.woken || work_waits;
  bool account_is_due = false;
  if (busy) {
    now_ = reactor_->now_again();
    account_is_due = meter_.end_busy_turn(turn.events, commands, woke_ns, now_);
    meter_.set_sessions(places_.size() - free_places_.size());
  } else {
    account_is_due = meter_.end_idle_turn(now_);
  }
  if (account_is_due) [[unlikely]] {
    account_for_turn(commands);
  }
  if (latency_ != nullptr) [[unlikely]] {
    latency_->end_turn();
  }
  return busy;
}

void Worker::account_for_turn(std::uint64_t commands) noexcept {
  if (!meter_.account_for_turn(commands, now_)) {
    return;
  }
  if (const std::string words = meter_.waits().take_words(); !words.empty()) {
    report(host::Event::Severity::Warning, {},
           "worker " + std::to_string(share_.number) + " was " + words, "E132");
  }
}

void Worker::tell_start_warnings() noexcept {
  if (const std::string note = std::exchange(start_.note, {}); !note.empty()) {
    report(host::Event::Severity::Info, {}, note, "E129");
  }
  for (const base::Error& warning : std::exchange(start_.warnings, {})) {
    report(host::Event::Severity::Warning, {}, warning.sentence(), warning.message_code);
  }
}

std::int64_t Worker::next_deadline() const noexcept {
  std::int64_t nearest_ns =
      std::min({timers_.nearest_ns(), probe_timers_.nearest_ns(), refusals_.due_ns()});
  if (gate_ != nullptr) {
    nearest_ns = std::min(nearest_ns, gate_->next_deadline_ns());
  }
  for (const LeavingSession& leaving : leaving_) {
    nearest_ns = std::min(nearest_ns, std::max(leaving.deadline_ns, now_.steady_ns + 1));
  }
  if (lists_.pages.empty()) {
    return nearest_ns;
  }
  return std::min(nearest_ns, journals_.page_deadline_ns());
}

void Worker::begin_all() noexcept {
  for (SessionPlace& place : places_) {
    if (place.session != nullptr) {
      begin(place);
    }
  }
}

// After messages, so that answers of this turn leave before it.
void Worker::do_what_is_due() noexcept {
  attend_sessions();
  if (changes_.has_posted()) {
    take_changes();
  }
  if (timers_.nearest_ns() <= now_.steady_ns) {
    run_timers();
  }
  if (probe_timers_.nearest_ns() <= now_.steady_ns) {
    end_probes();
  }
}

void Worker::run_timers() noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Timer);
  while (timers_.nearest_ns() <= now_.steady_ns) {
    const std::uint32_t due = timers_.nearest_slot();
    timers_.clear(due);
    ++timer_visits_;
    SessionPlace& place = places_[due];
    if (place.dialing.dialer && place.dialing.dialer->next_attempt_ns() <= now_.steady_ns) {
      dial(place);
    }
    if (place.session->deadline() <= now_.steady_ns) {
      place.session->on_time();
    }
    look_for_retirement(place);
    needs_attention(*place.session);
    // Thousands of heartbeats may be due at once, and each needs buffers until it is sent.
    if (lists_.attention.size() >= timers_at_once) {
      attend_sessions();
    }
  }
}

void Worker::end_turn() noexcept {
  // Before the sessions are attended, so that additions of the application leave in the same send.
  // Attending may cause more callbacks (held messages, room for output), which need another
  // on_turn_end(); what exceeds these rounds has it in the next turn, which does not wait.
  int round = 0;
  do {
    if (std::exchange(called_back_, false)) {
      application_.on_turn_end();
    }
    attend_sessions();
  } while (called_back_ && ++round < attention_rounds);
  if (lists_.attention.empty()) [[likely]] {
    journals_.end_turn();  // Everything sent is in the list.
  }
}

void Worker::attend_sessions() noexcept {
  for (int round = 0; round < attention_rounds && !lists_.attention.empty(); ++round) {
    lists_.attending.swap(lists_.attention);
    for (host::HostedSession* session : lists_.attending) {
      attend(*session);
    }
    lists_.attending.clear();
  }
}

void Worker::attend(host::HostedSession& session) noexcept {
  session.waits().remove(host::Wait::Attention);
  SessionPlace& place = places_[session.number()];
  if (place.newcomer && !session.connected()) [[unlikely]] {
    admit_newcomer(place);
  }
  if (!place.until_down.empty() && !session.connected()) [[unlikely]] {
    complete_down(place);
  }
  if (session.attend() && session.waits().add(host::Wait::NextTurn)) {
    // A session with more to do than one look allows waits for the next turn, to let others
    // run.
    lists_.next_turn.push_back(&session);
  }
  journals_.note_append(*session.roster_entry());
  if (session.journal().needs_preparation() || session.journal().needs_read_ahead()) {
    journals_.want_preparation();
  }
  if (session.count_ring_refusals()) [[unlikely]] {
    tell_ring_refusal(session);
  }
  const std::int64_t attempt =
      place.dialing.dialer ? place.dialing.dialer->next_attempt_ns() : never_ns;
  timers_.set_earlier(static_cast<std::uint32_t>(session.number()),
                      std::min({session.deadline(), attempt, place.retirement.due_ns()}));
}

void Worker::needs_attention(host::HostedSession& session) noexcept {
  if (session.waits().add(host::Wait::Attention)) {
    lists_.attention.push_back(&session);
  }
}

base::Now Worker::now() noexcept {
  if (!in_turn_) {
    now_ = reactor_->now_again();
  }
  return now_;
}

void Worker::report(host::Event::Severity severity, std::string_view session, std::string_view text,
                    base::MessageCode code) noexcept {
  const std::int64_t utc_ns = now().utc_ns;
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Log);
  application_.on_event(host::Event{severity, session, text, utc_ns, code});
}

// The worker's first session stands for all: thousands may reach the limit together.
void Worker::tell_ring_refusal(const host::HostedSession& session) noexcept {
  if (!std::exchange(ring_refusal_reported_, true)) {
    report(host::Event::Severity::Warning, session.settings().name,
           "key 'memory_journal_bytes': all of it is in use, so the session's journal stores over "
           "its oldest messages early, and a resend fills a gap instead of them; from here on "
           "journal_memory_refused counts how often",
           "E206");
  }
}

// --- Durability ---

void Worker::note_append(host::HostedSession& session) noexcept {
  if (in_turn_) {
    return;
  }
  journals_.note_append(*session.roster_entry());
  if (session.count_ring_refusals()) [[unlikely]] {
    tell_ring_refusal(session);
  }
}

void Worker::await_durability(host::HostedSession& session) noexcept {
  if (session.waits().add(host::Wait::Durability)) {
    lists_.durability.push_back(&session);
  }
  journals_.await_flush(*session.roster_entry());
}

void Worker::notice_flushes() noexcept {
  if (journals_.take_flushed()) {
    for (host::HostedSession* session : lists_.durability) {
      session->waits().remove(host::Wait::Durability);
      needs_attention(*session);
    }
    lists_.durability.clear();
  }
  if (journals_.take_flush_failed()) {
    for (SessionPlace& place : places_) {
      if (place.session != nullptr && place.session->journal().flush_failed()) {
        needs_attention(*place.session);
      }
    }
  }
}

void Worker::await_pages(host::HostedSession& session) noexcept {
  if (lists_.pages.empty()) {
    journals_.begin_page_wait(now_.steady_ns);
  }
  if (session.waits().add(host::Wait::Pages)) {
    lists_.pages.push_back(&session);
  }
}

void Worker::notice_pages() noexcept {
  if (lists_.pages.empty()) {
    return;
  }
  if (journals_.must_read_pages(now_.steady_ns)) {
    read_histories();
  }
  if (journals_.take_pages()) {
    for (host::HostedSession* session : lists_.pages) {
      session->waits().remove(host::Wait::Pages);
      needs_attention(*session);
    }
    lists_.pages.clear();
  }
}

// --- Callback threads ---

host::CallbackRelay* Worker::open_relay(std::int64_t thread, std::size_t bytes, net::Waker& waker) {
  std::int64_t message_bytes = 0;
  for (const SessionPlace& place : places_) {
    if (place.session->settings().callback_thread == thread) {
      message_bytes = std::max(message_bytes, place.session->settings().max_message_bytes);
    }
  }
  if (message_bytes == 0) {
    return nullptr;
  }
  relays_.push_back({thread, message_bytes,
                     std::make_unique<host::CallbackRelay>(
                         bytes, static_cast<std::size_t>(message_bytes) + config::frame_bytes,
                         share_.capacity, delayed_marks_, waker)});
  host::CallbackRelay& relay = *relays_.back().relay;
  for (const SessionPlace& place : places_) {
    if (place.session->settings().callback_thread == thread) {
      place.session->set_relay(relay);
    }
  }
  return &relay;
}

host::CallbackRelay* Worker::relay_to(std::int64_t thread,
                                      std::int64_t message_bytes) const noexcept {
  const auto found = std::find_if(relays_.begin(), relays_.end(), [&](const Relay& one) {
    return one.thread == thread && one.message_bytes >= message_bytes;
  });
  return found == relays_.end() ? nullptr : found->relay.get();
}

void Worker::store_late_messages() noexcept {
  for (SessionPlace& place : places_) {
    if (place.session != nullptr) {
      place.session->store_unstored();
    }
  }
}

void Worker::leave_unprocessed() noexcept {
  for (SessionPlace& place : places_) {
    if (place.session != nullptr) {
      place.session->leave_unprocessed();
    }
  }
}

void Worker::take_told() noexcept {
  bool any = false;
  for (Relay& one : relays_) {
    one.told = one.relay->told();
    any = any || one.told != 0;
  }
  if (!any) {
    return;
  }
  // Messages that the callback thread sent before it reported a message as processed are stored
  // before that message is marked.
  take_all_commands();
  store_late_messages();
  for (const Relay& one : relays_) {
    one.relay->take_told(one.told);
  }
}

void Worker::take_last_told() noexcept {
  ending_ = Ending::Done;  // The callers of call() have stopped waiting.
  take_all_commands();
  store_late_messages();
  for (const Relay& one : relays_) {
    one.relay->take_last();
  }
}

void Worker::notice_relays() noexcept {
  if (relays_.empty()) [[likely]] {
    return;
  }
  take_told();
  for (const Relay& one : relays_) {
    for (std::size_t count = 0; count < places_.size(); ++count) {
      host::HostedSession* const session = one.relay->take_waiting();
      if (session == nullptr) {
        break;
      }
      needs_attention(*session);
    }
  }
}

// --- Initiators ---

void Worker::dial(SessionPlace& place) noexcept {
  host::HostedSession& session = *place.session;
  if (session.connected() || place.dialing.attempt) {
    return;
  }
  if (const base::CodedText refusal = session.connection_refusal(); !refusal.empty()) {
    report(host::Event::Severity::Error, session.settings().name, refusal.text, refusal.code);
    place.dialing.dialer->on_down(now_.steady_ns);
    return;
  }
  if (place.dialing.client->hosts->version() != place.dialing.hosts_version) {
    take_addresses(place);
  }
  if (!place.dialing.dialer->has_addresses()) {
    report(host::Event::Severity::Warning, session.settings().name,
           "no address is known yet of the hosts to connect to", "E111");
    on_attempt_failed(place);
    return;
  }
  const auto connection = begin_to_connect(place);
  if (!connection) {
    report(host::Event::Severity::Error, session.settings().name, connection.error().message,
           connection.error().message_code);
    on_attempt_failed(place);
    return;
  }
  place.dialing.attempt = *connection;
  Connection& entry = enter(*connection);
  entry.session = &session;
}

std::expected<net::ConnectionId, base::Error> Worker::begin_to_connect(SessionPlace& place) {
  const ClientGroup& client = *place.dialing.client;
  const net::Address& address = place.dialing.dialer->begin_attempt();
  const std::int64_t deadline_ns = now_.steady_ns + client.connect_timeout_ns;
  const auto& endpoint = client.tls[place.dialing.hosts[place.dialing.dialer->attempted()]];
  return endpoint != nullptr ? tls_->connect_tls(address, client.socket, deadline_ns, endpoint)
                             : reactor_->connect(address, client.socket, deadline_ns);
}

void Worker::take_addresses(SessionPlace& place) {
  // The version first: a change between the two reads is read again later.
  place.dialing.hosts_version = place.dialing.client->hosts->version();
  std::vector<net::Address> addresses;
  place.dialing.hosts.clear();
  for (const config::ClientAddress& each : place.dialing.client->hosts->addresses()) {
    addresses.push_back(each.address);
    place.dialing.hosts.push_back(each.host);
  }
  place.dialing.dialer->set_addresses(std::move(addresses));
}

/// The next attempt may use another address of the same name.
void Worker::on_attempt_failed(SessionPlace& place) noexcept {
  place.dialing.dialer->on_down(now_.steady_ns);
  if (!place.dialing.client->hosts->has_names()) {
    return;
  }
  place.dialing.client->hosts->want();
  if (names_ != nullptr) {
    names_->ask();
  }
}

void Worker::on_connected(net::ConnectionId connection) noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  now_ = reactor_->now_again();
  Connection* const entry = find(connection);
  if (entry == nullptr) {
    return;
  }
  host::HostedSession& session = *entry->session;
  SessionPlace& place = places_[session.number()];
  place.dialing.attempt.reset();
  const tls::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const std::string why =
          config::peer_refusal(session.settings().name, session.settings().tls_peer, peer);
      !why.empty()) {
    *entry = {};
    reactor_->close(connection);
    place.dialing.dialer->on_down(now_.steady_ns);
    report(host::Event::Severity::Error, session.settings().name, why, "T206");
    needs_attention(session);
    return;
  }
  if (peer != nullptr) {
    report(host::Event::Severity::Info, session.settings().name, "connected with " + peer->text(),
           "T218");
  }
  session.on_connected(connection);
}

void Worker::on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                               int error_number) noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  now_ = reactor_->now_again();
  Connection* entry = find(connection);
  if (entry == nullptr) {
    return;
  }
  host::HostedSession& session = *entry->session;
  *entry = {};
  SessionPlace& place = places_[session.number()];
  place.dialing.attempt.reset();
  on_attempt_failed(place);
  if (failure != net::ConnectFailure::TlsFailed) {  // That one has been reported in detail.
    // With several addresses only the text shows which of them failed.
    report(host::Event::Severity::Warning, session.settings().name,
           std::string(net::to_text(failure)) + ": " +
               place.dialing.dialer->attempted_address().text() + " (" +
               std::generic_category().message(error_number) + ")",
           net::code_of(failure));
  }
  needs_attention(session);
}

void Worker::connect(host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  if (!place.dialing.dialer || ending_ != Ending::No || !place.enabled) {
    return;
  }
  if (place.leaving) {
    place.wanted_afterwards = true;  // If it is being restarted, and not removed.
    return;
  }
  if (place.dialing.dialer->wanted()) {
    return;
  }
  place.dialing.dialer->set_wanted(true);
  // Else it dials when its present connection has ended.
  if (!session.connected()) {
    place.dialing.dialer->start(now().steady_ns);
    needs_attention(session);
  }
}

void Worker::log_out(host::HostedSession& session, std::string_view text) noexcept {
  SessionPlace& place = places_[session.number()];
  place.wanted_afterwards = false;
  go_down(place, host::EndedBy::Application, text);
}

void Worker::give_up_dialing(SessionPlace& place) noexcept {
  if (!place.dialing.attempt) {
    return;
  }
  reactor_->close(*place.dialing.attempt);
  if (Connection* entry = find(*place.dialing.attempt)) {
    *entry = {};
  }
  place.dialing.attempt.reset();
}

void Worker::on_logon_window(host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  if (!place.dialing.dialer || place.dialing.dialer->open() == session.may_log_on()) {
    return;
  }
  place.dialing.dialer->set_open(session.may_log_on());
  if (!session.may_log_on()) {
    give_up_dialing(place);
  } else if (!session.connected()) {
    place.dialing.dialer->start(now().steady_ns);
  }
  needs_attention(session);
}

void Worker::finish(std::string_view text) noexcept {
  tell_start_warnings();  // An engine stopped before its first turn still logs its warnings.
  ending_ = Ending::LoggingOut;
  if (gate_ != nullptr) {
    gate_->stop();
  }
  for (SessionPlace& place : places_) {
    if (place.session != nullptr) {
      refuse_newcomer(place, {"the engine is stopping", "N210"});
      place.wanted_afterwards = false;
      go_down(place, host::EndedBy::Stop, text);
    }
  }
}

void Worker::abandon() noexcept {
  for (SessionPlace& place : places_) {
    if (place.session != nullptr) {
      place.session->journal().abandon();
    }
  }
}

bool Worker::dialing(const host::HostedSession& session) const noexcept {
  const SessionPlace& place = places_[session.number()];
  return place.dialing.attempt.has_value() ||
         (place.dialing.dialer && place.dialing.dialer->wanted());
}

void Worker::show_enabled(const host::HostedSession& session,
                          host::SessionSight& sight) const noexcept {
  const SessionPlace& place = places_[session.number()];
  sight.enabled = place.enabled;
  sight.switched_utc_ns = place.switched_utc_ns;
  if (!place.enabled) {
    sight.disabled_why.set(place.disabled_why);
  }
}

bool Worker::all_down() const noexcept {
  return std::none_of(places_.begin(), places_.end(), [this](const SessionPlace& place) {
    return place.session != nullptr && (place.session->connected() || dialing(*place.session));
  });
}

void Worker::on_session_up(host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  place.retirement.on_logged_on();
  if (place.dialing.dialer) {
    place.dialing.dialer->on_logged_on();
  }
}

void Worker::on_session_down(host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  place.address_place.give_back();
  if (place.dialing.dialer) {
    place.dialing.dialer->on_down(now_.steady_ns);
  }
  place.retirement.on_down(now_.steady_ns);
  needs_attention(session);
}

// --- Journals ---

void Worker::read_histories() noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Resend);
  bool read = false;
  for (SessionPlace& place : places_) {
    read = (place.session != nullptr && place.session->journal().read_ahead()) || read;
  }
  if (read) {
    journals_.on_pages_read();
  }
}

bool Worker::take_preparation_request() noexcept {
  if (gate_ != nullptr && gate_->take_wish_notice()) {
    journals_.want_preparation();
  }
  return journals_.take_preparation_request(now_.steady_ns, !lists_.pages.empty());
}

}  // namespace affix::inline v0::engine
