// SPDX-License-Identifier: MIT
// An election store in etcd 3.4 or later, by its JSON gateway: transactions on revisions, reads
// that a majority confirms, and nothing else of it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/replication/election_store.hpp"
#include "affix/service/etcd_options.hpp"

#include <expected>
#include <memory>

namespace affix::inline v0::service {

/// Starts the threads that wait for etcd; connects later, so an etcd that is not there is no error
/// here. A request whose connection fails goes to the next endpoint. A write that was sent to one
/// and not answered is Unknown, and goes to no other; so a write has an answer within
/// answer_ns + endpoints * connect_ns, a read within endpoints * (connect_ns + answer_ns); names
/// that the system resolves slowly take longer. InvalidArgument (R221): an endpoint, the cluster
/// or a combination of files. For https also the errors of tls::TlsEndpoint::open(): a file that
/// cannot be read, or a build without TLS.
[[nodiscard]] std::expected<std::unique_ptr<replication::ElectionStore>, base::Error>
open_etcd_election_store(const EtcdOptions& options);

}  // namespace affix::inline v0::service
