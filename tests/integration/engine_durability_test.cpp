// SPDX-License-Identifier: MIT
// Sessions of every durability and store order trade; with sync nothing is sent before it is on the
// disk; a failing disk ends the session with a reason, and the session returns with the disk.
#include "affix/config/words.hpp"
#include "affix/journal/reader.hpp"

#include "support/engine_case.hpp"
#include "support/has_message.hpp"
#include "support/recording_disk.hpp"

#include <atomic>
#include <thread>

namespace affix::support {
namespace {

using Call = RecordingDisk::Call;

std::vector<std::string> numbered(const std::string& name, int count) {
  std::vector<std::string> ids;
  for (int at = 1; at <= count; ++at) {
    ids.push_back(name + std::to_string(at));
  }
  return ids;
}

bool sends(host::SessionHandle session, std::string_view id) {
  return send_order(session, id).status == host::SendStatus::Sent;
}

/// Orders in both directions, more than one turn's; each arrives once and in order.
void trade(Pair& pair, int count) {
  ASSERT_TRUE(pair.log_on()) << pair.firm_application.all_events();
  const std::size_t venue_had = pair.venue_application.messages.size();
  const std::size_t firm_had = pair.firm_application.messages.size();
  for (int at = 1; at <= count; ++at) {
    ASSERT_TRUE(sends(pair.firm(), "f" + std::to_string(at)));
    ASSERT_TRUE(sends(pair.venue(), "v" + std::to_string(at)));
    turn(pair.engines());
  }
  ASSERT_TRUE(pair.turn_until([&] {
    return pair.venue_application.messages.size() == venue_had + static_cast<std::size_t>(count) &&
           pair.firm_application.messages.size() == firm_had + static_cast<std::size_t>(count);
  }));
}

/// Number of messages that `directory` has as sent, with their ClOrdIDs.
std::size_t orders_in(const std::string& directory) {
  auto reader = journal::Reader::open(directory);
  EXPECT_TRUE(reader);
  std::size_t orders = 0;
  std::uint64_t next = 1;
  while (const auto record = reader->next()) {
    if (record->kind == journal::Kind::Sent) {
      EXPECT_EQ(record->sequence, next);
      next = record->number_after;
      orders += record->bytes.find(
                    "\x01"
                    "35=D\x01") != std::string_view::npos
                    ? 1U
                    : 0U;
    }
  }
  EXPECT_FALSE(reader->damage());
  return orders;
}

/// Words of durability and store_order.
using Storing = std::pair<const char*, const char*>;

void choose_storing(config::SessionSettings& session, const Storing& words) {
  EXPECT_TRUE(config::choose(session, "durability", words.first));
  EXPECT_TRUE(config::choose(session, "store_order", words.second));
}

class EngineDurability : public testing::TestWithParam<Storing> {};

TEST_P(EngineDurability, OrdersArriveOnceAndAreInTheJournal) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    choose_storing(configuration.sessions.back(), GetParam());
    configuration.sessions.back().group_interval_milliseconds = 1;
  });
  trade(pair, 60);
  EXPECT_EQ(pair.venue_application.ids(), numbered("f", 60));
  EXPECT_EQ(pair.firm_application.ids(), numbered("v", 60));
  const std::string venue(pair.venue().journal_directory());
  const std::string firm(pair.firm().journal_directory());
  pair.initiator.reset();
  pair.acceptor.reset();
  EXPECT_EQ(orders_in(venue), 60U);
  EXPECT_EQ(orders_in(firm), 60U);
}

TEST_P(EngineDurability, ASessionGoesOnWhereItsJournalsEnd) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    choose_storing(configuration.sessions.back(), GetParam());
  });
  trade(pair, 5);
  pair.keep_port();
  const std::uint64_t next = pair.venue().next_target_seq();
  pair.initiator.reset();
  pair.acceptor.reset();
  pair.open_venue();
  pair.open_firm();
  trade(pair, 5);
  EXPECT_GT(pair.venue().next_target_seq(), next);
  EXPECT_EQ(pair.venue_application.logons.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Durabilities, EngineDurability,
    testing::Values(std::pair("process", "before_send"), std::pair("process", "after_send"),
                    std::pair("group", "before_send"), std::pair("group", "after_send"),
                    std::pair("sync", "before_send")),
    [](const auto& one) { return std::string(one.param.first) + "_" + one.param.second; });

TEST(EngineSync, NothingLeavesBeforeItIsOnTheDisk) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.sessions.back().durability = journal::Durability::Sync;
  });
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(sends(pair.firm(), "held back"));
  // Turns without any flush.
  for (int at = 0; at < 50; ++at) {
    pair.initiator->poll(0);
    pair.acceptor->poll(os::now().steady_ns + base::ns_per_ms / 10);
  }
  EXPECT_TRUE(pair.venue_application.messages.empty());
  EXPECT_TRUE(pair.initiator->flush_journals());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
}

TEST(EngineSync, WhateverWaitsSharesOneFlush) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.sessions.back().durability = journal::Durability::Sync;
  });
  ASSERT_TRUE(pair.log_on());
  // Many messages wait for one flush and are sent together.
  for (int at = 1; at <= 100; ++at) {
    ASSERT_TRUE(sends(pair.firm(), "f" + std::to_string(at)));
  }
  pair.initiator->poll(0);
  EXPECT_TRUE(pair.venue_application.messages.empty());
  EXPECT_TRUE(pair.initiator->flush_journals());
  EXPECT_FALSE(pair.initiator->flush_journals()) << "one flush was not enough";
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 100; }));
}

TEST(EngineSync, RunFlushesByItself) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.sessions.back().durability = journal::Durability::Sync;
  });
  std::atomic<int> answered{0};
  pair.venue_application.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                           const host::Delivery&) {
    EXPECT_TRUE(sends(session, "answer"));
  };
  pair.firm_application.when_logon = [](host::SessionHandle session) {
    EXPECT_TRUE(sends(session, "first"));
  };
  pair.firm_application.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                           const host::Delivery&) {
    if (++answered == 20) {
      pair.initiator->request_stop();
      return;
    }
    EXPECT_TRUE(sends(session, "next"));
  };
  std::thread venue([&] { pair.acceptor->run(); });
  pair.initiator->run();
  pair.acceptor->request_stop();
  venue.join();
  EXPECT_EQ(answered, 20);
  EXPECT_EQ(pair.venue_application.messages.size(), 20U);
}

TEST(EngineSync, AfterSendContradictsIt) {
  config::Configuration settings = acceptor_configuration();
  TemporaryDirectory directory;
  config::SessionSettings& session = add_session(settings, "US", "THEM", directory.path());
  session.durability = journal::Durability::Sync;
  session.store_order = config::StoreOrder::AfterSend;
  Recorder application;
  const auto opened = engine::Engine::open(settings, application);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has_message(config::text_of(opened.error()), "C240",
                          {"store_order=after_send", "durability=sync"}));
}

// A first start with thousands of sessions spends its time in flushes.
TEST(EngineStart, WaitsForTheDiskAsOftenForManySessionsAsForFew) {
  for (const int count : {2, 30}) {
    RecordingDisk disk(1);
    TemporaryDirectory directory;
    config::Configuration settings = acceptor_configuration();
    for (int number = 0; number < count; ++number) {
      config::SessionSettings& session =
          add_session(settings, "US", "THEM" + std::to_string(number), directory.path());
      session.sequence_reserve = 1'000;
      session.journal_disk = &disk;
    }
    int flushes = 0;
    disk.fault = [&](Call call, const std::string&) {
      flushes += call == Call::SyncFile || call == Call::SyncMapping ||
                         call == Call::SyncDirectory || call == Call::SyncFileSystem
                     ? 1
                     : 0;
      return 0;
    };
    Recorder application;
    const auto opened = engine::Engine::open(settings, application);
    ASSERT_TRUE(opened) << config::text_of(opened.error());
    EXPECT_EQ(flushes, 2) << count << " sessions";
    disk.fault = nullptr;
  }
}

TEST(EngineStart, IsRefusedForTheSessionWhoseJournalIsNotOnTheDisk) {
  RecordingDisk disk(1);
  TemporaryDirectory directory;
  config::Configuration settings = acceptor_configuration();
  for (const char* const peer : {"GOOD", "BAD", "ALSO_GOOD"}) {
    config::SessionSettings& session = add_session(settings, "US", peer, directory.path());
    session.sequence_reserve = 1'000;
    session.journal_disk = &disk;
  }
  disk.fault = [](Call call, const std::string& path) {
    const bool flushes = call == Call::SyncMapping || call == Call::SyncDirectory;
    return call == Call::SyncFileSystem || (flushes && path.find("BAD") != std::string::npos) ? EIO
                                                                                              : 0;
  };
  Recorder application;
  const auto opened = engine::Engine::open(settings, application);
  ASSERT_FALSE(opened);
  ASSERT_EQ(opened.error().size(), 1U);
  EXPECT_TRUE(has_message(opened.error()[0].text(), "O113", {"session BAD: "}));
}

/// A flush that fails, for group and for sync.
class EngineFlushFails : public testing::TestWithParam<const char*> {};

TEST_P(EngineFlushFails, TheSessionEndsWithAReasonAndComesBack) {
  RecordingDisk disk(1);
  Pair pair("FIX.4.4", [&](config::Configuration& configuration) {
    config::SessionSettings& session = configuration.sessions.back();
    if (session.sender_comp_id == "FIRM") {
      EXPECT_TRUE(config::choose(session, "durability", GetParam()));
      session.group_interval_milliseconds = 1;
      session.journal_disk = &disk;
    }
  });
  trade(pair, 5);
  disk.fault = [](Call call, const std::string&) {
    return call == Call::SyncFile || call == Call::SyncMapping ? EIO : 0;
  };
  ASSERT_TRUE(sends(pair.firm(), "in trouble"));
  ASSERT_TRUE(pair.turn_until([&] { return !pair.firm_application.logouts.empty(); }));
  EXPECT_TRUE(pair.firm_application.logged_out_by("J106")) << pair.firm_application.all_events();
  turn_for(pair.engines(), 200 * base::ns_per_ms);
  EXPECT_FALSE(pair.firm().logged_on());
  if (std::string_view(GetParam()) == "sync") {
    EXPECT_EQ(pair.venue_application.messages.size(), 5U) << "sent what is not on the disk";
  }
  disk.fault = nullptr;
  // The order was stored, so it is resent when the venue misses it.
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 6; }))
      << pair.firm_application.all_events();
  EXPECT_EQ(pair.venue_application.messages.back().id, "in trouble");
  trade(pair, 5);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, EngineFlushFails, testing::Values("group", "sync"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace affix::support
