// SPDX-License-Identifier: MIT
// The outgoing numbers that are reserved on the disk ahead of their use: how many, and when to
// reserve more. A private part of Journal, which stores the reserve.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace affix::inline v0::journal {

/// The writer uses numbers and asks; another thread, one at a time, stores the renewed reserve.
class NumberReserve {
 public:
  /// Numbers that the writer may use while the reserve that it asked for is not on the disk.
  enum class Meanwhile : std::uint8_t {
    TheRest,  ///< Those that are reserved already.
    All,      ///< All: no peer sees a number before its record is on the disk, which proves it.
  };

  /// A reserve to be stored.
  struct Renewal {
    std::uint64_t reserved = 0;  ///< Numbers below it will be reserved.
    std::uint64_t extent = 0;    ///< How many numbers that are.
  };

  /// Reserves at least `least` numbers at a time; 0: reserves nothing, and no number needs it.
  NumberReserve(std::uint64_t least, Meanwhile meanwhile) noexcept
      : least_(least), meanwhile_(meanwhile) {}

  /// Begins with the numbers from `from` on, which opening stores. Before all other calls.
  void begin_at(std::uint64_t from) noexcept;

  // --- The writer. ---

  /// True if the outgoing number must not become `next_outgoing` before a look at the reserve. One
  /// load and one comparison.
  [[nodiscard]] bool is_reached_by(std::uint64_t next_outgoing) const noexcept {
    // Relaxed: the value only triggers a check.
    return next_outgoing >= ask_at_.load(std::memory_order_relaxed);
  }

  /// True if the outgoing number may become `next_outgoing` by what is on the disk.
  [[nodiscard]] bool covers(std::uint64_t next_outgoing) const noexcept {
    // Acquire: the reserved numbers are on the disk.
    return next_outgoing <= reserved_.load(std::memory_order_acquire);
  }

  /// True if numbers that the reserve does not cover may be used until it is renewed.
  [[nodiscard]] bool may_be_late() const noexcept { return meanwhile_ == Meanwhile::All; }

  /// Call when it is reached: chooses the extent of the next reserve by the time since the call
  /// before, at `now_ns` of the steady clock. The caller then has another thread store renewal().
  void ask(std::uint64_t next_outgoing, std::int64_t now_ns) noexcept;

  /// Sets the outgoing number that renewal() begins from.
  void begin_renewal_at(std::uint64_t next_outgoing) noexcept {
    next_outgoing_.store(next_outgoing, std::memory_order_relaxed);
  }

  /// True if the last attempt to store it failed, or took too long to wait for.
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

  /// Numbers below are reserved; 0: none.
  [[nodiscard]] std::uint64_t reserved() const noexcept {
    return reserved_.load(std::memory_order_relaxed);
  }

  /// Numbers below are reserved, or are to be as soon as the other thread stores what follow() was
  /// given; 0: none.
  [[nodiscard]] std::uint64_t known() const noexcept {
    return std::max(reserved(), followed_.load(std::memory_order_relaxed));
  }

  /// From now on no number is used before it is reserved, whatever Meanwhile was. The writer.
  void always_reserve_first() noexcept;

  // --- The writer of a copy, which uses no numbers. ---

  /// Begins with `reserved` as found in the files; nothing is stored. Before all other calls.
  void resume_at(std::uint64_t reserved) noexcept;

  /// Makes `reserved` the next renewal(). False: no reserve is kept, or as much is known already.
  [[nodiscard]] bool follow(std::uint64_t reserved) noexcept;

  /// The writer uses numbers from now on, and asks for more at the first.
  void lead() noexcept;

  // --- Again any. ---

  /// It could not be stored, or the writer waited for that in vain. Until note_stored().
  void note_failed() noexcept { failed_.store(true, std::memory_order_relaxed); }

  // --- The thread that stores it. ---

  /// The reserve that was asked for.
  [[nodiscard]] Renewal renewal() const noexcept;

  /// It is on the disk.
  void note_stored(const Renewal& renewal) noexcept;

 private:
  std::atomic<std::uint64_t> ask_at_{UINT64_MAX};
  std::atomic<std::uint64_t> reserved_{0};
  std::atomic<std::uint64_t> extent_{0};  // Numbers per reserve.
  std::atomic<std::uint64_t> next_outgoing_{1};
  std::int64_t asked_at_ns_ = 0;  // Steady time.
  const std::uint64_t least_;
  std::atomic<bool> failed_{false};
  Meanwhile meanwhile_;
  std::atomic<std::uint64_t> followed_{0};  // The reserve of the other journal; 0: follows none.
};

}  // namespace affix::inline v0::journal
