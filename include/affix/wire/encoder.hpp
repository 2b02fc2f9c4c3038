// SPDX-License-Identifier: MIT
// Writes one message field by field directly into the caller's buffer: BodyLength is right-aligned
// before the body, so that nothing moves, and the checksum is summed meanwhile. No allocation, no
// clock, no FIX version.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/detail/text_sum.hpp"
#include "affix/wire/encoded.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/tag.hpp"
#include "affix/wire/timestamp.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {

/// Constant parts of a session's messages: BeginString, and header fields such as 49 and 56,
/// encoded once and copied into each message after 35. Plain value of about 600 bytes; read-only
/// and shareable once built.
class HeaderTemplate {
 public:
  static constexpr std::size_t begin_string_max = 24;
  static constexpr std::size_t fields_size_max = 480;

  /// `begin_string` is the value of tag 8, without SOH.
  explicit HeaderTemplate(std::string_view begin_string) noexcept;

  /// Adds a constant field. Keeps the first error.
  void text(Tag tag, std::string_view value) noexcept;

  template <FieldInteger T>
  void integer(Tag tag, T value) noexcept {
    char digits[integer_room];
    text(tag, {digits, format_integer(value, digits)});
  }

  /// Encoder::begin fails with this error if the template is faulty.
  [[nodiscard]] EncodeError error() const noexcept { return error_; }

  /// Tag of the faulty field.
  [[nodiscard]] std::uint32_t error_tag() const noexcept { return error_tag_; }

  /// `8=FIX.4.4|9=`. begin_string_max + 8 bytes are readable.
  [[nodiscard]] std::string_view prefix() const noexcept { return {prefix_.data(), prefix_size_}; }

  /// The added fields, each with its SOH. 32 more bytes are readable.
  [[nodiscard]] std::string_view fields() const noexcept { return {fields_.data(), fields_size_}; }

  /// Sums of their bytes, for CheckSum.
  [[nodiscard]] std::uint32_t prefix_sum() const noexcept { return prefix_sum_; }

  [[nodiscard]] std::uint32_t fields_sum() const noexcept { return fields_sum_; }

 private:
  std::array<char, begin_string_max + 8> prefix_{};
  std::array<char, fields_size_max + 32> fields_{};
  std::uint32_t prefix_size_ = 0;
  std::uint32_t fields_size_ = 0;
  std::uint32_t prefix_sum_ = 0;
  std::uint32_t fields_sum_ = 0;
  std::uint32_t error_tag_ = 0;
  EncodeError error_ = EncodeError::None;
};

namespace detail {

/// Writes BodyLength before the body and the checksum after it; `sum` is that of all other bytes.
/// Returns the message's first byte.
[[nodiscard]] char* finish_message(char* body, char* end, std::uint32_t prefix_size,
                                   std::uint32_t sum) noexcept;

}  // namespace detail

/// Create one per message, on the stack, within the lifetime of its buffer: its address never
/// leaves these inline functions, so compilers keep it in registers. Usage: begin, header fields,
/// body fields, finish.
///
/// Keeps the first error: later fields are ignored and finish() returns it. Each field costs one
/// bounds check. Values are summed in registers (long ones by the kernel, at their source): a pass
/// over the finished message would wait for its stores to reach the cache, which takes longer than
/// the pass itself.
class Encoder {
 public:
  /// The size of the finished message plus this is a sufficient buffer: it covers a longer
  /// BodyLength before the message, and whole-word stores after it.
  static constexpr std::size_t overhead = 80;

  /// `buffer` and `cache` must outlive the encoder. With a cache, utc_time() renders only digits
  /// that changed since the cache's last stamp; without, every stamp in full.
  explicit Encoder(std::span<char> buffer, TimeStampCache* cache = nullptr) noexcept
      : at_(buffer.data()),
        limit_(buffer.data()),
        buffer_(buffer.data()),
        buffer_size_(buffer.size() < buffer_size_max ? buffer.size() : buffer_size_max),
        cache_(cache) {}

  /// Starts a message at the buffer's begin and discards an unfinished one: writes 8, space for 9,
  /// and 35. BadValue: `begin_string` has more than HeaderTemplate::begin_string_max characters.
  [[gnu::always_inline]] void begin(std::string_view begin_string,
                                    std::string_view msg_type) noexcept {
    if (begin_string.empty() || begin_string.size() > HeaderTemplate::begin_string_max)
        [[unlikely]] {
      restart();
      fail(begin_string.empty() ? EncodeError::EmptyValue : EncodeError::BadValue, 8);
      return;
    }
    if (!open(static_cast<std::uint32_t>(begin_string.size() + 5))) [[unlikely]] {
      return;
    }
    char* const to = prefix_place();
    detail::TextSum copied = copy_value(to + 2, begin_string);
    if (copied.has_soh) [[unlikely]] {
      fail(EncodeError::SohInValue, 8);
      return;
    }
    detail::move_block<2>(to, "8=");
    detail::move_block<3>(to + 2 + begin_string.size(),
                          "\x01"
                          "9=");
    sum_ += copied.sum + detail::sum_of_constant(
                             "8=\x01"
                             "9=");
    text(35, msg_type);
  }

  /// Does the same with the template's fields after 35, in one copy.
  [[gnu::always_inline]] void begin(const HeaderTemplate& header,
                                    std::string_view msg_type) noexcept {
    if (header.error() != EncodeError::None) [[unlikely]] {
      restart();
      fail(header.error(), header.error_tag());
      return;
    }
    if (!open(static_cast<std::uint32_t>(header.prefix().size()))) [[unlikely]] {
      return;
    }
    // Copies a whole block: the body will overwrite the excess.
    detail::move_block<HeaderTemplate::begin_string_max + 8>(prefix_place(),
                                                             header.prefix().data());
    sum_ += header.prefix_sum() + header.fields_sum();
    text(35, msg_type);
    std::string_view run = header.fields();
    if (limit_ - at_ < static_cast<std::ptrdiff_t>(run.size())) [[unlikely]] {
      fail(EncodeError::Overflow, 0);
      return;
    }
    for (std::size_t done = 0; done < run.size(); done += 32) {
      detail::move_block<32>(at_ + done, run.data() + done);
    }
    at_ += run.size();
  }

  /// A string of any FIX text type. Errors: SohInValue, EmptyValue.
  [[gnu::always_inline]] void text(Tag tag, std::string_view value) noexcept {
    if (value.empty() || !room_for(tag.text_size() + value.size() + 1)) [[unlikely]] {
      fail(value.empty() ? EncodeError::EmptyValue : EncodeError::Overflow, tag);
      return;
    }
    char* const to = put_tag(tag);
    detail::TextSum copied = copy_value(to, value);
    if (copied.has_soh) [[unlikely]] {
      fail(EncodeError::SohInValue, tag);
      return;
    }
    close_field(tag, to + value.size(), copied.sum);
  }

  void text(Tag tag, std::nullptr_t) = delete;

  /// int, SeqNum, Length, NumInGroup.
  template <FieldInteger T>
  [[gnu::always_inline]] void integer(Tag tag, T value) noexcept {
    if (!room_for(tag.text_size())) [[unlikely]] {
      fail(EncodeError::Overflow, tag);
      return;
    }
    char* const to = put_tag(tag);
    detail::Rendered rendered = detail::render_integer(value, to);
    close_field(tag, to + rendered.size, rendered.sum);
  }

  /// Takes only a char: the number 2 is not '2'. Error: SohInValue.
  [[gnu::always_inline]] void character(Tag tag, std::same_as<char> auto value) noexcept {
    if (value == soh || !room_for(tag.text_size())) [[unlikely]] {
      fail(value == soh ? EncodeError::SohInValue : EncodeError::Overflow, tag);
      return;
    }
    char* const to = put_tag(tag);
    *to = value;
    close_field(tag, to + 1, static_cast<unsigned char>(value));
  }

  /// Takes only a bool: neither 'N' nor "N" is true.
  [[gnu::always_inline]] void boolean(Tag tag, std::same_as<bool> auto value) noexcept {
    character(tag, value ? 'Y' : 'N');
  }

  /// Price, Qty, Amt, float: the exact digits, as in format_decimal. BadValue: the exponent is out
  /// of range.
  [[gnu::always_inline]] void decimal(Tag tag, base::Decimal value) noexcept {
    if (detail::short_decimal(value)) [[likely]] {
      if (!room_for(tag.text_size())) [[unlikely]] {
        fail(EncodeError::Overflow, tag);
        return;
      }
      char* const to = put_tag(tag);
      detail::Rendered rendered = detail::render_short_decimal(value, to);
      close_field(tag, to + rendered.size, rendered.sum);
      return;
    }
    std::array<char, decimal_room> rendered;
    rendered_text(tag, rendered.data(), format_decimal(value, rendered.data()));
  }

  /// UTCTimestamp, truncated to `precision`. BadValue: more than 999 picoseconds.
  [[gnu::always_inline]] void utc_time(Tag tag, base::UtcTime value,
                                       TimePrecision precision) noexcept {
    if (value.picoseconds > 999 || !room_for(tag.text_size())) [[unlikely]] {
      fail(value.picoseconds > 999 ? EncodeError::BadValue : EncodeError::Overflow, tag);
      return;
    }
    char* const to = put_tag(tag);
    if (cache_ != nullptr) {
      const std::size_t size = cache_->write(value, precision, to);
      close_field(tag, to + size, cache_->sum());
    } else {
      TimeStampCache once;
      const std::size_t size = once.write(value, precision, to);
      close_field(tag, to + size, once.sum());
    }
  }

  /// UTCDateOnly, LocalMktDate. BadValue: the date does not exist.
  void date(Tag tag, base::CivilDate value) noexcept {
    std::array<char, date_room> rendered;
    rendered_text(tag, rendered.data(), format_date(value, rendered.data()));
  }

  /// UTCTimeOnly, LocalMktTime. BadValue: outside a day.
  void time_of_day(Tag tag, TimeOfDay value, TimePrecision precision) noexcept {
    std::array<char, utc_time_room> rendered;
    rendered_text(tag, rendered.data(), format_time_of_day(value, precision, rendered.data()));
  }

  void zoned_time(Tag tag, const ZonedTime& value, TimePrecision precision) noexcept {
    std::array<char, zoned_time_room> rendered;
    rendered_text(tag, rendered.data(), format_zoned_time(value, precision, rendered.data()));
  }

  void zoned_time_of_day(Tag tag, const ZonedTimeOfDay& value, TimePrecision precision) noexcept {
    std::array<char, zoned_time_room> rendered;
    rendered_text(tag, rendered.data(),
                  format_zoned_time_of_day(value, precision, rendered.data()));
  }

  void month_year(Tag tag, MonthYear value) noexcept {
    std::array<char, date_room> rendered;
    rendered_text(tag, rendered.data(), format_month_year(value, rendered.data()));
  }

  void tenor(Tag tag, Tenor value) noexcept {
    std::array<char, date_room> rendered;
    rendered_text(tag, rendered.data(), format_tenor(value, rendered.data()));
  }

  /// A length field and its data field; the bytes may contain SOH. Readers find them only if they
  /// know the pair (DataFields).
  void data(Tag length_tag, Tag data_tag, std::string_view bytes) noexcept {
    integer(length_tag, bytes.size());
    if (bytes.empty() || !room_for(data_tag.text_size() + bytes.size() + 1)) [[unlikely]] {
      fail(bytes.empty() ? EncodeError::EmptyValue : EncodeError::Overflow, data_tag);
      return;
    }
    char* const to = put_tag(data_tag);
    close_field(data_tag, to + bytes.size(), copy_value(to, bytes).sum);
  }

  /// Any number of encoded fields, `tag=value SOH`. BadValue: they do not end with
  /// SOH.
  void raw(std::string_view fields) noexcept {
    if (fields.empty()) {
      return;
    }
    if (fields.back() != soh || !room_for(fields.size())) [[unlikely]] {
      fail(fields.back() != soh ? EncodeError::BadValue : EncodeError::Overflow, 0);
      return;
    }
    sum_ += copy_value(at_, fields).sum;
    at_ += fields.size();
  }

  /// Sets the error `error`, about field `tag`, unless one is set: for writers with
  /// checks beyond the encoder's. `beside` is a related field (error_beside_tag()), or
  /// 0.
  [[gnu::always_inline]] void refuse(EncodeError error, std::uint32_t tag,
                                     std::uint32_t beside = 0) noexcept {
    if (error_ == EncodeError::None) {
      error_beside_tag_ = beside;
    }
    fail(error, tag);
  }

  /// Field `tag` follows now. If the message was refused because this field was missing, it is out
  /// of order instead: the error becomes FieldOrder.
  void correct_refusal(std::uint32_t tag) noexcept {
    if (error_ == EncodeError::MissingField && error_tag_ == tag) {
      error_ = EncodeError::FieldOrder;
    }
  }

  /// Writes 9 and 10. Returns a view of the whole message inside the buffer, or the first error,
  /// whose field is error_tag(). Call it once per message.
  [[nodiscard]] [[gnu::always_inline]] EncodedMessage finish() noexcept {
    if (error_ != EncodeError::None || body_ == nullptr) [[unlikely]] {
      fail(EncodeError::NotBegun, 0);
      return std::unexpected(error_);
    }
    const char* const begin = detail::finish_message(body_, at_, prefix_size_, sum_);
    at_ += trailer_size;
    limit_ = buffer_;  // Later fields find no space, and body_ gives the reason.
    body_ = nullptr;
    return std::string_view(begin, static_cast<std::size_t>(at_ - begin));
  }

  /// The fields that were written so far, from 35 on, each with its SOH. Valid until the next
  /// field; empty before begin() and after finish().
  [[nodiscard]] std::string_view written() const noexcept {
    return body_ == nullptr ? std::string_view()
                            : std::string_view(body_, static_cast<std::size_t>(at_ - body_));
  }

  /// Number of bytes used, from the buffer's begin: after finish() the next message's buffer may
  /// start there.
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(at_ - buffer_);
  }

  [[nodiscard]] EncodeError error() const noexcept { return error_; }

  /// Tag of the field with the error; 0 if the error has none.
  [[nodiscard]] std::uint32_t error_tag() const noexcept { return error_tag_; }

  /// For FieldOrder, the field that error_tag() must precede; for MissingField, the field that it
  /// should have preceded, 0 if the message ended without it. 0 for other errors.
  [[nodiscard]] std::uint32_t error_beside_tag() const noexcept { return error_beside_tag_; }

 private:
  /// BodyLength has at most this many digits, which limits the buffer's usable size.
  static constexpr std::size_t body_length_digits_max = 9;
  static constexpr std::size_t buffer_size_max = 999'999'999;
  static constexpr std::size_t trailer_size = 7;  ///< `10=123` and SOH.

  /// Bytes kept free after `limit_`: whole words of a value that begins at the limit, its SOH, and
  /// the trailer.
  static constexpr std::size_t tail_room = 64;
  static_assert(tail_room >= utc_time_room + 1 + trailer_size &&
                tail_room >= integer_room + 1 + trailer_size);
  static_assert(overhead >= body_length_digits_max + tail_room);

  /// Place of the prefix for a BodyLength of three digits, the most common; finish_message moves it
  /// for others.
  [[nodiscard]] char* prefix_place() const noexcept { return body_ - 4 - prefix_size_; }

  [[gnu::always_inline]] void restart() noexcept {
    at_ = buffer_;
    limit_ = buffer_;
    body_ = nullptr;
    sum_ = 0;
    error_ = EncodeError::None;
    error_tag_ = 0;
    error_beside_tag_ = 0;
  }

  [[gnu::always_inline]] bool open(std::uint32_t prefix_size) noexcept {
    restart();
    const std::size_t lead = prefix_size + body_length_digits_max + 1;
    if (buffer_size_ < lead + tail_room) [[unlikely]] {
      body_ = buffer_;
      fail(EncodeError::Overflow, 8);
      return false;
    }
    prefix_size_ = prefix_size;
    body_ = buffer_ + lead;
    at_ = body_;
    limit_ = buffer_ + buffer_size_ - tail_room;
    return true;
  }

  /// Keeps the first error, and leaves no space for fields. Always inline: a call would let `this`
  /// escape.
  [[gnu::always_inline]] void fail(EncodeError error, std::uint32_t tag) noexcept {
    if (error_ == EncodeError::None) {
      error_ = body_ == nullptr && error == EncodeError::Overflow ? EncodeError::NotBegun : error;
      error_tag_ = tag;
    }
    limit_ = buffer_;
  }

  /// Checks for space. Values rendered in place fit after the limit, so only their tag must fit
  /// before it.
  [[nodiscard]] [[gnu::always_inline]] bool room_for(std::size_t size) const noexcept {
    return limit_ - at_ >= static_cast<std::ptrdiff_t>(size);
  }

  [[gnu::always_inline]] static detail::TextSum copy_value(char* to,
                                                           std::string_view value) noexcept {
    return value.size() <= 16 ? detail::copy_short_text(to, value.data(), value.size())
                              : detail::copy_long_text(to, value.data(), value.size());
  }

  /// Writes a value rendered elsewhere; size 0: BadValue.
  [[gnu::always_inline]] void rendered_text(Tag tag, const char* rendered,
                                            std::size_t size) noexcept {
    if (size == 0) [[unlikely]] {
      fail(EncodeError::BadValue, tag);
      return;
    }
    text(tag, {rendered, size});
  }

  /// Stores the tag's text as whole words; the value overwrites the excess.
  [[gnu::always_inline]] char* put_tag(const Tag& tag) const noexcept {
    if (tag.text_size() <= 4) {
      detail::move_block<4>(at_, tag.text());
    } else if (tag.text_size() <= 8) {
      detail::move_block<8>(at_, tag.text());
    } else {
      detail::move_block<16>(at_, tag.text());
    }
    return at_ + tag.text_size();
  }

  [[gnu::always_inline]] void close_field(const Tag& tag, char* end,
                                          std::uint32_t value_sum) noexcept {
    *end = soh;
    at_ = end + 1;
    sum_ += tag.sum() + value_sum + static_cast<unsigned char>(soh);
  }

  char* at_;
  char* limit_;
  char* buffer_;
  std::size_t buffer_size_;
  char* body_ = nullptr;
  TimeStampCache* cache_;
  std::uint32_t prefix_size_ = 0;
  std::uint32_t sum_ = 0;  ///< Of all bytes except BodyLength's value and SOH, modulo 2^32.
  std::uint32_t error_tag_ = 0;
  std::uint32_t error_beside_tag_ = 0;
  EncodeError error_ = EncodeError::None;
};

}  // namespace affix::inline v0::wire
