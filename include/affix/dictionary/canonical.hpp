// SPDX-License-Identifier: MIT
// The project's own form of a dictionary: QuickFIX's XML, so that QuickFIX reads it too, with one
// order and one layout. Equal dictionaries give equal bytes, and reading the bytes gives the
// dictionary again.
#pragma once

#include "affix/dictionary/model.hpp"

#include <string>

namespace affix::inline v0::dictionary {

/// The whole file. What QuickFIX's dialect lacks is written as attributes that QuickFIX does not
/// look at: unionDataType of a field, and lengthId of every data field when the pairs are not those
/// that a reader would find itself.
[[nodiscard]] std::string write_canonical(const Dictionary& dictionary);

}  // namespace affix::inline v0::dictionary
