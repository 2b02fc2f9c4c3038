// SPDX-License-Identifier: MIT
// Values of fields as Python objects, and Python objects as values of fields.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"

#include <cstdint>
#include <nanobind/nanobind.h>
#include <string_view>

namespace affix::python {

/// Types of Python's own modules that values are made of, looked up once.
struct PythonTypes {
  PythonTypes();

  nanobind::object decimal;  ///< decimal.Decimal.
};

/// A str of UTF-8; bytes that are none become surrogates, which encoding turns back. Null with an
/// exception set.
[[nodiscard]] PyObject* make_text(std::string_view value) noexcept;

/// The same, for a text that may not be UTF-8, such as a line of a file. Throws.
[[nodiscard]] nanobind::str text_of(std::string_view value);

/// The exact decimal.Decimal of FIX's digits, of any length. Null with an exception set.
[[nodiscard]] PyObject* make_decimal(const PythonTypes& types, std::string_view value) noexcept;

/// A datetime in UTC, truncated to microseconds. Null with an exception set.
[[nodiscard]] PyObject* make_datetime(base::UtcTime time) noexcept;

/// The text of a value for the wire, valid as long as the object.
class ValueText {
 public:
  /// str, bytes, int, bool, Decimal, datetime (aware), date or time. False with a Python exception:
  /// another type, a float, or a value that FIX has no text for.
  [[nodiscard]] bool set(const PythonTypes& types, PyObject* value) noexcept;

  [[nodiscard]] std::string_view view() const noexcept { return text_; }

 private:
  [[nodiscard]] bool set_text_of(PyObject* object) noexcept;
  [[nodiscard]] bool set_decimal(PyObject* value) noexcept;
  [[nodiscard]] bool set_datetime(PyObject* value) noexcept;

  std::string_view text_;
  nanobind::object kept_;  // Has the text, unless digits_ has.
  char digits_[64];
};

}  // namespace affix::python
