// SPDX-License-Identifier: MIT
// Reads the workflow of FIX Orchestra files that load_text() has accepted: every reference there is
// defined, and components do not contain themselves.
#include "affix/base/text.hpp"
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/workflow.hpp"

#include "dictionary/file_bytes.hpp"
#include "dictionary/problems.hpp"
#include "dictionary/xml_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace affix::inline v0::dictionary {

namespace {

constexpr std::string_view base_scenario = "base";

std::string scenario_name(const pugi::xml_node& node) {
  const std::string_view name = text_of(node, "scenario");
  return std::string(name.empty() ? base_scenario : name);
}

/// Text of an element's own, without blanks at its ends.
std::string content_of(const pugi::xml_node& node) {
  std::string text;
  for (const pugi::xml_node& part : node.children()) {
    if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) {
      text += part.value();
    }
  }
  return std::string(base::trimmed(text, " \t\r\n"));
}

Presence presence_of(const pugi::xml_node& node) {
  const std::string_view text = text_of(node, "presence");
  if (text == "required") {
    return Presence::Required;
  }
  if (text == "forbidden") {
    return Presence::Forbidden;
  }
  return text == "constant" ? Presence::Constant : Presence::Optional;
}

std::uint32_t occurrences(const pugi::xml_node& node, const char* attribute) {
  return text_of(node, attribute) == "unbounded" ? UINT32_MAX
                                                 : number_in(text_of(node, attribute)).value_or(1);
}

class WorkflowReader {
 public:
  WorkflowReader(const Dictionary& dictionary, const LoadLimits& limits, Problems& problems)
      : dictionary_(dictionary), limits_(limits), problems_(problems) {}

  Workflow read(const pugi::xml_node& root) {
    collect(root, "codeSets", "codeSet", "name", code_sets_);
    collect(root, "fields", "field", "id", fields_);
    collect(root, "components", "component", "id", components_);
    collect(root, "groups", "group", "id", groups_);
    collect(root, "messages", "message", "name", messages_);
    workflow_.version = dictionary_.version().name();
    for_each(root, "messages", "message", [this](const pugi::xml_node& node) {
      for (const pugi::xml_node& child : node.children()) {
        if (local_name(child) == "responses") {
          add_message(node);
        }
      }
    });
    // Answers, which may have answers themselves and are there then.
    for (std::size_t at = 0; at < workflow_.messages.size(); ++at) {
      const auto responses = workflow_.messages[at].responses;
      for (const WorkflowResponse& response : responses) {
        for (const WorkflowReply& reply : response.replies) {
          add_answer(reply);
        }
      }
    }
    return std::move(workflow_);
  }

 private:
  /// Definitions by name or id, and scenario.
  using Definitions = std::map<std::pair<std::string, std::string>, pugi::xml_node>;

  template <typename Take>
  static void for_each(const pugi::xml_node& root, std::string_view section,
                       std::string_view element, Take take) {
    for (const pugi::xml_node& list : root.children()) {
      if (local_name(list) != section) {
        continue;
      }
      for (const pugi::xml_node& node : list.children()) {
        if (local_name(node) == element) {
          take(node);
        }
      }
    }
  }

  static void collect(const pugi::xml_node& root, std::string_view section,
                      std::string_view element, const char* key, Definitions& definitions) {
    for_each(root, section, element, [&](const pugi::xml_node& node) {
      definitions.try_emplace({std::string(text_of(node, key)), scenario_name(node)}, node);
    });
  }

  /// The definition of that scenario, else of the base.
  static pugi::xml_node find(const Definitions& definitions, const std::string& key,
                             const std::string& scenario) {
    auto found = definitions.find({key, scenario});
    found =
        found == definitions.end() ? definitions.find({key, std::string(base_scenario)}) : found;
    // A field may have none but named scenarios.
    found = found == definitions.end() ? definitions.lower_bound({key, {}}) : found;
    return found == definitions.end() || found->first.first != key ? pugi::xml_node()
                                                                   : found->second;
  }

  void add_message(const pugi::xml_node& node) {
    if (!known_.emplace(std::string(text_of(node, "name")), scenario_name(node)).second) {
      return;
    }
    WorkflowMessage message;
    message.line = problems_.line_of(place_of(node));
    message.name = text_of(node, "name");
    message.type = text_of(node, "msgType");
    message.scenario = scenario_name(node);
    add_structure(node, message.fields, 0);
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "when") {
        message.when = content_of(child);
      } else if (local_name(child) == "responses") {
        read_responses(child, message);
      }
    }
    workflow_.messages.push_back(std::move(message));
  }

  void add_answer(const WorkflowReply& reply) {
    const auto found = messages_.find({reply.message, reply.scenario});
    if (found != messages_.end()) {
      add_message(found->second);
    }
  }

  /// Fields of the message's structure, after those of the scenario that it extends.
  void add_structure(const pugi::xml_node& node, std::vector<WorkflowField>& fields,
                     std::uint32_t depth) {
    const std::string_view extended = text_of(node, "extends");
    if (!extended.empty() && extended != scenario_name(node) && depth < limits_.depth_max) {
      const auto found =
          messages_.find({std::string(text_of(node, "name")), std::string(extended)});
      if (found != messages_.end()) {
        add_structure(found->second, fields, depth + 1);
      }
    }
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "structure") {
        add_members(child, fields, Presence::Required, 0);
      }
    }
  }

  /// `outer` is the presence of the component: its fields are required only if it is.
  void add_members(const pugi::xml_node& parent, std::vector<WorkflowField>& fields, Presence outer,
                   std::uint32_t depth) {
    if (depth > limits_.component_depth_max) {
      return;
    }
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view element = local_name(node);
      const std::string id(text_of(node, "id"));
      if (element == "fieldRef") {
        add_field(node, fields, outer);
      } else if (element == "componentRef") {
        const pugi::xml_node component = find(components_, id, scenario_name(node));
        const std::string_view name = text_of(component, "name");
        if (name != "StandardHeader" && name != "StandardTrailer") {
          add_members(component, fields, inner(presence_of(node), outer), depth + 1);
        }
      } else if (element == "groupRef") {
        add_group(node, find(groups_, id, scenario_name(node)), fields, outer, depth);
      }
    }
  }

  static Presence inner(Presence presence, Presence outer) {
    return outer == Presence::Forbidden ||
                   (outer == Presence::Optional && presence != Presence::Forbidden)
               ? outer
               : presence;
  }

  void add_field(const pugi::xml_node& node, std::vector<WorkflowField>& fields, Presence outer) {
    const auto tag = number_in(text_of(node, "id"));
    const Field* const known = tag ? dictionary_.find_field(*tag) : nullptr;
    if (known == nullptr) {
      return;
    }
    WorkflowField field;
    field.tag = *tag;
    field.name = known->name;
    field.type = known->type;
    field.presence = inner(presence_of(node), outer);
    field.value = text_of(node, "value");
    const pugi::xml_node definition = find(fields_, std::to_string(*tag), scenario_name(node));
    field.codes = codes_of(definition, node);
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "assign") {
        field.assign = content_of(child);
      } else if (local_name(child) == "rule") {
        field.rules.push_back({presence_of(child), when_of(child)});
      }
    }
    put(fields, std::move(field));
  }

  /// A later definition of a field replaces an earlier one: an extending scenario's that of the
  /// extended.
  void put(std::vector<WorkflowField>& fields, WorkflowField field) {
    if (++members_ > limits_.expanded_total_max) {
      return;
    }
    const auto found = std::ranges::find(fields, field.tag, &WorkflowField::tag);
    if (found == fields.end()) {
      fields.push_back(std::move(field));
    } else {
      *found = std::move(field);
    }
  }

  static std::string when_of(const pugi::xml_node& node) {
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "when") {
        return content_of(child);
      }
    }
    return {};
  }

  /// Codes of the field's code set: of the reference's scenario, where there is one of that name.
  [[nodiscard]] std::vector<Value> codes_of(const pugi::xml_node& definition,
                                            const pugi::xml_node& reference) const {
    const std::string set(text_of(definition, has(definition, "codeSet") ? "codeSet" : "type"));
    const auto own = code_sets_.find({set, scenario_name(reference)});
    const pugi::xml_node node =
        own == code_sets_.end() ? find(code_sets_, set, scenario_name(definition)) : own->second;
    std::vector<Value> codes;
    for (const pugi::xml_node& code : node.children()) {
      if (local_name(code) == "code" && text_of(code, "supported") != "forbidden") {
        codes.push_back({std::string(text_of(code, "value")), std::string(text_of(code, "name"))});
      }
    }
    return codes;
  }

  void add_group(const pugi::xml_node& reference, const pugi::xml_node& group,
                 std::vector<WorkflowField>& fields, Presence outer, std::uint32_t depth) {
    WorkflowField counter;
    for (const pugi::xml_node& child : group.children()) {
      if (local_name(child) == "numInGroup") {
        counter.tag = number_in(text_of(child, "id")).value_or(0);
      }
    }
    const Field* const known = dictionary_.find_field(counter.tag);
    if (known == nullptr) {
      return;
    }
    counter.name = known->name;
    counter.type = known->type;
    counter.presence = inner(presence_of(reference), outer);
    add_members(group, counter.entry, Presence::Required, depth + 1);
    put(fields, std::move(counter));
  }

  void read_responses(const pugi::xml_node& list, WorkflowMessage& message) {
    for (const pugi::xml_node& node : list.children()) {
      if (local_name(node) != "response") {
        continue;
      }
      WorkflowResponse response;
      response.line = problems_.line_of(place_of(node));
      response.name = text_of(node, "name");
      response.asynchronous = text_of(node, "sync") == "asynchronous";
      for (const pugi::xml_node& child : node.children()) {
        if (local_name(child) == "messageRef") {
          response.replies.push_back(read_reply(child));
        } else if (local_name(child) == "when") {
          response.whens.push_back(content_of(child));
        }
      }
      message.responses.push_back(std::move(response));
    }
  }

  WorkflowReply read_reply(const pugi::xml_node& node) {
    WorkflowReply reply{std::string(text_of(node, "name")), scenario_name(node),
                        occurrences(node, "implMinOccurs"), occurrences(node, "implMaxOccurs")};
    if (!messages_.contains({reply.message, reply.scenario})) {
      problems_.error(place_of(node), reply.message,
                      "scenario " + in_quotes(reply.scenario) + " of message " +
                          in_quotes(reply.message) + " is not defined",
                      "D116");
    }
    return reply;
  }

  const Dictionary& dictionary_;
  const LoadLimits& limits_;
  Problems& problems_;
  Definitions code_sets_;
  Definitions fields_;
  Definitions components_;
  Definitions groups_;
  Definitions messages_;
  std::set<std::pair<std::string, std::string>> known_;
  std::uint32_t members_ = 0;
  Workflow workflow_;
};

}  // namespace

const WorkflowMessage* Workflow::find(std::string_view name, std::string_view scenario) const {
  const auto found = std::ranges::find_if(messages, [&](const WorkflowMessage& message) {
    return message.name == name && message.scenario == scenario;
  });
  return found == messages.end() ? nullptr : &*found;
}

LoadedWorkflow load_workflow_text(std::string_view text, const LoadLimits& limits) {
  Loaded loaded = load_text(text, limits);
  LoadedWorkflow result;
  result.problems = std::move(loaded.problems);
  if (!loaded) {
    return result;
  }
  Problems problems(limits.problems_max);
  XmlTree tree;
  if (loaded.format != Format::Orchestra || !tree.parse(text, limits, problems)) {
    problems.error(whole_file, {},
                   "the root element is no <repository>: only FIX Orchestra has workflow", "D106");
  } else {
    result.workflow = WorkflowReader(*loaded.dictionary, limits, problems).read(tree.root());
  }
  if (problems.has_errors()) {
    result.workflow.reset();
  }
  std::vector<Problem> more = problems.take();
  std::erase_if(more, [&](const Problem& problem) {  // As load_text() has said.
    return std::ranges::find(result.problems, problem) != result.problems.end();
  });
  result.problems.insert(result.problems.end(), more.begin(), more.end());
  std::ranges::sort(result.problems, {},
                    [](const Problem& problem) { return std::pair(problem.line, problem.text); });
  return result;
}

LoadedWorkflow load_workflow(const std::string& path, const LoadLimits& limits) {
  const auto bytes = read_file_bytes(path, limits.bytes_max);
  if (!bytes) {
    return {.problems = {bytes.error()}};
  }
  return load_workflow_text(*bytes, limits);
}

}  // namespace affix::inline v0::dictionary
