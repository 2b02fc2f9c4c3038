// SPDX-License-Identifier: MIT
// Segments moved into an archive, and verification of archives: packed or not, complete, changed,
// with a missing one.
#include "journal/archive.hpp"
#include "journal/archive_verification.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <filesystem>
#include <string>

namespace affix::tools::journal {
namespace {

class JournalArchive : public journal_test::JournalTest,
                       public testing::WithParamInterface<Packing> {
 protected:
  void SetUp() override {
    affix::journal::Options with = options();
    with.first_segment_bytes = with.max_segment_bytes = 8 * 1024;
    const auto journal = open(with);
    for (std::uint64_t number = 1; journal->end().segment < 7; ++number) {
      send(*journal, number, number, 200);
    }
    ASSERT_TRUE(journal->close());
    ArchiveOptions choice;
    choice.source = directory();
    choice.archive = archive_directory();
    choice.packing = GetParam();
    choice.keep_bytes = 0;
    const auto moved = archive(choice);
    ASSERT_TRUE(moved) << moved.error().text();
    ASSERT_EQ(moved->size(), 5U);
    third_ = (*moved)[2].path;
  }

  [[nodiscard]] std::string archive_directory() const { return directory() + "-archive"; }

  [[nodiscard]] affix::journal::Verification verified() const {
    auto found = verify_archive(archive_directory());
    EXPECT_TRUE(found) << found.error().text();
    return found ? std::move(*found) : affix::journal::Verification{};
  }

  std::string third_;
};

TEST_P(JournalArchive, IsVerifiedAsSound) {
  const auto found = verified();
  EXPECT_FALSE(found.damaged()) << found.findings.front().text;
  EXPECT_EQ(found.segments.size(), 5U);
  EXPECT_EQ(found.identity, options().identity);
  EXPECT_GT(found.next_outgoing, 50U);
}

TEST_P(JournalArchive, AChangedSegmentIsDamage) {
  std::string bytes = read_file(third_);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  write_file(third_, bytes);
  EXPECT_TRUE(verified().damaged());
}

TEST_P(JournalArchive, AMissingSegmentIsDamage) {
  std::filesystem::remove(third_);
  EXPECT_TRUE(verified().damaged());
}

INSTANTIATE_TEST_SUITE_P(Packings, JournalArchive,
                         testing::Values(Packing::None, Packing::Gzip, Packing::Zstd));

TEST(JournalArchiveVerification, NothingThereIsNotFound) {
  const support::TemporaryDirectory empty;
  const auto found = verify_archive(empty.path());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, base::ErrorCode::NotFound);
}

}  // namespace
}  // namespace affix::tools::journal
