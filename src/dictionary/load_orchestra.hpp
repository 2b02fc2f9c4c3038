// SPDX-License-Identifier: MIT
// FIX Orchestra 1.0 repositories: to a draft.
#pragma once

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <pugixml.hpp>

#include <deque>
#include <string>

namespace affix::inline v0::dictionary {

/// `root` is the element <repository> under any prefix. The draft's views are into its document,
/// and into `texts` where a name had to be made.
///
/// A group becomes a component of its name that holds the group, since that is how it is referred
/// to. Scenarios of one message, component, group, field or code set are read as one: a member is
/// required when each of them requires it, a value allowed when one of them allows it. Workflow,
/// rules, documentation and pedigree are passed over.
[[nodiscard]] Draft read_orchestra(const pugi::xml_node& root, std::deque<std::string>& texts,
                                   Problems& problems);

}  // namespace affix::inline v0::dictionary
