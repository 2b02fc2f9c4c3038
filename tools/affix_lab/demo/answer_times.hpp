// SPDX-License-Identifier: MIT
// When the traders' requests were answered, by their journals, which it follows while they grow.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace affix::inline v0::tools::demo {

/// One thread.
class AnswerTimes {
 public:
  /// Width of a bar: a tenth of a second.
  static constexpr std::int64_t bar_ns = base::ns_per_second / 10;

  /// Of a journal for each trader, which need not be there yet. Bars count from `begin_utc_ns`.
  AnswerTimes(const std::vector<std::string>& journals, std::int64_t begin_utc_ns);

  /// Reads what has been stored since the last call.
  void follow();

  /// From here on the next answers are looked for: those after a trader's next Logon.
  void note_kill(std::int64_t utc_ns);

  /// Takes one record of the trader.
  void take(std::size_t trader, const affix::journal::Record& record);

  /// Number of requests that got their first answer in each bar.
  [[nodiscard]] const std::vector<std::uint32_t>& bars() const noexcept { return bars_; }

  [[nodiscard]] std::uint64_t answered() const noexcept { return answered_; }

  [[nodiscard]] std::uint64_t waiting() const noexcept;

  /// Nanoseconds from the kill to the first request that was answered after it on a new connection,
  /// of any trader. Nullopt: there is none yet.
  [[nodiscard]] std::optional<std::int64_t> first_after_kill() const noexcept;

  /// The same of the last trader to get one.
  [[nodiscard]] std::optional<std::int64_t> last_after_kill() const noexcept;

 private:
  struct Trader {
    std::string journal;
    std::optional<affix::journal::Reader> reader;
    std::unordered_set<std::string> waiting;  ///< ClOrdIDs without an answer.
    bool back = false;                        ///< It has logged on since the kill.
    std::optional<std::int64_t> answer_after_kill_ns;
  };

  std::vector<Trader> traders_;
  std::int64_t begin_utc_ns_;
  std::optional<std::int64_t> kill_utc_ns_;
  std::vector<std::uint32_t> bars_;
  std::uint64_t answered_ = 0;
};

}  // namespace affix::inline v0::tools::demo
