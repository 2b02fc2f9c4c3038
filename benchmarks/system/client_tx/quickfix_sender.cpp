// SPDX-License-Identifier: MIT
// QuickFIX: Session::sendToTarget from the caller's thread; compiled as C++14.
#include "quickfix_order.hpp"
#include "sender.hpp"

#include <chrono>
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix50sp2/NewOrderSingle.h>
#include <sstream>
#include <string>
#include <thread>

namespace affix_bench {

namespace {

FIX::SessionSettings settings_of(std::uint16_t port, const std::string& directory) {
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=initiator\nStartTime=00:00:00\nEndTime=00:00:00\n"
       << "HeartBtInt=300\nReconnectInterval=1\nSocketConnectHost=127.0.0.1\nSocketConnectPort="
       << port << "\nSocketNodelay=Y\nTimestampPrecision=9\nUseDataDictionary=N\nFileStorePath="
       << directory
       << "\nResetOnLogon=Y\nDefaultApplVerID=FIX.5.0SP2\n[SESSION]\n"
       // QuickFIX finds sessions by name, and both stores must be open at the same time.
       << "BeginString=FIXT.1.1\nSenderCompID=" << (directory.empty() ? "CLIENT2" : "CLIENT1")
       << "\nTargetCompID=EXECUTOR\n"
       << "SenderSubID=SNDR_SUB\nTargetSubID=SRVR_SUB\n";
  return FIX::SessionSettings(text);
}

class QuickfixSender final : public Sender {
 public:
  QuickfixSender(std::uint16_t port, const std::string& directory)
      : settings_(settings_of(port, directory)) {
    if (directory.empty()) {
      store_.reset(new FIX::MemoryStoreFactory());
    } else {
      store_.reset(new FIX::FileStoreFactory(settings_));
    }
    initiator_.reset(new FIX::SocketInitiator(application_, *store_, settings_));
    initiator_->start();
    session_ = *settings_.getSessions().begin();
  }

  // QuickFIX's stop() waits whole seconds for a Logout, which the sink does not answer.
  ~QuickfixSender() override { initiator_->stop(true); }

  bool wait_for_logon() {
    for (int turn = 0; turn < 5000; ++turn) {
      FIX::Session* const session = FIX::Session::lookupSession(session_);
      if (session != nullptr && session->isLoggedOn()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  bool send(std::uint64_t number) override {
    QuickfixOrder order;
    const std::string id = std::to_string(number);
    order.cl_ord_id = id.c_str();
    order.symbol = "NOKIA.HE";
    order.quantity = 10;
    order.price = 10000;
    order.time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
    FIX50SP2::NewOrderSingle message;
    quickfix_set_order(message, order);
    message.getHeader().setField(FIX::FIELD::SenderSubID, "SNDR_SUB");
    message.getHeader().setField(FIX::FIELD::TargetSubID, "SRVR_SUB");
    return FIX::Session::sendToTarget(message, session_);
  }

 private:
  FIX::SessionSettings settings_;
  FIX::NullApplication application_;
  std::unique_ptr<FIX::MessageStoreFactory> store_;
  std::unique_ptr<FIX::SocketInitiator> initiator_;
  FIX::SessionID session_;
};

}  // namespace

std::unique_ptr<Sender> make_quickfix_sender(std::uint16_t port, const std::string& directory,
                                             std::string& why) {
  try {
    std::unique_ptr<QuickfixSender> sender(new QuickfixSender(port, directory));
    if (sender->wait_for_logon()) {
      return sender;
    }
    why = "no logon";
  } catch (const std::exception& fault) {
    why = fault.what();
  }
  return nullptr;
}

}  // namespace affix_bench
