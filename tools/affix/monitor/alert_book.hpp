// SPDX-License-Identifier: MIT
// What operators have done about alerts: which are acknowledged, and which are to be silent for a
// time. No clock, no file and no thread here.
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

/// Of one alert; it is over with the alert.
struct Acknowledgement {
  AlertKind kind = AlertKind::EngineDown;
  std::string subject;              ///< Alert::subject.
  std::uint64_t origin = 0;         ///< Alert::origin.
  std::int64_t alert_since_ns = 0;  ///< When the alert began.
  AlertMark mark{};

  /// Alert::id; 0: read from a file, and the alert has not been seen by this process yet.
  std::uint64_t alert_id = 0;
};

/// Holds alerts of a kind and a session, or of sessions, back until its time is over.
struct Silence {
  std::optional<AlertKind> kind{};  ///< Nothing: every kind.
  std::string pattern;              ///< `*` stands for any characters, `?` for one.
  AlertMark mark{};                 ///< With its id and its end.

  [[nodiscard]] bool covers(const Alert& alert) const noexcept;
};

/// One thread; a value.
class AlertBook {
 public:
  static constexpr std::size_t acknowledgements_max = 20'000;
  static constexpr std::size_t silences_max = 1'000;
  static constexpr std::size_t comment_bytes_max = 500;
  static constexpr std::size_t pattern_bytes_max = 256;
  static constexpr std::int64_t seconds_min = 60;
  static constexpr std::int64_t seconds_max = 7 * 86'400;

  /// So long an acknowledgement from a file waits for its alert to be seen again.
  static constexpr std::int64_t waiting_ns_max = 600'000'000'000;

  /// Again with another comment: the last one holds. The error is a sentence, as of all here.
  [[nodiscard]] std::expected<void, std::string> acknowledge(const Alert& alert, AlertMark mark);

  [[nodiscard]] std::expected<void, std::string> withdraw(const Alert& alert);

  /// Gives it an id, which is the result.
  [[nodiscard]] std::expected<std::uint64_t, std::string> silence(Silence silence);

  [[nodiscard]] std::expected<Silence, std::string> end_silence(std::uint64_t id);

  /// Marks alerts that hold, and gives those that a process before this one has seen the time when
  /// they began then.
  void mark(std::vector<Alert>& current) const;

  /// Binds what was read to the alerts that it is about, and forgets what is over. Whether anything
  /// was forgotten. `started_ns`: when this process began to look.
  bool tidy(std::int64_t utc_ns, std::int64_t started_ns, const std::vector<Alert>& current);

  [[nodiscard]] const std::vector<Silence>& silences() const noexcept { return silences_; }

  [[nodiscard]] const std::vector<Acknowledgement>& acknowledgements() const noexcept {
    return acknowledgements_;
  }

  [[nodiscard]] bool empty() const noexcept {
    return acknowledgements_.empty() && silences_.empty();
  }

  /// As a file has it.
  [[nodiscard]] std::string text() const;

  /// The error says what is wrong with it; nothing of it is taken then.
  [[nodiscard]] static std::expected<AlertBook, std::string> of_text(std::string_view text);

 private:
  std::vector<Acknowledgement> acknowledgements_;
  std::vector<Silence> silences_;
  std::uint64_t last_id_ = 0;
};

/// Why a text is none for a comment or a pattern: control characters, no UTF-8, too long. Nothing:
/// it is one.
[[nodiscard]] std::optional<std::string> fault_of_text(std::string_view text, std::size_t most);

}  // namespace affix::inline v0::tools::monitor
