// SPDX-License-Identifier: MIT
// QuickFIX's settings, for affix.quickfix: read, and translated as `affix import-quickfix` does.
#pragma once

#include <nanobind/nanobind.h>

namespace affix::python {

void bind_quickfix_settings(nanobind::module_& module);

}  // namespace affix::python
