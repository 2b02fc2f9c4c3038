// SPDX-License-Identifier: MIT
// Segments that pass between the writer of a journal and the thread that prepares: the next one to
// the writer, those that it has left back. A private part of Journal.
#pragma once

#include "affix/journal/append_result.hpp"

#include <atomic>

namespace affix::inline v0::journal {

class Segment;

/// Each segment that is handed over carries one reference. The gates admit one thread at a time:
/// one prepares, one makes the next segment, with the other gate or without. A segment that the
/// writer has left is released only while the gate of preparing is held.
class SegmentHandover {
 public:
  [[nodiscard]] std::atomic_flag& preparing() noexcept { return preparing_; }

  [[nodiscard]] std::atomic_flag& making() noexcept { return making_; }

  // --- The writer. ---

  /// It continues in `segment`, which may be the prepared one.
  void enter(Segment& segment) noexcept {
    current_.store(&segment, std::memory_order_release);
    // Release: a thread that sees null also sees the new current segment.
    prepared_.store(nullptr, std::memory_order_release);
  }

  /// Hands a segment back that it has left, or given up before it entered it. The preparing thread
  /// may be several segments late, hence a list.
  void retire(Segment& segment) noexcept;

  /// Why there is no next segment; AppendResult::Appended: it was not tried, or it succeeded.
  [[nodiscard]] AppendResult refusal() const noexcept {
    return refusal_.load(std::memory_order_relaxed);
  }

  // --- The thread that makes segments or prepares. ---

  /// The segment that the writer appends to.
  [[nodiscard]] Segment& current() const noexcept {
    return *current_.load(std::memory_order_acquire);
  }

  /// Hands the complete segment over.
  void offer(Segment& segment) noexcept {
    // Release: the writer that takes it sees a complete mapping.
    prepared_.store(&segment, std::memory_order_release);
    refusal_.store(AppendResult::Appended, std::memory_order_relaxed);
  }

  /// The next segment could not be made.
  void refuse(AppendResult why) noexcept { refusal_.store(why, std::memory_order_relaxed); }

  /// The segments handed back since, linked through Segment::next_retired; null: none.
  [[nodiscard]] Segment* take_retired() noexcept {
    // Acquire: pairs with retire(), which stored the links.
    return retired_.exchange(nullptr, std::memory_order_acquire);
  }

  // --- Either. ---

  /// The next segment, null if there is none. It stays the handed-over one until the writer enters
  /// it: a thread that saw neither would make a file with the same number and replace the one in
  /// use.
  [[nodiscard]] Segment* prepared() const noexcept {
    return prepared_.load(std::memory_order_acquire);
  }

  /// Takes the next segment back, null if there is none. With a gate held.
  [[nodiscard]] Segment* withdraw() noexcept {
    return prepared_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  std::atomic<AppendResult> refusal_{AppendResult::Appended};
  std::atomic<Segment*> prepared_{nullptr};
  std::atomic<Segment*> retired_{nullptr};
  std::atomic<Segment*> current_{nullptr};
  std::atomic_flag preparing_;
  std::atomic_flag making_;
};

}  // namespace affix::inline v0::journal
