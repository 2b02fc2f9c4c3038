// SPDX-License-Identifier: MIT
// Everything of the admin layer.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/admin/command.hpp"
#include "affix/admin/counter_reader.hpp"
#include "affix/admin/program.hpp"
#include "affix/admin/request.hpp"
#include "affix/admin/server.hpp"
#include "affix/admin/tokens.hpp"
