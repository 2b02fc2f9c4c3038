// SPDX-License-Identifier: MIT
// How severe each event is to an operator, and how it reads.
#include "engine/report_text.hpp"

#include <algorithm>
#include <cstdio>

namespace affix::inline v0::engine {

Event::Severity severity_of(session::Event event) noexcept {
  using session::Event;
  using Severity = engine::Event::Severity;
  switch (event) {
    case Event::TestRequestSent:
    case Event::DuplicateIgnored:
    case Event::ResentAdminIgnored:
    case Event::AfterClose:
      return Severity::Debug;
    case Event::LoggedOn:
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
    case Event::FirstNotLogon:
    case Event::SequenceTooLow:
    case Event::SequenceInvalid:
    case Event::WrongBeginString:
    case Event::WrongCompId:
    case Event::ResendAbandoned:
    case Event::PeerSilent:
    case Event::OutboxFull:
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
    case session::SendError::NotLoggedOn:
    case session::SendError::LoggingOut:
    case session::SendError::Resetting:
    case session::SendError::SequenceExhausted:
      return SendStatus::NotLoggedOn;
  }
  return SendStatus::NotLoggedOn;
}

std::string_view ReportText::write(const session::Report& report) noexcept {
  const auto first = static_cast<unsigned long long>(report.first);
  const auto second = static_cast<unsigned long long>(report.second);
  const char* event = session::to_text(report.event);
  int written = 0;
  if (second != 0) {
    written = std::snprintf(text_.data(), text_.size(), "%s: %llu, %llu", event, first, second);
  } else if (first != 0) {
    written = std::snprintf(text_.data(), text_.size(), "%s: %llu", event, first);
  } else {
    written = std::snprintf(text_.data(), text_.size(), "%s", event);
  }
  std::size_t size = std::min(static_cast<std::size_t>(std::max(written, 0)), text_.size() - 1);
  if (!report.text.empty() && size + 2 < text_.size()) {
    text_[size++] = ':';
    text_[size++] = ' ';
    const std::size_t copied = std::min(report.text.size(), text_.size() - size);
    // A peer's text may hold anything; a log line may not.
    std::transform(report.text.begin(), report.text.begin() + static_cast<std::ptrdiff_t>(copied),
                   text_.begin() + static_cast<std::ptrdiff_t>(size), [](char c) {
                     return static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '|' : c;
                   });
    size += copied;
  }
  return {text_.data(), size};
}

}  // namespace affix::inline v0::engine
