// SPDX-License-Identifier: MIT
// One thread runs the engine's turns, and takes steps between them.
#include "replay/player.hpp"

#include "affix/session/extra_header_field.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::replay {

namespace {

constexpr std::int64_t turn_ns = 10'000'000;

/// After this many missing answers no more are expected.
constexpr std::size_t silent_max = 20;

/// The header fields that an application may add, ascending by tag.
std::vector<session::ExtraHeaderField> header_of(const RecordedMessage& message) {
  // Names of persons and desks (50, 57, 142, 143) are taken from the session if it has them, and
  // encryption (90, 91) is obsolete; MessageEncoding and routing belong to the message.
  constexpr std::array<std::uint32_t, 12> kept{97,  115, 116, 128,  129,  144,
                                               145, 347, 370, 1128, 1129, 1156};
  std::vector<session::ExtraHeaderField> header;
  for (const RecordedField& field : message.header) {
    if (std::ranges::find(kept, field.tag) != kept.end() && !field.value.empty()) {
      header.push_back({field.tag, field.value});
    }
  }
  std::ranges::sort(header, {}, &session::ExtraHeaderField::tag);
  return header;
}

}  // namespace

PlayEnd Player::play(engine::Engine& engine, bool (*stop)()) {
  const host::SessionHandle session = engine.sessions().front();
  now_ns_ = session.now().steady_ns;
  const std::int64_t logon_limit_ns = now_ns_ + options_.logon_timeout_ns;
  PlayEnd end = PlayEnd::Played;
  bool asked = false;
  std::int64_t asked_until_ns = 0;
  for (;;) {
    engine.poll(now_ns_ + turn_ns);
    engine.prepare_journals();
    now_ns_ = engine.worker(0).now().steady_ns;
    if (stop()) {
      end = PlayEnd::Stopped;
      break;
    }
    if (ended_) {
      end = PlayEnd::Ended;
      break;
    }
    if (!logged_on_) {
      if (now_ns_ > logon_limit_ns) {
        return PlayEnd::NotLoggedOn;
      }
      continue;
    }
    if (!take_steps(session)) {
      end = PlayEnd::NotSent;
      break;
    }
    if (silent_ >= silent_max) {
      end = PlayEnd::Silent;
      break;
    }
    if (next_ == script_.steps.size() && !awaits_answer()) {
      if (!asked) {
        // Everything before the answer to this belongs to the messages sent.
        session.test_peer();
        asked = true;
        asked_until_ns = now_ns_ + options_.answer_timeout_ns;
      }
      if (heartbeat_came_ || now_ns_ > asked_until_ns) {
        break;
      }
    }
  }
  static_cast<void>(
      engine.finish("replayed", engine.worker(0).now().steady_ns + options_.answer_timeout_ns));
  return end;
}

/// Takes all steps possible without waiting. False: a message could not be sent.
bool Player::take_steps(host::SessionHandle session) {
  for (; next_ < script_.steps.size(); ++next_) {
    const Step& step = script_.steps[next_];
    if (!step.send) {
      comparison_.expect(step.message);
    } else if (awaits_answer() || !due(step)) {
      return true;
    } else {
      const host::SendStatus status = send(session, step.message);
      if (status == host::SendStatus::Backlogged || status == host::SendStatus::Throttled ||
          status == host::SendStatus::Resetting) {
        return true;  // The next turn tries again.
      }
      if (status != host::SendStatus::Sent) {
        reason_ = "message " + std::to_string(step.message.number) + " (" +
                  summary_of(step.message) + "): " + to_text(status);
        return false;
      }
      ++sent_;
    }
  }
  return true;
}

/// True if answers to sent messages are still expected. Skips those whose time has run out: they
/// may come later, and nothing waits for them.
bool Player::awaits_answer() {
  const std::size_t open = comparison_.open_count();
  given_up_ = std::min(given_up_, open);
  if (open == given_up_) {
    wait_until_ns_ = 0;
    return false;
  }
  if (wait_until_ns_ == 0) {
    wait_until_ns_ = now_ns_ + options_.answer_timeout_ns;
  }
  if (now_ns_ < wait_until_ns_) {
    return true;
  }
  silent_ += open - given_up_;
  given_up_ = open;
  wait_until_ns_ = 0;
  return false;
}

bool Player::due(const Step& step) const {
  if (options_.speed <= 0) {
    return true;
  }
  const auto since =
      static_cast<double>(step.message.utc_ns - script_.steps.front().message.utc_ns);
  return static_cast<double>(now_ns_ - begin_ns_) >= since / options_.speed;
}

host::SendStatus Player::send(host::SessionHandle session, const RecordedMessage& message) const {
  std::string body;
  for (const RecordedField& field : message.body) {
    body += std::to_string(field.tag);
    body += '=';
    body += comparison_.current_value(field.tag, field.value);
    body += wire::soh;
  }
  const std::vector<session::ExtraHeaderField> header = header_of(message);
  wire::Encoder encoder = session.begin(message.type, header);
  encoder.raw(body);
  return session.commit(encoder).status;
}

void Player::on_logon(host::SessionHandle session) noexcept {
  logged_on_ = true;
  begin_ns_ = session.now().steady_ns;
}

void Player::on_message(host::SessionHandle /*session*/, const wire::MessageView& message,
                        const host::Delivery& /*delivery*/) noexcept {
  comparison_.receive(take_apart(message));
  silent_ = 0;
  wait_until_ns_ = 0;
}

void Player::on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept {
  if (message.type() == wire::MsgType("3")) {
    on_message(session, message, {});
  } else if (message.type() == wire::MsgType("0") && message.find(112)) {
    heartbeat_came_ = true;
  }
}

void Player::on_logout(host::SessionHandle /*session*/, std::string_view reason) noexcept {
  ended_ = true;
  reason_ = reason;
}

void Player::on_event(const host::Event& event) noexcept {
  if (!logged_on_ && event.severity >= host::Event::Severity::Warning) {
    reason_ = event.text;
  }
}

}  // namespace affix::inline v0::tools::replay
