// SPDX-License-Identifier: MIT
// Merges the sessions: of the messages that nothing has to precede any more, the earliest is next.
#include "certify/execution_order.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace affix::inline v0::tools::certify {

namespace {

/// Reports on different ways are seen this much out of order at most: logs may have whole seconds.
/// One that is later was kept back, as for a member that was away, and holds up no other.
constexpr std::int64_t disorder_ns_max = base::ns_per_second;

/// Number at the end of the ExecID; 0: there is none.
std::uint64_t exec_number(std::string_view message) {
  const std::string_view id = field_value(message, "17");
  const std::size_t before = id.find_last_not_of("0123456789");
  const std::string_view digits = id.substr(before == std::string_view::npos ? 0 : before + 1);
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return fault == std::errc() ? number : 0;
}

/// Values of the message's ids.
std::vector<std::string_view> ids_of(std::string_view message) {
  std::vector<std::string_view> ids;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\x01'), message.size());
    const std::string_view field = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    const std::size_t equals = field.find('=');
    if (equals != std::string_view::npos && is_id(field.substr(0, equals))) {
      ids.push_back(field.substr(equals + 1));
    }
  }
  return ids;
}

/// Reject, OrderCancelReject, BusinessMessageReject, MarketDataRequestReject: what they refuse has
/// no other effect, so a request can be put directly before them.
bool refuses(std::string_view message) {
  const std::string_view type = field_value(message, "35");
  return type.size() == 1 && std::string_view("39jY").contains(type.front());
}

struct Placed {
  RecordedMessage message;
  std::size_t place = 0;  ///< In the order of time.
  bool sent = false;      ///< By the engine's peer.
  bool session = false;   ///< A Logon or Logout.
  std::uint64_t number = 0;
  std::size_t answer = 0;         ///< Of a request: place of its first answer; 0: it has none.
  std::uint64_t answered = 0;     ///< Of a request: number of that answer; 0: it has none.
  bool refused = false;           ///< That answer refuses the request.
  std::uint64_t predecessor = 0;  ///< Of a request: the highest report known to precede it.
};

/// One session's messages.
using Sequence = std::vector<Placed>;

class Order {
 public:
  Order(std::vector<RecordedMessage> messages, std::string_view engine) {
    std::size_t place = 0;
    for (RecordedMessage& message : messages) {
      const std::string sender(field_value(message.bytes, "49"));
      const std::string target(field_value(message.bytes, "56"));
      const bool of_engine = sender == engine || target == engine;
      if (!of_engine || is_kept_by_player(field_value(message.bytes, "35"))) {
        continue;
      }
      Placed placed{.message = std::move(message), .place = ++place, .sent = sender != engine};
      const std::string_view type = field_value(placed.message.bytes, "35");
      placed.session = type == "A" || type == "5";
      placed.number = placed.sent ? 0 : exec_number(placed.message.bytes);
      sessions_[placed.sent ? sender : target].push_back(std::move(placed));
    }
  }

  std::vector<RecordedMessage> ordered() {
    if (numbers_are_in_order()) {
      find_first_answers();
      find_predecessors();
      find_punctual_reports();
    } else {
      forget_numbers();
    }
    for (auto& [name, sequence] : sessions_) {
      sequence = delay_requests(std::move(sequence));
    }
    return merged();
  }

 private:
  [[nodiscard]] bool numbers_are_in_order() const {
    std::set<std::uint64_t> all;
    for (const auto& [name, sequence] : sessions_) {
      std::uint64_t last = 0;
      for (const Placed& each : sequence) {
        if (each.number != 0 && (each.number <= last || !all.insert(each.number).second)) {
          return false;
        }
        last = std::max(last, each.number);
      }
    }
    return true;
  }

  void forget_numbers() {
    for (auto& [name, sequence] : sessions_) {
      for (Placed& each : sequence) {
        each.number = 0;
      }
    }
  }

  /// An answer is the first with an id that was first seen in the request.
  void find_first_answers() {
    for (auto& [name, sequence] : sessions_) {
      std::set<std::string, std::less<>> seen;
      std::map<std::string, Placed*, std::less<>> unanswered;
      std::map<std::string, Placed*, std::less<>> numbered;  // By MsgSeqNum.
      for (Placed& each : sequence) {
        for (const std::string_view id : ids_of(each.message.bytes)) {
          const bool is_new = seen.emplace(id).second;
          if (each.sent && is_new) {
            unanswered.emplace(id, &each);
          } else if (const auto found = unanswered.find(id);
                     !each.sent && found != unanswered.end()) {
            answer(*found->second, each);
          }
        }
        // RefSeqNum.
        const std::string_view refused =
            each.sent ? std::string_view() : field_value(each.message.bytes, "45");
        if (each.sent) {
          numbered[std::string(field_value(each.message.bytes, "34"))] = &each;
        } else if (const auto found = numbered.find(refused);
                   !refused.empty() && found != numbered.end()) {
          answer(*found->second, each);
        }
      }
    }
  }

  /// A request is executed after the first answer to the one before it, after the reports that its
  /// session had seen, and after all that a session was sent before an answer without a number that
  /// came before a report of this request: nothing is executed between the reports of one request.
  void find_predecessors() {
    std::set<std::size_t> answers;
    std::map<std::uint64_t, std::size_t> requests;  // Places by the first answer.
    for (const auto& [name, sequence] : sessions_) {
      for (const Placed& each : sequence) {
        answers.insert(each.answer);
        if (each.answered != 0) {
          requests[each.answered] = each.place;
        }
      }
    }
    std::map<std::uint64_t, std::uint64_t> predecessors;  // By the first answer.
    std::uint64_t previous = 0;
    for (const auto& [number, place] : requests) {
      predecessors[number] = std::exchange(previous, number);
    }
    const bool answers_first = sends_first_answers_first(requests);
    for (const auto& [name, sequence] : sessions_) {
      std::uint64_t last = 0;
      std::size_t unnumbered = 0;  // Place of the last answer without a number; 0: none since.
      for (const Placed& each : sequence) {
        if (!each.sent && each.number == 0 && answers.contains(each.place)) {
          unnumbered = each.place;
        }
        if (each.number == 0) {
          continue;
        }
        auto own = predecessors.upper_bound(each.number);
        if (own != predecessors.begin()) {
          const auto before = std::prev(own);
          own = before->first == each.number || (answers_first && last < before->first) ? before
                                                                                        : own;
        }
        if (unnumbered != 0 && own != predecessors.end() && last < own->first) {
          own->second = std::max(own->second, last);
          holds_up_.emplace(unnumbered, own->first);
          held_up_.insert(own->first);
        }
        last = each.number;
        unnumbered = 0;
      }
    }
    for (auto& [name, sequence] : sessions_) {
      std::uint64_t last = 0;
      for (Placed& each : sequence) {
        last = std::max(last, each.number);
        if (each.answered != 0) {
          each.predecessor = std::max(predecessors.at(each.answered), last);
        }
      }
    }
  }

  /// True if the engine sends a request's own first answer before its other reports, such as the
  /// fills of the orders that it meets, and false if after them. Reports between two first answers
  /// are of the first request in the one case, of the second in the other: but not if there is no
  /// second, or they were seen before it was. A few may be of no request.
  [[nodiscard]] bool sends_first_answers_first(
      const std::map<std::uint64_t, std::size_t>& requests) const {
    constexpr std::size_t most = 64;
    std::size_t between = 0;
    std::size_t seen_before = 0;
    for (const auto& [name, sequence] : sessions_) {
      for (const Placed& each : sequence) {
        const auto next = requests.lower_bound(each.number);
        const bool is_last = next == requests.end();
        if (each.number != 0 && (is_last || next->first != each.number)) {
          ++between;
          seen_before += is_last || each.place < next->second ? 1U : 0U;
        }
      }
    }
    return seen_before * most > between;
  }

  static void answer(Placed& request, const Placed& answer) {
    if (request.answer != 0) {
      return;
    }
    request.answer = answer.place;
    request.answered = answer.number;
    request.refused = refuses(answer.message.bytes);
  }

  /// Reports that others wait for: all but those that were kept back.
  void find_punctual_reports() {
    std::vector<const Placed*> reports;
    for (const auto& [name, sequence] : sessions_) {
      for (const Placed& each : sequence) {
        if (each.number != 0) {
          reports.push_back(&each);
        }
      }
    }
    std::ranges::sort(reports, {}, &Placed::number);
    for (std::size_t at = 0; at < reports.size(); ++at) {
      const std::int64_t late_ns =
          at + 1 == reports.size() ? 0
                                   : reports[at]->message.utc_ns - reports[at + 1]->message.utc_ns;
      if (late_ns <= disorder_ns_max) {
        punctual_.insert(punctual_.end(), reports[at]->number);
      }
    }
  }

  /// Requests wait for the answers that show that the one before was executed. A Logout waits for
  /// its answer: reports that come meanwhile were sent before it was read.
  static Sequence delay_requests(Sequence sequence) {
    Sequence delayed;
    std::deque<Placed> waiting;
    std::optional<Placed> logout;
    const auto release = [&] {
      delayed.push_back(std::move(waiting.front()));
      waiting.pop_front();
    };
    for (Placed& each : sequence) {
      if (each.sent && !each.session) {
        waiting.push_back(std::move(each));
        continue;
      }
      const bool answers_one =
          std::ranges::find(waiting, each.place, &Placed::answer) != waiting.end();
      while (!waiting.empty() && (answers_one || may_precede(waiting.front(), each))) {
        const bool was_answered = waiting.front().answer == each.place;
        release();
        if (was_answered) {
          break;
        }
      }
      if (logout && each.session) {
        logout->place = each.place;
        delayed.push_back(*std::exchange(logout, std::nullopt));
      }
      if (each.sent && field_value(each.message.bytes, "35") == "5") {
        logout = std::move(each);
      } else {
        delayed.push_back(std::move(each));
      }
    }
    while (!waiting.empty()) {
      release();
    }
    if (logout) {
      delayed.push_back(std::move(*logout));
    }
    return delayed;
  }

  /// True if the request was executed before the engine sent `next`, as far as is seen.
  static bool may_precede(const Placed& request, const Placed& next) {
    if (next.session || request.answer == 0) {
      return true;
    }
    if (request.refused || refuses(next.message.bytes)) {
      return false;
    }
    return request.answered == 0 || next.number == 0 || next.number > request.predecessor;
  }

  /// True if all that is to precede the message has been put before it.
  [[nodiscard]] bool is_next(const Placed& placed) const {
    const std::uint64_t report = punctual_.empty() ? UINT64_MAX : *punctual_.begin();
    if (placed.number != 0) {
      return report >= placed.number &&
             (predecessors_.empty() || *predecessors_.begin() >= placed.number);
    }
    return placed.answered == 0 ||
           (report > placed.predecessor && !held_up_.contains(placed.answered));
  }

  /// The sessions' messages as one. If records contradict each other and each message has to wait
  /// for another, the earliest is next.
  std::vector<RecordedMessage> merged() {
    struct Head {
      Sequence* sequence;
      std::size_t at = 0;

      [[nodiscard]] Placed& placed() const { return (*sequence)[at]; }

      /// A request that was refused is put before its answer, not where it was seen.
      [[nodiscard]] std::size_t place() const {
        return placed().refused ? placed().answer : placed().place;
      }
    };

    std::vector<Head> heads;
    for (auto& [name, sequence] : sessions_) {
      heads.push_back({&sequence});
      for (const Placed& each : sequence) {
        if (each.answered != 0) {
          predecessors_.insert(each.predecessor);
        }
      }
    }
    std::vector<RecordedMessage> messages;
    while (true) {
      std::erase_if(heads, [](const Head& head) { return head.at == head.sequence->size(); });
      if (heads.empty()) {
        return messages;
      }
      Head& next = *std::ranges::min_element(heads, {}, [this](const Head& head) {
        return std::pair(!is_next(head.placed()), head.place());
      });
      pass(next.placed());
      messages.push_back(std::move(next.placed().message));
      ++next.at;
    }
  }

  /// Nobody waits for this message any more.
  void pass(const Placed& placed) {
    punctual_.erase(placed.number);
    if (placed.answered != 0) {
      predecessors_.erase(predecessors_.find(placed.predecessor));
    }
    if (const auto held_up = holds_up_.find(placed.place); held_up != holds_up_.end()) {
      held_up_.erase(held_up_.find(held_up->second));
    }
  }

  std::map<std::string, Sequence, std::less<>> sessions_;
  std::set<std::uint64_t> punctual_;           ///< Numbers of reports that are yet to come.
  std::multiset<std::uint64_t> predecessors_;  ///< Of requests that are yet to come.
  /// By the place of an answer without a number: first answer to the request that it precedes.
  std::map<std::size_t, std::uint64_t> holds_up_;
  std::multiset<std::uint64_t> held_up_;  ///< First answers to requests that wait for such ones.
};

}  // namespace

std::vector<RecordedMessage> in_execution_order(std::vector<RecordedMessage> messages,
                                                std::string_view engine) {
  return Order(std::move(messages), engine).ordered();
}

}  // namespace affix::inline v0::tools::certify
