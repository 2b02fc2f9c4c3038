// SPDX-License-Identifier: MIT
// Base of generated readers: a view, typed reads by constant tag, and groups as ranges of typed
// entries. Copies and allocates nothing; a reader is valid as long as the message's bytes and
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

/// Reads the field `tag` of `fields` (a MessageView, a GroupEntry) as a T: Missing if absent, else
/// the result of the conversion. Always inline: with a constant tag the lookup takes half the
/// work.
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

/// Base of the readers of messages, headers and trailers: the view, and functions common to all
/// messages.
class ViewReader {
 public:
  /// The whole message by tag: for unlisted codes and fields unknown to the dictionary.
  [[nodiscard]] const wire::MessageView& view() const noexcept { return message_view_; }

 protected:
  explicit ViewReader(const wire::MessageView& view) noexcept : message_view_(view) {}

 private:
  wire::MessageView message_view_;
};

/// `Self` must have `message_type`.
template <typename Self, typename Header, typename Trailer>
class MessageReader : public ViewReader {
 public:
  /// Nullopt if the message has another type.
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

/// A repeating group as a range of `Entry`: all existing entries, regardless of the counter. Keep
/// it in a variable before taking iterators; a range-for accepts a temporary.
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

  /// True if the counter field exists.
  [[nodiscard]] bool present() const noexcept { return view_.present(); }

  /// Number of existing entries. Scans the group.
  [[nodiscard]] std::uint32_t size() const noexcept { return view_.size(); }

  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }

  /// Compares the counter with the entries. Scans the group.
  [[nodiscard]] wire::GroupFault fault() const noexcept { return view_.fault(); }

  /// The (n+1)th entry, or nothing. Scans the entries before it.
  [[nodiscard]] std::optional<Entry> entry(std::uint32_t n) const noexcept {
    const std::optional<wire::GroupEntry> found = view_.entry(n);
    return found ? std::optional<Entry>(Entry(*found)) : std::nullopt;
  }

  /// Counter and entries by tag.
  [[nodiscard]] const wire::GroupView& view() const noexcept { return view_; }

 private:
  wire::GroupView view_;
};

/// Reads the group of `Entry` in a MessageView or GroupEntry.
template <typename Entry, typename Fields>
[[nodiscard]] Group<Entry> read_group(const Fields& fields) noexcept {
  return Group<Entry>(fields.group(Entry::description()));
}

/// A message's fields outside its repeating groups, for a tag that also occurs in one of its
/// groups: if the message's own field is missing, a plain lookup would find that of the group. A
/// lookup scans the fields.
class OutsideGroups : public wire::TypedFields<OutsideGroups> {
 public:
  /// `groups` are all top-level groups of the message; they must outlive this object.
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
