// SPDX-License-Identifier: MIT
// Reads FIX Orchestra 1.0 repositories into a draft.
#pragma once

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <pugixml.hpp>

#include <deque>
#include <string>

namespace affix::inline v0::dictionary {

/// `root` is the element <repository> under any prefix. The draft has views of its document, and
/// of `texts` where a name had to be made.
///
/// A group becomes a component of its name that contains the group, since references work that
/// way. Scenarios of one message, component, group, field or code set are merged: a member is
/// required if each of them requires it, a value allowed if one of them allows it. Workflow, rules,
/// documentation and pedigree are ignored.
[[nodiscard]] Draft read_orchestra(const pugi::xml_node& root, std::deque<std::string>& texts,
                                   Problems& problems);

}  // namespace affix::inline v0::dictionary
