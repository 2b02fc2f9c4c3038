// SPDX-License-Identifier: MIT
// One member whose store, disk, standby, shippers and time the test plays.
#pragma once

#include "affix/base/time.hpp"
#include "affix/replication/member.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace affix::replication::cases {

using base::ns_per_ms;
using base::ns_per_second;

/// Nodes a, b and c.
inline MemberOptions options_of(std::string node) {
  return {.group = "g", .node = std::move(node), .nodes = {"a", "b", "c"}};
}

inline Entry entry_of(std::uint64_t epoch, std::string primary, std::vector<std::string> in_sync,
                      std::uint64_t renewals = 0) {
  return {.epoch = epoch,
          .primary = std::move(primary),
          .in_sync = std::move(in_sync),
          .renewals = renewals};
}

class MemberCase {
 public:
  explicit MemberCase(MemberOptions options, MemberStart start = {})
      : member(std::move(options), start, now_ns) {
    take();
  }

  /// Takes all actions, in words, and keeps the last request and promise.
  void take() {
    while (auto action = member.take()) {
      std::visit([&](const auto& one) { keep(one); }, *action);
    }
  }

  /// The actions since the last call, separated by "; ".
  std::string actions() { return std::exchange(said_, {}); }

  void answer(Outcome outcome, Entry entry = {}, std::uint64_t revision = 0) {
    ASSERT_TRUE(request.has_value());
    const RequestKind kind = request->kind;
    request.reset();
    member.on_answer({.group = "g",
                      .kind = answer_to(kind),
                      .outcome = outcome,
                      .entry = std::move(entry),
                      .revision = revision,
                      .error = {}},
                     now_ns);
    take();
  }

  /// The write that was asked for is done.
  void write_done(std::uint64_t revision) {
    ASSERT_TRUE(request.has_value());
    answer(Outcome::Done, Entry(request->entry), revision);
  }

  void changed(Entry entry, std::uint64_t revision) {
    member.on_answer({.group = "g",
                      .kind = AnswerKind::Changed,
                      .outcome = Outcome::Done,
                      .entry = std::move(entry),
                      .revision = revision,
                      .error = {}},
                     now_ns);
    take();
  }

  void news(NewsKind kind, std::uint64_t epoch) {
    member.on_news(kind, epoch, now_ns);
    take();
  }

  void promised() {
    ASSERT_TRUE(promise.has_value());
    member.on_promised(*std::exchange(promise, std::nullopt), now_ns);
    take();
  }

  void shippers(ShipperState state) {
    state.epoch = member.epoch();
    member.on_shippers(state, now_ns);
    take();
  }

  void pass(std::int64_t ns) {
    now_ns += ns;
    member.on_time(now_ns);
    take();
  }

  WishAnswer promote(Loss loss = Loss::Refused) {
    const WishAnswer answer = member.promote(loss, now_ns);
    take();
    return answer;
  }

  WishAnswer hand_over(std::string_view node = {}) {
    const WishAnswer answer = member.hand_over(node, now_ns);
    take();
    return answer;
  }

  /// From the start: this node, alone in the set of epoch `epoch`, is promoted.
  void lead_alone(std::uint64_t epoch, std::uint64_t revision) {
    const std::string own = member.options().node;
    answer(Outcome::Done, entry_of(epoch - 1, own, {own}), revision - 1);
    promised();
    write_done(revision);
    ASSERT_EQ(member.role(), Role::Leading);
    static_cast<void>(actions());
  }

  std::int64_t now_ns = ns_per_second;
  std::optional<StoreRequest> request;
  std::optional<std::uint64_t> promise;
  Member member;

 private:
  void say(const std::string& text) { said_ += (said_.empty() ? "" : "; ") + text; }

  static std::string text_of(const Entry& entry) {
    std::string text = std::to_string(entry.epoch) + " " + entry.primary + " {";
    for (const std::string& node : entry.in_sync) {
      text += node;
    }
    return text + "}";
  }

  void keep(const Ask& ask) {
    EXPECT_FALSE(request.has_value()) << "two requests at once";
    EXPECT_EQ(ask.request.group, "g");
    request = ask.request;
    switch (ask.request.kind) {
      case RequestKind::Read:
        say("read");
        break;
      case RequestKind::Promote:
      case RequestKind::ChangeSet:
        say((ask.request.kind == RequestKind::Promote ? "promote " : "set ") +
            text_of(ask.request.entry) + " at " + std::to_string(ask.request.expected_revision));
        break;
    }
  }

  void keep(const Follow& follow) {
    say("follow " + follow.primary + " " + std::to_string(follow.epoch));
  }

  void keep(const Promise& asked) {
    promise = asked.epoch;
    say("promise " + std::to_string(asked.epoch));
  }

  void keep(const Lead& lead) { say("lead " + std::to_string(lead.epoch)); }

  void keep(const StepDown& /*step*/) { say("step down"); }

  void keep(const SetGate& gate) { say("gate " + std::to_string(gate.nodes)); }

  void keep(const SetOutput& output) {
    static constexpr const char* names[] = {"silent", "passes", "held for standby", "held by lease",
                                            "held by epoch"};
    std::string text = names[static_cast<std::size_t>(output.output)];
    if (output.speak_until_ns != never_ns) {
      text += " until " + std::to_string(output.speak_until_ns / ns_per_ms);
    }
    say(text);
  }

  void keep(const StopInput& /*stop*/) { say("stop input"); }

  void keep(const ResumeInput& /*resume*/) { say("resume input"); }

  void keep(const Alarm& alarm) {
    static constexpr const char* names[] = {"alone", "not alone", "given up", "set back",
                                            "loss accepted"};
    say(std::string("alarm ") + names[static_cast<std::size_t>(alarm.kind)]);
  }

  std::string said_;
};

}  // namespace affix::replication::cases
