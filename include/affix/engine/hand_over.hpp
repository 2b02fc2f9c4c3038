// SPDX-License-Identifier: MIT
// Results of passing something to a cross-thread sender, and the sizes of its queues.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::engine {

/// Result of passing something to a cross-thread sender. The session may still refuse it later,
/// when the worker takes it from the queue.
enum class HandOver : std::uint8_t {
  Queued,    ///< The worker executes it after everything that this sender queued before.
  Full,      ///< The queue to that worker is full: nothing happened; retry later.
  TooLarge,  ///< Larger than CrossThreadSenderOptions::message_bytes: nothing happened.
  Invalid,   ///< The encoder refused it: nothing happened.
};

/// Name of a result; static storage.
[[nodiscard]] const char* to_text(HandOver result) noexcept;

/// Sizes of a cross-thread sender's queues.
struct CrossThreadSenderOptions {
  /// Size of each queue, one per worker. Rounded up to a power of two and to the minimum for
  /// `message_bytes`. Unused pages take no physical memory.
  std::size_t ring_bytes = 256 * 1024;
  /// Maximum size of a message body.
  std::size_t message_bytes = 4096;

  /// Senders with equal options may use the same queues, one after the other.
  friend bool operator==(const CrossThreadSenderOptions&,
                         const CrossThreadSenderOptions&) = default;
};

}  // namespace affix::inline v0::engine
