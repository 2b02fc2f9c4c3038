// SPDX-License-Identifier: MIT
// Conversions between Python's values and FIX's texts. Prices are never binary floating point.
#include "values.hpp"

#include "raise.hpp"

#include <charconv>
#include <cstddef>
#include <datetime.h>

namespace nb = nanobind;

namespace affix::python {

namespace {

/// The C interface of datetime belongs to one source; PyDateTime_IMPORT sets it.
bool import_datetime() noexcept {
  if (PyDateTimeAPI == nullptr) {
    PyDateTime_IMPORT;
  }
  return PyDateTimeAPI != nullptr;
}

/// Writes a date's or a time's digits one after the other.
class DigitWriter {
 public:
  explicit DigitWriter(char* begin) noexcept : begin_(begin), at_(begin) {}

  void date(PyObject* date) noexcept {
    number(PyDateTime_GET_YEAR(date), 4);
    number(PyDateTime_GET_MONTH(date), 2);
    number(PyDateTime_GET_DAY(date), 2);
  }

  void time(int hour, int minute, int second, int microsecond) noexcept {
    number(hour, 2);
    mark(':');
    number(minute, 2);
    mark(':');
    number(second, 2);
    mark('.');
    number(microsecond, 6);
  }

  void mark(char character) noexcept { *at_++ = character; }

  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

 private:
  void number(int value, int digits) noexcept {
    for (int place = digits - 1; place >= 0; --place) {
      at_[place] = static_cast<char>('0' + value % 10);
      value /= 10;
    }
    at_ += digits;
  }

  char* begin_;
  char* at_;
};

}  // namespace

PythonTypes::PythonTypes() : decimal(nb::module_::import_("decimal").attr("Decimal")) {
  if (!import_datetime()) {
    throw nb::python_error();
  }
}

PyObject* make_text(std::string_view value) noexcept {
  return PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()),
                              "surrogateescape");
}

nb::str text_of(std::string_view value) {
  PyObject* const text = make_text(value);
  if (text == nullptr) {
    throw_error();
  }
  return nb::steal<nb::str>(text);
}

PyObject* make_decimal(const PythonTypes& types, std::string_view value) noexcept {
  PyObject* const text =
      PyUnicode_DecodeLatin1(value.data(), static_cast<Py_ssize_t>(value.size()), nullptr);
  if (text == nullptr) {
    return nullptr;
  }
  PyObject* const result = PyObject_CallOneArg(types.decimal.ptr(), text);
  Py_DECREF(text);
  return result;
}

PyObject* make_datetime(base::UtcTime time) noexcept {
  std::int64_t days = time.ns / base::ns_per_day;
  std::int64_t of_day = time.ns % base::ns_per_day;
  if (of_day < 0) {
    of_day += base::ns_per_day;
    --days;
  }
  const base::CivilDate date = base::civil_from_days(days);
  const auto seconds = static_cast<int>(of_day / base::ns_per_second);
  const auto micros = static_cast<int>(of_day % base::ns_per_second / base::ns_per_us);
  return PyDateTimeAPI->DateTime_FromDateAndTime(
      date.year, static_cast<int>(date.month), static_cast<int>(date.day), seconds / 3'600,
      seconds / 60 % 60, seconds % 60, micros, PyDateTime_TimeZone_UTC,
      PyDateTimeAPI->DateTimeType);
}

bool ValueText::set(const PythonTypes& types, PyObject* value) noexcept {
  if (PyUnicode_Check(value)) {
    kept_ = nb::borrow(value);
    return set_text_of(value);
  }
  if (PyBool_Check(value)) {
    text_ = value == Py_True ? "Y" : "N";
    return true;
  }
  if (PyLong_Check(value)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0) {
      if (number == -1 && PyErr_Occurred() != nullptr) {
        return false;
      }
      const auto end = std::to_chars(std::begin(digits_), std::end(digits_), number);
      text_ = {digits_, static_cast<std::size_t>(end.ptr - digits_)};
      return true;
    }
    PyErr_SetString(PyExc_ValueError, "FIX has no integers beyond 64 bits");
    return false;
  }
  if (Py_TYPE(value) == reinterpret_cast<PyTypeObject*>(types.decimal.ptr())) {
    return set_decimal(value);
  }
  if (PyBytes_Check(value)) {
    kept_ = nb::borrow(value);
    text_ = {PyBytes_AS_STRING(value), static_cast<std::size_t>(PyBytes_GET_SIZE(value))};
    return true;
  }
  if (PyDateTime_Check(value) || PyDate_Check(value) || PyTime_Check(value)) {
    return set_datetime(value);
  }
  const int is_decimal = PyObject_IsInstance(value, types.decimal.ptr());
  if (is_decimal != 0) {
    return is_decimal > 0 && set_decimal(value);
  }
  if (PyFloat_Check(value)) {
    PyErr_SetString(PyExc_TypeError,
                    "a float is not exact: pass a decimal.Decimal, an int or a str");
  } else {
    PyErr_Format(PyExc_TypeError, "no field value can be made of %.200s", Py_TYPE(value)->tp_name);
  }
  return false;
}

/// `object` is a str that kept_ has.
bool ValueText::set_text_of(PyObject* object) noexcept {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text != nullptr) {
    text_ = {text, static_cast<std::size_t>(size)};
    return true;
  }
  PyErr_Clear();  // It has surrogates, of bytes that make_text() could not decode.
  PyObject* const encoded = PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape");
  if (encoded == nullptr) {
    return false;
  }
  kept_ = nb::steal(encoded);
  text_ = {PyBytes_AS_STRING(encoded), static_cast<std::size_t>(PyBytes_GET_SIZE(encoded))};
  return true;
}

bool ValueText::set_decimal(PyObject* value) noexcept {
  PyObject* text = PyObject_Str(value);
  if (text == nullptr) {
    return false;
  }
  kept_ = nb::steal(text);
  if (!set_text_of(text)) {
    return false;
  }
  if (text_.find_first_of("EeNnIi") == std::string_view::npos) {
    return true;
  }
  if (text_.find_first_of("NnIi") != std::string_view::npos) {
    PyErr_Format(PyExc_ValueError, "FIX has no text for the Decimal %R", value);
    return false;
  }
  // An exponent, which FIX does not have.
  PyObject* const form = PyUnicode_FromString("f");
  text = form != nullptr ? PyObject_Format(value, form) : nullptr;
  Py_XDECREF(form);
  if (text == nullptr) {
    return false;
  }
  kept_ = nb::steal(text);
  return set_text_of(text);
}

bool ValueText::set_datetime(PyObject* value) noexcept {
  DigitWriter digits(digits_);
  nb::object kept = nb::borrow(value);
  if (PyDateTime_Check(value)) {
    PyObject* const zone = PyDateTime_DATE_GET_TZINFO(value);
    if (zone == Py_None) {
      PyErr_SetString(PyExc_ValueError,
                      "a datetime needs a zone: datetime.now(timezone.utc), or a str");
      return false;
    }
    if (zone != PyDateTime_TimeZone_UTC) {
      PyObject* const utc = PyObject_CallMethod(value, "astimezone", "O", PyDateTime_TimeZone_UTC);
      if (utc == nullptr) {
        return false;
      }
      kept = nb::steal(utc);
    }
    PyObject* const at = kept.ptr();
    digits.date(at);
    digits.mark('-');
    digits.time(PyDateTime_DATE_GET_HOUR(at), PyDateTime_DATE_GET_MINUTE(at),
                PyDateTime_DATE_GET_SECOND(at), PyDateTime_DATE_GET_MICROSECOND(at));
  } else if (PyDate_Check(value)) {
    digits.date(value);
  } else {
    digits.time(PyDateTime_TIME_GET_HOUR(value), PyDateTime_TIME_GET_MINUTE(value),
                PyDateTime_TIME_GET_SECOND(value), PyDateTime_TIME_GET_MICROSECOND(value));
  }
  text_ = {digits_, digits.size()};
  return true;
}

}  // namespace affix::python
