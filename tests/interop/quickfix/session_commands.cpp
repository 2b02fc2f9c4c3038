// SPDX-License-Identifier: MIT
// Session commands of the QuickFIX peers, with QuickFIX's public interface.
#include "session_commands.hpp"

#include "peer_application.hpp"

#include <cstdlib>
#include <istream>
#include <sstream>
#include <stdexcept>

namespace interop {
namespace {

constexpr long default_patience_ms = 10000;
constexpr int exit_wait_timed_out = 3;

Words split_words(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  std::string word;
  while (stream >> word) {
    words.push_back(word);
  }
  return words;
}

const std::string& argument(const Words& words, std::size_t at) {
  if (at >= words.size()) {
    throw std::invalid_argument(words[0] + " needs more arguments");
  }
  return words[at];
}

void send(FIX::Message& message, const FIX::SessionID& session) {
  if (!FIX::Session::sendToTarget(message, session)) {
    throw std::runtime_error("QuickFIX did not send " + message.toString());
  }
}

FIX::SessionID find_session(const PeerOptions& options, const std::string& target) {
  const FIX::SessionID session(options.begin_string, options.sender, target);
  if (FIX::Session::lookupSession(session) == nullptr) {
    throw std::invalid_argument("no session with " + target);
  }
  return session;
}

bool wait_for(Words words, EventPrinter& printer) {
  long patience_ms = default_patience_ms;
  if (words.size() >= 4 && words[words.size() - 2] == "within") {
    patience_ms = std::stol(words.back());
    words.resize(words.size() - 2);
  }
  const Words texts(words.begin() + 2, words.end());
  return printer.wait_for(argument(words, 1), texts, std::chrono::milliseconds(patience_ms));
}

/// False if the first word is no session command.
bool run_session_command(const Words& words, const FIX::SessionID& id, EventPrinter& printer) {
  FIX::Session& session = *FIX::Session::lookupSession(id);
  const std::string& name = words[0];
  if (name == "logon") {
    session.logon();
  } else if (name == "logout") {
    session.logout();
  } else if (name == "drop") {
    // First the socket: the other order would let QuickFIX's timer send a Logout in between.
    session.disconnect();
    session.logout();
  } else if (name == "set_next_sender_seq") {
    session.setNextSenderMsgSeqNum(std::stoi(argument(words, 1)));
  } else if (name == "set_next_target_seq") {
    session.setNextTargetMsgSeqNum(std::stoi(argument(words, 1)));
  } else if (name == "numbers") {
    std::ostringstream text;
    text << session_name(id) << " sender=" << session.getExpectedSenderNum()
         << " target=" << session.getExpectedTargetNum();
    printer.print("numbers", text.str());
  } else if (name == "test_request") {
    FIX::Message message = make_message("35=1|112=" + argument(words, 1));
    send(message, id);
  } else if (name == "resend_request") {
    FIX::Message message =
        make_message("35=2|7=" + argument(words, 1) + "|16=" + argument(words, 2));
    send(message, id);
  } else if (name == "send") {
    FIX::Message message = make_message(argument(words, 1));
    send(message, id);
  } else {
    return false;
  }
  return true;
}

}  // namespace

FIX::Message make_message(const std::string& text) {
  FIX::Message message;
  std::istringstream stream(text);
  std::string field;
  while (std::getline(stream, field, '|')) {
    if (field.empty()) {
      continue;
    }
    const std::size_t equals = field.find('=');
    if (equals == std::string::npos) {
      throw std::invalid_argument("a field without '=': " + field);
    }
    const int tag = std::stoi(field.substr(0, equals));
    const std::string value = field.substr(equals + 1);
    if (FIX::Message::isHeaderField(tag)) {
      message.getHeader().setField(tag, value);
    } else {
      message.setField(tag, value);
    }
  }
  return message;
}

int run_commands(std::istream& input, const PeerOptions& options, EventPrinter& printer,
                 const OwnCommands& own_commands) {
  FIX::SessionID session = find_session(options, options.targets.front());
  std::string line;
  while (std::getline(input, line)) {
    const Words words = split_words(line);
    if (words.empty() || words[0][0] == '#') {
      continue;
    }
    if (words[0] == "quit") {
      break;
    }
    try {
      if (words[0] == "wait_for") {
        if (!wait_for(words, printer)) {
          printer.print("timeout", line);
          return exit_wait_timed_out;
        }
        printer.print("waited", line);
      } else if (words[0] == "session") {
        session = find_session(options, argument(words, 1));
      } else if (!own_commands(words, session) && !run_session_command(words, session, printer)) {
        throw std::invalid_argument("unknown command");
      }
    } catch (const std::exception& fault) {
      printer.print("error", line + ": " + fault.what());
    }
  }
  return 0;
}

}  // namespace interop
