// SPDX-License-Identifier: MIT
// Requests of a journal's writer to the threads that prepare and flush. A private part of Journal.
#pragma once

#include <atomic>
#include <cstdint>

namespace affix::inline v0::journal {

/// One kind of work. All but the last are done by Journal::prepare().
enum class Work : std::uint32_t {
  Segment = 1,          ///< Make the next segment.
  Release = 2,          ///< Unmap segments that the writer left, and apply the retention.
  Reserve = 4,          ///< Renew the reserve of outgoing numbers.
  Pages = 8,            ///< Prepare pages of the segment in use or the prepared one.
  Seal = 16,            ///< Seal earlier segments on the disk, or clean the spare file.
  FlushedReserve = 32,  ///< Renew the reserve; done by Journal::flush().
};

/// Work that was taken to be done.
class WorkTaken {
 public:
  constexpr explicit WorkTaken(std::uint32_t bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr bool has(Work work) const noexcept {
    return (bits_ & static_cast<std::uint32_t>(work)) != 0;
  }

 private:
  std::uint32_t bits_;
};

/// A set of requests in one atomic word. Any thread may call any member.
class WorkRequests {
 public:
  void request(Work work) noexcept {
    // Release: the thread that takes the request sees everything stored before it.
    requested_.fetch_or(bit(work), std::memory_order_release);
  }

  /// Takes a request back.
  void withdraw(Work work) noexcept { requested_.fetch_and(~bit(work), std::memory_order_relaxed); }

  /// Takes all requests back.
  void withdraw_all() noexcept { requested_.store(0, std::memory_order_relaxed); }

  /// True if Journal::prepare() has work. Cheap.
  [[nodiscard]] bool need_preparation() const noexcept {
    return (requested_.load(std::memory_order_relaxed) & ~bit(Work::FlushedReserve)) != 0;
  }

  /// True if Journal::flush() has work beside the records. Cheap.
  [[nodiscard]] bool need_flush() const noexcept {
    return (requested_.load(std::memory_order_relaxed) & bit(Work::FlushedReserve)) != 0;
  }

  /// Takes all work of Journal::prepare().
  [[nodiscard]] WorkTaken take_preparation() noexcept {
    // Acquire: pairs with request().
    return WorkTaken(requested_.fetch_and(bit(Work::FlushedReserve), std::memory_order_acquire) &
                     ~bit(Work::FlushedReserve));
  }

  /// Takes the part of it that an append may be waiting for: Segment and Reserve.
  [[nodiscard]] WorkTaken take_urgent_preparation() noexcept {
    const std::uint32_t urgent = bit(Work::Segment) | bit(Work::Reserve);
    // Acquire: pairs with request().
    return WorkTaken(requested_.fetch_and(~urgent, std::memory_order_acquire) & urgent);
  }

  /// Takes the work of Journal::flush(). False: there is none.
  [[nodiscard]] bool take_flushed_reserve() noexcept {
    // Acquire: pairs with request(). A load alone if there is none, as mostly.
    if ((requested_.load(std::memory_order_acquire) & bit(Work::FlushedReserve)) == 0) {
      return false;
    }
    withdraw(Work::FlushedReserve);
    return true;
  }

 private:
  [[nodiscard]] static constexpr std::uint32_t bit(Work work) noexcept {
    return static_cast<std::uint32_t>(work);
  }

  std::atomic<std::uint32_t> requested_{0};
};

}  // namespace affix::inline v0::journal
