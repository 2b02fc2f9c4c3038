// SPDX-License-Identifier: MIT
// A journal's time is that of its disk, so that one in virtual time does the same in each run.
#include "affix/base/time.hpp"

#include "journal/segment_size.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cstring>

namespace affix::journal_test {
namespace {

class ManualTimeDisk final : public journal::Disk {
 public:
  [[nodiscard]] base::Now now() noexcept override { return time; }

  base::Now time{.steady_ns = 1'000 * base::ns_per_second, .utc_ns = start_ns};
};

class JournalDiskTime : public JournalTest {
 protected:
  [[nodiscard]] std::unique_ptr<journal::Journal> open_on_disk() {
    journal::Options with = options();
    with.first_segment_bytes = journal::small_segment_bytes;
    with.max_segment_bytes = 8 * journal::small_segment_bytes;
    with.disk = &disk_;
    return open(with);
  }

  /// Length of the segment after one whose first half has been stored in `ns`.
  [[nodiscard]] std::size_t second_segment_after(std::int64_t ns) {
    make_empty_directory();
    const auto journal = open_on_disk();
    disk_.time.steady_ns += ns;
    send(*journal, 1, 60, journal::small_segment_bytes / 100);
    EXPECT_TRUE(journal->prepare());
    return read_file(segment_file(2)).size();
  }

  ManualTimeDisk disk_;
};

TEST_F(JournalDiskTime, DatesTheFirstSegment) {
  ASSERT_NE(open_on_disk(), nullptr);
  format::Header header;
  std::memcpy(&header, read_file(segment_file(1)).data(), sizeof(header));
  EXPECT_EQ(header.created_utc_ns, start_ns);
}

TEST_F(JournalDiskTime, SaysHowLongSegmentsLast) {
  EXPECT_EQ(second_segment_after(0), 2 * journal::small_segment_bytes);
  EXPECT_EQ(second_segment_after(100 * base::ns_per_second), journal::small_segment_bytes);
}

}  // namespace
}  // namespace affix::journal_test
