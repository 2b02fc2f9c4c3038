// SPDX-License-Identifier: MIT
// Reads a journal's records as bytes, by means of a Reader, which copes with a live writer.
#include "affix/journal/copying.hpp"

#include "journal/segment_files.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace affix::inline v0::journal {

HistoryReader::HistoryReader(std::string directory) : directory_(std::move(directory)) {}

Position HistoryReader::oldest() const {
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers = list_segments(directory_);
  return numbers && !numbers->empty()
             ? Position{numbers->front(), static_cast<std::uint32_t>(format::records_offset)}
             : Position{};
}

// State::More: the reader is at `from`.
HistoryPiece::State HistoryReader::go_to(Position from) {
  if (!reader_) {
    std::expected<Reader, base::Error> opened = Reader::open(directory_);
    if (!opened) {
      return opened.error().code == base::ErrorCode::NotFound ? HistoryPiece::State::Gone
                                                              : HistoryPiece::State::Damaged;
    }
    reader_.emplace(std::move(*opened));
  }
  if (reader_->position() == from && !reader_->damage()) {
    return HistoryPiece::State::More;
  }
  const std::expected<void, base::Error> sought = reader_->seek(from);
  if (sought) {
    return HistoryPiece::State::More;
  }
  if (sought.error().code != base::ErrorCode::NotFound) {
    return HistoryPiece::State::Damaged;
  }
  const std::vector<std::uint32_t> numbers =
      list_segments(directory_).value_or(std::vector<std::uint32_t>());
  if (numbers.empty() || from.segment < numbers.front()) {
    return HistoryPiece::State::Gone;
  }
  const bool exists = std::binary_search(numbers.begin(), numbers.end(), from.segment);
  if (!exists && from.segment < numbers.back()) {
    return HistoryPiece::State::Gone;
  }
  // In a segment that is not begun yet nothing is at its begin; in others no record begins there.
  return reader_->segment() != from.segment && from.offset == format::records_offset
             ? HistoryPiece::State::AtEnd
             : HistoryPiece::State::Damaged;
}

// The mark is one byte that its writer may be storing.
void HistoryReader::take(const Record& record) {
  const char* const at = record.bytes.data() - format::record_header_bytes;
  const std::size_t length = format::record_header_bytes + record.bytes.size();
  const std::size_t before = bytes_.size();
  bytes_.resize(before + format::record_bytes(record.bytes.size()), '\0');
  std::memcpy(bytes_.data() + before, at, length);
  bytes_[before + length] = __atomic_load_n(at + length, __ATOMIC_RELAXED);
}

HistoryPiece HistoryReader::read(Position from, std::size_t bytes_max) {
  bytes_.clear();
  HistoryPiece piece;
  if (from.offset == 0) {
    from.offset = static_cast<std::uint32_t>(format::records_offset);
  }
  piece.next = from;
  piece.state = go_to(from);
  if (piece.state != HistoryPiece::State::More) {
    return piece;
  }
  if (from.offset == format::records_offset) {
    piece.header = reader_->header();
  }
  for (;;) {
    const std::optional<Record> record = reader_->next();
    if (reader_->segment() != from.segment) {
      // The reader has gone on; the next piece begins there.
      piece.next = {reader_->segment(), static_cast<std::uint32_t>(format::records_offset)};
      piece.state = reader_->damage() ? HistoryPiece::State::Damaged : HistoryPiece::State::More;
      break;
    }
    if (!record) {
      const std::optional<base::Error>& damage = reader_->damage();
      if (damage) {
        piece.state = damage->code == base::ErrorCode::NotFound ? HistoryPiece::State::Gone
                                                                : HistoryPiece::State::Damaged;
      } else {
        piece.state = HistoryPiece::State::AtEnd;
      }
      break;
    }
    if (!bytes_.empty() && bytes_.size() + format::record_bytes(record->bytes.size()) > bytes_max) {
      break;  // The next call returns to it.
    }
    take(*record);
    piece.next = reader_->position();
  }
  piece.records = bytes_;
  return piece;
}

std::optional<std::string_view> take_record(std::string_view& records) noexcept {
  std::uint32_t length = 0;
  if (records.size() < format::record_bytes(0)) {
    return std::nullopt;
  }
  std::memcpy(&length, records.data(), sizeof(length));
  if (length < format::record_header_bytes) {
    return std::nullopt;
  }
  const std::size_t size = format::record_bytes(length - format::record_header_bytes);
  if (size > records.size()) {
    return std::nullopt;
  }
  const std::string_view record = records.substr(0, size);
  records.remove_prefix(size);
  return record;
}

}  // namespace affix::inline v0::journal
