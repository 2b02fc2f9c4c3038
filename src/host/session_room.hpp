// SPDX-License-Identifier: MIT
// Working memory of a session: output that has not left, actions, copies of Logons, held messages.
// A session at rest has none; its worker lends rooms, so that memory use follows the number of
// sessions busy at one time, and a lent room is warm in the cache.
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

/// Sizes of a room that depend on the session.
struct RoomSizes {
  std::size_t outbox_bytes = 0;
  std::size_t secret_copy_bytes = 0;   ///< The largest message that may be copied for the journal.
  os::Pages pages = os::Pages::Small;  ///< With huge pages each room has its own.

  friend bool operator==(const RoomSizes&, const RoomSizes&) noexcept = default;
};

/// One room: views of its pool's memory, contents unspecified but readable.
struct SessionRoom {
  std::span<char> outbox;
  std::span<session::Action> actions;
  std::span<session::Action> deferred;  ///< Deferred actions, up to `deferred_actions_max`.
  std::span<char> secret_copy;          ///< For a message whose secrets must not be in the journal.
  std::optional<session::SessionMemory> memory;  ///< Has a value while the room is lent.
};

/// Address space of one room outside any pool. Any thread.
class RoomReservation {
 public:
  /// NoSpace: the address space or the overcommit limit does not allow it.
  [[nodiscard]] static std::expected<RoomReservation, base::Error> open(const RoomSizes& sizes);

  /// Holds none.
  RoomReservation() noexcept = default;

  RoomReservation(RoomReservation&& other) noexcept
      : sizes_(other.sizes_), mapping_(std::exchange(other.mapping_, nullptr)) {}

  RoomReservation& operator=(RoomReservation&& other) noexcept {
    std::swap(sizes_, other.sizes_);
    std::swap(mapping_, other.mapping_);
    return *this;
  }

  RoomReservation(const RoomReservation&) = delete;
  RoomReservation& operator=(const RoomReservation&) = delete;
  ~RoomReservation();

  [[nodiscard]] const RoomSizes& sizes() const noexcept { return sizes_; }

 private:
  friend class RoomPool;

  RoomReservation(const RoomSizes& sizes, void* mapping) noexcept
      : sizes_(sizes), mapping_(mapping) {}

  RoomSizes sizes_;
  void* mapping_ = nullptr;
};

/// Rooms of one size, as many as there are sessions that may need one at the same time. One thread.
class RoomPool {
 public:
  explicit RoomPool(RoomSizes sizes) noexcept : sizes_(sizes) {}

  RoomPool(const RoomPool&) = delete;
  RoomPool& operator=(const RoomPool&) = delete;
  ~RoomPool();

  [[nodiscard]] const RoomSizes& sizes() const noexcept { return sizes_; }

  /// Reserves one more room: address space, which uses no memory until it is touched. Allocates.
  /// NoSpace: the address space or the overcommit limit does not allow it.
  [[nodiscard]] std::expected<void, base::Error> add();

  /// The same with a room of this size that another thread has reserved. Allocates.
  void adopt(RoomReservation reservation);

  /// Removes a room, which another thread is to return to the system. One must be free, such as
  /// that of a leaving session.
  [[nodiscard]] RoomReservation take_out() noexcept;

  /// Lends the room returned last. One must be free: every session has added its own.
  [[nodiscard]] SessionRoom& lend() noexcept;

  /// True if the sessions are so few that each keeps its room: lending only helps with many.
  [[nodiscard]] bool suffices() const noexcept { return rooms_.size() <= few_rooms; }

  void give_back(SessionRoom& room) noexcept { free_.push_back(&room); }

  /// Call once a turn: returns the memory of one room to the system when more were used at one time
  /// than are since. At most one system call, and none while the number of busy sessions is stable.
  void trim(std::int64_t now_ns) noexcept;

  /// Rooms that use memory: the most ever lent at one time, less those trimmed.
  [[nodiscard]] std::size_t real_count() const noexcept { return rooms_.size() - cold_; }

 private:
  friend class RoomReservation;
  struct Layout;

  // Builds with assertions always lend, so that every test exercises lending too.
#ifdef NDEBUG
  static constexpr std::size_t few_rooms = 16;
#else
  static constexpr std::size_t few_rooms = 0;
#endif

  const RoomSizes sizes_;
  std::vector<std::unique_ptr<SessionRoom>> rooms_;
  std::vector<SessionRoom*> free_;  // Top is lent next; at the bottom `cold_` rooms without memory.
  std::size_t cold_ = 0;
  std::size_t least_idle_ = 0;  // Minimum of free rooms with memory since surplus_ was set.
  std::size_t surplus_ = 0;     // Rooms with memory to return to the system.
  std::int64_t judged_ns_ = 0;
};

}  // namespace affix::inline v0::host
