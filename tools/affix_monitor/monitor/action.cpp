// SPDX-License-Identifier: MIT
// Converts a request's body to a line for the administration port.
#include "monitor/action.hpp"

#include "monitor/access.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t arguments_max = 62;

/// These concern the connection, which is the monitor's, or never end.
constexpr std::array<std::string_view, 3> refused_commands{"auth", "quit", "tap"};

}  // namespace

std::expected<CommandLine, base::Error> command_line_of(const std::string& body,
                                                        const Fleet& fleet) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) {
    return base::invalid_argument("an action is a JSON object", "M121");
  }
  for (const auto& [key, value] : json.items()) {
    if (key != "command" && key != "session" && key != "arguments" && key != "engine") {
      return base::invalid_argument(
          "an action has engine, command, session and arguments, and no other member", "M121");
    }
  }
  const Json command = json.value("command", Json());
  const Json session = json.value("session", Json(""));
  const Json arguments = json.value("arguments", Json::array());
  const Json engine = json.value("engine", Json(""));
  if (!command.is_string() || !session.is_string() || !engine.is_string() ||
      !arguments.is_array() || arguments.size() > arguments_max) {
    return base::invalid_argument(
        "engine, command and session are strings, arguments a list of at most " +
            std::to_string(arguments_max),
        "M121");
  }
  if (std::ranges::find(refused_commands, command.get<std::string>()) != refused_commands.end()) {
    return base::invalid_argument("this command is not for the monitor", "M121");
  }
  Json line{{"id", admin_line_id}, {"command", command}, {"arguments", Json::array()}};
  const auto place = fleet.chosen_place(engine.get<std::string>(), session.get<std::string>());
  if (!place) {
    return std::unexpected(place.error());
  }
  if (!place->session.empty()) {
    line["arguments"].push_back(place->session);
  }
  for (const Json& argument : arguments) {
    if (!argument.is_string() && !argument.is_number_integer() && !argument.is_boolean()) {
      return base::invalid_argument("arguments are strings, whole numbers and booleans", "M121");
    }
    line["arguments"].push_back(argument);
  }
  // Escapes control characters, so that the result is one line for any body.
  return CommandLine{place->engine, line.dump(-1, ' ', true, Json::error_handler_t::replace)};
}

Answer answer_action(const Request& request, const CommandLine& command) {
  const auto answer =
      ask_admin(command.engine->admin, bearer_token(request.authorization), command.line);
  if (!answer) {
    return refuse(503, answer.error());
  }
  return {
      200, "application/json", answer->dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

}  // namespace affix::inline v0::tools::monitor
