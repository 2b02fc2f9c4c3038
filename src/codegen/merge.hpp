// SPDX-License-Identifier: MIT
// An application's dictionary and its transport's as one, since one message is made of both.
#pragma once

#include "affix/dictionary/model.hpp"

namespace affix::inline v0::codegen {

/// Header, trailer and the messages of `transport`, the rest of `application`. A field that both
/// have is the application's, with the values of both.
[[nodiscard]] dictionary::Dictionary merge(const dictionary::Dictionary& application,
                                           const dictionary::Dictionary& transport);

}  // namespace affix::inline v0::codegen
