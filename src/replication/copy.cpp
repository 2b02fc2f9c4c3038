// SPDX-License-Identifier: MIT
// Steps of a copy's life on the disk. Each leaves a state that the next start of the process, too,
// opens or begins anew.
#include "replication/copy.hpp"

#include "affix/journal/copying.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::replication {

using journal::Followed;

Copy::Copy(JournalCopy described, OpenCopies& open)
    : described_(std::move(described)), open_(open) {
  described_.options.role = journal::JournalRole::Copy;
  described_.options.identity = described_.identity;
}

Copy::~Copy() {
  leave_list();
}

void Copy::open() {
  if (state_ == State::Open) {
    return;
  }
  auto opened = journal::Journal::open(described_.options);
  if (opened) {
    journal_ = std::move(*opened);
    state_ = State::Open;
    const std::lock_guard lock(open_.mutex);
    open_.journals.push_back(journal_.get());
    return;
  }
  if (opened.error().code == base::ErrorCode::NotFound) {
    state_ = State::Missing;
    return;
  }
  if (opened.error().code != base::ErrorCode::Damaged) {
    fail(std::move(opened.error()));
    return;
  }
  fault_ = std::move(opened.error());
  if (const auto aside = journal::set_aside(described_.options, "damaged"); !aside) {
    fail(aside.error());
    return;
  }
  state_ = State::Missing;
}

HistoryAsk Copy::ask() const {
  HistoryAsk ask{.identity = described_.identity};
  if (state_ != State::Open || standing_ == Standing::Useless) {
    return ask;
  }
  ask.end = journal_->end();
  ask.epoch = journal_->epoch();
  ask.epoch_at = journal_->epoch_position();
  journal::HistoryReader reader(described_.options.directory);
  // At its first record a segment shows its header, which names the journal.
  if (const auto piece = reader.read({ask.end.segment, 0}, 1); piece.header) {
    ask.journal_id = piece.header->journal_id;
  }
  return ask;
}

bool Copy::obey(const HistoryAnswer& answer, std::string_view label) {
  switch (answer.kind) {
    case HistoryAnswerKind::Keep:
      if (state_ == State::Open) {
        keep();
      }
      return is_kept();
    case HistoryAnswerKind::NotHere:
    case HistoryAnswerKind::Failed:
      return true;
    case HistoryAnswerKind::Cut: {
      ++cuts;
      close();
      const auto removed = journal::cut(described_.options, answer.at, label);
      standing_ = removed ? Standing::Unknown : Standing::Useless;
      open();
      return state_ == State::Open;
    }
    case HistoryAnswerKind::Anew:
      break;
  }
  ++cuts;
  if (state_ == State::Open) {
    close();
    if (const auto aside = journal::set_aside(described_.options, label); !aside) {
      fail(aside.error());
      return false;
    }
  }
  if (const auto planted = journal::plant(described_.options, *answer.header); !planted) {
    fail(planted.error());
    return false;
  }
  standing_ = Standing::Unknown;
  open();
  if (state_ == State::Open) {
    keep();
  }
  return is_kept();
}

journal::Position Copy::history_begin() const noexcept {
  const journal::Position oldest = journal_->oldest_unprocessed();
  return oldest.valid() ? std::min(oldest, journal_->end()) : journal_->end();
}

Followed Copy::store(journal::Position from, const std::optional<journal::format::Header>& header,
                     std::string_view records, journal::Position until) {
  journal::Position at = from;
  if (header) {
    const Followed begun = journal_->follow_segment(*header);
    if (begun != Followed::Stored && begun != Followed::AlreadyThere) {
      return begun;
    }
    at = {header->segment_number, journal::format::records_offset};
  }
  while (!until.valid() || at < until) {
    const auto record = journal::take_record(records);
    if (!record) {
      return records.empty() ? Followed::Stored : Followed::Damaged;
    }
    const Followed stored = journal_->follow_record(at, *record);
    if (stored != Followed::Stored && stored != Followed::AlreadyThere) {
      return stored;
    }
    at.offset += static_cast<std::uint32_t>(record->size());
  }
  return Followed::Stored;
}

bool Copy::keeps(journal::Position position) const {
  return journal::HistoryReader(described_.options.directory).oldest().segment <= position.segment;
}

void Copy::fail(base::Error fault) {
  fault_ = std::move(fault);
  close();
  state_ = State::Broken;
}

void Copy::close() noexcept {
  leave_list();
  journal_.reset();
  doubt();
  at_end = false;
  state_ = State::Closed;
}

std::unique_ptr<journal::Journal> Copy::take() noexcept {
  leave_list();
  state_ = State::Closed;
  return std::move(journal_);
}

void Copy::leave_list() noexcept {
  if (journal_) {
    const std::lock_guard lock(open_.mutex);
    std::erase(open_.journals, journal_.get());
    const std::lock_guard settled_lock(open_.settled_mutex);
    std::erase_if(open_.settled, [this](const auto& one) { return one.first == journal_.get(); });
  }
  settling.reset();
}

}  // namespace affix::inline v0::replication
