// SPDX-License-Identifier: MIT
// Repeating groups nested to any depth, read in place from a description: constant tables by hand,
// from a dictionary or generated. What a peer got wrong (a false count, a missing first field) is a
// value, never a crash.
#pragma once

#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {

/// All tags that a dictionary has, whatever messages they are of. Plain constant data; what the
/// spans view outlives every use.
struct KnownTags {
  std::span<const std::uint64_t> bits;   ///< Of tag `n`: bit n % 64 of word n / 64.
  std::span<const std::uint32_t> large;  ///< Those beyond the words, in ascending order.

  [[nodiscard]] bool contains(std::uint32_t tag) const noexcept;
};

/// Which fields form a group. Plain constant data; what the spans view outlives every use.
struct GroupDescription {
  std::uint32_t counter_tag = 0;  ///< NoPartyIDs, 453.
  std::uint32_t first_tag = 0;    ///< The field each entry begins with: PartyID, 448.
  std::span<const std::uint32_t>
      members;  ///< The entry's other own fields, in any order; first_tag may be among them.
  std::span<const GroupDescription>
      nested;  ///< Groups within an entry; their counters are fields of the entry.
  /// What else the dictionary knows. A field that it does not know then ends no entry and no group,
  /// as the validator sees it: what stands behind a venue's own field is still of the entry. Null:
  /// every field that is not of the group ends it.
  const KnownTags* known = nullptr;
};

/// Nesting beyond this many levels is not looked into (FIX's deepest standard group has four).
inline constexpr std::uint32_t group_depth_max = 16;

/// What is wrong with a group as a whole.
enum class GroupFault : std::uint8_t {
  None,
  Counter,   ///< The counter is no number.
  FirstTag,  ///< Entries are announced, and the field behind the counter is a member but not the
             ///< first one.
  Count,     ///< The counter and the number of entries differ.
};

[[nodiscard]] const char* to_text(GroupFault fault) noexcept;

/// One entry: its own fields by tag and typed, its nested groups by description. Valid as long as
/// the message view and the description.
class GroupEntry : public TypedFields<GroupEntry> {
 public:
  GroupEntry(const MessageView& message, const GroupDescription& description, std::uint32_t begin,
             std::uint32_t end) noexcept
      : message_(message), description_(&description), begin_(begin), end_(end) {}

  /// Positions in the message's index; the entry's nested groups are within.
  [[nodiscard]] std::uint32_t begin_position() const noexcept { return begin_; }

  [[nodiscard]] std::uint32_t end_position() const noexcept { return end_; }

  /// All fields, those of nested groups included.
  [[nodiscard]] MessageView::Iterator begin() const noexcept {
    return {message_.bytes().data(), &message_.index(), begin_};
  }

  [[nodiscard]] MessageView::Iterator end() const noexcept {
    return {message_.bytes().data(), &message_.index(), end_};
  }

  /// The entry's own field `tag`; one with the same tag in a nested group is not found.
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t tag) const noexcept {
    std::string_view value = value_or_null(tag);
    return value.data() != nullptr ? std::optional(value) : std::nullopt;
  }

  /// The same, with a view of no memory at all for a field that is missing.
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

  /// A group nested in this entry: one of the description's `nested`.
  [[nodiscard]] GroupView group(const GroupDescription& nested) const noexcept;

 private:
  /// position_of where nested groups must be stepped over.
  [[nodiscard]] std::uint32_t own_position_of(std::uint32_t tag) const noexcept;

  MessageView message_;
  const GroupDescription* description_;
  std::uint32_t begin_;
  std::uint32_t end_;
};

/// The entries of one group, in order. Finding an entry's end walks its fields; nothing is stored
/// or allocated.
class GroupView {
 public:
  /// Behind the last entry.
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

  /// The group of `description` whose counter is the first own field of that tag in [from, to).
  GroupView(const MessageView& message, const GroupDescription& description,
            std::uint32_t counter_position, std::uint32_t limit) noexcept
      : message_(message), description_(&description), counter_(counter_position), limit_(limit) {}

  /// The counter field is there.
  [[nodiscard]] bool present() const noexcept { return counter_ != no_position; }

  /// What the counter says, 0 when the group is absent; Format, Range and Empty as parse_integer.
  [[nodiscard]] Result<std::uint32_t> declared() const noexcept;

  /// Entries that are really there. Walks the group.
  [[nodiscard]] std::uint32_t size() const noexcept;

  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Whether counter and entries agree. Nested groups are asked themselves. Walks the group.
  [[nodiscard]] GroupFault fault() const noexcept;

  /// Iterates what is there, whatever the counter says. The view outlives its iterators.
  [[nodiscard]] Iterator begin() const& noexcept {
    const std::uint32_t first = first_position();
    return {this, first, entry_end(first)};
  }

  /// Iterators point at the view: keep it by name, or in a range-for, as long as they are used.
  [[nodiscard]] Iterator begin() const&& noexcept = delete;

  [[nodiscard]] static End end() noexcept { return {}; }

  /// The (n+1)th entry, or nothing. Walks the entries before it.
  [[nodiscard]] std::optional<GroupEntry> entry(std::uint32_t n) const noexcept;

  /// Position behind the group's last field; where the first entry would begin when there is none;
  /// no_position when absent.
  [[nodiscard]] std::uint32_t end_position() const noexcept;

 private:
  /// Where the first entry begins if there is one: behind the counter, and what no dictionary
  /// knows.
  [[nodiscard]] std::uint32_t first_position() const noexcept;

  /// Where the entry that begins at `begin` ends; `begin` when none does.
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
