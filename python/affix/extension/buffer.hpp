// SPDX-License-Identifier: MIT
// The bytes of a Python object with a buffer: bytes, bytearray, memoryview, mmap, an array.
#pragma once

#include "raise.hpp"

#include <nanobind/nanobind.h>
#include <string_view>

namespace affix::python {

/// Holds the buffer: meanwhile its exporter refuses to move or free the bytes.
class Buffer {
 public:
  /// Throws a Python exception for an object without contiguous bytes.
  explicit Buffer(nanobind::handle object) : object_(object.ptr()) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
      throw_error();
    }
  }

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// May run a program's code: the exporter's.
  ~Buffer() { PyBuffer_Release(&view_); }

  [[nodiscard]] std::string_view bytes() const noexcept {
    return {view_.buf != nullptr ? static_cast<const char*>(view_.buf) : "",
            static_cast<std::size_t>(view_.len)};
  }

  /// The reference that this holds, for the garbage collector, if it may know of it. Before 3.13
  /// it may not where a memoryview is concerned, of which another object's answer has one, too: the
  /// collector clears it though it is in use, and crashes.
  [[nodiscard]] nanobind::handle exporter() const noexcept {
    constexpr bool clears_used_views = PY_VERSION_HEX < 0x030D0000;
    return clears_used_views && (view_.obj != object_ || PyMemoryView_Check(view_.obj)) ? nullptr
                                                                                        : view_.obj;
  }

 private:
  Py_buffer view_{};
  const PyObject* object_;  // What was asked: another object may answer.
};

}  // namespace affix::python
