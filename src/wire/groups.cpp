// SPDX-License-Identifier: MIT
// Walks groups: the description alone decides where an entry ends, as tag=value text has no
// brackets.
#include "affix/wire/groups.hpp"

#include <algorithm>

namespace affix::inline v0::wire {

namespace {

[[nodiscard]] bool contains(std::span<const std::uint32_t> tags, std::uint32_t tag) noexcept {
  for (const std::uint32_t member : tags) {
    if (member == tag) {
      return true;
    }
  }
  return false;
}

[[nodiscard]] const GroupDescription* nested_with_counter(const GroupDescription& group,
                                                          std::uint32_t tag) noexcept {
  for (const GroupDescription& nested : group.nested) {
    if (nested.counter_tag == tag) {
      return &nested;
    }
  }
  return nullptr;
}

[[nodiscard]] std::uint32_t end_of_group(const FieldIndex& index, const GroupDescription& group,
                                         std::uint32_t begin, std::uint32_t limit,
                                         std::uint32_t depth) noexcept;

/// True if `tag` is not in the dictionary, so that it may occur anywhere.
[[nodiscard]] bool is_unknown(const GroupDescription& group, std::uint32_t tag) noexcept {
  return group.known != nullptr && !group.known->contains(tag);
}

/// The first position from `at` on whose field the dictionary knows.
[[nodiscard]] std::uint32_t behind_unknown(const FieldIndex& index, const GroupDescription& group,
                                           std::uint32_t at, std::uint32_t limit) noexcept {
  while (at < limit && is_unknown(group, index.tags[at])) {
    ++at;
  }
  return at;
}

/// End of the entry that begins at `begin`; `begin` when none begins there. An entry
/// continues until its first tag occurs again or a known field occurs that is not the
/// group's.
[[nodiscard]] std::uint32_t end_of_entry(const FieldIndex& index, const GroupDescription& group,
                                         std::uint32_t begin, std::uint32_t limit,
                                         std::uint32_t depth) noexcept {
  if (begin >= limit || index.tags[begin] != group.first_tag) {
    return begin;
  }
  // A group's first field may itself be the counter of a nested group.
  std::uint32_t at = begin;
  do {
    const std::uint32_t tag = index.tags[at];
    if (const GroupDescription* nested = nested_with_counter(group, tag); nested != nullptr) {
      at = end_of_group(index, *nested, at + 1, limit, depth + 1);
    } else if (tag == group.first_tag || contains(group.members, tag) || is_unknown(group, tag)) {
      ++at;
    } else {
      break;
    }
  } while (at < limit && index.tags[at] != group.first_tag);
  return at;
}

/// End of the entries that begin at `begin` (after the counter).
std::uint32_t end_of_group(const FieldIndex& index, const GroupDescription& group,
                           std::uint32_t begin, std::uint32_t limit, std::uint32_t depth) noexcept {
  if (depth > group_depth_max) {
    return begin;
  }
  for (std::uint32_t at = behind_unknown(index, group, begin, limit);;) {
    const std::uint32_t end = end_of_entry(index, group, at, limit, depth);
    if (end == at) {
      return at;
    }
    at = end;
  }
}

}  // namespace

bool KnownTags::contains(std::uint32_t tag) const noexcept {
  const std::size_t word = tag / 64;
  return word < bits.size() ? (bits[word] >> (tag % 64) & 1) != 0
                            : std::ranges::binary_search(large, tag);
}

const char* to_text(GroupFault fault) noexcept {
  switch (fault) {
    case GroupFault::None:
      return "no fault";
    case GroupFault::Counter:
      return "the group's counter is not a number";
    case GroupFault::FirstTag:
      return "the group's first entry does not begin with its first field";
    case GroupFault::Count:
      return "the group's counter and its entries differ";
  }
  return "unknown group fault";
}

std::uint32_t GroupEntry::own_position_of(std::uint32_t tag) const noexcept {
  const FieldIndex& index = message_.index();
  std::uint32_t at = begin_;
  while (at < end_ && index.tags[at] != tag) {
    const GroupDescription* nested = nested_with_counter(*description_, index.tags[at]);
    at = nested == nullptr ? at + 1 : end_of_group(index, *nested, at + 1, end_, 1);
  }
  return at < end_ ? at : no_position;
}

Result<std::uint32_t> GroupView::declared() const noexcept {
  return present() ? parse_integer<std::uint32_t>(message_.value_at(counter_))
                   : Result<std::uint32_t>(0);
}

std::uint32_t GroupView::first_position() const noexcept {
  return present() ? behind_unknown(message_.index(), *description_, counter_ + 1, limit_) : limit_;
}

std::uint32_t GroupView::entry_end(std::uint32_t begin) const noexcept {
  return end_of_entry(message_.index(), *description_, begin, limit_, 0);
}

std::uint32_t GroupView::size() const noexcept {
  std::uint32_t entries = 0;
  for (Iterator at = begin(); !(at == end()); ++at) {
    ++entries;
  }
  return entries;
}

GroupFault GroupView::fault() const noexcept {
  Result<std::uint32_t> announced = declared();
  if (!announced) {
    return GroupFault::Counter;
  }
  const std::uint32_t entries = size();
  if (entries == *announced) {
    return GroupFault::None;
  }
  const std::uint32_t first = first_position();
  const bool member_first = entries == 0 && first < limit_ &&
                            (contains(description_->members, message_.tag_at(first)) ||
                             nested_with_counter(*description_, message_.tag_at(first)) != nullptr);
  return member_first ? GroupFault::FirstTag : GroupFault::Count;
}

std::optional<GroupEntry> GroupView::entry(std::uint32_t n) const noexcept {
  for (Iterator at = begin(); !(at == end()); ++at) {
    if (n-- == 0) {
      return *at;
    }
  }
  return std::nullopt;
}

std::uint32_t GroupView::end_position() const noexcept {
  return present() ? end_of_group(message_.index(), *description_, counter_ + 1, limit_, 0)
                   : no_position;
}

}  // namespace affix::inline v0::wire
