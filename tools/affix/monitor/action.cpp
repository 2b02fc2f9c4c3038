// SPDX-License-Identifier: MIT
// A client of the administration port, for one command at a time.
#include "monitor/action.hpp"

#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/clock.hpp"

#include "monitor/access.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t patience_ns = 3 * base::ns_per_second;
constexpr std::size_t arguments_max = 62;

/// The port's own limit is four million; what comes around it is not much.
constexpr std::size_t answer_bytes_max = 5'000'000;

/// These say something about the connection, which is ours, or never end.
constexpr std::array<std::string_view, 3> refused_commands{"auth", "quit", "tap"};

std::expected<TlsChannel, std::string> connect_to(const AdminPlace& place,
                                                  std::int64_t deadline_ns) {
  const auto address = net::Address::parse(place.address);
  if (!address) {
    return std::unexpected(address.error().text());
  }
  const auto fail = [&] {
    return std::unexpected("the administration port " + place.address +
                           " cannot be reached: " + std::strerror(errno));
  };
  const int socket = ::socket(address->is_ipv6() ? AF_INET6 : AF_INET,
                              SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) {
    return fail();
  }
  TlsChannel channel(socket);
  if (::connect(socket, address->native(), static_cast<socklen_t>(address->native_size())) != 0) {
    const int milliseconds =
        static_cast<int>((deadline_ns - net::now().steady_ns) / base::ns_per_ms);
    pollfd one{socket, POLLOUT, 0};
    int error = errno;
    socklen_t size = sizeof(error);
    if (error == EINPROGRESS) {
      error = ETIMEDOUT;
      if (::poll(&one, 1, std::max(milliseconds, 0)) == 1) {
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
      }
    }
    if (error != 0) {
      errno = error;
      return fail();
    }
  }
  if (place.tls && !channel.begin_tls(*place.tls, false, deadline_ns)) {
    return std::unexpected("the administration port " + place.address +
                           " has another certificate, or speaks no TLS");
  }
  return channel;
}

/// One line without its end; nothing when none comes in time.
std::optional<std::string> read_line(TlsChannel& channel, std::string& unread,
                                     std::int64_t deadline_ns) {
  std::array<char, 16'384> buffer;
  for (std::size_t looked_at = 0;;) {
    const std::size_t end = unread.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string line = unread.substr(0, end);
      unread.erase(0, end + 1);
      return line;
    }
    looked_at = unread.size();
    const long got = channel.read(buffer.data(), buffer.size(), deadline_ns);
    if (got <= 0 || unread.size() > answer_bytes_max) {
      return std::nullopt;
    }
    unread.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// The answer to the line with this id.
std::optional<Json> ask(TlsChannel& channel, std::string& unread, const std::string& line, int id,
                        std::int64_t deadline_ns) {
  if (!channel.write(line + "\n", deadline_ns)) {
    return std::nullopt;
  }
  while (const auto answer = read_line(channel, unread, deadline_ns)) {
    Json json = Json::parse(*answer, nullptr, false);
    if (json.is_object() && json.value("id", Json()) == Json(id)) {
      return json;
    }
  }
  return std::nullopt;
}

}  // namespace

std::expected<AdminPlace, std::string> admin_place_of(const engine::ManagementSettings& settings,
                                                      const std::string& address) {
  AdminPlace place;
  if (settings.management_operate_token.empty() && settings.management_users_file.empty()) {
    return std::unexpected(
        "--operate needs management_operate_token or management_users_file in [ENGINE]");
  }
  if (!settings.management_tls_ca_file.empty()) {
    return std::unexpected(
        "--operate does not go with management_tls_ca_file: the monitor has no certificate");
  }
  if (!address.empty()) {
    const auto parsed = net::Address::parse(address);
    if (!parsed || parsed->port() == 0) {
      return std::unexpected("--admin is an address and a port, not '" + address + "'");
    }
    place.address = address;
  } else {
    const auto parsed = engine::management_address_of(settings);
    if (!parsed) {
      return std::unexpected(parsed.error().text());
    }
    if (parsed->port() == 0) {
      return std::unexpected("--operate needs management_server_port in [ENGINE], or --admin");
    }
    place.address = parsed->text();
  }
  if (!settings.management_tls_certificate_file.empty()) {
    auto tls = TlsContext::for_client(settings.management_tls_certificate_file);
    if (!tls) {
      return std::unexpected(tls.error().text());
    }
    place.tls = std::move(*tls);
  }
  return place;
}

std::expected<std::string, std::string> command_line_of(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) {
    return std::unexpected("an action is a JSON object");
  }
  for (const auto& [key, value] : json.items()) {
    if (key != "command" && key != "session" && key != "arguments") {
      return std::unexpected("an action has command, session and arguments, and no other member");
    }
  }
  const Json command = json.value("command", Json());
  const Json session = json.value("session", Json(""));
  const Json arguments = json.value("arguments", Json::array());
  if (!command.is_string() || !session.is_string() || !arguments.is_array() ||
      arguments.size() > arguments_max) {
    return std::unexpected("command and session are strings, arguments a list of at most " +
                           std::to_string(arguments_max));
  }
  if (std::ranges::find(refused_commands, command.get<std::string>()) != refused_commands.end()) {
    return std::unexpected("this command is not for the monitor");
  }
  Json line{{"id", 2}, {"command", command}, {"arguments", Json::array()}};
  if (!session.get<std::string>().empty()) {
    line["arguments"].push_back(session);
  }
  for (const Json& argument : arguments) {
    if (!argument.is_string() && !argument.is_number_integer() && !argument.is_boolean()) {
      return std::unexpected("arguments are strings, whole numbers and booleans");
    }
    line["arguments"].push_back(argument);
  }
  // Control characters are escaped, so that this is one line whatever the body held.
  return line.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Answer answer_action(const Request& request, const AdminPlace& place) {
  const auto line = command_line_of(request.body);
  if (!line) {
    return refuse(400, line.error());
  }
  if (place.address.empty()) {
    return refuse(503, "there is no administration port");
  }
  const std::int64_t deadline_ns = net::now().steady_ns + patience_ns;
  auto channel = connect_to(place, deadline_ns);
  if (!channel) {
    return refuse(503, channel.error());
  }
  std::string unread;
  const Json token{{"id", 1},
                   {"command", "auth"},
                   {"arguments", {std::string(bearer_token(request.authorization))}}};
  const auto known = ask(*channel, unread,
                         token.dump(-1, ' ', true, Json::error_handler_t::replace), 1, deadline_ns);
  if (!known || known->value("status", "") != "done") {
    return refuse(503, "the administration port does not take the token");
  }
  auto answer = ask(*channel, unread, *line, 2, deadline_ns);
  if (!answer) {
    return refuse(503,
                  "the administration port has not answered; what was asked may have been done");
  }
  answer->erase("id");
  for (const auto& [key, otherwise] : {std::pair<const char*, Json>{"columns", Json::array()},
                                       {"rows", Json::array()},
                                       {"cut", Json(false)}}) {
    if (!answer->contains(key)) {
      (*answer)[key] = otherwise;
    }
  }
  return {
      200, "application/json", answer->dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

}  // namespace affix::inline v0::tools::monitor
