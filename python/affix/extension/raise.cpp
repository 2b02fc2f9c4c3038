// SPDX-License-Identifier: MIT
// Makes the exceptions: rare, so each looks its class up.
#include "raise.hpp"

#include "values.hpp"

#include <utility>

namespace nb = nanobind;

namespace affix::python {

std::string shown(nb::handle object) {
  const nb::object text = nb::repr(object);
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    throw_error();
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

void set_error(const char* name, const std::string& text) noexcept {
  set_error(name, text, nullptr, nb::object());
}

void set_error(const char* name, const std::string& text, const char* attribute,
               nb::object value) noexcept {
  try {
    const nb::object type = nb::module_::import_("affix.errors").attr(name);
    const nb::object error = type(text_of(text));
    if (attribute != nullptr) {
      nb::setattr(error, attribute, value);
    }
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (nb::python_error& failed) {
    failed.restore();
  }
}

}  // namespace affix::python
