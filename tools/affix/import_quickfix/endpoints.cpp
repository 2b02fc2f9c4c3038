// SPDX-License-Identifier: MIT
// Converts addresses to connect to and to listen on, and socket settings.
#include "affix/base/text.hpp"

#include "import_quickfix/subjects.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

namespace {

constexpr std::int64_t milliseconds_max = 2'147'483'647;

struct Host {
  std::string name;
  std::string port;
};

/// Nullopt after a reported problem.
std::optional<std::string> port_of(const SessionSource& source, const Setting& setting) {
  const std::int64_t port = base::parse_number(setting.value).value_or(0);
  if (port < 1 || port > 65'535) {
    source.ledger().problem(setting, "not a port from 1 to 65535", "Q104");
    return std::nullopt;
  }
  return std::to_string(port);
}

/// SocketConnectHost, then numbered ones until one is missing; empty after a problem.
std::vector<Host> hosts_of(const SessionSource& source) {
  std::vector<Host> hosts;
  for (std::size_t number = 0;; ++number) {
    const std::string suffix = number == 0 ? std::string() : std::to_string(number);
    const Setting* const host = source.find("SocketConnectHost" + suffix);
    const Setting* const port = source.find("SocketConnectPort" + suffix);
    if (host == nullptr && port == nullptr && number != 0) {
      return hosts;
    }
    if (host == nullptr || port == nullptr) {
      const Setting* const given = host != nullptr ? host : port;
      std::string text = "SocketConnectHost";
      text.append(suffix).append(" and SocketConnectPort").append(suffix).append(" go together");
      source.ledger().problem(given != nullptr ? given->line : source.line(), std::move(text),
                              "Q104");
      return {};
    }
    if (host->value.find_first_of(" \t,;") != std::string::npos) {
      source.ledger().problem(*host, "not the name or address of a host", "Q104");
      return {};
    }
    auto number_text = port_of(source, *port);
    if (!number_text) {
      return {};
    }
    hosts.push_back({host->value, std::move(*number_text)});
  }
}

/// An IPv6 address needs brackets before a port.
std::string host_and_port(const Host& host) {
  const bool bare_ipv6 = host.name.find(':') != std::string::npos && host.name.front() != '[';
  return (bare_ipv6 ? "[" + host.name + "]" : host.name) + ":" + host.port;
}

/// `30`, or with QuickFIX/J `5;3*10;60`: counts and seconds. Empty: another form.
std::vector<std::int64_t> seconds_of_list(std::string_view list) {
  std::vector<std::int64_t> seconds;
  while (!list.empty()) {
    std::string_view piece = base::trimmed(base::take_part(list, ';'));
    if (const std::size_t times = piece.find_first_of("*x"); times != std::string_view::npos) {
      piece = base::trimmed(piece.substr(times + 1));
      if (piece.size() > 2 && piece.front() == '[' && piece.back() == ']') {
        piece = piece.substr(1, piece.size() - 2);
      }
    }
    const std::int64_t value = base::parse_number(piece).value_or(-1);
    if (value < 0) {
      return {};
    }
    seconds.push_back(value);
  }
  return seconds;
}

std::string milliseconds_text(std::int64_t seconds) {
  // A pause of 0 would be a busy loop.
  return std::to_string(std::clamp<std::int64_t>(
      seconds <= milliseconds_max / 1'000 ? seconds * 1'000 : milliseconds_max, 100,
      milliseconds_max));
}

void add_pauses(const SessionSource& source, OutputGroup& group) {
  const Setting* const setting = source.find("ReconnectInterval");
  if (setting == nullptr) {
    return;
  }
  const std::vector<std::int64_t> seconds = seconds_of_list(setting->value);
  if (seconds.empty()) {
    source.ledger().problem(*setting, "neither a number of seconds nor a list of such", "Q104");
    return;
  }
  source.differs(*setting);
  group.set("reconnect_milliseconds", milliseconds_text(seconds.front()));
  group.set("reconnect_milliseconds_max", milliseconds_text(std::ranges::max(seconds)));
}

void refuse_other_protocols(const SessionSource& source, std::string_view name) {
  const Setting* const setting = source.find(name);
  if (setting != nullptr && !base::is_same_word(setting->value, "TCP") &&
      !base::is_same_word(setting->value, "SOCKET")) {
    source.ledger().problem(*setting, "TCP is the only protocol here", "Q104");
  }
}

}  // namespace

bool add_connecting(const SessionSource& source, OutputGroup& group) {
  refuse_other_protocols(source, "SocketConnectProtocol");
  const std::vector<Host> hosts = hosts_of(source);
  if (hosts.empty()) {
    return false;
  }
  group.set("type", "client");
  group.set("primary_address", hosts[0].name);
  group.set("primary_port", hosts[0].port);
  if (hosts.size() > 1) {
    group.set("secondary_address", hosts[1].name);
    group.set("secondary_port", hosts[1].port);
  }
  std::string further;
  for (std::size_t at = 2; at < hosts.size(); ++at) {
    further += (further.empty() ? "" : ",") + host_and_port(hosts[at]);
  }
  if (!further.empty()) {
    group.set("further_addresses", further);
  }
  add_pauses(source, group);
  if (const auto seconds = source.number("SocketConnectTimeout", 1, milliseconds_max / 1'000)) {
    group.set("connect_timeout_milliseconds", milliseconds_text(*seconds));
  } else if (const Setting* const timeout = source.find("SocketTimeout")) {
    // QuickFIX/Go writes `10s`; other units are rare, and reported.
    const std::vector<std::int64_t> whole =
        seconds_of_list(std::string_view(timeout->value).substr(0, timeout->value.find('s')));
    if (whole.size() == 1 && whole[0] > 0) {
      source.differs(*timeout);
      group.set("connect_timeout_milliseconds", milliseconds_text(whole[0]));
    } else {
      source.ledger().problem(*timeout, "not a number of seconds", "Q104");
    }
  }
  if (const Setting* const local =
          source.find_first({"SocketConnectSourceHost", "SocketLocalHost"})) {
    group.set("nic_address", local->value);
  }
  return true;
}

bool add_listening(const SessionSource& source, OutputGroup& group) {
  refuse_other_protocols(source, "SocketAcceptProtocol");
  const Setting* const port = source.find("SocketAcceptPort");
  if (port == nullptr) {
    source.ledger().problem(source.line(), "SocketAcceptPort is missing", "Q104");
    return false;
  }
  const auto number = port_of(source, *port);
  if (!number) {
    return false;
  }
  group.set("type", "server");
  group.set("accept_port", *number);
  if (const Setting* const local = source.find_first({"SocketAcceptAddress", "SocketAcceptHost"})) {
    group.set("nic_address", local->value);
  }
  return true;
}

void add_socket(const SessionSource& source, OutputGroup& group) {
  struct Size {
    std::string_view name;
    std::string_view former_name;
    std::string_view key;
  };

  for (const Size& size :
       {Size{"SocketSendBufferSize", "SendBufferSize", "socket_tx_size"},
        Size{"SocketReceiveBufferSize", "ReceiveBufferSize", "socket_rx_size"}}) {
    const Setting* const setting = source.find_first({size.name, size.former_name});
    // 0 means the system's choice, as with affix.
    if (setting != nullptr && setting->value != "0") {
      if (const auto bytes = source.number(setting->name, 2'048, std::int64_t{1} << 30)) {
        group.set(size.key, std::to_string(*bytes));
      }
    }
  }
  if (const Setting* const setting = source.find_first({"SocketNodelay", "SocketTcpNoDelay"})) {
    if (const auto no_delay = source.flag(setting->name)) {
      group.set("disable_nagle", *no_delay);
    }
  }
}

}  // namespace affix::inline v0::tools::import_quickfix
