// SPDX-License-Identifier: MIT
// A QuickFIX acceptor on loopback that answers orders. Its peer in the tests is `affix-lab trade`.
// Prints `listening on 127.0.0.1:PORT` when it accepts connections. Commands: session_commands.hpp,
// and `fill in_two|at_once|half|nothing` for the session's later orders, `execute CLORDID QUANTITY`
// for an open one; both apply to the current session.
#include "event_printer.hpp"
#include "exchange_orders.hpp"
#include "loopback_bind.hpp"
#include "peer_application.hpp"
#include "peer_options.hpp"
#include "session_commands.hpp"

#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <quickfix/FileStore.h>
#include <quickfix/ThreadedSSLSocketAcceptor.h>
#include <quickfix/ThreadedSocketAcceptor.h>
#include <stdexcept>
#include <unistd.h>

namespace interop {
namespace {

/// Orders of all sessions, used by connection threads and the command thread.
class ExchangeApplication : public PeerApplication {
 public:
  using PeerApplication::PeerApplication;

  bool run_command(const Words& words, const FIX::SessionID& session) {
    if (words[0] == "fill") {
      const FillMode mode = fill_mode(words);
      const std::lock_guard<std::mutex> lock(mutex_);
      orders_of(session).set_fill_mode(mode);
      printer().print("fill", words[1]);
      return true;
    }
    if (words[0] == "execute") {
      if (words.size() != 3) {
        throw std::invalid_argument("execute takes 2 arguments");
      }
      const long quantity = std::stol(words[2]);
      const std::lock_guard<std::mutex> lock(mutex_);
      send_all(orders_of(session).execute(words[1], quantity), session);
      return true;
    }
    return false;
  }

 protected:
  void on_application_message(const FIX::Message& message, const FIX::SessionID& session) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    send_all(orders_of(session).answer(message), session);
  }

 private:
  static FillMode fill_mode(const Words& words) {
    static const std::map<std::string, FillMode> modes{{"in_two", FillMode::InTwo},
                                                       {"at_once", FillMode::AtOnce},
                                                       {"half", FillMode::Half},
                                                       {"nothing", FillMode::Nothing}};
    const auto found = words.size() == 2 ? modes.find(words[1]) : modes.end();
    if (found == modes.end()) {
      throw std::invalid_argument("fill takes one of in_two, at_once, half, nothing");
    }
    return found->second;
  }

  ExchangeOrders& orders_of(const FIX::SessionID& session) {
    const auto found = orders_.find(session);
    if (found != orders_.end()) {
      return found->second;
    }
    const ExchangeOrders orders(session.getBeginString().getString());
    return orders_.emplace(session, orders).first->second;
  }

  /// Holds the lock until all reports are numbered and stored, which keeps their order.
  static void send_all(std::vector<FIX::Message> messages, const FIX::SessionID& session) {
    for (FIX::Message& message : messages) {
      if (!FIX::Session::sendToTarget(message, session)) {
        throw std::runtime_error("QuickFIX did not take " + message.toString());
      }
    }
  }

  std::mutex mutex_;
  std::map<FIX::SessionID, ExchangeOrders> orders_;
};

int run(int argument_count, const char* const* arguments) {
  const PeerOptions options = parse_options(argument_count, arguments, false);
  const FIX::SessionSettings settings = make_settings(options, false, std::time(nullptr));
  EventPrinter printer;
  ExchangeApplication application(printer);
  FIX::FileStoreFactory store(settings);
  PrintingLogFactory log(printer);
  std::unique_ptr<FIX::Acceptor> acceptor;
  if (options.tls.empty()) {
    acceptor.reset(new FIX::ThreadedSocketAcceptor(application, store, settings, log));
  } else {
    acceptor.reset(new FIX::ThreadedSSLSocketAcceptor(application, store, settings, log));
  }
  acceptor->start();
  printer.print("listening", "on 127.0.0.1:" + std::to_string(last_bound_port()));
  const int code = run_commands(std::cin, options, printer,
                                [&application](const Words& words, const FIX::SessionID& session) {
                                  return application.run_command(words, session);
                                });
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
    std::fprintf(stderr, "quickfix_exchange: %s\n", fault.what());
    return 2;
  }
}
