// SPDX-License-Identifier: MIT
// The memory that a session works in while it works: output that has not left, actions, copies of
// Logons, held messages. A session at rest has none; rooms are lent by its worker, so that memory
// follows the sessions that are busy at one time and what is lent is warm.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/pages.hpp"
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

namespace affix::inline v0::engine {

/// Most fields of one message; a message with more is garbled.
inline constexpr std::uint32_t message_fields_max = 2048;

/// Most actions that a session keeps for later, all of one input and of the acceptance of a Logon
/// in it.
inline constexpr std::size_t deferred_actions_max = 2 * session::Out::step_actions;

/// What a session needs a room to hold, beside what all need.
struct RoomSizes {
  std::size_t outbox_bytes = 0;
  std::size_t secret_copy_bytes = 0;  ///< The largest message that may be copied for the journal.
  net::Pages pages = net::Pages::Small;  ///< With huge ones a room has pages of its own.

  friend bool operator==(const RoomSizes&, const RoomSizes&) noexcept = default;
};

/// One room: views into its pool's memory, contents unspecified but readable.
struct SessionRoom {
  std::span<char> outbox;
  std::span<session::Action> actions;
  std::span<session::Action> deferred;  ///< For `deferred_actions_max` that wait.
  std::span<char> secret_copy;          ///< Of a message whose secrets the journal must not have.
  std::optional<session::SessionMemory> memory;  ///< There is one while the room is lent.
};

/// The address space of one room that is no pool's. Any thread.
class RoomReservation {
 public:
  /// NoSpace: the address space or the overcommit limit does not allow it.
  [[nodiscard]] static std::expected<RoomReservation, base::Error> open(const RoomSizes& sizes);

  /// None.
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

/// Rooms of one size, as many as there are sessions that may want one at the same time. One thread.
class RoomPool {
 public:
  explicit RoomPool(RoomSizes sizes) noexcept : sizes_(sizes) {}

  RoomPool(const RoomPool&) = delete;
  RoomPool& operator=(const RoomPool&) = delete;
  ~RoomPool();

  [[nodiscard]] const RoomSizes& sizes() const noexcept { return sizes_; }

  /// Reserves one more: address space, which is no memory until it is used. Allocates. NoSpace: the
  /// address space or the overcommit limit does not allow it.
  [[nodiscard]] std::expected<void, base::Error> add();

  /// The same with what another thread has reserved, of this size. Allocates.
  void adopt(RoomReservation reservation);

  /// One room fewer, for another thread to give back to the system. One must be free, as that of a
  /// session is which leaves.
  [[nodiscard]] RoomReservation take_out() noexcept;

  /// The room that came back last. There must be one: every session has added its own.
  [[nodiscard]] SessionRoom& lend() noexcept;

  /// There are so few sessions that each may keep the room it has: lending is for many.
  [[nodiscard]] bool suffices() const noexcept { return rooms_.size() <= few_rooms; }

  void give_back(SessionRoom& room) noexcept { free_.push_back(&room); }

  /// Once a turn: gives the memory of one room back to the system when more were used at one time
  /// than are since. At most one system call, and none while the sessions at work stay as many.
  void trim(std::int64_t now_ns) noexcept;

  /// Rooms whose memory is real: as many as were ever lent at one time, less those trimmed.
  [[nodiscard]] std::size_t real_count() const noexcept { return rooms_.size() - cold_; }

 private:
  friend class RoomReservation;
  struct Layout;

  // Builds with assertions lend always, so that whatever they test tests lending too.
#ifdef NDEBUG
  static constexpr std::size_t few_rooms = 16;
#else
  static constexpr std::size_t few_rooms = 0;
#endif

  const RoomSizes sizes_;
  std::vector<std::unique_ptr<SessionRoom>> rooms_;
  std::vector<SessionRoom*> free_;  // Top = lent next; at the bottom `cold_` without real memory.
  std::size_t cold_ = 0;
  std::size_t least_idle_ = 0;  // Fewest real ones free at a time since surplus_ was judged.
  std::size_t surplus_ = 0;     // Real ones to be given back to the system.
  std::int64_t judged_ns_ = 0;
};

}  // namespace affix::inline v0::engine
