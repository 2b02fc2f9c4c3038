// SPDX-License-Identifier: MIT
// Commands for a session's connection, run on its worker.
#include "admin/handlers.hpp"

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

}  // namespace

Outcome connect(Desk& desk, const Words& words) {
  return desk.ask_session<Ordered>(
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

Outcome logout(Desk& desk, const Words& words) {
  return desk.ask_session<Ordered>(
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
        return ordered.initiator ? Answer::done("it does not connect until it is told to")
                                 : Answer::refused("the session has no connection", "A115");
      });
}

Outcome disconnect(Desk& desk, const Words& words) {
  return desk.ask_session<Ordered>(
      words[0],
      [](SessionHandle session, Ordered& ordered) {
        ordered.done = SessionControls(session).disconnect();
      },
      [](const Ordered& ordered) {
        return ordered.done ? Answer::done("disconnected")
                            : Answer::refused("the session has no connection", "A115");
      });
}

Outcome test_session(Desk& desk, const Words& words) {
  return desk.ask_session<Ordered>(
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

}  // namespace affix::inline v0::admin
