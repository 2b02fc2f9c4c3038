// SPDX-License-Identifier: MIT
// Texts of the reasons that handlers receive.
#include "affix/net/handler.hpp"

namespace affix::inline v0::net {

namespace {

base::CodedText described(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::PeerClosed:
      return {"closed by the peer", "N101"};
    case CloseReason::PeerReset:
      return {"reset by the peer", "N102"};
    case CloseReason::PeerVanished:
      return {"the peer does not answer", "N103"};
    case CloseReason::InputOverflow:
      return {"more input than the receive buffer holds and none of it consumed", "N104"};
    case CloseReason::Flushed:
      return {"closed in order", "N105"};
    case CloseReason::FlushTimedOut:
      return {"closed with output that the peer did not take in time", "N106"};
    case CloseReason::Truncated:
      return {"ended by the peer without TLS's close_notify", "N107"};
    case CloseReason::TlsFailed:
      return {"TLS failed", "N108"};
    case CloseReason::Failed:
      return {"system fault", "N109"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(CloseReason reason) noexcept {
  return described(reason).text.data();
}

base::MessageCode code_of(CloseReason reason) noexcept {
  return described(reason).code;
}

namespace {

base::CodedText described(ConnectFailure failure) noexcept {
  switch (failure) {
    case ConnectFailure::Refused:
      return {"connection refused", "N110"};
    case ConnectFailure::TimedOut:
      return {"timed out", "N111"};
    case ConnectFailure::Unreachable:
      return {"unreachable", "N112"};
    case ConnectFailure::TlsFailed:
      return {"TLS failed", "N108"};
    case ConnectFailure::Failed:
      return {"system fault", "N109"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(ConnectFailure failure) noexcept {
  return described(failure).text.data();
}

base::MessageCode code_of(ConnectFailure failure) noexcept {
  return described(failure).code;
}

namespace {

base::CodedText described(AcceptPause pause) noexcept {
  switch (pause) {
    case AcceptPause::ConnectionLimit:
      return {"the limit of connections is met", "N113"};
    case AcceptPause::NoDescriptors:
      return {"no file descriptor is left", "N114"};
    case AcceptPause::ReservedDescriptors:
      return {
          "a connection was closed, as the file descriptors that are left are kept for journals",
          "N115"};
    case AcceptPause::NoMemory:
      return {"the system has no memory for another connection", "N116"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(AcceptPause pause) noexcept {
  return described(pause).text.data();
}

base::MessageCode code_of(AcceptPause pause) noexcept {
  return described(pause).code;
}

}  // namespace affix::inline v0::net
