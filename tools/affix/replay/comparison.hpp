// SPDX-License-Identifier: MIT
// Answers that a journal holds beside answers that came: which belong together, and how they
// differ. Knows no session and no time.
#pragma once

#include "replay/recorded_message.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::replay {

struct ComparisonOptions {
  std::vector<std::uint32_t>
      ignored;  ///< Fields whose values are not compared, nor that they are there.
  /// Fields whose values the answering side makes up: another value is no difference as long as
  /// each old value stands for one new one and the other way round.
  std::vector<std::uint32_t> renamed;
};

/// What of an answer is another now. Empty: it is not there.
struct FieldDifference {
  std::uint32_t tag = 0;
  std::string before;
  std::string after;
};

/// A pair that differs.
struct AnswerDifference {
  RecordedMessage before;
  RecordedMessage after;
  std::vector<FieldDifference> fields;
};

/// Answers belong together when type, ClOrdID, OrigClOrdID, MDReqID and Symbol are the same; of
/// several the earliest. Order between others is not compared: orders that have nothing to do with
/// each other may be answered in any order.
class Comparison {
 public:
  explicit Comparison(ComparisonOptions options) : options_(std::move(options)) {}

  void expect(RecordedMessage answer);
  void receive(RecordedMessage answer);

  /// Answers that are awaited still.
  [[nodiscard]] std::size_t open_count() const noexcept { return missing_.size(); }

  /// The value to send where the journal has `value`: what a renamed field's value stands for now.
  [[nodiscard]] std::string_view current_value(std::uint32_t tag, std::string_view value) const;

  [[nodiscard]] std::size_t same_count() const noexcept { return same_; }

  [[nodiscard]] const std::vector<AnswerDifference>& differences() const noexcept {
    return differences_;
  }

  /// Those the journal has and that did not come; those that came and it does not have.
  [[nodiscard]] const std::deque<RecordedMessage>& missing() const noexcept { return missing_; }

  [[nodiscard]] const std::deque<RecordedMessage>& extra() const noexcept { return extra_; }

 private:
  using Names = std::map<std::string, std::string, std::less<>>;

  void compare(RecordedMessage before, RecordedMessage after);
  [[nodiscard]] bool renamed_alike(std::uint32_t tag, const std::string& before,
                                   const std::string& after);
  void compare_fields(const std::vector<RecordedField>& before,
                      const std::vector<RecordedField>& after,
                      std::vector<FieldDifference>& differences);

  ComparisonOptions options_;
  std::map<std::uint32_t, Names> new_names_;  ///< By tag: old value to new one.
  std::map<std::uint32_t, Names> old_names_;
  std::deque<RecordedMessage> missing_;
  std::deque<RecordedMessage> extra_;
  std::vector<AnswerDifference> differences_;
  std::size_t same_ = 0;
};

}  // namespace affix::inline v0::tools::replay
