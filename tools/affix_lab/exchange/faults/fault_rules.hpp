// SPDX-License-Identifier: MIT
// Rules by which a venue misbehaves, read from a text file. docs/reference/exchange-and-trade.md
// describes them. Pure: text and messages in, decisions out.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::exchange {

enum class FaultAction : std::uint8_t {
  // Of messages from members.
  Reject,  ///< Answers with a rejection.
  Ignore,  ///< Does not answer.
  // Of messages to members, before they get a number.
  Withhold,  ///< Is not sent.
  Repeat,    ///< Is sent twice, each with its own number.
  // Of the bytes to members.
  Lose,      ///< Is not sent, and has a number: a gap.
  Twice,     ///< The bytes are sent twice, with one number.
  Change,    ///< The first field FaultRule::tag has the value FaultRule::text.
  Remove,    ///< The first field FaultRule::tag is left out.
  Checksum,  ///< CheckSum is one too large.
  Length,    ///< BodyLength is one too small.
  Halve,     ///< The first half is sent, then the connection ends.
  Close,     ///< The connection ends instead.
  KeepOpen,  ///< The connection stays open after the message, though the session ends it.
  Delay,     ///< Leaves after FaultRule::delay_ns, as does everything after it.
};

/// Stage of a message at which an action applies.
enum class FaultPlace : std::uint8_t { Request, Answer, Bytes };

[[nodiscard]] FaultPlace place_of(FaultAction action) noexcept;

/// One line of the file.
struct FaultRule {
  enum class Pace : std::uint8_t { Always, Every, First, After };

  int line = 0;
  std::vector<std::string> types;                                 ///< MsgTypes; empty: all.
  std::vector<std::pair<std::string, std::string>> conditions{};  ///< Tag and value; "*": any.
  Pace pace = Pace::Always;
  std::uint64_t count = 0;  ///< For the pace.
  FaultAction action = FaultAction::Ignore;
  std::string tag{};
  std::string text{};
  std::int64_t delay_ns = 0;
  std::uint64_t matched = 0;  ///< Messages that had type and conditions so far.
};

class FaultRules {
 public:
  /// The error has every problem, a line each, with `file`.
  [[nodiscard]] static std::expected<FaultRules, std::string> parse(std::string_view text,
                                                                    const std::string& file);

  [[nodiscard]] static std::expected<FaultRules, std::string> read(const std::string& file);

  /// The first rule of this place that applies to the message, or null; counts it for each rule up
  /// to that one. Valid until the rules are replaced.
  [[nodiscard]] const FaultRule* match(FaultPlace place, std::string_view message) noexcept;

  /// Symbols in which nothing is traded.
  [[nodiscard]] const std::vector<std::string>& halted() const noexcept { return halted_; }

 private:
  std::vector<FaultRule> rules_;
  std::vector<std::string> halted_;
};

/// `message` after Change, Remove, Checksum or Length, with a right length and checksum otherwise.
[[nodiscard]] std::string faulty(std::string_view message, const FaultRule& rule);

}  // namespace affix::inline v0::tools::exchange
