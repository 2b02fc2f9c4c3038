// SPDX-License-Identifier: MIT
// Time limits of the administration port, and the maximum size of its answers.
#pragma once

#include "affix/base/time.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::admin {

/// Options that configuration files do not have.
struct ServerOptions {
  std::int64_t claim_ns = 700 * base::ns_per_ms;  ///< Maximum time until a worker starts a command.
  std::int64_t finish_ns = 950 * base::ns_per_ms;  ///< Maximum time until it ends; then "begun".
  std::int64_t wrong_token_ns = 500 * base::ns_per_ms;  ///< Delay of the answer to a wrong token.
  std::int64_t stranger_ns = 30 * base::ns_per_second;  ///< Until a connection without role closes.
  std::int64_t silent_ns = 3'600 * base::ns_per_second;  ///< The same time without input.
  std::int64_t unread_ns = 30 * base::ns_per_second;     ///< The same without reading output.
  std::size_t answer_bytes_max = std::size_t{4} << 20;   ///< Per answer; longer ones are cut.
};

}  // namespace affix::inline v0::admin
