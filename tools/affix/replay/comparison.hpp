// SPDX-License-Identifier: MIT
// Compares recorded answers with received ones: pairs them, and reports differences. Independent of
// sessions and time.
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
  std::vector<std::uint32_t> ignored;  ///< Fields whose values and presence are not compared.
  /// Fields whose values the answering side generates: another value is no difference as long as
  /// old and new values correspond one to one.
  std::vector<std::uint32_t> renamed;
};

/// A difference in one field. Empty: the field is missing.
struct FieldDifference {
  std::uint32_t tag = 0;
  std::string before;
  std::string after;
};

/// A pair of answers that differ.
struct AnswerDifference {
  RecordedMessage before;
  RecordedMessage after;
  std::vector<FieldDifference> fields;
};

/// Answers are paired if type, ClOrdID, OrigClOrdID, MDReqID and Symbol are equal; among several,
/// the earliest. The order of other answers is not compared: unrelated orders may be answered in
/// any order.
class Comparison {
 public:
  explicit Comparison(ComparisonOptions options) : options_(std::move(options)) {}

  void expect(RecordedMessage answer);
  void receive(RecordedMessage answer);

  /// Number of answers still expected.
  [[nodiscard]] std::size_t open_count() const noexcept { return missing_.size(); }

  /// The value to send in place of the recorded `value`: the present equivalent of a renamed
  /// field's value.
  [[nodiscard]] std::string_view current_value(std::uint32_t tag, std::string_view value) const;

  [[nodiscard]] std::size_t same_count() const noexcept { return same_; }

  [[nodiscard]] const std::vector<AnswerDifference>& differences() const noexcept {
    return differences_;
  }

  /// Recorded answers that did not arrive; received answers that were not recorded.
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
