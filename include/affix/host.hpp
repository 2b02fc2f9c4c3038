// SPDX-License-Identifier: MIT
// Includes the whole host layer.
#pragma once

#include "affix/host/application.hpp"
#include "affix/host/receipt.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/host/session_handle.hpp"
