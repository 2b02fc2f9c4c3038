// SPDX-License-Identifier: MIT
// Chooses the values of a request for which a workflow gives one answer, and not another.
#pragma once

#include "affix/dictionary/workflow.hpp"

#include "certify/score.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

using States = std::map<std::string, std::string, std::less<>>;

/// A message with conditions, read.
struct ReadRequest {
  const dictionary::WorkflowMessage* message = nullptr;
  std::vector<std::vector<Expression>> conditions{};  ///< Of each response.
  std::map<std::uint32_t, std::vector<std::pair<dictionary::Presence, Expression>>> rules{};
};

/// The error is a line for each expression that cannot be read.
[[nodiscard]] std::expected<ReadRequest, std::string> read_conditions(
    const dictionary::WorkflowMessage& message);

/// Fields of the request that its answers depend on.
struct ChosenRequest {
  /// Of the fields that are present. "": a text or time of any value.
  std::map<std::uint32_t, std::string> values{};
  std::set<std::uint32_t> decided{};  ///< Fields on which answers depend.
  std::vector<Truth> answers{};       ///< Whether each response is given.
};

/// Values for which the response at `wanted` is given, and as few others as possible. Fields obey
/// their presence and rules, unless only an invalid message has that answer. Bounded work. The
/// error is a reason: "its condition is of $Market.Phase, which only the engine knows".
[[nodiscard]] std::expected<ChosenRequest, std::string> choose_request(const ReadRequest& request,
                                                                       std::size_t wanted,
                                                                       const States& states);

/// Value of an answer's field, from its `assign`: a text, or the tag of the request's field that is
/// taken over; nothing: it is not known.
struct AssignedValue {
  std::uint32_t tag = 0;  ///< 0: `text` it is.
  std::string text{};
};

[[nodiscard]] std::optional<AssignedValue> assigned_value(
    const dictionary::WorkflowField& field, const dictionary::WorkflowMessage& request,
    const States& states);

/// Values that an answer's condition gives to fields: of its parts joined by `and`, those of the
/// form FIELD == VALUE, and FIELD in {VALUES}.
[[nodiscard]] std::map<std::uint32_t, std::vector<std::string>> implied_values(
    const dictionary::WorkflowMessage& answer, const States& states);

/// The message's field of that name, or null.
[[nodiscard]] const dictionary::WorkflowField* find_field(
    const dictionary::WorkflowMessage& message, std::string_view name);

}  // namespace affix::inline v0::certify
