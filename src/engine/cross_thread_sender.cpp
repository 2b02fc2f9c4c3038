// SPDX-License-Identifier: MIT
// The sender's commands, as records in its queues.
#include "affix/engine/cross_thread_sender.hpp"

#include "engine/cross_thread_queues.hpp"
#include "host/session_slot.hpp"

#include <utility>

namespace affix::inline v0::engine {

CrossThreadSender::CrossThreadSender(CrossThreadSender&& other) noexcept
    : queues_(std::exchange(other.queues_, nullptr)) {}

CrossThreadSender& CrossThreadSender::operator=(CrossThreadSender&& other) noexcept {
  std::swap(queues_, other.queues_);
  return *this;
}

CrossThreadSender::~CrossThreadSender() {
  if (queues_ != nullptr) {
    queues_->give_back();
  }
}

const wire::Encoder& CrossThreadSender::begin_message(
    host::SessionHandle session, std::string_view type,
    std::span<const session::ExtraHeaderField> header) noexcept {
  return queues_->begin_message(session, type, header);
}

HandOver CrossThreadSender::commit_message(wire::EncodeError error, std::size_t size,
                                           std::uint64_t token) noexcept {
  return queues_->commit_message(error, size, token);
}

namespace {

/// Sets the number of the Logon to answer: another one may wait by the time the worker reads this.
host::SessionHandle with_logon(host::SessionHandle session) noexcept {
  return session.logon() != 0
             ? session
             : session.for_logon(session.slot().logon.load(std::memory_order_relaxed));
}

}  // namespace

HandOver CrossThreadSender::accept_logon(host::SessionHandle session) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::AcceptLogon},
                          {});
}

HandOver CrossThreadSender::refuse_logon(host::SessionHandle session,
                                         std::string_view text) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::RefuseLogon},
                          text);
}

HandOver CrossThreadSender::check_logon(host::SessionHandle session) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::CheckLogon},
                          {});
}

HandOver CrossThreadSender::logout(host::SessionHandle session, std::string_view text) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Logout}, text);
}

HandOver CrossThreadSender::connect(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Connect}, {});
}

HandOver CrossThreadSender::reset(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Reset}, {});
}

HandOver CrossThreadSender::test_peer(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::TestPeer}, {});
}

HandOver CrossThreadSender::finish_message(host::SessionHandle session,
                                           host::Receipt receipt) noexcept {
  return queues_->command(
      {.session = session, .token = receipt.value(), .kind = CommandHead::Kind::FinishMessage}, {});
}

HandOver CrossThreadSender::redeliver(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Redeliver}, {});
}

HandOver CrossThreadSender::call(host::SessionHandle session,
                                 void (*function)(host::SessionHandle session, void* context),
                                 void* context) noexcept {
  return queues_->command({.session = session,
                           .function = function,
                           .context = context,
                           .kind = CommandHead::Kind::Call},
                          {});
}

}  // namespace affix::inline v0::engine
