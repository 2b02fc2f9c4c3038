// SPDX-License-Identifier: MIT
// An election store in a directory, for nodes that are processes of one machine: demonstrations and
// tests. Not safe across machines, whatever file system they share.
#pragma once

#include "affix/base/error.hpp"
#include "affix/replication/election_store.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::replication {

/// For open_file_election_store().
struct FileElectionStoreOptions {
  /// Created if it does not exist. It has one file `GROUP.election` and one lock `GROUP.lock` for
  /// each group; every node of the cluster names the same directory.
  std::string directory;
  /// How often a watched entry is read, in nanoseconds.
  std::int64_t watch_ns = 20'000'000;
};

/// Opens the directory, and starts the thread that waits for the disk. A write takes the lock of
/// the group, compares the revision, and replaces the file as a whole, on the disk before it
/// answers; a kill or a power loss at any moment leaves the former entry or the new one. A full or
/// failing disk is Unreachable, or Unknown if only the directory could not be flushed. Denied,
/// NotFound, Io: the directory cannot be used.
[[nodiscard]] std::expected<std::unique_ptr<ElectionStore>, base::Error> open_file_election_store(
    const FileElectionStoreOptions& options);

}  // namespace affix::inline v0::replication
