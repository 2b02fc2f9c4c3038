// SPDX-License-Identifier: MIT
// A connection from its acceptance until its session is known.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/net/reactor.hpp"

#include "engine/logon_server.hpp"
#include "engine/peer_info.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::engine {

/// Of one slot of the gate's reactor; another connection may begin after leave(). The gate's
/// thread.
class LogonConnection {
 public:
  enum class Phase : std::uint8_t {
    Absent,          ///< The gate has no connection in this slot.
    ProxyHeader,     ///< Waits for a proxy's header, which has the peer's address.
    UncheckedLogon,  ///< Waits for its Logon, and its address is not checked: a proxy's own.
    Logon,           ///< Waits for its Logon.
    Session,         ///< Not read until its request for a session is answered.
    LogonAgain       ///< Its request is answered: the same Logon is read again.
  };

  /// Queues an accepted connection.
  void begin(LogonServer& server, net::ConnectionId connection, const net::Address& peer,
             std::int64_t now_ns);

  [[nodiscard]] Phase phase() const noexcept { return phase_; }

  [[nodiscard]] bool is(net::ConnectionId connection) const noexcept {
    return phase_ != Phase::Absent && id_ == connection;
  }

  [[nodiscard]] net::ConnectionId id() const noexcept { return id_; }

  [[nodiscard]] LogonServer& server() const noexcept { return *server_; }

  [[nodiscard]] std::int64_t accepted_ns() const noexcept { return accepted_ns_; }

  /// The peer's own, as far as known.
  [[nodiscard]] const net::Address& address() const noexcept { return address_; }

  /// Its address and name, as text.
  [[nodiscard]] const std::string& peer() const noexcept { return peer_info_.peer; }

  /// The proxy's header was read.
  void end_header() noexcept { phase_ = Phase::UncheckedLogon; }

  /// The proxy's header names this peer.
  void take_source(const net::Address& source);

  /// Its address has not been checked since it is known.
  [[nodiscard]] bool has_unchecked_address() const noexcept {
    return phase_ == Phase::UncheckedLogon;
  }

  /// Checks its address, and counts it. Returns the reason to refuse it; empty: none.
  [[nodiscard]] base::CodedText check_address();

  /// Counts garbage before its Logon. Returns the number of all such bytes.
  std::size_t skip(std::size_t bytes) noexcept { return skipped_bytes_ += bytes; }

  /// It has requested a session, and was answered.
  [[nodiscard]] bool has_requested_session() const noexcept { return phase_ == Phase::LogonAgain; }

  /// Its Logon needs a session that is to be made.
  void await_session() noexcept { phase_ = Phase::Session; }

  /// Its request is answered. False: it does not wait for an answer.
  [[nodiscard]] bool take_answer() noexcept;

  /// Ends its wait, and frees the slot.
  [[nodiscard]] PeerInfo leave() noexcept;

 private:
  net::ConnectionId id_{};
  Phase phase_ = Phase::Absent;
  LogonServer* server_ = nullptr;
  LogonServer::Queue::iterator in_line_{};
  std::int64_t accepted_ns_ = 0;
  std::size_t skipped_bytes_ = 0;
  net::Address address_{};
  PeerInfo peer_info_{};
};

}  // namespace affix::inline v0::engine
