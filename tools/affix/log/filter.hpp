// SPDX-License-Identifier: MIT
// Selects the entries that the options of the command line ask for.
#pragma once

#include "affix/base/error.hpp"
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

/// Options as given, unchecked.
struct FilterOptions {
  std::string from{};  ///< A time stamp, a date or a time of day; empty: from the beginning.
  std::string to{};    ///< The same; without nanoseconds, up to the last moment that it can mean.
  std::string direction{};
  std::vector<std::string> types{};       ///< MsgTypes or message names; empty: all.
  std::vector<std::string> conditions{};  ///< TAG=VALUE, TAG!=VALUE, TAG~TEXT or TAG.
  std::vector<std::string> sessions{};    ///< Parts of session names, one of which must match.
  std::vector<std::string> texts{};       ///< Each must occur in the message; `|` stands for SOH.
  bool heartbeats = false;                ///< Also show Heartbeat and TestRequest.
};

class Filter {
 public:
  /// InvalidArgument for a text that cannot be read.
  [[nodiscard]] static std::expected<Filter, base::Error> make(const FilterOptions& options);

  /// The part of the filter that needs no index.
  [[nodiscard]] RawFilter raw() const;

  /// `message` is the entry's, without fields if it has none; `names` is set to it.
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

  [[nodiscard]] static std::expected<Bound, base::Error> read_bound(const std::string& text,
                                                                    bool upper);
  [[nodiscard]] static std::expected<Condition, base::Error> read_condition(
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
