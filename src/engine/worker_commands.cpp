// SPDX-License-Identifier: MIT
// Carries out other threads' commands to a worker's sessions, in its turn.
#include "engine/cross_thread_queues.hpp"
#include "engine/worker.hpp"

#include <array>
#include <cstring>

namespace affix::inline v0::engine {

namespace {

std::uint32_t take_number(std::string_view& from) noexcept {
  std::uint32_t number = 0;
  std::memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return number;
}

std::string_view take_text(std::string_view& from, std::size_t size) noexcept {
  const std::string_view text = from.substr(0, size);
  from.remove_prefix(size);
  return text;
}

host::SendResult send(host::HostedSession& session, const CommandHead& head, std::string_view text,
                      std::string_view body) noexcept {
  const std::string_view type = take_text(text, head.type_size);
  std::array<session::ExtraHeaderField, cross_thread_header_max> header;
  for (std::size_t field = 0; field < head.header_fields; ++field) {
    header[field].tag = take_number(text);
    const std::uint32_t size = take_number(text);
    header[field].value = take_text(text, size);
  }
  wire::Encoder message = session.begin(type, {header.data(), head.header_fields});
  message.raw(body);
  return session.commit(message.finish());
}

}  // namespace

std::uint64_t Worker::take_commands() noexcept {
  return commands_.take([this](std::string_view record) { carry_out_command(record); });
}

void Worker::take_all_commands() noexcept {
  commands_.take_all([this](std::string_view record) { carry_out_command(record); });
}

void Worker::carry_out_command(std::string_view record) noexcept {
  CommandHead head;
  std::memcpy(&head, record.data(), sizeof head);
  host::HostedSession* const found = head.session.hosted();
  if (found == nullptr) [[unlikely]] {
    // It was removed meanwhile; the result reports that to a sender, and the handle to a caller.
    if (head.kind == CommandHead::Kind::Send) {
      application().on_cross_thread_result(head.session, head.token, host::SendResult());
    } else if (head.kind == CommandHead::Kind::Call && ending_ != Ending::Done) {
      head.function(head.session, head.context);
    }
    return;
  }
  host::HostedSession& session = *found;
  const std::string_view text = record.substr(sizeof head, head.text_size);
  switch (head.kind) {
    case CommandHead::Kind::Send: {
      host::SendResult result =
          send(session, head, text, record.substr(head.body_begin, head.body_size));
      // The other thread may next mark the message that this one answers.
      const std::uint32_t refusals = delayed_marks_.refusals();
      session.store_unstored();
      if (delayed_marks_.refusals() != refusals && result.sent()) {
        result = {host::SendStatus::JournalFull, wire::EncodeError::None, 0};
      }
      application().on_cross_thread_result(head.session, head.token, result);
      return;
    }
    case CommandHead::Kind::AcceptLogon:
      session.accept_logon(head.session.logon());
      return;
    case CommandHead::Kind::RefuseLogon:
      session.refuse_logon(text, head.session.logon());
      return;
    case CommandHead::Kind::CheckLogon:
      session.check_logon(head.session.logon());
      return;
    case CommandHead::Kind::Logout:
      log_out(session, text);
      return;
    case CommandHead::Kind::Connect:
      connect(session);
      return;
    case CommandHead::Kind::Reset:
      session.reset();
      return;
    case CommandHead::Kind::TestPeer:
      session.test_peer();
      return;
    case CommandHead::Kind::FinishMessage:
      static_cast<void>(session.finish_message(host::Receipt(head.token)));
      return;
    case CommandHead::Kind::Redeliver:
      session.ask_for_redelivery();
      return;
    case CommandHead::Kind::Call:
      if (ending_ != Ending::Done) {
        head.function(head.session, head.context);
      }
      return;
  }
}

}  // namespace affix::inline v0::engine
