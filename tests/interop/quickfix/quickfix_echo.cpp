// SPDX-License-Identifier: MIT
// A QuickFIX acceptor on loopback that answers every application message with a copy of its body.
// Prints `listening on 127.0.0.1:PORT` when it accepts connections, and ends with its input.
#include "event_printer.hpp"
#include "loopback_bind.hpp"
#include "peer_application.hpp"
#include "peer_options.hpp"
#include "session_commands.hpp"

#include <cstdio>
#include <ctime>
#include <iostream>
#include <quickfix/FileStore.h>
#include <quickfix/ThreadedSocketAcceptor.h>
#include <stdexcept>
#include <unistd.h>

namespace interop {
namespace {

class EchoApplication : public PeerApplication {
 public:
  using PeerApplication::PeerApplication;

 protected:
  void on_application_message(const FIX::Message& message, const FIX::SessionID& session) override {
    FIX::Message copy(message);
    // The header is QuickFIX's to write: what it leaves alone must not say that this is a resend.
    copy.getHeader().removeField(FIX::FIELD::PossDupFlag);
    copy.getHeader().removeField(FIX::FIELD::OrigSendingTime);
    if (!FIX::Session::sendToTarget(copy, session)) {
      throw std::runtime_error("QuickFIX did not take " + copy.toString());
    }
  }
};

int run(int argument_count, const char* const* arguments) {
  const PeerOptions options = parse_options(argument_count, arguments, false);
  const FIX::SessionSettings settings = make_settings(options, false, std::time(nullptr));
  EventPrinter printer;
  EchoApplication application(printer);
  FIX::FileStoreFactory store(settings);
  PrintingLogFactory log(printer);
  FIX::ThreadedSocketAcceptor acceptor(application, store, settings, log);
  acceptor.start();
  printer.print("listening", "on 127.0.0.1:" + std::to_string(last_bound_port()));
  const int code = run_commands(std::cin, options, printer,
                                [](const Words&, const FIX::SessionID&) { return false; });
  printer.print("done");
  // As in quickfix_trader: QuickFIX's stop() sleeps whole seconds and sends unwanted Logouts.
  _exit(code);
}

}  // namespace
}  // namespace interop

int main(int argument_count, char** arguments) {
  try {
    return interop::run(argument_count, arguments);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "quickfix_echo: %s\n", fault.what());
    return 2;
  }
}
