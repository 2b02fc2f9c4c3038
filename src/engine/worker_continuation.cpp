// SPDX-License-Identifier: MIT
// Connections that an earlier process, or another node, left to a worker's sessions.
#include "engine/worker.hpp"

#include <memory>
#include <string>
#include <utility>

namespace affix::inline v0::engine {

void Worker::continue_left(SessionPlace& place) noexcept {
  if (kept_.keeper != nullptr && !meter_.shows_turns()) {
    meter_.show_turns_in(kept_.keeper->turn_sign(number_));
  }
  const std::unique_ptr<LeftConnection> left = std::move(place.left);
  if (left == nullptr) {
    return;
  }
  KeptConnections& keeper = left->passed != nullptr ? *left->passed : *kept_.keeper;
  host::HostedSession& session = *place.session;
  const base::CodedText why = place.enabled ? continue_on(session, *left)
                                            : base::CodedText{"the session is disabled", "K301"};
  if (why.empty()) {
    if (left->passed != nullptr) {
      keeper.drop(*left->row);  // If this node dies, too, the peer is to notice.
    }
    return;
  }
  report(host::Event::Severity::Warning, session.settings().name,
         std::string("the connection of ") +
             (left->passed != nullptr ? "another node" : "an earlier process") +
             " is closed: " + std::string(why.text),
         why.code);
  keeper.close(*left);
  session.refuse_continuation();
}

base::CodedText Worker::continue_on(host::HostedSession& session, LeftConnection& left) noexcept {
  const bool connected_here = session.protocol().options().role == session::Role::Initiator;
  const auto position = reactor_->stream_position(
      left.socket, connected_here ? net::Opened::Here : net::Opened::ByPeer);
  if (!position || position->closed || position->output_ended) {
    return {"it has ended", "K301"};
  }
  if (!net::apply(left.options, left.socket)) {
    return {"its socket does not take the options of the session's group", "K301"};
  }
  const auto connection = reactor_->adopt(
      net::DetachedConnection{.socket = std::move(left.socket),
                              .quick_ack = left.options.quick_ack,
                              .stamped = left.options.receive_stamps != net::ReceiveStamps::None,
                              .shared = true,
                              .output_position = position->written,
                              .transmitted_position = position->written});
  if (!connection) {
    return {"there is no room for it", "K301"};
  }
  connections_.enter(*connection).session = &session;
  const base::CodedText why = session.continue_on(*connection, *left.row, position->written);
  if (!why.empty()) {
    ConnectionTable::clear(*connections_.find(*connection));
    reactor_->close(*connection);
  }
  return why;
}

/// The first worker looks after the keeper; each holds its own connections again if that is a new
/// one.
void Worker::tend_kept() noexcept {
  kept_.tend_ns = now_.steady_ns + base::ns_per_second;
  if (!meter_.shows_turns()) {
    meter_.show_turns_in(kept_.keeper->turn_sign(number_));  // It began without sessions.
  }
  if (number_ == 0) {
    kept_.keeper->tend([this](host::Event::Severity severity, std::string_view text,
                              base::MessageCode code) { report(severity, {}, text, code); });
  }
  if (kept_.generation != kept_.keeper->generation()) {
    kept_.generation = kept_.keeper->generation();
    places_.for_each([](SessionPlace& place) { place.session->keep_again(); });
  }
}

}  // namespace affix::inline v0::engine
