// SPDX-License-Identifier: MIT
// Copies messages with a mask in place of every secret value, and corrects BodyLength and
// CheckSum.

#include "affix/session/secrets.hpp"

#include "affix/wire/checksum.hpp"
#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace affix::inline v0::session {

namespace {

constexpr std::size_t trailer_size = 7;  // `10=123` and SOH.

bool contains(SecretTags tags, std::uint32_t number) noexcept {
  return std::find(tags.begin(), tags.end(), number) != tags.end();
}

/// Writes the fields of one message one after the other. A copy is never longer than its message:
/// neither a mask, nor the length of a masked data field, nor the new BodyLength is longer.
class MaskedCopy {
 public:
  /// `body_begin`: offset of the message's body; `to` has room for the whole message.
  MaskedCopy(std::span<char> to, std::size_t body_begin, SecretTags further,
             const wire::DataFields& data_fields) noexcept
      : begin_(to.data()),
        body_begin_(body_begin),
        at_(body_begin),
        further_(further),
        data_fields_(data_fields) {}

  /// Adds the next field of the body: `field` with its SOH; `value` views it. A field without a tag
  /// has tag 0.
  void add(std::uint32_t tag, std::string_view field, std::string_view value) noexcept {
    if (tag == tag::msg_type && at_ == body_begin_) {
      type_ = wire::MsgType(value);
    }
    const auto value_begin = static_cast<std::size_t>(value.data() - field.data());
    const bool secret =
        !value.empty() && tag != 0 && (wire::is_secret_tag(tag, type_) || contains(further_, tag));
    if (secret && data_tag_ == tag) {
      // The length field before a data field would reveal the length of the masked value.
      at_ = data_length_at_;
      put_number(wire::secret_mask.size());
      put("\x01");
    }
    const std::size_t field_at = at_;
    put(secret ? field.substr(0, value_begin) : field);
    if (secret) {
      put(wire::secret_mask);
      put("\x01");
    }
    data_tag_ = tag == 0 ? 0 : data_fields_.data_tag_of(tag);
    data_length_at_ = field_at + value_begin;
  }

  /// Writes BodyLength and CheckSum; `begin_string` is the first field with its SOH.
  [[nodiscard]] std::string_view finish(std::string_view begin_string) noexcept {
    const std::size_t body_size = at_ - body_begin_;
    at_ = 0;
    put(begin_string);
    put("9=");
    put_number(body_size);
    put("\x01");
    std::memmove(begin_ + at_, begin_ + body_begin_, body_size);
    at_ += body_size;
    const std::uint32_t sum = wire::checksum({begin_, at_});
    put("10=");
    const char digits[] = {static_cast<char>('0' + sum / 100),
                           static_cast<char>('0' + sum / 10 % 10),
                           static_cast<char>('0' + sum % 10), wire::soh};
    put({digits, sizeof digits});
    return {begin_, at_};
  }

 private:
  /// `text` may be in this copy's memory.
  void put(std::string_view text) noexcept {
    std::memcpy(begin_ + at_, text.data(), text.size());
    at_ += text.size();
  }

  void put_number(std::size_t number) noexcept {
    constexpr std::size_t digits_max = 20;
    char digits[digits_max];
    const char* const end = std::to_chars(digits, digits + digits_max, number).ptr;
    put({digits, static_cast<std::size_t>(end - digits)});
  }

  char* begin_;
  std::size_t body_begin_;
  std::size_t at_;
  SecretTags further_;
  const wire::DataFields& data_fields_;
  wire::MsgType type_;
  std::uint32_t data_tag_ = 0;      ///< Of the data field that the last field announced; 0: none.
  std::size_t data_length_at_ = 0;  ///< Offset of that field's value.
};

/// The field at `begin` of a text without an index, up to the next SOH.
struct Piece {
  std::uint32_t tag = 0;  ///< 0: it has none.
  std::size_t value_begin = 0;
  std::size_t value_end = 0;
};

Piece read_piece(std::string_view message, std::size_t begin) noexcept {
  const std::size_t soh_at = std::min(message.find(wire::soh, begin), message.size());
  const std::size_t equals = message.find('=', begin);
  if (equals == std::string_view::npos || equals > soh_at) {
    return {0, begin, soh_at};
  }
  const auto number = wire::parse_integer<std::uint32_t>(message.substr(begin, equals - begin));
  return {number.value_or(0), equals + 1, soh_at};
}

/// A data field ends after its length, whatever SOH it contains.
void extend(Piece& data, std::string_view message, std::size_t size) noexcept {
  if (size < message.size() - data.value_begin && message[data.value_begin + size] == wire::soh) {
    data.value_end = data.value_begin + size;
  }
}

}  // namespace

bool holds_secret(const wire::MessageView& message, SecretTags further) noexcept {
  const auto has = [&](std::uint32_t number) { return message.has(number); };
  return std::any_of(wire::secret_tags.begin(), wire::secret_tags.end(), has) ||
         (wire::carries_credentials(message.type()) && has(wire::credential_data_tag)) ||
         std::any_of(further.begin(), further.end(), has);
}

bool holds_mask(const wire::MessageView& message, SecretTags further) noexcept {
  const wire::MsgType type(message.type());
  for (std::uint32_t at = 0; at < message.size(); ++at) {
    const std::uint32_t number = message.tag_at(at);
    const std::string_view value = message.value_at(at);
    // A mask of several characters comes from an earlier version.
    if (!value.empty() && value.find_first_not_of(wire::secret_mask) == std::string_view::npos &&
        (wire::is_secret_tag(number, type) || contains(further, number))) {
      return true;
    }
  }
  return false;
}

bool holds_secret(std::string_view message) noexcept {
  for (std::size_t at = 0; at < message.size();) {
    const std::string_view rest = message.substr(at);
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      return false;
    }
    const auto number = wire::parse_integer<std::uint32_t>(rest.substr(0, equals));
    if (number && contains(wire::secret_tags, *number)) {
      return true;
    }
    const std::size_t soh_at = rest.find(wire::soh, equals);
    at = soh_at == std::string_view::npos ? message.size() : at + soh_at + 1;
  }
  return false;
}

std::string_view copy_without_secrets(const wire::MessageView& message, std::span<char> copy,
                                      SecretTags further,
                                      const wire::DataFields& data_fields) noexcept {
  const std::string_view bytes = message.bytes();
  const wire::FieldIndex& index = message.index();
  if (bytes.size() > copy.size() || !index.whole()) {
    return {};
  }
  const auto field_at = [&](std::uint32_t at) {
    const std::size_t begin = index.field_begin(at);
    return bytes.substr(begin, index.ends[at] + 1 - begin);
  };
  // A complete message has 8, 9 and 35 first, and 10 last.
  MaskedCopy masked(copy, index.field_begin(2), further, data_fields);
  for (std::uint32_t at = 2; at + 1 < index.count; ++at) {
    masked.add(message.tag_at(at), field_at(at), message.value_at(at));
  }
  return masked.finish(field_at(0));
}

std::string_view copy_without_secrets(std::string_view message, std::span<char> copy,
                                      SecretTags further,
                                      const wire::DataFields& data_fields) noexcept {
  if (message.size() > copy.size() || message.size() <= trailer_size) {
    return {};
  }
  const Piece begin_string = read_piece(message, 0);
  const Piece body_length = read_piece(message, begin_string.value_end + 1);
  const std::size_t body_end = message.size() - trailer_size;
  if (begin_string.tag != tag::begin_string || body_length.tag != tag::body_length ||
      body_length.value_end >= body_end) {
    return {};
  }
  MaskedCopy masked(copy, body_length.value_end + 1, further, data_fields);
  std::uint32_t data_tag = 0;  // The data field that must follow, and its size.
  std::size_t data_size = 0;
  for (std::size_t at = body_length.value_end + 1; at < body_end;) {
    Piece piece = read_piece(message.substr(0, body_end), at);
    if (data_tag != 0 && piece.tag == data_tag) {
      extend(piece, message.substr(0, body_end), data_size);
    }
    const std::string_view value =
        message.substr(piece.value_begin, piece.value_end - piece.value_begin);
    masked.add(piece.tag, message.substr(at, piece.value_end + 1 - at), value);
    const auto size = wire::parse_integer<std::size_t>(value);
    data_tag = piece.tag != 0 && size ? data_fields.data_tag_of(piece.tag) : 0;
    data_size = size.value_or(0);
    at = piece.value_end + 1;
  }
  return masked.finish(message.substr(0, begin_string.value_end + 1));
}

}  // namespace affix::inline v0::session
