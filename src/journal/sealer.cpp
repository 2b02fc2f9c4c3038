// SPDX-License-Identifier: MIT
// Flushes a segment and records that in its state.
#include "journal/sealer.hpp"

#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"

#include "journal/segment.hpp"

#include <optional>
#include <string>

namespace affix::inline v0::journal {

namespace {

bool says_on_disk(const std::string& path, Disk& disk) {
  const std::expected<Segment*, base::Error> mapped =
      Segment::map(path, Segment::Access::ReadOnly, disk);
  const SegmentHandle segment(mapped ? *mapped : nullptr);
  const std::optional<format::State> state =
      segment != nullptr && segment->begun() ? segment->state() : std::nullopt;
  return !state || (state->end_offset != 0 && state->durable_offset == state->end_offset);
}

std::expected<void, base::Error> seal(const SegmentFiles& files, std::uint32_t number) {
  const std::string path = files.path(number);
  const std::string next_path = files.path(number + 1);
  const auto map = [&files](const std::string& of) {
    return Segment::map(of, Segment::Access::ReadWrite, files.disk());
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
  if (std::expected<void, base::Error> synced = files.sync_directory(); !synced) {
    return synced;
  }
  return segment->seal(*state, next->header().previous_end, path);
}

}  // namespace

// The oldest first, since a state that vouches for a segment vouches for all before it.
std::expected<Sealer::Sealed, base::Error> Sealer::seal_next(const SegmentFiles& files,
                                                             std::uint32_t current) {
  const std::uint32_t end = current - left_alone;
  if (next_ == 0) {
    next_ = end + 1;
    while (next_ > 1 && !says_on_disk(files.path(next_ - 1), files.disk())) {
      --next_;
    }
    writing_from_ = next_;
  }
  for (; writing_from_ <= end + 1; ++writing_from_) {
    files.disk().begin_sync(files.path(writing_from_));
  }
  if (next_ > end) {
    return Sealed::Nothing;
  }
  if (std::expected<void, base::Error> sealed = seal(files, next_); !sealed) {
    return std::unexpected(sealed.error());
  }
  ++next_;
  return next_ <= end ? Sealed::OneOfMore : Sealed::One;
}

}  // namespace affix::inline v0::journal
