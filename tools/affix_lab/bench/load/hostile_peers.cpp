// SPDX-License-Identifier: MIT
// Behaviour of each kind of hostile peer.
#include "bench/load/hostile_peers.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::int64_t hostile_connect_timeout_ns = 5 * base::ns_per_second;

// Orders in a frozen peer's window: their reports exceed both kernels' buffers and the server's
// own. Few enough to be written within a second, as the peer is meant to be frozen and not to
// flood, which would load every session.
constexpr std::uint32_t frozen_window = 1U << 15;
constexpr std::uint32_t frozen_batch = 16;

// The kernel's buffers are small in both directions, so that the server soon must hold the rest.
constexpr std::uint32_t frozen_kernel_bytes = 4096;

// Orders sent at once by a peer that builds a history.
constexpr std::uint64_t history_batch = 1024;

// A resend is read in pieces that delay nothing else: reading this much takes tens of microseconds.
constexpr std::uint32_t resending_kernel_bytes = 32 * 1024;

constexpr std::array<std::string_view, 6> garbage_texts{
    // A length that no message has, and one that exceeds every integer type.
    "8=FIXT.1.1\x01"
    "9=999999999\x01"
    "35=A\x01",
    "8=FIX.4.4\x01"
    "9=99999999999999999999999\x01",
    // A Logon without an end, a complete message with a wrong checksum, and one for an unknown
    // session.
    "8=FIX.4.4\x01"
    "9=5000\x01"
    "35=A\x01"
    "49=",
    "8=FIX.4.4\x01"
    "9=5\x01"
    "35=0\x01"
    "10=000\x01",
    "8=FIX.4.4\x01"
    "9=34\x01"
    "35=A\x01"
    "34=1\x01"
    "49=NOBODY\x01"
    "56=NOWHERE\x01"
    "10=100\x01",
    "GET / HTTP/1.1\r\n\r\n"};

}  // namespace

HostilePeers::HostilePeers(const LoadOptions& options, const net::Address& target,
                           net::Reactor& reactor, LoadScratch& scratch)
    : options_(options),
      target_(target),
      reactor_(reactor),
      scratch_(scratch),
      random_(options.seed),
      next_number_(options.first_session + options.sessions) {}

std::expected<std::unique_ptr<HostilePeers>, base::Error> HostilePeers::make(
    const LoadOptions& options, const net::Address& target, net::Reactor& reactor,
    LoadScratch& scratch) {
  std::unique_ptr<HostilePeers> peers(new HostilePeers(options, target, reactor, scratch));
  const HostileCounts& counts = options.hostile;
  for (const auto& [kind, count] :
       {std::pair{Kind::Frozen, counts.frozen}, std::pair{Kind::Dribbling, counts.dribbling},
        std::pair{Kind::Garbage, counts.garbage}, std::pair{Kind::HalfLogon, counts.half_logons},
        std::pair{Kind::Silent, counts.connections},
        std::pair{Kind::Resending, counts.resending}}) {
    if (auto added = peers->add(kind, count); !added) {
      return std::unexpected(std::move(added.error()));
    }
  }
  return peers;
}

std::expected<void, base::Error> HostilePeers::add(Kind kind, std::uint32_t count) {
  for (std::uint32_t at = 0; at < count; ++at) {
    Peer peer;
    peer.kind = kind;
    if (kind == Kind::Frozen || kind == Kind::Dribbling || kind == Kind::Resending) {
      auto messages = LoadMessages::make(identity_of(options_, next_number_++), options_.shape);
      if (!messages) {
        return std::unexpected(std::move(messages.error()));
      }
      LoadSessionOptions session = options_.session;
      session.window = kind == Kind::Frozen ? frozen_window : session.window;
      peer.session = std::make_unique<LoadSession>(std::move(*messages), session);
    }
    peers_.push_back(std::move(peer));
  }
  return {};
}

std::uint64_t HostilePeers::missing_history() const noexcept {
  std::uint64_t missing = 0;
  for (const Peer& peer : peers_) {
    if (peer.kind == Kind::Resending) {
      const std::uint64_t answered = peer.session->counters().answered;
      missing += options_.resend_messages - std::min(answered, options_.resend_messages);
    }
  }
  return missing;
}

void HostilePeers::stop() noexcept {
  at_work_ = false;
  for (Peer& peer : peers_) {
    if (peer.connection != Connection::None) {
      reactor_.close(peer.id);
      peer.connection = Connection::None;
    }
    if (peer.session) {
      peer.session->on_disconnected();
    }
  }
}

bool HostilePeers::connect(std::uint32_t index, base::Now now) {
  net::SocketOptions options;
  if (peers_[index].kind == Kind::Frozen) {
    options.receive_buffer_bytes = frozen_kernel_bytes;
    options.send_buffer_bytes = frozen_kernel_bytes;
  } else if (peers_[index].kind == Kind::Resending) {
    options.receive_buffer_bytes = resending_kernel_bytes;
  }
  const auto id = reactor_.connect(target_, options, now.steady_ns + hostile_connect_timeout_ns);
  if (!id) {
    ++counters_.connect_failures;
    return false;
  }
  peers_[index].id = *id;
  peers_[index].connection = Connection::Opening;
  return true;
}

void HostilePeers::on_connected(std::uint32_t index, base::Now now) {
  Peer& peer = peers_[index];
  peer.connection = Connection::Open;
  peer.sated = false;
  peer.pending.clear();
  ++counters_.connects;
  if (peer.session) {
    peer.session->on_connected(now, scratch_);
    flush(peer);
  } else if (peer.kind == Kind::HalfLogon) {
    static_cast<void>(send(peer,
                           "8=FIXT.1.1\x01"
                           "9=80\x01"
                           "35=A\x01"
                           "34=1\x01"
                           "49=CLI"));
  }
}

std::size_t HostilePeers::on_bytes(std::uint32_t index, base::PaddedBytes bytes, base::Now now) {
  Peer& peer = peers_[index];
  if (!peer.session) {
    return bytes.size;
  }
  const bool active = peer.session->phase() == LoadSession::Phase::Active;
  const std::uint64_t sent_again = peer.session->counters().sent_again;
  Latencies* const latencies = scratch_.latencies;
  scratch_.latencies = nullptr;  // Only the other peers' round trips are measured.
  const std::size_t done = peer.session->on_bytes(bytes, now, scratch_);
  scratch_.latencies = latencies;
  counters_.sent_again += peer.session->counters().sent_again - sent_again;
  flush(peer);
  if (!active && peer.session->phase() == LoadSession::Phase::Active) {
    ++counters_.logons;
    if (peer.kind == Kind::Frozen) {
      reactor_.pause_reading(peer.id);
    }
  }
  return done;
}

void HostilePeers::on_closed(std::uint32_t index) noexcept {
  Peer& peer = peers_[index];
  peer.connection = Connection::None;
  ++counters_.closed_by_server;
  if (peer.session) {
    peer.session->on_disconnected();
  }
}

void HostilePeers::on_connect_failed(std::uint32_t index) noexcept {
  peers_[index].connection = Connection::None;
  ++counters_.connect_failures;
}

void HostilePeers::do_harm(std::uint32_t index, base::Now now) {
  Peer& peer = peers_[index];
  switch (peer.kind) {
    case Kind::Frozen:
      flood(peer, now);
      break;
    case Kind::Dribbling:
      dribble(peer, now);
      break;
    case Kind::Garbage:
      send_garbage(peer);
      break;
    case Kind::Resending:
      ask_again(peer, now);
      break;
    case Kind::HalfLogon:
    case Kind::Silent:
      break;
  }
}

void HostilePeers::flood(Peer& peer, base::Now now) {
  if (peer.sated || peer.session->room() < frozen_batch) {
    return;
  }
  for (std::uint32_t order = 0; order < frozen_batch; ++order) {
    peer.session->write_order(now.steady_ns, now, scratch_);
  }
  const std::string_view bytes = scratch_.out.bytes();
  peer.sated = send(peer, bytes) != net::SendResult::Sent;
  scratch_.out.clear();
}

void HostilePeers::dribble(Peer& peer, base::Now now) {
  if (peer.pending.empty()) {
    if (peer.session->room() == 0) {
      return;
    }
    peer.session->write_order(now.steady_ns, now, scratch_);
    peer.pending = scratch_.out.bytes();
    scratch_.out.clear();
  }
  static_cast<void>(send(peer, std::string_view(peer.pending).substr(0, 1)));
  peer.pending.erase(0, 1);
}

void HostilePeers::ask_again(Peer& peer, base::Now now) {
  LoadSession& session = *peer.session;
  if (session.phase() != LoadSession::Phase::Active) {
    return;
  }
  const std::uint64_t ordered = session.counters().sent;
  if (ordered < options_.resend_messages) {
    const std::uint64_t orders =
        std::min({history_batch, session.room(), options_.resend_messages - ordered});
    for (std::uint64_t order = 0; order < orders; ++order) {
      session.write_order(now.steady_ns, now, scratch_);
    }
  } else if (asking_ && session.outstanding() == 0 && !session.asking()) {
    session.ask_again(now, scratch_);
  }
  static_cast<void>(session.on_time(now, scratch_));
  flush(peer);
}

void HostilePeers::send_garbage(Peer& peer) {
  const std::uint64_t choice = random_.below(garbage_texts.size() + 1);
  if (choice < garbage_texts.size()) {
    static_cast<void>(send(peer, garbage_texts[choice]));
    return;
  }
  std::array<char, 512> bytes;
  for (char& byte : bytes) {
    byte = static_cast<char>(random_.next() & 0xFF);
  }
  static_cast<void>(send(peer, {bytes.data(), bytes.size()}));
}

net::SendResult HostilePeers::send(const Peer& peer, std::string_view bytes) {
  const net::SendResult result = reactor_.send(peer.id, bytes);
  if (result == net::SendResult::Sent || result == net::SendResult::Parked) {
    counters_.bytes_sent += bytes.size();
  }
  return result;
}

void HostilePeers::flush(const Peer& peer) {
  if (!scratch_.out.empty()) {
    static_cast<void>(send(peer, scratch_.out.bytes()));
    scratch_.out.clear();
  }
}

}  // namespace affix::inline v0::tools::bench
