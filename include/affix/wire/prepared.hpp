// SPDX-License-Identifier: MIT
// A message that is encoded once and then patched: changed fields are overwritten in place, and the
// checksum is corrected by the difference. For flows of similar orders, where a new encoding would
// write 240 bytes to change 30.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/detail/text_sum.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {

/// Names a field that may change.
struct SlotName {
  std::uint32_t tag = 0;
  std::uint32_t occurrence = 0;  ///< 0 is the first field of that tag.

  friend constexpr bool operator==(const SlotName&, const SlotName&) = default;
};

/// Patches in place if the new value has the size of the old one; otherwise moves the tail and
/// corrects BodyLength. Never pads values. No allocation. One thread at a time; the view returned
/// by message() changes with the next set_.
///
/// Keeps the first error until message() returns it; a refused value leaves its field
/// unchanged.
class PreparedMessage {
 public:
  static constexpr std::size_t slots_max = 32;

  /// Copies a whole, valid message into `storage`, which must outlive the result and have at least
  /// Encoder::overhead beyond the message; its size limits the growth of values. Numbers the slots
  /// 0, 1, ... in the order of `names`. UnknownSlot: no such field, one named twice, 8, 9 or 10,
  /// half of a length and data pair of `pairs`, or more than slots_max. BadValue: the message is
  /// not whole. A dictionary with its own pairs needs its DataFields: SessionHandle::data_fields().
  [[nodiscard]] static std::expected<PreparedMessage, EncodeError> make(
      std::span<char> storage, const MessageView& message, std::span<const SlotName> names,
      const DataFields& pairs = DataFields::standard()) noexcept;

  [[nodiscard]] static std::expected<PreparedMessage, EncodeError> make(
      std::span<char> storage, const MessageView& message, std::initializer_list<SlotName> names,
      const DataFields& pairs = DataFields::standard()) noexcept {
    return make(storage, message, std::span<const SlotName>(names.begin(), names.size()), pairs);
  }

  /// A moved-from object may only be destroyed or assigned to.
  PreparedMessage(PreparedMessage&&) noexcept = default;
  PreparedMessage& operator=(PreparedMessage&&) noexcept = default;
  /// Not copied: two objects on one storage would corrupt each other's checksums.
  PreparedMessage(const PreparedMessage&) = delete;
  PreparedMessage& operator=(const PreparedMessage&) = delete;
  ~PreparedMessage() = default;

  /// Slot of a field, for look-ups at start-up.
  [[nodiscard]] std::optional<std::uint32_t> slot_of(SlotName name) const noexcept;

  [[nodiscard]] std::size_t slot_count() const noexcept { return slot_count_; }

  /// Errors: SohInValue, EmptyValue. `value` must not view the storage.
  [[gnu::always_inline]] void set_text(std::uint32_t slot, std::string_view value) noexcept {
    if (value.size() - 1 < 16) [[likely]] {
      detail::TextSum text = detail::sum_of_short_text(value.data(), value.size());
      if (!text.has_soh) [[likely]] {
        patch(slot, value, text.sum);
        return;
      }
    }
    set_long_text(slot, value);
  }

  template <FieldInteger T>
  [[gnu::always_inline]] void set_integer(std::uint32_t slot, T value) noexcept {
    if (value >= 0 && static_cast<std::uint64_t>(value) < 100'000'000 && slot < slot_count_)
        [[likely]] {
      detail::ShortNumber number = detail::short_number(static_cast<std::uint32_t>(value));
      if (slots_[slot].size == number.size) [[likely]] {
        detail::store_word_start(body_ + slots_[slot].offset, number.characters, number.size);
        replace_sum(slots_[slot], detail::sum_of_digits(number.digits) + '0' * number.size);
        return;
      }
    }
    char digits[integer_room];
    set_rendered(slot, digits, format_integer(value, digits));
  }

  /// Takes only a char.
  void set_character(std::uint32_t slot, std::same_as<char> auto value) noexcept {
    set_text(slot, {&value, 1});
  }

  /// BadValue: the exponent is out of range.
  void set_decimal(std::uint32_t slot, base::Decimal value) noexcept {
    char digits[decimal_room];
    set_rendered(slot, digits, format_decimal(value, digits));
  }

  /// Renders the same time in several slots once, in the cache, which messages may share. BadValue:
  /// more than 999 picoseconds.
  [[gnu::always_inline]] void set_utc_time(std::uint32_t slot, base::UtcTime value,
                                           TimePrecision precision,
                                           TimeStampCache& cache) noexcept {
    if (value.picoseconds > 999) [[unlikely]] {
      fail(slot, EncodeError::BadValue);
      return;
    }
    if (slot < slot_count_ && slots_[slot].size == utc_time_size(precision)) [[likely]] {
      cache.write(value, precision, body_ + slots_[slot].offset);
      replace_sum(slots_[slot], cache.sum());
      return;
    }
    set_resized_utc_time(slot, value, precision, cache);
  }

  /// The message with all patches and its checksum, or the first error since the last call. Views
  /// the storage.
  [[nodiscard]] EncodedMessage message() noexcept;

  /// Slot of the last error returned by message().
  [[nodiscard]] std::uint32_t error_slot() const noexcept { return error_slot_; }

 private:
  struct Slot {
    std::uint32_t offset = 0;  ///< Of the value's first byte, from the body's begin.
    std::uint32_t size = 0;
    std::uint32_t sum = 0;  ///< Of the value's bytes.
    SlotName name;
  };

  PreparedMessage() = default;

  void fail(std::uint32_t slot, EncodeError error) noexcept {
    if (error_ == EncodeError::None) {
      error_ = error;
      error_slot_ = slot;
    }
  }

  /// `value` is not empty and has no SOH; `sum` is the sum of its bytes.
  [[gnu::always_inline]] void patch(std::uint32_t number, std::string_view value,
                                    std::uint32_t sum) noexcept {
    if (number >= slot_count_) [[unlikely]] {
      fail(number, EncodeError::UnknownSlot);
      return;
    }
    Slot& slot = slots_[number];
    if (slot.size != value.size()) [[unlikely]] {
      resize(number, value, sum);
      return;
    }
    detail::copy_text(body_ + slot.offset, value.data(), value.size());
    replace_sum(slot, sum);
  }

  void replace_sum(Slot& slot, std::uint32_t sum) noexcept {
    sum_ += sum - slot.sum;
    slot.sum = sum;
  }

  /// Sets a value rendered elsewhere; size 0: BadValue.
  void set_rendered(std::uint32_t slot, const char* rendered, std::size_t size) noexcept;

  /// Sets values of 0 or more than 16 bytes, and those with SOH.
  void set_long_text(std::uint32_t slot, std::string_view value) noexcept;

  /// Sets a time with a precision other than the slot's, or reports an unknown slot.
  void set_resized_utc_time(std::uint32_t slot, base::UtcTime value, TimePrecision precision,
                            TimeStampCache& cache) noexcept;

  /// Moves everything after the slot, and corrects offsets, BodyLength and the sum.
  void resize(std::uint32_t number, std::string_view value, std::uint32_t sum) noexcept;

  char* storage_end_ = nullptr;
  char* begin_ = nullptr;  ///< The message's first byte.
  char* body_ = nullptr;   ///< After the SOH of 9; it never moves, since the space before it takes
                           ///< a longer BodyLength.
  char* end_ = nullptr;    ///< Begin of 10.
  std::uint32_t prefix_size_ = 0;
  std::uint32_t sum_ = 0;  ///< Of the bytes before 10, modulo 2^32.
  std::uint32_t slot_count_ = 0;
  std::uint32_t error_slot_ = 0;
  EncodeError error_ = EncodeError::None;
  std::array<Slot, slots_max> slots_{};
};

}  // namespace affix::inline v0::wire
