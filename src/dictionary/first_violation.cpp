// SPDX-License-Identifier: MIT
// Selects the fault to report for a message. Walks the whole message, ranks each fault in the
// requested order and keeps the lowest: both orders need one walk, without sorting or storing.

#include "affix/dictionary/validator.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/header_tags.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/written_tag.hpp"

#include "dictionary/validation_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace affix::inline v0::dictionary {

namespace {

constexpr std::uint64_t no_rank = UINT64_MAX;

/// Position of a fault in the message, for its rank.
struct Place {
  std::int64_t tag = 0;
  std::uint32_t position = 0;
  Section section = Section::Body;
  bool in_group = false;
};

/// Ranks in message order: by position, then by rule. A field that occurred before is reported as
/// repeated rather than as out of order.
[[nodiscard]] std::uint64_t rank_in_message(Rule rule, const Place& where,
                                            std::uint32_t nth) noexcept {
  if (rule == Rule::UnknownMsgType) {
    return 0;  // In a message without a type, faults in other fields hardly matter.
  }
  const std::uint64_t check = rule == Rule::RepeatedTag ? 0 : static_cast<std::uint64_t>(rule) + 1;
  return std::uint64_t{where.position} << 32 | check << 24 | nth;
}

/// Position of a rule's check among those of one field.
[[nodiscard]] std::uint64_t quickfix_check(Rule rule) noexcept {
  switch (rule) {
    case Rule::RepeatedTag:
      return 0;
    case Rule::EmptyValue:
      return 1;
    case Rule::ValueFormat:
      return 2;
    case Rule::ValueNotListed:
      return 3;
    case Rule::UnknownTag:
    case Rule::UserDefinedTag:
      return 4;
    case Rule::TagNotAllowed:
      return 5;
    default:
      return 6;
  }
}

/// 32 bits that order tags, negative ones first.
[[nodiscard]] std::uint64_t tag_rank(std::int64_t tag) noexcept {
  constexpr std::int64_t least = INT32_MIN;
  constexpr std::int64_t most = INT32_MAX;
  return static_cast<std::uint64_t>(std::clamp(tag, least, most) - least);
}

/// Section of a field that the message's dictionary does not have: header fields of other versions
/// are header fields, and all others belong to the body.
[[nodiscard]] Section section_of_unknown(std::uint32_t tag) noexcept {
  if (wire::is_header_tag(tag)) {
    return Section::Header;
  }
  return wire::is_trailer_tag(tag) ? Section::Trailer : Section::Body;
}

/// Ranks in QuickFIX's order: structure, MsgType, missing fields, then fields by section and tag.
/// Missing fields of groups come after those of the message.
[[nodiscard]] std::uint64_t rank_as_quickfix(Rule rule, const Place& where) noexcept {
  constexpr std::uint64_t position_max = (1U << 20) - 1;
  constexpr std::array<std::uint64_t, 3> section_ranks{0, 2, 1};  // Header, body, trailer.
  const std::uint64_t position = std::min<std::uint64_t>(where.position, position_max);
  const std::uint64_t section =
      where.in_group ? 3 : section_ranks[static_cast<std::size_t>(where.section)];
  const std::uint64_t by_tag =
      section << 58 | tag_rank(where.tag) << 26 | position << 6 | quickfix_check(rule);
  switch (rule) {
    case Rule::SectionOrder:
      return position;
    case Rule::UnknownMsgType:
      return std::uint64_t{1} << 60;
    case Rule::RequiredMissing:
      return std::uint64_t{2} << 60 | by_tag;
    default:
      return std::uint64_t{3} << 60 | by_tag;
  }
}

class Search {
 public:
  Search(const ValidationTables& tables, const wire::MessageView& message, Rules rules,
         FaultOrder order) noexcept
      : tables_(tables), message_(message), rules_(rules), order_(order) {}

  [[nodiscard]] std::optional<Violation> run() noexcept;

 private:
  struct Best {
    std::uint64_t rank = no_rank;
    Violation violation;
  };

  using Seen = std::array<unsigned char, place::index_mask + 1>;

  void note(Rule rule, std::int64_t tag, Place where, std::uint32_t nth = 0) noexcept;
  void note_value(std::uint32_t slot, const Place& where) noexcept;
  void record_unknown_field(const Level& level, std::uint32_t slot, std::uint32_t at) noexcept;
  void note_missing(const Level& level, const Seen& seen, Place where) noexcept;
  void note_field(const Level& level, std::uint32_t slot, std::uint32_t word, std::uint32_t at,
                  Seen& seen) noexcept;
  [[nodiscard]] std::uint32_t walk_group(const Level& group, std::uint32_t counter, Place around,
                                         std::uint32_t limit) noexcept;
  [[nodiscard]] bool begins_entry(const Level& group, std::uint32_t at) const noexcept;
  [[nodiscard]] std::uint32_t walk_entry(const Level& group, std::uint32_t at, Place around,
                                         std::uint32_t limit) noexcept;

  [[nodiscard]] bool by_quickfix() const noexcept { return order_ == FaultOrder::Quickfix; }

  const ValidationTables& tables_;
  const wire::MessageView& message_;
  const Rules rules_;
  const FaultOrder order_;
  Best rejected_;
  Best warned_;
};

void Search::note(Rule rule, std::int64_t tag, Place where, std::uint32_t nth) noexcept {
  const RuleAction action = rules_.action(rule);
  if (action == RuleAction::Off) {
    return;
  }
  const std::uint64_t rank =
      by_quickfix() ? rank_as_quickfix(rule, where) : rank_in_message(rule, where, nth);
  Best& best = action == RuleAction::Reject ? rejected_ : warned_;
  if (rank < best.rank) {
    best = {rank,
            {rule, action, reject_reason(rule), tag, rule != Rule::UnknownMsgType, where.position}};
  }
}

void Search::note_value(std::uint32_t slot, const Place& where) noexcept {
  std::uint32_t faults =
      value_faults(tables_, tables_.fields[slot], message_.value_at(where.position), order_);
  for (; faults != 0; faults &= faults - 1) {
    note(static_cast<Rule>(std::countr_zero(faults)), where.tag, where);
  }
}

void Search::record_unknown_field(const Level& level, std::uint32_t slot,
                                  std::uint32_t at) noexcept {
  const std::uint32_t tag = message_.tag_at(at);
  const std::int64_t written = tag != 0 ? tag : wire::written_tag(message_, at).value_or(0);
  const Place where{written, at, by_quickfix() ? section_of_unknown(tag) : Section::Body, false};
  if (slot == 0) {
    note(rule_of_unknown(tag), where.tag, where);
  } else if (!level.of_unknown_type) {
    note(Rule::TagNotAllowed, where.tag, where);
  }
  note_value(slot, where);
}

/// In message order a missing field is reported at `where`, and of several the first in the
/// dictionary's order; QuickFIX reports the one with the lowest tag.
void Search::note_missing(const Level& level, const Seen& seen, Place where) noexcept {
  for (std::uint32_t at = 0; at < level.member_count; ++at) {
    const LevelMember& member = tables_.members[level.members + at];
    if (!member.required || seen[at] != 0) {
      continue;
    }
    if (!where.in_group) {
      where.section = member.section;
      where.tag = member.tag;
    }
    note(Rule::RequiredMissing, member.tag, where, at);
  }
}

/// Checks a field that the level has: its value, and repetition.
void Search::note_field(const Level& level, std::uint32_t slot, std::uint32_t word,
                        std::uint32_t at, Seen& seen) noexcept {
  const LevelMember& member = tables_.member(level, word);
  const Place where{member.tag, at, member.section, false};
  unsigned char& mark = seen[place::index(word)];
  if (mark != 0) {
    note(Rule::RepeatedTag, member.tag, where);
  }
  mark = 1;
  note_value(slot, where);
}

std::optional<Violation> Search::run() noexcept {
  const Level& level = tables_.level_of(type_of(message_));
  if (level.of_unknown_type) {
    // Position where the type should be; a message may end before.
    const std::uint32_t position = std::min(message_.size(), std::uint32_t{2});
    note(Rule::UnknownMsgType, 0, {35, position, Section::Header, false});
  }
  Seen seen;
  std::memset(seen.data(), 0, level.member_count);
  const std::uint32_t count = message_.size();
  std::uint32_t section = 0;
  for (std::uint32_t at = 0; at < count;) {
    const std::uint32_t tag = message_.tag_at(at);
    const std::uint32_t slot = tables_.slot_of(tag);
    const std::uint32_t word = tables_.place_of(level, slot);
    const bool unknown = word == 0;
    // QuickFIX treats an unknown field as a field of the body, or of every version's header.
    if (!unknown || by_quickfix()) {
      const std::uint32_t own =
          unknown ? place::section_number(section_of_unknown(tag)) : place::section(word);
      if (own < section) {
        note(Rule::SectionOrder, tag, {tag, at, Section::Body, false});
      }
      section = by_quickfix() ? std::max(section, own) : own;
    }
    if (unknown) {
      record_unknown_field(level, slot, at);
      ++at;
      continue;
    }
    note_field(level, slot, word, at, seen);
    at = (word & place::counter) == 0
             ? at + 1
             : walk_group(tables_.levels[tables_.member(level, word).child], at,
                          {tag, at, Section::Body, false}, count);
  }
  note_missing(level, seen, {0, count, Section::Body, false});
  if (rejected_.rank != no_rank) {
    return rejected_.violation;
  }
  return warned_.rank != no_rank ? std::optional(warned_.violation) : std::nullopt;
}

/// `around` is the outermost group's counter. Returns the end of the group.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups, which compile() bounds.
std::uint32_t Search::walk_group(const Level& group, std::uint32_t counter, Place around,
                                 std::uint32_t limit) noexcept {
  std::uint32_t at = counter + 1;
  std::uint32_t entries = 0;
  while (!by_quickfix() && at < limit && tables_.slot_of(message_.tag_at(at)) == 0) {
    record_unknown_field(group, 0, at);
    ++at;
  }
  while (at < limit && begins_entry(group, at)) {
    ++entries;
    at = walk_entry(group, at, around, limit);
  }
  const auto declared = wire::parse_integer<std::int64_t>(message_.value_at(counter));
  // A value that is not a number has its own fault; one too large for an integer is a wrong count.
  const bool no_number = !declared && declared.error() != wire::FieldError::Range;
  if (no_number || (declared && *declared == std::int64_t{entries})) {
    return at;
  }
  const bool member_first = entries == 0 && at < limit &&
                            tables_.place_of(group, tables_.slot_of(message_.tag_at(at))) != 0;
  const std::uint32_t tag = message_.tag_at(counter);
  if (member_first && !by_quickfix()) {
    note(Rule::GroupStart, message_.tag_at(at), {tag, counter, Section::Body, false});
  }
  if (!member_first || by_quickfix() || rules_.action(Rule::GroupStart) == RuleAction::Off) {
    note(Rule::GroupCount, tag, {tag, counter, Section::Body, false});
  }
  return at;
}

/// QuickFIX lets an entry begin with any of its fields.
bool Search::begins_entry(const Level& group, std::uint32_t at) const noexcept {
  const std::uint32_t slot = tables_.slot_of(message_.tag_at(at));
  return slot == group.delimiter_slot || (by_quickfix() && tables_.place_of(group, slot) != 0);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups, which compile() bounds.
std::uint32_t Search::walk_entry(const Level& group, std::uint32_t at, Place around,
                                 std::uint32_t limit) noexcept {
  Seen seen;
  std::memset(seen.data(), 0, group.member_count);
  const std::uint32_t first = at;
  std::uint32_t last = 0;
  do {
    const std::uint32_t tag = message_.tag_at(at);
    const std::uint32_t slot = tables_.slot_of(tag);
    const std::uint32_t word = tables_.place_of(group, slot);
    if (word == 0) {
      if (slot != 0 || by_quickfix()) {
        break;
      }
      record_unknown_field(group, slot, at);
      ++at;
      continue;
    }
    if (slot == group.delimiter_slot && at != first) {
      break;
    }
    if (by_quickfix()) {
      unsigned char& mark = seen[place::index(word)];
      if (mark != 0) {
        break;  // A repeated field begins the next entry.
      }
      mark = 1;
      if (at == first && slot != group.delimiter_slot) {
        note(Rule::GroupStart, tag, around);
      }
    } else {
      note_field(group, slot, word, at, seen);
    }
    if (place::index(word) < last) {
      note(Rule::GroupOrder, tag, by_quickfix() ? around : Place{tag, at, Section::Body, false});
    }
    last = place::index(word);
    at = (word & place::counter) == 0
             ? at + 1
             : walk_group(tables_.levels[tables_.member(group, word).child], at, around, limit);
  } while (at < limit);
  note_missing(group, seen, {around.tag, by_quickfix() ? first : at, Section::Body, true});
  return at;
}

}  // namespace

std::optional<Violation> Validator::first_violation(const wire::MessageView& message, Rules rules,
                                                    FaultOrder order) const noexcept {
  return Search(*tables_, message, rules, order).run();
}

}  // namespace affix::inline v0::dictionary
