// SPDX-License-Identifier: MIT
// Every byte of a journal's directory looked at: each segment's header, state, records and index,
// and whether each goes on where the one before it ends. Changes nothing, takes no lock.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

enum class Severity : std::uint8_t {
  Note,    ///< Worth knowing; opening deals with it, or nothing depends on it.
  Damage,  ///< Stored bytes are lost or contradict themselves.
};

/// One thing that was found, as a sentence without a full stop.
struct Finding {
  Severity severity = Severity::Note;
  std::uint32_t segment = 0;  ///< 0: the directory as a whole.
  std::uint32_t offset = 0;   ///< 0: the file as a whole.
  std::string text;
};

/// What one segment in use holds.
struct SegmentSummary {
  std::uint32_t number = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t end = 0;  ///< Where its records end.
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t held = 0;
  std::uint64_t resent = 0;
  std::uint64_t events = 0;
  std::int64_t first_utc_ns = 0;  ///< 0 without records.
  std::int64_t last_utc_ns = 0;

  [[nodiscard]] std::uint64_t records() const noexcept {
    return sent + received + held + resent + events;
  }
};

struct Verification {
  std::string directory;
  std::string identity;  ///< Of the first segment whose header is whole.
  std::vector<SegmentSummary> segments;
  std::vector<Finding> findings;  ///< In the order of the segments.
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::uint64_t unprocessed = 0;  ///< Received records the application has not had.

  [[nodiscard]] bool damaged() const noexcept;
};

/// Reads the whole journal in `directory`, also beside its live writer, and says what opening would
/// refuse. Costs one pass over all its bytes. Errors: NotFound (no directory, or no journal in it),
/// Io, Denied.
[[nodiscard]] std::expected<Verification, base::Error> verify(const std::string& directory);

class Verifier;

/// The same for segments that lie in an archive, wherever their bytes come from. One thread.
class ArchiveVerification {
 public:
  /// `directory` is for the report.
  explicit ArchiveVerification(std::string directory);

  ArchiveVerification(const ArchiveVerification&) = delete;
  ArchiveVerification& operator=(const ArchiveVerification&) = delete;
  ~ArchiveVerification();

  /// Segment `number`, those before it first. `bytes` begins at a multiple of 8 in memory and is
  /// not used afterwards.
  void add(std::uint32_t number, std::string_view bytes);

  /// Instead of one that cannot be read.
  void add_unreadable(std::uint32_t number, std::string why);

  /// Once, at the end.
  [[nodiscard]] Verification finish();

 private:
  std::unique_ptr<Verifier> verifier_;
};

}  // namespace affix::inline v0::journal
