// SPDX-License-Identifier: MIT
// What generated readers are made of: a view, typed reads by constant tag, and groups as ranges of
// typed entries. Nothing is copied or allocated; a reader lives as long as the message's bytes and
// index.
#pragma once

#include "affix/messages/code.hpp"
#include "affix/messages/strong_types.hpp"
#include "affix/wire/groups.hpp"
#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::messages {

namespace detail {

template <typename T>
inline constexpr bool is_decimal_of = false;
template <typename Kind>
inline constexpr bool is_decimal_of<DecimalOf<Kind>> = true;

template <typename T>
inline constexpr bool is_code_range = false;
template <typename E>
inline constexpr bool is_code_range<CodeRange<E>> = true;

template <typename T, typename U>
[[nodiscard, gnu::always_inline]] inline Result<T> wrapped(const Result<U>& value) noexcept {
  if (!value) [[unlikely]] {
    return std::unexpected(value.error());
  }
  return T(*value);
}

}  // namespace detail

/// The field `tag` of `fields` (a MessageView, a GroupEntry) as a T: Missing when it is not there,
/// else what converting its text says. In line whatever the compiler thinks of its size: with the
/// tag a constant the lookup takes half the work.
template <typename T, typename Fields>
[[nodiscard, gnu::always_inline]] inline Result<T> read(const Fields& fields,
                                                        std::uint32_t tag) noexcept {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return fields.text(tag);
  } else if constexpr (std::is_same_v<T, char>) {
    return fields.character(tag);
  } else if constexpr (std::is_same_v<T, bool>) {
    return fields.boolean(tag);
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return fields.day_of_month(tag);
  } else if constexpr (std::is_integral_v<T>) {
    return fields.template integer<T>(tag);
  } else if constexpr (std::is_same_v<T, base::Decimal>) {
    return fields.decimal(tag);
  } else if constexpr (detail::is_decimal_of<T>) {
    return detail::wrapped<T>(fields.decimal(tag));
  } else if constexpr (std::is_same_v<T, base::UtcTime>) {
    return fields.utc_time(tag);
  } else if constexpr (std::is_same_v<T, base::CivilDate>) {
    return fields.date(tag);
  } else if constexpr (std::is_same_v<T, wire::TimeOfDay>) {
    return fields.time_of_day(tag);
  } else if constexpr (std::is_same_v<T, wire::ZonedTime>) {
    return fields.zoned_time(tag);
  } else if constexpr (std::is_same_v<T, wire::ZonedTimeOfDay>) {
    return fields.zoned_time_of_day(tag);
  } else if constexpr (std::is_same_v<T, wire::MonthYear>) {
    return fields.month_year(tag);
  } else if constexpr (std::is_same_v<T, wire::Tenor>) {
    return fields.tenor(tag);
  } else if constexpr (std::is_same_v<T, wire::MultipleValue>) {
    return fields.multiple_string(tag);
  } else if constexpr (detail::is_code_range<T>) {
    return detail::wrapped<T>(fields.multiple_string(tag));
  } else {
    static_assert(Coded<T>, "no field is read as this type");
    const std::uint32_t position = fields.position_of(tag);
    if (position == wire::no_position) [[unlikely]] {
      return std::unexpected(wire::FieldError::Missing);
    }
    return from_code<T>(fields.value_at(position));
  }
}

/// Base of a message's reader, a header's and a trailer's: the view, and what can be asked of every
/// message.
class ViewReader {
 public:
  /// The whole message by tag: unlisted codes' texts and fields that the dictionary does not know.
  [[nodiscard]] const wire::MessageView& view() const noexcept { return message_view_; }

 protected:
  explicit ViewReader(const wire::MessageView& view) noexcept : message_view_(view) {}

 private:
  wire::MessageView message_view_;
};

/// `Self` has `message_type`.
template <typename Self, typename Header, typename Trailer>
class MessageReader : public ViewReader {
 public:
  /// Nothing when the message is of another type.
  [[nodiscard]] static std::optional<Self> from(const wire::MessageView& view) noexcept {
    return view.type() == wire::MsgType(Self::message_type) ? std::optional<Self>(Self(view))
                                                            : std::nullopt;
  }

  [[nodiscard]] Header header() const noexcept { return Header(view()); }

  [[nodiscard]] Trailer trailer() const noexcept { return Trailer(view()); }

 protected:
  explicit MessageReader(const wire::MessageView& view) noexcept : ViewReader(view) {}
};

/// Base of a group entry's reader.
class EntryReader {
 public:
  /// The entry by tag.
  [[nodiscard]] const wire::GroupEntry& view() const noexcept { return entry_view_; }

 protected:
  explicit EntryReader(const wire::GroupEntry& view) noexcept : entry_view_(view) {}

 private:
  wire::GroupEntry entry_view_;
};

/// A repeating group as a range of `Entry`, what is really there whatever the counter says. Name it
/// before taking iterators; in a range-for it may be a temporary.
template <typename Entry>
class Group {
 public:
  using value_type = Entry;

  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(const wire::GroupView::Iterator& at) noexcept : at_(at) {}

    [[nodiscard]] Entry operator*() const noexcept { return Entry(*at_); }

    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }

    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++at_;
      return before;
    }

    friend bool operator==(const Iterator& at, wire::GroupView::End end) noexcept {
      return at.at_ == end;
    }

   private:
    wire::GroupView::Iterator at_;
  };

  explicit Group(const wire::GroupView& view) noexcept : view_(view) {}

  [[nodiscard]] Iterator begin() const& noexcept { return Iterator(view_.begin()); }

  [[nodiscard]] Iterator begin() const&& noexcept = delete;

  [[nodiscard]] static wire::GroupView::End end() noexcept { return {}; }

  /// The counter field is there.
  [[nodiscard]] bool present() const noexcept { return view_.present(); }

  /// Entries that are there. Walks the group.
  [[nodiscard]] std::uint32_t size() const noexcept { return view_.size(); }

  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }

  /// Whether counter and entries agree. Walks the group.
  [[nodiscard]] wire::GroupFault fault() const noexcept { return view_.fault(); }

  /// The (n+1)th entry, or nothing. Walks the entries before it.
  [[nodiscard]] std::optional<Entry> entry(std::uint32_t n) const noexcept {
    const std::optional<wire::GroupEntry> found = view_.entry(n);
    return found ? std::optional<Entry>(Entry(*found)) : std::nullopt;
  }

  /// Counter and entries by tag.
  [[nodiscard]] const wire::GroupView& view() const noexcept { return view_; }

 private:
  wire::GroupView view_;
};

/// The group of `Entry` in a MessageView or GroupEntry.
template <typename Entry, typename Fields>
[[nodiscard]] Group<Entry> read_group(const Fields& fields) noexcept {
  return Group<Entry>(fields.group(Entry::description()));
}

/// A message's fields outside its repeating groups, for a tag that stands in a group of the same
/// message too: a plain lookup would take the group's for the message's when that is missing. A
/// lookup walks the fields.
class OutsideGroups : public wire::TypedFields<OutsideGroups> {
 public:
  /// `groups` are all of the message's, not the nested ones; they outlive the answer.
  OutsideGroups(const wire::MessageView& view,
                std::span<const wire::GroupDescription* const> groups) noexcept
      : view_(view), groups_(groups) {}

  [[nodiscard]] std::uint32_t position_of(std::uint32_t tag) const noexcept;

  [[nodiscard]] std::string_view value_at(std::uint32_t position) const noexcept {
    return view_.value_at(position);
  }

  [[nodiscard]] bool preceded_at(std::uint32_t position) const noexcept {
    return view_.preceded_at(position);
  }

  [[nodiscard]] wire::GroupView group(const wire::GroupDescription& description) const noexcept {
    return {view_, description, position_of(description.counter_tag), view_.size()};
  }

 private:
  wire::MessageView view_;
  std::span<const wire::GroupDescription* const> groups_;
};

}  // namespace affix::inline v0::messages
