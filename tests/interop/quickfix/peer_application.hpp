// SPDX-License-Identifier: MIT
// QuickFIX's application callbacks and log, both converted to event lines. `in` and `out` are bytes
// on the wire; `delivered` is a message that QuickFIX found valid and in sequence.
#pragma once

#include "event_printer.hpp"

#include <quickfix/Application.h>
#include <quickfix/Log.h>
#include <string>

namespace interop {

/// Prints `logon SESSION`, `logout SESSION` and `delivered SESSION MESSAGE`, where SESSION is the
/// peer's CompID. Called by QuickFIX on its connection threads.
class PeerApplication : public FIX::Application {
 public:
  explicit PeerApplication(EventPrinter& printer) : printer_(printer) {}

  void onCreate(const FIX::SessionID& session) override;
  void onLogon(const FIX::SessionID& session) override;
  void onLogout(const FIX::SessionID& session) override;
  void toAdmin(FIX::Message& message, const FIX::SessionID& session) override;
  // QuickFIX declares these with the exceptions it knows; throwing none is the stricter promise,
  // and C++14 lets an override make it.
  void toApp(FIX::Message& message, const FIX::SessionID& session) noexcept override;
  void fromAdmin(const FIX::Message& message, const FIX::SessionID& session) noexcept override;
  void fromApp(const FIX::Message& message, const FIX::SessionID& session) noexcept override;

 protected:
  EventPrinter& printer() { return printer_; }

  /// Handles a valid application message in sequence.
  virtual void on_application_message(const FIX::Message& message,
                                      const FIX::SessionID& session) = 0;

 private:
  EventPrinter& printer_;
};

/// Gives every session a log that prints `in SESSION MESSAGE`, `out SESSION MESSAGE` and
/// `event SESSION TEXT`. The sessionless log of QuickFIX prints its events under `-`.
class PrintingLogFactory : public FIX::LogFactory {
 public:
  explicit PrintingLogFactory(EventPrinter& printer) : printer_(printer) {}

  FIX::Log* create() override;
  FIX::Log* create(const FIX::SessionID& session) override;
  void destroy(FIX::Log* log) override;

 private:
  EventPrinter& printer_;
};

/// Name of a session in event lines.
std::string session_name(const FIX::SessionID& session);

}  // namespace interop
