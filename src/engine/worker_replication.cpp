// SPDX-License-Identifier: MIT
// A worker's part in failover groups that this node leads: its journals' stores go to the standbys
// at the end of each turn, and output waits for them.
#include "engine/worker.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Time after a report that the TLS of a connection to another node failed, before the next.
constexpr std::int64_t node_fault_pause_ns = 10 * base::ns_per_second;

}  // namespace

void Worker::join_group(SessionPlace& place, std::shared_ptr<host::LedGroup> led) {
  if (std::ranges::find(failover_.led, led) == failover_.led.end()) {
    failover_.led.push_back(led);
    led->shipper().end_turn(now_);  // Its gate counts from now on.
  }
  host::HostedSession& session = *place.session;
  place.tap = led->shipper().add(session.journal(), session.identity());
  session.set_led_group(*led);
  place.led = std::move(led);
}

void Worker::leave_group(SessionPlace& place) noexcept {
  if (place.led == nullptr) {
    return;
  }
  const std::shared_ptr<host::LedGroup> led = std::exchange(place.led, nullptr);
  led->shipper().remove(place.tap);
  if (!places_.any_of([&](const SessionPlace& other) { return other.led == led; })) {
    drop_group(led);
  }
}

/// It stays until its connections are closed, whose events it needs.
void Worker::drop_group(const std::shared_ptr<host::LedGroup>& led) noexcept {
  led->shipper().leave(now_);
  const auto found = std::ranges::find(failover_.led, led);
  failover_.left.push_back(std::move(*found));
  failover_.led.erase(found);
}

/// The sessions go on: only the stream to the standbys begins anew, with another epoch.
void Worker::begin_epoch(const NewEpoch& epoch) noexcept {
  if (std::ranges::find(failover_.led, epoch.before) == failover_.led.end()) {
    return;
  }
  failover_.led.push_back(epoch.after);
  epoch.after->shipper().end_turn(now_);  // Its gate counts from now on.
  places_.for_each([&](SessionPlace& place) {
    if (place.led != epoch.before) {
      return;
    }
    host::HostedSession& session = *place.session;
    epoch.before->shipper().remove(place.tap);
    // A journal that refuses it reports that with its next record.
    static_cast<void>(session.journal().append_epoch(epoch.epoch, now_.utc_ns, epoch.node));
    place.led = epoch.after;
    place.tap = epoch.after->shipper().add(session.journal(), session.identity());
    session.set_led_group(*epoch.after);
    needs_attention(session);
  });
  drop_group(epoch.before);
}

/// Sessions of the group have output that may still leave, which the next primary could not send.
bool Worker::awaits_output(const PassOn& pass) {
  return now_.steady_ns < pass.passing->until_ns() &&
         places_.any_of([&](const SessionPlace& place) {
           return place.led == pass.led && place.session->output_waits();
         });
}

/// At the end of a turn, after the sessions have sent what they could.
void Worker::pass_on() noexcept {
  std::erase_if(failover_.passes, [this](const PassOn& pass) {
    // Given up meanwhile: the sessions have taken back what they passed on, and would not again.
    if (pass.led->seen_intake() == host::Intake::Open) {
      pass.passing->on_worker_done(0);
      return true;
    }
    if (awaits_output(pass)) {
      return false;
    }
    std::size_t connections = 0;
    places_.for_each([&](SessionPlace& place) {
      if (place.led == pass.led && !place.leaving && place.session->pass_on(pass.passing->to())) {
        ++connections;
      }
    });
    pass.passing->on_worker_done(connections);
    return true;
  });
}

void Worker::report_failover(const FailoverReport& failover) noexcept {
  report(failover.severity, {}, failover.text, failover.code);
  if (failover.notice) {
    application().on_failover(*failover.notice);
  }
}

/// Standbys are dialed ten times a second, and a wrong certificate stays wrong.
void Worker::report_node_fault(base::CodedText fault) noexcept {
  if (now_.steady_ns >= failover_.next_node_fault_ns) {
    failover_.next_node_fault_ns = now_.steady_ns + node_fault_pause_ns;
    report(host::Event::Severity::Error, {},
           "connection to another node: TLS: " + std::string(fault.text), fault.code);
  }
}

host::LedGroup* Worker::led_group_of(net::ConnectionId connection) noexcept {
  for (const FailoverShare::Groups* const groups : {&failover_.led, &failover_.left}) {
    for (const auto& led : *groups) {
      if (led->shipper().owns(connection)) {
        return led.get();
      }
    }
  }
  return nullptr;
}

void Worker::await_replication(host::HostedSession& session) noexcept {
  waiting_.add(host::Wait::Replication, session);
}

/// Output that a standby lets go leaves at once: after the turn's other connections it would be
/// later by a read of each.
std::size_t Worker::take_acknowledgements(host::LedGroup& led, net::ConnectionId connection,
                                          base::PaddedBytes bytes) noexcept {
  const replication::Place before = led.shipper().released();
  const std::size_t consumed = led.shipper().on_bytes(connection, bytes);
  if (led.shipper().released() != before) {
    waiting_.end_and_attend(host::Wait::Replication,
                            [this](host::HostedSession& session) { attend(session); });
  }
  return consumed;
}

/// Standbys may have answered, or the control thread changed what it permits.
void Worker::notice_standbys() noexcept {
  bool progress = false;
  for (const auto& led : failover_.led) {
    const host::Intake before = led->seen_intake();
    progress = led->take_progress() || progress;
    if (led->seen_intake() != before) {
      places_.for_each([&](SessionPlace& place) {
        if (place.led == led) {
          place.session->follow_intake();
        }
      });
    }
  }
  if (progress) {
    waiting_.end(host::Wait::Replication);
  }
}

/// Last in a turn, so that everything it stored leaves in one send for each standby.
void Worker::ship() noexcept {
  for (const auto& led : failover_.led) {
    led->shipper().end_turn(now_);
    led->publish_intake();
  }
  std::erase_if(failover_.left, [](const auto& led) { return !led->shipper().has_connections(); });
  notice_standbys();  // A gate without standbys lets go at once.
}

}  // namespace affix::inline v0::engine
