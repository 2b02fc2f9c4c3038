// SPDX-License-Identifier: MIT
// The application's message between its beginning and its commit.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace affix::inline v0::host {

/// One thread.
class MessageInProgress {
 public:
  /// A message is begun: its encoder follows by set_encoder(), and it is in the outbox's memory
  /// until begin_commit() or abandon().
  void begin() noexcept { stage_ = Stage::Begun; }

  /// A message was begun and not committed, so the outbox's memory is in use.
  [[nodiscard]] bool begun() const noexcept {
    return stage_ == Stage::Begun || stage_ == Stage::CommittingOther;
  }

  /// The message that was begun is not committed.
  void abandon() noexcept { stage_ = stage_ == Stage::Begun ? Stage::Idle : stage_; }

  /// Time at which the message was begun, or a prepared one was sent.
  void set_begun_at(base::Now now) noexcept { begun_at_ = now; }

  [[nodiscard]] const base::Now& begun_at() const noexcept { return begun_at_; }

  void set_encoder(const wire::Encoder& encoder) noexcept { encoder_ = encoder; }

  /// No message may be begun: an encoder without room, by which commit() knows.
  void refuse() noexcept { encoder_ = wire::Encoder(std::span<char>()); }

  [[nodiscard]] wire::Encoder& encoder() noexcept { return encoder_; }

  // --- Commit ---

  /// The message that was begun is committed until end_commit().
  void begin_commit() noexcept { stage_ = Stage::Committing; }

  /// A prepared message is committed until end_commit(); one that was begun stays so.
  void begin_other_commit() noexcept {
    stage_ = begun() ? Stage::CommittingOther : Stage::Committing;
  }

  /// begun_at() is the time of the message that is being stored.
  [[nodiscard]] bool committing() const noexcept { return stage_ >= Stage::Committing; }

  void end_commit() noexcept {
    stage_ = stage_ == Stage::CommittingOther ? Stage::Begun : Stage::Idle;
  }

  /// Bytes in the outbox before the message.
  void set_bytes_before(std::size_t bytes) noexcept { bytes_before_ = bytes; }

  [[nodiscard]] std::size_t bytes_before() const noexcept { return bytes_before_; }

 private:
  enum class Stage : std::uint8_t {
    Idle,
    Begun,
    Committing,       ///< And none is begun.
    CommittingOther,  ///< A prepared message, while one is begun.
  };

  wire::Encoder encoder_{std::span<char>()};
  base::Now begun_at_;
  std::size_t bytes_before_ = 0;
  Stage stage_ = Stage::Idle;
};

}  // namespace affix::inline v0::host
