// SPDX-License-Identifier: MIT
// acceptor.cpp with QuickFIX: its typed messages, its file store, sessions from a file. Compiled as
// C++14.
#include <cstdio>
#include <exception>
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/MessageCracker.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <quickfix/fix44/ExecutionReport.h>
#include <quickfix/fix44/NewOrderSingle.h>
#include <string>
#include <unistd.h>

namespace {

class Venue : public FIX::NullApplication, public FIX::MessageCracker {
 public:
  void onMessage(const FIX44::NewOrderSingle& order, const FIX::SessionID& session) override {
    FIX::ClOrdID id;
    FIX::Symbol symbol;
    FIX::Side side;
    FIX::OrderQty quantity;
    FIX::Price price;
    order.get(id);
    order.get(symbol);
    order.get(side);
    order.get(quantity);
    order.get(price);
    const std::string number = order.getHeader().getField(FIX::FIELD::MsgSeqNum);
    FIX44::ExecutionReport report{FIX::OrderID(number),
                                  FIX::ExecID(number),
                                  FIX::ExecType(FIX::ExecType_NEW),
                                  FIX::OrdStatus(FIX::OrdStatus_NEW),
                                  side,
                                  FIX::LeavesQty(quantity),
                                  FIX::CumQty(0),
                                  FIX::AvgPx(0)};
    report.set(id);
    report.set(symbol);
    report.set(quantity);
    report.set(price);
    FIX::Session::sendToTarget(report, session);
  }

  // The signature is QuickFIX's, whose declaration throws more than C++ would let an override.
  void fromApp(const FIX::Message& message,
               const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                    FIX::IncorrectTagValue,
                                                    FIX::UnsupportedMessageType) override {
    crack(message, session);
  }
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const FIX::SessionSettings settings(argc == 2 ? argv[1] : "");
    Venue venue;
    FIX::FileStoreFactory store(settings);
    FIX::SocketAcceptor acceptor(venue, store, settings);
    acceptor.start();
    for (;;) {
      ::pause();
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}
