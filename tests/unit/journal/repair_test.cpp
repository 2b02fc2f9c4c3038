// SPDX-License-Identifier: MIT
// Every kind of damage, found by verifying and mended by repairing.
#include "affix/journal/repair.hpp"

#include "affix/journal/verify.hpp"

#include "support/has_message.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace affix::journal_test {
namespace {

using journal::Delivery;
using journal::EventType;
using journal::Kind;
using journal::Severity;
using support::has_message;

class JournalRepair : public JournalTest {
 protected:
  static constexpr std::size_t message_bytes = 100;

  [[nodiscard]] journal::Options small() const {
    journal::Options with = small_segments();
    with.sequence_reserve = 1'000;
    return with;
  }

  // Sent and received in turn over several segments; left as a killed process leaves it, or closed.
  void fill(std::uint64_t count, bool close) {
    journal::Options with = small();
    with.sync_on_close = close;
    const auto journal = open(with);
    for (std::uint64_t number = 1; number <= count; ++number) {
      const auto time = start_ns + static_cast<std::int64_t>(number);
      ASSERT_EQ(journal->append_sent(number, time, message_of(number, message_bytes)),
                journal::AppendResult::Appended);
      ASSERT_EQ(journal
                    ->append_received(number, number + 1, time, message_of(number, message_bytes),
                                      Delivery::SessionOnly)
                    .result(),
                journal::AppendResult::Appended);
    }
    if (close) {
      ASSERT_TRUE(journal->close());
    }
  }

  [[nodiscard]] journal::Verification verified() const {
    auto result = journal::verify(directory());
    EXPECT_TRUE(result) << result.error().text();
    return result ? std::move(*result) : journal::Verification{};
  }

  [[nodiscard]] static std::string text_of(const std::vector<journal::Finding>& findings) {
    std::string text;
    for (const auto& finding : findings) {
      text += std::to_string(finding.segment) + '@' + std::to_string(finding.offset) + ": " +
              finding.text + base::Error::suffix_of(finding.code) + '\n';
    }
    return text;
  }

  [[nodiscard]] static std::string text_of(const journal::Repair& repair) {
    std::string text;
    for (const auto& segment : repair.segments) {
      for (const auto& loss : segment.losses) {
        text += loss + '\n';
      }
    }
    return text;
  }

  [[nodiscard]] journal::RepairOptions repairing(bool apply) const {
    journal::RepairOptions with;
    with.directory = directory();
    with.apply = apply;
    with.now_utc_ns = start_ns;
    return with;
  }

  void flip(std::uint32_t segment, std::size_t offset) const {
    std::string bytes = read_file(segment_file(segment));
    bytes.at(offset) = static_cast<char>(bytes.at(offset) ^ 0x40);
    write_file(segment_file(segment), bytes);
  }

  // Repairs, and looks at whether that gave a sound journal that opens.
  journal::Repair expect_mended() const {
    const auto planned = journal::repair(repairing(false));
    EXPECT_TRUE(planned) << planned.error().text();
    const auto repaired = journal::repair(repairing(true));
    EXPECT_TRUE(repaired) << repaired.error().text();
    if (!repaired || !planned) {
      return {};
    }
    EXPECT_EQ(text_of(*planned), text_of(*repaired));
    for (const auto& segment : repaired->segments) {
      EXPECT_TRUE(segment.kept_as.empty() || std::filesystem::exists(segment.kept_as));
    }
    const auto after = verified();
    EXPECT_FALSE(after.damaged()) << text_of(after.findings);
    const auto opened = journal::Journal::open(small());
    EXPECT_TRUE(opened) << opened.error().text() << '\n' << text_of(*repaired);
    if (opened) {
      EXPECT_GE((*opened)->next_outgoing(), repaired->next_outgoing);
    }
    return *repaired;
  }
};

TEST_F(JournalRepair, ASoundJournalHasNothingToRepair) {
  fill(300, true);
  const auto found = verified();
  EXPECT_TRUE(found.findings.empty()) << text_of(found.findings);
  EXPECT_EQ(found.identity, options().identity);
  EXPECT_GT(found.segments.size(), 3U);
  std::uint64_t sent = 0;
  for (const auto& segment : found.segments) {
    sent += segment.sent;
  }
  EXPECT_EQ(sent, 300U);
  EXPECT_EQ(found.next_outgoing, 301U);
  EXPECT_EQ(found.next_expected, 301U);
  const auto repaired = journal::repair(repairing(true));
  ASSERT_TRUE(repaired);
  EXPECT_TRUE(repaired->segments.empty());
}

TEST_F(JournalRepair, VerifyingBesideALiveWriterFindsNoDamage) {
  const auto journal = open(small());
  for (std::uint64_t number = 1; number <= 200; ++number) {
    send(*journal, number, number, message_bytes);
    const auto found = verified();
    ASSERT_FALSE(found.damaged()) << text_of(found.findings);
    ASSERT_EQ(found.next_outgoing, number + 1);
  }
  const auto locked = journal::repair(repairing(true));
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, base::ErrorCode::Locked);
}

TEST_F(JournalRepair, ADamagedMiddleBecomesAnEventAndEverythingElseStays) {
  fill(300, true);
  const auto before = read_all();
  const std::uint32_t newest = before.rows.back().record.position.segment;
  const auto victim = std::find_if(before.rows.begin(), before.rows.end(), [&](const auto& row) {
    return row.record.position.segment == newest && row.record.kind == Kind::Sent;
  });
  ASSERT_NE(victim, before.rows.end());
  flip(newest, victim->record.position.offset + 60);
  ASSERT_TRUE(refusal(small()));
  EXPECT_TRUE(verified().damaged());

  const auto planned = journal::repair(repairing(false));
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->segments.size(), 1U);
  EXPECT_TRUE(planned->segments[0].kept_as.empty());
  EXPECT_TRUE(refusal(small())) << "a dry run changes nothing";

  const auto repaired = expect_mended();
  const std::string number = std::to_string(victim->record.sequence);
  EXPECT_TRUE(has_message(text_of(repaired), "J219", {"sent", number + " to " + number + " "}));
  EXPECT_EQ(repaired.next_outgoing, 301U);
  EXPECT_EQ(repaired.skipped_from, 0U);
  const auto after = read_all();
  ASSERT_EQ(after.rows.size(), before.rows.size());
  EXPECT_FALSE(after.damage);
  for (std::size_t at = 0; at < before.rows.size(); ++at) {
    const auto& was = before.rows[at];
    const auto& is = after.rows[at];
    EXPECT_EQ(is.record.position, was.record.position);
    if (was.record.position == victim->record.position) {
      EXPECT_EQ(is.record.kind, Kind::Event);
      EXPECT_NE(is.bytes.find("repaired"), std::string::npos);
    } else {
      EXPECT_EQ(is.bytes, was.bytes);
    }
  }
}

TEST_F(JournalRepair, AnEndBeforeTheDurableOneGoesOnFromTheReserve) {
  fill(10, true);
  std::string bytes = read_file(segment_file(1));
  const auto rows = read_all().rows;
  const std::size_t cut = rows[rows.size() - 4].record.position.offset;
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(cut), bytes.end(), '\0');
  write_file(segment_file(1), bytes);
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_EQ(repaired.skipped_from, 9U);
  EXPECT_GT(repaired.next_outgoing, 1'000U);
  EXPECT_EQ(repaired.next_expected, 9U);
}

TEST_F(JournalRepair, WithoutAReserveSomebodyHasToSayTheNumber) {
  journal::Options with = options();
  with.sync_on_close = true;
  {
    const auto journal = open(with);
    send(*journal, 1, 10, message_bytes);
    ASSERT_TRUE(journal->close());
  }
  std::string bytes = read_file(segment_file(1));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(read_all().rows[7].record.position.offset),
            bytes.end(), '\0');
  write_file(segment_file(1), bytes);
  const auto refused = journal::repair(repairing(true));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(read_file(segment_file(1)), bytes);
  journal::RepairOptions chosen = repairing(true);
  chosen.next_outgoing = 5;
  ASSERT_FALSE(journal::repair(chosen)) << "5 was used";
  chosen.next_outgoing = 11;
  const auto repaired = journal::repair(chosen);
  ASSERT_TRUE(repaired) << repaired.error().text();
  const auto journal = open(with);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->next_outgoing(), 11U);
}

TEST_F(JournalRepair, AHeaderIsMadeAnewFromTheSegmentBefore) {
  fill(300, true);
  const auto before = read_all();
  const std::uint32_t newest = before.rows.back().record.position.segment;
  flip(newest, 50);
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_EQ(repaired.next_outgoing, 301U);
  EXPECT_EQ(read_all().rows.size(), before.rows.size());
}

TEST_F(JournalRepair, QueuedMessagesStayCounted) {
  fill(300, false);
  {
    const auto journal = open(small());
    ASSERT_EQ(journal->append_queued(301, start_ns, message_of(301)),
              journal::AppendResult::Appended);
    // The newest segment begins with the count.
    const std::uint32_t segment = journal->end().segment;
    for (std::uint64_t number = 302; journal->end().segment == segment; ++number) {
      ASSERT_EQ(journal->append_sent(number, start_ns, message_of(number, message_bytes)),
                journal::AppendResult::Appended);
    }
    ASSERT_TRUE(journal->close());
  }
  flip(read_all().rows.back().record.position.segment, 50);
  expect_mended();
  EXPECT_EQ(open(small())->queued(), (journal::QueuedMessages{1, 301}));
}

TEST_F(JournalRepair, TheOnlyHeaderNeedsTheSessionsName) {
  fill(10, true);
  flip(1, 50);
  std::filesystem::remove(directory() + "/summary");
  const auto refused = journal::repair(repairing(true));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::InvalidArgument);
  journal::RepairOptions named = repairing(true);
  named.identity = options().identity;
  const auto repaired = journal::repair(named);
  ASSERT_TRUE(repaired) << repaired.error().text();
  const auto journal = open(small());
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->next_outgoing(), 11U);
}

TEST_F(JournalRepair, AFileCutToNothingGoesOnFromTheReserve) {
  fill(300, false);
  const std::uint32_t newest = read_all().rows.back().record.position.segment;
  for (const std::uint32_t prepared : {newest + 1, newest + 2}) {
    std::filesystem::remove(segment_file(prepared));
  }
  write_file(segment_file(newest), "short");
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_GT(repaired.skipped_from, 1U);
  EXPECT_GT(repaired.next_outgoing, 1'000U);
}

TEST_F(JournalRepair, AnotherVersionIsLeftAlone) {
  fill(10, true);
  change_header(1, [](format::Header& header) { header.version = 99; });
  const auto refused = journal::repair(repairing(true));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Unsupported);
}

TEST_F(JournalRepair, TheSummarySaysTheSessionsNameToo) {
  fill(10, true);
  flip(1, 50);
  const auto repaired = expect_mended();
  EXPECT_EQ(repaired.next_outgoing, 11U);
}

TEST_F(JournalRepair, AGoneSegmentBecomesOneThatSaysSo) {
  fill(300, true);
  std::filesystem::remove(segment_file(2));
  EXPECT_TRUE(verified().damaged());
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_TRUE(repaired.remaining.empty());
  EXPECT_EQ(repaired.next_outgoing, 301U);
  EXPECT_TRUE(has_message(text_of(repaired), "J219", {"gone"}));
  EXPECT_EQ(repaired.skipped_from, 0U);
}

TEST_F(JournalRepair, ANewestSegmentThatIsGoneOrEmptyGoesOnFromTheReserve) {
  for (const bool gone : {true, false}) {
    std::filesystem::remove_all(directory());
    fill(300, false);
    const auto before = read_all().rows;
    const std::uint32_t newest = before.back().record.position.segment;
    const auto kept = std::ranges::count_if(before, [newest](const Contents::Row& row) {
      return row.record.position.segment < newest;
    });
    if (gone) {
      std::filesystem::remove(segment_file(newest));
    } else {
      write_file(segment_file(newest), std::string(16 * 1024, '\0'));
    }
    EXPECT_TRUE(verified().damaged());
    ASSERT_TRUE(refusal(small()));
    const auto repaired = expect_mended();
    EXPECT_GT(repaired.next_outgoing, 1'000U);
    EXPECT_NE(repaired.skipped_from, 0U);
    const auto after = read_all().rows;
    ASSERT_EQ(after.size(), static_cast<std::size_t>(kept) + 1) << "and the event";
    EXPECT_EQ(after.back().record.position.segment, newest);
  }
}

TEST_F(JournalRepair, AJournalWithoutASegmentIsBegunAnewFromItsReserve) {
  fill(10, true);
  std::filesystem::remove(segment_file(1));
  EXPECT_TRUE(verified().damaged());
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_GE(repaired.next_outgoing, 1'000U);
}

// The newest segment's checkpoint names a received message of the segment before that is lost.
TEST_F(JournalRepair, AnEarlierSegmentThatWasCutIsMendedSoThatTheJournalOpens) {
  {
    const auto journal = open(small());
    std::uint64_t number = 1;
    while (journal->end().segment < 4) {
      ASSERT_EQ(
          journal->append_received(number, number + 1, start_ns, message_of(number, 100)).result(),
          journal::AppendResult::Appended);
      ++number;
    }
  }
  for (const std::size_t cut : {4'200U, 5'000U, 6'000U, 8'000U}) {
    SCOPED_TRACE(cut);
    std::string bytes = read_file(segment_file(2));
    const std::string whole = bytes;
    bytes.resize(cut);
    write_file(segment_file(2), bytes);
    ASSERT_TRUE(refusal(small())) << "what was not processed is lost";
    expect_mended();
    write_file(segment_file(2), whole);
  }
}

// How a segment that follows the last one in use was left decides whether it was in use.
TEST_F(JournalRepair, AFollowingFileCountsAsUsedUnlessItWasOnlyPrepared) {
  struct Case {
    const char* name;
    std::string bytes;
    bool used;
  };

  const std::size_t records = format::records_offset;
  const auto with_state = [](std::uint64_t generation, std::size_t byte_at) {
    std::string bytes(16 * 1024, '\0');
    format::State state{};
    state.generation = generation;
    state.crc = base::crc32c({reinterpret_cast<const char*>(&state), offsetof(format::State, crc)});
    std::memcpy(bytes.data() + format::state_offset[generation % 2], &state, sizeof(state));
    bytes[byte_at] = byte_at == 0 ? '\0' : 'x';
    return bytes;
  };
  std::string marked = with_state(1, 0);
  const std::uint32_t mark = format::end_mark(2, records);
  std::memcpy(marked.data() + records + offsetof(format::RecordHeader, crc), &mark, sizeof(mark));
  const std::array<Case, 7> cases{{
      {"too short for a segment", "short", true},
      {"only zeros", std::string(16 * 1024, '\0'), false},
      {"a first state alone", with_state(1, 0), false},
      {"a first state and an end mark", marked, false},
      {"a first state and another end mark", with_state(1, records + 7), true},
      {"a first state and a record's byte", with_state(1, records + format::end_mark_bytes), true},
      {"a state that was renewed", with_state(2, 0), true},
  }};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    std::filesystem::remove_all(directory());
    fill(10, false);
    write_file(segment_file(2), each.bytes);
    // Opening removes a file that was only prepared, so it comes after the repair there.
    EXPECT_TRUE(!each.used || refusal(small()));
    const auto repaired = expect_mended();
    EXPECT_EQ(!repaired.segments.empty(), each.used) << text_of(repaired);
    if (each.used) {
      EXPECT_GT(repaired.next_outgoing, 1'000U) << "what it held was perhaps sent";
    } else {
      EXPECT_EQ(repaired.next_outgoing, 11U);
    }
  }
}

TEST_F(JournalRepair, ANewestFileThatWasCutAfterItsRecordsGoesOnFromTheReserve) {
  fill(10, false);
  const std::size_t end = read_all().rows.back().record.position.offset +
                          format::record_bytes(message_bytes) + format::end_mark_bytes;
  std::string bytes = read_file(segment_file(1));
  ASSERT_LT(end, bytes.size());
  bytes.resize(end);
  write_file(segment_file(1), bytes);
  ASSERT_TRUE(refusal(small()));
  const auto repaired = expect_mended();
  EXPECT_EQ(repaired.skipped_from, 11U) << "there may have been more";
  EXPECT_GT(repaired.next_outgoing, 1'000U);
  EXPECT_EQ(read_all().rows.size(), 21U) << "all that was there, and the event";
}

// The events that a repair adds begin another segment then, and only one.
TEST_F(JournalRepair, WithoutRoomForItsEventAnotherSegmentFollows) {
  journal::Options with = small();
  with.sync_on_close = false;
  std::uint64_t sent = 0;
  {
    const auto journal = open(with);
    std::size_t room = with.first_segment_bytes - format::records_offset;
    const std::size_t each = format::record_bytes(message_bytes);
    for (; room >= 2 * each; room -= each) {
      send(*journal, sent + 1, sent + 1, message_bytes);
      ++sent;
    }
    // The last one leaves room for an end mark and for no record.
    std::size_t bytes = message_bytes;
    while (format::record_bytes(bytes + 1) + format::end_mark_bytes <= room) {
      ++bytes;
    }
    send(*journal, sent + 1, sent + 1, bytes);
    ++sent;
    ASSERT_EQ(journal->end().segment, 1U);
    journal->abandon();
  }
  for (const std::uint32_t prepared : {2U, 3U}) {
    std::filesystem::remove(segment_file(prepared));
  }
  std::string bytes = read_file(segment_file(1));
  for (const std::size_t state : format::state_offset) {
    std::memset(bytes.data() + state, 'x', sizeof(format::State));
  }
  write_file(segment_file(1), bytes);
  ASSERT_TRUE(refusal(with));
  const auto repaired = expect_mended();
  EXPECT_EQ(repaired.skipped_from, sent + 1);
  EXPECT_GT(repaired.next_outgoing, 1'000U);
  const auto after = read_all();
  EXPECT_FALSE(after.damage);
  ASSERT_EQ(after.rows.size(), sent + 1);
  EXPECT_EQ(after.rows.back().record.kind, Kind::Event);
  EXPECT_EQ(after.rows.back().record.position,
            (journal::Position{2, static_cast<std::uint32_t>(format::records_offset)}));
}

TEST_F(JournalRepair, ANumberUsedTwiceIsDamage) {
  // Two journals of one session, a segment of each.
  fill(10, true);
  const std::string first = read_file(segment_file(1));
  change_header(1, [](format::Header& header) { header.next_outgoing = 5; });
  const auto found = verified();
  EXPECT_TRUE(found.damaged());
  EXPECT_TRUE(has_message(text_of(found.findings), "J213", {"1@", " 1 ", " 5"}));
}

}  // namespace
}  // namespace affix::journal_test
