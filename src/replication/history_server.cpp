// SPDX-License-Identifier: MIT
// Judges copies by epochs, and reads pieces for them.
#include "replication/history_server.hpp"

#include <algorithm>
#include <optional>

namespace affix::inline v0::replication {

using journal::HistoryPiece;
using journal::Position;

const ServedJournal* ServedGroup::find(std::string_view identity) const noexcept {
  const auto found = std::ranges::lower_bound(journals, identity, {}, [](const ServedJournal& one) {
    return std::string_view(one.identity);
  });
  return found != journals.end() && found->identity == identity ? &*found : nullptr;
}

journal::HistoryReader* HistoryServer::reader_of(const ServedGroup& group,
                                                 std::string_view identity) {
  const ServedJournal* const served = group.find(identity);
  if (served == nullptr) {
    return nullptr;
  }
  if (!reader_ || directory_ != served->directory) {
    directory_ = served->directory;
    reader_ = std::make_unique<journal::HistoryReader>(directory_);
  }
  return reader_.get();
}

void HistoryServer::answer(const ServedGroup& group, const HistoryAsk& ask, std::string& out) {
  if (reader_of(group, ask.identity) == nullptr) {
    put_answer(out, {.kind = HistoryAnswerKind::NotHere});
    return;
  }
  put_answer(out, judge(ask));
}

/// Epochs are unique and ascend, and a node that leads in one had everything of the epochs before
/// that anybody saw. So two journals that have the record of an epoch at the same place are equal
/// up to the next epoch that either of them has.
HistoryAnswer HistoryServer::judge(const HistoryAsk& ask) {
  const Position oldest = reader_->oldest();
  if (!oldest.valid()) {
    return {.kind = HistoryAnswerKind::NotHere};
  }
  const HistoryPiece first = reader_->read({oldest.segment, 0}, 1);
  if (!first.header) {
    return {.kind = HistoryAnswerKind::Failed};
  }
  const journal::format::Header header = *first.header;
  const HistoryAnswer anew{.kind = HistoryAnswerKind::Anew, .header = header};
  if (ask.journal_id != header.journal_id || ask.end.segment < oldest.segment) {
    return anew;
  }
  Position limit;  // Invalid: none.
  bool has_epoch = ask.epoch == 0;
  if (ask.epoch != 0 && header.epoch >= ask.epoch) {
    // The epoch began in a segment that is not kept; what comes after it is.
    has_epoch = header.epoch == ask.epoch && header.epoch_record == packed(ask.epoch_at);
    if (!has_epoch) {
      return anew;
    }
  } else if (ask.epoch != 0) {
    const auto at = journal::epoch_after(directory_, ask.epoch - 1);
    if (!at) {
      return at.error().code == base::ErrorCode::NotFound
                 ? anew
                 : HistoryAnswer{.kind = HistoryAnswerKind::Failed};
    }
    if (!*at) {
      limit = ask.epoch_at;
    } else {
      const auto after = journal::epoch_after(directory_, ask.epoch);
      has_epoch = after && *after != *at && **at == ask.epoch_at;
      if (!has_epoch) {
        limit = **at < ask.epoch_at ? end_before(**at) : ask.epoch_at;
      }
    }
  }
  if (has_epoch) {
    const auto after = journal::epoch_after(directory_, ask.epoch);
    if (!after) {
      return after.error().code == base::ErrorCode::NotFound
                 ? anew
                 : HistoryAnswer{.kind = HistoryAnswerKind::Failed};
    }
    limit = *after ? end_before(**after) : Position{};
  } else if (!limit.valid()) {
    return anew;
  }
  if (limit.valid() && limit <= Position{oldest.segment, journal::format::records_offset}) {
    return anew;
  }
  if (limit.valid() && ask.end > limit) {
    return {.kind = HistoryAnswerKind::Cut, .at = limit};
  }
  return {.kind = HistoryAnswerKind::Keep};
}

/// Where the records before `first` end: an epoch that begins a segment was preceded by the end of
/// the segment before, and a copy may have more there.
Position HistoryServer::end_before(Position first) const {
  if (first.offset > journal::format::records_offset) {
    return first;
  }
  const HistoryPiece piece = reader_->read({first.segment, 0}, 1);
  if (!piece.header || first.segment <= 1 || piece.header->previous_end == 0) {
    return first;
  }
  return {first.segment - 1, piece.header->previous_end};
}

void HistoryServer::answer(const ServedGroup& group, const Fetch& fetch, std::string& out) {
  journal::HistoryReader* const reader = reader_of(group, fetch.identity);
  if (reader == nullptr) {
    put_piece(out, {.state = PieceState::Failed, .next = fetch.at});
    return;
  }
  const HistoryPiece piece =
      reader->read(fetch.at, std::clamp<std::uint32_t>(fetch.bytes_max, 1, answer_bytes_max));
  PieceState state = PieceState::Failed;
  switch (piece.state) {
    case HistoryPiece::State::More:
      state = PieceState::More;
      break;
    case HistoryPiece::State::AtEnd:
      state = PieceState::AtEnd;
      break;
    case HistoryPiece::State::Gone:
      state = PieceState::Gone;
      break;
    case HistoryPiece::State::Damaged:
      state = PieceState::Damaged;
      break;
  }
  std::optional<journal::format::Header> header = piece.header;
  std::string_view records = piece.records;
  constexpr std::size_t part_max = record_part_bytes_max - sizeof(journal::format::Header);
  do {
    const std::string_view part = records.substr(0, part_max);
    records.remove_prefix(part.size());
    put_piece(out, {.state = records.empty() ? state : PieceState::Going,
                    .next = piece.next,
                    .header = header,
                    .bytes = part});
    header.reset();
  } while (!records.empty());
}

}  // namespace affix::inline v0::replication
