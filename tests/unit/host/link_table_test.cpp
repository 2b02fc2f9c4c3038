// SPDX-License-Identifier: MIT
// The table of connections from one process to the next.
#include "host/link_table.hpp"

#include "os/nameless_file.hpp"

#include <cstdint>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::host {
namespace {

os::FileDescriptor duplicate(int descriptor) {
  return os::FileDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
}

os::FileDescriptor file_of(std::string_view bytes) {
  os::FileDescriptor file = os::make_nameless_file("test");
  EXPECT_EQ(::write(file.number(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return file;
}

TEST(LinkTable, RowsAreTakenAndGivenBack) {
  const auto table = LinkTable::create(2);
  ASSERT_TRUE(table);
  LinkRecord* const first = (*table)->take(7, "FIRST", 1);
  LinkRecord* const second = (*table)->take(8, std::string(300, 'x'), 0);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ((*table)->take(9, "THIRD", 0), nullptr);
  EXPECT_NE(first->token, second->token);
  EXPECT_EQ(first->name(), "FIRST");
  EXPECT_EQ(second->name(), std::string(LinkRecord::name_bytes_max, 'x'));
  EXPECT_EQ((*table)->find(second->token), second);
  const std::uint64_t token = first->token;
  OutputPlace place;
  place.next_outgoing = 7;
  first->set_place(place);
  first->set_place(place);
  LinkTable::give_back(*first);
  EXPECT_EQ((*table)->find(token), nullptr);
  LinkRecord* const again = (*table)->take(9, "THIRD", 0);
  ASSERT_EQ(again, first);
  EXPECT_EQ(again->place(), OutputPlace());
  EXPECT_EQ(again->place_before(), OutputPlace());
  EXPECT_NE(again->token, token);
}

TEST(LinkTable, ALaterProcessFindsItsRowsAndMayHaveMore) {
  os::FileDescriptor file;
  OutputPlace place;
  place.next_outgoing = 12;
  std::uint64_t token = 0;
  {
    const auto table = LinkTable::create(1);
    ASSERT_TRUE(table);
    LinkRecord* const row = (*table)->take(7, "FIRST", 1);
    row->set_place(place);
    token = row->token;
    file = duplicate((*table)->file());
  }
  const auto later = LinkTable::adopt(std::move(file), 3);
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_EQ((*later)->rows().size(), 3U);
  LinkRecord* const row = (*later)->find(token);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->place(), place);
  EXPECT_EQ(row->identity, 7U);
  LinkRecord* const next = (*later)->take(8, "SECOND", 1);
  ASSERT_NE(next, nullptr);
  EXPECT_GT(next->token, token);
  // One with fewer sessions does not lose rows.
  const auto last = LinkTable::adopt(duplicate((*later)->file()), 1);
  ASSERT_TRUE(last);
  EXPECT_EQ((*last)->rows().size(), 3U);
}

TEST(LinkTable, WhatIsNoTableIsRefused) {
  const auto sound = LinkTable::create(2);
  ASSERT_TRUE(sound);
  constexpr std::size_t head_bytes = 64;
  std::string bytes(head_bytes + LinkTable::signs * sizeof(TurnSign) + 2 * sizeof(LinkRecord),
                    '\0');
  ASSERT_EQ(::pread((*sound)->file(), bytes.data(), bytes.size(), 0),
            static_cast<ssize_t>(bytes.size()));
  ASSERT_TRUE(LinkTable::adopt(file_of(bytes), 2));
  for (const std::size_t size : {std::size_t{0}, std::size_t{63}}) {
    const auto cut = LinkTable::adopt(file_of(bytes.substr(0, size)), 2);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, base::ErrorCode::Damaged);
  }
  const auto shorter = LinkTable::adopt(file_of(bytes.substr(0, bytes.size() - 1)), 2);
  ASSERT_FALSE(shorter);
  EXPECT_EQ(shorter.error().code, base::ErrorCode::Damaged);
  std::string other = bytes;
  other[0] = 'b';
  const auto foreign = LinkTable::adopt(file_of(other), 2);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, base::ErrorCode::Damaged);
  for (const std::size_t at : {std::size_t{8}, std::size_t{12}}) {
    other = bytes;
    ++other[at];
    const auto newer = LinkTable::adopt(file_of(other), 2);
    ASSERT_FALSE(newer) << at;
    EXPECT_EQ(newer.error().code, base::ErrorCode::Unsupported);
  }
  // Also one that is shorter than this version's of no row.
  other = other.substr(0, head_bytes);
  const auto small = LinkTable::adopt(file_of(other), 2);
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, base::ErrorCode::Unsupported);
  EXPECT_FALSE(LinkTable::adopt(file_of(bytes.substr(0, head_bytes)), 2));
  EXPECT_FALSE(LinkTable::adopt(os::FileDescriptor(), 2));
}

TEST(LinkTable, EachRowKnowsSinceWhenNobodyServesIt) {
  const auto table = LinkTable::create(3);
  ASSERT_TRUE(table);
  LinkTable& links = **table;
  LinkRecord& early = *links.take(7, "EARLY", 1);
  LinkRecord& late = *links.take(8, "LATE", 1);
  late.worker = 1;
  LinkRecord& high = *links.take(9, "HIGH", 1);
  high.worker = LinkTable::signs + 1;
  links.sign(0).at_ns = -100;
  links.sign(1).at_ns = 150;
  links.begin_process(170);
  EXPECT_EQ(early.unserved_since_ns, 170);
  EXPECT_EQ(late.unserved_since_ns, 150);
  EXPECT_EQ(high.unserved_since_ns, 150);
  // A process that ends before its first turn has served nobody, however it ends.
  links.note_left();
  links.begin_process(200);
  EXPECT_EQ(early.unserved_since_ns, 170);
  EXPECT_EQ(late.unserved_since_ns, 150);
  links.sign(0).at_ns = -300;
  links.note_left();
  links.begin_process(350);
  EXPECT_EQ(early.unserved_since_ns, 300) << "its workers had stopped";
  links.sign(0).at_ns = -400;
  links.begin_process(450);
  EXPECT_EQ(early.unserved_since_ns, 450) << "this one was killed";
  // Of a connection that begins nothing is known.
  LinkTable::give_back(early);
  EXPECT_EQ(links.take(7, "EARLY", 1)->unserved_since_ns, 0);
}

TEST(LinkTable, SessionsAreToldApartByAllOfTheirNames) {
  std::set<std::uint64_t> seen;
  for (const char* const identity : {"FIX.4.4:A->B", "FIX.4.4:B->A", "FIX.4.2:A->B", ""}) {
    EXPECT_TRUE(seen.insert(identity_of(identity)).second) << identity;
  }
}

}  // namespace
}  // namespace affix::host
