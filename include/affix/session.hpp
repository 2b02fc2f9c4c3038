// SPDX-License-Identifier: MIT
// Includes the whole session layer.
#pragma once

#include "affix/session/admin.hpp"
#include "affix/session/admin_fields.hpp"
#include "affix/session/calls.hpp"
#include "affix/session/events.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/session/hold.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/options.hpp"
#include "affix/session/out.hpp"
#include "affix/session/practice.hpp"
#include "affix/session/resend_policy.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/session.hpp"
#include "affix/session/state.hpp"
#include "affix/session/throttle.hpp"
#include "affix/session/validator.hpp"
