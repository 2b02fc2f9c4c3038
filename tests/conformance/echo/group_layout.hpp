// SPDX-License-Identifier: MIT
// What repeating groups of a message hold, and in which order: as much of a dictionary as sorting a
// message's fields needs.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>

namespace affix::conformance_echo {

/// Fields that stand side by side: a body, or one entry of a group.
struct GroupLayout {
  std::map<std::uint32_t, std::size_t> places;  ///< Of each tag, in the dictionary's order.
  std::map<std::uint32_t, GroupLayout> groups;  ///< By counter.

  [[nodiscard]] bool has(std::uint32_t tag) const { return places.contains(tag); }

  [[nodiscard]] const GroupLayout* group(std::uint32_t counter) const {
    const auto found = groups.find(counter);
    return found == groups.end() ? nullptr : &found->second;
  }
};

/// Of the body of messages of `type`; empty when the dictionary has none.
[[nodiscard]] GroupLayout layout_of(const dictionary::Dictionary& dictionary,
                                    std::string_view type);

}  // namespace affix::conformance_echo
