// SPDX-License-Identifier: MIT
// A thread's place in the interpreter, and its collection.
#include "thread_turn.hpp"

#include <memory>
#include <utility>

namespace nb = nanobind;

namespace affix::python {

PythonThread::PythonThread() noexcept : before_(PyGILState_Ensure()), state_(PyEval_SaveThread()) {}

PythonThread::~PythonThread() {
  take_gil();
  PyGILState_Release(before_);
}

ThreadTurn::~ThreadTurn() {
  thread_.take_gil();
  source_.reset();
  thread_.give_gil();
}

void ThreadTurn::add(Happening happening, std::string_view text) {
  happening.text_begin = texts_.size();
  happening.text_size = text.size();
  texts_.insert(texts_.end(), text.begin(), text.end());
  happenings_.push_back(happening);
}

const nb::object& ThreadTurn::source() {
  if (!source_.is_valid()) {
    auto counted = std::make_unique<std::uint64_t>(0);
    source_ = nb::capsule(
        counted.get(), [](void* number) noexcept { delete static_cast<std::uint64_t*>(number); });
    generation_ = counted.release();
  }
  return source_;
}

}  // namespace affix::python
