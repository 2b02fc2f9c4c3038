// SPDX-License-Identifier: MIT
// The worker's turn, and its reactor's events.
#include "engine/worker.hpp"

#include "affix/host/receipt_position.hpp"

#include "config/instance_options.hpp"
#include "config/tls_groups.hpp"

#include <algorithm>
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

/// Of a callback thread, and what it sent before is stored.
void carry_out_report(const host::CallbackReport& report) noexcept {
  switch (report.kind) {
    case host::CallbackReport::Kind::Processed:
      report.session->journal().mark_processed(report.position);
      return;
    case host::CallbackReport::Kind::Drained:
      report.session->set_relay_drained();
      return;
    case host::CallbackReport::Kind::Finished:
      if (host::HostedSession* const session = report.handle.hosted()) {
        static_cast<void>(session->finish_message(host::receipt_of(report.position)));
      }
      return;
    case host::CallbackReport::Kind::Redeliver:
      if (host::HostedSession* const session = report.handle.hosted()) {
        session->ask_for_redelivery();
      }
      return;
  }
}

}  // namespace

// --- The turn ---

bool Worker::poll(std::int64_t wait_until_ns) noexcept {
  read_clock();
  const bool busy = turn(wait_until_ns);
  if (descriptor_) {
    begin_rest();
  }
  return busy;
}

std::expected<int, base::Error> Worker::descriptor() {
  if (!descriptor_) {
    auto opened = net::LoopDescriptor::open(*reactor_);
    if (!opened) {
      return std::unexpected(std::move(opened.error()));
    }
    descriptor_.emplace(std::move(*opened));
    turn_wait_.leave_to_other_loop();
  }
  return descriptor_->number();
}

/// Afterwards the descriptor shows everything that a turn has to do.
void Worker::begin_rest() noexcept {
  descriptor_->set_due(std::min(reactor_->begin_rest(), next_turn_ns()), now_.steady_ns);
}

bool Worker::turn(std::int64_t wait_until_ns) noexcept {
  in_turn_ = true;
  const std::int64_t began_ns = now_.steady_ns;
  if (!std::exchange(begun_, true)) {
    report_start_warnings();
    begin_all();
  }
  notice_flushes();
  notice_pages();
  notice_relays();
  if (inbox_ != nullptr) {
    take_handed();
  }
  attend_sessions();  // Requests since the last turn.
  const std::int64_t next_ns = next_turn_ns();
  const bool work_waits = next_ns == 0;
  const net::Wait wait = turn_wait_.until(std::min(wait_until_ns, next_ns), now_.steady_ns);
  meter_.begin_turn(began_ns);
  const net::Turn turn = reactor_->poll(now_, wait, *this);
  now_ = reactor_->now_again();
  const std::int64_t woke_ns = now_.steady_ns;
  if (turn.woken) {
    application().on_wake();
  }
  if (!failover_.led.empty()) [[unlikely]] {
    notice_standbys();
  }
  // After the wait, which a cross-thread sender's wake prevents or ends.
  const std::uint64_t commands = take_commands();
  if (kept_.keeper != nullptr && kept_.tend_ns <= now_.steady_ns) [[unlikely]] {
    tend_kept();
  }
  if (timers_.nearest_ns() <= now_.steady_ns || changes_.has_posted()) [[unlikely]] {
    do_what_is_due();
  }
  notice_relays();
  if (journals_.has_flush_news()) [[unlikely]] {
    notice_flushes();
  }
  notice_pages();
  report_refusals();
  if (gate_ != nullptr) {
    gate_->take_changes();
    gate_->close_late(now_.steady_ns);
  }
  waiting_.end(host::Wait::NextTurn);
  end_turn();
  if (!leaving_.empty()) [[unlikely]] {
    advance_leaving();
  }
  if (!failover_.passes.empty()) [[unlikely]] {
    pass_on();
  }
  if (!failover_.led.empty() || !failover_.left.empty()) [[unlikely]] {
    ship();
  }
  reactor_->submit();
  relays_.wake_threads();
  for (const auto& pool : buffer_pools_) {
    pool->trim(now_.steady_ns);
  }
  in_turn_ = false;
  const bool busy = turn.events != 0 || turn.woken || work_waits;
  bool account_is_due = false;
  if (busy) {
    now_ = reactor_->now_again();
    account_is_due = meter_.end_busy_turn(turn.events, commands, woke_ns, now_);
    meter_.set_sessions(places_.size());
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
           "worker " + std::to_string(number_) + " was " + words, "E132");
  }
}

void Worker::report_start_warnings() noexcept {
  start_reports_.take([this](host::Event::Severity severity, std::string_view text,
                             base::MessageCode code) { report(severity, {}, text, code); });
}

/// Steady time of the next turn that has work without any event; 0: now.
std::int64_t Worker::next_turn_ns() const noexcept {
  const std::int64_t flush_ns =
      waiting_.any(host::Wait::Durability) ? journals_.own_flush_ns() : JournalKeeper::never_ns;
  if (calls_.turn_end_due() || waiting_.any(host::Wait::NextTurn) ||
      waiting_.any(host::Wait::Attention) || flush_ns <= now_.steady_ns || commands_.has_more()) {
    return 0;
  }
  return std::max(std::min(next_deadline(), flush_ns), std::int64_t{1});
}

std::int64_t Worker::next_deadline() const noexcept {
  std::int64_t nearest_ns = std::min(timers_.nearest_ns(), refusals_.due_ns());
  if (kept_.keeper != nullptr) {
    nearest_ns = std::min(nearest_ns, kept_.tend_ns);
  }
  if (gate_ != nullptr) {
    nearest_ns = std::min(nearest_ns, gate_->next_deadline_ns());
  }
  for (const auto& led : failover_.led) {
    nearest_ns = std::min(nearest_ns, led->shipper().next_deadline_ns());
  }
  for (const PassOn& pass : failover_.passes) {
    nearest_ns = std::min(nearest_ns, pass.passing->until_ns());
  }
  for (const LeavingSession& leaving : leaving_) {
    // Without a connection it waits for its callback thread, which wakes the worker.
    if (leaving.departure.session.hosted()->connected()) {
      nearest_ns = std::min(nearest_ns, std::max(leaving.deadline_ns, now_.steady_ns + 1));
    }
  }
  if (!waiting_.any(host::Wait::Pages)) {
    return nearest_ns;
  }
  return std::min(nearest_ns, journals_.page_deadline_ns());
}

void Worker::begin_all() noexcept {
  if (kept_.keeper != nullptr) {
    // First: their peers wait.
    places_.for_each([this](SessionPlace& place) { continue_left(place); });
  }
  places_.for_each([this](SessionPlace& place) { begin(place); });
}

// After messages, so that answers of this turn leave before it.
void Worker::do_what_is_due() noexcept {
  attend_sessions();
  if (changes_.has_posted()) {
    take_changes();
  }
  if (timers_.is_due(now_.steady_ns)) {
    run_timers();
  }
  if (timers_.probe_is_due(now_.steady_ns)) {
    end_probes();
  }
}

void Worker::run_timers() noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Timer);
  timers_.visit_due(now_.steady_ns, [this](std::uint32_t number) {
    SessionPlace& place = places_[number];
    if (place.dialing.dialer && place.dialing.dialer->next_attempt_ns() <= now_.steady_ns) {
      dial(place);
    }
    if (place.session->deadline() <= now_.steady_ns) {
      place.session->on_time();
    }
    look_for_retirement(place);
    needs_attention(*place.session);
    // Thousands of heartbeats may be due at once, and each needs buffers until it is sent.
    if (waiting_.count(host::Wait::Attention) >= timers_at_once) {
      attend_sessions();
    }
  });
}

void Worker::end_turn() noexcept {
  // Before the sessions are attended, so that additions of the application leave in the same send.
  // Attending may cause more callbacks (held messages, room for output), which need another
  // on_turn_end(); what exceeds these rounds has it in the next turn, which does not wait.
  int round = 0;
  do {
    calls_.end_turn();
    attend_sessions();
  } while (calls_.turn_end_due() && ++round < attention_rounds);
  if (!waiting_.any(host::Wait::Attention)) [[likely]] {
    journals_.end_turn();  // Everything sent is in the list.
  }
}

void Worker::attend_sessions() noexcept {
  waiting_.attend(attention_rounds, [this](host::HostedSession& session) { attend(session); });
}

void Worker::attend(host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  if (place.newcomer && !session.connected()) [[unlikely]] {
    admit_newcomer(place);
  }
  if (!place.until_down.empty() && !session.connected()) [[unlikely]] {
    complete_down(place);
  }
  if (session.attend()) {
    // A session with more to do than one look allows waits for the next turn, to let others
    // run.
    waiting_.add(host::Wait::NextTurn, session);
  }
  journals_.note_append(*session.roster_entry());
  if (session.journal().needs_preparation() || session.journal().needs_read_ahead()) {
    journals_.want_preparation();
  }
  if (session.count_ring_refusals()) [[unlikely]] {
    report_ring_refusal(session);
  }
  const std::int64_t attempt =
      place.dialing.dialer ? place.dialing.dialer->next_attempt_ns() : never_ns;
  timers_.set_earlier(static_cast<std::uint32_t>(session.number()),
                      std::min({session.deadline(), attempt, place.retirement.due_ns()}));
}

void Worker::needs_attention(host::HostedSession& session) noexcept {
  waiting_.add(host::Wait::Attention, session);
  if (!in_turn_ && descriptor_) {
    // A command between turns; the loop that begins them learns of it by the descriptor.
    descriptor_->set_due(0, now_.steady_ns);
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
  calls_.for_hook().on_event(host::Event{severity, session, text, utc_ns, code});
}

// The worker's first session stands for all: thousands may reach the limit together.
void Worker::report_ring_refusal(const host::HostedSession& session) noexcept {
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
    report_ring_refusal(session);
  }
}

void Worker::await_durability(host::HostedSession& session) noexcept {
  waiting_.add(host::Wait::Durability, session);
  journals_.await_flush(*session.roster_entry());
  if (!in_turn_ && descriptor_) {
    descriptor_->set_due(next_turn_ns(), now_.steady_ns);
  }
}

void Worker::notice_flushes() noexcept {
  if (journals_.take_flushed()) {
    waiting_.end(host::Wait::Durability);
  }
  if (journals_.take_flush_failed()) {
    places_.for_each([this](SessionPlace& place) {
      if (place.session->journal().flush_failed()) {
        needs_attention(*place.session);
      }
    });
  }
}

void Worker::await_pages(host::HostedSession& session) noexcept {
  if (!waiting_.any(host::Wait::Pages)) {
    journals_.begin_page_wait(now_.steady_ns);
  }
  waiting_.add(host::Wait::Pages, session);
}

void Worker::notice_pages() noexcept {
  if (!waiting_.any(host::Wait::Pages)) {
    return;
  }
  if (journals_.must_read_pages(now_.steady_ns)) {
    read_histories();
  }
  if (journals_.take_pages()) {
    waiting_.end(host::Wait::Pages);
  }
}

// --- Callback threads ---

host::CallbackRelay* Worker::open_relay(std::int64_t thread, std::size_t bytes, net::Waker& waker) {
  std::int64_t message_bytes = 0;
  places_.for_each([&](const SessionPlace& place) {
    if (place.session->settings().callback_thread == thread) {
      message_bytes = std::max(message_bytes, place.session->settings().max_message_bytes);
    }
  });
  if (message_bytes == 0) {
    return nullptr;
  }
  host::CallbackRelay& relay =
      relays_.add(thread, message_bytes,
                  std::make_unique<host::CallbackRelay>(
                      bytes, static_cast<std::size_t>(message_bytes) + config::frame_bytes,
                      places_.capacity(), delayed_marks_, waker));
  places_.for_each([&](SessionPlace& place) {
    if (place.session->settings().callback_thread == thread) {
      place.session->set_relay(relay);
    }
  });
  return &relay;
}

void Worker::store_late_messages() noexcept {
  places_.for_each([](SessionPlace& place) { place.session->store_unstored(); });
}

void Worker::leave_unprocessed() noexcept {
  places_.for_each([](SessionPlace& place) { place.session->leave_unprocessed(); });
}

void Worker::take_reported() noexcept {
  if (!relays_.note_reports()) {
    return;
  }
  // Messages that the callback thread sent before it reported a message as processed are stored
  // before that message is marked.
  take_all_commands();
  store_late_messages();
  relays_.take_noted(carry_out_report);
}

void Worker::take_late_reported() noexcept {
  ending_ = Ending::Done;  // The callers of call() have stopped waiting.
  static_cast<void>(relays_.note_reports());
  take_all_commands();
  store_late_messages();
  relays_.take_noted(carry_out_report);
}

void Worker::take_last_reported() noexcept {
  ending_ = Ending::Done;
  take_all_commands();
  store_late_messages();
  relays_.take_last(carry_out_report);
}

void Worker::notice_relays() noexcept {
  if (relays_.empty()) [[likely]] {
    return;
  }
  take_reported();
  relays_.take_waiting(places_.size(),
                       [this](host::HostedSession& session) { needs_attention(session); });
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
  connections_.enter(*connection).session = &session;
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
  Connection* const entry = connections_.find(connection);
  if (entry == nullptr) {
    if (host::LedGroup* const led = led_group_of(connection)) {
      led->shipper().on_connected(connection);
    }
    return;
  }
  host::HostedSession& session = *entry->session;
  SessionPlace& place = places_[session.number()];
  place.dialing.attempt.reset();
  const tls::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const auto right =
          config::check_peer(session.settings().name, session.settings().tls_peer, peer);
      !right) {
    ConnectionTable::clear(*entry);
    reactor_->close(connection);
    place.dialing.dialer->on_down(now_.steady_ns);
    report(host::Event::Severity::Error, session.settings().name, right.error().message,
           right.error().message_code);
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
  Connection* entry = connections_.find(connection);
  if (entry == nullptr) {
    if (host::LedGroup* const led = led_group_of(connection)) {
      led->shipper().on_connect_failed(connection);
    }
    return;
  }
  host::HostedSession& session = *entry->session;
  ConnectionTable::clear(*entry);
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
  if (Connection* entry = connections_.find(*place.dialing.attempt)) {
    ConnectionTable::clear(*entry);
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
  report_start_warnings();  // An engine stopped before its first turn still logs its warnings.
  ending_ = Ending::LoggingOut;
  if (gate_ != nullptr) {
    gate_->stop();
  }
  places_.for_each([this, text](SessionPlace& place) {
    refuse_newcomer(place, {"the engine is stopping", "N210"});
    place.wanted_afterwards = false;
    go_down(place, host::EndedBy::Stop, text);
  });
}

void Worker::abandon() noexcept {
  places_.for_each([](SessionPlace& place) { place.session->journal().abandon(); });
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
  return !places_.any_of([this](const SessionPlace& place) {
    return place.session->connected() || dialing(*place.session);
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
  places_.for_each(
      [&read](SessionPlace& place) { read = place.session->journal().read_ahead() || read; });
  if (read) {
    journals_.on_pages_read();
  } else {
    // The process lacks descriptors or memory, which come back when others release them.
    journals_.pause_page_reading(now_.steady_ns);
  }
}

bool Worker::take_preparation_request() noexcept {
  if (gate_ != nullptr && gate_->requests().take_notice()) {
    journals_.want_preparation();
  }
  return journals_.take_preparation_request(now_.steady_ns, waiting_.any(host::Wait::Pages));
}

}  // namespace affix::inline v0::engine
