// SPDX-License-Identifier: MIT
// The workflow of a FIX Orchestra file, beside its dictionary: how the receiver of a message
// answers it, and the fields of each scenario of a message. For tools; allocates freely.
#pragma once

#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/parts.hpp"
#include "affix/dictionary/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

/// Whether a message has a field.
enum class Presence : std::uint8_t { Optional, Required, Forbidden, Constant };

/// Replaces a field's presence where its condition holds.
struct PresenceRule {
  Presence presence = Presence::Optional;  ///< The presence then.
  std::string when{};                      ///< An expression of the language Score, unread.
};

/// A field of one scenario of a message.
struct WorkflowField {
  std::uint32_t tag = 0;                   ///< Its number.
  std::string name{};                      ///< Its name in the file.
  FieldType type = FieldType::String;      ///< Type of its values.
  Presence presence = Presence::Optional;  ///< Unless one of `rules` holds.
  std::string value{};                     ///< Of a constant, or the default.
  std::vector<Value> codes{};              ///< Allowed values; empty: any.
  std::string assign{};                ///< Expression for the field's value in an answer, unread.
  std::vector<PresenceRule> rules{};   ///< In the order of the file.
  std::vector<WorkflowField> entry{};  ///< Fields of a group's entry; then this is the counter.
};

/// A message that an answer consists of.
struct WorkflowReply {
  std::string message{};    ///< Its name.
  std::string scenario{};   ///< "base" if the file gives none.
  std::uint32_t least = 1;  ///< Smallest number of them.
  std::uint32_t most = 1;   ///< UINT32_MAX: any number.
};

/// One of the answers to a message.
struct WorkflowResponse {
  std::uint32_t line = 0;                ///< Of the file.
  std::string name{};                    ///< Its name in the file; may be empty.
  bool asynchronous = false;             ///< It comes at a time of the receiver's choice.
  std::vector<WorkflowReply> replies{};  ///< None: only the receiver's state changes.
  std::vector<std::string> whens{};      ///< Conditions, of which each must hold; unread.
};

/// One scenario of a message.
struct WorkflowMessage {
  std::uint32_t line = 0;               ///< Of the file.
  std::string name{};                   ///< Of the message.
  std::string type{};                   ///< MsgType (35).
  std::string scenario{};               ///< Name of the scenario, "base" if the file gives none.
  std::string when{};                   ///< Condition of the scenario, unread; may be empty.
  std::vector<WorkflowField> fields{};  ///< Without header and trailer, components expanded.
  std::vector<WorkflowResponse> responses{};  ///< In the order of the file.
};

/// The messages of a file that answer each other.
struct Workflow {
  std::string version{};                    ///< "FIX.4.4"; of the latest FIX "FIX.Latest".
  std::vector<WorkflowMessage> messages{};  ///< Those with responses, and those that they name.

  /// Null: there is none. Valid while this object is not changed.
  [[nodiscard]] const WorkflowMessage* find(std::string_view name, std::string_view scenario) const;
};

/// A workflow, or why there is none.
struct LoadedWorkflow {
  std::optional<Workflow> workflow{};  ///< Set if no problem is an error.
  std::vector<Problem> problems{};     ///< By line.

  /// True: there is a workflow.
  [[nodiscard]] explicit operator bool() const noexcept { return workflow.has_value(); }
};

/// Reads a FIX Orchestra file, within `limits` as load() does, which must accept it. A file without
/// responses gives a workflow without messages.
[[nodiscard]] LoadedWorkflow load_workflow(const std::string& path, const LoadLimits& limits = {});

/// Reads from memory; keeps no reference to `text`.
[[nodiscard]] LoadedWorkflow load_workflow_text(std::string_view text,
                                                const LoadLimits& limits = {});

}  // namespace affix::inline v0::dictionary
