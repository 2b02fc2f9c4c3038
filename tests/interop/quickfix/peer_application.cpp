// SPDX-License-Identifier: MIT
// Converts QuickFIX callbacks to event lines. Makes no decisions.
#include "peer_application.hpp"

#include <exception>
#include <utility>

namespace interop {
namespace {

class PrintingLog : public FIX::Log {
 public:
  PrintingLog(EventPrinter& printer, std::string session)
      : printer_(printer), session_(std::move(session)) {}

  void clear() override {}

  void backup() override {}

  void onIncoming(const std::string& message) override { print("in", message); }

  void onOutgoing(const std::string& message) override { print("out", message); }

  void onEvent(const std::string& text) override { print("event", text); }

 private:
  void print(const char* kind, const std::string& text) {
    printer_.print(kind, session_ + ' ' + text);
  }

  EventPrinter& printer_;
  std::string session_;
};

}  // namespace

void PeerApplication::onCreate(const FIX::SessionID&) {}

void PeerApplication::onLogon(const FIX::SessionID& session) {
  printer_.print("logon", session_name(session));
}

void PeerApplication::onLogout(const FIX::SessionID& session) {
  printer_.print("logout", session_name(session));
}

void PeerApplication::toAdmin(FIX::Message&, const FIX::SessionID&) {}

void PeerApplication::toApp(FIX::Message&, const FIX::SessionID&) noexcept {}

void PeerApplication::fromAdmin(const FIX::Message&, const FIX::SessionID&) noexcept {}

void PeerApplication::fromApp(const FIX::Message& message, const FIX::SessionID& session) noexcept {
  try {
    printer_.print("delivered", session_name(session) + ' ' + message.toString());
    on_application_message(message, session);
  } catch (const std::exception& fault) {
    printer_.print("error", fault.what());
  }
}

FIX::Log* PrintingLogFactory::create() {
  return new PrintingLog(printer_, "-");
}

FIX::Log* PrintingLogFactory::create(const FIX::SessionID& session) {
  return new PrintingLog(printer_, session_name(session));
}

void PrintingLogFactory::destroy(FIX::Log* log) {
  delete log;
}

std::string session_name(const FIX::SessionID& session) {
  return session.getTargetCompID().getString();
}

}  // namespace interop
