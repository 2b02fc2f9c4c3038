// SPDX-License-Identifier: MIT
// Base of generated writers. A writer passes fields directly to a wire::Encoder and stores one
// number: the place of the last field in the dictionary's order. From it alone the writer detects
// repeated, misplaced and missing required fields; if the compiler sees the writer's whole use, as
// it usually does, it evaluates all these checks at compile time.
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

/// A required field or group of a message or entry, by place in the dictionary's order.
struct Required {
  std::uint32_t place;  ///< From 1.
  std::uint32_t tag;
};

namespace detail {

/// Tag of the first required field after `place`; 0 if there is none.
[[nodiscard]] std::uint32_t first_missing(std::span<const Required> required,
                                          std::uint32_t place) noexcept;

/// Maximum size of a value with several codes.
inline constexpr std::size_t codes_room = 512;

/// Appends a code after a space; 0 if the code has no text or does not fit.
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
      encoder.text(tag, code_of(value));  // Not an enumerator: no text, so EmptyValue.
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

/// Refuses a message that lacks a required field after `place`. `before` is the field that came
/// instead, 0 at the end.
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

/// Writes the fields of a layout. `Self` has encoder(), required_fields() (ordered by
/// place) and last_required (the last one's place, 0 if none). Internal: generated setters
/// call it.
template <typename Self>
class FieldWriter {
 public:
  /// True if the field at `place` may follow: after the last one written, with no required field
  /// skipped. `after` is the place of the last required field before it, or 0. Otherwise refuses
  /// the message.
  [[nodiscard]] [[gnu::always_inline]] bool step(const wire::Tag& tag, std::uint32_t after,
                                                 std::uint32_t place) noexcept {
    // after <= last_place_ < place, in one comparison.
    if (last_place_ - after < place - after) [[likely]] {
      last_place_ = place;
      last_tag_ = tag;
      return true;
    }
    if (last_place_ >= place) {
      // A field reported missing by a later field may merely be late.
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

  /// Writes an integer of any type into a field of `Declared`; BadValue if it does not
  /// fit.
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
  /// Zero entries: writes nothing, as without the call. A negative number: BadValue.
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

  /// Place of the last field written; 0 before the first.
  [[nodiscard]] std::uint32_t place() const noexcept { return last_place_; }

  /// Refuses all further fields of this layout.
  void close_layout() noexcept { last_place_ = 0xFFFF'FFFF; }

  /// Refuses the message if a required field after the last one written is missing.
  [[gnu::always_inline]] void check_required() noexcept {
    if (last_place_ < Self::last_required) [[unlikely]] {
      detail::refuse_missing(self().encoder(), Self::required_fields(), last_place_, 0);
    }
  }

 private:
  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }

  // No field's function has such a name: a name in two bases would be ambiguous.
  std::uint32_t last_place_ = 0;
  std::uint32_t last_tag_ = 0;  ///< Of the field at last_place_; for errors only.
};

/// Base of the writers of group entries and of header and trailer fields. Writes into the message's
/// encoder, which must outlive it.
template <typename Self>
class EntryWriter : public FieldWriter<Self> {
 public:
  explicit EntryWriter(wire::Encoder& encoder) noexcept : target_(&encoder) {}

  /// The encoder, for fields unknown to the dictionary.
  [[nodiscard]] wire::Encoder& encoder() const noexcept { return *target_; }

  /// Called after an entry's last field.
  [[gnu::always_inline]] void close() noexcept { this->check_required(); }

 private:
  wire::Encoder* target_;
};

/// Base of a message's writer. Owns a copy of the encoder in which the message was begun. Keeps the
/// first error until finish(): the encoder's, or MissingField or FieldOrder, with the tag in
/// encoder().error_tag().
template <typename Self, typename HeaderWriter, typename TrailerWriter>
class MessageWriter : public FieldWriter<Self> {
 public:
  explicit MessageWriter(const wire::Encoder& begun) noexcept : message_encoder_(begun) {}

  /// Not copied: two writers of one buffer would overwrite each other.
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;
  MessageWriter(MessageWriter&&) noexcept = default;
  MessageWriter& operator=(MessageWriter&&) noexcept = default;
  ~MessageWriter() = default;

  /// The encoder, for fields unknown to the dictionary.
  [[nodiscard]] wire::Encoder& encoder() noexcept { return message_encoder_; }

  /// Writes header fields beyond the session's; before the first body field.
  [[nodiscard]] HeaderWriter header() noexcept {
    if (this->place() != 0) {
      message_encoder_.refuse(wire::EncodeError::FieldOrder, 0);
    }
    return HeaderWriter(message_encoder_);
  }

  /// Writes trailer fields except the checksum; after the complete body.
  [[nodiscard]] TrailerWriter trailer() noexcept {
    this->check_required();
    this->close_layout();
    return TrailerWriter(message_encoder_);
  }

  /// Checks required fields and returns the encoder, ready for finish().
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
