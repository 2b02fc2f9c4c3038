// SPDX-License-Identifier: MIT
// Reads QuickFIX's XML, with QuickFIX/J's additions, into a draft.
#pragma once

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <pugixml.hpp>

namespace affix::inline v0::dictionary {

/// `root` is the element <fix>. The draft has views of its document.
[[nodiscard]] Draft read_quickfix(const pugi::xml_node& root, Problems& problems);

}  // namespace affix::inline v0::dictionary
