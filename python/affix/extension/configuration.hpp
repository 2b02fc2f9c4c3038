// SPDX-License-Identifier: MIT
// Configurations as Python objects, and the exception for those that are refused.
#pragma once

#include "affix/config/configuration.hpp"

#include <nanobind/nanobind.h>

namespace affix::python {

/// Throws ConfigurationError with every problem.
[[noreturn]] void raise_problems(const config::Problems& problems);

void bind_configuration(nanobind::module_& module);

}  // namespace affix::python
