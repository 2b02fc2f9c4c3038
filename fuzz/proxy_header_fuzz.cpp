// SPDX-License-Identifier: MIT
// Any bytes as a PROXY header: results lie within them, and additional bytes never change the
// result for fewer.
#include "affix/net/proxy_header.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

namespace net = affix::net;

void check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  const net::ProxyHeader whole = net::read_proxy_header(bytes);
  if (whole.status == net::ProxyHeaderStatus::Complete) {
    check(whole.size >= 16 && whole.size <= bytes.size());
    check(whole.size <= net::proxy_header_bytes_max);
    // A copy of exactly these bytes must give the same header.
    const std::string alone(bytes.substr(0, whole.size));
    const net::ProxyHeader again = net::read_proxy_header(alone);
    check(again.status == whole.status && again.size == whole.size &&
          again.is_local == whole.is_local && again.source == whole.source);
    check(net::read_proxy_header(bytes.substr(0, whole.size - 1)).status ==
          net::ProxyHeaderStatus::Partial);
  }
  if (whole.status == net::ProxyHeaderStatus::Partial) {
    check(bytes.size() < net::proxy_header_bytes_max);
  }
  for (std::size_t part = 0; part < size && part < 64; ++part) {
    const net::ProxyHeader early = net::read_proxy_header(bytes.substr(0, part));
    check(early.status != net::ProxyHeaderStatus::Complete || early.size == whole.size);
    check(early.status != net::ProxyHeaderStatus::Invalid ||
          whole.status == net::ProxyHeaderStatus::Invalid);
  }
  return 0;
}
