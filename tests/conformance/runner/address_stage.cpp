// SPDX-License-Identifier: MIT
// Uses real time: expected messages have a few seconds, and unexpected ones are awaited for as long
// as the scenario says.
#include "address_stage.hpp"

#include "affix/os/clock.hpp"

#include "socket_line.hpp"

#include <chrono>
#include <thread>

namespace affix::conformance {

namespace {

constexpr std::int64_t patience_ns = 3 * base::ns_per_second;
constexpr std::int64_t settle_ns = 50 * base::ns_per_ms;
constexpr std::chrono::milliseconds look_every{1};

class AddressStage final : public Stage {
 public:
  explicit AddressStage(const net::Address& address) : address_(address) {}

  std::unique_ptr<Line> connect() override { return SocketLine::connect(address_, lines_); }

  bool await(const std::function<bool()>& wanted) override {
    const std::int64_t begin = os::now().steady_ns;
    while (!wanted()) {
      if (os::now().steady_ns - begin > patience_ns) {
        return false;
      }
      std::this_thread::sleep_for(look_every);
    }
    return true;
  }

  void settle() override { advance(settle_ns); }

  void advance(std::int64_t ns) override {
    std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
  }

  void step_clock(std::int64_t) override {}

  std::int64_t utc_ns() const override { return os::now().utc_ns; }

  Subject* subject() override { return nullptr; }

 private:
  net::Address address_;
  SocketLines lines_;
};

}  // namespace

std::unique_ptr<Stage> make_address_stage(const net::Address& address) {
  return std::make_unique<AddressStage>(address);
}

}  // namespace affix::conformance
