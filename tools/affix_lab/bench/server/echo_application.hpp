// SPDX-License-Identifier: MIT
// Minimal acceptor's application for benchmarks: one report for each order.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/host/application.hpp"
#include "affix/service/event_log.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Writes the body of the report that accepts `order`: ids from `number`, the order's own terms,
/// and the time. FIX.4.2 and later.
void write_report(wire::Encoder& report, const wire::MessageView& order, std::uint64_t number,
                  std::int64_t utc_ns, bool has_transaction_type);

/// Answers every NewOrderSingle. Writes a report that the session cannot take at present when there
/// is room, so that none is lost. Sessions of one engine share only the log, so they may be on
/// several threads.
class EchoApplication final : public host::Application {
 public:
  explicit EchoApplication(service::EventLog& log) : log_(log) {}

  /// Creates each session's queue of waiting reports. Call before the engine runs; sessions of a
  /// failover group come while it runs.
  void attach(const std::vector<host::SessionHandle>& sessions);

  /// Total number of answered orders; call when the engine has stopped.
  [[nodiscard]] std::uint64_t answered() const noexcept;

  void on_session_added(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  struct Waiting {
    std::string order;
    std::uint64_t number = 0;
  };

  /// State of one session. Sessions of several threads share no cache line.
  struct alignas(base::cache_line) Member {
    std::deque<Waiting> waiting;
    std::uint64_t answered = 0;
    bool has_transaction_type = false;  ///< 20, required up to FIX.4.2.
  };

  /// False: the session takes no message at present.
  static bool send_report(host::SessionHandle session, Member& member,
                          const wire::MessageView& order, std::uint64_t number) noexcept;

  service::EventLog& log_;
  std::mutex mutex_;  // Of the list, not of its members.
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace affix::inline v0::tools::bench
