// SPDX-License-Identifier: MIT
// Answers orders with reports.
#include "bench/server/echo_application.hpp"

#include "affix/wire/index.hpp"

#include <utility>

namespace affix::inline v0::tools::bench {

void write_report(wire::Encoder& report, const wire::MessageView& order, std::uint64_t number,
                  std::int64_t utc_ns, bool has_transaction_type) {
  report.integer(37, number);
  report.text(11, order.value_or_null(11));
  report.integer(17, number);
  if (has_transaction_type) {
    report.character(20, '0');
  }
  report.character(150, '0');
  report.character(39, '0');
  report.text(55, order.value_or_null(55));
  report.text(54, order.value_or_null(54));
  const std::string_view quantity = order.value_or_null(38);
  if (!quantity.empty()) {
    report.text(38, quantity);
  }
  const std::string_view price = order.value_or_null(44);
  if (!price.empty()) {
    report.text(44, price);
  }
  report.text(151, quantity.empty() ? std::string_view("0") : quantity);
  report.integer(14, 0);
  report.integer(6, 0);
  report.utc_time(60, {utc_ns, 0}, wire::TimePrecision::Millis);
}

void EchoApplication::attach(const std::vector<host::SessionHandle>& sessions) {
  for (const host::SessionHandle session : sessions) {
    on_session_added(session);
  }
}

void EchoApplication::on_session_added(host::SessionHandle session) noexcept {
  auto member = std::make_unique<Member>();
  member->has_transaction_type = session.begin_string() == "FIX.4.2";
  session.set_user(member.get());
  const std::scoped_lock lock(mutex_);
  members_.push_back(std::move(member));
}

std::uint64_t EchoApplication::answered() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& member : members_) {
    sum += member->answered;
  }
  return sum;
}

bool EchoApplication::send_report(host::SessionHandle session, Member& member,
                                  const wire::MessageView& order, std::uint64_t number) noexcept {
  wire::Encoder report = session.begin("8");
  write_report(report, order, number, session.now().utc_ns, member.has_transaction_type);
  const host::SendStatus status = session.commit(report).status;
  if (status == host::SendStatus::Backlogged || status == host::SendStatus::Resetting) {
    return false;
  }
  // Sent, or numbered and requested by the peer after its next logon.
  member.answered += status == host::SendStatus::Sent || status == host::SendStatus::Queued ? 1 : 0;
  return true;
}

void EchoApplication::on_message(host::SessionHandle session, const wire::MessageView& message,
                                 const host::Delivery& delivery) noexcept {
  if (message.type() != "D") {
    return;
  }
  Member& member = *static_cast<Member*>(session.user());
  if (!member.waiting.empty() || !send_report(session, member, message, delivery.sequence)) {
    member.waiting.push_back({std::string(message.bytes()), delivery.sequence});
  }
}

void EchoApplication::on_output_room(host::SessionHandle session) noexcept {
  Member& member = *static_cast<Member*>(session.user());
  while (!member.waiting.empty()) {
    const Waiting& next = member.waiting.front();
    wire::FieldIndexOf<256> index;
    wire::index_message(next.order, index);
    if (!send_report(session, member, wire::MessageView(next.order, index), next.number)) {
      return;
    }
    member.waiting.pop_front();
  }
}

void EchoApplication::on_event(const host::Event& event) noexcept {
  log_.write(event);
}

}  // namespace affix::inline v0::tools::bench
