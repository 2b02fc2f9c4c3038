// SPDX-License-Identifier: MIT
// A change's parts: one for each worker and server group, all with the same progress.
#include "engine/change_dispatch.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::engine {
namespace {

TEST(ChangeDispatch, PartsGoToTheirWorkersBeforeTheListeners) {
  ChangeDispatch dispatch(3);
  EXPECT_TRUE(dispatch.empty());
  dispatch.of_worker(2).switches.push_back(
      {.session = {}, .item = dispatch.note({"A", ChangeKind::Disable, {}})});
  EXPECT_FALSE(dispatch.empty());
  EXPECT_EQ(&dispatch.of_worker(2), &dispatch.of_worker(2));
  dispatch.of_gate("SERVER").withdrawn.emplace_back();
  dispatch.of_gate("SERVER").withdrawn.emplace_back();
  static_cast<void>(dispatch.begin({}));
  std::vector<std::string> sent;
  dispatch.send(
      [&](std::size_t worker, std::unique_ptr<WorkerChange> change) {
        sent.push_back("worker " + std::to_string(worker));
        EXPECT_EQ(change->switches.size(), 1U);
      },
      [&](GateChange change) {
        sent.push_back(change.server);
        EXPECT_EQ(change.withdrawn.size(), 2U);
      });
  EXPECT_EQ(sent, (std::vector<std::string>{"worker 2", "SERVER"}));
}

TEST(ChangeDispatch, TheChangeIsDoneWhenEveryItemIs) {
  ChangeDispatch dispatch(2);
  WorkerChange& first = dispatch.of_worker(0);
  WorkerChange& second = dispatch.of_worker(1);
  first.adjustments.push_back({.session = {}, .settings = {}});
  first.adjustments.back().item = dispatch.note({"A", ChangeKind::Apply, "key"});
  first.switches.push_back({.session = {}, .item = dispatch.note({"B", ChangeKind::Enable, {}})});
  second.departures.push_back(
      {.session = {}, .item = dispatch.note({"C", ChangeKind::Remove, {}})});
  second.arrivals.emplace_back();
  second.arrivals.back().item = dispatch.note({"D", ChangeKind::Add, {}});
  const auto progress = dispatch.begin({{base::ErrorCode::InvalidArgument, "a warning", {}, {}}});
  EXPECT_EQ(progress->warnings().size(), 1U);
  first.adjustments.front().item.complete();
  first.switches.front().item.complete();
  second.departures.front().item.complete(true);
  EXPECT_FALSE(progress->done());
  second.arrivals.front().item.complete();
  EXPECT_TRUE(progress->done());
  const std::vector<SessionChange> sessions = progress->sessions();
  ASSERT_EQ(sessions.size(), 4U);
  EXPECT_EQ(sessions[2].session, "C");
  EXPECT_TRUE(sessions[2].forced);
  EXPECT_FALSE(sessions[3].forced);
}

}  // namespace
}  // namespace affix::engine
