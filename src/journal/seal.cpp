// SPDX-License-Identifier: MIT
// If appends are not flushed, earlier segments are flushed all the same, one at a time and late,
// when the system has written most of their pages by itself. After a power loss only the last few
// must be read.
#include "affix/journal/journal.hpp"

#include "journal/home.hpp"

#include <optional>

namespace affix::inline v0::journal {

namespace {

/// Number of segments at the end that are not sealed: the one in use, the one before it, in which
/// processed marks are set, and one being written.
constexpr std::uint32_t left_alone = 3;

bool says_on_disk(const std::string& path, Disk& disk) {
  const std::expected<Segment*, base::Error> mapped =
      Segment::map(path, Segment::Access::ReadOnly, disk);
  const SegmentHandle segment(mapped ? *mapped : nullptr);
  const std::optional<format::State> state =
      segment != nullptr && segment->begun() ? segment->state() : std::nullopt;
  return !state || (state->end_offset != 0 && state->durable_offset == state->end_offset);
}

}  // namespace

// Only a journal with a reserve survives a power loss, and flushed journals seal by themselves.
bool Journal::seals(std::uint32_t current) const noexcept {
  return current > left_alone && !in_memory_ && !flushes_ && keep_messages_ &&
         options_.sequence_reserve != 0;
}

// One segment a call, the oldest first, since a state that vouches for a segment vouches for all
// before it.
std::expected<void, base::Error> Journal::seal_next() {
  const std::uint32_t current = current_shared_.load(std::memory_order_acquire)->number();
  if (!seals(current)) {
    return {};
  }
  const std::uint32_t end = current - left_alone;
  if (home_->seal_at == 0) {
    home_->seal_at = end + 1;
    while (home_->seal_at > 1 && !says_on_disk(home_->files->path(home_->seal_at - 1), disk())) {
      --home_->seal_at;
    }
    home_->writing_at = home_->seal_at;
  }
  for (; home_->writing_at <= end + 1; ++home_->writing_at) {
    disk().begin_sync(home_->files->path(home_->writing_at));
  }
  if (home_->seal_at > end) {
    return {};
  }
  if (std::expected<void, base::Error> sealed = seal(home_->seal_at); !sealed) {
    return sealed;  // Tried again when the next segment is finished.
  }
  ++home_->seal_at;
  // Retention may continue up to there.
  wants_.fetch_or(home_->seal_at <= end ? wants_seal | wants_release : wants_release,
                  std::memory_order_relaxed);
  return {};
}

std::expected<void, base::Error> Journal::seal(std::uint32_t number) {
  const std::string path = home_->files->path(number);
  const std::string next_path = home_->files->path(number + 1);
  const auto map = [this](const std::string& of) {
    return Segment::map(of, Segment::Access::ReadWrite, disk());
  };
  const std::expected<Segment*, base::Error> mapped = map(path);
  if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
    return {};  // Archived meanwhile.
  }
  if (!mapped) {
    return std::unexpected(mapped.error());
  }
  const SegmentHandle segment(*mapped);
  const std::expected<Segment*, base::Error> following = map(next_path);
  if (!following) {
    return std::unexpected(following.error());
  }
  const SegmentHandle next(*following);
  const std::optional<format::State> state = segment->state();
  if (!state) {
    return {};  // Belongs to no identifiable journal.
  }
  if (std::expected<void, base::Error> synced = segment->sync(0, segment->size(), path); !synced) {
    return synced;
  }
  // The state vouches for the next one's begin and name, too.
  if (std::expected<void, base::Error> synced = next->sync(0, format::records_offset, next_path);
      !synced) {
    return synced;
  }
  if (std::expected<void, base::Error> synced = home_->files->sync_directory(); !synced) {
    return synced;
  }
  return segment->seal(*state, next->header().previous_end, path);
}

}  // namespace affix::inline v0::journal
