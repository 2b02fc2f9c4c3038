// SPDX-License-Identifier: MIT
// Merges an application's dictionary with its transport's, since a message uses both.
#pragma once

#include "affix/dictionary/model.hpp"

namespace affix::inline v0::tools::codegen {

/// Header, trailer and messages of `transport`, the rest of `application`. A field in both is the
/// application's, with the values of both.
[[nodiscard]] dictionary::Dictionary merge(const dictionary::Dictionary& application,
                                           const dictionary::Dictionary& transport);

}  // namespace affix::inline v0::tools::codegen
