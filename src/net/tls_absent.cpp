// SPDX-License-Identifier: MIT
// What a build without OpenSSL answers. Empty in every other.
#include "affix/net/tls_reactor.hpp"

namespace affix::inline v0::net {

#ifndef AFFIX_TLS

ReactorOptions options_beneath_tls(const ReactorOptions& wanted) noexcept {
  return wanted;
}

std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<Reactor> /*beneath*/) {
  return std::unexpected(base::Error{
      base::ErrorCode::Unsupported, "this build has no TLS (it was made without OpenSSL)", {}});
}

#endif

}  // namespace affix::inline v0::net
