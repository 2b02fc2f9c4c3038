// SPDX-License-Identifier: MIT
// Reading of journals and logs.
#pragma once

#include <nanobind/nanobind.h>

namespace affix::python {

void bind_log(nanobind::module_& module);

}  // namespace affix::python
