// SPDX-License-Identifier: MIT
// Writes a scenario for each answer of a workflow: a request that has it, and what it must be.
#include "affix/certify/orchestra.hpp"

#include "affix/dictionary/workflow.hpp"

#include "certify/names.hpp"
#include "certify/version.hpp"
#include "certify/workflow_request.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace affix::inline v0::certify {

namespace {

using dictionary::FieldType;
using dictionary::Presence;
using dictionary::WorkflowField;
using dictionary::WorkflowMessage;
using dictionary::WorkflowReply;
using dictionary::WorkflowResponse;

constexpr std::uint32_t cl_ord_id = 11;
constexpr std::uint32_t order_id = 37;
constexpr std::uint32_t orig_cl_ord_id = 41;
constexpr std::uint32_t exec_id = 17;

/// Ids that the sender of a request makes up: ClOrdID, QuoteID, QuoteReqID, MDReqID,
/// SecurityReqID, SecurityStatusReqID, TradSesReqID, ListID, TradeRequestID, TradeReportID,
/// MassStatusReqID.
constexpr std::array<std::uint32_t, 11> request_ids{11,  117, 131, 262, 320, 324,
                                                    335, 66,  568, 571, 584};

/// Entries of a group, and messages of an answer, at most.
constexpr std::size_t group_depth_max = 4;
constexpr std::uint32_t answers_shown_max = 10;

/// Characters that an id of a scenario may have.
std::string id_of(std::string_view message, std::string_view response) {
  std::string id = std::string(message) + "-" + std::string(response);
  std::ranges::replace_if(
      id, [](char each) { return each == ':' || static_cast<unsigned char>(each) <= ' '; }, '-');
  return id;
}

/// A line of a comment or title.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char each : text) {
    const bool blank = static_cast<unsigned char>(each) <= ' ';
    if (!blank || (!line.empty() && line.back() != ' ')) {
      line += blank ? ' ' : each;
    }
  }
  return line;
}

/// "FIX.4.4" and the like; the latest FIX is played as the newest version.
const Version* version_named(std::string_view name) {
  constexpr std::string_view prefix = "FIX.";
  const Version* const version =
      name.starts_with(prefix) ? find_version(name.substr(prefix.size())) : nullptr;
  return version == nullptr ? find_version("5.0SP2") : version;
}

class OrchestraWriter {
 public:
  OrchestraWriter(const dictionary::Workflow& workflow, const OrchestraOptions& options)
      : workflow_(workflow),
        options_(options),
        version_(*version_named(workflow.version)),
        names_(options.dictionaries) {}

  std::expected<OrchestraScenarios, std::string> write() {
    for (const WorkflowMessage& message : workflow_.messages) {
      if (message.responses.empty()) {
        continue;
      }
      auto request = read_conditions(message);
      if (!request) {
        problems_ += with_file(request.error());
        continue;
      }
      requests_.push_back(std::move(*request));
    }
    if (!problems_.empty()) {
      return std::unexpected(std::move(problems_));
    }
    choose_first_order();
    for (const ReadRequest& request : requests_) {
      for (std::size_t at = 0; at < request.message->responses.size(); ++at) {
        add_scenario(request, at);
      }
    }
    result_.text = "# Made from " + options_.file + ", FIX " + std::string(version_.name) +
                   ": a scenario for each answer of its workflow.\n" + variable_lines() +
                   scenarios_;
    for (const std::string& each : result_.unmade) {
      result_.text += "\n# Not made: " + each;
    }
    result_.text += result_.unmade.empty() ? "" : "\n";
    return std::move(result_);
  }

 private:
  /// Values of a request as they are written, by tag.
  using Written = std::map<std::uint32_t, std::string>;

  /// Each line begins with the number of a line of the file.
  [[nodiscard]] std::string with_file(const std::string& lines) const {
    std::string text;
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      text += options_.file + ":" + lines.substr(at, end - at) + "\n";
      at = end + 1;
    }
    return text;
  }

  [[nodiscard]] std::string variable_lines() const {
    std::string text;
    for (const auto& [name, value] : variables_) {
      text += "let " + name + " = " + value + "\n";
    }
    return text;
  }

  [[nodiscard]] static std::string label(const WorkflowMessage& message,
                                         const WorkflowResponse& response) {
    return message.name + ", response " + response.name + " (line " +
           std::to_string(response.line) + ")";
  }

  /// The first answer to a NewOrderSingle that can be had: other messages may need an order.
  void choose_first_order() {
    const auto order = std::ranges::find_if(
        requests_, [](const ReadRequest& each) { return each.message->type == "D"; });
    if (order == requests_.end()) {
      return;
    }
    for (std::size_t at = 0; at < order->message->responses.size() && !first_order_; ++at) {
      if (order->message->responses[at].replies.empty()) {
        continue;
      }
      if (auto chosen = choose_request(*order, at, options_.states)) {
        order_message_ = order->message;
        first_order_ = std::move(*chosen);
      }
    }
  }

  void add_scenario(const ReadRequest& request, std::size_t wanted) {
    const WorkflowMessage& message = *request.message;
    const WorkflowResponse& response = message.responses[wanted];
    const auto chosen = choose_request(request, wanted, options_.states);
    if (!chosen || response.replies.empty()) {
      result_.unmade.push_back(label(message, response) + ": " +
                               (response.replies.empty() ? "it sends no message" : chosen.error()));
      return;
    }
    std::string condition;
    for (const std::string& when : response.whens) {
      condition += (condition.empty() ? " when " : " and ") + one_line(when);
    }
    steps_.clear();
    fresh_ = 0;
    Written order;
    if (order_message_ != nullptr && order_message_ != &message && needs_order(*chosen)) {
      order = add_exchange(*order_message_, *first_order_, {});
    }
    static_cast<void>(add_exchange(message, *chosen, order));
    scenarios_ += "\nscenario " + unique(id_of(message.name, response.name)) + ": " + message.name +
                  " is answered by " + response.name + condition + "\nversions " +
                  std::string(version_.name) + "\napplication\nlogon\n" + steps_;
    ++result_.count;
  }

  std::string unique(std::string id) {
    const int number = ++ids_[id];
    return number == 1 ? id : id + "-" + std::to_string(number);
  }

  /// True if the request has the id of an order, and no condition says which.
  static bool needs_order(const ChosenRequest& chosen) {
    return std::ranges::any_of(std::array{orig_cl_ord_id, order_id}, [&](std::uint32_t tag) {
      const auto found = chosen.values.find(tag);
      return found != chosen.values.end() && found->second.empty();
    });
  }

  /// Adds the steps of one request and its answers. `order` has the values of the order that the
  /// request is about.
  Written add_exchange(const WorkflowMessage& message, const ChosenRequest& chosen,
                       const Written& order) {
    Written written;
    std::string pieces;
    for (const WorkflowField& field : message.fields) {
      const auto value = chosen.values.find(field.tag);
      if (value == chosen.values.end()) {
        continue;
      }
      std::string text = request_value(field, value->second, chosen, order);
      pieces += " | " + piece(field, text);
      pieces += entry_of(field, 0);
      written[field.tag] = std::move(text);
    }
    steps_ += "> " + name_of(message) + pieces + "\n";
    add_answers(message, chosen, written);
    return written;
  }

  std::string request_value(const WorkflowField& field, const std::string& value,
                            const ChosenRequest& chosen, const Written& order) {
    const bool decided = chosen.decided.contains(field.tag) && !value.empty();
    if (!decided && std::ranges::find(request_ids, field.tag) != request_ids.end()) {
      const std::string variable = field.name + "_" + std::to_string(++fresh_);
      steps_ += "let " + variable + " = <fresh>\n";
      return "$" + variable;
    }
    const auto before = order.find(field.tag == orig_cl_ord_id ? cl_ord_id : field.tag);
    if (before != order.end() && !decided) {
      return before->second;
    }
    if (field.tag == order_id && !order.empty() && !decided) {
      return "$OrderID";
    }
    return sample(field, value, decided || !field.codes.empty());
  }

  /// A value as it is written; one that does not matter is a variable of the file.
  std::string sample(const WorkflowField& field, const std::string& value, bool matters) {
    if (matters && !value.empty()) {
      return literal(value);
    }
    switch (field.type) {
      case FieldType::UtcTimestamp:
      case FieldType::Time:
        return "<now>";
      case FieldType::UtcDateOnly:
      case FieldType::UtcDate:
      case FieldType::LocalMktDate:
      case FieldType::Date:
        return "<date>";
      case FieldType::UtcTimeOnly:
        return "12:00:00";
      default:
        break;
    }
    constexpr std::string_view text = "AFFIX";
    variables_.try_emplace(field.name, value.empty() ? text : value);
    return "$" + field.name;
  }

  /// A dollar sign begins no variable.
  static std::string literal(std::string_view value) {
    std::string text;
    for (const char each : value) {
      text += each == '$' ? "$$" : std::string(1, each);
    }
    return text;
  }

  /// Required fields of one entry of a group.
  std::string entry_of(const WorkflowField& counter, std::size_t depth) {
    std::string pieces;
    for (std::size_t at = 0; at < counter.entry.size() && depth < group_depth_max; ++at) {
      const WorkflowField& field = counter.entry[at];
      // The first field of an entry divides it from the one before.
      if (at == 0 || field.presence == Presence::Required || field.presence == Presence::Constant) {
        const std::string value = field.codes.empty() ? field.value : field.codes.front().code;
        pieces += " | " + piece(field, field.entry.empty() ? sample(field, value, true) : "1") +
                  entry_of(field, depth + 1);
      }
    }
    return pieces;
  }

  void add_answers(const WorkflowMessage& message, const ChosenRequest& chosen,
                   const Written& written) {
    std::string in_order;
    std::string at_any_time;
    bool more = false;
    for (std::size_t at = 0; at < message.responses.size(); ++at) {
      const WorkflowResponse& response = message.responses[at];
      more = more || chosen.answers[at] == Truth::Unknown;
      if (chosen.answers[at] != Truth::True) {
        continue;
      }
      for (const WorkflowReply& reply : response.replies) {
        more = more || reply.most > std::max(reply.least, 1U);
        (response.asynchronous ? at_any_time : in_order) += reply_steps(reply, message, written);
      }
    }
    steps_ += in_order;
    const auto count = std::ranges::count(at_any_time, '\n');
    steps_ += count > 1 ? "any order\n" + at_any_time + "end\n" : at_any_time;
    steps_ += more ? "rest\n" : "";
  }

  std::string reply_steps(const WorkflowReply& reply, const WorkflowMessage& request,
                          const Written& written) const {
    const WorkflowMessage* const answer = workflow_.find(reply.message, reply.scenario);
    if (answer == nullptr) {
      return {};
    }
    const auto implied = implied_values(*answer, options_.states);
    std::string pieces;
    for (const WorkflowField& field : answer->fields) {
      const std::string wanted = expectation(field, request, written, implied);
      pieces += wanted.empty() ? "" : " | " + wanted;
    }
    const std::string step =
        (reply.least == 0 ? "maybe < " : "< ") + name_of(*answer) + pieces + "\n";
    std::string steps;
    for (std::uint32_t at = 0; at < std::clamp(reply.least, 1U, answers_shown_max); ++at) {
      steps += step;
    }
    return steps;
  }

  /// A piece of an expected answer; empty: the file says nothing about the field.
  std::string expectation(const WorkflowField& field, const WorkflowMessage& request,
                          const Written& written,
                          const std::map<std::uint32_t, std::vector<std::string>>& implied) const {
    if (field.presence == Presence::Forbidden) {
      return "!" + field_name(field);
    }
    if (!field.assign.empty()) {
      const auto assigned = assigned_value(field, request, options_.states);
      const auto source = assigned ? written.find(assigned->tag) : written.end();
      if (assigned && assigned->tag == 0) {
        return piece(field, literal(assigned->text));
      }
      if (source != written.end() && !source->second.starts_with('<')) {
        return piece(field, source->second);
      }
    }
    if (const auto found = implied.find(field.tag); found != implied.end()) {
      return piece(field, one_of(found->second));
    }
    if (field.presence == Presence::Constant) {
      return piece(field, literal(field.value));
    }
    if (field.presence != Presence::Required) {
      return {};
    }
    if (field.tag == order_id) {
      return piece(field, "<keep OrderID>");
    }
    if (field.tag == exec_id) {
      return piece(field, "<new ExecID>");
    }
    if (field.type == FieldType::UtcTimestamp) {
      return piece(field, "<time>");
    }
    std::vector<std::string> codes;
    for (const dictionary::Value& code : field.codes) {
      codes.push_back(code.code);
    }
    return piece(field, codes.empty() ? "*" : one_of(codes));
  }

  static std::string one_of(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) {
      text += (text.empty() ? "" : ", ") + literal(value);
    }
    return values.size() == 1 ? text : "<one of " + text + ">";
  }

  [[nodiscard]] std::string piece(const WorkflowField& field, const std::string& value) const {
    return field_name(field) + "=" + value;
  }

  /// The name, where the version's own dictionary has it too, else the tag.
  [[nodiscard]] std::string field_name(const WorkflowField& field) const {
    return names_.of(version_).tag(field.name) == field.tag ? field.name
                                                            : std::to_string(field.tag);
  }

  [[nodiscard]] std::string name_of(const WorkflowMessage& message) const {
    return names_.of(version_).type(message.name) == message.type ? message.name
                                                                  : "35=" + message.type;
  }

  const dictionary::Workflow& workflow_;
  const OrchestraOptions& options_;
  const Version& version_;
  Names names_;
  std::vector<ReadRequest> requests_;
  const WorkflowMessage* order_message_ = nullptr;
  std::optional<ChosenRequest> first_order_;  ///< Of `order_message_`.
  std::map<std::string, std::string> variables_;
  std::map<std::string, int> ids_;
  int fresh_ = 0;
  std::string steps_;  ///< Of the present scenario.
  std::string scenarios_;
  std::string problems_;
  OrchestraScenarios result_;
};

std::expected<OrchestraScenarios, std::string> scenarios_of(
    const dictionary::LoadedWorkflow& loaded, const OrchestraOptions& options) {
  if (!loaded) {
    std::string problems;
    for (const dictionary::Problem& problem : loaded.problems) {
      if (problem.severity == dictionary::Severity::Error) {
        problems += to_text(problem, options.file) + "\n";
      }
    }
    return std::unexpected(std::move(problems));
  }
  return OrchestraWriter(*loaded.workflow, options).write();
}

}  // namespace

std::expected<OrchestraScenarios, std::string> scenarios_of_orchestra(
    std::string_view xml, const OrchestraOptions& options) {
  return scenarios_of(dictionary::load_workflow_text(xml), options);
}

std::expected<OrchestraScenarios, std::string> scenarios_of_orchestra_file(
    const std::string& path, const OrchestraOptions& options) {
  return scenarios_of(dictionary::load_workflow(path), options);
}

}  // namespace affix::inline v0::certify
