// SPDX-License-Identifier: MIT
// Orders messages by keys: a time that never runs against the reports' numbers, then the number.
#include "certify/execution_order.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
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

struct Key {
  std::size_t time = 0;      ///< Place in the order of time, later where a smaller number is.
  std::uint64_t number = 0;  ///< Of a report.
  int after = 0;             ///< 1: a request that follows this report.

  auto operator<=>(const Key&) const = default;
};

struct Placed {
  RecordedMessage message;
  std::size_t place = 0;  ///< In the order of time.
  bool sent = false;      ///< By the engine's peer.
  bool session = false;   ///< A Logon or Logout.
  std::uint64_t number = 0;
  std::size_t answer = 0;         ///< Of a request: place of its first answer; 0: it has none.
  std::uint64_t answered = 0;     ///< Of a request: number of that answer; 0: it has none.
  bool refused = false;           ///< That answer refuses the request.
  std::uint64_t predecessor = 0;  ///< Of a request: first answer to the one executed before.
  Key key{};
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
      place_reports();
    } else {
      forget_numbers();
    }
    Sequence all;
    for (auto& [name, sequence] : sessions_) {
      Sequence delayed = delay_requests(std::move(sequence));
      assign_keys(delayed);
      std::ranges::move(delayed, std::back_inserter(all));
    }
    // By key, those of one key as they are. Not std::stable_sort: it allocates with a function that
    // the standard has withdrawn, and clang says so.
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
      return std::pair(all[one].key, one) < std::pair(all[other].key, other);
    });
    std::vector<RecordedMessage> messages;
    messages.reserve(all.size());
    for (const std::size_t place : order) {
      messages.push_back(std::move(all[place].message));
    }
    return messages;
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
    std::set<std::uint64_t> first_answers;
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
            answer(*found->second, each, first_answers);
          }
        }
        // RefSeqNum.
        const std::string_view refused =
            each.sent ? std::string_view() : field_value(each.message.bytes, "45");
        if (each.sent) {
          numbered[std::string(field_value(each.message.bytes, "34"))] = &each;
        } else if (const auto found = numbered.find(refused);
                   !refused.empty() && found != numbered.end()) {
          answer(*found->second, each, first_answers);
        }
      }
    }
    for (auto& [name, sequence] : sessions_) {
      for (Placed& each : sequence) {
        const auto own = first_answers.lower_bound(each.answered);
        if (each.answered != 0 && own != first_answers.begin()) {
          each.predecessor = *std::prev(own);
        }
      }
    }
  }

  static void answer(Placed& request, const Placed& answer,
                     std::set<std::uint64_t>& first_answers) {
    if (request.answer != 0) {
      return;
    }
    request.answer = answer.place;
    request.answered = answer.number;
    request.refused = refuses(answer.message.bytes);
    if (answer.number != 0) {
      first_answers.insert(answer.number);
    }
  }

  /// The time of each numbered report, so that it rises with the numbers.
  void place_reports() {
    std::vector<const Placed*> reports;
    for (const auto& [name, sequence] : sessions_) {
      for (const Placed& each : sequence) {
        if (each.number != 0) {
          reports.push_back(&each);
        }
      }
    }
    std::ranges::sort(reports, {}, &Placed::number);
    std::size_t latest = 0;
    for (std::size_t at = 0; at < reports.size(); ++at) {
      const std::int64_t late_ns =
          at + 1 == reports.size() ? 0
                                   : reports[at]->message.utc_ns - reports[at + 1]->message.utc_ns;
      times_[reports[at]->number] = std::max(latest, reports[at]->place);
      latest = late_ns > disorder_ns_max ? latest : times_[reports[at]->number];
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

  void assign_keys(Sequence& sequence) const {
    Key last;
    for (Placed& each : sequence) {
      const std::uint64_t number = each.sent ? each.predecessor : each.number;
      Key key{.time = each.refused ? each.answer : each.place};
      if (number != 0) {
        key = {.time = times_.at(number), .number = number, .after = each.sent ? 1 : 0};
      }
      last = std::max(last, key);
      each.key = last;
    }
  }

  std::map<std::string, Sequence, std::less<>> sessions_;
  std::map<std::uint64_t, std::size_t> times_;  ///< By report's number.
};

}  // namespace

std::vector<RecordedMessage> in_execution_order(std::vector<RecordedMessage> messages,
                                                std::string_view engine) {
  return Order(std::move(messages), engine).ordered();
}

}  // namespace affix::inline v0::tools::certify
