// SPDX-License-Identifier: MIT
// Whom a session's callbacks are for, and what a crash left for them.
#include "affix/session/admin.hpp"

#include "engine/callback_relay.hpp"
#include "engine/hosted_session.hpp"

namespace affix::inline v0::engine {

Application& HostedSession::callbacks() noexcept {
  return relay_ == nullptr ? host_.application() : *relay_;
}

bool HostedSession::may_deliver() noexcept {
  if (relay_ == nullptr) [[likely]] {
    return true;
  }
  awaits_callback_room_ = !relay_->has_room();
  if (awaits_callback_room_) {
    relay_->await_room(*this);
    pause_reading();
  }
  return !awaits_callback_room_;
}

void HostedSession::redeliver() noexcept {
  if (journal_->recovered().unprocessed != 0) {
    redelivery_ = journal_->unprocessed();
    redelivering_ = true;
    continue_redelivery();
  }
}

void HostedSession::continue_redelivery() noexcept {
  while (may_deliver()) {
    const std::optional<journal::Record> record = redelivery_.next();
    if (!record) {
      if (redelivery_.damaged()) {
        host_.report(Event::Severity::Error, settings_->name,
                     "a stored message that the application has not had cannot be read");
      }
      redelivering_ = false;
      redelivery_ = journal::Replay();
      return;
    }
    MessageIndex& index = host_.replay_index();
    wire::index_message(record->bytes, index, dictionary_.data_fields());
    const wire::MessageView message(record->bytes, index);
    const bool application_message = !session::is_admin(message.type());
    if (relay_ != nullptr) {
      relay_->set_received_at(record->position);
    }
    if (application_message) {
      callbacks().on_message(handle_, message,
                             Delivery{.sequence = record->sequence,
                                      .possible_duplicate = message.find(43U) == "Y",
                                      .possible_resend = message.find(97U) == "Y",
                                      .redelivered = true});
    }
    if (relay_ == nullptr || !application_message) {
      journal_->mark_processed(record->position);
    }
  }
}

}  // namespace affix::inline v0::engine
