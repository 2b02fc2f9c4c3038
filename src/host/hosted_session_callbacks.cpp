// SPDX-License-Identifier: MIT
// Passes a session's callbacks on, and redelivers what a crash left.
#include "affix/host/receipt_position.hpp"
#include "affix/session/admin.hpp"

#include "host/callback_relay.hpp"
#include "host/hosted_session.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace affix::inline v0::host {

namespace {

/// Messages delivered before other sessions get their turn.
constexpr std::size_t withheld_page = 256;

}  // namespace

Application& HostedSession::callbacks() noexcept {
  return delivery_.relay() == nullptr ? host_.application() : *delivery_.relay();
}

bool HostedSession::may_deliver_late() noexcept {
  if (reads_.redelivery.running()) {
    leave_unread();
    return false;
  }
  return has_callback_room();
}

bool HostedSession::has_callback_room() noexcept {
  if (delivery_.relay() == nullptr) [[likely]] {
    return true;
  }
  if (delivery_.relay()->has_room()) {
    waits_.remove(Wait::CallbackRoom);
    return true;
  }
  waits_.add(Wait::CallbackRoom);
  delivery_.relay()->await_room(*this);
  leave_unread();
  return false;
}

void HostedSession::say_farewell(bool for_good) noexcept {
  if (!delivery_.farewell_said()) {
    delivery_.on_farewell();
    delivery_.relay()->say_farewell(handle_, for_good);
  }
}

// --- Delivery and marks ---

void HostedSession::hand_over(const wire::MessageView& message, const Delivery& delivery,
                              journal::Position position) noexcept {
  if (delivery_.relay() != nullptr) [[unlikely]] {
    // Marked after the callback has returned on its thread.
    delivery_.relay()->set_received_at(position);
    callbacks().on_message(handle_, message, delivery);
    return;
  }
  delivery_.begin_callback();
  callbacks().on_message(handle_, message, delivery);
  if (delivery_.end_callback()) [[likely]] {
    mark_processed(position);
  }
}

bool HostedSession::keep_message() noexcept {
  return delivery_.keep();
}

bool HostedSession::finish_message(Receipt receipt) noexcept {
  const journal::Position position = position_of(receipt);
  if (late_.marks().open()) [[likely]] {
    return journal_->finish(position);
  }
  if (!journal_->is_received(position)) {
    return false;
  }
  mark_late(position);
  return true;
}

void HostedSession::mark_late(journal::Position position) noexcept {
  if (!late_.marks().delay(*journal_, position)) {
    // The maximum for one turn is reached. The mark shares the fate of those before it.
    host_.store_late_messages();
    if (!late_.marks().dropped_last()) {
      journal_->mark_processed(position);
    }
  }
}

void HostedSession::leave_unprocessed() noexcept {
  delivery_.leave_unprocessed();
}

void HostedSession::report_unprocessed(std::uint64_t count) noexcept {
  std::array<char, 160> text;
  const int size = std::snprintf(
      text.data(), text.size(),
      "%llu received messages are not dealt with, and the journal is kept from segment %u on",
      static_cast<unsigned long long>(count), journal_->oldest_unprocessed().segment);
  host_.report(Event::Severity::Warning, settings_->name,
               {text.data(), std::min(static_cast<std::size_t>(size), text.size() - 1)}, "S301");
}

// --- Input that waits for the standbys ---

bool HostedSession::deliver_withheld() noexcept {
  if (!reads_.withheld.is_delivering()) {
    const auto released = led_->released(host_.now().steady_ns);
    if (!released || !reads_.withheld.update(*released)) {
      host_.await_replication(*this);
      return false;
    }
    reads_.withheld.begin_delivery(*journal_);
  }
  for (std::size_t count = 0; count < withheld_page; ++count) {
    if (link_.connected() && !make_room()) {
      return false;
    }
    if (!has_callback_room()) {
      return false;
    }
    const std::optional<journal::Record> record = reads_.withheld.messages().next();
    if (!record && reads_.withheld.messages().waiting()) {
      host_.await_pages(*this);
      return false;
    }
    if (!record) {
      if (reads_.withheld.messages().damaged()) {
        report_unreadable();
      }
      reads_.withheld.end_delivery();
      return reads_.withheld.any();
    }
    deliver_stored(*record, Redelivered::No);
  }
  return true;
}

// --- Redelivery ---

void HostedSession::begin_redelivery() noexcept {
  if (reads_.redelivery.begin(hooks_.redelivery(handle_), *journal_)) {
    static_cast<void>(continue_redelivery(SIZE_MAX));
  }
}

void HostedSession::ask_for_redelivery() noexcept {
  if (reads_.redelivery.ask(*journal_)) {
    host_.needs_attention(*this);
  }
}

void HostedSession::report_unreadable() noexcept {
  host_.report(Event::Severity::Error, settings_->name,
               "a stored message that the application has not had cannot be read", "S304");
}

bool HostedSession::continue_redelivery(std::size_t messages_max) noexcept {
  // At the start, reading the disk delays no one's messages.
  journal::Replay& replay = reads_.redelivery.replay(
      *journal_, messages_max == SIZE_MAX ? journal::ColdPages::Read : journal::ColdPages::Await);
  for (std::size_t count = 0; count < messages_max; ++count) {
    if (!takes_messages() && reads_.redelivery.interrupt(*journal_)) {
      return false;  // From here on the peer's input is read again.
    }
    if (link_.ending() || (link_.connected() && !make_room()) || !has_callback_room()) {
      return false;
    }
    if (journal_->awaits_confirmations()) {
      return true;
    }
    const std::optional<journal::Record> record = replay.next();
    if (!record && replay.waiting()) {
      host_.await_pages(*this);
      return false;
    }
    if (!record) {
      if (replay.damaged()) {
        report_unreadable();
      }
      if (reads_.redelivery.end(*journal_)) {
        host_.needs_attention(*this);
      }
      return false;
    }
    deliver_stored(*record, Redelivered::Yes);
  }
  return true;
}

void HostedSession::deliver_stored(const journal::Record& record,
                                   Redelivered redelivered) noexcept {
  if (record.bytes.empty()) {
    // Only the number is kept of a long message with secrets.
    report_unreadable();
    mark_processed(record.position);
    return;
  }
  MessageIndex& index = host_.replay_index();
  wire::index_message(record.bytes, index, dictionary_.data_fields());
  const wire::MessageView message(record.bytes, index);
  if (session::is_admin(message.type())) {
    mark_processed(record.position);  // The session has handled it.
    return;
  }
  hand_over(message,
            Delivery{.sequence = record.sequence,
                     .possible_duplicate = message.find(43U) == "Y",
                     .possible_resend = message.find(97U) == "Y",
                     .redelivered = redelivered == Redelivered::Yes,
                     .receipt = receipt_of(record.position)},
            record.position);
}

}  // namespace affix::inline v0::host
