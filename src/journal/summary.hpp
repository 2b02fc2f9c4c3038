// SPDX-License-Identifier: MIT
// The file "summary" of a journal's directory: its identity, its newest segment and its reserved
// numbers. Opening never derives numbers from it. Its existence shows that the journal was used;
// its contents serve the repair of damaged or missing segments. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

namespace format {

inline constexpr std::uint64_t summary_magic =
    0x4D55535849464641;  // "AFFIXSUM" in little endian byte order.

/// One of two slots of the file, written in turn, so that an interrupted write leaves the other.
struct Summary {
  std::uint64_t magic;
  std::uint64_t generation;         ///< The slot with the greater one and a right CRC counts.
  std::uint64_t journal_id;         ///< As in the segments' headers.
  std::uint64_t reserved_outgoing;  ///< All outgoing numbers used are below it; 0: unknown.
  std::uint32_t newest_segment;     ///< Greatest segment number made.
  std::uint32_t flags;              ///< Header::flags.
  std::uint32_t crc;                ///< CRC32C of the slot with this field zero.
  std::uint32_t identity_bytes;
  char identity[identity_bytes_max];
  std::uint32_t reserved[21];
};

inline constexpr std::size_t summary_offset[2] = {0, 512};

static_assert(offsetof(Summary, generation) == 8);
static_assert(offsetof(Summary, journal_id) == 16);
static_assert(offsetof(Summary, reserved_outgoing) == 24);
static_assert(offsetof(Summary, newest_segment) == 32);
static_assert(offsetof(Summary, flags) == 36);
static_assert(offsetof(Summary, crc) == 40);
static_assert(offsetof(Summary, identity_bytes) == 44);
static_assert(offsetof(Summary, identity) == 48);
static_assert(sizeof(Summary) == 512);

}  // namespace format

/// Contents of a summary.
struct JournalSummary {
  std::string identity;
  std::uint64_t journal_id = 0;
  std::uint64_t reserved_outgoing = 0;
  std::uint32_t newest_segment = 0;
  std::uint32_t flags = 0;
};

/// "DIRECTORY/summary".
[[nodiscard]] std::string summary_path(const std::string& directory);

/// True if the file exists, whatever its contents.
[[nodiscard]] bool has_summary(const std::string& directory);

/// Nullopt when it is missing or neither of its slots is valid.
[[nodiscard]] std::optional<JournalSummary> read_summary(const std::string& directory);

/// The writer's: values only grow. Several threads may call it.
class SummaryWriter {
 public:
  /// Reads the file, unless the journal is new and has none, and writes it again with newer values
  /// of `summary`. NoSpace, Io, Denied. `directory` outlives this object.
  [[nodiscard]] std::expected<void, base::Error> open(const std::string& directory,
                                                      JournalSummary summary, bool is_new,
                                                      Disk& disk);

  /// Call before segment `number`, or numbers up to `reserved`, may be used. Writes to the file,
  /// not yet to the disk: after a power loss the segments' states count. After a failure the file
  /// keeps its old values, which only makes a repair's guess worse. Not after a failed open().
  void note_segment(std::uint32_t number) noexcept;
  void note_reserve(std::uint64_t reserved) noexcept;

 private:
  [[nodiscard]] int write() noexcept;

  const std::string* directory_ = nullptr;
  Disk* disk_ = nullptr;
  JournalSummary said_;
  std::uint64_t generation_ = 0;  // Of the slot written last.
  std::atomic_flag busy_;
};

}  // namespace affix::inline v0::journal
