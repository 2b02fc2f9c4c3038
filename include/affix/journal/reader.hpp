// SPDX-License-Identifier: MIT
// Reads a journal directory from outside: every record of every segment in order, also while
// another process writes it. Takes no lock and changes nothing. For tools, monitors and tests.
#pragma once

#include "affix/base/error.hpp"
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
  /// Opens the oldest segment that is there. Errors: NotFound (no directory, or no segment in it),
  /// Unsupported (format version, byte order), Damaged (the first segment's header), Io, Denied.
  [[nodiscard]] static std::expected<Reader, base::Error> open(std::string directory);

  Reader(Reader&& other) noexcept;
  Reader& operator=(Reader&& other) noexcept;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  /// The next record, checked against its CRC, or nothing: at the end of what is committed, or at
  /// damage(). At the end it may be called again and goes on with what a live writer has appended
  /// since. The record's bytes live until the next call that changes segment(), and until the
  /// reader is destroyed.
  [[nodiscard]] std::optional<Record> next();

  /// Why next() will give nothing more, if it met damage.
  [[nodiscard]] const std::optional<base::Error>& damage() const noexcept { return damage_; }

  /// Goes on from a position that next() gave earlier, or from any segment's begin with offset 0.
  /// Errors: NotFound.
  [[nodiscard]] std::expected<void, base::Error> seek(Position position);

  /// The session the journal belongs to, as its writer named it.
  [[nodiscard]] std::string_view identity() const noexcept { return identity_; }

  /// Number of the segment now read.
  [[nodiscard]] std::uint32_t segment() const noexcept;

  /// Where the next record is or will be.
  [[nodiscard]] Position position() const noexcept;

 private:
  Reader(std::string directory, Segment* segment);

  void enter(Segment* following);
  [[nodiscard]] bool notice_loss(bool at_end);

  std::string directory_;
  std::string identity_;
  Segment* segment_ = nullptr;
  std::size_t offset_ = 0;
  std::optional<base::Error> damage_;
};

}  // namespace affix::inline v0::journal
