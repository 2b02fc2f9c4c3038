// SPDX-License-Identifier: MIT
// Parts of a small dictionary for tests: a message through two components to a group.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace affix_test {

inline affix::dictionary::Member field(std::uint32_t index, bool required = false) {
  return {affix::dictionary::MemberKind::Field, required, index};
}

inline affix::dictionary::Member group(std::uint32_t index, bool required = false) {
  return {affix::dictionary::MemberKind::Group, required, index};
}

inline affix::dictionary::Member component(std::uint32_t index, bool required = false) {
  return {affix::dictionary::MemberKind::Component, required, index};
}

inline affix::dictionary::Field make_field(
    std::uint32_t tag, std::string name,
    affix::dictionary::FieldType type = affix::dictionary::FieldType::String) {
  affix::dictionary::Field made;
  made.tag = tag;
  made.name = std::move(name);
  made.type = type;
  return made;
}

/// Fields 0 Side, 1 NoPartyIDs, 2 PartyID, 3 Symbol; component 0 Parties contains the group, 1
/// Block contains Parties and Symbol. Messages AE Report and D Order, in this order.
inline affix::dictionary::Parts small_parts() {
  using affix::dictionary::FieldType;
  using affix::dictionary::MessageCategory;
  affix::dictionary::Parts parts;
  parts.fields = {make_field(54, "Side", FieldType::Char),
                  make_field(453, "NoPartyIDs", FieldType::NumInGroup), make_field(448, "PartyID"),
                  make_field(55, "Symbol")};
  parts.fields[0].values = {{"10", "TEN"}, {"2", "SELL"}, {"1", "BUY"}};
  parts.groups = {{1, {field(2, true)}}};
  parts.components = {{"Parties", {group(0, true)}},
                      {"Block", {component(0, true), field(3, true)}}};
  parts.messages = {{"AE", "Report", MessageCategory::App, {field(0)}},
                    {"D", "Order", MessageCategory::App, {component(1), field(0, true)}}};
  parts.header = {field(3)};
  parts.trailer = {field(3)};
  return parts;
}

}  // namespace affix_test
