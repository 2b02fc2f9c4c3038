// SPDX-License-Identifier: MIT
// An acceptor's application that does no more than benchmarks need: a report for each order.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/engine/application.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include "process/event_log.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Writes the body of the report that accepts `order`: ids from `number`, the order's own terms
/// back, and the time. FIX.4.2 and later.
void write_report(wire::Encoder& report, const wire::MessageView& order, std::uint64_t number,
                  std::int64_t utc_ns, bool has_transaction_type);

/// Answers every NewOrderSingle. A report that the session does not take for the time being is
/// written when there is room, so that none is lost. Sessions of one engine share nothing but the
/// log, so they may be on several threads.
class EchoApplication final : public engine::Application {
 public:
  explicit EchoApplication(EventLog& log) : log_(log) {}

  /// Gives each session its place for reports that wait. Before the engine runs.
  void attach(const std::vector<engine::SessionHandle>& sessions);

  /// Orders answered, by the sessions' counts; when the engine has stopped.
  [[nodiscard]] std::uint64_t answered() const noexcept;

  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  struct Waiting {
    std::string order;
    std::uint64_t number = 0;
  };

  /// Of one session. Sessions of several threads share no cache line.
  struct alignas(base::cache_line) Member {
    std::deque<Waiting> waiting;
    std::uint64_t answered = 0;
    bool has_transaction_type = false;  ///< 20, required up to FIX.4.2.
  };

  /// False: the session takes nothing now.
  static bool send_report(engine::SessionHandle session, Member& member,
                          const wire::MessageView& order, std::uint64_t number) noexcept;

  EventLog& log_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace affix::inline v0::tools::bench
