// SPDX-License-Identifier: MIT
// A server allocates when it is opened and never afterwards; an owner's requests do not either.
#include "support/allocation_count.hpp"
#include "unit/keeper/keeper_case.hpp"

namespace affix::keeper {
namespace {

using namespace cases;

class KeeperAllocation : public Case {
 public:
  /// Its body allocates nothing.
  template <typename Body>
  static void without_allocation(Body body) {
    const std::uint64_t before = support::allocation_count();
    body();
    EXPECT_EQ(support::allocation_count(), before);
  }

  /// More than there is room for, and one of them dropped.
  void hold_and_drop(Keeper& owner) {
    std::array<char, 2> name{'s', 'a'};
    for (std::size_t number = 0; number < options.entries + 4; ++number, ++name[1]) {
      static_cast<void>(owner.hold({name.data(), name.size()}, connection.own.fd()));
      turn();
    }
    static_cast<void>(owner.drop("sa"));
    static_cast<void>(owner.lost());
    turn();
  }

  void expire() {
    turn();
    now_ns += options.keep_ns;
    turn();
  }

  Connection connection;
};

TEST_F(KeeperAllocation, OnlyAtTheStart) {
  if (!support::allocations_are_counted) {
    GTEST_SKIP() << "the thread sanitizer has its own operator new";
  }
  reports.recording = false;
  for (int round = 0; round < 3; ++round) {
    auto owner = open_keeper(options.socket, "venue");
    net::Socket successor = connect();
    say(successor, make_message(MessageKind::Hello, "venue",
                                static_cast<std::uint8_t>(hello_waits | hello_answers)));
    without_allocation([this] { turn(); });
    ASSERT_TRUE((*owner)->take());
    without_allocation([this, &owner] { hold_and_drop(**owner); });
    owner->reset();
    without_allocation([this] { turn(); });
    say(successor, make_message(MessageKind::Here));
    without_allocation([this] { turn(); });
    std::size_t entries = 0;
    for (MessageKind kind = hear(successor); kind != MessageKind::End; kind = hear(successor)) {
      entries += kind == MessageKind::Entry ? 1U : 0U;
    }
    EXPECT_EQ(entries, options.entries - 1);
    successor.close();
    without_allocation([this] { expire(); });
  }
}

}  // namespace
}  // namespace affix::keeper
