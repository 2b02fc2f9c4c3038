// SPDX-License-Identifier: MIT
// Searches a field's values. version.cpp has the versions.

#include "affix/dictionary/parts.hpp"

#include "dictionary/code_order.hpp"

#include <algorithm>
#include <string_view>

namespace affix::inline v0::dictionary {

const Value* Field::find_value(std::string_view code) const noexcept {
  const auto found =
      std::ranges::lower_bound(values, code, code_precedes,
                               [](const Value& value) -> std::string_view { return value.code; });
  return found != values.end() && found->code == code ? &*found : nullptr;
}

}  // namespace affix::inline v0::dictionary
