// SPDX-License-Identifier: MIT
// Includes the whole dictionary layer.
#pragma once

#include "affix/dictionary/canonical.hpp"
#include "affix/dictionary/data_fields.hpp"
#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/model.hpp"
#include "affix/dictionary/names.hpp"
#include "affix/dictionary/parts.hpp"
#include "affix/dictionary/problem.hpp"
#include "affix/dictionary/rules.hpp"
#include "affix/dictionary/shapes.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/dictionary/walk.hpp"
#include "affix/dictionary/workflow.hpp"
