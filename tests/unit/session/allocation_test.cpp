// SPDX-License-Identifier: MIT
// Counts allocations: a session makes none for any input.
#include "session_case.hpp"
#include "support/allocation_count.hpp"

namespace affix::session_test {

TEST(Allocation, NoneInALifeWithGapsResendsRejectsAndResets) {
  // A peer in another case with the same identity and time writes the texts in advance.
  Case script(Role::Acceptor, "FIX.4.4");
  const std::string orig = "122=" + script.ago(1);
  const auto message = [&](std::string_view type, std::string_view fields, std::uint64_t sequence,
                           bool duplicate = false) {
    return script.peer.message(type, fields,
                               {.sequence = sequence,
                                .possible_duplicate = duplicate,
                                .extra = duplicate ? orig : std::string()});
  };
  const Messages life{message("A", "98=0|108=30|554=secret", 1),
                      message("D", "11=1|55=X", 2),
                      message("1", "112=x", 3),
                      message("D", "11=2", 6),
                      message("2", "7=1|16=0", 7),
                      message("D", "11=0", 4, true),
                      message("4", "123=Y|36=6", 5, true),
                      message("D", "11=|55=X", 8),
                      message("D", "34=9|11=twice", 9),
                      message("0", "", 10),
                      message("4", "36=20", 11),
                      message("A", "98=0|108=30|141=Y", 1),
                      message("D", "11=again", 2),
                      message("D", "11=too low", 1),
                      message("5", "", 3)};
  const SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  session::SessionState state;
  const auto memory = std::make_unique<session::SessionMemoryOf<>>();
  std::vector<char> outbox(1 << 18);
  std::vector<session::Action> actions(128);
  session::Out out(outbox, actions);
  wire::FieldIndexOf<256> index;
  wire::FieldIndexOf<256> stored_index;
  std::vector<char> stored(4096);
  std::size_t delivered = 0;

  const std::uint64_t before = support::allocation_count();
  session::Session session(options, state, memory->memory());
  base::Now now = script.clock.now();
  session.on_connected(now, out);
  const auto carry_out = [&] {
    do {
      while (const session::Action* action = out.next_action()) {
        if (action->kind == session::ActionKind::LogonRequested) {
          static_cast<void>(session.accept_logon(now, out));
        } else if (action->kind == session::ActionKind::Deliver && !action->deliver.admin) {
          ++delivered;
          wire::Encoder encoder = session.begin("8", now, out);
          encoder.text(37, "id");
          static_cast<void>(session.commit(encoder, now, out));
        }
      }
    } while (session.release_waits() && session.on_ready(now, out) != session::Progress::Blocked);
    if (session.replaying()) {
      const std::string_view sent = out.bytes();
      const std::size_t size = sent.find(
                                   "\x01"
                                   "10=") +
                               8;
      sent.copy(stored.data(), size);
      wire::index_message({stored.data(), size}, stored_index);
      static_cast<void>(session.on_replayed({{stored.data(), size}, stored_index}, now, out));
      static_cast<void>(session.on_replay_end(now, out));
    }
  };
  for (const std::string& text : life) {
    wire::index_message(text, index);
    ASSERT_NE(session.on_message({text, index}, now, out), session::Progress::Blocked);
    carry_out();
    now.steady_ns += ns_per_second;
    session.on_time(now, out);
    carry_out();
  }
  session.on_disconnected(now, out);
  carry_out();
  const std::uint64_t after = support::allocation_count();

  EXPECT_EQ(after, before);
  EXPECT_EQ(after > 0, support::allocations_are_counted) << "the counter does not count";
  EXPECT_EQ(delivered, 4u);
  EXPECT_EQ(state.phase, Phase::Disconnected);
}

}  // namespace affix::session_test
