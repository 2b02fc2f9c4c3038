// SPDX-License-Identifier: MIT
// Everything of the admin layer.
#pragma once

#include "affix/admin/counter_reader.hpp"
