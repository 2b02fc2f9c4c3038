// SPDX-License-Identifier: MIT
// A load session's numbers, resends in both directions, and matching of answers to orders.
#include "bench/load/load_session.hpp"

#include <algorithm>
#include <charconv>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::uint64_t no_order = ~std::uint64_t{0};

/// The number of the first field that begins with `tag` (SOH, tag, `=`); 0 when there is none.
std::uint64_t number_behind(std::string_view message, std::string_view tag) noexcept {
  const std::size_t field = message.find(tag);
  std::uint64_t number = 0;
  if (field != std::string_view::npos) {
    const std::string_view value = message.substr(field + tag.size());
    std::from_chars(value.data(), value.data() + value.size(), number);
  }
  return number;
}

}  // namespace

void LoadCounters::add(const LoadCounters& other) noexcept {
  sent += other.sent;
  answered += other.answered;
  rejected += other.rejected;
  further += other.further;
  duplicates += other.duplicates;
  foreign += other.foreign;
  resent += other.resent;
  resend_requests += other.resend_requests;
  duplicates_passed_over += other.duplicates_passed_over;
  sent_again += other.sent_again;
  sequence_faults += other.sequence_faults;
  garbled += other.garbled;
  logons += other.logons;
  unexpected_logouts += other.unexpected_logouts;
}

LoadSession::LoadSession(LoadMessages messages, const LoadSessionOptions& options)
    : messages_(std::move(messages)),
      options_(options),
      times_(options.window),
      answered_(options.window),
      at_number_(options.raw ? 0 : std::size_t{2} * options.window, no_order),
      next_out_(options.next_sender_seq),
      next_in_(options.next_target_seq) {}

std::uint64_t LoadSession::order_at(std::uint64_t sequence) const noexcept {
  // The ring overwrites old numbers; those orders have been answered.
  if (sequence + at_number_.size() < next_out_) {
    return no_order;
  }
  return at_number_[sequence & number_mask()];
}

std::uint64_t LoadSession::take_number() noexcept {
  at_number_[next_out_ & number_mask()] = no_order;
  return next_out_++;
}

void LoadSession::on_connected(base::Now now, LoadScratch& scratch) {
  framer_.reset();
  asked_up_to_ = 0;
  early_up_to_ = 0;
  test_sent_ = false;
  last_heard_ns_ = now.steady_ns;
  last_written_ns_ = now.steady_ns;
  last_words_.clear();
  if (options_.raw) {
    phase_ = Phase::Active;
    return;
  }
  const bool reset = options_.reset_numbers && !logged_on_before_;
  if (reset) {
    next_out_ = 1;
    next_in_ = 1;
  }
  phase_ = Phase::LoggingOn;
  messages_.logon(scratch.out, take_number(), now.utc_ns, reset);
}

void LoadSession::on_disconnected() noexcept {
  phase_ = Phase::Down;
  again_up_to_ = 0;
}

std::size_t LoadSession::on_bytes(base::PaddedBytes bytes, base::Now now, LoadScratch& scratch) {
  last_heard_ns_ = now.steady_ns;
  test_sent_ = false;
  std::size_t done = 0;
  while (done < bytes.size && phase_ != Phase::Over) {
    const std::string_view rest = bytes.view().substr(done);
    const wire::Frame frame = framer_.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      break;
    }
    done += frame.size;
    if (frame.status == wire::FrameStatus::Skip) {
      ++counters_.garbled;
      continue;
    }
    const std::string_view whole = rest.substr(0, frame.size);
    if (again_up_to_ != 0 && take_again(whole)) {
      continue;
    }
    wire::index_message(base::PaddedBytes(whole), scratch.index);
    if (!scratch.index.clean()) {
      ++counters_.garbled;
      continue;
    }
    on_message(wire::MessageView(whole, scratch.index), now, scratch);
  }
  return done;
}

void LoadSession::on_message(const wire::MessageView& message, base::Now now,
                             LoadScratch& scratch) {
  if (options_.raw) {
    if (oldest_ == next_ordinal_) {
      ++counters_.foreign;
    } else {
      answer(oldest_, now, scratch);
    }
    return;
  }
  const auto sequence = message.integer<std::uint64_t>(34);
  if (!sequence) {
    ++counters_.garbled;
    return;
  }
  const wire::MsgType type = message.type();
  if (phase_ == Phase::LoggingOn && type == "A") {
    on_logon(message, *sequence);
  }
  if (type == "5") {
    on_logout(message, now, scratch);
    return;
  }
  if (type == "4") {
    on_sequence_reset(message, *sequence, now, scratch);
    return;
  }
  // Both sides may miss messages, and would wait for each other if neither answered out of
  // sequence.
  const bool is_resend_request = type == "2";
  if (is_resend_request) {
    on_resend_request(message, now, scratch);
  }
  if (*sequence == next_in_) {
    ++next_in_;
    if (!is_resend_request) {
      on_next(message, now, scratch);
    }
    request_missing(now, scratch);
  } else if (*sequence > next_in_) {
    on_early(*sequence, now, scratch);
  } else if (message.character(43).value_or('N') == 'Y') {
    ++counters_.duplicates_passed_over;
  } else {
    ++counters_.sequence_faults;
  }
}

void LoadSession::on_next(const wire::MessageView& message, base::Now now, LoadScratch& scratch) {
  const wire::MsgType type = message.type();
  // An echo is an answer, too.
  if (type == "8" || (type == messages_.order_type() && message.has(11))) [[likely]] {
    const auto id = message.text(11);
    const auto ordinal = id ? messages_.ordinal_of(*id) : std::nullopt;
    if (!ordinal || *ordinal >= next_ordinal_) {
      ++counters_.foreign;
    } else {
      answer(*ordinal, now, scratch);
    }
  } else if (type == "1") {
    messages_.heartbeat(scratch.out, take_number(), now.utc_ns,
                        message.text(112).value_or(std::string_view()));
    last_written_ns_ = now.steady_ns;
  } else if (type == "3" || type == "j") {
    on_reject(message, now, scratch);
  }
}

void LoadSession::on_logon(const wire::MessageView& message, std::uint64_t sequence) noexcept {
  if (message.character(141).value_or('N') == 'Y') {
    next_in_ = sequence;
  }
  phase_ = Phase::Active;
  logged_on_before_ = true;
  ++counters_.logons;
}

void LoadSession::on_logout(const wire::MessageView& message, base::Now now, LoadScratch& scratch) {
  last_words_ = message.text(58).value_or(std::string_view());
  if (phase_ == Phase::Active) {
    ++counters_.unexpected_logouts;
    messages_.logout(scratch.out, take_number(), now.utc_ns);
  }
  if (message.integer<std::uint64_t>(34).value_or(0) == next_in_) {
    ++next_in_;
  }
  phase_ = Phase::Over;
}

void LoadSession::on_sequence_reset(const wire::MessageView& message, std::uint64_t sequence,
                                    base::Now now, LoadScratch& scratch) {
  const std::uint64_t next = message.integer<std::uint64_t>(36).value_or(0);
  const bool fills_gap = message.character(123).value_or('N') == 'Y';
  if (fills_gap && sequence > next_in_) {
    on_early(sequence, now, scratch);
  } else if (next > next_in_) {
    next_in_ = next;
    request_missing(now, scratch);
  }
}

void LoadSession::on_early(std::uint64_t sequence, base::Now now, LoadScratch& scratch) {
  early_up_to_ = std::max(early_up_to_, sequence);
  request_missing(now, scratch);
}

void LoadSession::request_missing(base::Now now, LoadScratch& scratch) {
  if (next_in_ > early_up_to_ || next_in_ <= asked_up_to_) {
    return;
  }
  // A peer may send new messages between the ones that it resends. They are dropped here, so the
  // request does not cover them, even with an open end: the next one does.
  asked_up_to_ = early_up_to_;
  ++counters_.resend_requests;
  messages_.resend_request(scratch.out, take_number(), now.utc_ns, next_in_);
  last_written_ns_ = now.steady_ns;
}

void LoadSession::on_resend_request(const wire::MessageView& message, base::Now now,
                                    LoadScratch& scratch) {
  const std::uint64_t first = message.integer<std::uint64_t>(7).value_or(1);
  const std::uint64_t asked_end = message.integer<std::uint64_t>(16).value_or(0);
  const std::uint64_t end = asked_end == 0 || asked_end >= next_out_ ? next_out_ : asked_end + 1;
  std::uint64_t gap_begin = first;
  for (std::uint64_t number = std::max<std::uint64_t>(first, 1); number < end; ++number) {
    const std::uint64_t ordinal = order_at(number);
    if (ordinal == no_order || ordinal + options_.window < next_ordinal_) {
      continue;
    }
    if (gap_begin != number) {
      messages_.gap_fill(scratch.out, gap_begin, now.utc_ns, number);
    }
    gap_begin = number + 1;
    ++counters_.resent;
    const std::int64_t age_ns = now.steady_ns - times_[place_of(ordinal)].written_ns;
    messages_.resent_order(scratch.out, number, now.utc_ns, ordinal, now.utc_ns - age_ns);
  }
  if (gap_begin < end) {
    messages_.gap_fill(scratch.out, gap_begin, now.utc_ns, end);
  }
  last_written_ns_ = now.steady_ns;
}

void LoadSession::on_reject(const wire::MessageView& message, base::Now now, LoadScratch& scratch) {
  const auto reference = message.integer<std::uint64_t>(45);
  const std::uint64_t ordinal =
      reference && *reference < next_out_ ? order_at(*reference) : no_order;
  ++counters_.rejected;
  if (last_words_.empty()) {
    last_words_ = message.text(58).value_or(std::string_view());
  }
  if (ordinal != no_order) {
    answer(ordinal, now, scratch);
  }
}

void LoadSession::answer(std::uint64_t ordinal, base::Now now, LoadScratch& scratch) noexcept {
  const std::size_t place = place_of(ordinal);
  if (ordinal < oldest_ || answered_[place]) {
    ++(options_.further_reports ? counters_.further : counters_.duplicates);
    return;
  }
  ++counters_.answered;
  const OrderTimes& times = times_[place];
  if (scratch.latencies != nullptr) {
    scratch.latencies->response.record(now.steady_ns - times.intended_ns);
    scratch.latencies->service.record(now.steady_ns - times.written_ns);
  }
  if (scratch.answers != nullptr) {
    scratch.answers->add(LoggedEvent::Order, scratch.session, times.intended_ns, times.written_ns,
                         now.steady_ns);
  }
  answered_[place] = true;
  while (oldest_ < next_ordinal_ && answered_[place_of(oldest_)]) {
    answered_[place_of(oldest_)] = false;
    ++oldest_;
  }
}

bool LoadSession::on_time(base::Now now, LoadScratch& scratch) {
  const std::int64_t interval_ns = messages_.identity().heartbeat_seconds * base::ns_per_second;
  if (options_.raw || phase_ != Phase::Active || interval_ns == 0) {
    return false;
  }
  if (now.steady_ns - last_written_ns_ >= interval_ns) {
    messages_.heartbeat(scratch.out, take_number(), now.utc_ns, {});
    last_written_ns_ = now.steady_ns;
  }
  const std::int64_t silence_ns = now.steady_ns - last_heard_ns_;
  if (silence_ns >= interval_ns + interval_ns / 2 && !test_sent_) {
    messages_.test_request(scratch.out, take_number(), now.utc_ns);
    test_sent_ = true;
  }
  return silence_ns >= 3 * interval_ns;
}

void LoadSession::write_order(std::int64_t intended_ns, base::Now now, LoadScratch& scratch) {
  const std::uint64_t ordinal = next_ordinal_++;
  times_[place_of(ordinal)] = {intended_ns, now.steady_ns};
  if (!options_.raw) {
    at_number_[next_out_ & number_mask()] = ordinal;
  }
  messages_.order(scratch.out, next_out_++, now.utc_ns, ordinal, scratch.stamps);
  last_written_ns_ = now.steady_ns;
  ++counters_.sent;
}

void LoadSession::ask_again(base::Now now, LoadScratch& scratch) {
  again_up_to_ = next_in_ - 1;
  again_from_ = again_from_ < again_up_to_ ? again_from_ + 1 : 1;
  messages_.resend_request(scratch.out, take_number(), now.utc_ns, again_from_);
  last_written_ns_ = now.steady_ns;
}

bool LoadSession::take_again(std::string_view message) noexcept {
  const std::uint64_t number = number_behind(message,
                                             "\x01"
                                             "34=");
  if (number == 0 || number > again_up_to_) {
    return false;  // Garbled, or a message sent now.
  }
  ++counters_.sent_again;
  const bool fills_gap = message.find(
                             "\x01"
                             "35=4\x01") != std::string_view::npos;
  if (number == again_up_to_ || (fills_gap && number_behind(message,
                                                            "\x01"
                                                            "36=") > again_up_to_)) {
    again_up_to_ = 0;
  }
  return true;
}

void LoadSession::write_logout(base::Now now, LoadScratch& scratch) {
  if (options_.raw) {
    phase_ = Phase::Over;
    return;
  }
  phase_ = Phase::LoggingOut;
  messages_.logout(scratch.out, take_number(), now.utc_ns);
}

}  // namespace affix::inline v0::tools::bench
