// SPDX-License-Identifier: MIT
// Finds the sources at a path: journals in a tree, archives, text logs, captures. Recognised by
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
  std::string own_comp_id;  ///< Our CompID, for logs without directions.
  bool follow = false;
};

/// A journal, an archive directory or a file found.
struct Found {
  enum class Kind : std::uint8_t { Journal, Archive, File };
  Kind kind = Kind::File;
  std::string path;
};

/// Sources at `path`: the file itself (or "-"), or every journal and archive at or below a
/// directory, sorted, or if there are none, every file. NotFound if there is nothing; Io, Denied.
[[nodiscard]] std::expected<std::vector<Found>, base::Error> find_sources(const std::string& path);

[[nodiscard]] std::expected<std::unique_ptr<Source>, base::Error> open_source(
    const Found& found, const OpenOptions& options, const RawFilter& filter);

}  // namespace affix::inline v0::tools::log
