// SPDX-License-Identifier: MIT
// Makes the exceptions: rare, so each looks its class up.
#include "raise.hpp"

#include <utility>

namespace nb = nanobind;

namespace affix::python {

void set_error(const char* name, const std::string& text) noexcept {
  set_error(name, text, nullptr, nb::object());
}

void set_error(const char* name, const std::string& text, const char* attribute,
               nb::object value) noexcept {
  try {
    const nb::object type = nb::module_::import_("affix.errors").attr(name);
    const nb::object error = type(nb::str(text.data(), text.size()));
    if (attribute != nullptr) {
      nb::setattr(error, attribute, value);
    }
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (nb::python_error& failed) {
    failed.restore();
  }
}

}  // namespace affix::python
