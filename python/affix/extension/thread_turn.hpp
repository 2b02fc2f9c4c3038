// SPDX-License-Identifier: MIT
// An engine thread's work for Python: collected without the GIL, handed over with it taken
// once.
#pragma once

#include "affix/host/application.hpp"

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::python {

/// Something that Python is to be called for.
struct Happening {
  enum class Kind : std::uint8_t {
    Message,
    Logon,
    Logout,
    OutputRoom,
    CancelOrders,
    Added,
    Removed,
    Posted,
    Failover,
  };

  Kind kind = Kind::Message;
  host::FailoverNotice::Kind part = host::FailoverNotice::Kind::Leading;  ///< Failover.
  host::SessionHandle session = {};
  host::Delivery delivery = {};  ///< Message; without a receipt the engine does not keep it.
  host::SendResult result = {};  ///< Posted.
  std::uint64_t number = 0;      ///< Posted: the token. Failover: the epoch.
  std::size_t text_begin = 0;    ///< In the turn's texts: the message, a reason or a group.
  std::size_t text_size = 0;
};

/// A thread that was not made by Python, and calls it again and again: its state in the interpreter
/// stays between the calls, since making one costs more than a callback.
class PythonThread {
 public:
  PythonThread() noexcept;
  ~PythonThread();
  PythonThread(const PythonThread&) = delete;
  PythonThread& operator=(const PythonThread&) = delete;

  void take_gil() noexcept { PyEval_RestoreThread(state_); }

  void give_gil() noexcept { state_ = PyEval_SaveThread(); }

 private:
  PyGILState_STATE before_;
  PyThreadState* state_;
};

/// Belongs to its thread. Memory that runs out here ends the process, as in the engine itself.
class ThreadTurn {
 public:
  /// `engine` is the one whose thread this is: a name only.
  explicit ThreadTurn(const void* engine) noexcept : engine_(engine) {}

  ~ThreadTurn();
  ThreadTurn(const ThreadTurn&) = delete;
  ThreadTurn& operator=(const ThreadTurn&) = delete;

  void add(Happening happening, std::string_view text);

  [[nodiscard]] bool empty() const noexcept { return happenings_.empty(); }

  /// Calls `call` with the GIL.
  template <typename Call>
  void with_python(Call call) {
    thread_.take_gil();
    in_python_ = true;
    call();
    in_python_ = false;
    thread_.give_gil();
  }

  /// Passes each that was added to `deliver`, in order, with its text, which lives until that
  /// returns.
  template <typename Deliver>
  void take(Deliver deliver) {
    for (const Happening& happening : happenings_) {
      deliver(happening,
              std::string_view(texts_.data() + happening.text_begin, happening.text_size));
    }
    happenings_.clear();
    texts_.clear();
  }

  /// With the GIL: what messages view, and the number that changes when they expire.
  [[nodiscard]] const nanobind::object& source();

  [[nodiscard]] const std::uint64_t* generation() const noexcept { return generation_; }

  /// Every message that was made since the last call expires.
  void expire() noexcept { ++*generation_; }

  [[nodiscard]] const void* engine() const noexcept { return engine_; }

  /// Within with_python().
  [[nodiscard]] bool in_python() const noexcept { return in_python_; }

  /// The worker whose sessions take commands on this thread; none on a callback thread.
  std::optional<std::size_t> worker;

 private:
  const void* engine_;
  PythonThread thread_;
  bool in_python_ = false;
  std::vector<Happening> happenings_;
  std::vector<char> texts_;
  nanobind::object source_;
  std::uint64_t* generation_ = nullptr;  // Of source_, which messages keep.
};

}  // namespace affix::python
