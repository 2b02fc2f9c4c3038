// SPDX-License-Identifier: MIT
// Turns and commands. The GIL is held throughout: a turn waits for nothing.
#include "engine.hpp"

#include "affix/host/session_controls.hpp"

#include "codec.hpp"
#include "collection.hpp"
#include "configuration.hpp"
#include "message.hpp"
#include "raise.hpp"
#include "severity.hpp"
#include "values.hpp"

#include <algorithm>
#include <limits>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

/// Codecs are used unseen for each message.
nb::object checked_codec(nb::object codec) {
  check_codec(codec);
  return codec;
}

nb::dict checked_codecs(nb::dict codecs) {
  for (const auto& [name, codec] : codecs) {
    check_codec(codec);
  }
  return codecs;
}

/// Of the group that waits least.
double spin_seconds_of(const config::Configuration& configuration) {
  double seconds = 0;
  const auto add = [&seconds](const config::InstanceSettings& group) {
    constexpr double per_second = 1e6;
    if (group.wait_mode == config::WaitMode::Spin) {
      seconds = std::numeric_limits<double>::infinity();
    } else if (group.wait_mode == config::WaitMode::SpinThenBlock) {
      seconds = std::max(seconds, static_cast<double>(group.spin_microseconds) / per_second);
    }
  };
  std::ranges::for_each(configuration.clients, add);
  std::ranges::for_each(configuration.servers, add);
  return seconds;
}

}  // namespace

// --- Collecting ---

void Collector::collect_event(const char* kind, host::SessionHandle session,
                              std::string_view text) noexcept {
  collect([&] { return nb::make_tuple(kind, text_of(session.name()), text_of(text)); });
}

void Collector::on_message(host::SessionHandle session, const wire::MessageView& message,
                           const host::Delivery& delivery) noexcept {
  collect([&] {
    const nb::str name = text_of(session.name());
    const nb::object codec = codecs_.contains(name) ? nb::object(codecs_[name]) : codec_;
    const std::string_view bytes = message.bytes();
    nb::bytes copy(bytes.data(), bytes.size());
    const std::string_view view(copy.c_str(), copy.size());
    nb::object made = make_message(codec, std::move(copy), view);
    Delivered& delivered = nb::inst_ptr<Message>(made)->delivered;
    delivered.possible_duplicate = delivery.possible_duplicate;
    delivered.possible_resend = delivery.possible_resend;
    delivered.redelivered = delivery.redelivered;
    if (keeps_ && session.keep_message()) {
      delivered.receipt = delivery.receipt.value();
    }
    if (!sessions.contains(name)) {
      // A template made it in this turn, and Python has not been told of it yet.
      return nb::object(nb::make_tuple("message", name, made));
    }
    delivered.session = sessions[name];
    return made;
  });
}

void Collector::on_logon(host::SessionHandle session) noexcept {
  collect_event("logon", session);
}

void Collector::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  collect_event("logout", session, reason);
}

void Collector::on_output_room(host::SessionHandle session) noexcept {
  collect_event("room", session);
}

void Collector::on_cancel_orders(host::SessionHandle session) noexcept {
  collect_event("cancel_orders", session);
}

void Collector::on_session_added(host::SessionHandle session) noexcept {
  collect_event("added", session);
}

void Collector::on_session_removed(host::SessionHandle session) noexcept {
  collect_event("removed", session);
}

void Collector::on_wake() noexcept {
  collect([] { return nb::make_tuple("wake", "", ""); });
}

void Collector::on_event(const host::Event& event) noexcept {
  collect([&] {
    return nb::make_tuple("event", text_of(event.session), text_of(event.text),
                          name_of(event.severity), text_of(event.code.text()));
  });
}

nb::object Collector::take() {
  if (failed_ != nullptr) {
    nb::python_error error = std::move(*failed_);
    failed_.reset();
    throw error;
  }
  return collected_.is_valid() ? std::exchange(collected_, nb::object()) : nb::none();
}

// --- The engine ---

PythonEngine::PythonEngine(const config::Configuration& configuration, nb::dict codecs,
                           nb::object codec, bool keeps, nb::object hooks)
    : collector_(checked_codecs(codecs), checked_codec(codec), keeps, std::move(hooks)),
      spin_seconds_(spin_seconds_of(configuration)) {
  auto opened = engine::Engine::open(configuration, collector_);
  if (!opened) {
    raise_problems(opened.error());
  }
  engine_ = std::move(*opened);
}

engine::Engine& PythonEngine::live_unchecked() const {
  if (engine_ == nullptr) {
    raise("ClosedError", "the engine is closed");
  }
  return *engine_;
}

engine::Engine& PythonEngine::live() const {
  if (std::this_thread::get_id() != thread_) {
    raise("WrongThreadError",
          "an engine is used on the thread of its loop; from others, call "
          "loop.call_soon_threadsafe()");
  }
  return live_unchecked();
}

nb::object PythonEngine::turn() {
  engine::Engine& engine = live();
  engine.poll(0);
  // Without threads of its own the engine has its journals prepared here.
  engine.prepare_journals();
  return collector_.take();
}

int PythonEngine::descriptor() {
  auto descriptor = live().descriptor();
  if (!descriptor) {
    raise("ConfigurationError", descriptor.error().text());
  }
  return *descriptor;
}

void PythonEngine::attach(const std::string& name, nb::object session) {
  static_cast<void>(live());
  collector_.sessions[nb::cast(name)] = std::move(session);
}

std::vector<std::string> PythonEngine::session_names() const {
  std::vector<std::string> names;
  for (const host::SessionHandle session : live().sessions()) {
    names.emplace_back(session.name());
  }
  return names;
}

std::vector<std::pair<std::string, int>> PythonEngine::addresses() const {
  std::vector<std::pair<std::string, int>> all;
  for (const net::Address& address : live().listening_addresses()) {
    all.emplace_back(address.text(), address.port());
  }
  return all;
}

void PythonEngine::finish(const std::string& text) {
  for (std::size_t worker = 0; worker < live().worker_count(); ++worker) {
    engine_->worker(worker).finish(text);
  }
}

bool PythonEngine::all_down() const {
  for (std::size_t worker = 0; worker < live().worker_count(); ++worker) {
    if (!engine_->worker(worker).all_down()) {
      return false;
    }
  }
  return true;
}

void PythonEngine::close() {
  if (engine_ != nullptr) {
    static_cast<void>(live());
    engine_.reset();
  }
  collector_.sessions.clear();
}

host::SessionHandle PythonEngine::session(const std::string& name) const {
  const host::SessionHandle handle = live().session(name);
  if (!handle) {
    raise("ClosedError", "there is no session '" + name + "'");
  }
  return handle;
}

host::SendResult commit_body(host::SessionHandle session, std::string_view type,
                             std::string_view body) {
  wire::Encoder message = session.begin(type);
  message.raw(body);
  return session.commit(message);
}

namespace {

/// (status, its words, MsgSeqNum).
nb::tuple send(PythonEngine& self, const std::string& name, const std::string& type,
               nb::bytes body) {
  const host::SendResult result =
      commit_body(self.session(name), type, std::string_view(body.c_str(), body.size()));
  return nb::make_tuple(static_cast<int>(result.status), host::to_text(result.status),
                        result.sequence);
}

void bind_commands(nb::class_<PythonEngine>& engine) {
  engine.def("send", send, "session"_a, "type"_a, "body"_a)
      .def("finish_message",
           [](PythonEngine& self, const std::string& name, std::uint64_t receipt) {
             return self.session(name).finish_message(host::Receipt(receipt));
           })
      .def("flush", [](PythonEngine& self, const std::string& name) { self.session(name).flush(); })
      .def("logout", [](PythonEngine& self, const std::string& name,
                        const std::string& text) { self.session(name).logout(text); })
      .def("connect",
           [](PythonEngine& self, const std::string& name) { self.session(name).connect(); })
      .def("reset", [](PythonEngine& self, const std::string& name) { self.session(name).reset(); })
      .def("test_peer",
           [](PythonEngine& self, const std::string& name) { self.session(name).test_peer(); })
      .def(
          "disconnect",
          [](PythonEngine& self, const std::string& name) {
            return host::SessionControls(self.session(name)).disconnect();
          },
          "session"_a)
      .def(
          "set_next_sender_seq",
          [](PythonEngine& self, const std::string& name, std::uint64_t number) {
            return host::SessionControls(self.session(name)).set_next_outgoing(number);
          },
          "session"_a, "number"_a)
      .def(
          "set_next_target_seq",
          [](PythonEngine& self, const std::string& name, std::uint64_t number) {
            return host::SessionControls(self.session(name)).set_next_expected(number);
          },
          "session"_a, "number"_a)
      .def("state", [](PythonEngine& self, const std::string& name) {
        const host::SessionHandle session = self.session(name);
        nb::dict state;
        state["begin_string"] = text_of(session.begin_string());
        state["sender_comp_id"] = text_of(session.sender_comp_id());
        state["target_comp_id"] = text_of(session.target_comp_id());
        state["is_initiator"] = session.is_initiator();
        state["logged_on"] = session.logged_on();
        state["disconnected"] = session.disconnected();
        state["next_sender_seq"] = session.next_sender_seq();
        state["next_target_seq"] = session.next_target_seq();
        state["journal_directory"] = text_of(session.journal_directory());
        return state;
      });
}

}  // namespace

void bind_engine(nb::module_& module) {
  nb::class_<PythonEngine> engine(module, "Engine", "An engine on the thread that opened it.");
  engine
      .def(nb::init<const config::Configuration&, nb::dict, nb::object, bool, nb::object>(),
           "configuration"_a, "codecs"_a, "codec"_a, "keeps_messages"_a = true,
           "hooks"_a.none() = nb::none())
      .def("adopt", &PythonEngine::adopt)
      .def("turn", &PythonEngine::turn)
      .def("descriptor", &PythonEngine::descriptor)
      .def_prop_ro("spin_seconds", &PythonEngine::spin_seconds)
      .def("attach", &PythonEngine::attach, "name"_a, "session"_a)
      .def_prop_ro("session_names", &PythonEngine::session_names)
      .def_prop_ro("addresses", &PythonEngine::addresses)
      .def("finish", &PythonEngine::finish, "text"_a = "")
      .def_prop_ro("all_down", &PythonEngine::all_down)
      .def("close", &PythonEngine::close)
      .def("check_thread", [](const PythonEngine& self) { static_cast<void>(self.live()); })
      .def("abandon", &PythonEngine::abandon)
      .def("wake", &PythonEngine::wake);
  bind_commands(engine);
  bind_session_commands(engine);
}

}  // namespace affix::python
