// SPDX-License-Identifier: MIT
// Python exceptions of affix.errors, raised from C++.
#pragma once

#include <nanobind/nanobind.h>
#include <string>

namespace affix::python {

/// Sets the exception `name` of affix.errors with this text; the caller returns null to Python.
void set_error(const char* name, const std::string& text) noexcept;

/// The same, with an attribute of a number or a text.
void set_error(const char* name, const std::string& text, const char* attribute,
               nanobind::object value) noexcept;

/// The result of repr(), as UTF-8, for the text of an exception. Throws what repr() raises. Runs a
/// program's code, so no view is held across it.
[[nodiscard]] std::string shown(nanobind::handle object);

/// Throws what is set.
[[noreturn]] inline void throw_error() {
  throw nanobind::python_error();
}

/// Sets and throws.
[[noreturn]] inline void raise(const char* name, const std::string& text) {
  set_error(name, text);
  throw_error();
}

[[noreturn]] inline void raise(const char* name, const std::string& text, const char* attribute,
                               nanobind::object value) {
  set_error(name, text, attribute, std::move(value));
  throw_error();
}

}  // namespace affix::python
