// SPDX-License-Identifier: MIT
// Answers TLS calls in a build without OpenSSL. Empty in every other.
#include "affix/tls/tls_reactor.hpp"

#include "tls/tls_client.hpp"

namespace affix::inline v0::tls {

#ifndef AFFIX_TLS

class TlsStream {};

class TlsOutput {};

namespace {

std::unexpected<base::Error> no_tls() {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "this build has no TLS (it was made without OpenSSL)",
                                     {},
                                     "T101"});
}

}  // namespace

std::expected<TlsClient, base::Error> TlsClient::make(const TlsEndpoint& /*endpoint*/,
                                                      std::int64_t /*utc_ns*/) {
  return no_tls();
}

// There is none, so none of these is called.
TlsClient::TlsClient(TlsClient&&) noexcept = default;
TlsClient& TlsClient::operator=(TlsClient&&) noexcept = default;
TlsClient::~TlsClient() = default;

TlsStatus TlsClient::shake_hands(std::string_view& /*received*/) {
  return TlsStatus::Failed;
}

TlsRead TlsClient::read(std::string_view& /*received*/, std::span<char> /*room*/) {
  return {.bytes = 0, .status = TlsStatus::Failed};
}

bool TlsClient::write(std::string_view /*plain*/) {
  return false;
}

std::string_view TlsClient::output() const noexcept {
  return {};
}

void TlsClient::clear_output() noexcept {}

std::string_view TlsClient::fault() const noexcept {
  return {};
}

net::ReactorOptions options_beneath_tls(const net::ReactorOptions& wanted) noexcept {
  return wanted;
}

std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<net::Reactor> /*beneath*/) {
  return no_tls();
}

#endif

}  // namespace affix::inline v0::tls
