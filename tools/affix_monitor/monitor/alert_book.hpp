// SPDX-License-Identifier: MIT
// Acknowledged and silenced alerts, as decided by operators. Uses no clock, file or thread.
#pragma once

#include "affix/base/error.hpp"

#include "monitor/alerts.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// For one alert; it ends with the alert.
struct Acknowledgement {
  AlertKind kind = AlertKind::EngineDown;
  std::string subject;              ///< Alert::subject.
  std::uint64_t origin = 0;         ///< Alert::origin.
  std::int64_t alert_since_ns = 0;  ///< Time when the alert began.
  AlertMark mark{};

  /// Alert::id; 0: read from a file, and this process has not seen the alert yet.
  std::uint64_t alert_id = 0;
};

/// Suppresses alerts of a kind and of matching sessions until a time.
struct Silence {
  std::optional<AlertKind> kind{};  ///< Nullopt: every kind.
  std::string pattern;              ///< `*` stands for any characters, `?` for one.
  AlertMark mark{};                 ///< Has its id and its end.

  [[nodiscard]] bool covers(const Alert& alert) const noexcept;
};

/// One thread; copyable.
class AlertBook {
 public:
  static constexpr std::size_t acknowledgements_max = 20'000;
  static constexpr std::size_t silences_max = 1'000;
  static constexpr std::size_t comment_bytes_max = 500;
  static constexpr std::size_t pattern_bytes_max = 256;
  static constexpr std::int64_t seconds_min = 60;
  static constexpr std::int64_t seconds_max = 7 * 86'400;

  /// Maximum time that an acknowledgement from a file waits for its alert to be seen again.
  static constexpr std::int64_t waiting_ns_max = 600'000'000'000;

  /// Repeating it replaces the comment. Limit: more cannot be kept.
  [[nodiscard]] std::expected<void, base::Error> acknowledge(const Alert& alert, AlertMark mark);

  /// NotFound: it is not acknowledged.
  [[nodiscard]] std::expected<void, base::Error> withdraw(const Alert& alert);

  /// Adds a silence and returns its new id. Limit: more cannot be kept.
  [[nodiscard]] std::expected<std::uint64_t, base::Error> silence(Silence silence);

  /// NotFound: it is over, or never was.
  [[nodiscard]] std::expected<Silence, base::Error> end_silence(std::uint64_t id);

  /// Marks present alerts, and restores the start time of those that an earlier process has seen.
  void mark(std::vector<Alert>& current) const;

  /// Binds acknowledgements read from a file to their alerts, and removes expired entries. True:
  /// something was removed. `started_ns`: time of this process's first look.
  bool tidy(std::int64_t utc_ns, std::int64_t started_ns, const std::vector<Alert>& current);

  [[nodiscard]] const std::vector<Silence>& silences() const noexcept { return silences_; }

  [[nodiscard]] const std::vector<Acknowledgement>& acknowledgements() const noexcept {
    return acknowledgements_;
  }

  [[nodiscard]] bool empty() const noexcept {
    return acknowledgements_.empty() && silences_.empty();
  }

  /// Contents for a file.
  [[nodiscard]] std::string text() const;

  /// Damaged: nothing of the text is used.
  [[nodiscard]] static std::expected<AlertBook, base::Error> of_text(std::string_view text);

 private:
  std::vector<Acknowledgement> acknowledgements_;
  std::vector<Silence> silences_;
  std::uint64_t last_id_ = 0;
};

/// Finds a fault in a comment or pattern: control characters, invalid UTF-8, too long.
[[nodiscard]] std::expected<void, base::Error> check_text(std::string_view text, std::size_t most);

}  // namespace affix::inline v0::tools::monitor
