// SPDX-License-Identifier: MIT
// Commands for a session's connection, run on its worker.
#include "admin/command_table.hpp"

namespace affix::inline v0::admin {

namespace {

using host::SessionControls;
using host::SessionHandle;
using host::SessionSight;

struct Ordered {
  SessionSight before;
  bool initiator = false;
  bool done = false;
};

Outcome connect(CommandContext& context, const Words& words) {
  return context.ask_session<Ordered>(
      words[0],
      [](SessionHandle session, Ordered& ordered) {
        ordered.before = SessionControls(session).sight();
        ordered.initiator = session.is_initiator();
        if (ordered.initiator && !ordered.before.connected) {
          session.connect();
        }
      },
      [](const Ordered& ordered) {
        if (!ordered.initiator) {
          return Answer::refused("the session is a server's: its peer connects", "A115");
        }
        if (ordered.before.connected) {
          return Answer::refused("the session has a connection", "A115");
        }
        return Answer::done(ordered.before.schedule_open
                                ? "connecting"
                                : "it connects when its schedule allows it");
      });
}

Outcome logout(CommandContext& context, const Words& words) {
  return context.ask_session<Ordered>(
      words[0],
      [text = words[1]](SessionHandle session, Ordered& ordered) {
        ordered.before = SessionControls(session).sight();
        ordered.initiator = session.is_initiator();
        SessionControls(session).logout(text);
      },
      [](const Ordered& ordered) {
        if (ordered.before.connected) {
          return Answer::done("logging out");
        }
        return ordered.initiator ? Answer::done("it does not connect until a command says so")
                                 : Answer::refused("the session has no connection", "A115");
      });
}

Outcome disconnect(CommandContext& context, const Words& words) {
  return context.ask_session<Ordered>(
      words[0],
      [](SessionHandle session, Ordered& ordered) {
        ordered.done = SessionControls(session).disconnect();
      },
      [](const Ordered& ordered) {
        return ordered.done ? Answer::done("disconnected")
                            : Answer::refused("the session has no connection", "A115");
      });
}

Outcome test_session(CommandContext& context, const Words& words) {
  return context.ask_session<Ordered>(
      words[0],
      [](SessionHandle session, Ordered& ordered) {
        ordered.done = session.logged_on();
        session.test_peer();
      },
      [](const Ordered& ordered) {
        return ordered.done ? Answer::done("a TestRequest is on its way")
                            : Answer::refused("the session is not logged on", "A115");
      });
}

constexpr auto control_rows = in_section(
    "Coming, going and changing",
    std::array{
        CommandRow{{.name = "connect",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = session_arguments,
                    .summary = "Let a client's session that was logged out connect again at once"},
                   &connect},
        CommandRow{
            {.name = "logout",
             .role = Role::Operate,
             .changes_state = true,
             .arguments = reason_arguments,
             .summary = "Log a session out in order",
             .detail =
                 "The peer gets a Logout with the reason as its Text (58). A client's session does "
                 "not connect again until `connect`; a server's peer may return."},
            &logout},
        CommandRow{{.name = "disconnect",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = reason_arguments,
                    .summary = "End a session's connection at once, without a Logout",
                    .detail = "A client's session connects again as after any loss. The reason "
                              "goes into the log and the journal."},
                   &disconnect},
        CommandRow{{.name = "test_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = session_arguments,
                    .summary = "Send a TestRequest"},
                   &test_session},
    });

}  // namespace

std::span<const CommandRow> control_commands() noexcept {
  return control_rows;
}

}  // namespace affix::inline v0::admin
