// SPDX-License-Identifier: MIT
// Compiles dictionaries to validation tables. Start-up only.

#include "affix/dictionary/validator.hpp"
#include "affix/dictionary/walk.hpp"
#include "affix/wire/groups.hpp"

#include "dictionary/validation_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <expected>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

constexpr std::size_t short_code_size = 8;

/// Fields of every message that every index has been checked for: the last is the trailer's.
constexpr std::array<std::uint32_t, 4> frame_tags{8, 9, 35, 10};

/// Larger tags have no entry in the flat table, which would grow with them.
constexpr std::uint32_t flat_tags = 65'536;

base::Error limit_error(std::string what) {
  return {base::ErrorCode::Limit, std::move(what), {}, "D121"};
}

/// Types whose numbers have a limited range.
bool has_range(FieldType type) noexcept {
  return type == FieldType::DayOfMonth || type == FieldType::Reserved100Plus ||
         type == FieldType::Reserved1000Plus || type == FieldType::Reserved4000Plus;
}

QuickCheck quick_check_of(FieldType type) noexcept {
  switch (value_class(type)) {
    case ValueClass::Text:
    case ValueClass::Bytes:
      return QuickCheck::NotEmpty;
    case ValueClass::Integer:
    case ValueClass::Natural:
      return has_range(type) ? QuickCheck::Never : QuickCheck::Digits;
    case ValueClass::Decimal:
      return QuickCheck::Decimal;
    case ValueClass::Char:
    case ValueClass::Boolean:
      return QuickCheck::Character;
    case ValueClass::UtcTimestamp:
      return QuickCheck::Timestamp;
    default:
      return QuickCheck::Never;
  }
}

class Compiler {
 public:
  Compiler(const Dictionary& frame, const Dictionary& body) : frame_(frame), body_(body) {
    for (const std::uint32_t tag : frame_tags) {
      own_frame_.emplace_back().tag = tag;
    }
  }

  std::expected<std::unique_ptr<const ValidationTables>, base::Error> run();

 private:
  using LevelResult = std::expected<std::uint16_t, base::Error>;

  struct Draft {
    std::vector<LevelMember> members;
    std::vector<std::uint16_t> slots;  ///< Parallel to `members`.
  };

  void collect_tags(const Dictionary& dictionary, std::span<const Member> members);
  [[nodiscard]] std::expected<void, base::Error> add_fields();
  void add_field(const Field& field);
  void add_codes(const Field& field, FieldCheck& check);
  [[nodiscard]] std::uint16_t slot_of(std::uint32_t tag) const;
  [[nodiscard]] std::expected<void, base::Error> add_messages();
  [[nodiscard]] LevelResult add_message_level(const Message* message);
  void complete_frame(Draft& header, Draft& trailer) const;
  [[nodiscard]] std::expected<void, base::Error> append(const Dictionary& dictionary,
                                                        std::span<const Member> members,
                                                        Section section, std::uint32_t depth,
                                                        Draft& draft);
  [[nodiscard]] LevelResult group_level(const Dictionary& dictionary, const Member& member,
                                        std::uint32_t depth);
  [[nodiscard]] LevelResult finish(const Draft& draft, bool whole_window, const std::string& name);
  void note_frame(Level& level) const;

  const Dictionary& frame_;  ///< Of header and trailer.
  const Dictionary& body_;
  std::unique_ptr<ValidationTables> tables_ = std::make_unique<ValidationTables>();
  std::vector<Field> own_frame_;           ///< For dictionaries without the fields of a frame.
  std::vector<std::uint32_t> outer_tags_;  ///< Tags of header and trailer, groups included.
  /// Level of each group that has one, by dictionary and number.
  std::map<std::pair<const Dictionary*, std::uint32_t>, std::uint16_t> group_levels_;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which loaders bound.
void Compiler::collect_tags(const Dictionary& dictionary, std::span<const Member> members) {
  for (const FlatMember& flat : flatten(dictionary, members)) {
    outer_tags_.push_back(dictionary.tag(flat.member));
    if (flat.member.kind == MemberKind::Group) {
      collect_tags(dictionary, dictionary.group(flat.member).members);
    }
  }
}

void Compiler::add_codes(const Field& field, FieldCheck& check) {
  std::size_t short_codes = 0;
  for (const Value& value : field.values) {
    short_codes += static_cast<std::size_t>(value.code.size() <= short_code_size);
  }
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(4 * short_codes, 4));
  check.code_shift = static_cast<std::uint8_t>(64 - std::countr_zero(size));
  check.codes = static_cast<std::uint32_t>(tables_->codes.size());
  tables_->codes.resize(tables_->codes.size() + size);
  std::uint64_t* const table = tables_->codes.data() + check.codes;
  std::vector<std::string> long_codes;
  for (const Value& value : field.values) {
    if (value.code.size() > short_code_size) {
      long_codes.push_back(value.code);
      continue;
    }
    const std::uint64_t code = code_of(value.code);
    std::size_t at = ValidationTables::code_hash(code, check.code_shift);
    while (table[at] != 0 && table[at] != code) {
      at = (at + 1) & (size - 1);
    }
    table[at] = code;
    if (value.code.size() == 1 && code < 128) {
      check.characters[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  }
  if (!long_codes.empty()) {
    std::ranges::sort(long_codes);
    check.long_codes = static_cast<std::uint16_t>(tables_->long_codes.size());
    tables_->long_codes.push_back(std::move(long_codes));
  }
}

void Compiler::add_field(const Field& field) {
  constexpr std::uint32_t msg_type = 35;
  FieldCheck check;
  check.tag = field.tag;
  check.type = field.type;
  QuickCheck quick = quick_check_of(check.type);
  if (quick == QuickCheck::Character) {
    check.characters = {~std::uint64_t{0}, ~std::uint64_t{0}};
  }
  if (check.type == FieldType::Boolean) {
    check.characters = {0, std::uint64_t{1} << ('Y' - 64) | std::uint64_t{1} << ('N' - 64)};
  }
  // The dictionary's messages decide which types exist; a differing list of types is out of date.
  const bool has_list = !field.values.empty() && field.tag != msg_type &&
                        (!field.values_are_open || field.union_type);
  if (has_list) {
    check.characters = {};
    add_codes(field, check);
    const bool one_character = std::ranges::all_of(
        field.values, [](const Value& value) { return value.code.size() == 1; });
    quick = one_character ? QuickCheck::Character : QuickCheck::Code;
    check.has_union = field.values_are_open;
    check.union_type = field.union_type.value_or(FieldType::String);
  }
  const TagEntry entry{static_cast<std::uint16_t>(tables_->fields.size()), quick};
  tables_->fields.push_back(check);
  if (field.tag >= flat_tags) {
    tables_->large_tags.emplace_back(field.tag, entry);
    return;
  }
  if (field.tag >= tables_->tags.size()) {
    tables_->tags.resize(field.tag + 1);
  }
  tables_->tags[field.tag] = entry;
}

std::expected<void, base::Error> Compiler::add_fields() {
  collect_tags(frame_, frame_.header());
  collect_tags(frame_, frame_.trailer());
  std::ranges::sort(outer_tags_);
  std::vector<const Field*> fields;
  for (const Field& field : body_.fields()) {
    if (&frame_ == &body_ || !std::ranges::binary_search(outer_tags_, field.tag)) {
      fields.push_back(&field);
    }
  }
  if (&frame_ != &body_) {
    for (const Field& field : frame_.fields()) {
      // A field that only the transport's own messages have is no field of an application message.
      if (std::ranges::binary_search(outer_tags_, field.tag)) {
        fields.push_back(&field);
      }
    }
  }
  for (const Field& field : own_frame_) {
    if (std::ranges::none_of(fields, [&](const Field* known) { return known->tag == field.tag; })) {
      fields.push_back(&field);
    }
  }
  std::ranges::sort(fields, {}, [](const Field* field) { return field->tag; });
  if (fields.size() >= std::numeric_limits<std::uint16_t>::max()) {
    return std::unexpected(limit_error("more than 65,534 fields"));
  }
  tables_->fields.emplace_back();
  tables_->long_codes.emplace_back();
  for (const Field* field : fields) {
    add_field(*field);
  }
  return {};
}

std::uint16_t Compiler::slot_of(std::uint32_t tag) const {
  return static_cast<std::uint16_t>(tables_->slot_of(tag));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which group_level bounds.
std::expected<void, base::Error> Compiler::append(const Dictionary& dictionary,
                                                  std::span<const Member> members, Section section,
                                                  std::uint32_t depth, Draft& draft) {
  for (const FlatMember& flat : flatten(dictionary, members)) {
    LevelMember member{dictionary.tag(flat.member), 0, flat.required, section};
    const std::uint16_t slot = slot_of(member.tag);
    const auto known = std::ranges::find(draft.slots, slot);
    if (known != draft.slots.end()) {
      // A field named by both header and body belongs to the header; one named by two components is
      // one field.
      LevelMember& first = draft.members[static_cast<std::size_t>(known - draft.slots.begin())];
      first.required = first.required || (member.required && first.section == section);
      continue;
    }
    if (flat.member.kind == MemberKind::Group) {
      const LevelResult child = group_level(dictionary, flat.member, depth + 1);
      if (!child) {
        return std::unexpected(child.error());
      }
      member.child = *child;
      tables_->fields[slot].is_counter = true;
    }
    draft.members.push_back(member);
    draft.slots.push_back(slot);
  }
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which this bounds.
Compiler::LevelResult Compiler::group_level(const Dictionary& dictionary, const Member& member,
                                            std::uint32_t depth) {
  const std::string& name = dictionary.counter(dictionary.group(member)).name;
  if (depth > wire::group_depth_max) {
    return std::unexpected(limit_error(
        "groups nest deeper than " + std::to_string(wire::group_depth_max) + " levels at " + name));
  }
  const std::pair key(&dictionary, member.index);
  if (const auto known = group_levels_.find(key); known != group_levels_.end()) {
    return known->second;
  }
  Draft draft;
  if (auto done = append(dictionary, dictionary.group(member).members, Section::Body, depth, draft);
      !done) {
    return std::unexpected(std::move(done.error()));
  }
  const LevelResult level = finish(draft, false, name);
  if (level) {
    group_levels_.emplace(key, *level);
  }
  return level;
}

Compiler::LevelResult Compiler::finish(const Draft& draft, bool whole_window,
                                       const std::string& name) {
  if (draft.members.size() > Validator::level_fields_max) {
    return std::unexpected(limit_error(name + " has more than " +
                                       std::to_string(Validator::level_fields_max) + " fields"));
  }
  if (tables_->levels.size() >= std::numeric_limits<std::uint16_t>::max()) {
    return std::unexpected(limit_error("more than 65,534 messages and groups"));
  }
  Level level;
  level.places = static_cast<std::uint32_t>(tables_->places.size());
  level.members = static_cast<std::uint32_t>(tables_->members.size());
  level.member_count = static_cast<std::uint32_t>(draft.members.size());
  level.slot_count = static_cast<std::uint32_t>(tables_->fields.size());
  if (!whole_window && !draft.slots.empty()) {
    // Most groups have fields with neighbouring numbers.
    const auto [least, most] = std::ranges::minmax(draft.slots);
    level.first_slot = least;
    level.slot_count = most - least + std::uint32_t{1};
  }
  level.delimiter_slot = draft.slots.empty() ? 0 : draft.slots.front();
  tables_->places.resize(tables_->places.size() + level.slot_count);
  for (std::uint32_t at = 0; at < level.member_count; ++at) {
    const LevelMember& member = draft.members[at];
    level.required_count += static_cast<std::uint32_t>(member.required);
    tables_->places[level.places + draft.slots[at] - level.first_slot] = static_cast<std::uint16_t>(
        place::section_bits(member.section) | (member.child != 0 ? place::counter : 0) |
        static_cast<std::uint32_t>(member.required) << place::required_shift | at);
  }
  tables_->members.insert(tables_->members.end(), draft.members.begin(), draft.members.end());
  if (whole_window) {
    note_frame(level);
  }
  tables_->levels.push_back(level);
  return static_cast<std::uint16_t>(tables_->levels.size() - 1);
}

void Compiler::note_frame(Level& level) const {
  for (std::size_t at = 0; at < frame_tags.size(); ++at) {
    const std::uint32_t word = tables_->place_of(level, slot_of(frame_tags[at]));
    level.frame[at] = static_cast<std::uint16_t>(place::index(word));
    level.frame_required += place::required(word);
  }
}

void Compiler::complete_frame(Draft& header, Draft& trailer) const {
  for (const std::uint32_t tag : frame_tags) {
    const Section section = tag == frame_tags.back() ? Section::Trailer : Section::Header;
    Draft& draft = section == Section::Trailer ? trailer : header;
    if (std::ranges::find(draft.slots, slot_of(tag)) == draft.slots.end()) {
      draft.members.push_back({tag, 0, true, section});
      draft.slots.push_back(slot_of(tag));
    }
  }
}

Compiler::LevelResult Compiler::add_message_level(const Message* message) {
  Draft draft;
  auto done = append(frame_, frame_.header(), Section::Header, 0, draft);
  // Missing members are reported in the order of a level's members, so the trailer's are last; but
  // a trailer field does not belong to the body, whatever the message definition says.
  Draft trailer;
  if (done) {
    done = append(frame_, frame_.trailer(), Section::Trailer, 0, trailer);
  }
  if (done) {
    complete_frame(draft, trailer);
  }
  if (done && message != nullptr) {
    done = append(body_, message->members, Section::Body, 0, draft);
  }
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  for (std::size_t at = 0; at < trailer.members.size(); ++at) {
    const auto known = std::ranges::find(draft.slots, trailer.slots[at]);
    if (known == draft.slots.end()) {
      draft.members.push_back(trailer.members[at]);
      draft.slots.push_back(trailer.slots[at]);
    } else {
      draft.members[static_cast<std::size_t>(known - draft.slots.begin())] = trailer.members[at];
    }
  }
  return finish(draft, true, message != nullptr ? message->name : std::string("the header"));
}

std::expected<void, base::Error> Compiler::add_messages() {
  const LevelResult unknown = add_message_level(nullptr);
  if (!unknown) {
    return std::unexpected(unknown.error());
  }
  // Groups of header and trailer were compiled before it, but no look-up may lead to level 0.
  std::swap(tables_->levels[*unknown], tables_->levels[0]);
  tables_->levels[0].of_unknown_type = true;
  tables_->short_types.resize(ValidationTables::short_type_count);
  for (const Message& message : body_.messages()) {
    const LevelResult level = add_message_level(&message);
    if (!level) {
      return std::unexpected(level.error());
    }
    const std::uint64_t word = code_of(message.type);
    if (message.type.size() <= 2 && ValidationTables::is_short_type(word)) {
      tables_->short_types[ValidationTables::short_type(word)] = *level;
    } else {
      tables_->long_types.push_back({message.type, *level});
    }
  }
  return {};
}

std::expected<std::unique_ptr<const ValidationTables>, base::Error> Compiler::run() {
  tables_->version = body_.version();
  auto done = add_fields();
  if (done) {
    // Level 0 is reserved for messages of unknown type: no counter and no type leads to it.
    tables_->levels.emplace_back();
    done = add_messages();
  }
  if (!done) {
    base::Error error = std::move(done.error());
    error.where = body_.version().name();
    return std::unexpected(std::move(error));
  }
  return std::unique_ptr<const ValidationTables>(std::move(tables_));
}

}  // namespace

std::expected<Validator, base::Error> Validator::compile(const Dictionary& dictionary) {
  return compile(dictionary, dictionary);
}

std::expected<Validator, base::Error> Validator::compile(const Dictionary& transport,
                                                         const Dictionary& application) {
  auto tables = Compiler(transport, application).run();
  if (!tables) {
    return std::unexpected(std::move(tables.error()));
  }
  return Validator(std::move(*tables));
}

}  // namespace affix::inline v0::dictionary
