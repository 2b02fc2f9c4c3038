// SPDX-License-Identifier: MIT
// Reads the fixed values of a session from its settings.
#include "host/session_terms.hpp"

#include "affix/base/time.hpp"

#include "config/identity.hpp"

#include <algorithm>

namespace affix::inline v0::host {

std::int64_t SessionTerms::output_patience_ns(
    const config::SessionSettings& settings) const noexcept {
  const std::int64_t seconds = settings.output_timeout_seconds;
  return (output_tries == 0 ? seconds : std::min(seconds, output_tries)) * base::ns_per_second;
}

SessionTerms session_terms(const SharedSettings& settings, std::string_view journal_directory,
                           const GroupTerms& group) {
  return {.made_with = settings,
          .texts = config::session_texts(*settings).value(),
          .identity = config::identity_text(*settings),
          .journal_directory = std::string(journal_directory),
          .output_tries = group.output_tries,
          .synced = settings->durability == journal::Durability::Sync,
          .stores_first = settings->store_order != config::StoreOrder::AfterSend,
          .takes_stamps = group.takes_stamps,
          .looks_for_stamps = group.takes_stamps || group.records_latencies};
}

}  // namespace affix::inline v0::host
