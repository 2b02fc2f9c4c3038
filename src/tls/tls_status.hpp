// SPDX-License-Identifier: MIT
// How far a step of a TLS connection came.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::tls {

enum class TlsStatus : std::uint8_t {
  Open,    ///< Done as far as possible; more input may allow more.
  Done,    ///< Handshake only: finished, and the peer is authenticated.
  Ended,   ///< The peer has ended its stream in order.
  Failed,  ///< It cannot continue; fault() gives the reason.
};

/// Of a step that decrypts.
struct TlsRead {
  std::size_t bytes = 0;
  TlsStatus status = TlsStatus::Open;
};

}  // namespace affix::inline v0::tls
