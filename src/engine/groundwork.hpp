// SPDX-License-Identifier: MIT
// Reads and measurements before an engine's first session that an earlier process does not hinder:
// a successor does them while it waits in line.
#pragma once

#include "engine/page_choices.hpp"
#include "host/session_dictionary.hpp"

namespace affix::inline v0::engine {

struct Groundwork {
  host::DictionaryStore dictionaries{};  ///< Emptied when the sessions of the start have theirs.
  PageChoices pages{};
};

}  // namespace affix::inline v0::engine
