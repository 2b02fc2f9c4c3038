// SPDX-License-Identifier: MIT
// Checks every byte of a journal's directory: each segment's header, state, records and index, and
// that each continues where the previous one ends. Read-only, takes no lock.
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
  Note,    ///< Informational; opening handles it, or nothing depends on it.
  Damage,  ///< Stored bytes are lost or contradictory.
};

/// One finding, as a sentence without a full stop.
struct Finding {
  Severity severity = Severity::Note;
  std::uint32_t segment = 0;  ///< 0: the directory as a whole.
  std::uint32_t offset = 0;   ///< 0: the file as a whole.
  std::string text;
  base::MessageCode code = {};  ///< `affix explain` says what to do.
};

/// Contents of one segment in use.
struct SegmentSummary {
  std::uint32_t number = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t end = 0;  ///< End of its records.
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t held = 0;
  std::uint64_t resent = 0;
  std::uint64_t events = 0;
  std::int64_t first_utc_ns = 0;  ///< 0 if it has no records.
  std::int64_t last_utc_ns = 0;

  [[nodiscard]] std::uint64_t records() const noexcept {
    return sent + received + held + resent + events;
  }
};

struct Verification {
  std::string directory;
  std::string identity;  ///< From the first segment with a valid header.
  std::vector<SegmentSummary> segments;
  std::vector<Finding> findings;  ///< In the order of the segments.
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::uint64_t unprocessed = 0;  ///< Received records that the application has not processed.

  [[nodiscard]] bool damaged() const noexcept;
};

/// Reads the whole journal in `directory`, even while a writer is active, and reports faults that
/// opening would refuse. Costs one pass over all its bytes. Errors: NotFound (no directory, or no
/// journal in it), Io, Denied.
[[nodiscard]] std::expected<Verification, base::Error> verify(const std::string& directory);

class Verifier;

/// Does the same for archived segments, whose bytes the caller provides. One thread.
class ArchiveVerification {
 public:
  /// `directory` is used in the report only.
  explicit ArchiveVerification(std::string directory);

  ArchiveVerification(const ArchiveVerification&) = delete;
  ArchiveVerification& operator=(const ArchiveVerification&) = delete;
  ~ArchiveVerification();

  /// Adds segment `number`, in ascending order. `bytes` must be aligned to 8 and is not used after
  /// the call. `file_bytes` is the length of the whole file: zeros at its end need not be in
  /// `bytes`.
  void add(std::uint32_t number, std::string_view bytes, std::uint64_t file_bytes);

  /// Adds a segment that cannot be read.
  void add_unreadable(std::uint32_t number, std::string why);

  /// Call it once, at the end.
  [[nodiscard]] Verification finish();

 private:
  std::unique_ptr<Verifier> verifier_;
};

}  // namespace affix::inline v0::journal
