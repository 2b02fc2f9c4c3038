// SPDX-License-Identifier: MIT
// Decides when the application must cancel a session's open orders because the session has ended
// and the peer has not come back in time. Reads no clock: callers pass the time.
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace affix::inline v0::host {

class CancelWatch {
 public:
  /// Nothing is due.
  static constexpr std::int64_t never_ns = INT64_MAX;

  explicit CancelWatch(const config::SessionSettings& settings) noexcept
      : terms_{settings.cancel_on_disconnect == config::CancelOnDisconnect::Disconnect ||
                   settings.cancel_on_disconnect == config::CancelOnDisconnect::Both,
               settings.cancel_on_disconnect == config::CancelOnDisconnect::Logout ||
                   settings.cancel_on_disconnect == config::CancelOnDisconnect::Both,
               settings.cancel_on_disconnect_grace_milliseconds * base::ns_per_ms},
        takes_tags_(settings.cancel_on_disconnect_tags) {}

  /// Reads the peer's own terms from its Logon, where it may set them: 35002 is 0 for never, 1 for
  /// a disconnection, 2 for a logout, 3 for both; 35003 is the grace in milliseconds, 60000 at
  /// most. Any other value counts as absent. They apply from on_logged_on() on: a refused Logon
  /// changes nothing.
  void on_logon_request(const wire::MessageView& logon) noexcept {
    said_.reset();
    if (!takes_tags_) {
      return;
    }
    Terms said = terms_;
    if (const auto mode = wire::parse_integer<std::uint32_t>(logon.find(35'002U).value_or(""));
        mode && *mode <= 3) {
      said.on_disconnect = (*mode & 1U) != 0;
      said.on_logout = (*mode & 2U) != 0;
      said_ = said;
    }
    if (const auto grace = wire::parse_integer<std::uint32_t>(logon.find(35'003U).value_or(""));
        grace) {
      said.grace_ns = std::min<std::int64_t>(*grace, grace_ms_max) * base::ns_per_ms;
      said_ = said;
    }
  }

  /// The peer is back: cancels a pending request.
  void on_logged_on() noexcept {
    due_ns_ = never_ns;
    if (said_) {
      terms_ = *said_;
      by_peer_ = true;
      said_.reset();
    }
  }

  /// A session that was logged on has ended. The request is due at once, or after the grace.
  void on_ended(bool by_logout, std::int64_t steady_ns) noexcept {
    if (by_logout ? terms_.on_logout : terms_.on_disconnect) {
      due_ns_ = steady_ns + terms_.grace_ns;
    }
  }

  /// Terms that the peer's Logon set, as numbers for a later process; 0: it set none.
  [[nodiscard]] std::uint8_t peer_terms() const noexcept {
    return by_peer_ ? static_cast<std::uint8_t>(by_peer_bit |
                                                (terms_.on_disconnect ? on_disconnect_bit : 0) |
                                                (terms_.on_logout ? on_logout_bit : 0))
                    : std::uint8_t{0};
  }

  [[nodiscard]] std::uint32_t grace_ms() const noexcept {
    return static_cast<std::uint32_t>(terms_.grace_ns / base::ns_per_ms);
  }

  /// The same terms apply again, in a later process on the same connection.
  void go_on_with(std::uint8_t peer_terms, std::uint32_t grace_ms) noexcept {
    if (takes_tags_ && (peer_terms & by_peer_bit) != 0) {
      terms_ = {(peer_terms & on_disconnect_bit) != 0, (peer_terms & on_logout_bit) != 0,
                grace_ms * base::ns_per_ms};
      by_peer_ = true;
    }
  }

  /// Takes over the state that the session had before its settings changed: a pending request stays
  /// pending, and the peer's own terms stay in force if the peer may still set them.
  void go_on_from(const CancelWatch& before) noexcept {
    due_ns_ = before.due_ns_;
    if (takes_tags_ && before.by_peer_) {
      terms_ = before.terms_;
      by_peer_ = true;
    }
  }

  /// Steady time at which to call take_due().
  [[nodiscard]] std::int64_t deadline() const noexcept { return due_ns_; }

  /// True, once, when the application must cancel the orders.
  [[nodiscard]] bool take_due(std::int64_t steady_ns) noexcept {
    if (steady_ns < due_ns_) {
      return false;
    }
    due_ns_ = never_ns;
    return true;
  }

 private:
  static constexpr std::int64_t grace_ms_max = 60'000;
  static constexpr std::uint8_t by_peer_bit = 1;
  static constexpr std::uint8_t on_disconnect_bit = 2;
  static constexpr std::uint8_t on_logout_bit = 4;

  /// Kinds of session ends that count, and the time within which the peer must reconnect.
  struct Terms {
    bool on_disconnect = false;
    bool on_logout = false;
    std::int64_t grace_ns = 0;
  };

  Terms terms_;
  bool takes_tags_;
  bool by_peer_ = false;       ///< `terms_` come from an accepted Logon.
  std::optional<Terms> said_;  ///< From a Logon that is not accepted yet.
  std::int64_t due_ns_ = never_ns;
};

}  // namespace affix::inline v0::host
