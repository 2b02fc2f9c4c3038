// SPDX-License-Identifier: MIT
// Any bytes as what another node sends to a copy of a journal: records, headers, marks, reserves
// and positions of history. Each is stored or refused; what is stored opens again, with the same
// numbers. Raw bytes are mostly damaged, so some operations make whole records and headers of
// arbitrary contents.
#include "affix/base/crc32c.hpp"
#include "affix/journal.hpp"
#include "affix/journal/copying.hpp"
#include "affix/journal/format.hpp"

#include "temporary_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

namespace journal = affix::journal;
namespace format = affix::journal::format;
using affix_fuzz::Input;
using affix_fuzz::require;
using journal::Followed;
using journal::Journal;
using journal::Position;

constexpr std::size_t segment_bytes = 8 * 1024;

const std::string& directory() {
  static const affix_fuzz::Directory only;
  return only.path();
}

template <typename T>
T take(Input& input) {
  T value{};
  const std::string bytes = input.take(sizeof(value));
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

std::uint32_t sum(const void* bytes, std::size_t size, std::uint32_t seed) {
  return affix::base::crc32c({static_cast<const char*>(bytes), size}, seed);
}

format::Header sealed(format::Header header) {
  header.magic = format::magic;
  header.byte_order = format::byte_order_mark;
  header.version = format::version;
  header.records_offset = format::records_offset;
  header.crc = 0;
  header.crc = sum(reinterpret_cast<const char*>(&header) + 8, sizeof(header) - 8, 0);
  return header;
}

format::Header first_header() {
  format::Header header{};
  header.segment_number = 3;
  header.segment_bytes = segment_bytes;
  header.flags = format::flag_marked;
  header.next_outgoing = 1;
  header.next_expected = 1;
  header.journal_id = 7;
  header.identity_bytes = 1;
  header.identity[0] = 'x';
  return sealed(header);
}

std::string record_at(Position at, Input& input) {
  format::RecordHeader header{};
  const std::size_t text_bytes = std::size_t{4} * input.next();
  header.length = static_cast<std::uint32_t>(format::record_header_bytes + text_bytes);
  header.kind = static_cast<std::uint8_t>(1 + input.below(5));
  header.event = header.kind == 5 ? input.below(6) : std::uint8_t{0};
  header.flags = input.below(16) == 0 ? 1 : 0;
  header.unsent = input.below(4);
  header.sequence = take<std::uint16_t>(input);
  header.number_after = take<std::uint16_t>(input);
  const std::uint8_t mark = input.below(4);
  std::string bytes(format::record_bytes(text_bytes), '\0');
  const std::string text = input.take(std::min<std::size_t>(text_bytes, 24));
  std::copy(text.begin(), text.end(), bytes.begin() + format::record_header_bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.crc = sum(bytes.data() + 8, header.length - 8, format::record_seed(at.segment, at.offset));
  std::memcpy(bytes.data(), &header, sizeof(header));
  bytes[header.length] = static_cast<char>(header.kind == 2 ? mark : header.flags);
  return bytes;
}

class Copy {
 public:
  explicit Copy(std::uint8_t choice) {
    options_.directory = directory() + "/copy";
    options_.identity = "x";
    options_.first_segment_bytes = segment_bytes;
    options_.max_segment_bytes = segment_bytes;
    options_.sequence_reserve = (choice & 1U) != 0 ? 10 : 0;
    options_.durability =
        (choice & 2U) != 0 ? journal::Durability::Sync : journal::Durability::Process;
    options_.mark_trust =
        (choice & 4U) != 0 ? journal::MarkTrust::Vouched : journal::MarkTrust::Stored;
    options_.role = journal::JournalRole::Copy;
    options_.sync_on_close = false;
    require(journal::plant(options_, first_header()).has_value());
    open();
  }

  void run(Input& input) {
    while (!input.empty()) {
      step(input);
    }
    reopen(false);
    read_all({3, 0});
  }

 private:
  void open() {
    auto opened = Journal::open(options_);
    require(opened.has_value());
    journal_ = std::move(*opened);
  }

  void reopen(bool closes) {
    const Position end = journal_->end();
    const std::uint64_t outgoing = journal_->next_outgoing();
    const std::uint64_t expected = journal_->next_expected();
    const journal::QueuedMessages queued = journal_->queued();
    const std::uint64_t epoch = journal_->epoch();
    const std::vector<Position> unprocessed = journal_->unprocessed_positions();
    if (closes) {
      require(journal_->close().has_value());
    }
    journal_.reset();
    open();
    require(journal_->end() == end && journal_->next_outgoing() == outgoing &&
            journal_->next_expected() == expected && journal_->queued() == queued &&
            journal_->epoch() == epoch);
    require(journal_->unprocessed_positions() == unprocessed &&
            journal_->unprocessed_count() == unprocessed.size());
  }

  void read_all(Position from) {
    require(journal_->flush().has_value());
    journal::HistoryReader reader(options_.directory);
    for (int pieces = 0; pieces < 1'000; ++pieces) {
      const journal::HistoryPiece piece = reader.read(from, 2'000);
      std::string_view rest = piece.records;
      Position at = from;
      at.offset = at.offset == 0 ? static_cast<std::uint32_t>(format::records_offset) : at.offset;
      while (const auto record = journal::take_record(rest)) {
        require(journal_->follow_record(at, *record) == Followed::AlreadyThere);
        at.offset += static_cast<std::uint32_t>(record->size());
      }
      require(rest.empty());
      if (piece.state != journal::HistoryPiece::State::More) {
        return;
      }
      require(from < piece.next);
      from = piece.next;
    }
  }

  void step(Input& input) {
    switch (input.below(10)) {
      case 0:
      case 1:
      case 2: {
        const Position at = journal_->end();
        const Followed followed = journal_->follow_record(at, record_at(at, input));
        // There is no room, or it is one that the writer would have put into another segment.
        require(followed == Followed::Stored || followed == Followed::WrongPlace);
        if (followed == Followed::Stored) {
          positions_.push_back(at);
        }
        break;
      }
      case 3: {
        const std::string bytes = input.take(input.next());
        static_cast<void>(journal_->follow_record(journal_->end(), bytes));
        static_cast<void>(journal_->follow_record(take<Position>(input), bytes));
        break;
      }
      case 4: {
        format::Header header = first_header();
        header.segment_number = journal_->end().segment + 1;
        header.previous_end = journal_->end().offset;
        header.segment_bytes = segment_bytes + std::uint64_t{4'096} * input.below(4);
        header.next_outgoing = journal_->next_outgoing();
        header.next_expected = journal_->next_expected();
        header.unsent = input.below(3);
        header.last_queued = header.unsent == 0 ? 0 : input.next();
        header.epoch = journal_->epoch();
        header.epoch_record = packed(journal_->epoch_position());
        header.unprocessed = packed(journal_->oldest_unprocessed());
        require(journal_->follow_segment(sealed(header)) == Followed::Stored);
        break;
      }
      case 5: {
        auto header = take<format::Header>(input);
        static_cast<void>(journal_->follow_segment(header));
        header.segment_number = journal_->end().segment;
        require(journal_->follow_segment(sealed(header)) != Followed::Stored);
        break;
      }
      case 6: {
        const auto mark = static_cast<format::Mark>(input.below(5));
        const bool known = !positions_.empty() && input.below(8) != 0;
        const Position at =
            known ? positions_[input.next() % positions_.size()] : take<Position>(input);
        static_cast<void>(journal_->follow_mark(at, mark));
        break;
      }
      case 7:
        reopen(input.below(2) == 0);
        break;
      case 8: {
        static_cast<void>(journal_->follow_reserve(take<std::uint32_t>(input)));
        std::vector<Position> positions;
        for (std::size_t count = input.below(4); count > 0 && !positions_.empty(); --count) {
          positions.push_back(positions_[input.next() % positions_.size()]);
        }
        std::ranges::sort(positions);
        static_cast<void>(journal_->follow_unprocessed(positions));
        static_cast<void>(journal_->prepare());
        break;
      }
      default: {
        read_all({3, 0});
        journal::HistoryReader reader(options_.directory);
        const journal::HistoryPiece piece = reader.read(take<Position>(input), input.next());
        require(piece.records.size() < segment_bytes * 4);
        static_cast<void>(journal::epoch_after(options_.directory, input.next()));
        break;
      }
    }
  }

  journal::Options options_;
  std::unique_ptr<Journal> journal_;
  std::vector<Position> positions_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  Input input(bytes, std::min<std::size_t>(size, 4'096));
  {
    Copy copy(input.next());
    copy.run(input);
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory() + "/copy", ignored);
  return 0;
}
