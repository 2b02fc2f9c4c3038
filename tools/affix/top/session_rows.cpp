// SPDX-License-Identifier: MIT
// Rates, order and selection of rows.
#include "top/session_rows.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace affix::inline v0::tools::top {

namespace {

using counters::SessionCounter;

double rate(std::uint64_t before, std::uint64_t now, double seconds) {
  return seconds > 0 && now > before ? static_cast<double>(now - before) / seconds : 0;
}

bool occurs(std::string_view text, std::string_view wanted) {
  return base::lowered(text).find(base::lowered(wanted)) != std::string::npos;
}

}  // namespace

const counters::SessionReading* find_earlier(const counters::EngineReading& before,
                                             const counters::EngineReading& now,
                                             const counters::SessionReading& session) {
  if (before.started_utc_ns != now.started_utc_ns || before.process_id != now.process_id) {
    return nullptr;
  }
  // Readings have sessions in the order of their seats.
  const auto found =
      std::ranges::lower_bound(before.sessions, session.seat, {}, &counters::SessionReading::seat);
  const bool same = found != before.sessions.end() && found->seat == session.seat &&
                    found->version == session.version;
  return same ? &*found : nullptr;
}

std::vector<SessionRow> make_rows(const TimedReading& before, const TimedReading& now,
                                  const counters::EngineReading& base) {
  const double seconds = static_cast<double>(now.utc_ns - before.utc_ns) / 1e9;
  std::vector<SessionRow> rows;
  for (const counters::SessionReading& session : now.engine.sessions) {
    SessionRow& row = rows.emplace_back();
    row.now = session;
    if (const auto* const earlier = find_earlier(before.engine, now.engine, session)) {
      const auto rate_of = [&](SessionCounter which) {
        return rate((*earlier)[which], session[which], seconds);
      };
      row.received_rate = rate_of(SessionCounter::MessagesReceived);
      row.sent_rate = rate_of(SessionCounter::MessagesSent);
      row.received_byte_rate = rate_of(SessionCounter::BytesReceived);
      row.sent_byte_rate = rate_of(SessionCounter::BytesSent);
    }
    if (session.latencies == nullptr) {
      continue;
    }
    row.latencies = session.latencies;
    const auto* const first = find_earlier(base, now.engine, session);
    if (first != nullptr && first->latencies != nullptr) {
      auto since = std::make_shared<SessionRow::Latencies>();
      for (std::size_t which = 0; which < since->size(); ++which) {
        (*since)[which] = (*session.latencies)[which].since((*first->latencies)[which]);
      }
      row.latencies = std::move(since);
    }
  }
  return rows;
}

void sort_rows(std::vector<SessionRow>& rows, const Column& by, bool reversed) {
  const auto before = [&](const SessionRow& left, const SessionRow& right) {
    if (by.is_text) {
      return by.text(left, 0) < by.text(right, 0);
    }
    return by.value(left) > by.value(right);
  };
  // Rows are large, so their indices are sorted.
  std::vector<std::size_t> places(rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, [&](std::size_t left, std::size_t right) {
    const SessionRow& first = rows[reversed ? right : left];
    const SessionRow& second = rows[reversed ? left : right];
    return before(first, second) || (!before(second, first) && left < right);
  });
  std::vector<SessionRow> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t place : places) {
    sorted.push_back(std::move(rows[place]));
  }
  rows = std::move(sorted);
}

void filter_rows(std::vector<SessionRow>& rows, std::string_view text) {
  std::erase_if(rows, [text](const SessionRow& row) {
    return !occurs(row.now.name, text) && !occurs(row.now.instance, text) &&
           !occurs(to_text(row.now.standing()), text) && !occurs(state_text(row.now), text) &&
           !occurs(row.now.sender_comp_id, text) && !occurs(row.now.target_comp_id, text) &&
           !occurs(row.now.peer, text);
  });
}

}  // namespace affix::inline v0::tools::top
