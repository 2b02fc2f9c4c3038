// SPDX-License-Identifier: MIT
// Checks fields and their values.

#include "dictionary/draft_fields.hpp"

#include "affix/wire/tag.hpp"

#include "dictionary/arrange.hpp"
#include "dictionary/data_pairs.hpp"
#include "dictionary/value_format.hpp"
#include "dictionary/xml_text.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace affix::inline v0::dictionary {

namespace {

class FieldPlacer {
 public:
  FieldPlacer(const Version& version, const LoadLimits& limits, Problems& problems)
      : version_(version), limits_(limits), problems_(problems) {}

  void add(const DraftField& draft) {
    check_name(draft.name, "field", draft.place, limits_, problems_);
    if (!draft.own_type.empty()) {
      check_name(draft.own_type, "type", draft.place, limits_, problems_);
    }
    if (draft.tag == 0 || draft.tag > wire::tag_max) {
      problems_.error(draft.place, draft.name,
                      "tag " + std::to_string(draft.tag) + " is not a number from 1 to " +
                          std::to_string(wire::tag_max),
                      "D110");
      remember_name(draft, static_cast<std::uint32_t>(placed_.fields.size()));
      append(draft);
      return;
    }
    const auto [tag_slot, new_tag] =
        placed_.by_tag.emplace(draft.tag, static_cast<std::uint32_t>(placed_.fields.size()));
    if (!new_tag) {
      merge(draft, tag_slot->second);
      return;
    }
    remember_name(draft, tag_slot->second);
    append(draft);
  }

  [[nodiscard]] PlacedFields take() { return std::move(placed_); }

 private:
  void remember_name(const DraftField& draft, std::uint32_t index) {
    const auto [slot, is_new] = placed_.by_name.emplace(draft.name, index);
    if (!is_new && !draft.name.empty()) {
      const std::uint32_t first = slot->second;
      problems_.error(
          draft.place, draft.name,
          "two fields have this name: tags " + std::to_string(placed_.fields[first].tag) +
              problems_.at_line(placed_.places[first]) + " and " + std::to_string(draft.tag),
          "D110");
    }
  }

  void append(const DraftField& draft) {
    Field field;
    field.tag = draft.tag;
    field.name = std::string(draft.name);
    field.type = draft.type;
    field.own_type = std::string(draft.own_type);
    field.values_are_open = draft.values_are_open;
    field.union_type = draft.union_type;
    placed_.fields.push_back(std::move(field));
    placed_.places.push_back(draft.place);
    add_values(draft, placed_.fields.back());
  }

  // A field defined twice: an equal definition adds its values, a different one is refused.
  void merge(const DraftField& draft, std::uint32_t index) {
    Field& first = placed_.fields[index];
    const std::string where = problems_.at_line(placed_.places[index]);
    if (first.name != draft.name) {
      problems_.error(
          draft.place, draft.name,
          "tag " + std::to_string(draft.tag) + " is " + in_quotes(first.name) + " already" + where,
          "D110");
      // Registered under this name all the same, so that its uses cause no further problems.
      placed_.by_name.emplace(draft.name, index);
      return;
    }
    if (first.type != draft.type) {
      problems_.error(draft.place, draft.name,
                      std::string("defined twice with two types: ") + to_text(first.type) + where +
                          " and " + to_text(draft.type),
                      "D111");
      return;
    }
    problems_.warn(draft.place, draft.name, "defined twice" + where + "; the values of both count",
                   "D111");
    first.values_are_open = first.values_are_open || draft.values_are_open ||
                            (first.values.empty() != draft.values.empty());
    add_values(draft, first);
  }

  void add_values(const DraftField& draft, Field& field) {
    std::unordered_map<std::string_view, std::string_view> names;
    for (const Value& value : field.values) {
      names.emplace(value.code, value.name);
    }
    // Views in the map must not move with the vector: the draft's values do not move.
    std::vector<Value> added;
    for (const DraftValue& value : draft.values) {
      if (is_usable(value, draft) && is_first(value, draft, names)) {
        const std::string_view name = value.name.empty() ? value.code : value.name;
        added.push_back({std::string(value.code), std::string(name)});
      }
    }
    std::ranges::move(added, std::back_inserter(field.values));
    if (field.values.empty()) {
      // "Other values too" means nothing when none is listed.
      field.values_are_open = false;
      field.union_type.reset();
    }
  }

  bool is_usable(const DraftValue& value, const DraftField& field) {
    if (value.code.empty()) {
      problems_.warn(value.place, field.name, "a value without a code; left out", "D113");
      return false;
    }
    if (!is_plain_text(value.code) || !is_plain_text(value.name)) {
      problems_.error(value.place, field.name, "a value holds a character that may not be there",
                      "D113");
      return false;
    }
    if (value.code.size() > limits_.name_bytes_max) {
      problems_.error(value.place, field.name,
                      "a code longer than " + std::to_string(limits_.name_bytes_max) +
                          " bytes (name_bytes_max)",
                      "D113");
      return false;
    }
    if (value.name.size() > limits_.value_name_bytes_max) {
      problems_.error(value.place, field.name,
                      "the name of value " + in_quotes(value.code) + " is longer than " +
                          std::to_string(limits_.value_name_bytes_max) +
                          " bytes (value_name_bytes_max)",
                      "D113");
      return false;
    }
    if (!code_fits(type_in(version_, field.type), value.code)) {
      problems_.warn(
          value.place, field.name,
          "value " + in_quotes(value.code) + " does not fit the type " + to_text(field.type),
          "D113");
    }
    return true;
  }

  bool is_first(const DraftValue& value, const DraftField& field,
                std::unordered_map<std::string_view, std::string_view>& names) {
    const auto [slot, is_new] = names.emplace(value.code, value.name);
    if (!is_new && slot->second != value.name) {
      problems_.warn(value.place, field.name,
                     "value " + in_quotes(value.code) + " is listed twice, as " +
                         in_quotes(slot->second) + " and as " + in_quotes(value.name) +
                         "; the first name stays",
                     "D113");
    } else if (!is_new) {
      problems_.warn(value.place, field.name, "value " + in_quotes(value.code) + " is listed twice",
                     "D113");
    }
    return is_new;
  }

  const Version& version_;
  const LoadLimits& limits_;
  Problems& problems_;
  PlacedFields placed_;
};

}  // namespace

void check_name(std::string_view name, const char* what, std::uint32_t place,
                const LoadLimits& limits, Problems& problems) {
  if (name.empty()) {
    problems.error(place, {}, std::string("a ") + what + " without a name", "D114");
  } else if (name.size() > limits.name_bytes_max) {
    problems.error(place, {},
                   std::string("the name of a ") + what + " is longer than " +
                       std::to_string(limits.name_bytes_max) + " bytes (name_bytes_max)",
                   "D114");
  } else if (!is_plain_text(name)) {
    problems.error(
        place, {},
        std::string("the name of a ") + what + " holds a character that may not be there", "D114");
  }
}

PlacedFields place_fields(const Draft& draft, const LoadLimits& limits, Problems& problems) {
  FieldPlacer placer(draft.version, limits, problems);
  for (const DraftField& field : draft.fields) {
    placer.add(field);
  }
  return placer.take();
}

void settle_data_pairs(const Draft& draft, Parts& parts, const PlacedFields& placed,
                       Problems& problems) {
  std::vector<std::uint32_t> length_tags = find_length_tags(parts);
  const auto index_of = [&](std::uint32_t tag) {
    const auto found = std::ranges::lower_bound(parts.fields, tag, {}, &Field::tag);
    return found != parts.fields.end() && found->tag == tag
               ? static_cast<std::size_t>(found - parts.fields.begin())
               : parts.fields.size();
  };
  // The file takes precedence over the search, for the field and for its length field.
  for (const DraftField& field : draft.fields) {
    const std::size_t data = index_of(field.tag);
    if (!field.length_tag || data == parts.fields.size()) {
      continue;
    }
    const std::size_t length = index_of(*field.length_tag);
    length_tags[data] = 0;
    if (*field.length_tag == 0) {
      continue;
    }
    if (!has_raw_bytes(field.type)) {
      problems.warn(field.place, field.name, "a length field whose field is not of type data",
                    "D117");
    } else if (length == parts.fields.size() || !can_be_length(parts.fields[length].type)) {
      problems.error(field.place, field.name,
                     "its length field " + std::to_string(*field.length_tag) +
                         (length == parts.fields.size() ? " is not defined" : " is not a number"),
                     "D117");
    } else {
      std::ranges::replace(length_tags, *field.length_tag, 0U);
      length_tags[data] = *field.length_tag;
    }
  }
  for (std::size_t at = 0; at < parts.fields.size(); ++at) {
    Field& field = parts.fields[at];
    field.length_tag = length_tags[at];
    if (length_tags[at] != 0) {
      parts.fields[index_of(length_tags[at])].data_tag = field.tag;
    } else if (has_raw_bytes(field.type)) {
      const auto place = placed.by_tag.find(field.tag);
      problems.warn(place != placed.by_tag.end() ? placed.places[place->second] : whole_file,
                    field.name, "a data field without a length field; it ends at the first SOH",
                    "D117");
    }
  }
}

}  // namespace affix::inline v0::dictionary
