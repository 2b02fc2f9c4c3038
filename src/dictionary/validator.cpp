// SPDX-License-Identifier: MIT
// The validator's common case: one pass over the index that says clean or not. It records which
// rules are broken but not where, so that a clean message only costs the checks.

#include "affix/dictionary/validator.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include "dictionary/quick_values.hpp"
#include "dictionary/recollection.hpp"
#include "dictionary/validation_tables.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace affix::inline v0::dictionary {

namespace {

static_assert(place::index_mask == Validator::level_fields_max);

/// Three walks, since each alone is short of registers: tags to entries, values by entry, then
/// structure. A value is checked alike in a message and in a group.
class Pass {
 public:
  /// Maximum number of fields of a message that this pass handles.
  static constexpr std::uint32_t fields_max = 2048;

  Pass(const ValidationTables& tables, const wire::MessageView& message, FaultOrder order) noexcept
      : tables_(tables), message_(message), limit_(message.size() - 1), order_(order) {}

  /// The broken rules, a bit each; may include one that is not broken, but misses none.
  [[nodiscard]] std::uint32_t run(const Level& level) noexcept {
    look_up_tags();
    look_at_structure(level);
    structure_ = found_;
    look_at_values();
    return found_;
  }

  /// After run(): only values were faulty, if anything was.
  [[nodiscard]] bool structure_is_good() const noexcept { return structure_ == 0; }

  /// After run(): entries of the fields between 35 and 10, by position.
  [[nodiscard]] const TagEntry* entries() const noexcept { return entries_.data(); }

 private:
  void set(Rule rule, bool broken) noexcept {
    found_ |= static_cast<std::uint32_t>(broken) << static_cast<std::uint32_t>(rule);
  }

  void look_up_tags() noexcept;
  void look_at_values() noexcept;
  void look_at_structure(const Level& level) noexcept;
  [[gnu::noinline]] void look_closely(std::uint32_t at) noexcept;
  [[gnu::noinline]] void record_unknown_field(const Level& level, std::uint32_t at) noexcept;
  [[nodiscard]] bool count_is(std::uint32_t counter, std::uint32_t entries) const noexcept;
  template <bool Small>
  [[nodiscard]] [[gnu::noinline]] std::uint32_t walk_group(const Level& group,
                                                           std::uint32_t counter) noexcept;

  [[nodiscard]] std::uint32_t walk_child(const Level& level, std::uint32_t word,
                                         std::uint32_t counter) noexcept {
    const Level& group = tables_.levels[tables_.member(level, word).child];
    constexpr std::uint32_t small = 64;
    return group.member_count <= small ? walk_group<true>(group, counter)
                                       : walk_group<false>(group, counter);
  }

  const ValidationTables& tables_;
  const wire::MessageView& message_;
  const std::uint32_t limit_;  ///< Position limit: the last field is 10.
  const FaultOrder order_;
  std::uint32_t found_ = 0;
  std::uint32_t structure_ = 0;
  /// For each field from the fourth on. Not cleared.
  std::array<TagEntry, fields_max> entries_;
};

void Pass::look_up_tags() noexcept {
  const std::uint32_t* const tags = message_.index().tags;
  const TagEntry* const table = tables_.tags.data();
  const std::uint64_t table_size = tables_.tags.size();
  const std::uint32_t limit = limit_;
  for (std::uint32_t at = first_field; at < limit; ++at) {
    const std::uint32_t tag = tags[at];
    entries_[at] = tag < table_size ? table[tag] : tables_.entry_of_large(tag);
  }
}

void Pass::look_at_values() noexcept {
  const std::uint32_t* const begins = message_.index().begins;
  const std::uint32_t* const ends = message_.index().ends;
  const char* const bytes = message_.bytes().data();
  const ValueTables tables{tables_.fields.data(), tables_.codes.data()};
  const std::uint32_t limit = limit_;
  for (std::uint32_t at = first_field; at < limit; ++at) {
    const std::uint32_t end = ends[at];
    const TagEntry entry = entries_[at];
    if (!surely_good(tables, entry.quick, entry.slot, bytes + end, end - begins[at])) [[unlikely]] {
      look_closely(at);
    }
  }
}

void Pass::look_closely(std::uint32_t at) noexcept {
  found_ |= value_faults(tables_, tables_.fields[entries_[at].slot], message_.value_at(at), order_);
}

void Pass::look_at_structure(const Level& level) noexcept {
  // A byte for each member, not a bit: a byte is written without waiting for the one before.
  alignas(16) std::array<unsigned char, place::index_mask + 17> seen;
  std::memset(seen.data(), 0, (level.member_count + 16) & ~std::uint32_t{15});
  // 8, 9, 35 and 10 are in their places and have been checked with the checksum.
  for (const std::uint16_t member : level.frame) {
    seen[member] = 1;
  }
  const std::uint16_t* const places = tables_.places.data() + level.places;
  const std::uint32_t limit = limit_;
  std::uint32_t required = level.frame_required << place::required_shift;
  std::uint32_t section = 0;
  std::uint32_t descents = 0;  // Its sign bit: a section came after a later one.
  std::uint32_t repeated = 0;
  for (std::uint32_t at = first_field; at < limit;) {
    const std::uint32_t word = places[entries_[at].slot];
    if (word == 0) [[unlikely]] {
      // It may belong to any section: taken as the body's, it would make the next fields faulty.
      record_unknown_field(level, at);
      ++at;
      continue;
    }
    unsigned char& mark = seen[place::index(word)];
    repeated |= mark;
    mark = 1;
    required += word & std::uint32_t{1} << place::required_shift;
    descents |= place::section(word) - section;
    section = place::section(word);
    at = (word & place::counter) == 0 ? at + 1 : walk_child(level, word, at);
  }
  set(Rule::RepeatedTag, repeated != 0);
  set(Rule::SectionOrder, descents >> 31 != 0);
  // A repeated required field may have been counted for a missing one.
  set(Rule::RequiredMissing,
      required >> place::required_shift != level.required_count || repeated != 0);
  set(Rule::UnknownMsgType, level.of_unknown_type);
}

/// Handles a field that the message does not have. In an unknown message any body field is right.
void Pass::record_unknown_field(const Level& level, std::uint32_t at) noexcept {
  // QuickFIX's order assigns it to a section, which may be wrong at this place.
  set(Rule::SectionOrder, order_ == FaultOrder::Quickfix);
  if (entries_[at].slot == 0) {
    set(rule_of_unknown(message_.tag_at(at)), true);
  } else {
    set(Rule::TagNotAllowed, !level.of_unknown_type);
  }
}

/// True if the counter's value is `entries`.
bool Pass::count_is(std::uint32_t counter, std::uint32_t entries) const noexcept {
  const std::string_view text = message_.value_at(counter);
  if (text.size() == 1) [[likely]] {
    return static_cast<std::uint32_t>(text[0]) - '0' == entries && entries <= 9;
  }
  const auto declared = wire::parse_integer<std::uint32_t>(text);
  return declared && *declared == entries;
}

/// Members seen in one entry: a bit each, in a register if 64 are enough.
template <bool Small>
class Marks {
 public:
  explicit Marks(std::uint32_t member_count) noexcept : words_((member_count + 63) / 64) {}

  void clear() noexcept {
    if constexpr (Small) {
      bits_[0] = 0;
    } else {
      std::memset(bits_.data(), 0, words_ * sizeof(std::uint64_t));
    }
  }

  /// Not 0 when it was marked before.
  std::uint64_t mark(std::uint32_t member) noexcept {
    std::uint64_t& bits = bits_[Small ? 0 : member / 64];
    const std::uint64_t bit = std::uint64_t{1} << (member % 64);
    const std::uint64_t before = bits & bit;
    bits |= bit;
    return before;
  }

 private:
  std::array<std::uint64_t, Small ? 1 : (place::index_mask + 1) / 64> bits_;
  std::uint32_t words_;
};

/// Handles the group after the counter at `counter`; returns its end.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups, which compile() bounds.
template <bool Small>
std::uint32_t Pass::walk_group(const Level& group, std::uint32_t counter) noexcept {
  const std::uint16_t* const places = tables_.places.data() + group.places;
  const std::uint32_t first_slot = group.first_slot;
  const std::uint32_t slot_count = group.slot_count;
  const std::uint32_t delimiter_slot = group.delimiter_slot;
  const std::uint32_t all_required = group.required_count << place::required_shift;
  const std::uint32_t limit = limit_;
  Marks<Small> marks(group.member_count);
  marks.clear();
  std::uint32_t entries = 0;
  std::uint32_t required = all_required;  // As if a complete entry preceded the first.
  std::uint32_t missing = 0;
  std::uint32_t last = 0;
  std::uint32_t descents = 0;  // Its sign bit: a member came after a later one.
  std::uint64_t repeated = 0;
  std::uint32_t at = counter + 1;
  while (at < limit) {
    const std::uint32_t slot = entries_[at].slot;
    const std::uint32_t offset = slot - first_slot;
    const std::uint32_t word = offset < slot_count ? places[offset] : 0;
    if (slot == delimiter_slot) {
      missing |= required ^ all_required;
      ++entries;
      marks.clear();
      required = 0;
      last = 0;
    } else if (word == 0 || entries == 0) [[unlikely]] {
      if (slot != 0 || order_ == FaultOrder::Quickfix) {
        break;
      }
      // An unknown field does not end a group: it may be an addition to its members.
      record_unknown_field(group, at);
      ++at;
      continue;
    }
    const std::uint32_t member = place::index(word);
    repeated |= marks.mark(member);
    required += word & std::uint32_t{1} << place::required_shift;
    descents |= member - last;
    last = member;
    at = (word & place::counter) == 0 ? at + 1 : walk_child(group, word, at);
  }
  missing |= required ^ all_required;
  set(Rule::RepeatedTag, repeated != 0);
  set(Rule::GroupOrder, descents >> 31 != 0);
  // A repeated required field may have been counted for a missing one.
  set(Rule::RequiredMissing, missing != 0 || repeated != 0);
  if (!count_is(counter, entries)) [[unlikely]] {
    set(Rule::GroupCount, true);
    set(Rule::GroupStart, true);
  }
  return at;
}

/// A separate function, so that only messages that need the pass have its memory on the stack.
[[gnu::noinline]] bool clean_and_remember(const ValidationTables& tables,
                                          const wire::MessageView& message, Rules rules,
                                          FaultOrder order,
                                          const Recollection& recollection) noexcept {
  Pass pass(tables, message, order);
  const std::uint32_t found = pass.run(tables.level_of(type_of(message)));
  if (pass.structure_is_good()) {
    recollection.remember(pass.entries());
  }
  return (found & rules.watched()) == 0;
}

}  // namespace

Validator::Validator(std::unique_ptr<const ValidationTables> tables) noexcept
    : tables_(std::move(tables)) {}

Validator::Validator(Validator&& other) noexcept = default;
Validator& Validator::operator=(Validator&& other) noexcept = default;
Validator::~Validator() = default;

const Version& Validator::version() const noexcept {
  return tables_->version;
}

bool Validator::clean(const wire::MessageView& message, Rules rules,
                      FaultOrder order) const noexcept {
  if (!message.index().whole() || message.size() > Pass::fields_max) [[unlikely]] {
    return false;
  }
  Pass pass(*tables_, message, order);
  return (pass.run(tables_->level_of(type_of(message))) & rules.watched()) == 0;
}

bool Validator::clean(const wire::MessageView& message, Rules rules, FaultOrder order,
                      Shapes& shapes) const noexcept {
  if (!message.index().whole() || message.size() > Pass::fields_max) [[unlikely]] {
    return false;
  }
  const Recollection recollection(*tables_, message, shapes);
  if (recollection.known()) [[likely]] {
    return (recollection.faults(order) & rules.watched()) == 0;
  }
  return clean_and_remember(*tables_, message, rules, order, recollection);
}

}  // namespace affix::inline v0::dictionary
