// SPDX-License-Identifier: MIT
// Shows session messages to a program, and takes its changes: for affix.quickfix, whose
// programs expect to see each message in both directions. Received ones are collected as all else,
// and a Logon waits for accept_logon() or refuse_logon(). Hooks about messages that are being sent
// are called within the turn: they give no command.
#include "affix/host/session_controls.hpp"

#include "engine.hpp"
#include "message.hpp"
#include "raise.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

nb::bytes bytes_of(std::string_view text) {
  return nb::bytes(text.data(), text.size());
}

}  // namespace

// --- Hooks ---

host::LogonAnswer Collector::collect_logon(host::SessionHandle session,
                                           const wire::MessageView& logon) noexcept {
  if (hooks_.is_none()) {
    return host::LogonAnswer::as_configured();
  }
  collect([&] {
    return nb::make_tuple("logon_message", text_of(session.name()), bytes_of(logon.bytes()));
  });
  return host::LogonAnswer::later();
}

host::LogonAnswer Collector::on_logon_request(host::SessionHandle session,
                                              const wire::MessageView& logon) noexcept {
  return collect_logon(session, logon);
}

host::LogonAnswer Collector::on_logon_answer(host::SessionHandle session,
                                             const wire::MessageView& logon) noexcept {
  return collect_logon(session, logon);
}

void Collector::on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept {
  if (!hooks_.is_none()) {
    collect([&] {
      return nb::make_tuple("admin", text_of(session.name()), bytes_of(message.bytes()));
    });
  }
}

void Collector::before_admin_send(host::SessionHandle session, std::string_view /*type*/,
                                  wire::Encoder& message) noexcept {
  if (!hooks_.is_none()) {
    guarded([&] {
      const nb::bytes more = nb::cast<nb::bytes>(
          hooks_.attr("admin_out")(text_of(session.name()), bytes_of(message.written())));
      message.raw({more.c_str(), more.size()});
    });
  }
}

host::ResendDecision Collector::before_resend(host::SessionHandle session,
                                              const wire::MessageView& stored) noexcept {
  bool wanted = true;
  if (!hooks_.is_none()) {
    guarded([&] {
      wanted =
          nb::cast<bool>(hooks_.attr("resend")(text_of(session.name()), bytes_of(stored.bytes())));
    });
  }
  return wanted ? host::ResendDecision::Resend : host::ResendDecision::GapFill;
}

// --- Commands ---

namespace {

nb::tuple result_of(const host::SendResult& result) {
  return nb::make_tuple(static_cast<int>(result.status), host::to_text(result.status),
                        result.sequence);
}

/// As Engine.send(), with further header fields, ascending by tag; and with the fields as they were
/// written, from 35 on.
nb::tuple send_with_header(PythonEngine& self, const std::string& name, const std::string& type,
                           const std::vector<std::pair<std::uint32_t, nb::bytes>>& header,
                           const nb::bytes& body) {
  std::vector<session::ExtraHeaderField> fields;
  for (const auto& [tag, value] : header) {
    fields.push_back({tag, {value.c_str(), value.size()}});
  }
  const host::SessionHandle session = self.session(name);
  wire::Encoder message = session.begin(type, fields);
  message.raw({body.c_str(), body.size()});
  const nb::bytes written = bytes_of(message.written());
  return nb::make_tuple(result_of(session.commit(message)), written);
}

/// The view of a whole message that was delivered before.
wire::MessageView view_of(nb::handle message) {
  Message* read = nullptr;
  if (!nb::try_cast(message, read)) {
    throw nb::type_error("a reject is about a message that was received");
  }
  read->check();
  return read->view();
}

void applied(const std::expected<engine::Change, config::Problems>& change) {
  if (!change) {
    raise("ConfigurationError", config::text_of(change.error()));
  }
}

void bind_answers(nb::class_<PythonEngine>& engine) {
  engine
      .def("send_with_header", send_with_header, "session"_a, "type"_a, "header"_a, "body"_a,
           nb::sig("def send_with_header(self, session: str, type: str, header: list[tuple[int, "
                   "bytes]], body: bytes) -> tuple[tuple[int, str, int], bytes]"))
      .def(
          "reject",
          [](PythonEngine& self, const std::string& name, nb::handle message, int reason,
             std::uint32_t tag, const std::string& text) {
            return result_of(self.session(name).reject(
                view_of(message), static_cast<session::RejectReason>(reason), tag, text));
          },
          "session"_a, "message"_a, "reason"_a, "tag"_a, "text"_a,
          nb::sig("def reject(self, session: str, message: Message, reason: int, tag: int, text: "
                  "str) -> tuple[int, str, int]"))
      .def(
          "accept_logon",
          [](PythonEngine& self, const std::string& name) {
            return self.session(name).accept_logon();
          },
          "session"_a)
      .def(
          "refuse_logon",
          [](PythonEngine& self, const std::string& name, const std::string& text) {
            return self.session(name).refuse_logon(text);
          },
          "session"_a, "text"_a);
}

}  // namespace

void bind_session_commands(nb::class_<PythonEngine>& engine) {
  bind_answers(engine);
  engine
      .def(
          "disable",
          [](PythonEngine& self, const std::string& name, const std::string& why) {
            applied(self.live().disable_session(name, why));
          },
          "session"_a, "why"_a)
      .def(
          "enable",
          [](PythonEngine& self, const std::string& name) {
            applied(self.live().enable_session(name));
          },
          "session"_a)
      .def(
          "numbers",
          [](PythonEngine& self, const std::string& name) {
            const host::SessionHandle session = self.session(name);
            return std::pair(session.next_sender_seq(), session.next_target_seq());
          },
          "session"_a, "MsgSeqNum of our next message, and of the peer's.")
      .def(
          "is_logged_on",
          [](PythonEngine& self, const std::string& name) {
            return self.session(name).logged_on();
          },
          "session"_a)
      .def(
          "is_connected",
          [](PythonEngine& self, const std::string& name) {
            return host::SessionControls(self.session(name)).sight().connected;
          },
          "session"_a)
      .def(
          "is_enabled",
          [](PythonEngine& self, const std::string& name) {
            return host::SessionControls(self.session(name)).sight().enabled;
          },
          "session"_a);
}

}  // namespace affix::python
