// SPDX-License-Identifier: MIT
// Whether and when the application is told to cancel a session's open orders, because the session
// has ended and its peer has not come back in time. Knows no clock: it is told the time.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace affix::inline v0::engine {

class CancelWatch {
 public:
  /// Nothing is due.
  static constexpr std::int64_t never_ns = INT64_MAX;

  explicit CancelWatch(const SessionSettings& settings) noexcept
      : terms_{settings.cancel_on_disconnect == "DISCONNECT" ||
                   settings.cancel_on_disconnect == "BOTH",
               settings.cancel_on_disconnect == "LOGOUT" || settings.cancel_on_disconnect == "BOTH",
               settings.cancel_on_disconnect_grace_milliseconds * base::ns_per_ms},
        takes_tags_(settings.cancel_on_disconnect_tags) {}

  /// A peer's Logon says it for itself, where it may: 35002 is 0 for never, 1 for a disconnection,
  /// 2 for a logout, 3 for both; 35003 how many milliseconds there are to come back, 60000 at most.
  /// What is neither is as if it were not there.
  /// It counts from on_logged_on() on: a Logon that is refused changes nothing.
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

  /// The peer is back: whatever waited is called off.
  void on_logged_on() noexcept {
    due_ns_ = never_ns;
    if (said_) {
      terms_ = *said_;
      by_peer_ = true;
      said_.reset();
    }
  }

  /// A session that was logged on has ended. Orders are due from then on, or after the grace.
  void on_ended(bool by_logout, std::int64_t steady_ns) noexcept {
    if (by_logout ? terms_.on_logout : terms_.on_disconnect) {
      due_ns_ = steady_ns + terms_.grace_ns;
    }
  }

  /// Of the same session before its settings changed: what waits there waits here, and what the
  /// peer has said for itself stays said, if it still may say it.
  void go_on_from(const CancelWatch& before) noexcept {
    due_ns_ = before.due_ns_;
    if (takes_tags_ && before.by_peer_) {
      terms_ = before.terms_;
      by_peer_ = true;
    }
  }

  /// Steady time at which take_due() is to be asked.
  [[nodiscard]] std::int64_t deadline() const noexcept { return due_ns_; }

  /// Whether the application is to be told now; once.
  [[nodiscard]] bool take_due(std::int64_t steady_ns) noexcept {
    if (steady_ns < due_ns_) {
      return false;
    }
    due_ns_ = never_ns;
    return true;
  }

 private:
  static constexpr std::int64_t grace_ms_max = 60'000;

  /// Which ends count, and how long the peer has to come back.
  struct Terms {
    bool on_disconnect = false;
    bool on_logout = false;
    std::int64_t grace_ns = 0;
  };

  Terms terms_;
  bool takes_tags_;
  bool by_peer_ = false;       ///< `terms_` are what an accepted Logon said.
  std::optional<Terms> said_;  ///< By a Logon that is not accepted yet.
  std::int64_t due_ns_ = never_ns;
};

}  // namespace affix::inline v0::engine
