// SPDX-License-Identifier: MIT
// Teaching the codec a dictionary's own length and data fields.
#pragma once

#include "affix/dictionary/model.hpp"
#include "affix/wire/index.hpp"

namespace affix::inline v0::dictionary {

/// Adds every pair of `dictionary` to `fields`, so that a venue's raw data may hold SOH. False when
/// `fields` is full; what fitted is there.
[[nodiscard]] bool add_data_fields(const Dictionary& dictionary, wire::DataFields& fields) noexcept;

}  // namespace affix::inline v0::dictionary
