// SPDX-License-Identifier: MIT
// A stream with an output of its own.
#include "tls/tls_client.hpp"

#include "tls/tls_stream.hpp"

#include <utility>

namespace affix::inline v0::tls {

namespace {

/// Of a handshake, or of one write.
constexpr std::size_t output_bytes_max = std::size_t{1} << 20;

}  // namespace

TlsClient::TlsClient(std::unique_ptr<TlsStream> stream, std::unique_ptr<TlsOutput> output) noexcept
    : stream_(std::move(stream)), output_(std::move(output)) {}

TlsClient::TlsClient(TlsClient&&) noexcept = default;
TlsClient& TlsClient::operator=(TlsClient&&) noexcept = default;
TlsClient::~TlsClient() = default;

std::expected<TlsClient, base::Error> TlsClient::make(const TlsEndpoint& endpoint,
                                                      std::int64_t utc_ns) {
  auto stream = TlsStream::make(endpoint.current(), utc_ns);
  if (stream == nullptr) {
    return std::unexpected(
        base::Error{base::ErrorCode::Io, "there is no memory for a TLS connection", {}, "T212"});
  }
  return TlsClient(std::move(stream), std::make_unique<TlsOutput>(output_bytes_max));
}

TlsStatus TlsClient::shake_hands(std::string_view& received) {
  return stream_->shake_hands(received, *output_);
}

TlsRead TlsClient::read(std::string_view& received, std::span<char> room) {
  return stream_->read(received, room, *output_);
}

bool TlsClient::write(std::string_view plain) {
  return stream_->write(plain, *output_);
}

std::string_view TlsClient::output() const noexcept {
  return output_->view();
}

void TlsClient::clear_output() noexcept {
  output_->clear();
}

std::string_view TlsClient::fault() const noexcept {
  return stream_->fault().text;
}

}  // namespace affix::inline v0::tls
