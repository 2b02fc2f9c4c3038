// SPDX-License-Identifier: MIT
// A build without OpenSSL: asking for TLS is an error.
#include "administration/tls_channel.hpp"

namespace affix::inline v0::tools {

namespace {

std::unexpected<base::Error> no_tls(const std::string& file) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "this build has no TLS (it was made without OpenSSL)", file,
                                     "T101"});
}

}  // namespace

std::expected<TlsContext, base::Error> TlsContext::for_server(const std::string& certificate_file,
                                                              const std::string& /*key_file*/) {
  return no_tls(certificate_file);
}

std::expected<TlsContext, base::Error> TlsContext::for_client(const std::string& trusted_file) {
  return no_tls(trusted_file);
}

bool TlsChannel::begin_tls(const TlsContext& /*context*/, bool /*server*/,
                           std::int64_t /*deadline_ns*/) {
  return false;
}

void TlsChannel::end_tls() noexcept {}

long TlsChannel::read_tls(char* /*to*/, std::size_t /*size*/, std::int64_t /*deadline_ns*/) {
  return -1;
}

bool TlsChannel::write_tls(std::string_view /*bytes*/, std::int64_t /*deadline_ns*/) {
  return false;
}

}  // namespace affix::inline v0::tools
