// SPDX-License-Identifier: MIT
// QuickFIX's XML, with QuickFIX/J's additions: to a draft.
#pragma once

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <pugixml.hpp>

namespace affix::inline v0::dictionary {

/// `root` is the element <fix>. The draft's views are into its document.
[[nodiscard]] Draft read_quickfix(const pugi::xml_node& root, Problems& problems);

}  // namespace affix::inline v0::dictionary
