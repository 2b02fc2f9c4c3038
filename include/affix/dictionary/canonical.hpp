// SPDX-License-Identifier: MIT
// affix's canonical dictionary format: QuickFIX's XML, which QuickFIX also reads, in one order
// and layout. Equal dictionaries give equal bytes, and loading the bytes gives an equal
// dictionary.
#pragma once

#include "affix/dictionary/model.hpp"

#include <string>

namespace affix::inline v0::dictionary {

/// Writes the whole file. Properties that QuickFIX's format lacks become attributes that QuickFIX
/// ignores: unionDataType of a field, and lengthId of every data field if a loader would not find
/// the pairs by itself. Allocates.
[[nodiscard]] std::string write_canonical(const Dictionary& dictionary);

}  // namespace affix::inline v0::dictionary
