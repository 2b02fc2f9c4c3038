// SPDX-License-Identifier: MIT
// Reads a journal directory from outside: every record of every segment in order, also while
// another process writes it. Takes no lock, writes nothing. For tools, monitors and tests.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

class Segment;

/// One thread at a time. Movable.
class Reader {
 public:
  /// Opens the oldest existing segment. Errors: NotFound (no directory, or no segment in it),
  /// Unsupported (format version, byte order), Damaged (the first segment's header), Io, Denied.
  [[nodiscard]] static std::expected<Reader, base::Error> open(std::string directory);

  Reader(Reader&& other) noexcept;
  Reader& operator=(Reader&& other) noexcept;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  /// Returns the next record, after a CRC check; nothing at the end of the committed records, or at
  /// damage(). A last record of which a writer with `sync` has stored only a part is behind the
  /// end. At the end, call it again to continue with records that a live writer has appended since.
  /// The bytes are valid until the next call that changes segment(), and until the reader is
  /// destroyed.
  [[nodiscard]] std::optional<Record> next();

  /// Description of the damage at which next() stopped, if any. NotFound if the next segment is
  /// gone and a later one is there, as when retention overtakes a slow reader; seek() to a later
  /// one continues.
  [[nodiscard]] const std::optional<base::Error>& damage() const noexcept { return damage_; }

  /// Continues from a position that next() returned earlier, or from a segment's begin if its
  /// offset is 0. Errors: NotFound.
  [[nodiscard]] std::expected<void, base::Error> seek(Position position);

  /// The identity of the journal's session, as set by its writer.
  [[nodiscard]] std::string_view identity() const noexcept { return identity_; }

  /// Header of the current segment. Valid as long as it is the current one.
  [[nodiscard]] const format::Header& header() const noexcept;

  /// Number of the current segment.
  [[nodiscard]] std::uint32_t segment() const noexcept;

  /// Position of the next record, existing or future.
  [[nodiscard]] Position position() const noexcept;

 private:
  Reader(std::string directory, Segment* segment);

  void enter(Segment* following);
  [[nodiscard]] bool has_begun_following() const;
  [[nodiscard]] bool may_be_in_writing() const;
  [[nodiscard]] bool notice_loss(bool at_end);

  std::string directory_;
  std::string identity_;
  Segment* segment_ = nullptr;
  std::size_t offset_ = 0;
  std::optional<base::Error> damage_;
};

}  // namespace affix::inline v0::journal
