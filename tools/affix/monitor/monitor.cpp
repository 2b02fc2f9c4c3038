// SPDX-License-Identifier: MIT
// The table of paths.
#include "monitor/monitor.hpp"

#include "affix/net/clock.hpp"

#include "monitor/metrics_text.hpp"
#include "monitor/page_files.hpp"
#include "monitor/session_facts.hpp"

#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::string_view action_path = "/api/action";
constexpr std::string_view alert_path = "/api/alert";

bool changes(const Request& request) noexcept {
  return request.path == action_path || request.path == alert_path;
}

bool wants_token(const Request& request) noexcept {
  return request.path.starts_with("/api/") || request.path == "/metrics";
}

}  // namespace

Monitor::Monitor(const Roster& roster, const Observer& observer, AlertDesk& alert_desk, Parts parts)
    : roster_(roster),
      observer_(observer),
      alert_desk_(alert_desk),
      parts_(std::move(parts)),
      access_(parts_.rules),
      journals_(roster, observer) {}

std::optional<Answer> Monitor::refuse_early(const Request& request, std::int64_t steady_ns) {
  if (auto refused = access_.refuse_host(request)) {
    return refused;
  }
  if (changes(request)) {
    if (request.method != "POST") {
      return refuse(405, "actions are POST");
    }
    if (auto refused = access_.refuse_change(request, steady_ns)) {
      return refused;
    }
    if (!request.content_type.starts_with("application/json")) {
      return refuse(400, "the Content-Type of an action is application/json");
    }
    return std::nullopt;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return refuse(405, "this path is only read: GET");
  }
  return wants_token(request) ? access_.refuse_read(request, steady_ns) : std::nullopt;
}

Answer Monitor::answer(const Request& request) {
  if (request.path == "/healthz") {
    return {200, "text/plain; charset=utf-8", "ok\n", {}};
  }
  if (!wants_token(request)) {
    return answer_page(request, parts_.page_directory);
  }
  if (request.path == action_path) {
    return answer_action(request, parts_.admin);
  }
  if (request.path == alert_path) {
    return alert_desk_.act(request, {access_.name_of(request), request.peer}, net::now().utc_ns);
  }
  if (request.path == "/api/messages") {
    return journals_.messages(request);
  }
  if (request.path == "/api/message") {
    return journals_.message(request);
  }
  if (request.path == "/api/order") {
    return journals_.order(request);
  }
  if (request.path == "/api/history") {
    return answer_history(request, observer_);
  }
  const auto snapshot = observer_.snapshot();
  if (snapshot == nullptr) {
    return refuse(503, "nothing was looked at yet");
  }
  if (request.path == "/api/session") {
    return answer_session(request, roster_, *snapshot, parts_.admin, net::now().utc_ns);
  }
  const auto plain = [&](auto make) {
    const Parameters parameters(request, {});
    return parameters.error().empty() ? make() : refuse(400, parameters.error());
  };
  if (request.path == "/api/state") {
    return answer_state(request, *snapshot, parts_.facts);
  }
  if (request.path == "/api/alerts") {
    return plain([&] { return answer_alerts(observer_, *snapshot); });
  }
  if (request.path == "/metrics") {
    // Scrapers may add parameters of their own.
    HistogramWishes wishes;
    for (const auto& [name, value] : request.query) {
      if (name == "session") {
        wishes.sessions.push_back(value);
        wishes.all = wishes.all || value == "*";
      }
    }
    return {200,
            "text/plain; version=0.0.4; charset=utf-8",
            metrics_text(*snapshot, parts_.facts, wishes),
            {}};
  }
  return refuse(404, "there is nothing at this path");
}

}  // namespace affix::inline v0::tools::monitor
