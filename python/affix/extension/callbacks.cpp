// SPDX-License-Identifier: MIT
// Collects what the engine's threads report, and calls Python at the end of each turn.
#include "callbacks.hpp"

#include "message.hpp"
#include "severity.hpp"
#include "values.hpp"

#include <nanobind/stl/string.h>
#include <utility>

namespace nb = nanobind;

namespace affix::python {

namespace {

/// An engine calls without saying which of its threads it is. Its threads end before it does, and
/// no other engine uses them.
thread_local std::unique_ptr<ThreadTurn> turn_of_this_thread;

const char* name_of(host::FailoverNotice::Kind kind) noexcept {
  switch (kind) {
    case host::FailoverNotice::Kind::Leading:
      return "leading";
    case host::FailoverNotice::Kind::SteppedDown:
      return "stepped_down";
    case host::FailoverNotice::Kind::Alone:
      return "alone";
    case host::FailoverNotice::Kind::NotAlone:
      return "not_alone";
  }
  return "stepped_down";
}

}  // namespace

Callbacks::Callbacks(const config::Configuration& configuration, nb::object engine,
                     nb::object on_message, Finishing finishing)
    : python_(std::move(engine)),
      happened_(python_.attr("_happened")),
      on_message_(std::move(on_message)),
      finishing_(finishing) {
  for (const config::SessionSettings& session : configuration.sessions) {
    if (session.callback_thread >= 0) {
      on_callback_threads_.insert(session.name);
    }
  }
}

// --- Collecting, on the engine's threads ---

ThreadTurn& Callbacks::turn() {
  if (turn_of_this_thread == nullptr || turn_of_this_thread->engine() != this) {
    turn_of_this_thread = std::make_unique<ThreadTurn>(this);
  }
  return *turn_of_this_thread;
}

ThreadTurn& Callbacks::turn_of(host::SessionHandle session) {
  ThreadTurn& here = turn();
  // A session made from a template has no callback thread.
  if (!here.worker && !on_callback_threads_.contains(session.name())) {
    here.worker = session.worker();
  }
  return here;
}

void Callbacks::add(Happening::Kind kind, host::SessionHandle session, std::string_view text) {
  turn_of(session).add({.kind = kind, .session = session}, text);
}

void Callbacks::on_message(host::SessionHandle session, const wire::MessageView& message,
                           const host::Delivery& delivery) noexcept {
  // It is processed after this returns: at the turn's end, or whenever the program says so.
  host::Delivery kept = delivery;
  if (!session.keep_message()) {
    kept.receipt = {};
  }
  turn_of(session).add({.kind = Happening::Kind::Message, .session = session, .delivery = kept},
                       message.bytes());
}

void Callbacks::on_logon(host::SessionHandle session) noexcept {
  add(Happening::Kind::Logon, session);
}

void Callbacks::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  add(Happening::Kind::Logout, session, reason);
}

void Callbacks::on_output_room(host::SessionHandle session) noexcept {
  add(Happening::Kind::OutputRoom, session);
}

void Callbacks::on_cancel_orders(host::SessionHandle session) noexcept {
  add(Happening::Kind::CancelOrders, session);
}

void Callbacks::on_session_added(host::SessionHandle session) noexcept {
  add(Happening::Kind::Added, session);
}

void Callbacks::on_session_removed(host::SessionHandle session) noexcept {
  add(Happening::Kind::Removed, session);
}

void Callbacks::on_cross_thread_result(host::SessionHandle session, std::uint64_t token,
                                       const host::SendResult& result) noexcept {
  // The worker's thread, also for sessions whose callbacks have another.
  ThreadTurn& here = turn();
  here.worker = session.worker();
  here.add({.kind = Happening::Kind::Posted, .session = session, .result = result, .number = token},
           {});
}

void Callbacks::on_failover(const host::FailoverNotice& notice) noexcept {
  turn().add({.kind = Happening::Kind::Failover, .part = notice.kind, .number = notice.epoch},
             notice.group);
}

/// Any thread of the engine, and before and after them those that open and close it. Most turns
/// with an event have no other callback, so no end that Python is called at.
void Callbacks::on_event(const host::Event& event) noexcept {
  {
    const std::lock_guard lock(events_mutex_);
    events_.push_back({event.severity, std::string(event.session), std::string(event.text),
                       std::string(event.code.text())});
  }
  // Acquired: see set_engine().
  if (engine::Engine* const engine = engine_.load(std::memory_order_acquire); engine != nullptr) {
    engine->worker(0).wake();
  }
}

// --- Calling Python ---

void Callbacks::on_turn_end() noexcept {
  ThreadTurn& here = turn();
  bool has_events = false;
  {
    const std::lock_guard lock(events_mutex_);
    has_events = !events_.empty();
  }
  if (here.empty() && !has_events) {
    return;
  }
  here.with_python([this, &here] { deliver_all(here); });
}

void Callbacks::deliver_all(ThreadTurn& turn) noexcept {
  deliver_events();
  turn.take([this, &turn](const Happening& happening, std::string_view text) {
    deliver(turn, happening, text);
  });
}

void Callbacks::deliver(ThreadTurn& turn, const Happening& happening,
                        std::string_view text) noexcept {
  // A copy: Python's code may let another thread attach a session meanwhile.
  Attached attached{nb::none(), nb::none()};
  if (happening.session) {
    if (const auto found = attached_.find(happening.session.name()); found != attached_.end()) {
      attached = found->second;
    }
  }
  try {
    if (happening.kind != Happening::Kind::Message) {
      deliver_other(happening, text);
    } else if (!attached.session.is_none()) {  // Else its addition failed, and was reported.
      deliver_message(turn, attached, happening, text);
    }
  } catch (const nb::python_error& error) {
    report_failure(attached.session, error);
  }
}

void Callbacks::deliver_message(ThreadTurn& turn, const Attached& attached,
                                const Happening& happening, std::string_view bytes) {
  const nb::object source = turn.source();
  const nb::object message = make_message(attached.codec, source, bytes, turn.generation());
  Delivered& delivered = nb::inst_ptr<Message>(message)->delivered;
  delivered.session = attached.session;
  delivered.receipt = happening.delivery.receipt.value();
  delivered.possible_duplicate = happening.delivery.possible_duplicate;
  delivered.possible_resend = happening.delivery.possible_resend;
  delivered.redelivered = happening.delivery.redelivered;
  const nb::object result = nb::steal(PyObject_CallOneArg(on_message_.ptr(), message.ptr()));
  turn.expire();
  if (!result.is_valid()) {
    throw nb::python_error();
  }
  if (finishing_ == Finishing::AfterCallback && happening.delivery.receipt) {
    happening.session.finish_message(happening.delivery.receipt);
  }
}

void Callbacks::deliver_other(const Happening& happening, std::string_view text) {
  const nb::object name = text_of(happening.session ? happening.session.name() : text);
  switch (happening.kind) {
    case Happening::Kind::Message:
      return;
    case Happening::Kind::Logon:
      happened_("logon", name);
      return;
    case Happening::Kind::Logout:
      happened_("logout", name, text_of(text));
      return;
    case Happening::Kind::OutputRoom:
      happened_("room", name);
      return;
    case Happening::Kind::CancelOrders:
      happened_("cancel_orders", name);
      return;
    case Happening::Kind::Added:
      happened_("added", name);
      return;
    case Happening::Kind::Removed:
      happened_("removed", name);
      return;
    case Happening::Kind::Posted:
      happened_("posted", name, happening.number, static_cast<int>(happening.result.status),
                host::to_text(happening.result.status), happening.result.sequence);
      return;
    case Happening::Kind::Failover:
      happened_("failover", name, name_of(happening.part), happening.number);
      return;
  }
}

void Callbacks::deliver_events() noexcept {
  std::vector<WaitingEvent> events;
  {
    const std::lock_guard lock(events_mutex_);
    events.swap(events_);
  }
  for (const WaitingEvent& event : events) {
    try {
      happened_("event", text_of(event.session), text_of(event.text), name_of(event.severity),
                text_of(event.code));
    } catch (const nb::python_error& error) {
      report_failure(nb::none(), error);
    }
  }
}

/// The engine's Python side logs it and ends the session, if it is to.
void Callbacks::report_failure(nb::handle session, const nb::python_error& error) noexcept {
  try {
    python_.attr("_failed")(session, error.value());
  } catch (nb::python_error& again) {
    again.discard_as_unraisable("affix: a callback's failure could not be reported");
  }
}

void Callbacks::end() noexcept {
  ThreadTurn& here = turn();
  here.with_python([this, &here] {
    deliver_all(here);
    try {
      python_.attr("_ended")();
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("affix: the end of an engine");
    }
  });
}

// --- With the GIL ---

void Callbacks::attach(host::SessionHandle session, nb::object object, nb::object codec) {
  check_codec(codec);
  attached_.insert_or_assign(session.name(), Attached{std::move(object), std::move(codec)});
}

void Callbacks::detach(const std::string& name) {
  attached_.erase(name);
}

void Callbacks::forget() {
  attached_.clear();
  happened_ = nb::none();
  on_message_ = nb::none();
  python_ = nb::none();
}

bool Callbacks::calls_here() const noexcept {
  return turn_of_this_thread != nullptr && turn_of_this_thread->engine() == this &&
         turn_of_this_thread->in_python();
}

Place Callbacks::place_of(host::SessionHandle session) const noexcept {
  if (!calls_here()) {
    return Place::Elsewhere;
  }
  return turn_of_this_thread->worker == session.worker() ? Place::OwnWorker : Place::Callback;
}

}  // namespace affix::python
