// SPDX-License-Identifier: MIT
// Plays a script over a session: sends what is to be sent when the answers before it have come, and
// compares what comes.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/engine.hpp"

#include "replay/comparison.hpp"
#include "replay/script.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::replay {

struct PlayOptions {
  std::int64_t logon_timeout_ns = 0;   ///< Until the session is open.
  std::int64_t answer_timeout_ns = 0;  ///< For an answer that the journal has.
  double speed = 0;  ///< Of the journal's own time; 0: as fast as the answers come.
};

enum class PlayEnd : std::uint8_t {
  Played,       ///< Everything was sent, whatever came.
  NotLoggedOn,  ///< The session was never open; reason() says what was heard last.
  Ended,        ///< It was, and is no longer.
  Silent,       ///< So many answers did not come, one behind the other, that no more were awaited.
  NotSent,      ///< A message could not be sent; reason() says which and why.
  Stopped,      ///< `stop` said so.
};

/// One thread. `script` and `comparison` outlive it.
class Player final : public engine::Application {
 public:
  Player(const Script& script, Comparison& comparison, PlayOptions options)
      : script_(script), comparison_(comparison), options_(options) {}

  /// Drives `engine`, whose first session and application this is, until the script has been
  /// played and the peer has answered a TestRequest behind it; then logs out. `stop` is asked at
  /// every turn.
  [[nodiscard]] PlayEnd play(engine::Engine& engine, bool (*stop)());

  [[nodiscard]] std::size_t sent_count() const noexcept { return sent_; }

  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  void on_logon(engine::SessionHandle session) noexcept override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  void on_admin(engine::SessionHandle session, const wire::MessageView& message) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  [[nodiscard]] bool take_steps(engine::SessionHandle session);
  [[nodiscard]] bool due(const Step& step) const;
  [[nodiscard]] engine::SendStatus send(engine::SessionHandle session,
                                        const RecordedMessage& message) const;
  [[nodiscard]] bool awaits_answer();

  const Script& script_;
  Comparison& comparison_;
  PlayOptions options_;
  std::size_t next_ = 0;  ///< The step to be taken.
  std::size_t sent_ = 0;
  std::size_t given_up_ = 0;  ///< Answers that did not come in time, and are not awaited any more.
  std::size_t silent_ = 0;    ///< Of these the last, with nothing in between.
  std::int64_t now_ns_ = 0;
  std::int64_t begin_ns_ = 0;       ///< When the session was open.
  std::int64_t wait_until_ns_ = 0;  ///< 0: nothing is awaited.
  bool logged_on_ = false;
  bool ended_ = false;
  bool heartbeat_came_ = false;
  std::string reason_;
};

}  // namespace affix::inline v0::tools::replay
