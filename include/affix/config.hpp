// SPDX-License-Identifier: MIT
// Includes the whole config layer.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/configuration_catalogue.hpp"
#include "affix/config/effective_configuration.hpp"
#include "affix/config/resend_judge.hpp"
#include "affix/config/session_hours.hpp"
#include "affix/config/words.hpp"
