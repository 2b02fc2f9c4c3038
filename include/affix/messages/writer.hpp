// SPDX-License-Identifier: MIT
// What generated writers are made of. A writer puts fields straight into a wire::Encoder and keeps
// one number: the place of the last field in the dictionary's order. That alone tells a field that
// comes twice or too late, and a required one that was left out; where the writer's life is visible
// to the compiler, as it mostly is, all of it is worked out while compiling.
#pragma once

#include "affix/messages/code.hpp"
#include "affix/messages/strong_types.hpp"
#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace affix::inline v0::messages {

/// A required field or group of a message or entry, by its place in the dictionary's order.
struct Required {
  std::uint32_t place;  ///< From 1.
  std::uint32_t tag;
};

namespace detail {

/// Tag of the first required field behind `place`; 0 when there is none.
[[nodiscard]] std::uint32_t first_missing(std::span<const Required> required,
                                          std::uint32_t place) noexcept;

/// Room for the text of a value with several codes.
inline constexpr std::size_t codes_room = 512;

/// Codes with a space between each; 0 when one has no text or they do not fit.
[[nodiscard]] inline std::size_t append_code(char* to, std::size_t size,
                                             std::string_view code) noexcept {
  if (code.empty() || size + 1 + code.size() > codes_room) {
    return 0;
  }
  if (size != 0) {
    to[size++] = ' ';
  }
  for (const char character : code) {
    to[size++] = character;
  }
  return size;
}

template <Coded E>
void write_codes(wire::Encoder& encoder, const wire::Tag& tag, const E* codes,
                 std::size_t count) noexcept {
  char text[codes_room];
  std::size_t size = 0;
  for (std::size_t at = 0; at < count; ++at) {
    if constexpr (is_character<E>) {
      const char character = static_cast<char>(codes[at]);
      size = append_code(text, size, {&character, 1});
    } else {
      size = append_code(text, size, code_of(codes[at]));
    }
    if (size == 0) {
      encoder.refuse(wire::EncodeError::BadValue, tag);
      return;
    }
  }
  encoder.text(tag, {text, size});
}

template <typename T>
[[gnu::always_inline]] inline void write(wire::Encoder& encoder, const wire::Tag& tag,
                                         const T& value) noexcept {
  if constexpr (std::is_same_v<T, std::string_view>) {
    encoder.text(tag, value);
  } else if constexpr (std::is_same_v<T, char>) {
    encoder.character(tag, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    encoder.boolean(tag, value);
  } else if constexpr (std::is_integral_v<T>) {
    encoder.integer(tag, value);
  } else if constexpr (std::is_same_v<T, base::Decimal>) {
    encoder.decimal(tag, value);
  } else if constexpr (std::is_same_v<T, base::CivilDate>) {
    encoder.date(tag, value);
  } else if constexpr (std::is_same_v<T, wire::MonthYear>) {
    encoder.month_year(tag, value);
  } else if constexpr (std::is_same_v<T, wire::Tenor>) {
    encoder.tenor(tag, value);
  } else if constexpr (requires { value.decimal(); }) {
    encoder.decimal(tag, value.decimal());
  } else {
    static_assert(Coded<T>, "no field is written from this type");
    if constexpr (is_character<T>) {
      encoder.character(tag, static_cast<char>(value));
    } else if constexpr (is_number<T>) {
      encoder.integer(tag, static_cast<std::int32_t>(value));
    } else {
      encoder.text(tag, code_of(value));  // A value that is no enumerator has no text: EmptyValue.
    }
  }
}

[[gnu::always_inline]] inline void write(wire::Encoder& encoder, const wire::Tag& tag,
                                         const base::UtcTime& value,
                                         wire::TimePrecision precision) noexcept {
  encoder.utc_time(tag, value, precision);
}

[[gnu::always_inline]] inline void write(wire::Encoder& encoder, const wire::Tag& tag,
                                         const wire::TimeOfDay& value,
                                         wire::TimePrecision precision) noexcept {
  encoder.time_of_day(tag, value, precision);
}

[[gnu::always_inline]] inline void write(wire::Encoder& encoder, const wire::Tag& tag,
                                         const wire::ZonedTime& value,
                                         wire::TimePrecision precision) noexcept {
  encoder.zoned_time(tag, value, precision);
}

[[gnu::always_inline]] inline void write(wire::Encoder& encoder, const wire::Tag& tag,
                                         const wire::ZonedTimeOfDay& value,
                                         wire::TimePrecision precision) noexcept {
  encoder.zoned_time_of_day(tag, value, precision);
}

}  // namespace detail

namespace detail {

/// Refuses a message of which a required field behind `place` is missing. `before` is the field
/// that came instead, 0 at the end.
[[gnu::always_inline]] inline void refuse_missing(wire::Encoder& encoder,
                                                  std::span<const Required> required,
                                                  std::uint32_t place,
                                                  std::uint32_t before) noexcept {
  encoder.refuse(wire::EncodeError::MissingField, first_missing(required, place), before);
}

template <typename Entry, typename Fill, typename Element>
[[gnu::always_inline]] inline void write_entry(wire::Encoder& encoder, Fill& fill,
                                               const Element& element) noexcept {
  Entry entry(encoder);
  fill(entry, element);
  entry.close();
}

}  // namespace detail

/// What fields of a layout are written through. `Self` has encoder(), required_fields() (ordered by
/// place) and last_required (the last one's place, 0 when there is none). Not for users: generated
/// setters call it.
template <typename Self>
class FieldWriter {
 public:
  /// Whether the field at `place` may come now: behind the last one written, with nothing required
  /// left out between. `after` is the place of the last required field before it, or 0. Refuses the
  /// message otherwise.
  [[nodiscard]] [[gnu::always_inline]] bool step(const wire::Tag& tag, std::uint32_t after,
                                                 std::uint32_t place) noexcept {
    // after <= last_place_ < place, in one comparison.
    if (last_place_ - after < place - after) [[likely]] {
      last_place_ = place;
      last_tag_ = tag;
      return true;
    }
    if (last_place_ >= place) {
      // A required field that is refused as missing when the one behind it comes may be late only.
      self().encoder().refuse(wire::EncodeError::FieldOrder, tag, last_tag_);
      self().encoder().correct_refusal(tag);
    } else {
      detail::refuse_missing(self().encoder(), Self::required_fields(), last_place_, tag);
      last_place_ = place;
      last_tag_ = tag;
    }
    return false;
  }

  template <typename T, typename... Precision>
  [[gnu::always_inline]] Self& put_field(const wire::Tag& tag, std::uint32_t after,
                                         std::uint32_t place, const T& value,
                                         Precision... precision) noexcept {
    if (step(tag, after, place)) [[likely]] {
      detail::write(self().encoder(), tag, value, precision...);
    }
    return self();
  }

  /// An integer of any type into a field of `Declared`: BadValue when that does not hold it, never
  /// another number.
  template <wire::FieldInteger Declared, wire::FieldInteger T>
  [[gnu::always_inline]] Self& put_integer(const wire::Tag& tag, std::uint32_t after,
                                           std::uint32_t place, T value) noexcept {
    if (step(tag, after, place)) [[likely]] {
      if (!std::in_range<Declared>(value)) [[unlikely]] {
        self().encoder().refuse(wire::EncodeError::BadValue, tag);
      } else {
        self().encoder().integer(tag, value);
      }
    }
    return self();
  }

  template <Coded E>
  Self& put_codes(const wire::Tag& tag, std::uint32_t after, std::uint32_t place,
                  std::span<const E> codes) noexcept {
    if (step(tag, after, place)) {
      detail::write_codes(self().encoder(), tag, codes.data(), codes.size());
    }
    return self();
  }

  Self& put_data(const wire::Tag& length_tag, const wire::Tag& tag, std::uint32_t after,
                 std::uint32_t place, std::string_view bytes) noexcept {
    if (step(tag, after, place)) {
      self().encoder().data(length_tag, tag, bytes);
    }
    return self();
  }

  /// `source` is a number of entries or a sized range; `fill(entry, index or element)` writes each.
  /// No entries: nothing is written, as if this had not been called. A negative number: BadValue.
  template <typename Entry, typename Source, typename Fill>
  [[gnu::always_inline]] Self& put_group(const wire::Tag& tag, std::uint32_t after,
                                         std::uint32_t place, const Source& source,
                                         Fill&& fill) noexcept {
    if constexpr (wire::FieldInteger<Source>) {
      if (!std::in_range<std::size_t>(source)) [[unlikely]] {
        self().encoder().refuse(wire::EncodeError::BadValue, tag);
        return self();
      }
      const auto count = static_cast<std::size_t>(source);
      if (count != 0 && step(tag, after, place)) {
        self().encoder().integer(tag, count);
        for (std::size_t at = 0; at < count; ++at) {
          detail::write_entry<Entry>(self().encoder(), fill, at);
        }
      }
    } else {
      static_assert(
          requires { std::size(source); },
          "a group is written from a number of entries, an integer, or from a sized range");
      const std::size_t count = std::size(source);
      if (count != 0 && step(tag, after, place)) {
        self().encoder().integer(tag, count);
        for (const auto& element : source) {
          detail::write_entry<Entry>(self().encoder(), fill, element);
        }
      }
    }
    return self();
  }

 protected:
  FieldWriter() = default;

  /// The place of the last field written; 0 before the first.
  [[nodiscard]] std::uint32_t place() const noexcept { return last_place_; }

  /// No further field of this layout is taken.
  void close_layout() noexcept { last_place_ = 0xFFFF'FFFF; }

  /// Refuses the message when a required field behind the last one written is missing.
  [[gnu::always_inline]] void check_required() noexcept {
    if (last_place_ < Self::last_required) [[unlikely]] {
      detail::refuse_missing(self().encoder(), Self::required_fields(), last_place_, 0);
    }
  }

 private:
  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }

  // No field's function is named like these: a name of two bases would be ambiguous.
  std::uint32_t last_place_ = 0;
  std::uint32_t last_tag_ = 0;  ///< Of the field at last_place_; for errors only.
};

/// Base of the writer of one group entry, of the header's and the trailer's fields. Writes into the
/// message's encoder, which outlives it.
template <typename Self>
class EntryWriter : public FieldWriter<Self> {
 public:
  explicit EntryWriter(wire::Encoder& encoder) noexcept : target_(&encoder) {}

  /// Where the fields go: for a field that the dictionary does not know.
  [[nodiscard]] wire::Encoder& encoder() const noexcept { return *target_; }

  /// Called behind an entry's last field.
  [[gnu::always_inline]] void close() noexcept { this->check_required(); }

 private:
  wire::Encoder* target_;
};

/// Base of a message's writer. Owns the encoder it was given, in which the message has been begun.
/// Errors stick, the first one is finish()'s: what the encoder says, MissingField or FieldOrder
/// with the tag in encoder().error_tag().
template <typename Self, typename HeaderWriter, typename TrailerWriter>
class MessageWriter : public FieldWriter<Self> {
 public:
  explicit MessageWriter(const wire::Encoder& begun) noexcept : message_encoder_(begun) {}

  /// Two writers of one buffer would write over each other.
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;
  MessageWriter(MessageWriter&&) noexcept = default;
  MessageWriter& operator=(MessageWriter&&) noexcept = default;
  ~MessageWriter() = default;

  /// Where the fields go: for a field that the dictionary does not know.
  [[nodiscard]] wire::Encoder& encoder() noexcept { return message_encoder_; }

  /// Header fields that the session does not write; before the body's first.
  [[nodiscard]] HeaderWriter header() noexcept {
    if (this->place() != 0) {
      message_encoder_.refuse(wire::EncodeError::FieldOrder, 0);
    }
    return HeaderWriter(message_encoder_);
  }

  /// Trailer fields but the checksum; behind the body's last, which must be complete.
  [[nodiscard]] TrailerWriter trailer() noexcept {
    this->check_required();
    this->close_layout();
    return TrailerWriter(message_encoder_);
  }

  /// The encoder, refused when a required field is missing: ready to be finished.
  [[nodiscard]] [[gnu::always_inline]] wire::Encoder& complete() noexcept {
    this->check_required();
    return message_encoder_;
  }

  /// The whole message in the encoder's buffer, or the first error.
  [[nodiscard]] [[gnu::always_inline]] wire::EncodedMessage finish() noexcept {
    return complete().finish();
  }

 private:
  wire::Encoder message_encoder_;
};

}  // namespace affix::inline v0::messages
