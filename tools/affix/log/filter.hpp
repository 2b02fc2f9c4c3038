// SPDX-License-Identifier: MIT
// Which entries are wanted, in the words of the command line.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"
#include "log/raw_filter.hpp"

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// What a user asked for, unchecked.
struct FilterOptions {
  std::string from{};  ///< A time stamp, a date or a time of day; empty: from the begin.
  std::string to{};    ///< The same; with less than nanoseconds its last moment is meant.
  std::string direction{};
  std::vector<std::string> types{};       ///< MsgTypes or message names; empty: all.
  std::vector<std::string> conditions{};  ///< TAG=VALUE, TAG!=VALUE, TAG~TEXT or TAG.
  std::vector<std::string> sessions{};    ///< Parts of session names, one of which must fit.
  std::vector<std::string> texts{};       ///< Each must be in the message; `|` stands for SOH.
  bool heartbeats = false;                ///< Heartbeat and TestRequest too.
};

class Filter {
 public:
  /// The error is a sentence for the user.
  [[nodiscard]] static std::expected<Filter, std::string> make(const FilterOptions& options);

  /// The part of it that needs no index.
  [[nodiscard]] RawFilter raw() const;

  /// `message` is the entry's, without fields when it has none; `names` has turned to it.
  [[nodiscard]] bool matches(const Entry& entry, const wire::MessageView& message,
                             const MessageNames& names) const;

 private:
  enum class Test : std::uint8_t { Equals, Differs, Contains, Present };

  struct Condition {
    std::uint32_t tag = 0;
    Test test = Test::Present;
    std::string text;
  };

  /// An instant, or nanoseconds since midnight.
  struct Bound {
    std::int64_t ns = 0;
    bool of_day = false;
  };

  [[nodiscard]] static std::expected<Bound, std::string> read_bound(const std::string& text,
                                                                    bool upper);
  [[nodiscard]] static std::expected<Condition, std::string> read_condition(
      const std::string& text);
  [[nodiscard]] bool matches_time(std::int64_t utc_ns) const noexcept;
  [[nodiscard]] bool matches_type(const wire::MessageView& message,
                                  const MessageNames& names) const;
  [[nodiscard]] bool matches_value(const Condition& condition, const wire::MessageView& message,
                                   const MessageNames& names) const;

  Bound from_{std::numeric_limits<std::int64_t>::min(), false};
  Bound to_{std::numeric_limits<std::int64_t>::max(), false};
  Direction direction_ = Direction::Unknown;
  std::vector<std::string> types_;
  std::vector<Condition> conditions_;
  std::vector<std::string> sessions_;
  std::vector<std::string> texts_;
  bool heartbeats_ = false;
};

}  // namespace affix::inline v0::tools::log
