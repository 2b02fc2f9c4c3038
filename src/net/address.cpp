// SPDX-License-Identifier: MIT
// Parses, prints and resolves addresses.
#include "affix/net/address.hpp"

#include "affix/base/text.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

namespace affix::inline v0::net {

namespace {

static_assert(sizeof(sockaddr_in6) == 28 && sizeof(sockaddr_in) <= 28, "Address::native_size_max");

constexpr const char* address_form =
    "not an address: \"192.0.2.1:9876\", \"[2001:db8::1]:9876\" and \"*:9876\" are";

struct HostPort {
  std::string_view host;  // Without brackets.
  std::uint16_t port = 0;
  bool bracketed = false;
};

// An IPv6 host needs brackets, to distinguish its colons from the port's.
std::optional<HostPort> split(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return std::nullopt;
  }
  HostPort parts{.host = text.substr(0, colon)};
  const auto port = base::parse_number<std::uint16_t>(text.substr(colon + 1));
  if (!port) {
    return std::nullopt;
  }
  parts.port = *port;
  if (parts.host.front() == '[') {
    if (parts.host.size() < 3 || parts.host.back() != ']') {
      return std::nullopt;
    }
    parts.host = parts.host.substr(1, parts.host.size() - 2);
    parts.bracketed = true;
  } else if (parts.host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  return parts;
}

template <typename Native>
Address from_typed(const Native& native) noexcept {
  return Address::from_native(reinterpret_cast<const sockaddr*>(&native), sizeof native);
}

std::optional<Address> parse_ipv4(std::string_view host, std::uint16_t port) {
  sockaddr_in native{};
  native.sin_family = AF_INET;
  native.sin_port = htons(port);
  if (::inet_pton(AF_INET, std::string(host).c_str(), &native.sin_addr) != 1) {
    return std::nullopt;
  }
  return from_typed(native);
}

std::optional<Address> parse_ipv6(std::string_view host, std::uint16_t port) {
  sockaddr_in6 native{};
  native.sin6_family = AF_INET6;
  native.sin6_port = htons(port);
  if (const std::size_t percent = host.find('%'); percent != std::string_view::npos) {
    const std::string_view scope = host.substr(percent + 1);
    const auto number = base::parse_number<std::uint16_t>(scope);
    native.sin6_scope_id = number ? *number : ::if_nametoindex(std::string(scope).c_str());
    if (native.sin6_scope_id == 0) {
      return std::nullopt;
    }
    host = host.substr(0, percent);
  }
  if (::inet_pton(AF_INET6, std::string(host).c_str(), &native.sin6_addr) != 1) {
    return std::nullopt;
  }
  return from_typed(native);
}

std::optional<Address> parse_numeric(const HostPort& parts) {
  if (parts.bracketed) {
    return parse_ipv6(parts.host, parts.port);
  }
  return parts.host == "*" ? parse_ipv6("::", parts.port) : parse_ipv4(parts.host, parts.port);
}

base::Error make_lookup_error(int fault, int error_number, std::string_view text) {
  if (fault == EAI_SYSTEM) {
    return base::make_system_error("getaddrinfo", error_number, std::string(text));
  }
  const bool unknown = fault == EAI_NONAME || fault == EAI_NODATA;
  return base::Error{unknown ? base::ErrorCode::NotFound : base::ErrorCode::Io,
                     std::string("cannot look the name up: ") + ::gai_strerror(fault),
                     std::string(text), "E111"};
}

}  // namespace

Address::Address() noexcept {
  sockaddr_in native{};
  native.sin_family = AF_INET;
  std::memcpy(bytes_.data(), &native, sizeof native);
  size_ = sizeof native;
}

std::expected<Address, base::Error> Address::parse(std::string_view text) {
  const auto parts = split(text);
  const auto address = parts ? parse_numeric(*parts) : std::nullopt;
  if (!address) {
    return std::unexpected(
        base::Error{base::ErrorCode::InvalidArgument, address_form, std::string(text), "E111"});
  }
  return *address;
}

Address Address::from_native(const ::sockaddr* native, std::size_t size) noexcept {
  Address result;
  if (native == nullptr || size < sizeof native->sa_family) {
    return result;
  }
  if (native->sa_family == AF_INET && size >= sizeof(sockaddr_in)) {
    std::memcpy(result.bytes_.data(), native, sizeof(sockaddr_in));
  } else if (native->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, native, sizeof ipv6);
    if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
      sockaddr_in ipv4{};
      ipv4.sin_family = AF_INET;
      ipv4.sin_port = ipv6.sin6_port;
      std::memcpy(&ipv4.sin_addr, &ipv6.sin6_addr.s6_addr[12], sizeof ipv4.sin_addr);
      std::memcpy(result.bytes_.data(), &ipv4, sizeof ipv4);
    } else {
      std::memcpy(result.bytes_.data(), &ipv6, sizeof ipv6);
      result.size_ = sizeof ipv6;
    }
  }
  return result;
}

const ::sockaddr* Address::native() const noexcept {
  return reinterpret_cast<const sockaddr*>(bytes_.data());
}

bool Address::is_ipv6() const noexcept {
  return native()->sa_family == AF_INET6;
}

bool Address::is_loopback() const noexcept {
  if (is_ipv6()) {
    sockaddr_in6 address{};
    std::memcpy(&address, bytes_.data(), sizeof address);
    return IN6_IS_ADDR_LOOPBACK(&address.sin6_addr) != 0;
  }
  sockaddr_in address{};
  std::memcpy(&address, bytes_.data(), sizeof address);
  return (ntohl(address.sin_addr.s_addr) >> 24U) == IN_LOOPBACKNET;
}

// The port is in the same place for both families.
static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));

std::uint16_t Address::port() const noexcept {
  std::uint16_t port = 0;
  std::memcpy(&port, bytes_.data() + offsetof(sockaddr_in, sin_port), sizeof port);
  return ntohs(port);
}

Address Address::with_port(std::uint16_t port) const noexcept {
  Address result = *this;
  const std::uint16_t network = htons(port);
  std::memcpy(result.bytes_.data() + offsetof(sockaddr_in, sin_port), &network, sizeof network);
  return result;
}

std::string_view Address::host_bytes() const noexcept {
  const std::size_t offset =
      is_ipv6() ? offsetof(sockaddr_in6, sin6_addr) : offsetof(sockaddr_in, sin_addr);
  return {reinterpret_cast<const char*>(bytes_.data()) + offset,
          is_ipv6() ? sizeof(in6_addr) : sizeof(in_addr)};
}

Address Address::from_host_bytes(std::string_view host, std::uint16_t port) noexcept {
  if (host.size() == sizeof(in_addr)) {
    sockaddr_in native{};
    native.sin_family = AF_INET;
    native.sin_port = htons(port);
    std::memcpy(&native.sin_addr, host.data(), host.size());
    return from_typed(native);
  }
  if (host.size() == sizeof(in6_addr)) {
    sockaddr_in6 native{};
    native.sin6_family = AF_INET6;
    native.sin6_port = htons(port);
    std::memcpy(&native.sin6_addr, host.data(), host.size());
    return from_typed(native);
  }
  return {};
}

std::string Address::host_text() const {
  std::array<char, NI_MAXHOST> text{};
  // The numeric form only: no name is resolved, so it cannot block.
  if (::getnameinfo(native(), static_cast<socklen_t>(size_), text.data(), text.size(), nullptr, 0,
                    NI_NUMERICHOST) != 0) {
    return "?";
  }
  return text.data();
}

std::string Address::text() const {
  const std::string host = is_ipv6() ? "[" + host_text() + "]" : host_text();
  return host + ":" + std::to_string(port());
}

bool operator==(const Address& left, const Address& right) noexcept {
  return left.size_ == right.size_ &&
         std::memcmp(left.bytes_.data(), right.bytes_.data(), left.size_) == 0;
}

std::expected<std::vector<Address>, base::Error> wait_resolve(std::string_view text) {
  const auto parts = split(text);
  if (!parts) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument, "not \"host:port\"",
                                       std::string(text), "E111"});
  }
  if (const auto numeric = parse_numeric(*parts)) {
    return std::vector<Address>{*numeric};
  }
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int fault = ::getaddrinfo(std::string(parts->host).c_str(), nullptr, &wanted, &first);
  const int error_number = errno;
  if (fault != 0) {
    return std::unexpected(make_lookup_error(fault, error_number, text));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(first, &::freeaddrinfo);
  std::vector<Address> found;
  for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
    if (each->ai_family == AF_INET || each->ai_family == AF_INET6) {
      found.push_back(Address::from_native(each->ai_addr, each->ai_addrlen).with_port(parts->port));
    }
  }
  if (found.empty()) {
    return std::unexpected(make_lookup_error(EAI_NONAME, 0, text));
  }
  return found;
}

}  // namespace affix::inline v0::net
