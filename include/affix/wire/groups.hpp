// SPDX-License-Identifier: MIT
// Reads repeating groups, nested to any depth, in place from a description: constant tables written
// by hand, from a dictionary or generated. Faults of the peer (a wrong count, a missing first
// field) are return values and never crash.
#pragma once

#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {

/// All tags of a dictionary, for any message. Plain constant data; the viewed memory must outlive
/// every use.
struct KnownTags {
  std::span<const std::uint64_t> bits;   ///< Bit n % 64 of word n / 64 is for tag `n`.
  std::span<const std::uint32_t> large;  ///< Tags beyond these words, ascending.

  [[nodiscard]] bool contains(std::uint32_t tag) const noexcept;
};

/// Fields of a group. Plain constant data; the viewed memory must outlive every use.
struct GroupDescription {
  std::uint32_t counter_tag = 0;  ///< NoPartyIDs, 453.
  std::uint32_t first_tag = 0;    ///< First field of each entry: PartyID, 448.
  std::span<const std::uint32_t>
      members;  ///< Other fields of an entry, in any order; may include first_tag.
  std::span<const GroupDescription>
      nested;  ///< Groups within an entry; their counters are fields of the entry.
  /// Other tags of the dictionary. A field unknown to it ends neither an entry nor the group,
  /// consistent with the validator: fields after a venue's own field still belong to the entry.
  /// Null: every field outside the group ends it.
  const KnownTags* known = nullptr;
};

/// Maximum nesting that is examined (FIX's deepest standard group has four levels).
inline constexpr std::uint32_t group_depth_max = 16;

/// Faults of a whole group.
enum class GroupFault : std::uint8_t {
  None,
  Counter,   ///< The counter is not a number.
  FirstTag,  ///< The counter is above 0, and the next field is a member but not the first
             ///< one.
  Count,     ///< The counter differs from the number of entries.
};

[[nodiscard]] const char* to_text(GroupFault fault) noexcept;

/// One entry: its own fields by tag and typed, its nested groups by description. Valid as long as
/// the message view and the description.
class GroupEntry : public TypedFields<GroupEntry> {
 public:
  GroupEntry(const MessageView& message, const GroupDescription& description, std::uint32_t begin,
             std::uint32_t end) noexcept
      : message_(message), description_(&description), begin_(begin), end_(end) {}

  /// Positions in the message's index; they include the entry's nested groups.
  [[nodiscard]] std::uint32_t begin_position() const noexcept { return begin_; }

  [[nodiscard]] std::uint32_t end_position() const noexcept { return end_; }

  /// All fields, including those of nested groups.
  [[nodiscard]] MessageView::Iterator begin() const noexcept {
    return {message_.bytes().data(), &message_.index(), begin_};
  }

  [[nodiscard]] MessageView::Iterator end() const noexcept {
    return {message_.bytes().data(), &message_.index(), end_};
  }

  /// Value of the entry's own field `tag`; skips nested groups.
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t tag) const noexcept {
    std::string_view value = value_or_null(tag);
    return value.data() != nullptr ? std::optional(value) : std::nullopt;
  }

  /// Does the same; a view with null data() if the field is missing.
  [[nodiscard]] std::string_view value_or_null(std::uint32_t tag) const noexcept {
    const std::uint32_t found = position_of(tag);
    return found != no_position ? message_.value_at(found) : std::string_view();
  }

  [[nodiscard]] std::string_view value_at(std::uint32_t position) const noexcept {
    return message_.value_at(position);
  }

  [[nodiscard]] bool preceded_at(std::uint32_t position) const noexcept {
    return message_.preceded_at(position);
  }

  [[nodiscard]] bool has(std::uint32_t tag) const noexcept {
    return position_of(tag) != no_position;
  }

  [[nodiscard]] std::uint32_t position_of(std::uint32_t tag) const noexcept {
    const std::uint32_t found = message_.position_of(tag, begin_);
    if (found >= end_) {
      return no_position;
    }
    return description_->nested.empty() ? found : own_position_of(tag);
  }

  /// A group nested in this entry; `nested` is from the description's `nested`.
  [[nodiscard]] GroupView group(const GroupDescription& nested) const noexcept;

 private:
  /// position_of() with nested groups to skip.
  [[nodiscard]] std::uint32_t own_position_of(std::uint32_t tag) const noexcept;

  MessageView message_;
  const GroupDescription* description_;
  std::uint32_t begin_;
  std::uint32_t end_;
};

/// The entries of one group, in order. Finding an entry's end scans its fields; stores and
/// allocates nothing.
class GroupView {
 public:
  /// The end of the entries.
  struct End {};

  class Iterator {
   public:
    using value_type = GroupEntry;
    using difference_type = std::ptrdiff_t;

    [[nodiscard]] GroupEntry operator*() const noexcept {
      return {group_->message_, *group_->description_, begin_, end_};
    }

    Iterator& operator++() noexcept {
      begin_ = end_;
      end_ = group_->entry_end(begin_);
      return *this;
    }

    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }

    friend bool operator==(const Iterator& at, End) noexcept { return at.begin_ == at.end_; }

   private:
    friend class GroupView;

    Iterator(const GroupView* group, std::uint32_t begin, std::uint32_t end) noexcept
        : group_(group), begin_(begin), end_(end) {}

    const GroupView* group_;
    std::uint32_t begin_;
    std::uint32_t end_;
  };

  /// Group of `description` with its counter at `counter_position`, in fields below `limit`.
  GroupView(const MessageView& message, const GroupDescription& description,
            std::uint32_t counter_position, std::uint32_t limit) noexcept
      : message_(message), description_(&description), counter_(counter_position), limit_(limit) {}

  /// True if the counter field exists.
  [[nodiscard]] bool present() const noexcept { return counter_ != no_position; }

  /// Value of the counter, 0 if the group is absent. Format, Range, Empty as for parse_integer.
  [[nodiscard]] Result<std::uint32_t> declared() const noexcept;

  /// Number of existing entries. Scans the group.
  [[nodiscard]] std::uint32_t size() const noexcept;

  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Compares the counter with the entries. Nested groups have their own fault(). Scans the group.
  [[nodiscard]] GroupFault fault() const noexcept;

  /// Iterates over existing entries, whatever the counter is. The view must outlive iterators.
  [[nodiscard]] Iterator begin() const& noexcept {
    const std::uint32_t first = first_position();
    return {this, first, entry_end(first)};
  }

  /// Iterators refer to the view: keep it in a variable, or in a range-for.
  [[nodiscard]] Iterator begin() const&& noexcept = delete;

  [[nodiscard]] static End end() noexcept { return {}; }

  /// The (n+1)th entry, or nothing. Scans the entries before it.
  [[nodiscard]] std::optional<GroupEntry> entry(std::uint32_t n) const noexcept;

  /// Position after the group's last field; if there is no entry, the position for the first;
  /// no_position if absent.
  [[nodiscard]] std::uint32_t end_position() const noexcept;

 private:
  /// Position of the first entry, if any: after the counter and fields unknown to the
  /// dictionary.
  [[nodiscard]] std::uint32_t first_position() const noexcept;

  /// End of the entry that begins at `begin`; `begin` if there is none.
  [[nodiscard]] std::uint32_t entry_end(std::uint32_t begin) const noexcept;

  MessageView message_;
  const GroupDescription* description_;
  std::uint32_t counter_;
  std::uint32_t limit_;
};

inline GroupView MessageView::group(const GroupDescription& description) const noexcept {
  return {*this, description, position_of(description.counter_tag), size()};
}

inline GroupView GroupEntry::group(const GroupDescription& nested) const noexcept {
  return {message_, nested, position_of(nested.counter_tag), end_};
}

}  // namespace affix::inline v0::wire
