// SPDX-License-Identifier: MIT
// A reactor that counts; answers a Logon with its CompIDs exchanged.
#include "sink.hpp"

#include "affix/net/reactor.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <future>
#include <map>
#include <sched.h>

namespace affix_bench {
namespace {
namespace net = affix::net;
namespace wire = affix::wire;

// Time within which a sleeping sink notices the end.
constexpr std::int64_t look_ns = 50 * affix::base::ns_per_ms;

class Counting final : public net::Handler {
 public:
  Counting(net::Reactor& reactor, std::atomic<std::uint64_t>& orders)
      : reactor_(reactor), orders_(orders) {}

  void on_drained(net::ConnectionId) noexcept override {}

  void on_closed(net::ConnectionId connection, net::CloseReason, int) noexcept override {
    framers_.erase(connection.slot);
  }

  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     affix::base::PaddedBytes bytes) noexcept override {
    wire::Framer& framer = framers_[connection.slot];
    std::size_t done = 0;
    std::uint64_t orders = 0;
    while (done < bytes.size) {
      const std::string_view rest = bytes.view().substr(done);
      const wire::Frame frame = framer.next(rest);
      if (frame.status != wire::FrameStatus::Complete) {
        done += frame.size;
        break;
      }
      const std::string_view message = rest.substr(0, frame.size);
      if (message.find("\x01"
                       "35=A\x01") < 32) {
        answer_logon(connection, message);
      } else if (message.find("\x01"
                              "35=D\x01") < 32) {
        ++orders;
      }
      done += frame.size;
    }
    orders_.fetch_add(orders, std::memory_order_relaxed);  // Only compared, after all was sent.
    return done;
  }

 private:
  void answer_logon(net::ConnectionId connection, std::string_view logon) {
    wire::FieldIndexOf<64> index;
    wire::index_message(logon, index);
    const wire::MessageView view(logon, index);
    std::array<char, 512> buffer;
    wire::Encoder answer(buffer);
    answer.begin(view.value_or_null(8), "A");
    answer.integer(34, 1);
    answer.text(49, view.value_or_null(56));
    if (view.has(57)) {
      answer.text(50, view.value_or_null(57));
    }
    answer.utc_time(52, {reactor_.now().utc_ns, 0}, wire::TimePrecision::Millis);
    answer.text(56, view.value_or_null(49));
    if (view.has(50)) {
      answer.text(57, view.value_or_null(50));
    }
    answer.character(98, '0');
    answer.text(108, view.value_or_null(108));
    if (view.has(141)) {
      answer.text(141, view.value_or_null(141));
    }
    answer.text(1137, view.value_or_null(1137));
    if (const auto bytes = answer.finish()) {
      static_cast<void>(reactor_.send(connection, *bytes));
    }
  }

  net::Reactor& reactor_;
  std::atomic<std::uint64_t>& orders_;
  std::map<std::uint32_t, wire::Framer> framers_;
};

}  // namespace

void pin_thread(int core) noexcept {
  if (core >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    ::sched_setaffinity(0, sizeof set, &set);
  }
}

Sink::Sink(int core, bool spin) {
  std::promise<std::uint16_t> port;
  auto listening = port.get_future();
  thread_ = std::thread([this, core, spin, &port] {
    pin_thread(core);
    auto reactor = net::make_reactor("epoll", {});
    const auto address = net::Address::parse("127.0.0.1:0");
    if (!reactor || !address) {
      port.set_value(0);
      return;
    }
    const auto listener = (*reactor)->listen(*address, {});
    port.set_value(listener ? listener->address.port() : std::uint16_t{0});
    Counting counting(**reactor, orders_);
    while (!stop_.load(std::memory_order_relaxed)) {  // No other data depends on it.
      const affix::base::Now now = (*reactor)->now();
      static_cast<void>((*reactor)->poll(
          now, spin ? net::Wait::spin() : net::Wait::block_until(now.steady_ns + look_ns),
          counting));
    }
  });
  port_ = listening.get();
}

Sink::~Sink() {
  stop_.store(true, std::memory_order_relaxed);  // Seen within look_ns; join() orders the rest.
  thread_.join();
}

}  // namespace affix_bench
