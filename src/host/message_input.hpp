// SPDX-License-Identifier: MIT
// Input of one connection on its way to messages: frames, a message that is too large for one, and
// the time at which the bytes arrived.
#pragma once

#include "affix/wire/framer.hpp"
#include "affix/wire/large_message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace affix::inline v0::host {

/// One thread. Allocates once in a connection, for its first message that is too large.
class MessageInput {
 public:
  explicit MessageInput(std::size_t message_bytes_max) noexcept : framer_(message_bytes_max) {}

  /// Nothing of the previous connection's input is left.
  void begin_connection() noexcept {
    framer_.reset();
    large_.reset();
  }

  /// Framer::next(): call it with the bytes after the last frame.
  [[nodiscard]] wire::Frame next(std::string_view bytes) noexcept { return framer_.next(bytes); }

  /// The last frame was not taken: next() gets its bytes again.
  void put_back() noexcept { framer_.reset(); }

  [[nodiscard]] std::size_t message_bytes_max() const noexcept {
    return framer_.message_bytes_max();
  }

  // --- A message that is too large ---

  /// Follows it through bytes that are skipped as FrameError::TooLarge. Call abandon_large() before
  /// any other frame and before the first bytes of another such message.
  [[nodiscard]] wire::LargeMessage::Progress skip_large(std::string_view bytes) {
    if (large_ == nullptr) {
      large_ = std::make_unique<wire::LargeMessage>();
    }
    return large_->skip(bytes);
  }

  /// True: such a message was being followed and is incomplete, hence no message.
  [[nodiscard]] bool abandon_large() noexcept { return large_ != nullptr && large_->abandon(); }

  /// After Progress::Whole: its beginning. Valid until the next skip_large().
  [[nodiscard]] std::string_view large_head() const noexcept { return large_->head(); }

  // --- The time of its arrival ---

  /// UTC time at which the present bytes arrived; 0: unknown, or not asked for.
  void set_arrival(std::int64_t utc_ns) noexcept { arrival_utc_ns_ = utc_ns; }

  [[nodiscard]] std::int64_t arrival_utc_ns() const noexcept { return arrival_utc_ns_; }

 private:
  wire::Framer framer_;
  std::unique_ptr<wire::LargeMessage> large_;  // Null: the connection has had none.
  std::int64_t arrival_utc_ns_ = 0;
};

}  // namespace affix::inline v0::host
