// SPDX-License-Identifier: MIT
// Reads and writes a peer's connection, and answers session messages in application scenarios.
#include "certify/peer.hpp"

#include "affix/base/time.hpp"

#include "certify/text.hpp"

#include <algorithm>

namespace affix::inline v0::certify {

namespace {

std::uint64_t number_of_field(std::string_view message, std::string_view tag) {
  return number_in(value_of(message, tag).value_or("")).value_or(0);
}

bool is_set(std::string_view message, std::string_view tag) {
  return value_of(message, tag) == "Y";
}

bool is_session_type(std::string_view type) {
  return type.size() == 1 && std::string_view("012345A").contains(type.front());
}

}  // namespace

bool Peer::connect() {
  disconnect();
  line_ = stage_.connect(identity_);
  partial_.clear();
  messages_.clear();
  framer_.reset();
  awaits_resend_ = false;
  reading_ = true;
  last_number_ = 0;
  return line_ != nullptr;
}

void Peer::disconnect() {
  if (line_) {
    line_->close();
    line_.reset();
  }
  heartbeat_ns_ = 0;
}

void Peer::drop() {
  if (line_) {
    line_->drop();
    line_.reset();
  }
  heartbeat_ns_ = 0;
}

void Peer::forget() {
  next_ = 1;
  expected_ = 1;
  sent_.clear();
}

void Peer::send(std::vector<Piece> pieces, const Meaning& meaning, SendFault fault,
                std::int64_t pause_ns) {
  if (std::ranges::any_of(
          pieces, [](const Piece& piece) { return piece.tag == "35" && piece.value == "A"; })) {
    const bool wanted = rules_.resets_by_logon || (rules_.answers_reset && engine_reset_);
    const bool given = std::ranges::find(pieces, "141", &Piece::tag) != pieces.end();
    if (!answered_.contains(identity_.us) && wanted && !given &&
        rules_.version->begin_string != "FIX.4.0") {
      pieces.push_back({.tag = "141", .value = "Y"});
    }
    if (rules_.answers_reset) {
      answered_.insert(identity_.us);
    }
  }
  const Written message = write_message(std::move(pieces), meaning, next_, fault);
  last_sent_ = message.bytes;
  if (message.numbered) {
    // The engine does not process a garbled message, so its number is free.
    const bool garbled = fault == SendFault::Checksum || fault == SendFault::Length;
    if (rules_.keeps_session && !garbled) {
      sent_[next_] = message.bytes;
    }
    next_ += garbled ? 0 : 1;
  }
  if (fault == SendFault::Halves) {
    const std::size_t half = message.bytes.size() / 2;
    write(std::string_view(message.bytes).substr(0, half));
    stage_.settle();
    stage_.advance(pause_ns);
    if (line_) {
      write(std::string_view(message.bytes).substr(half));
    }
    return;
  }
  write(message.bytes);
  if (fault == SendFault::Twice) {
    write(message.bytes);
  }
}

void Peer::send_raw(std::string_view bytes) {
  last_sent_ = bytes;
  write(bytes);
}

void Peer::write(std::string_view bytes) {
  if (!line_) {
    return;
  }
  trace_.on_message(true, name_, bytes);
  sent_at_ns_ = stage_.steady_ns();
  const std::size_t step = rules_.fragments.bytes == 0 ? bytes.size() : rules_.fragments.bytes;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    line_->send(bytes.substr(0, step));
  }
}

/// A message that the scenario does not mention.
void Peer::write_own(std::vector<Piece> pieces) {
  write(write_message(std::move(pieces), meaning(), next_).bytes);
  ++next_;
}

void Peer::read() {
  if (!line_ || !reading_) {
    return;
  }
  partial_ += line_->take();
  while (line_) {
    const affix::wire::Frame frame = framer_.next(partial_);
    if (frame.status == affix::wire::FrameStatus::Partial) {
      break;
    }
    std::string message = partial_.substr(0, frame.size);
    partial_.erase(0, frame.size);
    trace_.on_message(false, name_, message);
    take(std::move(message));
  }
  keep_alive();
}

void Peer::keep_alive() {
  if (heartbeat_ns_ != 0 && line_ && stage_.steady_ns() - sent_at_ns_ >= heartbeat_ns_) {
    write_own({{.tag = "35", .value = "0"}});
  }
}

void Peer::take(std::string message) {
  if (rules_.keeps_session) {
    take_in_session(std::move(message));
    return;
  }
  const std::string type = value_of(message, "35").value_or("");
  note_logon(message, type);
  check_number(message, type);
  if (!rules_.only_session || is_session_type(type) || type == "j") {
    messages_.push_back(std::move(message));
  }
}

/// A number comes once, unless the message says that it may have come before, or numbers are reset.
void Peer::check_number(std::string_view message, std::string_view type) {
  const std::uint64_t number = number_of_field(message, "34");
  const bool may_repeat = is_set(message, "43") || type == "A" || type == "4";
  if (!may_repeat && number != 0 && number <= last_number_) {
    note("MsgSeqNum (34): expected a number above " + std::to_string(last_number_) + ", got " +
         std::to_string(number) + "\n  got " + readable(message));
  }
  if (number != 0 && !is_set(message, "43")) {
    last_number_ = number;
  }
}

void Peer::note_logon(std::string_view message, std::string_view type) {
  if (type == "A") {
    engine_reset_ = is_set(message, "141");
    if (rules_.resets_by_logon) {
      answered_.insert(identity_.us);
    }
  }
}

void Peer::note(const std::string& fault) {
  if (fault_.empty()) {
    fault_ = fault;
  }
}

void Peer::take_in_session(std::string message) {
  if (const std::string fault = form_fault(message, meaning()); !fault.empty()) {
    note(fault + "\n  got " + readable(message));
    return;
  }
  const std::string type = value_of(message, "35").value_or("");
  if (!in_order(message, type)) {
    return;
  }
  if (type == "0" || type == "4") {
    return;
  }
  if (type == "1") {
    write_own({{.tag = "35", .value = "0"},
               {.tag = "112", .literal = true, .value = value_of(message, "112").value_or("")}});
  } else if (type == "2") {
    resend(message);
  } else {
    messages_.push_back(std::move(message));
  }
}

/// Judges the number. False: the message is none to look at.
bool Peer::in_order(std::string_view message, std::string_view type) {
  const std::uint64_t number = number_of_field(message, "34");
  if (type == "A") {
    note_logon(message, type);
    if (is_set(message, "141")) {
      expected_ = number;
    }
    if (number == expected_) {
      ++expected_;
    }
    return true;  // begin_session() asks for a gap.
  }
  const bool fills = type == "4";
  if (fills && !is_set(message, "123")) {
    expected_ = number_of_field(message, "36");
    return true;
  }
  if (number == expected_) {
    expected_ = fills ? std::max(expected_, number_of_field(message, "36")) : expected_ + 1;
    awaits_resend_ = awaits_resend_ && is_set(message, "43");
    return true;
  }
  if (number > expected_ && (awaits_resend_ || type == "2" || type == "5")) {
    return type == "2" || type == "5";  // The rest is resent.
  }
  if (number < expected_ && is_set(message, "43")) {
    return false;
  }
  note("MsgSeqNum (34): expected " + std::to_string(expected_) + ", got " + std::to_string(number) +
       "\n  got " + readable(message));
  expected_ = std::max(expected_, number + 1);
  return true;
}

void Peer::begin_session(std::string_view engine_logon) {
  if (!rules_.keeps_session) {
    return;
  }
  const std::uint64_t seconds = number_of_field(engine_logon, "108");
  constexpr std::uint64_t day = 86'400;
  heartbeat_ns_ = static_cast<std::int64_t>(std::min(seconds, day)) * base::ns_per_second;
  if (number_of_field(engine_logon, "34") >= expected_) {
    awaits_resend_ = true;
    write_own({{.tag = "35", .value = "2"},
               {.tag = "7", .value = std::to_string(expected_)},
               {.tag = "16", .value = "<end>"}});
  }
}

void Peer::resend(std::string_view request) {
  const std::uint64_t begin = std::max<std::uint64_t>(number_of_field(request, "7"), 1);
  const std::uint64_t end = number_of_field(request, "16");
  const std::uint64_t last =
      end == 0 || end >= next_ ? next_ - 1 : end;  // 999999 is no more than the last one, too.
  std::uint64_t gap = begin;
  const auto fill = [&](std::uint64_t until) {
    if (gap < until) {
      write(write_message({{.tag = "35", .value = "4"},
                           {.tag = "34", .value = std::to_string(gap)},
                           {.tag = "43", .value = "Y"},
                           {.tag = "122", .value = "<now>"},
                           {.tag = "123", .value = "Y"},
                           {.tag = "36", .value = std::to_string(until)}},
                          meaning(), 0)
                .bytes);
    }
  };
  for (auto at = sent_.lower_bound(begin); at != sent_.end() && at->first <= last; ++at) {
    if (is_session_type(value_of(at->second, "35").value_or(""))) {
      continue;
    }
    fill(at->first);
    write(resent(at->second, meaning()));
    gap = at->first + 1;
  }
  fill(last + 1);
}

}  // namespace affix::inline v0::certify
