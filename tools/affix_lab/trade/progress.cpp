// SPDX-License-Identifier: MIT
// Displays and summarises a trading run.
#include "trade/progress.hpp"

#include "affix/wire/convert.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <vector>

namespace affix::inline v0::tools::trade {

namespace {

constexpr std::int64_t line_ns = base::ns_per_second;
constexpr std::int64_t rate_window_ns = base::ns_per_second / 2;

struct Percentile {
  const char* name;
  double fraction;
};

constexpr std::array percentiles{Percentile{"p50", 0.50}, Percentile{"p90", 0.90},
                                 Percentile{"p99", 0.99}, Percentile{"p99.9", 0.999}};

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(base::ns_per_second);
}

std::string decimal_text(base::Decimal value) {
  std::array<char, wire::decimal_room> text;
  return {text.data(), wire::format_decimal(value, text.data())};
}

std::string terms_text(const BookTerms& terms) {
  return decimal_text(terms.quantity) + " @ " + decimal_text(terms.price);
}

}  // namespace

std::string percentile_text(const LatencyHistogram& round_trips) {
  if (round_trips.count() == 0) {
    return "no answer yet";
  }
  std::string text;
  for (const Percentile& percentile : percentiles) {
    text += std::string(percentile.name) + " " +
            duration_text(round_trips.value_at(percentile.fraction)) + "  ";
  }
  return text + "max " + duration_text(round_trips.max_ns());
}

std::string book_text(const TopOfBook& book) {
  std::string text = book.bid ? terms_text(*book.bid) : "no bid";
  text += " | " + (book.offer ? terms_text(*book.offer) : std::string("no offer"));
  return book.last_trade ? text + ", last " + terms_text(*book.last_trade) : text;
}

std::string duration_text(std::int64_t ns) {
  constexpr std::array units{"ns", "us", "ms", "s"};
  double value = static_cast<double>(ns);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1'000;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, units[unit]);
  return text.data();
}

std::uint64_t sent_total(const FlowCounters& counters) noexcept {
  return counters.orders_sent + counters.cancels_sent + counters.replaces_sent;
}

Progress::Progress(std::FILE* out) : out_(out), lines_(out) {}

void Progress::show(const ClientState& state, const LatencyHistogram& round_trips) {
  const std::int64_t window_ns = state.elapsed_ns - last_elapsed_ns_;
  const std::uint64_t sent = sent_total(state.totals);
  if (window_ns >= rate_window_ns) {
    rate_ = static_cast<double>(sent - last_sent_) / seconds(window_ns);
    last_elapsed_ns_ = state.elapsed_ns;
    last_sent_ = sent;
  }
  if (lines_.is_terminal()) {
    draw(state, round_trips);
  } else if (state.elapsed_ns >= next_line_ns_) {
    next_line_ns_ = state.elapsed_ns + line_ns;
    print_line(state, round_trips);
  }
}

void Progress::draw(const ClientState& state, const LatencyHistogram& round_trips) {
  std::vector<std::string> lines;
  std::array<char, 256> line;
  const auto drawn = [&](int /*size*/) { lines.emplace_back(line.data()); };
  drawn(std::snprintf(line.data(), line.size(), "  %-10s %-9s %-10s %8s %8s %8s %8s %8s", "trader",
                      "version", "", "sent", "acked", "fills", "rejected", "open"));
  for (const TraderState& trader : state.traders) {
    const FlowCounters& counters = trader.counters;
    drawn(std::snprintf(line.data(), line.size(),
                        "  %-10.*s %-9.*s %-10s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
                        " %8zu",
                        static_cast<int>(trader.name.size()), trader.name.data(),
                        static_cast<int>(trader.begin_string.size()), trader.begin_string.data(),
                        trader.logged_on ? "logged on" : "-", sent_total(counters), counters.acked,
                        counters.fills, counters.rejected, trader.open_orders));
  }
  drawn(std::snprintf(line.data(), line.size(),
                      "  %.1f s, %.0f requests a second, %" PRIu64 " waiting for an answer",
                      seconds(state.elapsed_ns), rate_, state.totals.outstanding));
  drawn(std::snprintf(line.data(), line.size(), "  round trip  %s",
                      percentile_text(round_trips).c_str()));
  for (const TopOfBook& book : state.books) {
    drawn(std::snprintf(line.data(), line.size(), "  %-10.*s %s, %" PRIu64 " updates",
                        static_cast<int>(book.symbol.size()), book.symbol.data(),
                        book_text(book).c_str(), book.entries));
  }
  lines_.draw(lines);
}

void Progress::print_line(const ClientState& state, const LatencyHistogram& round_trips) {
  const FlowCounters& totals = state.totals;
  const auto logged_on = std::count_if(state.traders.begin(), state.traders.end(),
                                       [](const TraderState& trader) { return trader.logged_on; });
  std::fprintf(out_,
               "%5.1f s  sessions %td/%zu  sent %" PRIu64 " (%.0f/s)  acked %" PRIu64
               "  fills %" PRIu64 "  rejected %" PRIu64 "  %s\n",
               seconds(state.elapsed_ns), logged_on, state.traders.size(), sent_total(totals),
               rate_, totals.acked, totals.fills, totals.rejected,
               percentile_text(round_trips).c_str());
  for (const TopOfBook& book : state.books) {
    std::fprintf(out_, "         %-10.*s %s, %" PRIu64 " updates\n",
                 static_cast<int>(book.symbol.size()), book.symbol.data(), book_text(book).c_str(),
                 book.entries);
  }
  std::fflush(out_);
}

void print_summary(const ClientState& state, const LatencyHistogram& round_trips, std::FILE* out) {
  const FlowCounters& totals = state.totals;
  const double elapsed = std::max(seconds(state.elapsed_ns), 1e-9);
  std::fprintf(out,
               "orders      %" PRIu64 " sent, %" PRIu64 " accepted, %" PRIu64
               " rejected\n"
               "cancels     %" PRIu64 " sent, %" PRIu64
               " canceled (asked for or not)\n"
               "replaces    %" PRIu64 " sent, %" PRIu64 " replaced; %" PRIu64
               " cancels and replaces refused\n"
               "fills       %" PRIu64 ", %" PRIu64
               " orders filled whole\n"
               "unanswered  %" PRIu64
               "\n"
               "rate        %.0f messages a second over %.1f s\n",
               totals.orders_sent, totals.acked, totals.rejected, totals.cancels_sent,
               totals.canceled, totals.replaces_sent, totals.replaced, totals.cancel_rejects,
               totals.fills, totals.filled, totals.outstanding,
               static_cast<double>(sent_total(totals)) / elapsed, elapsed);
  std::fprintf(out, "round trip  min %s  %s\n", duration_text(round_trips.min_ns()).c_str(),
               percentile_text(round_trips).c_str());
  const BookCounters& reported = state.market_data;
  if (!state.books.empty()) {
    std::fprintf(out,
                 "market data %" PRIu64 " snapshots, %" PRIu64 " increments, %" PRIu64
                 " entries, %" PRIu64 " of them trades\n",
                 reported.snapshots, reported.increments, reported.entries, reported.trades);
  }
  for (const TopOfBook& book : state.books) {
    std::fprintf(out, "book        %-10.*s %s\n", static_cast<int>(book.symbol.size()),
                 book.symbol.data(), book_text(book).c_str());
  }
  if (reported.faulty() != 0 || reported.rejects != 0) {
    std::fprintf(out,
                 "trouble     %" PRIu64 " market data messages that contradict the books, %" PRIu64
                 " requests refused\n",
                 reported.faulty(), reported.rejects);
  }
  if (totals.faulty_reports() != 0 || state.business_rejects != 0 ||
      state.unreadable_reports != 0 || state.refused_sends != 0) {
    std::fprintf(out,
                 "trouble     %" PRIu64 " reports that contradict our orders, %" PRIu64
                 " unreadable, %" PRIu64 " business rejects, %" PRIu64 " sends refused\n",
                 totals.faulty_reports(), state.unreadable_reports, state.business_rejects,
                 state.refused_sends);
  }
}

}  // namespace affix::inline v0::tools::trade
