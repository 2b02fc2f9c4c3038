// SPDX-License-Identifier: MIT
// Keeps the garbage collector away, and traverses objects for it.
#pragma once

#include <nanobind/nanobind.h>

namespace affix::python {

/// Making an object may start the garbage collector, and that runs a program's code: finalizers and
/// callbacks of weak references, which may use the very object that is at work. None runs within
/// the lifetime of this.
class NoCollection {
 public:
  NoCollection() noexcept : was_enabled_(PyGC_Disable() != 0) {}

  NoCollection(const NoCollection&) = delete;
  NoCollection& operator=(const NoCollection&) = delete;

  ~NoCollection() {
    if (was_enabled_) {
      PyGC_Enable();
    }
  }

 private:
  bool was_enabled_;
};

/// Slot of a class that lists its references, so that cycles through them are found. It needs no
/// tp_clear: every cycle passes through an object of a program's class, whose attributes are
/// cleared.
template <typename Type>
int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  if (nanobind::inst_ready(self)) {
    for (const nanobind::handle reference : nanobind::inst_ptr<Type>(self)->references()) {
      Py_VISIT(reference.ptr());
    }
  }
  return 0;
}

}  // namespace affix::python
