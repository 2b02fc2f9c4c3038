// SPDX-License-Identifier: MIT
// Texts of the reasons that handlers receive.
#include "affix/net/handler.hpp"

namespace affix::inline v0::net {

const char* to_text(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::PeerClosed:
      return "closed by the peer";
    case CloseReason::PeerReset:
      return "reset by the peer";
    case CloseReason::PeerVanished:
      return "the peer does not answer";
    case CloseReason::InputOverflow:
      return "more input than the receive buffer holds and none of it consumed";
    case CloseReason::Flushed:
      return "closed in order";
    case CloseReason::FlushTimedOut:
      return "closed with output that the peer did not take in time";
    case CloseReason::Truncated:
      return "ended by the peer without TLS's close_notify";
    case CloseReason::TlsFailed:
      return "TLS failed";
    case CloseReason::Failed:
      return "system fault";
  }
  return "unknown";
}

const char* to_text(ConnectFailure failure) noexcept {
  switch (failure) {
    case ConnectFailure::Refused:
      return "connection refused";
    case ConnectFailure::TimedOut:
      return "timed out";
    case ConnectFailure::Unreachable:
      return "unreachable";
    case ConnectFailure::TlsFailed:
      return "TLS failed";
    case ConnectFailure::Failed:
      return "system fault";
  }
  return "unknown";
}

const char* to_text(AcceptPause pause) noexcept {
  switch (pause) {
    case AcceptPause::ConnectionLimit:
      return "the limit of connections is met";
    case AcceptPause::NoDescriptors:
      return "no file descriptor is left";
    case AcceptPause::ReservedDescriptors:
      return "a connection was closed, as the file descriptors that are left are kept for journals";
    case AcceptPause::NoMemory:
      return "the system has no memory for another connection";
  }
  return "unknown";
}

}  // namespace affix::inline v0::net
