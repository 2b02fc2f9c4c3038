// SPDX-License-Identifier: MIT
// Connections of the load's sessions, their orders, and the reactor's turns.
#include "bench/load/load_peers.hpp"

#include "affix/os/thread_precedence.hpp"
#include "affix/service/stop_signals.hpp"

#include <algorithm>
#include <limits>
#include <sys/resource.h>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::uint32_t hostile_bit = 1U << 31;
constexpr std::uint64_t no_limit = ~std::uint64_t{0};
constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

// Maximum number of sessions logging on at one time: acceptors have limits for that.
constexpr std::uint32_t connecting_max = 32;
constexpr std::int64_t connect_timeout_ns = 5 * base::ns_per_second;
constexpr std::int64_t retry_ns = 100 * base::ns_per_ms;
constexpr std::int64_t storm_pause_max_ns = 200 * base::ns_per_ms;

// Number of attempts after which a session that never logged on is taken to be unknown to the
// server.
constexpr std::uint32_t refusals_max = 5;

// Several targets. A node that does not lead closes the connection at once; one that is gone never
// answers.
constexpr std::int64_t cluster_connect_timeout_ns = 250 * base::ns_per_ms;
constexpr std::int64_t cluster_retry_ns = 20 * base::ns_per_ms;

constexpr std::int64_t periodic_ns = 50 * base::ns_per_ms;
constexpr std::int64_t busy_periodic_ns = base::ns_per_ms;
constexpr std::int64_t heartbeats_ns = 500 * base::ns_per_ms;

// Each connection needs a descriptor; the usual limit of 1024 is only a default.
void raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  }
}

}  // namespace

LoadPeers::LoadPeers(const LoadOptions& options, std::vector<net::Address> targets,
                     std::unique_ptr<net::Reactor> reactor)
    : options_(options),
      targets_(std::move(targets)),
      reactor_(std::move(reactor)),
      owners_(reactor_->options().connections_max),
      random_(options.seed),
      now_(reactor_->now()) {}

std::expected<std::unique_ptr<LoadPeers>, base::Error> LoadPeers::make(const LoadOptions& options) {
  std::vector<net::Address> targets;
  for (const std::string& place : targets_of(options)) {
    const auto found = net::wait_resolve(place);
    if (!found) {
      return std::unexpected(found.error());
    }
    targets.push_back(found->front());
  }
  raise_descriptor_limit();
  // Paced orders are due to the microsecond; the kernel's default delays wake-ups by up to 50 more.
  os::wake_on_time();
  net::ReactorOptions limits;
  limits.connections_max = options.sessions + options.hostile.total() + connecting_max;
  limits.rx_buffer_capacity = 256 * 1024;
  limits.tx_buffer_capacity = 4 * 1024 * 1024;
  auto reactor = net::make_reactor(options.reactor, limits);
  if (!reactor) {
    return std::unexpected(std::move(reactor.error()));
  }
  const net::Address first = targets.front();
  std::unique_ptr<LoadPeers> peers(new LoadPeers(options, std::move(targets), std::move(*reactor)));
  if (auto added = peers->add_sessions(); !added) {
    return std::unexpected(std::move(added.error()));
  }
  auto hostile = HostilePeers::make(options, first, *peers->reactor_, peers->scratch_);
  if (!hostile) {
    return std::unexpected(std::move(hostile.error()));
  }
  peers->hostile_ = std::move(*hostile);
  return peers;
}

std::expected<void, base::Error> LoadPeers::add_sessions() {
  for (std::uint32_t at = 0; at < options_.sessions; ++at) {
    auto messages =
        LoadMessages::make(identity_of(options_, options_.first_session + at), options_.shape);
    if (!messages) {
      return std::unexpected(std::move(messages.error()));
    }
    peers_.emplace_back(LoadSession(std::move(*messages), options_.session));
    down_.push_back(at);
  }
  return {};
}

std::expected<void, base::Error> LoadPeers::log_on(std::int64_t timeout_ns) {
  const std::int64_t deadline_ns = now().steady_ns + timeout_ns;
  while (!all_active()) {
    const base::Now now = turn();
    if (!refusal_.empty()) {
      return std::unexpected(
          base::Error{base::ErrorCode::Denied, refusal_, options_.target, "L103"});
    }
    if (now.steady_ns >= deadline_ns) {
      return std::unexpected(
          base::Error{base::ErrorCode::Denied,
                      std::to_string(active_) + " of " + std::to_string(peers_.size()) +
                          " sessions logged on in time" + (trouble_.empty() ? "" : "; " + trouble_),
                      options_.target, "L103"});
    }
  }
  return {};
}

std::expected<void, base::Error> LoadPeers::make_history(std::int64_t patience_ns) {
  std::uint64_t missing = hostile_->missing_history();
  if (missing == 0) {
    return {};
  }
  hostile_->start();
  std::int64_t last_progress_ns = now().steady_ns;
  while (missing != 0 && !service::StopSignals::requested()) {
    const base::Now now = turn();
    const std::uint64_t left = hostile_->missing_history();
    last_progress_ns = left != missing ? now.steady_ns : last_progress_ns;
    missing = left;
    if (now.steady_ns - last_progress_ns >= patience_ns) {
      return std::unexpected(base::Error{
          base::ErrorCode::Denied,
          std::to_string(missing) + " reports of the sessions that ask for them again did not come",
          options_.target, "L105"});
    }
  }
  hostile_->stop();
  return {};
}

void LoadPeers::begin_round(const LoadRound& round) {
  round_ = round;
  in_round_ = true;
  round_begin_ns_ = now().steady_ns;
  now_.steady_ns = round_begin_ns_;
  written_ = 0;
  to_write_ = round.messages == 0 ? no_limit : round.messages * peers_.size();
  sending_end_ns_ = round.duration_ns == 0 ? no_end : round_begin_ns_ + round.duration_ns;
  if (round.rate > 0 && round.duration_ns != 0) {
    // Orders due within the time are sent even if the server delayed them: their delay matters
    // most. The wait ends only if the server accepts nothing any more.
    const double due = round.rate * static_cast<double>(round.duration_ns) / 1e9;
    to_write_ = std::min(to_write_, static_cast<std::uint64_t>(due));
    sending_end_ns_ += static_cast<std::int64_t>(options_.answer_timeout_seconds * 1e9);
  }
  storm_dropped_ = 0;
  next_periodic_ns_ = 0;
  for (std::uint32_t index = 0; index < peers_.size(); ++index) {
    peers_[index].left = round.messages == 0 ? no_limit : round.messages;
    make_ready(index);
  }
  if (round.hostile) {
    hostile_->start();
  }
}

void LoadPeers::end_round() noexcept {
  in_round_ = false;
  hostile_->stop();
}

bool LoadPeers::sending() const noexcept {
  return in_round_ && written_ < to_write_ && now_.steady_ns < sending_end_ns_;
}

base::Now LoadPeers::turn() {
  if (now_.steady_ns >= next_periodic_ns_) {
    attend_periodically(now_);
  }
  if (now_.steady_ns >= hostile_->next_act_ns()) {
    hostile_->act(now_, [this](std::uint32_t index, net::ConnectionId connection) {
      own(connection, index | hostile_bit);
    });
  }
  if (sending()) {
    if (round_.rate == 0) {
      send_flood();
    } else {
      send_paced();
    }
  }
  reactor_->submit();
  static_cast<void>(reactor_->poll(now_, wait(now_), *this));
  now_ = reactor_->now();
  return now_;
}

net::Wait LoadPeers::wait(base::Now now) const noexcept {
  if (options_.spin) {
    return net::Wait::spin();
  }
  std::int64_t deadline_ns = std::min(next_periodic_ns_, hostile_->next_act_ns());
  if (sending()) {
    if (round_.rate == 0) {
      deadline_ns = ready_.empty() ? deadline_ns : now.steady_ns;
    } else if (!none_can_send_) {  // Otherwise an event or an attempt to connect comes first.
      const double due_ns = static_cast<double>(written_) * 1e9 / round_.rate;
      deadline_ns = std::min(deadline_ns, round_begin_ns_ + static_cast<std::int64_t>(due_ns));
    }
  }
  return net::Wait::block_until(deadline_ns);
}

bool LoadPeers::can_send(const Peer& peer) const noexcept {
  const std::uint64_t batch = std::min<std::uint64_t>(options_.per_write, peer.left);
  return peer.active && !peer.parked && batch != 0 && peer.session.room() >= batch;
}

void LoadPeers::make_ready(std::uint32_t index) {
  Peer& peer = peers_[index];
  if (in_round_ && round_.rate == 0 && !peer.in_ready && can_send(peer)) {
    peer.in_ready = true;
    ready_.push_back(index);
  }
}

void LoadPeers::send_flood() {
  // Each session that may send has one write per turn, so that none waits for another's whole
  // window.
  sending_now_.swap(ready_);
  for (const std::uint32_t index : sending_now_) {
    Peer& peer = peers_[index];
    peer.in_ready = false;
    if (can_send(peer)) {
      const base::Now now = reactor_->now();
      send_orders(index, options_.per_write, now.steady_ns, now);
      make_ready(index);
    }
  }
  sending_now_.clear();
}

void LoadPeers::send_paced() {
  const double interval_ns = 1e9 / round_.rate;
  none_can_send_ = false;
  while (written_ < to_write_) {
    const std::int64_t intended_ns =
        round_begin_ns_ + static_cast<std::int64_t>(static_cast<double>(written_) * interval_ns);
    if (intended_ns > now_.steady_ns) {
      return;
    }
    std::size_t looked_at = 0;
    while (looked_at < peers_.size() && !can_send(peers_[next_paced_])) {
      next_paced_ = (next_paced_ + 1) % peers_.size();
      ++looked_at;
    }
    if (looked_at == peers_.size()) {
      none_can_send_ = true;
      return;
    }
    // The last write may be shorter: only due orders are sent.
    const std::uint64_t count = std::min<std::uint64_t>(options_.per_write, to_write_ - written_);
    send_orders(static_cast<std::uint32_t>(next_paced_), count, intended_ns, reactor_->now());
    next_paced_ = (next_paced_ + 1) % peers_.size();
  }
}

void LoadPeers::send_orders(std::uint32_t index, std::uint64_t count, std::int64_t intended_ns,
                            base::Now now) {
  Peer& peer = peers_[index];
  const std::uint64_t batch = std::min(count, peer.left);
  for (std::uint64_t order = 0; order < batch; ++order) {
    peer.session.write_order(intended_ns, now, scratch_);
  }
  peer.left -= batch;
  written_ += batch;
  outstanding_ += batch;
  flush(index);
}

void LoadPeers::flush(std::uint32_t index) {
  if (scratch_.out.empty()) {
    return;
  }
  Peer& peer = peers_[index];
  const net::SendResult result = reactor_->send(peer.id, scratch_.out.bytes());
  scratch_.out.clear();
  if (result == net::SendResult::Parked) {
    peer.parked = true;
  } else if (result == net::SendResult::Overflow) {
    // The answer to a resend request exceeds the output limit; the server requests it again.
    ++lost_connections_;
    drop(index, now_.steady_ns + retry_ns);
  }
}

void LoadPeers::attend_periodically(base::Now now) {
  const bool busy = !down_.empty() || (in_round_ && round_.storm_rate > 0);
  next_periodic_ns_ = now.steady_ns + (busy ? busy_periodic_ns : periodic_ns);
  drop_some(now);
  leave_silent_nodes(now);
  connect_due(now);
  if (now.steady_ns < next_heartbeats_ns_) {
    return;
  }
  next_heartbeats_ns_ = now.steady_ns + heartbeats_ns;
  for (std::uint32_t index = 0; index < peers_.size(); ++index) {
    const bool silent = peers_[index].session.on_time(now, scratch_);
    flush(index);
    if (silent) {
      ++lost_connections_;
      trouble_ =
          trouble_.empty() ? "the server has been silent for three heartbeat intervals" : trouble_;
      drop(index, now.steady_ns + retry_ns);
    }
  }
}

void LoadPeers::drop_some(base::Now now) {
  if (!sending() || round_.storm_rate <= 0) {
    return;
  }
  const double due = static_cast<double>(now.steady_ns - round_begin_ns_) * round_.storm_rate / 1e9;
  while (storm_dropped_ < static_cast<std::uint64_t>(due)) {
    ++storm_dropped_;
    const auto index = static_cast<std::uint32_t>(random_.below(peers_.size()));
    if (peers_[index].active) {
      const std::int64_t pause_ns = random_.chance(50) ? 0 : random_.between(1, storm_pause_max_ns);
      ++dropped_;
      drop(index, now.steady_ns + pause_ns);
    }
  }
}

void LoadPeers::leave_silent_nodes(base::Now now) {
  if (!in_cluster() || leaving_) {
    return;
  }
  const auto patience_ns = static_cast<std::int64_t>(options_.silence_seconds * 1e9);
  for (std::uint32_t index = 0; index < peers_.size(); ++index) {
    Peer& peer = peers_[index];
    if (peer.active && peer.session.silent_for_ns(now) > patience_ns) {
      ++lost_connections_;
      turn_to_next_target(peer);
      drop(index, now.steady_ns);
    }
  }
}

void LoadPeers::drop(std::uint32_t index, std::int64_t connect_at_ns) {
  Peer& peer = peers_[index];
  if (peer.connection == Connection::None) {
    return;
  }
  reactor_->close(peer.id);
  peer.connection = Connection::None;
  peer.session.on_disconnected();
  peer.lost_ns = peer.active ? now_.steady_ns : peer.lost_ns;
  set_active(peer, false);
  set_connecting(peer, false);
  peer.connect_at_ns = connect_at_ns;
  down_.push_back(index);
}

void LoadPeers::connect_due(base::Now now) {
  std::size_t kept = 0;
  for (const std::uint32_t index : down_) {
    Peer& peer = peers_[index];
    if ((connecting_ >= connecting_max && !in_cluster()) || peer.connect_at_ns > now.steady_ns) {
      down_[kept++] = index;
      continue;
    }
    const auto id = reactor_->connect(
        targets_[peer.target], {},
        now.steady_ns + (in_cluster() ? cluster_connect_timeout_ns : connect_timeout_ns));
    if (!id) {
      trouble_ = trouble_.empty() ? id.error().text() : trouble_;
      peer.connect_at_ns = now.steady_ns + retry_ns;
      down_[kept++] = index;
      continue;
    }
    peer.id = *id;
    peer.connection = Connection::Opening;
    peer.parked = false;
    peer.dialed_ns = now.steady_ns;
    set_connecting(peer, true);
    own(*id, index);
  }
  down_.resize(kept);
}

void LoadPeers::own(net::ConnectionId connection, std::uint32_t owner) {
  owners_[connection.slot] = owner;
}

void LoadPeers::turn_to_next_target(Peer& peer) noexcept {
  peer.target = peer.target + 1 < targets_.size() ? peer.target + 1 : 0;
}

void LoadPeers::set_active(Peer& peer, bool active) noexcept {
  active_ = active_ - (peer.active ? 1U : 0U) + (active ? 1U : 0U);
  peer.active = active;
}

void LoadPeers::set_connecting(Peer& peer, bool connecting) noexcept {
  connecting_ = connecting_ - (peer.connecting ? 1U : 0U) + (connecting ? 1U : 0U);
  peer.connecting = connecting;
}

void LoadPeers::on_connected(net::ConnectionId connection) noexcept {
  const std::uint32_t owner = owners_[connection.slot];
  const base::Now now = reactor_->now();
  if ((owner & hostile_bit) != 0) {
    hostile_->on_connected(owner & ~hostile_bit, now);
    return;
  }
  Peer& peer = peers_[owner];
  peer.connection = Connection::Open;
  peer.session.on_connected(now, scratch_);
  flush(owner);
  if (peer.session.phase() == LoadSession::Phase::Active) {
    set_active(peer, true);
    set_connecting(peer, false);
  }
}

void LoadPeers::on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                                  int /*error_number*/) noexcept {
  const std::uint32_t owner = owners_[connection.slot];
  if ((owner & hostile_bit) != 0) {
    hostile_->on_connect_failed(owner & ~hostile_bit);
    return;
  }
  after_connection(owner, net::to_text(failure), reactor_->now());
}

std::size_t LoadPeers::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  const std::uint32_t owner = owners_[connection.slot];
  const base::Now now = reactor_->now();
  if ((owner & hostile_bit) != 0) {
    return hostile_->on_bytes(owner & ~hostile_bit, bytes, now);
  }
  Peer& peer = peers_[owner];
  const std::uint64_t before = peer.session.outstanding();
  scratch_.session = options_.first_session + owner;
  const std::size_t done = peer.session.on_bytes(bytes, now, scratch_);
  outstanding_ -= before - peer.session.outstanding();
  flush(owner);
  if (peer.session.phase() == LoadSession::Phase::Over) {
    reactor_->close(connection);
    after_connection(owner, "logged out by the server", now);
  } else if (peer.session.phase() == LoadSession::Phase::Active) {
    if (!peer.active) {
      set_active(peer, true);
      set_connecting(peer, false);
      peer.refusals = 0;
      if (scratch_.answers != nullptr && peer.lost_ns != 0) {
        scratch_.answers->add(LoggedEvent::Logon, scratch_.session, peer.lost_ns, peer.dialed_ns,
                              now.steady_ns);
      }
    }
    make_ready(owner);
  }
  return done;
}

void LoadPeers::on_drained(net::ConnectionId connection) noexcept {
  const std::uint32_t owner = owners_[connection.slot];
  if ((owner & hostile_bit) == 0) {
    peers_[owner].parked = false;
    make_ready(owner);
  }
}

void LoadPeers::on_closed(net::ConnectionId connection, net::CloseReason reason,
                          int /*error_number*/) noexcept {
  const std::uint32_t owner = owners_[connection.slot];
  if ((owner & hostile_bit) != 0) {
    hostile_->on_closed(owner & ~hostile_bit);
    return;
  }
  after_connection(owner, net::to_text(reason), reactor_->now());
}

void LoadPeers::after_connection(std::uint32_t index, std::string_view reason, base::Now now) {
  Peer& peer = peers_[index];
  const bool was_active = peer.active;
  const bool was_connecting = peer.connecting;
  peer.lost_ns = was_active ? now.steady_ns : peer.lost_ns;
  peer.connection = Connection::None;
  set_active(peer, false);
  set_connecting(peer, false);
  if (leaving_) {
    return;
  }
  const std::string& words = peer.session.last_words();
  const std::string reported = "session " + peer.session.messages().identity().sender_comp_id +
                               ": " + (words.empty() ? std::string(reason) : words);
  peer.session.on_disconnected();
  trouble_ = trouble_.empty() ? reported : trouble_;
  if (was_active) {
    ++lost_connections_;
  } else if (was_connecting) {
    ++refused_;
    if (++peer.refusals == refusals_max && peer.session.counters().logons == 0 && !in_cluster()) {
      refusal_ = reported + ", " + std::to_string(refusals_max) + " times";
    }
  }
  peer.connect_at_ns = now.steady_ns + retry_ns;
  if (in_cluster()) {
    // Whoever has just lost its node tries the next one at once.
    turn_to_next_target(peer);
    peer.connect_at_ns = now.steady_ns + (was_active ? 0 : cluster_retry_ns);
  }
  next_periodic_ns_ = std::min(next_periodic_ns_, peer.connect_at_ns);
  down_.push_back(index);
}

std::uint64_t LoadPeers::log_out(std::int64_t timeout_ns) {
  leaving_ = true;
  in_round_ = false;
  down_.clear();
  const base::Now begin = now();
  std::uint64_t bad = 0;
  for (std::uint32_t index = 0; index < peers_.size(); ++index) {
    Peer& peer = peers_[index];
    if (!peer.active) {
      ++bad;
      continue;
    }
    peer.session.write_logout(begin, scratch_);
    flush(index);
    if (peer.session.phase() == LoadSession::Phase::Over) {
      reactor_->close(peer.id);
      set_active(peer, false);
    }
  }
  while (active_ != 0 && now_.steady_ns - begin.steady_ns < timeout_ns) {
    static_cast<void>(turn());
  }
  for (const Peer& peer : peers_) {
    bad += peer.session.phase() == LoadSession::Phase::LoggingOut ? 1U : 0U;
  }
  return bad;
}

LoadCounters LoadPeers::counters() const noexcept {
  LoadCounters sum;
  for (const Peer& peer : peers_) {
    sum.add(peer.session.counters());
  }
  return sum;
}

std::vector<std::uint64_t> LoadPeers::answered_by_session() const {
  std::vector<std::uint64_t> answered;
  answered.reserve(peers_.size());
  for (const Peer& peer : peers_) {
    answered.push_back(peer.session.counters().answered);
  }
  return answered;
}

const HostileCounters& LoadPeers::hostile_counters() const noexcept {
  return hostile_->counters();
}

}  // namespace affix::inline v0::tools::bench
