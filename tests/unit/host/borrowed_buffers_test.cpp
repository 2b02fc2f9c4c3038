// SPDX-License-Identifier: MIT
// A session's memory at rest and with buffers, and that they always return to their pool.
#include "host/borrowed_buffers.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace affix::host {
namespace {

constexpr BufferSizes buffer_sizes{.outbox_bytes = 32 * 1024, .secret_copy_bytes = 16 * 1024};
constexpr std::size_t throttle_limit = 5;

session::Action report_of(std::uint64_t number) {
  return session::Action(session::Report(session::Event::TestRequestSent, number));
}

TEST(BorrowedBuffers, AtRestThereIsOnlyTheMemoryOfTheThrottle) {
  BorrowedBuffers buffers(throttle_limit);
  EXPECT_FALSE(buffers.borrowed());
  EXPECT_FALSE(buffers.has_deferred());
  const session::SessionMemory memory = buffers.memory_at_rest();
  EXPECT_EQ(memory.throttle_times.size(), throttle_limit);
  EXPECT_TRUE(memory.held_bytes.empty());
  EXPECT_TRUE(memory.held_messages.empty());
}

TEST(BorrowedBuffers, WhileBorrowedTheMemoryIsThePoolsAndTheThrottleKeepsItsTimes) {
  BufferPool pool(buffer_sizes);
  ASSERT_TRUE(pool.add());
  BorrowedBuffers buffers(throttle_limit);
  buffers.set_pool(pool);
  EXPECT_EQ(&buffers.pool(), &pool);
  buffers.memory_at_rest().throttle_times.front() = 77;
  buffers.borrow();
  EXPECT_TRUE(buffers.borrowed());
  EXPECT_EQ(buffers.outbox().size(), buffer_sizes.outbox_bytes);
  EXPECT_EQ(buffers.secret_copy().size(), buffer_sizes.secret_copy_bytes);
  EXPECT_GE(buffers.actions().size(), 2 * session::Out::step_actions);
  wire::DataFields data_fields = wire::DataFields::standard();
  const session::SessionMemory memory = buffers.memory(data_fields);
  EXPECT_EQ(memory.data_fields, &data_fields);
  EXPECT_EQ(memory.throttle_times.front(), 77);
  EXPECT_EQ(memory.held_index->capacity, message_fields_max);
  EXPECT_FALSE(memory.held_bytes.empty());
}

TEST(BorrowedBuffers, AnotherSessionGetsThemOnceTheyAreGivenBack) {
  BufferPool pool(buffer_sizes);
  ASSERT_TRUE(pool.add());
  BorrowedBuffers first(throttle_limit);
  BorrowedBuffers second(throttle_limit);
  first.set_pool(pool);
  second.set_pool(pool);
  first.borrow();
  const char* const outbox = first.outbox().data();
  first.give_back();
  EXPECT_FALSE(first.borrowed());
  first.give_back();  // It has none: the pool must not get them twice.
  second.borrow();
  EXPECT_EQ(second.outbox().data(), outbox);
}

TEST(BorrowedBuffers, ASessionThatEndsReturnsThem) {
  BufferPool pool(buffer_sizes);
  ASSERT_TRUE(pool.add());
  const char* outbox = nullptr;
  {
    BorrowedBuffers buffers(throttle_limit);
    buffers.set_pool(pool);
    buffers.borrow();
    outbox = buffers.outbox().data();
  }
  EXPECT_EQ(pool.lend().outbox.data(), outbox);
}

TEST(BorrowedBuffers, DeferredActionsComeInOrderAlsoBeyondTheBuffers) {
  BufferPool pool(buffer_sizes);
  ASSERT_TRUE(pool.add());
  BorrowedBuffers buffers(throttle_limit);
  buffers.set_pool(pool);
  buffers.borrow();
  std::vector<std::uint64_t> expected;
  for (std::uint64_t number = 1; number <= deferred_actions_max + 3; ++number) {
    buffers.defer(report_of(number));
    expected.push_back(number);
  }
  EXPECT_TRUE(buffers.has_deferred());
  std::vector<std::uint64_t> taken;
  buffers.take_deferred(
      [&](const session::Action& action) { taken.push_back(action.report.first); });
  EXPECT_EQ(taken, expected);
  EXPECT_FALSE(buffers.has_deferred());
}

}  // namespace
}  // namespace affix::host
