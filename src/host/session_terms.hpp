// SPDX-License-Identifier: MIT
// Values of a session that are fixed when it is made: its names, the texts that its options view,
// and how it stores.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/session_options.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::host {

/// Settings are large and sessions many, so their users share them.
using SharedSettings = std::shared_ptr<const config::SessionSettings>;

/// Terms that the session's group and its engine set.
struct GroupTerms {
  std::int64_t output_tries = 0;   ///< `send_try_count`; 0: it sets no limit.
  bool takes_stamps = false;       ///< The journal stores arrival times.
  bool records_latencies = false;  ///< The engine records the messages' latencies.
};

/// The session's options have views of it, so it is not moved once they are made.
struct SessionTerms {
  SharedSettings made_with;  ///< `texts` has views of it.
  config::SessionTexts texts;
  std::string identity;
  std::string journal_directory;
  std::int64_t output_tries;
  const bool synced;            ///< Durability sync.
  const bool stores_first;      ///< store_order before_send.
  const bool takes_stamps;      ///< The journal stores arrival times.
  const bool looks_for_stamps;  ///< For the journal or for latencies.

  /// Time for which the peer may refuse output under the present `settings`: a try of
  /// send_try_count is one second.
  [[nodiscard]] std::int64_t output_patience_ns(
      const config::SessionSettings& settings) const noexcept;
};

/// check_session() has found no fault in `settings`. Allocates.
[[nodiscard]] SessionTerms session_terms(const SharedSettings& settings,
                                         std::string_view journal_directory,
                                         const GroupTerms& group);

}  // namespace affix::inline v0::host
