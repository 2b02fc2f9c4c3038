// SPDX-License-Identifier: MIT
// Includes the whole os layer.
#pragma once

#include "affix/os/bus_error.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/file_mapping.hpp"
#include "affix/os/no_cancellation.hpp"
#include "affix/os/pages.hpp"
#include "affix/os/processor_share.hpp"
#include "affix/os/thread_precedence.hpp"
