// SPDX-License-Identifier: MIT
// Checks names.
#include "affix/keeper/keeper.hpp"

#include <algorithm>

namespace affix::inline v0::keeper {

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max &&
         std::ranges::all_of(name, [](char one) { return one >= ' ' && one <= '~' && one != ':'; });
}

}  // namespace affix::inline v0::keeper
