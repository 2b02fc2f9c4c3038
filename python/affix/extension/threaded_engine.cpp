// SPDX-License-Identifier: MIT
// Starts and ends an engine's threads, and carries Python's commands to its sessions.
#include "threaded_engine.hpp"

#include "configuration.hpp"
#include "engine.hpp"
#include "raise.hpp"
#include "values.hpp"

#include <csignal>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

/// Threads that are made in its lifetime take no signal that may wait: Python notices one only if
/// it interrupts the main thread. Faults belong to the thread that they happen in.
class SignalsAside {
 public:
  SignalsAside() noexcept {
    sigset_t aside;
    ::sigfillset(&aside);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
      ::sigdelset(&aside, fault);
    }
    ::pthread_sigmask(SIG_BLOCK, &aside, &before_);
  }

  ~SignalsAside() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  SignalsAside(const SignalsAside&) = delete;
  SignalsAside& operator=(const SignalsAside&) = delete;

 private:
  sigset_t before_;
};

/// Room for many orders that wait for a worker, and for the largest message of most venues.
constexpr engine::CrossThreadSenderOptions sender_options{.ring_bytes = 1024 * 1024,
                                                          .message_bytes = 64 * 1024};

}  // namespace

// --- The engine ---

ThreadedEngine::ThreadedEngine(const config::Configuration& configuration, nb::object engine,
                               nb::object on_message, Finishing finishing)
    : callbacks_(std::make_unique<Callbacks>(configuration, std::move(engine),
                                             std::move(on_message), finishing)) {
  // Some engines start threads when they are opened.
  const SignalsAside aside;
  auto opened = engine::Engine::open(configuration, *callbacks_);
  if (!opened) {
    raise_problems(opened.error());
  }
  auto sender = (*opened)->open_cross_thread_sender(sender_options);
  if (!sender) {
    raise("ConfigurationError", sender.error().text());
  }
  engine_ = std::move(*opened);
  sender_ = std::make_unique<engine::CrossThreadSender>(std::move(*sender));
}

ThreadedEngine::~ThreadedEngine() {
  end();
}

engine::Engine& ThreadedEngine::live() const {
  if (engine_ == nullptr) {
    raise("ClosedError", "the engine is closed");
  }
  return *engine_;
}

void ThreadedEngine::start() {
  engine::Engine& engine = live();
  callbacks_->set_engine(&engine);
  const SignalsAside aside;
  thread_ = std::make_unique<std::thread>([this, &engine] {
    engine.run();
    callbacks_->end();
  });
}

void ThreadedEngine::stop() {
  live().request_stop();
}

void ThreadedEngine::close() {
  if (callbacks_->calls_here()) {
    raise("WrongThreadError", "a callback's thread cannot wait for its own end: call stop()");
  }
  end();
}

void ThreadedEngine::end() noexcept {
  if (engine_ == nullptr) {
    return;
  }
  engine_->request_stop();
  const std::unique_ptr<std::thread> thread = std::move(thread_);
  // Nobody else finds it while the GIL is away.
  std::unique_ptr<engine::Engine> engine = std::move(engine_);
  {
    const nb::gil_scoped_release away;
    if (thread != nullptr) {
      thread->join();
    }
    callbacks_->set_engine(nullptr);
  }
  sender_.reset();
  {
    const nb::gil_scoped_release away;
    engine.reset();
  }
  callbacks_->deliver_events();
  callbacks_->forget();
}

void ThreadedEngine::abandon() noexcept {
  // Their destructors would end what the parent goes on with.
  static_cast<void>(engine_.release());
  static_cast<void>(thread_.release());
  static_cast<void>(sender_.release());
}

std::vector<std::string> ThreadedEngine::session_names() const {
  std::vector<std::string> names;
  for (const host::SessionHandle session : live().sessions()) {
    names.emplace_back(session.name());
  }
  return names;
}

std::vector<std::pair<std::string, int>> ThreadedEngine::addresses() const {
  std::vector<std::pair<std::string, int>> all;
  for (const net::Address& address : live().listening_addresses()) {
    all.emplace_back(address.text(), address.port());
  }
  return all;
}

// --- A session's commands ---

namespace {

/// A session of an engine, for commands from any thread of Python's.
class SessionPort {
 public:
  SessionPort(nb::object engine, const std::string& name)
      : object_(std::move(engine)),
        engine_(nb::inst_ptr<ThreadedEngine>(object_)),
        session_(engine_->live().session(name)) {
    if (!session_) {
      raise("ClosedError", "there is no session '" + name + "'");
    }
  }

  /// (status, its words, MsgSeqNum); None outside its worker's callbacks.
  [[nodiscard]] nb::object send(const std::string& type, const nb::bytes& body) const {
    if (place() != Place::OwnWorker) {
      return nb::none();
    }
    const host::SendResult result =
        commit_body(session_, type, std::string_view(body.c_str(), body.size()));
    return nb::make_tuple(static_cast<int>(result.status), host::to_text(result.status),
                          result.sequence);
  }

  [[nodiscard]] engine::HandOver post(const std::string& type, const nb::bytes& body,
                                      std::uint64_t token) const {
    static_cast<void>(engine_->live());
    wire::Encoder message = engine_->sender().begin(session_, type);
    message.raw({body.c_str(), body.size()});
    return engine_->sender().commit(message, token);
  }

  [[nodiscard]] engine::HandOver finish_message(std::uint64_t receipt) const {
    return command([&](auto& session) { return session.finish_message(host::Receipt(receipt)); },
                   [&](engine::CrossThreadSender& sender) {
                     return sender.finish_message(session_, host::Receipt(receipt));
                   });
  }

  [[nodiscard]] engine::HandOver logout(const std::string& text) const {
    return command([&](auto& session) { session.logout(text); },
                   [&](auto& sender) { return sender.logout(session_, text); });
  }

  [[nodiscard]] engine::HandOver connect() const {
    return command([](auto& session) { session.connect(); },
                   [&](auto& sender) { return sender.connect(session_); });
  }

  [[nodiscard]] engine::HandOver reset() const {
    return command([](auto& session) { session.reset(); },
                   [&](auto& sender) { return sender.reset(session_); });
  }

  [[nodiscard]] engine::HandOver test_peer() const {
    return command([](auto& session) { session.test_peer(); },
                   [&](auto& sender) { return sender.test_peer(session_); });
  }

  [[nodiscard]] engine::HandOver redeliver() const {
    return command([](auto& session) { session.redeliver(); },
                   [&](auto& sender) { return sender.redeliver(session_); });
  }

  /// False outside its worker's callbacks.
  [[nodiscard]] bool flush() const {
    if (place() != Place::OwnWorker) {
      return false;
    }
    session_.flush();
    return true;
  }

  [[nodiscard]] Place place() const {
    static_cast<void>(engine_->live());
    return engine_->callbacks().place_of(session_);
  }

  [[nodiscard]] const host::SessionHandle& session() const {
    static_cast<void>(engine_->live());
    return session_;
  }

  void attach(nb::object session, nb::object codec) const {
    engine_->callbacks().attach(session_, std::move(session), std::move(codec));
  }

 private:
  /// At once in a callback of its worker, else by the queue to that worker.
  template <typename Here, typename There>
  [[nodiscard]] engine::HandOver command(const Here& here, const There& there) const {
    if (place() == Place::OwnWorker) {
      static_cast<void>(here(session_));
      return engine::HandOver::Queued;
    }
    return there(engine_->sender());
  }

  nb::object object_;
  ThreadedEngine* engine_;
  host::SessionHandle session_;
};

}  // namespace

void bind_threaded_engine(nb::module_& module) {
  nb::enum_<Finishing>(module, "Finishing", "When a message counts as processed.")
      .value("AFTER_CALLBACK", Finishing::AfterCallback)
      .value("BY_PROGRAM", Finishing::ByProgram);

  nb::enum_<Place>(module, "Place", "Where a command to a session is given.")
      .value("OWN_WORKER", Place::OwnWorker)
      .value("CALLBACK", Place::Callback)
      .value("ELSEWHERE", Place::Elsewhere);

  nb::enum_<engine::HandOver>(module, "HandOver", "Result of passing a command to a worker.")
      .value("QUEUED", engine::HandOver::Queued)
      .value("FULL", engine::HandOver::Full)
      .value("TOO_LARGE", engine::HandOver::TooLarge)
      .value("INVALID", engine::HandOver::Invalid);

  nb::class_<ThreadedEngine>(module, "ThreadedEngine", "An engine with threads of its own.")
      .def(nb::init<const config::Configuration&, nb::object, nb::object, Finishing>(),
           "configuration"_a, "engine"_a, "on_message"_a, "finishing"_a)
      .def("start", &ThreadedEngine::start)
      .def("stop", &ThreadedEngine::stop)
      .def("close", &ThreadedEngine::close)
      .def("abandon", &ThreadedEngine::abandon)
      .def("detach",
           [](ThreadedEngine& self, const std::string& name) { self.callbacks().detach(name); })
      .def_prop_ro("calls_here", [](ThreadedEngine& self) { return self.callbacks().calls_here(); })
      .def_prop_ro("session_names", &ThreadedEngine::session_names)
      .def_prop_ro("addresses", &ThreadedEngine::addresses);

  nb::class_<SessionPort>(module, "SessionPort", "Commands to a session of a ThreadedEngine.")
      .def(
          "__init__",
          [](SessionPort* self, nb::handle_t<ThreadedEngine> engine, const std::string& name) {
            new (self) SessionPort(nb::borrow(engine), name);
          },
          "engine"_a, "name"_a)
      .def("attach", &SessionPort::attach, "session"_a, "codec"_a)
      .def("send", &SessionPort::send, "type"_a, "body"_a)
      .def("post", &SessionPort::post, "type"_a, "body"_a, "token"_a)
      .def("finish_message", &SessionPort::finish_message, "receipt"_a)
      .def("logout", &SessionPort::logout, "text"_a)
      .def("connect", &SessionPort::connect)
      .def("reset", &SessionPort::reset)
      .def("test_peer", &SessionPort::test_peer)
      .def("redeliver", &SessionPort::redeliver)
      .def("flush", &SessionPort::flush)
      .def_prop_ro("place", &SessionPort::place)
      .def_prop_ro("worker", [](const SessionPort& self) { return self.session().worker(); })
      .def_prop_ro("state", [](const SessionPort& self) {
        const host::SessionHandle& session = self.session();
        nb::dict state;
        state["begin_string"] = text_of(session.begin_string());
        state["sender_comp_id"] = text_of(session.sender_comp_id());
        state["target_comp_id"] = text_of(session.target_comp_id());
        state["is_initiator"] = session.is_initiator();
        state["journal_directory"] = text_of(session.journal_directory());
        if (self.place() == Place::OwnWorker) {
          state["next_sender_seq"] = session.next_sender_seq();
          state["next_target_seq"] = session.next_target_seq();
        }
        return state;
      });
}

}  // namespace affix::python
