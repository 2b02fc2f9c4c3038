// SPDX-License-Identifier: MIT
// Time since which the numbers are continuous, from the record that began them.
#include "affix/journal/journal.hpp"

#include "journal/home.hpp"

namespace affix::inline v0::journal {

std::int64_t Journal::numbers_since_utc_ns() const {
  const Position first{1, format::records_offset};
  const Position from = barrier_.valid() ? barrier_ : first;
  SegmentHandle opened;
  Segment* segment = mapped_.find(from.segment);
  if (segment == nullptr && !in_memory()) {
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(home_->files->path(from.segment), Segment::Access::ReadOnly, disk());
    opened.reset(mapped ? *mapped : nullptr);
    segment = opened.get();
  }
  if (segment == nullptr || !segment->begun() || segment->number() != from.segment) {
    return 0;
  }
  const Parsed parsed = parse_record(segment->base(), segment->records_limit(), from.segment,
                                     from.offset, segment->check());
  return parsed.found == Found::Record ? parsed.record.utc_ns : 0;
}

}  // namespace affix::inline v0::journal
