// SPDX-License-Identifier: MIT
// Executes the steps of a scenario until one fails.
#include "certify/player.hpp"

#include "affix/base/time.hpp"

#include "certify/expectation.hpp"
#include "certify/message_text.hpp"
#include "certify/peer.hpp"
#include "certify/text.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace affix::inline v0::certify {

namespace {

/// Steps that are not executed in this version, or are the engine's own, have no fault.
const std::string no_fault;

class Player final : public MessageTrace {
 public:
  Player(const Play& play, const VersionNames& names, Stage& stage)
      : play_(play), scenario_(play.scenario), names_(names), stage_(stage) {
    // The application of an engine elsewhere may send anything, unless the scenario names it.
    rules_ = {
        .version = &play.version,
        .fragments = play.fragments,
        .resets_by_logon =
            (play.resets_by_logon || scenario_.application) && play.role == Role::Acceptor,
        .answers_reset =
            (play.resets_by_logon || scenario_.application) && play.role == Role::Initiator,
        .keeps_session = scenario_.application,
        .only_session = !scenario_.application && !scenario_.echo && stage.subject() == nullptr,
    };
    add_peer("A", play.identity);
    for (const PeerForm& form : scenario_.peers) {
      Identity identity = play.identity;
      identity.us = form.us.empty() ? identity.us : form.us;
      identity.them = form.them.empty() ? identity.them : form.them;
      const auto other = play.others.find(form.name);
      add_peer(form.name, other == play.others.end() ? identity : other->second);
    }
    for (const auto& [name, value] : scenario_.variables) {
      variables_[name] = value;
    }
    for (const auto& [name, value] : play.variables) {
      variables_[name] = value;
    }
  }

  Result play() {
    begin_ns_ = stage_.steady_ns();
    result_.id = scenario_.id;
    result_.title = scenario_.title;
    result_.file = scenario_.file;
    result_.line = scenario_.line;
    result_.role = to_text(play_.role);
    result_.version = play_.version.name;
    result_.session = play_.identity.us + "-" + play_.identity.them;
    for (auto& [name, value] : variables_) {
      value = expand(value, meaning(peers_.at("A")));  // `<fresh>` is the same in the whole play.
    }
    bool passed = run_all(scenario_.steps);
    if (passed) {
      passed = nothing_left();
    }
    log_out(passed);
    result_.outcome = passed ? Outcome::Passed : Outcome::Failed;
    constexpr double second = 1e9;
    result_.seconds = static_cast<double>(stage_.steady_ns() - begin_ns_) / second;
    return std::move(result_);
  }

 private:
  void add_peer(const std::string& name, const Identity& identity) {
    peers_.try_emplace(name, name, identity, rules_, stage_, *this, answered_);
  }

  /// The peer of a step; B is a second connection of A unless the scenario has a peer B.
  [[nodiscard]] Peer& peer_of(const Step& step) {
    if (!peers_.contains(step.peer)) {
      add_peer(step.peer, play_.identity);
    }
    return peers_.at(step.peer);
  }

  [[nodiscard]] Meaning meaning(const Peer& peer) {
    return {.version = &play_.version,
            .identity = peer.identity(),
            .utc_ns = stage_.utc_ns(),
            .names = &names_,
            .variables = &variables_,
            .fresh_prefix = play_.fresh_prefix,
            .fresh_count = &fresh_count_,
            .last_sent = peer.last_sent()};
  }

  // MessageTrace
  void on_message(bool sent, const std::string& peer, std::string_view bytes) override {
    if (result_.steps.empty()) {
      result_.steps.push_back({scenario_.line, "scenario " + scenario_.id, {}});
    }
    constexpr std::size_t traced_max = 100'000;
    if (++traced_ <= traced_max) {
      result_.steps.back().messages.push_back(
          {sent, peer, stage_.steady_ns() - begin_ns_, std::string(bytes)});
    }
  }

  bool fail(int line, std::string fault) {
    result_.fault_line = line;
    result_.fault = std::move(fault);
    return false;
  }

  /// Messages that no step has examined, or a fault that a peer has seen.
  bool nothing_left() {
    for (auto& [name, peer] : peers_) {
      settle(peer);
      if (!peer.fault().empty()) {
        return fail(scenario_.steps.back().line, peer.fault());
      }
      if (!peer.messages().empty()) {
        return fail(scenario_.steps.back().line,
                    "at the end came, unexpected: " + shown(peer.messages().front()));
      }
    }
    return true;
  }

  /// Leaves the sessions of an application scenario in order, for the next one.
  void log_out(bool passed) {
    if (!scenario_.application) {
      return;
    }
    for (auto& [name, peer] : peers_) {
      if (peer.connected() && !peer.ended()) {
        result_.steps.push_back({scenario_.steps.back().line, "(logout)", {}});
        peer.set_reading(true);
        peer.messages().clear();
        peer.send({{.tag = "35", .value = "5"}}, meaning(peer), SendFault::None, 0);
        // An engine that failed may never answer.
        const std::int64_t patience = passed ? 0 : base::ns_per_second;
        static_cast<void>(stage_.await(
            [&] {
              peer.read();
              return peer.ended() || has_logout(peer);
            },
            patience));
      }
      peer.disconnect();
    }
  }

  static bool has_logout(Peer& peer) {
    return std::ranges::any_of(
        peer.messages(), [](const std::string& message) { return value_of(message, "35") == "5"; });
  }

  // --- Steps ---

  bool run_all(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (!step.versions.empty() &&
          std::ranges::find(step.versions, &play_.version) == step.versions.end()) {
        continue;
      }
      if (!run_one(step)) {
        return false;
      }
    }
    return true;
  }

  bool run_one(const Step& step) {
    if (step.verb == Verb::Repeat) {
      return repeat(step);
    }
    if (step.verb == Verb::For) {
      return for_each(step);
    }
    constexpr std::size_t traced_steps_max = 100'000;
    if (result_.steps.size() < traced_steps_max) {
      result_.steps.push_back({step.line, step.source, {}});
    }
    std::string fault = unknown_variable(step);
    if (fault.empty()) {
      fault = run(step);
    }
    for (const auto& [name, peer] : peers_) {
      fault = fault.empty() ? peer.fault() : fault;
    }
    return fault.empty() || fail(step.line, std::move(fault));
  }

  bool repeat(const Step& step) {
    for (std::uint64_t count = 1; count <= step.first; ++count) {
      if (!step.text.empty()) {
        variables_[step.text] = std::to_string(count);
      }
      if (!run_all(step.body)) {
        return false;
      }
    }
    return true;
  }

  bool for_each(const Step& step) {
    for (const std::string& value : step.values) {
      variables_[step.text] = expand(value, meaning(peer_of(step)));
      if (!run_all(step.body)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::string unknown_variable(const Step& step) const {
    std::string_view missing = missing_variable(step.text, variables_);
    for (const std::string& value : step.values) {
      missing = missing.empty() ? missing_variable(value, variables_) : missing;
    }
    return missing.empty() ? no_fault : "the variable " + std::string(missing) + " has no value";
  }

  std::string run(const Step& step) {
    Peer& peer = peer_of(step);
    switch (step.verb) {
      case Verb::Connect:
        return peer.connect() ? no_fault : "no connection could be had";
      case Verb::Logon:
        return log_on(peer, step.text);
      case Verb::Restart:
        peer.drop();
        if (step.first == 0) {
          peer.forget();
        }
        return {};
      case Verb::Next:
        peer.set_next(step.first);
        return {};
      case Verb::Skip:
        peer.skip(step.first);
        return {};
      case Verb::Wait:
        pass(step.ns);
        return {};
      case Verb::Timer:
        stage_.settle();
        timers_[step.text] = stage_.steady_ns();
        return {};
      case Verb::Elapsed:
        return elapsed(step);
      case Verb::Let:
        variables_[step.text] = calculated(expand(step.values.front(), meaning(peer)));
        return {};
      case Verb::Check:
        return check(step, meaning(peer));
      case Verb::AnyOrder:
        return any_order(step);
      case Verb::Clock:
        stage_.settle();
        stage_.step_clock(step.ns);
        return {};
      case Verb::Kill:
        stage_.settle();
        return stage_.restart_engine(step.first == 1);
      default:
        break;
    }
    if (step.verb < Verb::Wait) {
      return peer.connected() ? on_line(step, peer) : "there is no connection";
    }
    if (stage_.subject() != nullptr) {
      return inside(step, *stage_.subject());
    }
    return step.verb == Verb::Numbers && &step == &scenario_.steps.back() ? probe(step) : no_fault;
  }

  /// Asks an engine whose numbers cannot be seen: it answers a TestRequest with the number that it
  /// expects. Only at the end, as it changes the numbers.
  std::string probe(const Step& step) {
    Peer& peer = peers_.at("A");
    settle(peer);
    const bool over =
        value_of(peer.last_sent(), "35") == "5" || value_of(last_expected_, "35") == "5";
    if (!peer.connected() || peer.ended() || over || !answered_logon_ || !peer.messages().empty()) {
      return {};
    }
    std::string fault = send_text(peer, "35=1|112=PROBE|34=" + std::to_string(step.second));
    Step expected;
    expected.text = "35=0|112=PROBE";
    fault = fault.empty() ? expect(peer, expected) : fault;
    return fault.empty() ? fault
                         : "next number " + std::to_string(step.second) +
                               " is not what the engine expects\n  " + fault;
  }

  std::string on_line(const Step& step, Peer& peer) {
    switch (step.verb) {
      case Verb::Send: {
        const auto pieces = pieces_of(step.text, meaning(peer));
        if (!pieces) {
          return pieces.error();
        }
        peer.send(*pieces, meaning(peer), step.fault, step.ns);
        return {};
      }
      case Verb::Raw:
        peer.send_raw(write_raw(step.text, meaning(peer)));
        return {};
      case Verb::Again:
        peer.send_again();
        return {};
      case Verb::Expect:
        return step.optional && stage_.subject() == nullptr ? maybe(peer, step)
                                                            : expect(peer, step);
      case Verb::Find:
        return expect(peer, step);
      case Verb::Logout:
        return log_out_now(peer, step.text);
      case Verb::Closed:
        return closed(peer, step.within_ns);
      case Verb::Open:
        settle(peer);
        return peer.ended() ? "the connection was ended" : "";
      case Verb::Quiet:
        return quiet(peer, step.ns);
      case Verb::Rest:
        settle(peer);
        peer.messages().clear();
        return {};
      case Verb::Reading:
        peer.set_reading(step.first == 1);
        return {};
      case Verb::Drop:
        peer.drop();
        return {};
      default:
        peer.disconnect();
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
                   ? no_fault
                   : "was delivered: " + readable(subject.reported().messages[delivered_].bytes);
      case Verb::Event:
        return event(subject, step.text);
      case Verb::Numbers:
        return numbers(subject, step);
      default:
        return subject.left_behind(step.text);
    }
  }

  // --- Time ---

  void read_all() {
    for (auto& [name, peer] : peers_) {
      peer.read();
    }
  }

  void settle(Peer& peer) {
    stage_.settle();
    peer.read();
  }

  /// Bytes sent before arrive before the time passes. Peers that keep their sessions do so
  /// meanwhile.
  void pass(std::int64_t ns) {
    stage_.settle();
    const std::int64_t step = scenario_.application ? base::ns_per_second : ns;
    for (std::int64_t left = ns; left > 0; left -= step) {
      stage_.advance(std::min(left, step));
      if (scenario_.application) {
        read_all();
      }
    }
  }

  [[nodiscard]] bool await(const std::function<bool()>& wanted, std::int64_t within_ns) {
    return stage_.await(
        [&] {
          read_all();
          return wanted();
        },
        within_ns);
  }

  std::string elapsed(const Step& step) {
    const auto timer = timers_.find(step.text);
    if (timer == timers_.end()) {
      return "the timer " + step.text + " was not started";
    }
    const std::int64_t ns = stage_.steady_ns() - timer->second;
    if (ns >= step.ns && ns <= step.ns_max) {
      return {};
    }
    return "timer " + step.text + ": expected " + seconds_text(step.ns) + " to " +
           seconds_text(step.ns_max) + ", got " + seconds_text(ns);
  }

  static std::string seconds_text(std::int64_t ns) {
    const std::int64_t ms = ns / base::ns_per_ms;
    const std::string rest = std::to_string(1000 + ms % 1000);
    return std::to_string(ms / 1000) + "." + rest.substr(1) + " s";
  }

  // --- Messages ---

  /// "ExecutionReport (8): 8=FIX.4.4|9=..."
  [[nodiscard]] std::string shown(std::string_view message) const {
    const std::string type = value_of(message, "35").value_or("");
    const std::string name = names_.message(type);
    return (name == type ? "" : name + ": ") + readable(message);
  }

  std::string log_on(Peer& peer, std::string_view text) {
    if (!peer.connect()) {
      return "no connection could be had";
    }
    std::string logon = "35=A|98=0|108=30";
    if (!text.empty()) {
      // Fields in the scenario replace the defaults.
      const bool interval = text.contains("108=") || text.contains("HeartBtInt=");
      logon = interval ? "35=A|98=0" : logon;
      logon += "|" + std::string(text);
    }
    Step expected;
    expected.text = "35=A";
    if (play_.role == Role::Initiator) {
      return answer_logon(peer, expected, logon);
    }
    std::string fault = send_text(peer, logon);
    fault = fault.empty() ? expect(peer, expected) : fault;
    if (fault.empty()) {
      peer.begin_session(last_expected_);
    }
    return fault;
  }

  std::string answer_logon(Peer& peer, const Step& expected, const std::string& logon) {
    std::string fault = expect(peer, expected);
    // The answer is sent in any case, as the engine may tell more then.
    const std::string unsent = send_text(peer, logon);
    fault = fault.empty() ? unsent : fault;
    if (fault.empty()) {
      peer.begin_session(last_expected_);
    }
    return fault;
  }

  std::string log_out_now(Peer& peer, const std::string& text) {
    std::string fault = send_text(peer, text.empty() ? "35=5" : "35=5|" + text);
    Step expected;
    expected.text = "35=5";
    fault = fault.empty() ? expect(peer, expected) : fault;
    if (fault.empty() && play_.role == Role::Acceptor) {
      peer.disconnect();
    }
    return fault;
  }

  std::string send_text(Peer& peer, std::string_view text) {
    const auto pieces = pieces_of(text, meaning(peer));
    if (!pieces) {
      return pieces.error();
    }
    peer.send(*pieces, meaning(peer), SendFault::None, 0);
    return {};
  }

  std::string expect(Peer& peer, const Step& step) {
    const auto pieces = pieces_of(step.text, meaning(peer));
    if (!pieces) {
      return pieces.error();
    }
    Comparison comparison;
    std::size_t passed_over = 0;
    const auto examine = [&] {
      while (!peer.messages().empty()) {
        last_expected_ = std::move(peer.messages().front());
        peer.messages().pop_front();
        comparison = compare(last_expected_, *pieces, meaning(peer), seen_);
        if (step.verb != Verb::Find || comparison.same()) {
          return true;
        }
        ++passed_over;
      }
      return false;
    };
    bool came = false;
    static_cast<void>(await(
        [&] {
          came = came || examine();
          return came || peer.ended();
        },
        step.within_ns));
    peer.read();
    came = came || examine();
    if (!came) {
      return "expected " + describe(*pieces, meaning(peer)) +
             (peer.ended() ? ", but the connection was ended" : ", but nothing came") +
             (step.within_ns == 0 ? "" : " within " + seconds_text(step.within_ns)) +
             (passed_over == 0 ? "" : "; " + std::to_string(passed_over) + " others came");
    }
    const std::string fault = form_fault(last_expected_, meaning(peer));
    if (fault.empty() && comparison.same()) {
      adopt(comparison);
      answered_logon_ = answered_logon_ || value_of(last_expected_, "35") == "A";
      return {};
    }
    std::string text = fault;
    for (const std::string& line : comparison.differences) {
      text += (text.empty() ? "" : "\n  ") + line;
    }
    return text + "\n  expected " + describe(*pieces, meaning(peer)) + "\n  got      " +
           shown(last_expected_);
  }

  /// Takes the next message if it is the one, and has none of it if it is another.
  std::string maybe(Peer& peer, const Step& step) {
    const auto pieces = pieces_of(step.text, meaning(peer));
    if (!pieces) {
      return pieces.error();
    }
    static_cast<void>(
        await([&] { return !peer.messages().empty() || peer.ended(); }, step.within_ns));
    if (!peer.messages().empty()) {
      Comparison comparison = compare(peer.messages().front(), *pieces, meaning(peer), seen_);
      if (comparison.same()) {
        last_expected_ = std::move(peer.messages().front());
        peer.messages().pop_front();
        adopt(comparison);
      }
    }
    return {};
  }

  void adopt(Comparison& comparison) {
    for (auto& [name, value] : comparison.kept) {
      variables_[name] = std::move(value);
    }
    for (auto& [name, value] : comparison.seen) {
      seen_[name].insert(std::move(value));
    }
  }

  /// An expectation of a block in any order.
  struct Awaited {
    const Step* step;
    Peer* peer;
    std::vector<Piece> pieces;
  };

  std::string any_order(const Step& block) {
    std::vector<Awaited> awaited;
    for (const Step& step : block.body) {
      if (!step.versions.empty() &&
          std::ranges::find(step.versions, &play_.version) == step.versions.end()) {
        continue;
      }
      if (std::string fault = unknown_variable(step); !fault.empty()) {
        return fault;
      }
      Peer& peer = peer_of(step);
      auto pieces = pieces_of(step.text, meaning(peer));
      if (!pieces) {
        return pieces.error();
      }
      awaited.push_back({&step, &peer, std::move(*pieces)});
    }
    std::string fault;
    static_cast<void>(await(
        [&] {
          fault = fault.empty() ? match_any(awaited) : fault;
          return awaited.empty() || !fault.empty();
        },
        block.within_ns));
    if (fault.empty() && !awaited.empty()) {
      const Awaited& first = awaited.front();
      fault = "expected, in any order, " + describe(first.pieces, meaning(*first.peer)) +
              (first.peer->ended() ? ", but the connection was ended" : ", but it did not come");
    }
    return fault;
  }

  std::string match_any(std::vector<Awaited>& awaited) {
    for (auto& [name, peer] : peers_) {
      const bool concerned =
          std::ranges::any_of(awaited, [&peer](const Awaited& each) { return each.peer == &peer; });
      while (concerned && !peer.messages().empty()) {
        const std::string message = std::move(peer.messages().front());
        peer.messages().pop_front();
        if (std::string fault = match_one(awaited, peer, message); !fault.empty()) {
          return fault;
        }
      }
    }
    return {};
  }

  std::string match_one(std::vector<Awaited>& awaited, Peer& peer, const std::string& message) {
    if (std::string fault = form_fault(message, meaning(peer)); !fault.empty()) {
      return fault + "\n  got      " + shown(message);
    }
    std::string differences;
    for (auto each = awaited.begin(); each != awaited.end(); ++each) {
      if (each->peer != &peer) {
        continue;
      }
      Comparison comparison = compare(message, each->pieces, meaning(peer), seen_);
      if (comparison.same()) {
        adopt(comparison);
        awaited.erase(each);
        return {};
      }
      differences +=
          "\n  line " + std::to_string(each->step->line) + ": " + comparison.differences.front();
    }
    return "expected one of " + std::to_string(awaited.size()) +
           " messages in any order, and it is none of them" + differences + "\n  got      " +
           shown(message);
  }

  std::string closed(Peer& peer, std::int64_t within_ns) {
    if (!await([&] { return peer.ended(); }, within_ns)) {
      return "the connection was not ended";
    }
    if (!peer.messages().empty()) {
      return "before the end came: " + shown(peer.messages().front());
    }
    return {};
  }

  std::string quiet(Peer& peer, std::int64_t ns) {
    pass(ns);
    settle(peer);
    if (!peer.messages().empty()) {
      return "came, where nothing should: " + shown(peer.messages().front());
    }
    return peer.ended() ? "the connection was ended" : "";
  }

  std::string check(const Step& step, const Meaning& meaning) {
    const std::string left = calculated(expand(step.values[0], meaning));
    const std::string right = calculated(expand(step.values[1], meaning));
    if (holds(left, step.text, right)) {
      return {};
    }
    return "expected " + step.values[0] + " " + step.text + " " + step.values[1] + ", got " + left +
           " and " + right;
  }

  // --- The engine's application ---

  std::string application_send(Subject& subject, std::string_view text) {
    const Meaning meaning = this->meaning(peers_.at("A"));
    const auto pieces = pieces_of(text, meaning);
    if (!pieces) {
      return pieces.error();
    }
    const TypeAndBody message = type_and_body(*pieces, meaning);
    return subject.send(message.type, message.body);
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
    const Meaning meaning = this->meaning(peers_.at("A"));
    const auto pieces = pieces_of(expected, meaning);
    if (!pieces) {
      return pieces.error();
    }
    const Comparison comparison = compare(message.bytes, *pieces, meaning, seen_);
    return comparison.same()
               ? no_fault
               : comparison.differences.front() + "\n  was delivered: " + readable(message.bytes);
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

  const Play& play_;
  PeerRules rules_;
  std::set<std::string> answered_;
  const Scenario& scenario_;
  const VersionNames& names_;
  Stage& stage_;
  std::map<std::string, Peer> peers_;
  Variables variables_;
  SeenValues seen_;
  std::map<std::string, std::int64_t, std::less<>> timers_;
  std::uint64_t fresh_count_ = 0;
  std::string last_expected_;  ///< The message that was examined last.
  bool answered_logon_ = false;
  std::size_t delivered_ = 0;
  std::size_t heard_ = 0;
  std::int64_t begin_ns_ = 0;
  std::size_t traced_ = 0;
  Result result_;
};

}  // namespace

Result play(const Play& play, const VersionNames& names, Stage& stage) {
  return Player(play, names, stage).play();
}

}  // namespace affix::inline v0::certify
