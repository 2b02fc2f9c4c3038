// SPDX-License-Identifier: MIT
// Severity and wording of each event, for operators.
#include "host/report_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace affix::inline v0::host {

Event::Severity severity_of(session::Event event) noexcept {
  using session::Event;
  using Severity = host::Event::Severity;
  switch (event) {
    case Event::TestRequestSent:
    case Event::DuplicateIgnored:
    case Event::ResentAdminIgnored:
    case Event::AfterClose:
      return Severity::Debug;
    case Event::LoggedOn:
    case Event::Continued:
    case Event::LogoutReceived:
    case Event::LogoutAnswered:
    case Event::NumbersReset:
    case Event::NumbersSet:
    case Event::ResendRequested:
    case Event::GapClosed:
    case Event::ReplayStarted:
    case Event::ReplayEnded:
    case Event::SequenceReset:
      return Severity::Info;
    case Event::LogonRefused:
    case Event::LogonRejected:
    case Event::BeyondLimit:
    case Event::NumbersExhausted:
    case Event::FirstNotLogon:
    case Event::SequenceTooLow:
    case Event::SequenceInvalid:
    case Event::WrongBeginString:
    case Event::WrongCompId:
    case Event::ResendAbandoned:
    case Event::PeerSilent:
    case Event::OutboxFull:
    case Event::ResentTooLarge:
    case Event::QueuedLost:
    case Event::ResendRepeated:
      return Severity::Error;
    default:
      return Severity::Warning;
  }
}

SendStatus status_of(session::SendError error) noexcept {
  switch (error) {
    case session::SendError::OutboxFull:
      return SendStatus::Backlogged;
    case session::SendError::Encoding:
      return SendStatus::Invalid;
    case session::SendError::TooLargeForPeer:
      return SendStatus::TooLarge;
    case session::SendError::BadType:
      return SendStatus::TypeRefused;
    case session::SendError::RejectOfReject:
      return SendStatus::RejectOfReject;
    case session::SendError::NotLoggedOn:
    case session::SendError::LoggingOut:
    case session::SendError::SequenceExhausted:
      return SendStatus::NotLoggedOn;
    case session::SendError::Resetting:
      return SendStatus::Resetting;
    case session::SendError::QueueFull:
      return SendStatus::QueueFull;
  }
  return SendStatus::NotLoggedOn;
}

namespace {

/// Meaning of an event's two numbers.
enum class Numbers : std::uint8_t {
  Plain,
  SequenceAndTag,    ///< MsgSeqNum of a message, and a tag in it.
  SequenceAndLimit,  ///< MsgSeqNum of a message, and the limit that it exceeds.
  ReasonAndTag,      ///< 373 or 380, and a tag.
};

Numbers numbers_of(session::Event event) noexcept {
  using session::Event;
  switch (event) {
    case Event::LogonRefused:
    case Event::WrongCompId:
    case Event::RejectReceived:
    case Event::FirstNotLogon:
      return Numbers::SequenceAndTag;
    case Event::BeyondLimit:
      return Numbers::SequenceAndLimit;
    case Event::Rejected:
    case Event::RejectedBusiness:
    case Event::Warned:
      return Numbers::ReasonAndTag;
    default:
      return Numbers::Plain;
  }
}

}  // namespace

std::string_view right_value(const session::Report& report,
                             const session::SessionOptions& options) noexcept {
  if (report.event == session::Event::WrongBeginString) {
    return options.begin_string;
  }
  if (report.event != session::Event::WrongCompId) {
    return {};
  }
  // The peer's sender is our target.
  switch (report.second) {
    case 49:
      return options.target_comp_id;
    case 56:
      return options.sender_comp_id;
    case 50:
      return options.target_sub_id;
    case 57:
      return options.sender_sub_id;
    case 142:
      return options.target_location_id;
    case 143:
      return options.sender_location_id;
    case 115:
      return options.on_behalf_of_comp_id;
    case 128:
      return options.deliver_to_comp_id;
    default:
      return {};
  }
}

void ReportText::add(std::string_view text) noexcept {
  for (const std::string_view piece : {std::exchange(between_, {}), text}) {
    const std::size_t copied = std::min(piece.size(), text_.size() - size_);
    piece.copy(text_.data() + size_, copied);
    size_ += copied;
  }
}

void ReportText::add_foreign(std::string_view text) noexcept {
  add({});
  const std::size_t copied = std::min(text.size(), text_.size() - size_);
  std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(copied),
                 text_.begin() + static_cast<std::ptrdiff_t>(size_), [](char c) {
                   return static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '|' : c;
                 });
  size_ += copied;
}

void ReportText::add_number(std::string_view before, std::uint64_t number) noexcept {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  add(before);
  add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  between_ = ", ";
}

void ReportText::add_name(std::string_view name, const SessionDictionary& dictionary) noexcept {
  if (dictionary.has_names()) {
    between_ = " (";
    add(name.empty() ? "unknown to the dictionary" : name);
    add(")");
  }
  between_ = ", ";
}

void ReportText::add_type(const session::Report& report,
                          const SessionDictionary& dictionary) noexcept {
  const std::string_view whole(report.type.data(), report.type.size());
  const std::string_view type = whole.substr(0, whole.find('\0'));
  if (type.empty()) {
    return;
  }
  add("35=");
  add_foreign(type);
  if (type.size() == whole.size()) {
    add("...");  // A longer type was cut, so it has no name.
    between_ = ", ";
  } else {
    add_name(dictionary.message_name(type), dictionary);
  }
}

void ReportText::add_tag(std::uint64_t tag, const SessionDictionary& dictionary) noexcept {
  if (tag == 0) {
    return;
  }
  add_number("tag ", tag);
  add_name(tag <= UINT32_MAX ? dictionary.field_name(static_cast<std::uint32_t>(tag))
                             : std::string_view(),
           dictionary);
}

std::string_view ReportText::write(const session::Report& report,
                                   const SessionDictionary& dictionary,
                                   std::string_view right) noexcept {
  size_ = 0;
  between_ = {};
  add(session::to_text(report.event));
  if (report.event == session::Event::LoggedOn || report.event == session::Event::Continued) {
    add_number(", next outgoing ", report.first);
    between_ = {};
    add_number(", next incoming ", report.second);
    return {text_.data(), size_};
  }
  between_ = ": ";
  const Numbers numbers = numbers_of(report.event);
  if (numbers == Numbers::Plain) {
    if (report.first != 0 || report.second != 0) {
      add_number({}, report.first);
    }
    if (report.second != 0) {
      add_number({}, report.second);
    }
    add_type(report, dictionary);
  } else {
    if (numbers != Numbers::ReasonAndTag && report.first != 0) {
      add_number("34=", report.first);
    }
    add_type(report, dictionary);
    if (numbers == Numbers::SequenceAndLimit) {
      add_number("more than ", report.second);
      between_ = " ";
    } else {
      add_tag(report.second, dictionary);
    }
    if (numbers == Numbers::ReasonAndTag) {
      add_number("reason ", report.first);
    }
  }
  if (!report.text.empty()) {
    between_ = numbers == Numbers::SequenceAndLimit ? " " : ": ";
    add_foreign(report.text);
  }
  if (!right.empty()) {
    between_ = report.text.empty() ? ": " : ", ";
    add("this session has ");
    add(right);
  }
  return {text_.data(), size_};
}

}  // namespace affix::inline v0::host
