// SPDX-License-Identifier: MIT
// Statistics of a log: counts, rates, missing numbers, resends, and answer latencies.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"
#include "log/open_requests.hpp"
#include "measure/latency_histogram.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Pass entries in order of time.
class Statistics {
 public:
  /// Maximum number of open requests; further ones are not measured, which the result reports.
  static constexpr std::size_t requests_max = 1'000'000;

  /// `names` is set to the message.
  void add(const Entry& entry, const wire::MessageView& message, const MessageNames& names);

  [[nodiscard]] std::string text() const;

  /// The statistics as one JSON object.
  [[nodiscard]] std::string json() const;

 private:
  /// One direction of one session.
  struct Flow {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t expected = 0;  // The next number; 0 before the first.
    std::uint64_t gaps = 0;
    std::uint64_t missing = 0;
    std::uint64_t repeated = 0;  // PossDupFlag=Y.
    std::uint64_t resend_requests = 0;
    std::uint64_t resets = 0;
    std::map<std::string, std::uint64_t, std::less<>> types;
  };

  struct Session {
    std::array<Flow, 3> flows;  // By Direction.
    std::uint64_t events = 0;
    std::uint64_t held = 0;
    std::uint64_t unprocessed = 0;
  };

  void count_number(Flow& flow, const Entry& entry, const wire::MessageView& message);
  void measure(const Entry& entry, const wire::MessageView& message);
  void count_second(std::int64_t utc_ns);
  [[nodiscard]] std::string latency_text() const;

  std::map<std::string, Session, std::less<>> sessions_;
  std::map<std::string, std::string, std::less<>> type_names_;
  OpenRequests requests_{requests_max};
  LatencyHistogram latencies_;
  std::array<std::uint64_t, 64> by_power_{};  // Latencies by the number of their bits.
  std::uint64_t in_same_turn_ = 0;            // Answers with the time stamp of their request.
  std::uint64_t unclear_ = 0;                 // Times of two clocks, or of a clock that was set.
  std::uint64_t messages_ = 0;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::int64_t second_ = 0;
  std::uint64_t in_second_ = 0;
  std::uint64_t peak_ = 0;
  std::int64_t peak_second_ = 0;
};

}  // namespace affix::inline v0::tools::log
