// SPDX-License-Identifier: MIT
// QuickFIX's Session with its environment; compiled as C++14. Objects are reused from message to
// message where a user can do that.
#include "quickfix_session.hpp"

#include "quickfix_order.hpp"

#include <cstdio>
#include <cstdlib>
#include <quickfix/Application.h>
#include <quickfix/DataDictionaryProvider.h>
#include <quickfix/Log.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Responder.h>
#include <quickfix/Session.h>
#include <quickfix/SessionID.h>
#include <quickfix/TimeRange.h>
#include <string>

namespace affix_bench {
namespace {

/// Counts delivered messages.
class Counter : public FIX::NullApplication {
 public:
  std::uint64_t delivered = 0;

 private:
  void fromApp(const FIX::Message&, const FIX::SessionID&) noexcept override { ++delivered; }
};

/// Takes bytes for the socket. A copy into a string that keeps its capacity.
class Wire : public FIX::Responder {
 public:
  bool send(const std::string& message) override {
    text = message;
    return true;
  }

  void disconnect() override {
    std::fprintf(stderr, "bench session: QuickFIX disconnected\n");
    std::exit(2);
  }

  std::string text;
};

FIX::TimeRange always() {
  return FIX::TimeRange(FIX::UtcTimeOnly(0, 0, 0), FIX::UtcTimeOnly(0, 0, 0));
}

std::string logon_of(const FIX::SessionID& id, const char* more) {
  FIX::Message logon;
  FIX::Header& header = logon.getHeader();
  header.setField(FIX::FIELD::BeginString, id.getBeginString().getValue());
  header.setField(FIX::FIELD::MsgType, "A");
  header.setField(FIX::FIELD::SenderCompID, id.getTargetCompID().getValue());
  header.setField(FIX::FIELD::TargetCompID, id.getSenderCompID().getValue());
  header.setField(FIX::FIELD::MsgSeqNum, "1");
  header.setField(FIX::SendingTime(FIX::UtcTimeStamp(), 3));
  logon.setField(FIX::FIELD::EncryptMethod, "0");
  logon.setField(FIX::FIELD::HeartBtInt, "30");
  if (*more != '\0') {
    logon.setField(FIX::FIELD::DefaultApplVerID, more);
  }
  return logon.toString();
}

/// A session that is logged on. It does not check times, since the messages' times are old.
struct Party {
  Party(const FIX::SessionID& id, const char* appl_ver_id)
      : session(counter, stores, id, FIX::DataDictionaryProvider(), always(), 30, 0) {
    session.setCheckLatency(false);
    if (*appl_ver_id != '\0') {
      session.setSenderDefaultApplVerID(appl_ver_id);
    }
    session.setTimestampPrecision(9);
    session.setResponder(&wire);
    session.logon();
    session.next();
    session.next(logon_of(id, appl_ver_id), FIX::UtcTimeStamp());
    if (!session.isLoggedOn()) {
      std::fprintf(stderr, "bench session: QuickFIX did not log on\n");
      std::exit(2);
    }
  }

  Counter counter;
  FIX::MemoryStoreFactory stores;
  Wire wire;
  FIX::Session session;
};

Party& receiver() {
  static Party party(FIX::SessionID("FIX.4.4", "TRADER1", "EXCHANGE"), "");
  return party;
}

Party& sender() {
  static Party party(FIX::SessionID("FIXT.1.1", "CLIENT1", "EXECUTOR"), "9");
  return party;
}

}  // namespace

void quickfix_receive(const char* bytes, std::size_t size) {
  static std::string text;
  // The time is read once per message, as QuickFIX's own connection does.
  receiver().session.next(text.assign(bytes, size), FIX::UtcTimeStamp());
}

void quickfix_expect(std::uint64_t sequence) {
  receiver().session.setNextTargetMsgSeqNum(static_cast<int>(sequence));
}

std::uint64_t quickfix_expected() {
  return static_cast<std::uint64_t>(receiver().session.getExpectedTargetNum());
}

std::uint64_t quickfix_delivered() {
  return receiver().counter.delivered;
}

const char* quickfix_send(const QuickfixOrder& order) {
  static const std::string new_order_single = "D";
  static const std::string sender_sub = "SNDR_SUB";
  static const std::string target_sub = "SRVR_SUB";
  static FIX::Message message;
  message.clear();
  message.getHeader().setField(FIX::FIELD::MsgType, new_order_single);
  message.getHeader().setField(FIX::FIELD::SenderSubID, sender_sub);
  message.getHeader().setField(FIX::FIELD::TargetSubID, target_sub);
  quickfix_set_order(message, order);
  Party& party = sender();
  if (!party.session.send(message)) {
    std::fprintf(stderr, "bench session: QuickFIX did not send\n");
    std::exit(2);
  }
  return party.wire.text.c_str();
}

}  // namespace affix_bench
