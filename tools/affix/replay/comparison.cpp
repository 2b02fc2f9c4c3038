// SPDX-License-Identifier: MIT
// Pairs messages by key, compares fields by tag and occurrence.
#include "replay/comparison.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace affix::inline v0::tools::replay {

namespace {

/// ClOrdID, OrigClOrdID, Symbol, MDReqID.
constexpr std::array<std::uint32_t, 4> key_tags{11, 41, 55, 262};

/// RefSeqNum: a session's numbers differ between runs, also in rejects that contain them.
constexpr std::uint32_t reference_number = 45;

bool belong_together(const RecordedMessage& one, const RecordedMessage& other) {
  return one.type == other.type && std::ranges::all_of(key_tags, [&](std::uint32_t tag) {
           return one.value_of(tag) == other.value_of(tag);
         });
}

bool contains(const std::vector<std::uint32_t>& tags, std::uint32_t tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

/// Removes the first message from `waiting` that matches `message`, if any.
bool take_partner(std::deque<RecordedMessage>& waiting, const RecordedMessage& message,
                  RecordedMessage& partner) {
  const auto found = std::ranges::find_if(
      waiting, [&](const RecordedMessage& other) { return belong_together(message, other); });
  if (found == waiting.end()) {
    return false;
  }
  partner = std::move(*found);
  waiting.erase(found);
  return true;
}

}  // namespace

void Comparison::expect(RecordedMessage answer) {
  RecordedMessage came;
  if (take_partner(extra_, answer, came)) {
    compare(std::move(answer), std::move(came));
  } else {
    missing_.push_back(std::move(answer));
  }
}

void Comparison::receive(RecordedMessage answer) {
  RecordedMessage expected;
  if (take_partner(missing_, answer, expected)) {
    compare(std::move(expected), std::move(answer));
  } else {
    extra_.push_back(std::move(answer));
  }
}

std::string_view Comparison::current_value(std::uint32_t tag, std::string_view value) const {
  if (const auto names = new_names_.find(tag); names != new_names_.end()) {
    if (const auto name = names->second.find(value); name != names->second.end()) {
      return name->second;
    }
  }
  return value;
}

void Comparison::compare(RecordedMessage before, RecordedMessage after) {
  std::vector<FieldDifference> fields;
  compare_fields(before.header, after.header, fields);
  compare_fields(before.body, after.body, fields);
  if (fields.empty()) {
    ++same_;
  } else {
    differences_.push_back({std::move(before), std::move(after), std::move(fields)});
  }
}

/// The first pair of values defines the mapping; later ones must match it.
bool Comparison::renamed_alike(std::uint32_t tag, const std::string& before,
                               const std::string& after) {
  const auto [new_name, is_new] = new_names_[tag].emplace(before, after);
  const auto [old_name, was_new] = old_names_[tag].emplace(after, before);
  return new_name->second == after && old_name->second == before;
}

void Comparison::compare_fields(const std::vector<RecordedField>& before,
                                const std::vector<RecordedField>& after,
                                std::vector<FieldDifference>& differences) {
  // Occurrences of a repeated tag, as in groups, are compared in order.
  std::vector<bool> used(after.size());
  for (const RecordedField& field : before) {
    if (contains(options_.ignored, field.tag) || field.tag == reference_number) {
      continue;
    }
    std::size_t at = 0;
    while (at < after.size() && (used[at] || after[at].tag != field.tag)) {
      ++at;
    }
    if (at == after.size()) {
      differences.push_back({field.tag, field.value, {}});
      continue;
    }
    used[at] = true;
    const bool alike = contains(options_.renamed, field.tag)
                           ? renamed_alike(field.tag, field.value, after[at].value)
                           : field.value == after[at].value;
    if (!alike) {
      differences.push_back({field.tag, field.value, after[at].value});
    }
  }
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (!used[at] && !contains(options_.ignored, after[at].tag) &&
        after[at].tag != reference_number) {
      differences.push_back({after[at].tag, {}, after[at].value});
    }
  }
}

}  // namespace affix::inline v0::tools::replay
