// SPDX-License-Identifier: MIT
// Journals as sources: one that may have a live writer, and one whose segments lie in an archive,
// packed or not.
#pragma once

#include "affix/journal/reader.hpp"
#include "affix/journal/segment_scan.hpp"

#include "log/raw_filter.hpp"
#include "log/source.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::tools::log {

/// The entry of a record, whose bytes it views.
[[nodiscard]] Entry entry_of_record(const affix::journal::Record& record, std::string_view session);

/// A journal's directory. Damage is told and passed over as far as the next segment. `filter` is
/// alive as long as this.
class JournalSource final : public Source {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open(
      const std::string& directory, const RawFilter& filter);

  JournalSource(affix::journal::Reader reader, std::string directory, const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  [[nodiscard]] bool pass_over_damage();

  affix::journal::Reader reader_;
  std::string directory_;
  std::string session_;
  const RawFilter& filter_;
};

/// A directory in which segments may be packed (`0000000001.journal.gz`, `.journal.zst`). Each is
/// read into memory whole, one at a time.
class ArchiveSource final : public Source {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open(
      const std::string& directory, const RawFilter& filter);

  ArchiveSource(std::map<std::uint32_t, std::string> files, const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  [[nodiscard]] bool open_next();

  std::map<std::uint32_t, std::string> files_;  // Those not yet read, by number.
  const RawFilter& filter_;
  std::string path_;
  std::string bytes_;
  std::string session_;
  std::optional<affix::journal::SegmentScan> scan_;
};

/// The number of a segment's file, packed or not; 0 of any other file.
[[nodiscard]] std::uint32_t segment_number_of(std::string_view file_name) noexcept;

}  // namespace affix::inline v0::tools::log
