// SPDX-License-Identifier: MIT
// Converts the command line to QuickFIX settings, through the text of a settings file.
#include "peer_options.hpp"

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace interop {
namespace {

void require(const std::string& value, const char* name) {
  if (value.empty()) {
    throw std::invalid_argument(std::string("missing --") + name);
  }
}

std::string time_of_day(long utc_seconds) {
  const long second = utc_seconds % 86400;
  char text[sizeof "HH:MM:SS" + 32];
  std::snprintf(text, sizeof text, "%02ld:%02ld:%02ld", second / 3600, second / 60 % 60,
                second % 60);
  return text;
}

void write_dictionaries(const PeerOptions& options, std::ostream& out) {
  const std::string& folder = options.dictionaries;
  if (options.begin_string == "FIX.4.2") {
    out << "DataDictionary=" << folder << "/FIX42.xml\n";
  } else if (options.begin_string == "FIX.4.4") {
    out << "DataDictionary=" << folder << "/FIX44.xml\n";
  } else if (options.begin_string == "FIXT.1.1") {
    out << "TransportDataDictionary=" << folder << "/FIXT11.xml\n"
        << "AppDataDictionary=" << folder << "/FIX50SP2.xml\n"
        << "DefaultApplVerID=FIX.5.0SP2\n";
  } else {
    throw std::invalid_argument("--begin_string must be FIX.4.2, FIX.4.4 or FIXT.1.1, not " +
                                options.begin_string);
  }
}

/// Certificates of both sides. QuickFIX's acceptor requests one only at this level.
void write_tls(const PeerOptions& options, bool initiator, std::ostream& out) {
  if (options.tls.empty()) {
    return;
  }
  const char* const side = initiator ? "Client" : "Server";
  out << "CertificationAuthoritiesFile=" << options.tls << "/ca.pem\n"
      << side << "CertificateFile=" << options.tls << "/own.pem\n"
      << side << "CertificateKeyFile=" << options.tls << "/own.key\n"
      << "CertificateVerifyLevel=1\n";
}

}  // namespace

PeerOptions parse_options(int argument_count, const char* const* arguments, bool initiator) {
  PeerOptions options;
  for (int at = 1; at < argument_count; at += 2) {
    const std::string name = arguments[at];
    if (at + 1 == argument_count) {
      throw std::invalid_argument(name + " has no value");
    }
    const std::string value = arguments[at + 1];
    if (name == "--begin_string") {
      options.begin_string = value;
    } else if (name == "--sender") {
      options.sender = value;
    } else if (name == "--target") {
      options.targets.push_back(value);
    } else if (name == "--host" && initiator) {
      options.host = value;
    } else if (name == "--port" && initiator) {
      options.port = value;
    } else if (name == "--directory") {
      options.directory = value;
    } else if (name == "--dictionaries") {
      options.dictionaries = value;
    } else if (name == "--tls") {
      options.tls = value;
    } else if (name == "--reset_on_logon") {
      options.reset_on_logon = value;
    } else if (name == "--heartbeat_seconds") {
      options.heartbeat_seconds = value;
    } else {
      throw std::invalid_argument("unknown option " + name);
    }
  }
  require(options.sender, "sender");
  require(options.targets.empty() ? std::string() : options.targets.front(), "target");
  require(options.directory, "directory");
  require(options.dictionaries, "dictionaries");
  if (initiator) {
    require(options.port, "port");
  }
  return options;
}

FIX::SessionSettings make_settings(const PeerOptions& options, bool initiator,
                                   long now_utc_seconds) {
  const std::string boundary = time_of_day(now_utc_seconds + 43200);
  std::stringstream text;
  text << "[DEFAULT]\n"
       << "ConnectionType=" << (initiator ? "initiator" : "acceptor") << '\n'
       << "BeginString=" << options.begin_string << '\n'
       << "SenderCompID=" << options.sender << '\n'
       << "StartTime=" << boundary << '\n'
       << "EndTime=" << boundary << '\n'
       << "FileStorePath=" << options.directory << '\n'
       << "SocketNodelay=Y\n"
       << "UseDataDictionary=Y\n"
       << "ValidateFieldsOutOfOrder=Y\n"
       << "ValidateFieldsHaveValues=Y\n"
       << "ValidateUserDefinedFields=Y\n"
       << "ValidateLengthAndChecksum=Y\n"
       << "AllowUnknownMsgFields=N\n"
       << "CheckCompID=Y\n"
       << "CheckLatency=Y\n"
       << "MaxLatency=120\n"
       << "TimestampPrecision=3\n"
       << "ResetOnLogon=" << options.reset_on_logon << '\n'
       << "LogonTimeout=10\n"
       << "LogoutTimeout=5\n";
  write_dictionaries(options, text);
  write_tls(options, initiator, text);
  if (initiator) {
    text << "ReconnectInterval=1\n"
         << "HeartBtInt=" << options.heartbeat_seconds << '\n'
         << "SocketConnectHost=" << options.host << '\n'
         << "SocketConnectPort=" << options.port << '\n';
  } else {
    // The kernel chooses the port: loopback_bind.cpp reads it back after QuickFIX has bound.
    text << "SocketAcceptPort=0\n";
  }
  for (const std::string& target : options.targets) {
    text << "[SESSION]\nTargetCompID=" << target << '\n';
  }
  return FIX::SessionSettings(text);
}

}  // namespace interop
