// SPDX-License-Identifier: MIT
// What an engine reads and measures before its first session, and an earlier process does not
// hinder: a successor does it while it waits in line.
#pragma once

#include "engine/page_choices.hpp"
#include "host/session_dictionary.hpp"

namespace affix::inline v0::engine {

struct Groundwork {
  host::DictionaryStore dictionaries{};  ///< Emptied when the sessions of the start have theirs.
  PageChoices pages{};
};

}  // namespace affix::inline v0::engine
