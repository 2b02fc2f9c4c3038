// SPDX-License-Identifier: MIT
// The file "summary" of a journal's directory: whose the journal is, and how far its segments and
// reserved numbers reach. Numbers never follow from it. That it is there says that the journal was
// used; what it says is for repairing segments that are damaged or gone. Private to journal.
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

/// One of two slots of the file, written in turn, so that a write cut short leaves the other.
struct Summary {
  std::uint64_t magic;
  std::uint64_t generation;         ///< The greater one with a right CRC counts.
  std::uint64_t journal_id;         ///< As in the segments' headers.
  std::uint64_t reserved_outgoing;  ///< No outgoing number at or above it was used; 0: not known.
  std::uint32_t newest_segment;     ///< None with a greater number was made.
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

/// What a summary says.
struct JournalSummary {
  std::string identity;
  std::uint64_t journal_id = 0;
  std::uint64_t reserved_outgoing = 0;
  std::uint32_t newest_segment = 0;
  std::uint32_t flags = 0;
};

/// "DIRECTORY/summary".
[[nodiscard]] std::string summary_path(const std::string& directory);

/// Whether the file is there, whatever it holds.
[[nodiscard]] bool has_summary(const std::string& directory);

/// Nothing when it is not there or neither of its slots is whole.
[[nodiscard]] std::optional<JournalSummary> read_summary(const std::string& directory);

/// The writer's: what it says only grows. The functions may be called by several threads.
class SummaryWriter {
 public:
  /// Takes over what the file says, unless the journal is new and there is none, and writes it anew
  /// with what `summary` knows better. NoSpace, Io, Denied. `directory` outlives this.
  [[nodiscard]] std::expected<void, base::Error> open(const std::string& directory,
                                                      JournalSummary summary, bool is_new,
                                                      Disk& disk);

  /// Before segment `number` may be used, or numbers up to `reserved`. To the file, not yet to the
  /// disk: after a power loss the segments' states count. A failure leaves what the file said,
  /// which makes repairing guess worse and nothing else. Not after a failed open().
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
