// SPDX-License-Identifier: MIT
// Includes the whole keeper layer.
#pragma once

#include "affix/keeper/keeper.hpp"
#include "affix/keeper/server.hpp"
