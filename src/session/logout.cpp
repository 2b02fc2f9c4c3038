// SPDX-License-Identifier: MIT
// End of a session: by our request, by the peer's, or by the peer's fault.

#include "session/tags.hpp"
#include "session/turn.hpp"

#include <array>

namespace affix::inline v0::session {

namespace {

void enter(Turn& turn, Phase phase) noexcept {
  stop_replay(turn);
  turn.state.phase = phase;
  turn.state.phase_since_ns = turn.now.steady_ns;
}

/// Call when both sides have sent a Logout.
void reset_if_configured(Turn& turn) noexcept {
  if (turn.options.reset_on_logout) {
    reset_numbers(turn, 1, 1);
    turn.report(Event::NumbersReset, 1, 1);
  }
}

}  // namespace

void disconnect(Turn& turn, DisconnectReason reason) noexcept {
  enter(turn, Phase::Closing);
  turn.out.add(Disconnect{reason});
}

void force_logout(Turn& turn, std::string_view text) noexcept {
  if (turn.state.phase == Phase::LogoutSent) {
    disconnect(turn, DisconnectReason::PeerFault);  // Our Logout has been sent.
    return;
  }
  send_logout(turn, text);
  if (turn.options.fault_logout == FaultLogout::CloseAtOnce) {
    disconnect(turn, DisconnectReason::PeerFault);
  } else {
    enter(turn, Phase::LogoutForced);
  }
}

void force_logout_after_reject(Turn& turn, std::string_view text) noexcept {
  force_logout(turn, turn.options.practice.fault_logout_text == LogoutText::Always
                         ? text
                         : std::string_view());
}

void force_logout_too_low(Turn& turn, std::uint64_t received) noexcept {
  std::array<char, too_low_text_size> text;
  force_logout(turn, too_low_text(text, turn.state.next_expected, received));
  if (turn.state.phase == Phase::LogoutForced &&
      turn.options.practice.too_low_logout == TooLowLogout::CloseAtOnce) {
    disconnect(turn, DisconnectReason::PeerFault);
  }
}

void start_logout(Turn& turn, std::string_view text) noexcept {
  // Test case 12. A replay continues: the peer may still need the messages it requested.
  send_logout(turn, text);
  turn.state.phase = Phase::LogoutSent;
  turn.state.phase_since_ns = turn.now.steady_ns;
}

void take_logout(Turn& turn, const Incoming& in) noexcept {
  const bool is_next = in.header.sequence == turn.state.next_expected;
  if (is_next && in.header.possible_duplicate &&
      turn.options.practice.resent_admin == ResentAdmin::Counted) {
    // A resent Logout of the peer does not concern this connection.
    turn.report(Event::ResentAdminIgnored, in.header.sequence, 0, {}, in.header.type);
    consume(turn, in, in.header.sequence + 1);
    return;
  }
  const std::string_view text = in.message.find(tag::text).value_or("");
  if (is_next) {
    consume_and_deliver(turn, in, in.header.sequence + 1);
  }
  if (turn.state.phase == Phase::LogoutSent) {
    // Test case 13a.
    turn.report(Event::LogoutAnswered, in.header.sequence, 0, text);
    reset_if_configured(turn);
    disconnect(turn, DisconnectReason::LogoutComplete);
    return;
  }
  // Test case 13b: the peer must disconnect once it has our answer.
  turn.report(Event::LogoutReceived, in.header.sequence, 0, text);
  send_logout(turn, {});
  enter(turn, Phase::LogoutAnswered);
  reset_if_configured(turn);
  if (turn.options.practice.logout_answer == LogoutAnswer::CloseAtOnce) {
    disconnect(turn, DisconnectReason::LogoutComplete);
  }
}

void receive_after_logout(Turn& turn, const Incoming& in) noexcept {
  if (in.header.type == type::logout && turn.state.phase == Phase::LogoutForced) {
    turn.report(Event::LogoutAnswered, in.header.sequence, 0,
                in.message.find(tag::text).value_or(""));
    if (in.header.sequence == turn.state.next_expected) {
      consume(turn, in, in.header.sequence + 1);
    }
    disconnect(turn, DisconnectReason::PeerFault);
    return;
  }
  turn.report(Event::AfterLogout, in.header.sequence, 0, {}, in.header.type);
}

}  // namespace affix::inline v0::session
