// SPDX-License-Identifier: MIT
// Records can only be found forwards, so pieces between landmarks are read forwards and returned
// backwards.
#include "monitor/journal_walk.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr int records_per_clock_reading = 128;

/// Pieces larger than this between a writer's index entries are divided at records that were read.
constexpr std::uint32_t piece_bytes = 1U << 20;

/// A journal's time stamps come from a clock that may be set back slightly, or from a network
/// card's.
constexpr std::int64_t clock_slack_ns = 10 * base::ns_per_second;

constexpr std::size_t walk_problems_max = 20;

}  // namespace

JournalWalk::JournalWalk(std::string directory, std::int64_t from_ns, std::int64_t to_ns)
    : directory_(std::move(directory)), from_ns_(from_ns), to_ns_(to_ns) {}

void JournalWalk::add_problem(const std::string& text) {
  if (problems_.size() < walk_problems_max &&
      std::ranges::find(problems_, text) == problems_.end()) {
    problems_.push_back(text);
  }
}

bool JournalWalk::open() {
  if (reader_) {
    return true;
  }
  auto opened = affix::journal::Reader::open(directory_);
  if (!opened) {
    if (opened.error().code != base::ErrorCode::NotFound) {
      add_problem(opened.error().text());
    }
    return false;
  }
  reader_.emplace(std::move(*opened));
  return true;
}

// The time of the record at a landmark; nullopt if there is none.
std::optional<std::int64_t> JournalWalk::time_at(std::uint32_t offset) {
  if (!reader_->seek({segment_, offset})) {
    return std::nullopt;
  }
  const auto record = reader_->next();
  if (!record || record->position != affix::journal::Position{segment_, offset}) {
    return std::nullopt;
  }
  return record->utc_ns;
}

// Skips pieces that begin after the latest requested time.
void JournalWalk::skip_to_time() {
  std::size_t low = 1;
  std::size_t high = landmarks_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto time = time_at(landmarks_[middle]);
    if (!time || *time > to_ns_ + clock_slack_ns) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (low < landmarks_.size()) {
    piece_end_ = landmarks_[low];
    landmarks_.resize(low);
  }
}

void JournalWalk::enter_segment() {
  landmarks_ = read_landmarks(directory_, segment_);
  piece_end_ = UINT32_MAX;
  piece_at_ = 0;
  if (to_ns_ != INT64_MAX) {
    skip_to_time();
  }
}

bool JournalWalk::next_segment() {
  if (!begun_) {
    begun_ = true;
    segments_ = list_segment_files(directory_);
    // A segment created after the latest requested time contains nothing requested.
    while (segments_.size() > 1 && to_ns_ != INT64_MAX &&
           segments_.back().created_ns > to_ns_ + clock_slack_ns) {
      segments_.pop_back();
    }
  }
  if (segments_.empty()) {
    return false;
  }
  segment_ = segments_.back().number;
  segments_.pop_back();
  enter_segment();
  return true;
}

// Scans one piece as far as time allows; true if it was finished.
bool JournalWalk::scan(const RecordTest& test, std::int64_t deadline_ns) {
  const std::uint32_t begin = piece_at_ != 0 ? piece_at_ : landmarks_.back();
  if (piece_at_ == 0) {
    scanned_.clear();
    piece_first_ns_ = INT64_MAX;
  }
  const auto sought = reader_->seek({segment_, begin});
  if (!sought) {
    // Removed by retention or by hand, and its other pieces with it.
    if (sought.error().code != base::ErrorCode::NotFound) {
      add_problem(sought.error().text());
    }
    landmarks_.assign(1, begin);
    return true;
  }
  std::uint32_t divided_at = begin;
  for (int read = 1;; ++read) {
    const auto record = reader_->next();
    if (!record || record->position.segment != segment_ || record->position.offset >= piece_end_) {
      if (reader_->damage()) {
        // No record begins at the landmark: the pieces before and after it are one.
        if (read == 1 && piece_at_ == 0 && landmarks_.size() > 1) {
          landmarks_.pop_back();
          return false;
        }
        add_problem(reader_->damage()->text());
      }
      return true;
    }
    // A piece without landmarks is too long to be kept: the part read so far becomes a piece of its
    // own, and the rest is read first.
    if (record->position.offset - divided_at > piece_bytes) {
      divided_at = record->position.offset;
      landmarks_.push_back(divided_at);
      scanned_.clear();
      piece_first_ns_ = INT64_MAX;
    }
    piece_first_ns_ = std::min(piece_first_ns_, record->utc_ns);
    if (record->utc_ns >= from_ns_ && record->utc_ns <= to_ns_ && test(*record)) {
      scanned_.push_back({record->position, record->utc_ns});
    }
    if (read % records_per_clock_reading == 0 && os::now().steady_ns > deadline_ns) {
      piece_at_ = reader_->position().offset;
      if (reader_->position().segment != segment_) {
        return true;
      }
      return false;
    }
  }
}

JournalWalk::Step JournalWalk::advance(const RecordTest& test, std::int64_t deadline_ns) {
  while (found_.empty()) {
    if (os::now().steady_ns > deadline_ns) {
      return Step::Working;
    }
    if (!open()) {
      return Step::End;
    }
    if (landmarks_.empty() && !next_segment()) {
      return Step::End;
    }
    if (!scan(test, deadline_ns)) {
      continue;
    }
    found_ = std::move(scanned_);
    scanned_.clear();
    piece_end_ = landmarks_.back();
    landmarks_.pop_back();
    piece_at_ = 0;
    if (found_.empty()) {
      last_ns_ = std::min(last_ns_, piece_first_ns_);
    }
    if (piece_first_ns_ != INT64_MAX && from_ns_ > 0 &&
        piece_first_ns_ < from_ns_ - clock_slack_ns) {
      segments_.clear();
      landmarks_.clear();
    }
  }
  return Step::Found;
}

std::optional<affix::journal::Record> JournalWalk::take() {
  const Hit hit = found_.back();
  last_ns_ = front_ns();
  found_.pop_back();
  if (!open() || !reader_->seek(hit.position)) {
    return std::nullopt;
  }
  const auto record = reader_->next();
  return record && record->position == hit.position ? record : std::nullopt;
}

}  // namespace affix::inline v0::tools::monitor
