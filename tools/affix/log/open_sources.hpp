// SPDX-License-Identifier: MIT
// What a path holds: journals in a tree, an archive of them, a text log, a capture. Told by
// content, not by name.
#pragma once

#include "affix/base/error.hpp"

#include "log/raw_filter.hpp"
#include "log/source.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

struct OpenOptions {
  std::string own_comp_id;  ///< Our CompID, for what does not say which way a message went.
  bool follow = false;
};

/// A journal, an archive directory or a file that was found.
struct Found {
  enum class Kind : std::uint8_t { Journal, Archive, File };
  Kind kind = Kind::File;
  std::string path;
};

/// What `path` holds: itself when it is a file (or "-"), else every journal and archive at or below
/// it, sorted, and, where there is neither, every file. NotFound when that is nothing; Io, Denied.
[[nodiscard]] std::expected<std::vector<Found>, base::Error> find_sources(const std::string& path);

[[nodiscard]] std::expected<std::unique_ptr<Source>, base::Error> open_source(
    const Found& found, const OpenOptions& options, const RawFilter& filter);

}  // namespace affix::inline v0::tools::log
