// SPDX-License-Identifier: MIT
// The validator's usual answer: one pass over the index that says clean or not. It notes which
// rules are broken and not where, so that a clean message pays for nothing but the looking.

#include "affix/dictionary/validator.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/index.hpp"

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

namespace digits = wire::detail;

/// Behind 8, 9 and 35, which have been checked with the checksum, as has 10, the last.
constexpr std::uint32_t first_field = 3;

/// The values of digits, and one point among them, without the point.
[[nodiscard]] inline std::uint64_t without_point(std::uint64_t values) noexcept {
  static_cast<void>(digits::drop_point(values));
  return values;
}

/// What values are compared with.
struct ValueTables {
  const FieldCheck* fields;
  const std::uint64_t* codes;
};

/// Whether the value of `size` bytes before `end` is of its field's form for certain. Eight bytes
/// before `end` are readable: behind 8, 9 and 35 there are always as many.
[[nodiscard]] [[gnu::always_inline]] inline bool surely_good(const ValueTables& tables,
                                                             TagEntry entry, const char* end,
                                                             std::uint32_t size) noexcept {
  constexpr std::uint32_t word_size = 8;
  switch (entry.quick) {
    case QuickCheck::NotEmpty:
      return size != 0;
    case QuickCheck::Character:
      return size == 1 &&
             tables.fields[entry.slot].has_character(static_cast<unsigned char>(end[-1]));
    case QuickCheck::Digits:
      return size - 1 < word_size &&
             digits::all_digit_values(digits::preceded_digit_values(end - size, size));
    case QuickCheck::Decimal: {
      if (size - 1 >= word_size) {
        return false;
      }
      std::uint64_t values = digits::preceded_digit_values(end - size, size);
      // Only a number of one digit and no point can be as short as one character.
      return digits::all_digit_values(values) ||
             (size > 1 && digits::all_digit_values(without_point(values)));
    }
    case QuickCheck::Code: {
      if (size - 1 >= word_size) {
        return false;
      }
      const std::uint64_t word = digits::load_word(end - word_size);
      // A zero byte at the end would make the value look like a shorter code.
      return word >> 56 != 0 &&
             has_code(tables.codes, tables.fields[entry.slot], word >> (64 - 8 * size));
    }
    case QuickCheck::Timestamp: {
      // Fractions finer than nanoseconds are value_faults' to judge.
      constexpr std::uint32_t size_max = 27;
      return size <= size_max && digits::read_utc_time({end - size, size}).good;
    }
    case QuickCheck::Never:
      break;
  }
  return false;
}

/// One walk over tags and values and one over the structure: together they would need more
/// registers than there are, and a value is judged alike in a message and in a group.
class Pass {
 public:
  /// Fields of the largest message that is looked at here.
  static constexpr std::uint32_t fields_max = 2048;

  Pass(const ValidationTables& tables, const wire::MessageView& message, FaultOrder order) noexcept
      : tables_(tables), message_(message), order_(order) {}

  /// The rules that are broken, a bit each; one too many rather than one too few.
  [[nodiscard]] std::uint32_t run(const Level& level) noexcept {
    look_at_values();
    look_at_structure(level);
    return found_;
  }

 private:
  void set(Rule rule, bool broken) noexcept {
    found_ |= static_cast<std::uint32_t>(broken) << static_cast<std::uint32_t>(rule);
  }

  void look_at_values() noexcept;
  void look_at_structure(const Level& level) noexcept;
  [[gnu::noinline]] void look_closely(TagEntry entry, std::uint32_t at) noexcept;
  [[gnu::noinline]] void note_stranger(const Level& level, std::uint32_t at) noexcept;
  [[nodiscard]] bool count_is(std::uint32_t counter, std::uint32_t entries) const noexcept;
  [[nodiscard]] [[gnu::noinline]] std::uint32_t walk_group(const Level& group,
                                                           std::uint32_t counter) noexcept;
  template <std::size_t Words>
  [[nodiscard]] std::uint32_t walk_entry(const Level& group, std::uint32_t at) noexcept;

  const ValidationTables& tables_;
  const wire::MessageView& message_;
  const FaultOrder order_;
  std::uint32_t found_ = 0;
  /// Of each field, from the first walk for the second. Not cleared.
  std::array<std::uint16_t, fields_max> slots_;
};

void Pass::look_at_values() noexcept {
  // In locals, as the compiler must think that a store to slots_ changes whatever is behind a
  // pointer.
  const wire::FieldIndex& index = message_.index();
  const std::uint32_t* const tags = index.tags;
  const std::uint32_t* const begins = index.begins;
  const std::uint32_t* const ends = index.ends;
  const std::uint32_t limit = index.count - 1;
  const char* const bytes = message_.bytes().data();
  const TagEntry* const entries = tables_.tags.data();
  const std::uint64_t entry_count = tables_.tags.size();
  const ValueTables tables{tables_.fields.data(), tables_.codes.data()};
  for (std::uint32_t at = first_field; at < limit; ++at) {
    const std::uint32_t tag = tags[at];
    const TagEntry entry = tag < entry_count ? entries[tag] : tables_.entry_of_large(tag);
    slots_[at] = entry.slot;
    const std::uint32_t end = ends[at];
    if (!surely_good(tables, entry, bytes + end, end - begins[at])) [[unlikely]] {
      look_closely(entry, at);
    }
  }
}

void Pass::look_closely(TagEntry entry, std::uint32_t at) noexcept {
  found_ |= value_faults(tables_, tables_.fields[entry.slot], message_.value_at(at), order_);
}

void Pass::look_at_structure(const Level& level) noexcept {
  // A byte for each member, not a bit: bytes are written without waiting for the one before.
  alignas(16) std::array<unsigned char, place::index_mask + 17> seen;
  std::memset(seen.data(), 0, (level.member_count + 16) & ~std::uint32_t{15});
  // 8, 9, 35 and 10 are where they must be and have been checked with the checksum.
  for (const std::uint16_t member : level.frame) {
    seen[member] = 1;
  }
  const std::uint16_t* const places = tables_.places.data() + level.places;
  const std::uint32_t limit = message_.index().count - 1;
  std::uint32_t required = level.frame_required << place::required_shift;
  std::uint32_t section = 0;
  std::uint32_t descents = 0;  // Its sign bit: a section came behind a later one.
  std::uint32_t repeated = 0;
  for (std::uint32_t at = first_field; at < limit;) {
    const std::uint32_t word = places[slots_[at]];
    if (word == 0) [[unlikely]] {
      // It may be of any section: to take it for the body's would make faults of what follows it.
      note_stranger(level, at);
      ++at;
      continue;
    }
    unsigned char& mark = seen[place::index(word)];
    repeated |= mark;
    mark = 1;
    required += word & std::uint32_t{1} << place::required_shift;
    descents |= place::section(word) - section;
    section = place::section(word);
    at = (word & place::counter) == 0
             ? at + 1
             : walk_group(tables_.levels[tables_.member(level, word).child], at);
  }
  set(Rule::RepeatedTag, repeated != 0);
  set(Rule::SectionOrder, descents >> 31 != 0);
  // A required field that came twice may have been counted for one that did not come.
  set(Rule::RequiredMissing,
      required >> place::required_shift != level.required_count || repeated != 0);
  set(Rule::UnknownMsgType, level.of_unknown_type);
}

/// A field that is not of the message. Where the message is unknown, no field of a body is strange.
void Pass::note_stranger(const Level& level, std::uint32_t at) noexcept {
  if (slots_[at] == 0) {
    set(rule_of_unknown(message_.tag_at(at)), true);
  } else {
    set(Rule::TagNotAllowed, !level.of_unknown_type);
  }
}

/// Whether the counter's value is `entries`.
bool Pass::count_is(std::uint32_t counter, std::uint32_t entries) const noexcept {
  const std::string_view text = message_.value_at(counter);
  if (text.size() == 1) [[likely]] {
    return static_cast<std::uint32_t>(text[0]) - '0' == entries && entries <= 9;
  }
  const auto declared = wire::parse_integer<std::uint32_t>(text);
  return declared && *declared == entries;
}

/// The group behind the counter at `counter`; where it ends.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups, which compile() bounds.
std::uint32_t Pass::walk_group(const Level& group, std::uint32_t counter) noexcept {
  constexpr std::size_t small = 64;
  const std::uint32_t limit = message_.index().count - 1;
  std::uint32_t at = counter + 1;
  std::uint32_t entries = 0;
  for (; at < limit && slots_[at] == group.delimiter_slot; ++entries) {
    at = group.member_count <= small ? walk_entry<1>(group, at)
                                     : walk_entry<(place::index_mask + 1) / small>(group, at);
  }
  if (!count_is(counter, entries)) [[unlikely]] {
    set(Rule::GroupCount, true);
    set(Rule::GroupStart, true);
  }
  return at;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups, which compile() bounds.
template <std::size_t Words>
std::uint32_t Pass::walk_entry(const Level& group, std::uint32_t at) noexcept {
  std::array<std::uint64_t, Words> seen;
  if constexpr (Words == 1) {
    seen[0] = 0;
  } else {
    std::memset(seen.data(), 0, (group.member_count + 63) / 64 * sizeof(std::uint64_t));
  }
  const std::uint16_t* const places = tables_.places.data() + group.places;
  const std::uint32_t first_slot = group.first_slot;
  const std::uint32_t slot_count = group.slot_count;
  const std::uint32_t delimiter_slot = group.delimiter_slot;
  const std::uint32_t limit = message_.index().count - 1;
  std::uint32_t required = 0;
  std::uint32_t last = 0;
  std::uint32_t descents = 0;  // Its sign bit: a member came behind a later one.
  std::uint64_t repeated = 0;
  std::uint32_t slot = delimiter_slot;
  do {
    const std::uint32_t offset = slot - first_slot;
    const std::uint32_t word = offset < slot_count ? places[offset] : 0;
    if (word == 0) {
      if (slot != 0 || order_ == FaultOrder::Quickfix) {
        break;
      }
      // What nobody knows does not end a group: it may be a field that its members have gained.
      note_stranger(group, at);
      slot = slots_[++at];
      continue;
    }
    const std::uint32_t member = place::index(word);
    std::uint64_t& mark = seen[Words == 1 ? 0 : member / 64];
    const std::uint64_t bit = std::uint64_t{1} << (member % 64);
    repeated |= mark & bit;
    mark |= bit;
    required += word & std::uint32_t{1} << place::required_shift;
    descents |= member - last;
    last = member;
    at = (word & place::counter) == 0
             ? at + 1
             : walk_group(tables_.levels[tables_.member(group, word).child], at);
    slot = slots_[at];
  } while (at < limit && slot != delimiter_slot);
  set(Rule::RepeatedTag, repeated != 0);
  set(Rule::GroupOrder, descents >> 31 != 0);
  set(Rule::RequiredMissing,
      required >> place::required_shift != group.required_count || repeated != 0);
  return at;
}

}  // namespace

TagEntry ValidationTables::entry_of_large(std::uint32_t tag) const noexcept {
  const auto found =
      std::ranges::lower_bound(large_tags, tag, {}, &std::pair<std::uint32_t, TagEntry>::first);
  return found != large_tags.end() && found->first == tag ? found->second : TagEntry();
}

const Level& ValidationTables::level_of(std::string_view type) const noexcept {
  if (type.size() - 1 < 2) [[likely]] {
    const std::uint64_t word = code_of(type);
    // A second byte of zero would make a long type of a short one.
    if (is_short_type(word) && type.back() != '\0') [[likely]] {
      return levels[short_types[short_type(word)]];
    }
  }
  for (const LongType& known : long_types) {
    if (known.text == type) {
      return levels[known.level];
    }
  }
  return levels[0];
}

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

}  // namespace affix::inline v0::dictionary
