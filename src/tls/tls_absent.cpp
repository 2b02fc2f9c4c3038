// SPDX-License-Identifier: MIT
// Answers TLS calls in a build without OpenSSL. Empty in every other.
#include "affix/tls/tls_reactor.hpp"

namespace affix::inline v0::tls {

#ifndef AFFIX_TLS

net::ReactorOptions options_beneath_tls(const net::ReactorOptions& wanted) noexcept {
  return wanted;
}

std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<net::Reactor> /*beneath*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "this build has no TLS (it was made without OpenSSL)",
                                     {},
                                     "T101"});
}

#endif

}  // namespace affix::inline v0::tls
