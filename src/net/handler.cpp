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

base::MessageCode code_of(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::PeerClosed:
      return "N101";
    case CloseReason::PeerReset:
      return "N102";
    case CloseReason::PeerVanished:
      return "N103";
    case CloseReason::InputOverflow:
      return "N104";
    case CloseReason::Flushed:
      return "N105";
    case CloseReason::FlushTimedOut:
      return "N106";
    case CloseReason::Truncated:
      return "N107";
    case CloseReason::TlsFailed:
      return "N108";
    case CloseReason::Failed:
      return "N109";
  }
  return {};
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

base::MessageCode code_of(ConnectFailure failure) noexcept {
  switch (failure) {
    case ConnectFailure::Refused:
      return "N110";
    case ConnectFailure::TimedOut:
      return "N111";
    case ConnectFailure::Unreachable:
      return "N112";
    case ConnectFailure::TlsFailed:
      return "N108";
    case ConnectFailure::Failed:
      return "N109";
  }
  return {};
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

base::MessageCode code_of(AcceptPause pause) noexcept {
  switch (pause) {
    case AcceptPause::ConnectionLimit:
      return "N113";
    case AcceptPause::NoDescriptors:
      return "N114";
    case AcceptPause::ReservedDescriptors:
      return "N115";
    case AcceptPause::NoMemory:
      return "N116";
  }
  return {};
}

}  // namespace affix::inline v0::net
