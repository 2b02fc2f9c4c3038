// SPDX-License-Identifier: MIT
// The context in use, and its replacement.
#include "affix/tls/tls_endpoint.hpp"

#ifdef AFFIX_TLS
#include "tls/tls_context.hpp"
#endif

#include <utility>

namespace affix::inline v0::tls {

namespace {

/// Every fault names the group too, since two groups may share a file.
base::Error in_group(base::Error error, const TlsSettings& settings) {
  if (!settings.name.empty()) {
    error.where = "[" + settings.name + "]" + (error.where.empty() ? "" : " " + error.where);
  }
  return error;
}

std::expected<std::shared_ptr<const TlsContext>, base::Error> make_context(
    const TlsSettings& settings) {
  if (auto checked = check(settings); !checked) {
    return std::unexpected(in_group(std::move(checked.error()), settings));
  }
#ifdef AFFIX_TLS
  auto made = TlsContext::make(settings);
  if (!made) {
    return std::unexpected(in_group(std::move(made.error()), settings));
  }
  return made;
#else
  return std::unexpected(
      in_group({base::ErrorCode::Unsupported, "this build has no TLS", {}, "T101"}, settings));
#endif
}

}  // namespace

bool has_tls() noexcept {
#ifdef AFFIX_TLS
  return true;
#else
  return false;
#endif
}

std::expected<std::shared_ptr<TlsEndpoint>, base::Error> TlsEndpoint::open(TlsSettings settings) {
  auto context = make_context(settings);
  if (!context) {
    return std::unexpected(std::move(context.error()));
  }
  return std::shared_ptr<TlsEndpoint>(new TlsEndpoint(std::move(settings), std::move(*context)));
}

TlsEndpoint::TlsEndpoint(TlsSettings settings, std::shared_ptr<const TlsContext> first)
    : settings_(std::move(settings)), current_(std::move(first)) {}

TlsEndpoint::~TlsEndpoint() = default;

std::expected<void, base::Error> TlsEndpoint::reload() {
  auto context = make_context(settings_);
  if (!context) {
    return std::unexpected(std::move(context.error()));
  }
  const std::lock_guard lock(mutex_);
  current_ = std::move(*context);
  ++reloads_;
  return {};
}

std::shared_ptr<const TlsContext> TlsEndpoint::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::uint64_t TlsEndpoint::reloads() const {
  const std::lock_guard lock(mutex_);
  return reloads_;
}

}  // namespace affix::inline v0::tls
