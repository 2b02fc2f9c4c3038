// SPDX-License-Identifier: MIT
// Answers in a build without an etcd client. Empty in every other.
#include "affix/service/etcd_election_store.hpp"

namespace affix::inline v0::service {

#ifndef AFFIX_ETCD

std::expected<std::unique_ptr<replication::ElectionStore>, base::Error> open_etcd_election_store(
    const EtcdOptions& options) {
  if (auto checked = check_etcd_options(options); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  return std::unexpected(
      base::Error{base::ErrorCode::Unsupported,
                  "this build has no etcd client (it was made without cpp-httplib or OpenSSL)",
                  {},
                  "R222"});
}

#endif

}  // namespace affix::inline v0::service
