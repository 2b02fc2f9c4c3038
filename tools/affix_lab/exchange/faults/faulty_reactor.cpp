// SPDX-License-Identifier: MIT
// Divides what an engine sends into messages, and applies a rule to each.
#include "exchange/faults/faulty_reactor.hpp"

#include "affix/testing/forwarding_reactor.hpp"
#include "affix/wire/framer.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

class FaultyReactor final : public testing::ForwardingReactor {
 public:
  FaultyReactor(std::unique_ptr<net::Reactor> inner, FaultRules& rules)
      : ForwardingReactor(std::move(inner)), rules_(rules) {}

  net::Turn poll(base::Now now, const net::Wait& wait, net::Handler& handler) noexcept override {
    net::Wait until = wait;
    for (const auto& [key, waiting] : delayed_) {
      const std::int64_t due = waiting.front().due_ns;
      until.deadline_ns = until.deadline_ns == 0 ? due : std::min(until.deadline_ns, due);
    }
    const net::Turn turn = inner().poll(now, until, handler);
    send_due(inner().now().steady_ns);
    return turn;
  }

  using Reactor::send;

  net::SendResult send(net::ConnectionId connection,
                       std::span<const std::string_view> pieces) noexcept override {
    std::string bytes;
    for (const std::string_view piece : pieces) {
      bytes += piece;
    }
    wire::Framer framer;
    std::string_view rest = bytes;
    net::SendResult result = net::SendResult::Sent;
    while (!rest.empty() && result != net::SendResult::Closed) {
      const wire::Frame frame = framer.next(rest);
      const std::size_t size = frame.size == 0 ? rest.size() : frame.size;
      result = treat(connection, rest.substr(0, size));
      rest.remove_prefix(size);
    }
    return result;
  }

  bool close(net::ConnectionId connection) noexcept override {
    // The engine takes it for closed; the peer does not see that.
    if (kept_open_.contains(key_of(connection))) {
      return true;
    }
    delayed_.erase(key_of(connection));
    return inner().close(connection);
  }

  bool close_after_flush(net::ConnectionId connection, std::int64_t deadline_ns) noexcept override {
    if (kept_open_.contains(key_of(connection))) {
      return true;
    }
    delayed_.erase(key_of(connection));
    return inner().close_after_flush(connection, deadline_ns);
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] static Key key_of(net::ConnectionId connection) noexcept {
    return {connection.slot, connection.generation};
  }

  struct Delayed {
    std::int64_t due_ns;
    std::string bytes;
  };

  net::SendResult treat(net::ConnectionId connection, std::string_view message) noexcept {
    const FaultRule* const rule = rules_.match(FaultPlace::Bytes, message);
    if (rule == nullptr) {
      return pass_on(connection, message, 0);
    }
    switch (rule->action) {
      case FaultAction::Lose:
        return net::SendResult::Sent;
      case FaultAction::Twice:
        static_cast<void>(pass_on(connection, message, 0));
        return pass_on(connection, message, 0);
      case FaultAction::Halve:
        static_cast<void>(pass_on(connection, message.substr(0, message.size() / 2), 0));
        end(connection);
        return net::SendResult::Closed;
      case FaultAction::Close:
        end(connection);
        return net::SendResult::Closed;
      case FaultAction::KeepOpen:
        kept_open_.insert(key_of(connection));
        return pass_on(connection, message, 0);
      case FaultAction::Delay:
        return pass_on(connection, message, rule->delay_ns);
      default:
        return pass_on(connection, faulty(message, *rule), 0);
    }
  }

  void end(net::ConnectionId connection) noexcept {
    static_cast<void>(
        inner().close_after_flush(connection, inner().now().steady_ns + base::ns_per_second));
  }

  net::SendResult pass_on(net::ConnectionId connection, std::string_view bytes,
                          std::int64_t delay_ns) noexcept {
    const auto waiting = delayed_.find(key_of(connection));
    if (delay_ns == 0 && waiting == delayed_.end()) {
      return inner().send(connection, bytes);
    }
    const std::int64_t last = waiting == delayed_.end() ? 0 : waiting->second.back().due_ns;
    delayed_[key_of(connection)].push_back(
        {std::max(last, inner().now().steady_ns + delay_ns), std::string(bytes)});
    return net::SendResult::Sent;
  }

  void send_due(std::int64_t now_ns) noexcept {
    for (auto each = delayed_.begin(); each != delayed_.end();) {
      std::deque<Delayed>& waiting = each->second;
      while (!waiting.empty() && waiting.front().due_ns <= now_ns) {
        static_cast<void>(inner().send(net::ConnectionId{each->first.first, each->first.second},
                                       waiting.front().bytes));
        waiting.pop_front();
      }
      each = waiting.empty() ? delayed_.erase(each) : std::next(each);
    }
    inner().submit();
  }

  FaultRules& rules_;
  std::map<Key, std::deque<Delayed>> delayed_;
  std::set<Key> kept_open_;
};

}  // namespace

std::unique_ptr<net::Reactor> make_faulty_reactor(std::unique_ptr<net::Reactor> inner,
                                                  FaultRules& rules) {
  return std::make_unique<FaultyReactor>(std::move(inner), rules);
}

}  // namespace affix::inline v0::tools::exchange
