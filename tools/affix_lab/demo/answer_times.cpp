// SPDX-License-Identifier: MIT
// Pairs requests and their first reports by ClOrdID.
#include "demo/answer_times.hpp"

#include "order/field_of.hpp"

#include <algorithm>
#include <string_view>

namespace affix::inline v0::tools::demo {

namespace {

using affix::journal::Kind;

constexpr std::string_view type_mark =
    "\x01"
    "35=";
constexpr std::string_view cl_ord_id_mark =
    "\x01"
    "11=";

}  // namespace

AnswerTimes::AnswerTimes(const std::vector<std::string>& journals, std::int64_t begin_utc_ns)
    : begin_utc_ns_(begin_utc_ns) {
  for (const std::string& journal : journals) {
    traders_.emplace_back().journal = journal;
  }
}

void AnswerTimes::follow() {
  for (std::size_t at = 0; at < traders_.size(); ++at) {
    Trader& trader = traders_[at];
    if (!trader.reader) {
      if (auto reader = affix::journal::Reader::open(trader.journal)) {
        trader.reader = std::move(*reader);
      } else {
        continue;
      }
    }
    while (const auto record = trader.reader->next()) {
      take(at, *record);
    }
  }
}

void AnswerTimes::note_kill(std::int64_t utc_ns) {
  kill_utc_ns_ = utc_ns;
}

void AnswerTimes::take(std::size_t trader, const affix::journal::Record& record) {
  Trader& one = traders_[trader];
  const std::string_view type = field_of(record.bytes, type_mark);
  if (record.kind == Kind::Sent) {
    if (type == "D" || type == "F" || type == "G") {
      one.waiting.emplace(field_of(record.bytes, cl_ord_id_mark));
    }
    return;
  }
  // A message that is held ahead of a gap has no bytes in its later record.
  if (record.kind != Kind::Received && record.kind != Kind::Held) {
    return;
  }
  const bool after_kill = kill_utc_ns_ && record.utc_ns >= *kill_utc_ns_;
  if (type == "A") {
    one.back = one.back || after_kill;
    return;
  }
  if ((type != "8" && type != "9") ||
      one.waiting.erase(std::string(field_of(record.bytes, cl_ord_id_mark))) == 0) {
    return;
  }
  ++answered_;
  if (record.utc_ns >= begin_utc_ns_) {
    const auto bar = static_cast<std::size_t>((record.utc_ns - begin_utc_ns_) / bar_ns);
    bars_.resize(std::max(bars_.size(), bar + 1));
    ++bars_[bar];
  }
  if (one.back && !one.answer_after_kill_ns) {
    one.answer_after_kill_ns = record.utc_ns - *kill_utc_ns_;
  }
}

std::uint64_t AnswerTimes::waiting() const noexcept {
  std::uint64_t count = 0;
  for (const Trader& trader : traders_) {
    count += trader.waiting.size();
  }
  return count;
}

std::optional<std::int64_t> AnswerTimes::first_after_kill() const noexcept {
  std::optional<std::int64_t> first;
  for (const Trader& trader : traders_) {
    if (const auto& one = trader.answer_after_kill_ns; one && (!first || *one < *first)) {
      first = one;
    }
  }
  return first;
}

std::optional<std::int64_t> AnswerTimes::last_after_kill() const noexcept {
  std::optional<std::int64_t> last;
  for (const Trader& trader : traders_) {
    if (!trader.answer_after_kill_ns) {
      return std::nullopt;
    }
    last = std::max(last.value_or(0), *trader.answer_after_kill_ns);
  }
  return last;
}

}  // namespace affix::inline v0::tools::demo
