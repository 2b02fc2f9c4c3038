// SPDX-License-Identifier: MIT
// How far a session is with delivering messages again: those that an earlier run left unprocessed,
// or that the application asked for.
#pragma once

#include "affix/host/application.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/replay.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace affix::inline v0::host {

/// One thread. Reads the journal only while running; the session delivers.
class RedeliveryProgress {
 public:
  /// An earlier run's messages are delivered at the time that the application has chosen. True: at
  /// once.
  [[nodiscard]] bool begin(Redelivery time, const journal::Journal& journal) noexcept {
    time_ = time;
    if (journal.unprocessed_count() == 0) {
      return false;
    }
    until_ = journal.end();
    stage_ = time == Redelivery::AtStart ? Stage::Running : Stage::Due;
    return running();
  }

  /// The application asks for all unprocessed messages. True: a new run has begun. While one is
  /// under way, another follows it.
  [[nodiscard]] bool ask(const journal::Journal& journal) noexcept {
    if (running()) {
      stage_ = Stage::RunningAgain;
      return false;
    }
    if (journal.unprocessed_count() == 0) {
      return false;
    }
    restart(journal);
    stage_ = Stage::Running;
    return true;
  }

  /// The session is logged on. True: a run begins or goes on that has waited for that.
  [[nodiscard]] bool on_logged_on() noexcept {
    if (stage_ != Stage::Due || time_ != Redelivery::AfterLogon) {
      return false;
    }
    stage_ = Stage::Running;
    return true;
  }

  /// The session no longer takes messages: a run that needs a logon waits for the next one. False:
  /// this one goes on without.
  bool interrupt(const journal::Journal& journal) noexcept {
    if (!running() || time_ != Redelivery::AfterLogon) {
      return false;
    }
    if (stage_ == Stage::RunningAgain) {
      restart(journal);
    }
    stage_ = Stage::Due;
    return true;
  }

  /// Messages are being delivered, and new ones wait.
  [[nodiscard]] bool running() const noexcept { return stage_ >= Stage::Running; }

  /// A run waits for on_logged_on().
  [[nodiscard]] bool due() const noexcept {
    return stage_ == Stage::Due && time_ == Redelivery::AfterLogon;
  }

  /// The messages of a run, at the next one. Opens the journal's replay if the run has just begun.
  [[nodiscard]] journal::Replay& replay(const journal::Journal& journal, journal::ColdPages cold) {
    if (!replay_) {
      replay_ = journal.unprocessed(until_, cold);
    }
    return *replay_;
  }

  /// The run has delivered its last message. True: another follows.
  [[nodiscard]] bool end(const journal::Journal& journal) noexcept {
    const Stage before = std::exchange(stage_, Stage::Nothing);
    replay_.reset();
    return before == Stage::RunningAgain && ask(journal);
  }

  /// Ends all of it; what is left stays unprocessed in the journal.
  void stop() noexcept {
    stage_ = Stage::Nothing;
    replay_.reset();
  }

 private:
  enum class Stage : std::uint8_t {
    Nothing,
    Due,  ///< Some wait, and their time has not come.
    Running,
    RunningAgain,  ///< The application has asked again meanwhile.
  };

  void restart(const journal::Journal& journal) noexcept {
    until_ = journal.end();
    replay_.reset();
  }

  Stage stage_ = Stage::Nothing;
  Redelivery time_ = Redelivery::AfterLogon;
  journal::Position until_;                ///< Later records are this run's own.
  std::optional<journal::Replay> replay_;  ///< While a run is under way or interrupted.
};

}  // namespace affix::inline v0::host
