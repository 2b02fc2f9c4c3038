// SPDX-License-Identifier: MIT
// The memory that a session works in while it works: output that has not left, actions, copies of
// Logons, held messages. A session at rest has none; rooms are lent by its worker, so that memory
// follows the sessions that are busy at one time and what is lent is warm.
#pragma once

#include "affix/base/error.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/out.hpp"
#include "affix/wire/index.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace affix::inline v0::engine {

/// Most fields of one message; a message with more is garbled.
inline constexpr std::uint32_t message_fields_max = 2048;

/// What a session needs a room to hold, beside what all need.
struct RoomSizes {
  std::size_t outbox_bytes = 0;
  std::size_t secret_copy_bytes = 0;  ///< The largest message that may be copied for the journal.

  friend bool operator==(const RoomSizes&, const RoomSizes&) noexcept = default;
};

/// One room: views into its pool's memory, contents unspecified but readable.
struct SessionRoom {
  std::span<char> outbox;
  std::span<session::Action> actions;
  std::span<char> secret_copy;  ///< Of a message whose secrets the journal must not have.
  std::optional<session::SessionMemory> memory;  ///< There is one while the room is lent.
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
