// SPDX-License-Identifier: MIT
// How deep in repeating groups the fields of a message are, by the dictionaries that know it: for
// showing, so that a message which breaks the rules is shown too.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Asked about the fields of one message in their order. Keeps the dictionaries it was given.
class GroupDepth {
 public:
  GroupDepth(std::vector<const affix::dictionary::Dictionary*> dictionaries,
             std::string_view msg_type);

  struct Place {
    const char* part = "body";  ///< Or "header", "trailer".
    std::size_t depth = 0;      ///< How many groups it is in.
    std::size_t entry = 0;      ///< Which entry of the innermost, from 1.
  };

  [[nodiscard]] Place place(std::uint32_t tag);

 private:
  /// A group that the fields at hand are in.
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
