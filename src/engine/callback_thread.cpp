// SPDX-License-Identifier: MIT
// Turns of a callback thread.
#include "engine/callback_thread.hpp"

#include "affix/os/clock.hpp"

#include "engine/worker.hpp"

#include <algorithm>
#include <cstring>
#include <time.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Maximum callbacks from one queue before the next queue's turn, and before the worker is
/// informed.
constexpr int callbacks_per_turn = 64;

}  // namespace

CallbackThread::CallbackThread(host::Application& application, CrossThreadSender sender, bool spins)
    : application_(application),
      sender_(std::move(sender)),
      spins_(spins),
      index_(std::make_unique_for_overwrite<host::MessageIndex>()) {}

std::expected<std::unique_ptr<CallbackThread>, base::Error> CallbackThread::open(
    host::Application& application, CrossThreadSender sender, bool spins) {
  std::unique_ptr<CallbackThread> thread(new CallbackThread(application, std::move(sender), spins));
  if (auto opened = thread->waker_.open(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return thread;
}

bool CallbackThread::poll(std::int64_t wait_until_ns) noexcept {
  if (carry_out_all()) {
    return true;
  }
  if (wait_until_ns == 0 || spins_ || reports_wait_) {
    return false;
  }
  wait(wait_until_ns);
  return carry_out_all();
}

bool CallbackThread::carry_out_all() noexcept {
  bool did = false;
  reports_wait_ = false;
  for (const Source& source : sources_) {
    did = carry_out_from(source) || did;
  }
  if (did) {
    application_.on_turn_end();
  }
  return did;
}

bool CallbackThread::carry_out_from(const Source& source) noexcept {
  int count = 0;
  for (; count < callbacks_per_turn; ++count) {
    const std::span<char> record = source.relay->front();
    if (record.data() == nullptr) {
      break;
    }
    carry_out(*source.relay, record);
    source.relay->pop();
  }
  const bool reported = source.relay->report_late();
  reports_wait_ = reports_wait_ || !reported;
  if (count != 0 || !reported) {
    // For the marks, and for sessions that wait for room.
    source.worker->waker().wake();
  }
  // Reports that wait are no callbacks: a thread that ends leaves them to the worker's
  // take_last_reported().
  return count != 0;
}

void CallbackThread::carry_out(host::CallbackRelay& relay, std::span<char> record) noexcept {
  host::CallbackHead head;
  std::memcpy(&head, record.data(), sizeof head);
  const host::SessionHandle session = head.session->handle().for_logon(head.logon);
  const std::string_view bytes(record.data() + sizeof head, head.size);
  const auto view = [&] {
    // The relay has left padding after it.
    wire::index_message(base::PaddedBytes(bytes), *index_, head.session->data_fields());
    return wire::MessageView(bytes, *index_);
  };
  relay.begin(head);
  switch (head.kind) {
    case host::CallbackHead::Kind::LogonRequest:
      answer(session, application_.on_logon_request(session, view()));
      return;
    case host::CallbackHead::Kind::LogonAnswer:
      answer(session, application_.on_logon_answer(session, view()));
      return;
    case host::CallbackHead::Kind::Logon:
      application_.on_logon(session);
      return;
    case host::CallbackHead::Kind::Message:
      relay.begin_message(session);
      application_.on_message(session, view(), head.delivery);
      if (!relay.end_message()) [[likely]] {
        relay.report_processed(head);
      }
      return;
    case host::CallbackHead::Kind::Admin:
      application_.on_admin(session, view());
      relay.report_processed(head);
      return;
    case host::CallbackHead::Kind::OutputRoom:
      application_.on_output_room(session);
      return;
    case host::CallbackHead::Kind::Logout:
      application_.on_logout(session, bytes);
      return;
    case host::CallbackHead::Kind::CancelOrders:
      application_.on_cancel_orders(session);
      return;
    case host::CallbackHead::Kind::Added:
      application_.on_session_added(session);
      return;
    case host::CallbackHead::Kind::Removed:
      application_.on_session_removed(session);
      relay.report_processed(head);
      return;
    case host::CallbackHead::Kind::Farewell:
      relay.report_processed(head);
      return;
  }
}

void CallbackThread::answer(host::SessionHandle session, const host::LogonAnswer& answer) noexcept {
  HandOver result = HandOver::Queued;
  switch (answer.decision) {
    case host::LogonAnswer::Decision::Accept:
      result = sender_.accept_logon(session);
      break;
    case host::LogonAnswer::Decision::Refuse:
      result = sender_.refuse_logon(session, answer.text);
      break;
    case host::LogonAnswer::Decision::AsConfigured:
      result = sender_.check_logon(session);
      break;
    case host::LogonAnswer::Decision::Later:
      break;
  }
  // A session has at most one open Logon, and the sender's queue has room for all of them. If an
  // answer were lost all the same, the Logon would time out.
  static_cast<void>(result);
}

void CallbackThread::wait(std::int64_t wait_until_ns) noexcept {
  waker_.block(std::max<std::int64_t>(wait_until_ns - os::now().steady_ns, 0));
}

}  // namespace affix::inline v0::engine
