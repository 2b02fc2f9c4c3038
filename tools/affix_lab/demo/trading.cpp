// SPDX-License-Identifier: MIT
// Three symbols of different prices.
#include "demo/trading.hpp"

#include "affix/base/time.hpp"

#include "program/other_program.hpp"

#include <filesystem>
#include <system_error>

namespace affix::inline v0::tools::demo {

trade::ClientOptions flow_of(double duration_seconds, std::int64_t rate) {
  trade::ClientOptions client;
  client.duration_ns =
      static_cast<std::int64_t>(duration_seconds * static_cast<double>(base::ns_per_second));
  client.flow.rate_per_second = rate;
  client.flow.symbols = {{.symbol = "AAPL"},
                         {.symbol = "MSFT", .mid = {400, 0}},
                         {.symbol = "NOKIA.HE", .mid = {450, -2}}};
  return client;
}

std::string reader_path() {
  std::error_code error;
  const auto path = find_program("affix");
  const auto near = path ? std::filesystem::proximate(*path, error) : std::filesystem::path();
  return error || near.empty() ? "affix" : near.string();
}

}  // namespace affix::inline v0::tools::demo
