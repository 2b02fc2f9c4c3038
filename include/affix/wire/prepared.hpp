// SPDX-License-Identifier: MIT
// A message encoded once of which only some fields change: those are patched in place, and the
// checksum is corrected by the difference. For flows of alike orders, where encoding anew would
// write 240 bytes to change 30.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {

/// Names a field that will change.
struct SlotName {
  std::uint32_t tag = 0;
  std::uint32_t occurrence = 0;  ///< 0 is the first field of that tag.

  friend constexpr bool operator==(const SlotName&, const SlotName&) = default;
};

/// Patches in place when the new value is as wide as the old one; another width moves the tail and
/// corrects BodyLength. No value is ever padded. No allocation. One thread at a time; what
/// message() returned changes with the next set_.
///
/// Errors stick until message(), which tells the first one; a value that was refused leaves its
/// field as it was.
class PreparedMessage {
 public:
  static constexpr std::size_t slots_max = 32;

  /// Copies a whole, valid message into `storage`, which outlives the result, has room for
  /// Encoder::overhead beyond the message, and bounds how far values may grow. Slots get the
  /// numbers 0, 1, ... in the order of `names`. UnknownSlot: no such field, one named twice, 8, 9
  /// or 10, or more than slots_max. BadValue: the message is not whole.
  [[nodiscard]] static std::expected<PreparedMessage, EncodeError> make(
      std::span<char> storage, const MessageView& message,
      std::span<const SlotName> names) noexcept;

  [[nodiscard]] static std::expected<PreparedMessage, EncodeError> make(
      std::span<char> storage, const MessageView& message,
      std::initializer_list<SlotName> names) noexcept {
    return make(storage, message, std::span<const SlotName>(names.begin(), names.size()));
  }

  PreparedMessage(PreparedMessage&&) noexcept = default;
  PreparedMessage& operator=(PreparedMessage&&) noexcept = default;
  /// Two patchers of one storage would undo each other's checksums.
  PreparedMessage(const PreparedMessage&) = delete;
  PreparedMessage& operator=(const PreparedMessage&) = delete;
  ~PreparedMessage() = default;

  /// The slot of a field, for reading names once at start-up.
  [[nodiscard]] std::optional<std::uint32_t> slot_of(SlotName name) const noexcept;

  [[nodiscard]] std::size_t slot_count() const noexcept { return slot_count_; }

  /// SohInValue and EmptyValue as the names say.
  void set_text(std::uint32_t slot, std::string_view value) noexcept;
  void set_integer(std::uint32_t slot, std::int64_t value) noexcept;
  void set_character(std::uint32_t slot, char value) noexcept;
  void set_decimal(std::uint32_t slot, base::Decimal value) noexcept;

  /// The same time in several slots is rendered once, by the cache, which several messages may
  /// share.
  void set_utc_time(std::uint32_t slot, base::UtcTime value, TimePrecision precision,
                    TimeStampCache& cache) noexcept;

  /// The message with all patches and its checksum, or the first error since the last call. Views
  /// the storage.
  [[nodiscard]] std::expected<std::string_view, EncodeError> message() noexcept;

  /// The slot that the error which message() told was about.
  [[nodiscard]] std::uint32_t error_slot() const noexcept { return error_slot_; }

 private:
  struct Slot {
    std::uint32_t offset = 0;  ///< Of the value's first byte, from the body's first.
    std::uint32_t size = 0;
    std::uint32_t sum = 0;  ///< Of the value's bytes.
    SlotName name;
  };

  PreparedMessage() = default;

  char* storage_ = nullptr;
  char* storage_end_ = nullptr;
  char* body_ = nullptr;  ///< Behind 9's SOH; stays where it is, as the room before it takes a
                          ///< longer BodyLength.
  char* end_ = nullptr;   ///< Where 10 begins.
  std::uint32_t prefix_size_ = 0;
  std::uint32_t message_begin_ = 0;  ///< From the storage's first byte.
  std::uint32_t sum_ = 0;            ///< Of the bytes before 10, modulo 2^32.
  std::uint32_t slot_count_ = 0;
  std::uint32_t error_slot_ = 0;
  EncodeError error_ = EncodeError::None;
  std::array<Slot, slots_max> slots_{};
};

}  // namespace affix::inline v0::wire
