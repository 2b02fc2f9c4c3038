// SPDX-License-Identifier: MIT
// Adds a dictionary's own length and data fields to the codec's.
#pragma once

#include "affix/dictionary/model.hpp"
#include "affix/wire/index.hpp"

namespace affix::inline v0::dictionary {

/// Adds every pair of `dictionary` to `fields`, so that a venue's data fields may contain SOH.
/// False: `fields` is full; the pairs that fit were added.
[[nodiscard]] bool add_data_fields(const Dictionary& dictionary, wire::DataFields& fields) noexcept;

}  // namespace affix::inline v0::dictionary
