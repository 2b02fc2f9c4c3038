// SPDX-License-Identifier: MIT
// Plans single fields: identifiers, enums, C++ types.
#pragma once

#include "affix/codegen/naming.hpp"
#include "affix/dictionary/model.hpp"

#include "codegen/plan.hpp"

#include <vector>

namespace affix::inline v0::codegen {

/// A plan per field of the dictionary, in its order. Names of enums are claimed in `types`.
[[nodiscard]] std::vector<FieldPlan> plan_fields(const dictionary::Dictionary& dictionary,
                                                 NameScope& types);

}  // namespace affix::inline v0::codegen
