// SPDX-License-Identifier: MIT
// What a FIX Orchestra file says beside a dictionary: how the receiver of a message answers it, and
// what each scenario of a message has. For tools; allocates freely.
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
  Presence presence = Presence::Optional;
  std::string when{};  ///< An expression of the language Score, unread.
};

/// A field of one scenario of a message.
struct WorkflowField {
  std::uint32_t tag = 0;
  std::string name{};
  FieldType type = FieldType::String;
  Presence presence = Presence::Optional;
  std::string value{};         ///< Of a constant, or the default.
  std::vector<Value> codes{};  ///< Allowed values; empty: any.
  std::string assign{};        ///< Expression for the field's value in an answer, unread.
  std::vector<PresenceRule> rules{};
  std::vector<WorkflowField> entry{};  ///< Fields of a group's entry; then this is the counter.
};

/// A message that an answer consists of.
struct WorkflowReply {
  std::string message{};   ///< Its name.
  std::string scenario{};  ///< "base" if the file gives none.
  std::uint32_t least = 1;
  std::uint32_t most = 1;  ///< UINT32_MAX: any number.
};

struct WorkflowResponse {
  std::uint32_t line = 0;
  std::string name{};
  bool asynchronous = false;
  std::vector<WorkflowReply> replies{};  ///< None: only the receiver's state changes.
  std::vector<std::string> whens{};      ///< Conditions, of which each must hold; unread.
};

/// One scenario of a message.
struct WorkflowMessage {
  std::uint32_t line = 0;
  std::string name{};
  std::string type{};  ///< MsgType (35).
  std::string scenario{};
  std::string when{};                   ///< Condition of the scenario, unread; may be empty.
  std::vector<WorkflowField> fields{};  ///< Without header and trailer, components expanded.
  std::vector<WorkflowResponse> responses{};
};

struct Workflow {
  std::string version{};                    ///< "FIX.4.4"; of the latest FIX "FIX.Latest".
  std::vector<WorkflowMessage> messages{};  ///< Those with responses, and those that they name.

  [[nodiscard]] const WorkflowMessage* find(std::string_view name, std::string_view scenario) const;
};

struct LoadedWorkflow {
  std::optional<Workflow> workflow{};  ///< Set if no problem is an error.
  std::vector<Problem> problems{};     ///< By line.

  [[nodiscard]] explicit operator bool() const noexcept { return workflow.has_value(); }
};

/// Reads a FIX Orchestra file, within `limits` as load() does, which must accept it. A file without
/// responses gives a workflow without messages.
[[nodiscard]] LoadedWorkflow load_workflow(const std::string& path, const LoadLimits& limits = {});

/// Reads from memory; keeps no reference to `text`.
[[nodiscard]] LoadedWorkflow load_workflow_text(std::string_view text,
                                                const LoadLimits& limits = {});

}  // namespace affix::inline v0::dictionary
