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

/// Time that a resend waits for a caller of prepare_journals(). Without one, the worker reads the
/// missing pages itself and waits for the disk.
constexpr std::int64_t helper_patience_ns = 100 * base::ns_per_ms;

/// Intervals after the last flush of a group journal in which each interval is checked; then the
/// flushing thread rests until it is woken.
constexpr std::int64_t flush_intervals_active = 10;

/// Maximum number of sessions with a due timer that are attended before the next ones.
constexpr std::size_t timers_at_once = 16;

/// Between two attempts to prepare a journal whose disk is full.
constexpr std::int64_t preparation_pause_ns = 100 * base::ns_per_ms;

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
  const bool must_flush =
      !awaiting_durability_.empty() && flush_waker_.load(std::memory_order_relaxed) == nullptr;
  const bool work_waits =
      called_back_ || !again_.empty() || !attention_.empty() || must_flush || commands_wait_;
  net::Wait wait = wait_;
  wait.deadline_ns = work_waits ? 0 : std::min(wait_until_ns, next_deadline());
  if (longest_wait_ns_ != 0) {
    wait.deadline_ns = std::min(wait.deadline_ns, now_.steady_ns + longest_wait_ns_);
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
      has_posted_.load(std::memory_order_acquire)) [[unlikely]] {
    do_what_is_due();
  }
  notice_relays();
  if (flushed_.load(std::memory_order_relaxed) || flush_failed_.load(std::memory_order_relaxed))
      [[unlikely]] {
    notice_flushes();
  }
  notice_pages();
  tell_of_refusals();
  if (gate_ != nullptr) {
    gate_->take_changes();
    gate_->close_late(now_.steady_ns);
  }
  for (host::HostedSession* session : again_) {
    places_[session->number()].again = false;
    needs_attention(*session);
  }
  again_.clear();
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
           "worker " + std::to_string(number_) + " was " + words);
  }
}

void Worker::tell_start_warnings() noexcept {
  if (const std::string note = std::exchange(start_note_, {}); !note.empty()) {
    report(host::Event::Severity::Info, {}, note);
  }
  for (const std::string& warning : std::exchange(start_warnings_, {})) {
    report(host::Event::Severity::Warning, {}, warning);
  }
}

std::int64_t Worker::next_deadline() const noexcept {
  std::int64_t nearest_ns =
      std::min({timers_.nearest_ns(), probe_timers_.nearest_ns(), refusals_.due_ns()});
  if (gate_ != nullptr) {
    nearest_ns = std::min(nearest_ns, gate_->next_deadline_ns());
  }
  for (const Leaving& leaving : leaving_) {
    nearest_ns = std::min(nearest_ns, std::max(leaving.deadline_ns, now_.steady_ns + 1));
  }
  if (awaiting_pages_.empty()) {
    return nearest_ns;
  }
  return nobody_prepares_ ? 0 : std::min(nearest_ns, pages_awaited_since_ns_ + helper_patience_ns);
}

void Worker::begin_all() noexcept {
  for (Place& place : places_) {
    if (place.session != nullptr) {
      begin(place);
    }
  }
}

// After messages, so that answers of this turn leave before it.
void Worker::do_what_is_due() noexcept {
  attend_sessions();
  if (has_posted_.load(std::memory_order_acquire)) {
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
    Place& place = places_[due];
    if (place.dialer && place.dialer->next_attempt_ns() <= now_.steady_ns) {
      dial(place);
    }
    if (place.session->deadline() <= now_.steady_ns) {
      place.session->on_time();
    }
    look_for_retirement(place);
    needs_attention(*place.session);
    // Thousands of heartbeats may be due at once, and each needs buffers until it is sent.
    if (attention_.size() >= timers_at_once) {
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
  if (mark_rounds_.is_used() && attention_.empty()) [[unlikely]] {
    mark_rounds_.end_turn();  // Everything sent is in the list.
  }
}

void Worker::attend_sessions() noexcept {
  for (int round = 0; round < attention_rounds && !attention_.empty(); ++round) {
    attending_.swap(attention_);
    for (host::HostedSession* session : attending_) {
      attend(*session);
    }
    attending_.clear();
  }
}

void Worker::attend(host::HostedSession& session) noexcept {
  session.waits().remove(host::Wait::Attention);
  Place& place = places_[session.number()];
  if (place.newcomer && !session.connected()) [[unlikely]] {
    admit_newcomer(place);
  }
  if (!place.until_down.empty() && !session.connected()) [[unlikely]] {
    complete_down(place);
  }
  if (session.attend() && !std::exchange(place.again, true)) {
    // A session with more to do than one look allows waits for the next turn, to let others
    // run.
    again_.push_back(&session);
  }
  if (session.roster_entry()->flushes) {
    list_unflushed(session);
  }
  preparation_waits_ = preparation_waits_ || session.journal().needs_preparation() ||
                       session.journal().needs_read_ahead();
  if (session.count_ring_refusals()) [[unlikely]] {
    tell_ring_refusal(session);
  }
  const std::int64_t attempt = place.dialer ? place.dialer->next_attempt_ns() : never_ns;
  timers_.set_earlier(static_cast<std::uint32_t>(session.number()),
                      std::min({session.deadline(), attempt, place.retire_at_ns}));
}

void Worker::needs_attention(host::HostedSession& session) noexcept {
  if (session.waits().add(host::Wait::Attention)) {
    attention_.push_back(&session);
  }
}

base::Now Worker::now() noexcept {
  if (!in_turn_) {
    now_ = reactor_->now_again();
  }
  return now_;
}

void Worker::report(host::Event::Severity severity, std::string_view session,
                    std::string_view text) noexcept {
  const std::int64_t utc_ns = now().utc_ns;
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Log);
  application_.on_event(host::Event{severity, session, text, utc_ns});
}

// The worker's first session stands for all: thousands may reach the limit together.
void Worker::tell_ring_refusal(const host::HostedSession& session) noexcept {
  if (!std::exchange(ring_refusal_told_, true)) {
    report(host::Event::Severity::Warning, session.settings().name,
           "key 'memory_journal_bytes': all of it is in use, so the session's journal stores over "
           "its oldest messages early, and a resend fills a gap instead of them; from here on "
           "journal_memory_refused counts how often");
  }
}

// --- Durability ---

// For a session whose durability needs flushes: others skip the call.
void Worker::list_unflushed(host::HostedSession& session) noexcept {
  mark_rounds_.note(*session.roster_entry());
  if (!session.journal().needs_flush() || !unflushed_.add(session.roster_entry()->unflushed)) {
    return;
  }
  // A sync session's own wait wakes; its received messages follow then, or a second later.
  if (session.roster_entry()->flush_interval_ns != 0 && unflushed_.is_resting()) {
    wake_flusher();
  }
}

void Worker::note_append(host::HostedSession& session) noexcept {
  if (in_turn_) {
    return;
  }
  if (session.roster_entry()->flushes) {
    list_unflushed(session);
  }
  if (session.count_ring_refusals()) [[unlikely]] {
    tell_ring_refusal(session);
  }
}

void Worker::await_durability(host::HostedSession& session) noexcept {
  list_unflushed(session);  // Before the wake: the woken thread looks at the list.
  if (session.waits().add(host::Wait::Durability)) {
    awaiting_durability_.push_back(&session);
  }
  wake_flusher();
}

void Worker::wake_flusher() noexcept {
  if (net::Waker* const waker = flush_waker_.load(std::memory_order_acquire)) {
    waker->wake();
  }
}

void Worker::notice_flushes() noexcept {
  // A load first: an exchange in every turn would take the cache line from the other thread.
  if (flushed_.load(std::memory_order_relaxed)) {
    flushed_.store(false, std::memory_order_relaxed);
    for (host::HostedSession* session : awaiting_durability_) {
      session->waits().remove(host::Wait::Durability);
      needs_attention(*session);
    }
    awaiting_durability_.clear();
  }
  if (flush_failed_.load(std::memory_order_relaxed)) {
    flush_failed_.store(false, std::memory_order_relaxed);
    for (Place& place : places_) {
      if (place.session != nullptr && place.session->journal().flush_failed()) {
        needs_attention(*place.session);
      }
    }
  }
}

void Worker::await_pages(host::HostedSession& session) noexcept {
  if (awaiting_pages_.empty()) {
    pages_awaited_since_ns_ = now_.steady_ns;
  }
  if (session.waits().add(host::Wait::Pages)) {
    awaiting_pages_.push_back(&session);
  }
}

void Worker::notice_pages() noexcept {
  if (awaiting_pages_.empty()) {
    return;
  }
  // Odd: a helper is working, and may be slow. Relaxed: only a change of the value counts.
  const std::uint64_t preparations = preparations_.load(std::memory_order_relaxed);
  if (preparations != preparations_seen_ || preparations % 2 != 0) {
    preparations_seen_ = preparations;
    pages_awaited_since_ns_ = now_.steady_ns;
    nobody_prepares_ = false;
  } else if (nobody_prepares_ || now_.steady_ns - pages_awaited_since_ns_ >= helper_patience_ns) {
    nobody_prepares_ = true;  // Until a helper is seen, there is no need to wait for it again.
    read_histories();
  }
  // Acquire: the pages read are looked at now. A load first, as for the flushes.
  if (pages_came_.load(std::memory_order_relaxed) &&
      pages_came_.exchange(false, std::memory_order_acquire)) {
    for (host::HostedSession* session : awaiting_pages_) {
      session->waits().remove(host::Wait::Pages);
      needs_attention(*session);
    }
    awaiting_pages_.clear();
  }
}

// --- Callback threads ---

host::CallbackRelay* Worker::open_relay(std::int64_t thread, std::size_t bytes, net::Waker& waker) {
  std::int64_t message_bytes = 0;
  for (const Place& place : places_) {
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
                         capacity_, delayed_marks_, waker)});
  host::CallbackRelay& relay = *relays_.back().relay;
  for (const Place& place : places_) {
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
  for (Place& place : places_) {
    if (place.session != nullptr) {
      place.session->store_unstored();
    }
  }
}

void Worker::leave_unprocessed() noexcept {
  for (Place& place : places_) {
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
  ended_ = true;  // The callers of call() have stopped waiting.
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

void Worker::dial(Place& place) noexcept {
  host::HostedSession& session = *place.session;
  if (session.connected() || place.dialing) {
    return;
  }
  if (const std::string_view refusal = session.connection_refusal(); !refusal.empty()) {
    report(host::Event::Severity::Error, session.settings().name, refusal);
    place.dialer->on_down(now_.steady_ns);
    return;
  }
  if (place.client->hosts->version() != place.hosts_version) {
    take_addresses(place);
  }
  if (!place.dialer->has_addresses()) {
    report(host::Event::Severity::Warning, session.settings().name,
           "no address is known yet of the hosts to connect to");
    on_attempt_failed(place);
    return;
  }
  const auto connection = begin_to_connect(place);
  if (!connection) {
    report(host::Event::Severity::Error, session.settings().name, connection.error().message);
    on_attempt_failed(place);
    return;
  }
  place.dialing = *connection;
  Connection& entry = enter(*connection);
  entry.session = &session;
}

std::expected<net::ConnectionId, base::Error> Worker::begin_to_connect(Place& place) {
  const ClientGroup& client = *place.client;
  const net::Address& address = place.dialer->begin_attempt();
  const std::int64_t deadline_ns = now_.steady_ns + client.connect_timeout_ns;
  const auto& endpoint = client.tls[place.hosts[place.dialer->attempted()]];
  return endpoint != nullptr ? tls_->connect_tls(address, client.socket, deadline_ns, endpoint)
                             : reactor_->connect(address, client.socket, deadline_ns);
}

void Worker::take_addresses(Place& place) {
  // The version first: a change between the two reads is read again later.
  place.hosts_version = place.client->hosts->version();
  std::vector<net::Address> addresses;
  place.hosts.clear();
  for (const config::ClientAddress& each : place.client->hosts->addresses()) {
    addresses.push_back(each.address);
    place.hosts.push_back(each.host);
  }
  place.dialer->set_addresses(std::move(addresses));
}

/// The next attempt may use another address of the same name.
void Worker::on_attempt_failed(Place& place) noexcept {
  place.dialer->on_down(now_.steady_ns);
  if (!place.client->hosts->has_names()) {
    return;
  }
  place.client->hosts->want();
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
  Place& place = places_[session.number()];
  place.dialing.reset();
  const tls::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const std::string why =
          config::peer_refusal(session.settings().name, session.settings().tls_peer, peer);
      !why.empty()) {
    *entry = {};
    reactor_->close(connection);
    place.dialer->on_down(now_.steady_ns);
    report(host::Event::Severity::Error, session.settings().name, why);
    needs_attention(session);
    return;
  }
  if (peer != nullptr) {
    report(host::Event::Severity::Info, session.settings().name, "connected with " + peer->text());
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
  Place& place = places_[session.number()];
  place.dialing.reset();
  on_attempt_failed(place);
  if (failure != net::ConnectFailure::TlsFailed) {  // That one has been reported in detail.
    // With several addresses only the text shows which of them failed.
    report(host::Event::Severity::Warning, session.settings().name,
           std::string(net::to_text(failure)) + ": " + place.dialer->attempted_address().text() +
               " (" + std::generic_category().message(error_number) + ")");
  }
  needs_attention(session);
}

void Worker::connect(host::HostedSession& session) noexcept {
  Place& place = places_[session.number()];
  if (!place.dialer || finishing_ || !place.enabled) {
    return;
  }
  if (place.leaving) {
    place.wanted_afterwards = true;  // If it is being restarted, and not removed.
    return;
  }
  if (place.dialer->wanted()) {
    return;
  }
  place.dialer->set_wanted(true);
  // Else it dials when its present connection has ended.
  if (!session.connected()) {
    place.dialer->start(now().steady_ns);
    needs_attention(session);
  }
}

void Worker::log_out(host::HostedSession& session, std::string_view text) noexcept {
  Place& place = places_[session.number()];
  place.wanted_afterwards = false;
  go_down(place, host::EndedBy::Application, text);
}

void Worker::give_up_dialing(Place& place) noexcept {
  if (!place.dialing) {
    return;
  }
  reactor_->close(*place.dialing);
  if (Connection* entry = find(*place.dialing)) {
    *entry = {};
  }
  place.dialing.reset();
}

void Worker::on_logon_window(host::HostedSession& session) noexcept {
  Place& place = places_[session.number()];
  if (!place.dialer || place.dialer->open() == session.may_log_on()) {
    return;
  }
  place.dialer->set_open(session.may_log_on());
  if (!session.may_log_on()) {
    give_up_dialing(place);
  } else if (!session.connected()) {
    place.dialer->start(now().steady_ns);
  }
  needs_attention(session);
}

void Worker::finish(std::string_view text) noexcept {
  tell_start_warnings();  // An engine stopped before its first turn still logs its warnings.
  finishing_ = true;
  if (gate_ != nullptr) {
    gate_->stop();
  }
  for (Place& place : places_) {
    if (place.session != nullptr) {
      refuse_newcomer(place, "the engine is stopping");
      place.wanted_afterwards = false;
      go_down(place, host::EndedBy::Stop, text);
    }
  }
}

void Worker::abandon() noexcept {
  for (Place& place : places_) {
    if (place.session != nullptr) {
      place.session->journal().abandon();
    }
  }
}

bool Worker::dialing(const host::HostedSession& session) const noexcept {
  const Place& place = places_[session.number()];
  return place.dialing.has_value() || (place.dialer && place.dialer->wanted());
}

void Worker::show_enabled(const host::HostedSession& session,
                          host::SessionSight& sight) const noexcept {
  const Place& place = places_[session.number()];
  sight.enabled = place.enabled;
  sight.switched_utc_ns = place.switched_utc_ns;
  if (!place.enabled) {
    sight.disabled_why.set(place.disabled_why);
  }
}

bool Worker::all_down() const noexcept {
  return std::none_of(places_.begin(), places_.end(), [this](const Place& place) {
    return place.session != nullptr && (place.session->connected() || dialing(*place.session));
  });
}

void Worker::on_session_up(host::HostedSession& session) noexcept {
  Place& place = places_[session.number()];
  place.was_up = true;
  place.retire_at_ns = never_ns;
  if (place.dialer) {
    place.dialer->on_logged_on();
  }
}

void Worker::on_session_down(host::HostedSession& session) noexcept {
  Place& place = places_[session.number()];
  place.address_place.give_back();
  if (place.dialer) {
    place.dialer->on_down(now_.steady_ns);
  }
  if (place.of_template) {
    set_retirement(place);
  }
  needs_attention(session);
}

// --- Journals ---

void Worker::tell_pages() noexcept {
  // Before the wake: the woken thread looks at it.
  pages_came_.store(true, std::memory_order_release);
  reactor_->waker().wake();
}

void Worker::read_histories() noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Resend);
  bool read = false;
  for (Place& place : places_) {
    read = (place.session != nullptr && place.session->journal().read_ahead()) || read;
  }
  if (read) {
    tell_pages();
  }
}

bool Worker::prepare_journals() noexcept {
  preparations_.fetch_add(1, std::memory_order_relaxed);
  bool did = false;
  roster_.prepare_each(
      [&did](host::RosterEntry& entry) { did = entry.journal.read_ahead() || did; });
  if (did) {
    tell_pages();
  }
  bool failed = false;
  roster_.prepare_each([&](host::RosterEntry& entry) {
    if (entry.journal.needs_preparation()) {
      const bool prepared = entry.journal.prepare().has_value();
      did = did || prepared;
      failed = failed || !prepared;
      // A worker woken on this processor meanwhile has waited long enough: the system would let
      // this thread go on for milliseconds.
      std::this_thread::yield();
    }
  });
  preparation_failed_.store(failed, std::memory_order_relaxed);
  preparations_.fetch_add(1, std::memory_order_relaxed);
  return did;
}

bool Worker::flush_journals() noexcept {
  std::unique_lock guard(roster_.flushing(), std::try_to_lock);
  if (!guard.owns_lock()) {
    return false;  // Another thread does it already.
  }
  const std::int64_t now_ns = reactor_->now().steady_ns;
  take_round();
  mark_rounds_.save_due(now_ns);
  bool flushed = false;
  bool failed = false;
  std::erase_if(flush_due_, [&](host::RosterEntry* entry) {
    if (entry->unflushed.not_before_ns > now_ns) {
      return false;
    }
    flushed = true;
    if (flush(*entry, now_ns)) {
      return true;
    }
    failed = true;
    // It is tried again, unless the worker has added it again meanwhile.
    return !unflushed_.keep(entry->unflushed);
  });
  finish_round(now_ns);
  if (flushed) {
    flush_active_until_ns_ = now_ns + flush_intervals_active * flush_interval_ns_;
  }
  guard.unlock();
  if (failed) {
    flush_failed_.store(true, std::memory_order_relaxed);
  }
  if (flushed) {
    // Before the wake: the woken thread looks at it.
    flushed_.store(true, std::memory_order_relaxed);
    reactor_->waker().wake();
  }
  return flushed;
}

// Entries listed now were appended before the round was opened, or belong to it all the same.
void Worker::take_round() {
  const bool opened = mark_rounds_.take();
  take_unflushed();
  if (opened) {
    for (host::RosterEntry* const entry : flush_due_) {
      entry->in_round = true;
    }
    round_left_ = flush_due_.size();
  }
}

void Worker::finish_round(std::int64_t now_ns) noexcept {
  if (mark_rounds_.is_taken() && round_left_ == 0) {
    mark_rounds_.finish(now_ns);
  }
}

void Worker::take_unflushed() {
  for (host::FlushList::Entry* entry = unflushed_.take(); entry != nullptr; entry = entry->next) {
    flush_due_.push_back(entry->owner);
  }
}

/// False: it failed.
bool Worker::flush(host::RosterEntry& journal, std::int64_t now_ns) noexcept {
  host::FlushList::begin(journal.unflushed);
  const bool done = journal.journal.flush().has_value();
  journal.unflushed.not_before_ns =
      now_ns + (done ? journal.flush_interval_ns : preparation_pause_ns);
  if (done && std::exchange(journal.in_round, false)) {
    --round_left_;
  }
  return done;
}

std::int64_t Worker::flush_pause_ns() noexcept {
  const std::lock_guard guard(roster_.flushing());
  const std::int64_t now_ns = reactor_->now().steady_ns;
  std::int64_t pause_ns = never_ns;
  for (const host::RosterEntry* entry : flush_due_) {
    const std::int64_t due_ns = entry->unflushed.not_before_ns;
    pause_ns = std::min(pause_ns, std::max<std::int64_t>(due_ns - now_ns, 0));
  }
  // While there is work, a look at each interval saves the worker the system call for waking.
  if (flush_interval_ns_ != 0 && now_ns < flush_active_until_ns_) {
    pause_ns = std::min(pause_ns, flush_interval_ns_);
  }
  if (mark_rounds_.is_waiting()) {
    return 0;
  }
  if (pause_ns == never_ns && !unflushed_.rest()) {
    return 0;
  }
  const std::int64_t save_ns = mark_rounds_.next_save_ns();
  return save_ns == INT64_MAX ? pause_ns
                              : std::min(pause_ns, std::max<std::int64_t>(save_ns - now_ns, 0));
}

void Worker::enter_roster(host::RosterEntry& entry) {
  roster_.add(entry, [this, &entry] {
    if (const std::int64_t interval_ns = entry.flush_interval_ns; interval_ns != 0) {
      flush_interval_ns_ =
          flush_interval_ns_ == 0 ? interval_ns : std::min(flush_interval_ns_, interval_ns);
    } else if (entry.flushes) {
      // Relaxed: the flushing thread looks each time.
      awaits_flushes_.store(true, std::memory_order_relaxed);
    }
  });
}

void Worker::leave_roster(host::RosterEntry& entry) {
  roster_.remove(entry, [this, &entry] {
    const bool all_flushed = mark_rounds_.is_used() && entry.flushes && flush_all();
    take_unflushed();
    std::erase(flush_due_, &entry);
    if (std::exchange(entry.in_round, false)) {
      --round_left_;
    }
    mark_rounds_.leave(entry, all_flushed);
  });
}

// Flushes everything that the worker has sent so far, due or not.
bool Worker::flush_all() noexcept {
  take_round();
  const std::int64_t now_ns = reactor_->now().steady_ns;
  std::erase_if(flush_due_, [&](host::RosterEntry* entry) {
    return flush(*entry, now_ns) || !unflushed_.keep(entry->unflushed);
  });
  const bool all = flush_due_.empty();
  finish_round(now_ns);
  return all;
}

// Nothing is sent after the last turn. A journal closed without this counts as one that may have
// lost its end, should the machine go down.
void Worker::vouch_for_all() noexcept {
  if (!mark_rounds_.is_used()) {
    return;
  }
  const std::lock_guard guard(roster_.flushing());
  for (const Place& place : places_) {
    if (place.session != nullptr && place.session->roster_entry()->flushes) {
      list_unflushed(*place.session);
    }
  }
  const bool all_flushed = flush_all();
  for (const Place& place : places_) {
    if (place.session != nullptr && place.session->roster_entry()->flushes) {
      mark_rounds_.depart(*place.session->roster_entry());
      mark_rounds_.leave(*place.session->roster_entry(), all_flushed);
    }
  }
}

bool Worker::take_preparation_request() noexcept {
  preparation_waits_ = (gate_ != nullptr && gate_->take_wish_notice()) || preparation_waits_;
  if (!preparation_waits_ ||
      (now_.steady_ns < preparation_not_before_ns_ && awaiting_pages_.empty())) {
    return false;
  }
  preparation_waits_ = false;
  if (preparation_failed_.load(std::memory_order_relaxed)) {
    preparation_not_before_ns_ = now_.steady_ns + preparation_pause_ns;
  }
  return true;
}

}  // namespace affix::inline v0::engine
