// SPDX-License-Identifier: MIT
// Acknowledged and silenced alerts, as decided by operators. Uses no clock, file or thread.
#pragma once

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

  /// Repeating it replaces the comment. Errors of this class are sentences.
  [[nodiscard]] std::expected<void, std::string> acknowledge(const Alert& alert, AlertMark mark);

  [[nodiscard]] std::expected<void, std::string> withdraw(const Alert& alert);

  /// Adds a silence and returns its new id.
  [[nodiscard]] std::expected<std::uint64_t, std::string> silence(Silence silence);

  [[nodiscard]] std::expected<Silence, std::string> end_silence(std::uint64_t id);

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

  /// The error describes the fault; then nothing of the text is used.
  [[nodiscard]] static std::expected<AlertBook, std::string> of_text(std::string_view text);

 private:
  std::vector<Acknowledgement> acknowledgements_;
  std::vector<Silence> silences_;
  std::uint64_t last_id_ = 0;
};

/// Fault in a comment or pattern: control characters, invalid UTF-8, too long. Nullopt: none.
[[nodiscard]] std::optional<std::string> fault_of_text(std::string_view text, std::size_t most);

}  // namespace affix::inline v0::tools::monitor
