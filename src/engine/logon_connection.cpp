// SPDX-License-Identifier: MIT
// The phases of a connection before its session is known.
#include "engine/logon_connection.hpp"

#include <utility>

namespace affix::inline v0::engine {

void LogonConnection::begin(LogonServer& server, net::ConnectionId connection,
                            const net::Address& peer, std::int64_t now_ns) {
  id_ = connection;
  phase_ = server.is_proxy(peer) ? Phase::ProxyHeader : Phase::UncheckedLogon;
  server_ = &server;
  in_line_ = server.enter(connection);
  accepted_ns_ = now_ns;
  skipped_bytes_ = 0;
  address_ = peer;
  peer_info_.peer = peer.text();
}

void LogonConnection::take_source(const net::Address& source) {
  peer_info_.peer = source.text() + " by way of " + peer_info_.peer;
  address_ = source;
}

base::CodedText LogonConnection::check_address() {
  phase_ = Phase::Logon;
  LogonServer::Admission admission = server_->admit(address_);
  peer_info_.place = std::move(admission.place);
  return admission.refusal;
}

bool LogonConnection::take_answer() noexcept {
  if (phase_ != Phase::Session) {
    return false;
  }
  phase_ = Phase::LogonAgain;
  return true;
}

PeerInfo LogonConnection::leave() noexcept {
  server_->leave(in_line_);
  phase_ = Phase::Absent;
  peer_info_.place.pass_gate();
  return std::exchange(peer_info_, {});
}

}  // namespace affix::inline v0::engine
