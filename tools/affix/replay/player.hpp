// SPDX-License-Identifier: MIT
// Plays a script over a session: sends each message when the answers before it have arrived, and
// compares the answers.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"

#include "replay/comparison.hpp"
#include "replay/script.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::replay {

struct PlayOptions {
  std::int64_t logon_timeout_ns = 0;   ///< Maximum wait for the logon.
  std::int64_t answer_timeout_ns = 0;  ///< Maximum wait for a recorded answer.
  double speed = 0;  ///< Relative to the journal's times; 0: as fast as answers arrive.
};

enum class PlayEnd : std::uint8_t {
  Played,       ///< Everything was sent.
  NotLoggedOn,  ///< The session never logged on; reason() has the last event.
  Ended,        ///< The session was logged on and has ended.
  Silent,       ///< Too many consecutive answers were missing.
  NotSent,      ///< A message could not be sent; reason() has its reason.
  Stopped,      ///< `stop` returned true.
};

/// One thread. `script` and `comparison` outlive it.
class Player final : public host::Application {
 public:
  Player(const Script& script, Comparison& comparison, PlayOptions options)
      : script_(script), comparison_(comparison), options_(options) {}

  /// Drives `engine`, whose first session and application this is, until the script has been played
  /// and the peer has answered a final TestRequest; then logs out. Calls `stop` in every turn.
  [[nodiscard]] PlayEnd play(engine::Engine& engine, bool (*stop)());

  [[nodiscard]] std::size_t sent_count() const noexcept { return sent_; }

  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  [[nodiscard]] bool take_steps(host::SessionHandle session);
  [[nodiscard]] bool due(const Step& step) const;
  [[nodiscard]] host::SendStatus send(host::SessionHandle session,
                                      const RecordedMessage& message) const;
  [[nodiscard]] bool awaits_answer();

  const Script& script_;
  Comparison& comparison_;
  PlayOptions options_;
  std::size_t next_ = 0;  ///< Next step.
  std::size_t sent_ = 0;
  std::size_t given_up_ = 0;  ///< Answers that did not arrive in time, and are no longer awaited.
  std::size_t silent_ = 0;    ///< The last consecutive ones among them.
  std::int64_t now_ns_ = 0;
  std::int64_t begin_ns_ = 0;       ///< Time of the logon.
  std::int64_t wait_until_ns_ = 0;  ///< 0: no wait.
  bool logged_on_ = false;
  bool ended_ = false;
  bool heartbeat_came_ = false;
  std::string reason_;
};

}  // namespace affix::inline v0::tools::replay
