// SPDX-License-Identifier: MIT
// A QuickFIX initiator that sends orders on command. Its peer in the tests is `affix-lab exchange`.
// Commands: session_commands.hpp, market_data_request.hpp and the four of this file. Output:
// event_printer.hpp.
#include "event_printer.hpp"
#include "market_data_request.hpp"
#include "peer_application.hpp"
#include "peer_options.hpp"
#include "session_commands.hpp"

#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <quickfix/FileStore.h>
#include <quickfix/ThreadedSSLSocketInitiator.h>
#include <quickfix/ThreadedSocketInitiator.h>
#include <stdexcept>
#include <unistd.h>

namespace interop {
namespace {

class TraderApplication : public PeerApplication {
 public:
  using PeerApplication::PeerApplication;

 protected:
  void on_application_message(const FIX::Message&, const FIX::SessionID&) override {}
};

std::string field(int tag, const std::string& value) {
  return std::to_string(tag) + '=' + value + '|';
}

std::string transact_time() {
  return field(FIX::FIELD::TransactTime,
               FIX::UtcTimeStampConvertor::convert(FIX::UtcTimeStamp(), 3));
}

/// Values that later requests about an order must repeat.
struct SentOrder {
  std::string symbol;
  std::string side;
  std::string quantity;
  std::string ord_type;
};

/// order ID SYMBOL buy|sell QUANTITY PRICE|- limit|market; cancel ID ORIGINAL; replace ID ORIGINAL
/// QUANTITY PRICE; status ID; and market_data. An ID is a ClOrdID chosen by the script.
class OrderCommands {
 public:
  bool operator()(const Words& words, const FIX::SessionID& session) {
    if (words[0] == "market_data") {
      send(make_market_data_request(words), session);
      return true;
    }
    std::string text;
    if (words[0] == "order") {
      text = order(words);
    } else if (words[0] == "cancel") {
      text = cancel(words);
    } else if (words[0] == "replace") {
      text = replace(words);
    } else if (words[0] == "status") {
      text = status(words);
    } else {
      return false;
    }
    send(make_message(text), session);
    return true;
  }

 private:
  static void send(FIX::Message message, const FIX::SessionID& session) {
    // While the session is down QuickFIX stores the message and returns true anyway.
    if (!FIX::Session::sendToTarget(message, session)) {
      throw std::runtime_error("QuickFIX did not take the message");
    }
  }

  std::string order(const Words& words) {
    expect_arguments(words, 6);
    SentOrder order;
    order.symbol = words[2];
    order.side = words[3] == "buy" ? "1" : "2";
    order.quantity = words[4];
    order.ord_type = words[6] == "market" ? "1" : "2";
    orders_[words[1]] = order;
    std::string text = "35=D|" + field(FIX::FIELD::ClOrdID, words[1]) +
                       field(FIX::FIELD::HandlInst, "1") + described(order) +
                       field(FIX::FIELD::OrdType, order.ord_type) +
                       field(FIX::FIELD::OrderQty, order.quantity) + transact_time();
    if (words[5] != "-") {
      text += field(FIX::FIELD::Price, words[5]);
    }
    return text;
  }

  std::string cancel(const Words& words) {
    expect_arguments(words, 2);
    const SentOrder order = find(words[2]);
    orders_[words[1]] = order;
    return "35=F|" + field(FIX::FIELD::ClOrdID, words[1]) +
           field(FIX::FIELD::OrigClOrdID, words[2]) + described(order) +
           field(FIX::FIELD::OrderQty, order.quantity) + transact_time();
  }

  std::string replace(const Words& words) {
    expect_arguments(words, 4);
    SentOrder order = find(words[2]);
    order.quantity = words[3];
    orders_[words[1]] = order;
    return "35=G|" + field(FIX::FIELD::ClOrdID, words[1]) +
           field(FIX::FIELD::OrigClOrdID, words[2]) + field(FIX::FIELD::HandlInst, "1") +
           described(order) + field(FIX::FIELD::OrdType, order.ord_type) +
           field(FIX::FIELD::OrderQty, order.quantity) + field(FIX::FIELD::Price, words[4]) +
           transact_time();
  }

  std::string status(const Words& words) {
    expect_arguments(words, 1);
    return "35=H|" + field(FIX::FIELD::ClOrdID, words[1]) + described(find(words[1]));
  }

  static void expect_arguments(const Words& words, std::size_t count) {
    if (words.size() != count + 1) {
      throw std::invalid_argument(words[0] + " takes " + std::to_string(count) + " arguments");
    }
  }

  static std::string described(const SentOrder& order) {
    return field(FIX::FIELD::Symbol, order.symbol) + field(FIX::FIELD::Side, order.side);
  }

  SentOrder find(const std::string& id) const {
    const auto found = orders_.find(id);
    if (found == orders_.end()) {
      throw std::invalid_argument("no order " + id + " was sent by this process");
    }
    return found->second;
  }

  std::map<std::string, SentOrder> orders_;
};

int run(int argument_count, const char* const* arguments) {
  const PeerOptions options = parse_options(argument_count, arguments, true);
  const FIX::SessionSettings settings = make_settings(options, true, std::time(nullptr));
  EventPrinter printer;
  TraderApplication application(printer);
  FIX::FileStoreFactory store(settings);
  PrintingLogFactory log(printer);
  std::unique_ptr<FIX::Initiator> initiator;
  if (options.tls.empty()) {
    initiator.reset(new FIX::ThreadedSocketInitiator(application, store, settings, log));
  } else {
    initiator.reset(new FIX::ThreadedSSLSocketInitiator(application, store, settings, log));
  }
  // Sessions begin disabled: the script may set numbers before its `logon`.
  for (const FIX::SessionID& session : settings.getSessions()) {
    FIX::Session::lookupSession(session)->logout();
  }
  initiator->start();
  printer.print("ready");
  OrderCommands orders;
  const int code = run_commands(std::cin, options, printer,
                                [&orders](const Words& words, const FIX::SessionID& session) {
                                  return orders(words, session);
                                });
  printer.print("done");
  // QuickFIX's own stop() sleeps whole seconds and changes the session again (an unwanted Logout).
  // Its file store is flushed after every write, so nothing is lost here.
  _exit(code);
}

}  // namespace
}  // namespace interop

int main(int argument_count, char** arguments) {
  try {
    return interop::run(argument_count, arguments);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "quickfix_trader: %s\n", fault.what());
    return 2;
  }
}
