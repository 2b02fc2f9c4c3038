// SPDX-License-Identifier: MIT
// Members of a message's repeating groups and their order: the part of a dictionary that sorting
// needs.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>

namespace affix::conformance_echo {

/// Fields on one level: a body, or one entry of a group.
struct GroupLayout {
  std::map<std::uint32_t, std::size_t> places;  ///< Place of each tag in the dictionary's order.
  std::map<std::uint32_t, GroupLayout> groups;  ///< By counter.

  [[nodiscard]] bool has(std::uint32_t tag) const { return places.contains(tag); }

  [[nodiscard]] const GroupLayout* group(std::uint32_t counter) const {
    const auto found = groups.find(counter);
    return found == groups.end() ? nullptr : &found->second;
  }
};

/// Layout of the body of messages of `type`; empty if the dictionary has no such message.
[[nodiscard]] GroupLayout layout_of(const dictionary::Dictionary& dictionary,
                                    std::string_view type);

}  // namespace affix::conformance_echo
