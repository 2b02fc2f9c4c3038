// SPDX-License-Identifier: MIT
// Executes the steps of a scenario until one fails.
#include "player.hpp"

#include "affix/wire/framer.hpp"

#include "message_text.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <memory>

namespace affix::conformance {

namespace {

/// One peer: its connection, its numbers, and received messages not examined yet.
struct Peer {
  std::unique_ptr<Line> line;
  std::uint64_t next = 1;
  std::string partial;
  std::deque<std::string> messages;
  affix::wire::Framer framer;
};

class Player {
 public:
  Player(const Scenario& scenario, const Version& version, Role role, Identity identity,
         Pieces pieces, Stage& stage)
      : scenario_(scenario),
        version_(version),
        role_(role),
        identity_(std::move(identity)),
        pieces_(pieces),
        stage_(stage) {}

  std::optional<std::string> play() {
    for (const Step& step : scenario_.steps) {
      if (std::string fault = run(step); !fault.empty()) {
        return report(step.line, fault);
      }
    }
    for (auto& [name, peer] : peers_) {
      settle(peer);
      if (!peer.messages.empty()) {
        return report(scenario_.steps.back().line,
                      "at the end came, unexpected: " + readable(peer.messages.front()));
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Meaning meaning() const { return {&version_, identity_, stage_.utc_ns()}; }

  [[nodiscard]] std::string report(int line, const std::string& fault) const {
    return scenario_.file + ":" + std::to_string(line) + ": scenario " + scenario_.id + " (" +
           scenario_.title + "), " + std::string(to_text(role_)) + ", FIX " +
           std::string(version_.name) + "\n  " + fault + "\n" + history_;
  }

  std::string run(const Step& step) {
    Peer& peer = peers_[step.peer];
    switch (step.verb) {
      case Verb::Connect:
        return connect(peer);
      case Verb::Logon:
        return log_on(peer, step.text);
      case Verb::Next:
        peer.next = step.first;
        return {};
      case Verb::Wait:
        pass(step.ns);
        return {};
      case Verb::Clock:
        stage_.settle();
        stage_.step_clock(step.ns);
        return {};
      case Verb::Send:
      case Verb::Raw:
      case Verb::Expect:
      case Verb::Closed:
      case Verb::Open:
      case Verb::Quiet:
      case Verb::Rest:
      case Verb::Disconnect:
        return peer.line ? on_line(step, peer) : "there is no connection";
      default:
        return stage_.subject() == nullptr ? std::string() : inside(step, *stage_.subject());
    }
  }

  /// Bytes sent before arrive before the time passes.
  void pass(std::int64_t ns) {
    stage_.settle();
    stage_.advance(ns);
  }

  std::string on_line(const Step& step, Peer& peer) {
    switch (step.verb) {
      case Verb::Send:
        send(peer, step.text);
        return {};
      case Verb::Raw:
        write(peer, write_raw(step.text, meaning()));
        return {};
      case Verb::Expect:
        return expect(peer, step.text);
      case Verb::Closed:
        return closed(peer);
      case Verb::Open:
        settle(peer);
        return peer.line->ended() ? "the connection was ended" : "";
      case Verb::Quiet:
        return quiet(peer, step.ns);
      case Verb::Rest:
        settle(peer);
        peer.messages.clear();
        return {};
      default:
        peer.line->close();
        peer.line.reset();
        return {};
    }
  }

  std::string inside(const Step& step, Subject& subject) {
    stage_.settle();
    switch (step.verb) {
      case Verb::AppSend:
        return application_send(subject, step.text);
      case Verb::AppLogout:
        subject.logout(step.text);
        return {};
      case Verb::AppReset:
        subject.reset();
        return {};
      case Verb::AppRefuse:
        subject.refuse_logons(step.text);
        return {};
      case Verb::AppReject:
        reject(subject, step.text);
        return {};
      case Verb::Delivered:
        return delivered(subject, step.text);
      case Verb::Undelivered:
        return subject.reported().messages.size() == delivered_
                   ? std::string()
                   : "was delivered: " + readable(subject.reported().messages[delivered_].bytes);
      case Verb::Event:
        return event(subject, step.text);
      case Verb::Numbers:
        return numbers(subject, step);
      case Verb::Secret:
        return subject.left_behind(step.text);
      default:
        return subject.kill();
    }
  }

  std::string connect(Peer& peer) {
    if (peer.line) {
      peer.line->close();
      peer.line.reset();
    }
    peer.line = stage_.connect();
    peer.partial.clear();
    peer.messages.clear();
    peer.framer.reset();
    return peer.line ? std::string() : "no connection could be had";
  }

  std::string log_on(Peer& peer, std::string_view text) {
    if (std::string fault = connect(peer); !fault.empty()) {
      return fault;
    }
    std::string logon = "35=A|98=0|108=30";
    if (!text.empty()) {
      // Fields in the scenario replace the defaults.
      logon = text.find("108=") == std::string_view::npos ? logon : "35=A|98=0";
      logon += "|" + std::string(text);
    }
    if (role_ == Role::Acceptor) {
      send(peer, logon);
      return expect(peer, "35=A");
    }
    std::string fault = expect(peer, "35=A");
    send(peer, logon);
    return fault;
  }

  void send(Peer& peer, std::string_view text) {
    const Written message = write_message(text, meaning(), peer.next);
    peer.next += message.numbered ? 1 : 0;
    write(peer, message.bytes);
  }

  void write(Peer& peer, std::string_view bytes) {
    history_ += "  > " + readable(bytes) + "\n";
    const std::size_t step = pieces_.bytes == 0 ? bytes.size() : pieces_.bytes;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
      peer.line->send(bytes.substr(0, step));
    }
  }

  /// Splits received bytes into messages.
  void read(Peer& peer) {
    if (!peer.line) {
      return;
    }
    peer.partial += peer.line->take();
    for (;;) {
      const affix::wire::Frame frame = peer.framer.next(peer.partial);
      if (frame.status == affix::wire::FrameStatus::Partial) {
        return;
      }
      std::string message = peer.partial.substr(0, frame.size);
      peer.partial.erase(0, frame.size);
      history_ += "  < " + readable(message) + "\n";
      if (counts(message)) {
        peer.messages.push_back(std::move(message));
      }
    }
  }

  /// Other acceptors' application messages are arbitrary; only session messages are examined.
  [[nodiscard]] bool counts(std::string_view message) const {
    if (stage_.subject() != nullptr) {
      return true;
    }
    const std::string type = value_of(message, "35").value_or("");
    return type.size() == 1 && std::string_view("012345Aj").contains(type.front());
  }

  void settle(Peer& peer) {
    stage_.settle();
    read(peer);
  }

  std::string expect(Peer& peer, std::string_view expected) {
    static_cast<void>(stage_.await([&] {
      read(peer);
      return !peer.messages.empty() || peer.line->ended();
    }));
    read(peer);
    if (peer.messages.empty()) {
      return "expected " + expand(expected, meaning()) +
             (peer.line->ended() ? ", but the connection was ended" : ", but nothing came");
    }
    const std::string message = std::move(peer.messages.front());
    peer.messages.pop_front();
    std::string fault = form_fault(message, meaning());
    if (fault.empty()) {
      fault = difference(message, expected, meaning());
    }
    return fault.empty() ? fault
                         : "expected " + expand(expected, meaning()) + "\n  came     " +
                               readable(message) + "\n  " + fault;
  }

  std::string closed(Peer& peer) {
    const bool ended = stage_.await([&] {
      read(peer);
      return peer.line->ended();
    });
    if (!ended) {
      return "the connection was not ended";
    }
    if (!peer.messages.empty()) {
      return "before the end came: " + readable(peer.messages.front());
    }
    return {};
  }

  std::string quiet(Peer& peer, std::int64_t ns) {
    pass(ns);
    settle(peer);
    if (!peer.messages.empty()) {
      return "came, where nothing should: " + readable(peer.messages.front());
    }
    return peer.line->ended() ? "the connection was ended" : "";
  }

  std::string application_send(Subject& subject, std::string_view text) {
    Fields fields = split(expand(text, meaning()));
    std::string type;
    std::string body;
    for (const auto& [name, value] : fields) {
      if (name == "35") {
        type = value;
      } else {
        body += name + "=" + value + "\x01";
      }
    }
    return subject.send(type, body);
  }

  /// Parses "3 unsupported", or an empty text.
  static void reject(Subject& subject, std::string_view text) {
    const std::size_t space = text.find(' ');
    int reason = -1;
    std::from_chars(text.data(), text.data() + std::min(space, text.size()), reason);
    subject.reject_messages(
        reason, std::string(space == std::string_view::npos ? "" : text.substr(space + 1)));
  }

  std::string delivered(Subject& subject, std::string_view expected) {
    if (delivered_ == subject.reported().messages.size()) {
      return "nothing more was delivered";
    }
    const Reported::Message& message = subject.reported().messages[delivered_++];
    if (message.redelivered) {
      return "was redelivered";
    }
    const std::string fault = difference(message.bytes, expected, meaning());
    return fault.empty() ? fault : fault + " in what was delivered: " + readable(message.bytes);
  }

  std::string event(Subject& subject, std::string_view text) {
    const std::vector<std::string>& events = subject.reported().events;
    for (std::size_t at = heard_; at < events.size(); ++at) {
      if (events[at].contains(text)) {
        heard_ = at + 1;
        return {};
      }
    }
    std::string all = "no event says '" + std::string(text) + "'; they say";
    for (std::size_t at = heard_; at < events.size(); ++at) {
      all += "\n    " + events[at];
    }
    return all;
  }

  static std::string numbers(Subject& subject, const Step& step) {
    const std::uint64_t sent = subject.next_sent();
    const std::uint64_t expected = subject.next_expected();
    if (sent == step.first && expected == step.second) {
      return {};
    }
    return "the next numbers are " + std::to_string(sent) + " out and " + std::to_string(expected) +
           " in";
  }

  const Scenario& scenario_;
  const Version& version_;
  Role role_;
  Identity identity_;
  Pieces pieces_;
  Stage& stage_;
  std::map<char, Peer> peers_;
  std::size_t delivered_ = 0;
  std::size_t heard_ = 0;
  std::string history_;
};

}  // namespace

std::optional<std::string> play(const Scenario& scenario, const Version& version, Role role,
                                const Identity& identity, Pieces pieces, Stage& stage) {
  return Player(scenario, version, role, identity, pieces, stage).play();
}

}  // namespace affix::conformance
