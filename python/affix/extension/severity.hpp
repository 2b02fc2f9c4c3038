// SPDX-License-Identifier: MIT
// The severity of an event, as Python's callbacks get it.
#pragma once

#include "affix/host/application.hpp"

namespace affix::python {

[[nodiscard]] inline const char* name_of(host::Event::Severity severity) noexcept {
  switch (severity) {
    case host::Event::Severity::Debug:
      return "debug";
    case host::Event::Severity::Info:
      return "info";
    case host::Event::Severity::Warning:
      return "warning";
    case host::Event::Severity::Error:
      return "error";
  }
  return "error";
}

}  // namespace affix::python
