// SPDX-License-Identifier: MIT
// Nesting depth of a message's fields in repeating groups, according to dictionaries; for display,
// so it accepts invalid messages too.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Call for the fields of one message in their order. Keeps references to its dictionaries.
class GroupDepth {
 public:
  GroupDepth(std::vector<const affix::dictionary::Dictionary*> dictionaries,
             std::string_view msg_type);

  struct Place {
    const char* part = "body";  ///< Or "header", "trailer".
    std::size_t depth = 0;      ///< Number of enclosing groups.
    std::size_t entry = 0;      ///< Entry of the innermost group, from 1.
  };

  [[nodiscard]] Place place(std::uint32_t tag);

 private:
  /// An open group.
  struct Open {
    const affix::dictionary::Dictionary* dictionary = nullptr;
    std::span<const affix::dictionary::Member> members;
    std::set<std::uint32_t> tags;
    std::uint32_t first_tag = 0;
    std::size_t entry = 0;
  };

  [[nodiscard]] bool open_group(const affix::dictionary::Dictionary& dictionary,
                                std::span<const affix::dictionary::Member> members,
                                std::uint32_t tag);

  std::vector<const affix::dictionary::Dictionary*> dictionaries_;
  std::string_view type_;
  std::vector<Open> open_;
};

}  // namespace affix::inline v0::tools::monitor
