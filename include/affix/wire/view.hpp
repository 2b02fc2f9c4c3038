// SPDX-License-Identifier: MIT
// A read-only view of a message: fields by position, by tag and typed, from the bytes and their
// index. Owns nothing and copies nothing. For groups include "affix/wire/groups.hpp".
#pragma once

#include "affix/base/assert.hpp"
#include "affix/wire/detail/find_tag.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/typed_fields.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::wire {

class GroupView;
struct GroupDescription;

/// One field. The value views the message's bytes.
struct Field {
  std::uint32_t tag = 0;  ///< 0 for a faulty field; FieldIndex has the fault.
  std::string_view value;
  std::uint32_t position = 0;  ///< In the index, counted from 0.
};

/// Cheap to copy; valid as long as its bytes and index exist unchanged. A lookup by tag costs about
/// 1 ns: one comparison if the index has learnt messages with these tags, else a vector compare of
/// 16 fields per step.
class MessageView : public TypedFields<MessageView> {
 public:
  class Iterator {
   public:
    using value_type = Field;
    using difference_type = std::ptrdiff_t;

    Iterator() noexcept = default;

    [[nodiscard]] Field operator*() const noexcept {
      const std::uint32_t begin = index_->begins[position_];
      return {
          index_->tags[position_], {bytes_ + begin, index_->ends[position_] - begin}, position_};
    }

    Iterator& operator++() noexcept {
      ++position_;
      return *this;
    }

    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++position_;
      return before;
    }

    friend bool operator==(const Iterator& left, const Iterator& right) noexcept {
      return left.position_ == right.position_;
    }

   private:
    friend class MessageView;
    friend class GroupEntry;

    Iterator(const char* bytes, const FieldIndex* index, std::uint32_t position) noexcept
        : bytes_(bytes), index_(index), position_(position) {}

    const char* bytes_ = nullptr;
    const FieldIndex* index_ = nullptr;
    std::uint32_t position_ = 0;
  };

  /// `index` must have been filled from exactly these bytes by index_message.
  MessageView(std::string_view bytes, const FieldIndex& index) noexcept
      : bytes_(bytes.data()), byte_count_(bytes.size()), index_(&index) {}

  /// Deleted: a temporary index would leave a dangling view.
  MessageView(std::string_view bytes, const FieldIndex&& index) = delete;

  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_, byte_count_}; }

  [[nodiscard]] const FieldIndex& index() const noexcept { return *index_; }

  /// Number of fields, including 8, 9, 35 and 10.
  [[nodiscard]] std::uint32_t size() const noexcept { return index_->count; }

  [[nodiscard]] bool empty() const noexcept { return index_->count == 0; }

  [[nodiscard]] Iterator begin() const noexcept { return {bytes_, index_, 0}; }

  [[nodiscard]] Iterator end() const noexcept { return {bytes_, index_, index_->count}; }

  /// `position` must be below size().
  [[nodiscard]] Field field(std::uint32_t position) const noexcept {
    return {tag_at(position), value_at(position), position};
  }

  [[nodiscard, gnu::always_inline]] std::uint32_t tag_at(std::uint32_t position) const noexcept {
    AFFIX_DEBUG_ASSERT(position < index_->count);
    return index_->tags[position];
  }

  [[nodiscard, gnu::always_inline]] std::string_view value_at(
      std::uint32_t position) const noexcept {
    AFFIX_DEBUG_ASSERT(position < index_->count);
    const std::uint32_t begin = index_->begins[position];
    return {bytes_ + begin, index_->ends[position] - begin};
  }

  /// The third field's value if its tag is 35, as the standard requires, else empty. Longer types
  /// view the bytes.
  [[nodiscard]] MsgType type() const noexcept {
    return index_->count > 2 && index_->tags[2] == 35 ? MsgType(value_at(2)) : MsgType();
  }

  /// Position of the first field with `tag`, or no_position.
  [[nodiscard, gnu::always_inline]] std::uint32_t position_of(std::uint32_t tag) const noexcept {
    return detail::find_tag(*index_, tag);
  }

  /// Position of the first field with `tag` from position `from` on, which must not exceed size();
  /// or no_position.
  [[nodiscard, gnu::always_inline]] std::uint32_t position_of(std::uint32_t tag,
                                                              std::uint32_t from) const noexcept {
    return detail::find_tag_from(*index_, from, tag);
  }

  /// Value of the first field with `tag`, also within groups; may be empty, unlike text().
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t tag) const noexcept {
    std::string_view value = value_or_null(tag);
    return value.data() != nullptr ? std::optional(value) : std::nullopt;
  }

  /// Does the same; a missing field gives a view whose data() is null. Returned in two
  /// registers.
  [[nodiscard, gnu::always_inline]] std::string_view value_or_null(
      std::uint32_t tag) const noexcept {
    const std::uint32_t found = detail::find_tag(*index_, tag);
    return found != no_position ? value_at(found) : std::string_view();
  }

  /// True if eight bytes of the message precede the value's end: all fields but BeginString.
  [[nodiscard, gnu::always_inline]] bool preceded_at(std::uint32_t position) const noexcept {
    return index_->ends[position] >= 8;
  }

  /// Value of the (n+1)th field with `tag`: nth(tag, 0) equals find(tag).
  [[nodiscard]] std::optional<std::string_view> nth(std::uint32_t tag,
                                                    std::uint32_t n) const noexcept {
    for (std::uint32_t at = position_of(tag); at != no_position; at = position_of(tag, at + 1)) {
      if (n-- == 0) {
        return value_at(at);
      }
    }
    return std::nullopt;
  }

  [[nodiscard, gnu::always_inline]] bool has(std::uint32_t tag) const noexcept {
    return position_of(tag) != no_position;
  }

  /// The repeating group `description`, empty if its counter is absent. Defined in groups.hpp; the
  /// description must outlive the result.
  [[nodiscard]] GroupView group(const GroupDescription& description) const noexcept;

 private:
  const char* bytes_;
  std::size_t byte_count_;
  const FieldIndex* index_;
};

}  // namespace affix::inline v0::wire
