// SPDX-License-Identifier: MIT
// Working memory of a session: output that has not left, actions, copies of Logons, held messages.
// A session at rest has none; its worker lends buffers, so that memory use follows the number of
// sessions busy at one time, and lent buffers are warm in the cache.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/pages.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/out.hpp"
#include "affix/wire/index.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

/// Maximum number of fields of one message; a message with more is garbled.
inline constexpr std::uint32_t message_fields_max = 2048;

/// Maximum number of actions that a session defers: all of one input and of the acceptance of a
/// Logon in it.
inline constexpr std::size_t deferred_actions_max = 2 * session::Out::step_actions;

/// Sizes of the buffers that depend on the session.
struct BufferSizes {
  std::size_t outbox_bytes = 0;
  std::size_t secret_copy_bytes = 0;   ///< The largest message that may be copied for the journal.
  os::Pages pages = os::Pages::Small;  ///< With huge pages each set has its own.

  friend bool operator==(const BufferSizes&, const BufferSizes&) noexcept = default;
};

/// One buffers: views of its pool's memory, contents unspecified but readable.
struct SessionBuffers {
  std::span<char> outbox;
  std::span<session::Action> actions;
  std::span<session::Action> deferred;  ///< Deferred actions, up to `deferred_actions_max`.
  std::span<char> secret_copy;          ///< For a message whose secrets must not be in the journal.
  std::optional<session::SessionMemory> memory;  ///< Has a value while the buffers are lent.
};

/// Address space of one set of buffers outside any pool. Any thread.
class BufferReservation {
 public:
  /// NoSpace: the address space or the overcommit limit does not allow it.
  [[nodiscard]] static std::expected<BufferReservation, base::Error> open(const BufferSizes& sizes);

  /// Holds none.
  BufferReservation() noexcept = default;

  BufferReservation(BufferReservation&& other) noexcept
      : sizes_(other.sizes_), mapping_(std::exchange(other.mapping_, nullptr)) {}

  BufferReservation& operator=(BufferReservation&& other) noexcept {
    std::swap(sizes_, other.sizes_);
    std::swap(mapping_, other.mapping_);
    return *this;
  }

  BufferReservation(const BufferReservation&) = delete;
  BufferReservation& operator=(const BufferReservation&) = delete;
  ~BufferReservation();

  [[nodiscard]] const BufferSizes& sizes() const noexcept { return sizes_; }

 private:
  friend class BufferPool;

  BufferReservation(const BufferSizes& sizes, void* mapping) noexcept
      : sizes_(sizes), mapping_(mapping) {}

  BufferSizes sizes_;
  void* mapping_ = nullptr;
};

/// Sets of buffers of one size, as many as there are sessions that may need one at the same time.
/// One thread.
class BufferPool {
 public:
  explicit BufferPool(BufferSizes sizes) noexcept : sizes_(sizes) {}

  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  ~BufferPool();

  [[nodiscard]] const BufferSizes& sizes() const noexcept { return sizes_; }

  /// Reserves one more buffers: address space, which uses no memory until it is touched. Allocates.
  /// NoSpace: the address space or the overcommit limit does not allow it.
  [[nodiscard]] std::expected<void, base::Error> add();

  /// The same with buffers of this size that another thread has reserved. Allocates.
  void adopt(BufferReservation reservation);

  /// Removes a buffers, which another thread is to return to the system. One must be free, such as
  /// that of a leaving session.
  [[nodiscard]] BufferReservation take_out() noexcept;

  /// Lends the buffers returned last. One must be free: every session has added its own.
  [[nodiscard]] SessionBuffers& lend() noexcept;

  /// True if the sessions are so few that each keeps its buffers: lending only helps with many.
  [[nodiscard]] bool suffices() const noexcept { return sets_.size() <= few_sets; }

  void give_back(SessionBuffers& buffers) noexcept { free_.push_back(&buffers); }

  /// Call once a turn: returns the memory of one set to the system when more were used at one time
  /// than are since. At most one system call, and none while the number of busy sessions is stable.
  void trim(std::int64_t now_ns) noexcept;

  /// Sets that use memory: the most ever lent at one time, less those trimmed.
  [[nodiscard]] std::size_t real_count() const noexcept { return sets_.size() - cold_; }

 private:
  friend class BufferReservation;
  struct Layout;

  // Builds with assertions always lend, so that every test exercises lending too.
#ifdef NDEBUG
  static constexpr std::size_t few_sets = 16;
#else
  static constexpr std::size_t few_sets = 0;
#endif

  const BufferSizes sizes_;
  std::vector<std::unique_ptr<SessionBuffers>> sets_;
  std::vector<SessionBuffers*>
      free_;  // Top is lent next; at the bottom `cold_` sets without memory.
  std::size_t cold_ = 0;
  std::size_t least_idle_ = 0;  // Minimum of free sets with memory since surplus_ was set.
  std::size_t surplus_ = 0;     // Sets with memory to return to the system.
  std::int64_t judged_ns_ = 0;
};

}  // namespace affix::inline v0::host
