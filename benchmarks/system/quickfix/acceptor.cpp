// SPDX-License-Identifier: MIT
// QuickFIX as an acceptor that answers each order with an ExecutionReport, like `affix-lab bench
// server`: the same sessions, the same report. Prints `listening on 127.0.0.1:PORT`; ends with
// SIGTERM. Usage: affix_quickfix_acceptor --sessions N --store file|memory --directory DIR
// [--dictionaries DIR]
#include "../../../tests/interop/quickfix/loopback_bind.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/MessageStore.h>
#include <quickfix/NullStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <quickfix/fix50sp2/ExecutionReport.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

struct Options {
  int sessions = 8;
  bool file_store = true;
  std::string directory;
  std::string dictionaries;  ///< Empty: no dictionary.
};

Options parse(int count, char** arguments) {
  Options options;
  for (int at = 1; at + 1 < count; at += 2) {
    const std::string name = arguments[at];
    const std::string value = arguments[at + 1];
    if (name == "--sessions") {
      options.sessions = std::stoi(value);
    } else if (name == "--store" && (value == "file" || value == "memory")) {
      options.file_store = value == "file";
    } else if (name == "--directory") {
      options.directory = value;
    } else if (name == "--dictionaries") {
      options.dictionaries = value;
    } else {
      throw std::invalid_argument("unknown option or value: " + name + " " + value);
    }
  }
  if (count % 2 == 0 || options.sessions < 1 || (options.file_store && options.directory.empty())) {
    throw std::invalid_argument("--sessions N --store file|memory --directory DIR");
  }
  return options;
}

/// The daily reset, twelve hours away.
std::string boundary() {
  const std::time_t later = std::time(nullptr) + 43200;
  std::tm parts;
  gmtime_r(&later, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &parts);
  return text;
}

FIX::SessionSettings settings_of(const Options& options) {
  const std::string time = boundary();
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=acceptor\nBeginString=FIXT.1.1\nDefaultApplVerID=FIX.5.0SP2\n"
       << "SenderCompID=SERVER\nStartTime=" << time << "\nEndTime=" << time
       << "\nSocketAcceptPort=0\nSocketNodelay=Y\nTimestampPrecision=3\nCheckLatency=Y\n"
       << "MaxLatency=120\nFileStorePath=" << options.directory << '\n';
  if (options.dictionaries.empty()) {
    text << "UseDataDictionary=N\n";
  } else {
    text << "UseDataDictionary=Y\nTransportDataDictionary=" << options.dictionaries
         << "/FIXT11.xml\nAppDataDictionary=" << options.dictionaries << "/FIX50SP2.xml\n";
  }
  for (int number = 1; number <= options.sessions; ++number) {
    text << "[SESSION]\nTargetCompID=CLIENT" << number << '\n';
  }
  return FIX::SessionSettings(text);
}

/// One thread serves all connections, as in QuickFIX's SocketAcceptor, so nothing is locked.
class EchoApplication : public FIX::NullApplication {
 private:
  // The signature is QuickFIX's, whose declaration throws more than C++ would let an override.
  void fromApp(const FIX::Message& order,
               const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                    FIX::IncorrectTagValue,
                                                    FIX::UnsupportedMessageType) override {
    const std::string number = order.getHeader().getField(FIX::FIELD::MsgSeqNum);
    FIX50SP2::ExecutionReport report;
    report.setField(FIX::FIELD::OrderID, number);
    report.setField(FIX::FIELD::ClOrdID, order.getField(FIX::FIELD::ClOrdID));
    report.setField(FIX::FIELD::ExecID, number);
    report.setField(FIX::FIELD::ExecType, "0");
    report.setField(FIX::FIELD::OrdStatus, "0");
    report.setField(FIX::FIELD::Symbol, order.getField(FIX::FIELD::Symbol));
    report.setField(FIX::FIELD::Side, order.getField(FIX::FIELD::Side));
    report.setField(FIX::FIELD::OrderQty, order.getField(FIX::FIELD::OrderQty));
    report.setField(FIX::FIELD::Price, order.getField(FIX::FIELD::Price));
    report.setField(FIX::FIELD::LeavesQty, order.getField(FIX::FIELD::OrderQty));
    report.setField(FIX::FIELD::CumQty, "0");
    report.setField(FIX::FIELD::AvgPx, "0");
    report.setField(FIX::TransactTime(FIX::UtcTimeStamp(), 3));
    FIX::Session::sendToTarget(report, session);
  }
};

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_stop_signal(int) {
  stop_requested = 1;
}

int run(const Options& options) {
  std::signal(SIGTERM, on_stop_signal);
  std::signal(SIGINT, on_stop_signal);
  const FIX::SessionSettings settings = settings_of(options);
  EchoApplication application;
  std::unique_ptr<FIX::MessageStoreFactory> store;
  if (options.file_store) {
    store.reset(new FIX::FileStoreFactory(settings));
  } else {
    store.reset(new FIX::MemoryStoreFactory());
  }
  FIX::SocketAcceptor acceptor(application, *store, settings);
  acceptor.start();
  std::printf("listening on 127.0.0.1:%d\n", interop::last_bound_port());
  std::fflush(stdout);
  while (stop_requested == 0) {
    ::pause();
  }
  // QuickFIX's stop() sleeps whole seconds.
  ::_exit(0);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(parse(count, arguments));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "affix_quickfix_acceptor: %s\n", fault.what());
    return 2;
  }
}
