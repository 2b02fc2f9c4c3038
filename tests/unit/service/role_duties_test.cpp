// SPDX-License-Identifier: MIT
// Programs of changes of role: their arguments, their order, their ends of every kind, and what a
// service manager is told.
#include "service/role_duties.hpp"

#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace affix::service {
namespace {

using Kind = host::FailoverNotice::Kind;

class RoleDutiesCase : public testing::Test {
 protected:
  RoleDutiesCase() {
    configuration_.engine.log_file = directory_.path("log");
    configuration_.engine.node = "A";
    add("DESKS", "A,B");
    add("VENUES", "A,B");
    add("ELSEWHERE", "B,C");
  }

  void add(const std::string& name, const std::string& nodes) {
    config::FailoverSettings& group = configuration_.failovers.emplace_back();
    group.name = name;
    group.replication_nodes = nodes;
  }

  /// A shell script with these lines.
  std::string script(const std::string& name, const std::string& body) const {
    const std::string path = directory_.path(name);
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
  }

  config::FailoverSettings& group(std::size_t number) { return configuration_.failovers[number]; }

  RoleDuties& begin(std::int64_t program_ns = RoleDuties::program_ns_max) {
    log_.emplace(std::move(*EventLog::open(configuration_.engine)));
    duties_.emplace(configuration_, notice_, *log_, program_ns);
    return *duties_;
  }

  /// Everything that the log has when all programs have ended.
  std::string log_at_end() {
    duties_.reset();
    log_.reset();
    return support::read_file(directory_.path("log"));
  }

  [[nodiscard]] std::string record() const { return support::read_file(directory_.path("record")); }

  support::TemporaryDirectory directory_;
  config::Configuration configuration_;
  ServiceNotice notice_{{}, 0};
  std::optional<EventLog> log_;
  std::optional<RoleDuties> duties_;
};

TEST_F(RoleDutiesCase, AProgramGetsTheGroupAndTheEpoch) {
  group(0).promote_program = script("promote", "echo \"+ $*\" >> " + directory_.path("record"));
  group(0).demote_program = script("demote", "echo \"- $*\" >> " + directory_.path("record"));
  RoleDuties& duties = begin();
  duties.note({Kind::Leading, "DESKS", 7});
  duties.note({Kind::Alone, "DESKS", 7});
  duties.note({Kind::SteppedDown, "DESKS", 7});
  duties.note({Kind::Leading, "DESKS", 9});
  const std::string log = log_at_end();
  EXPECT_EQ(record(), "+ DESKS 7\n- DESKS 7\n+ DESKS 9\n");
  EXPECT_NE(log.find("R301"), std::string::npos) << log;
  EXPECT_EQ(log.find("R302"), std::string::npos) << log;
}

TEST_F(RoleDutiesCase, ProgramsOfOneGroupDoNotOverlap) {
  // The first one would write last if the second did not wait for it.
  group(0).promote_program =
      script("promote", "sleep 0.2; echo first >> " + directory_.path("record"));
  group(0).demote_program = script("demote", "echo second >> " + directory_.path("record"));
  RoleDuties& duties = begin();
  duties.note({Kind::Leading, "DESKS", 1});
  duties.note({Kind::SteppedDown, "DESKS", 1});
  static_cast<void>(log_at_end());
  EXPECT_EQ(record(), "first\nsecond\n");
}

TEST_F(RoleDutiesCase, ProgramsOfTwoGroupsRunAtTheSameTime) {
  // Each waits for the other's mark: one after the other they would not end.
  const auto waits = [&](const std::string& own, const std::string& other) {
    return script("promote" + own, "touch " + directory_.path(own) + "; while ! [ -e " +
                                       directory_.path(other) + " ]; do sleep 0.01; done");
  };
  group(0).promote_program = waits("one", "two");
  group(1).promote_program = waits("two", "one");
  RoleDuties& duties = begin();
  duties.note({Kind::Leading, "DESKS", 1});
  duties.note({Kind::Leading, "VENUES", 1});
  const std::string log = log_at_end();
  EXPECT_EQ(log.find("R302"), std::string::npos) << log;
}

TEST_F(RoleDutiesCase, EveryBadEndIsReported) {
  group(0).promote_program = script("fails", "exit 3");
  group(0).demote_program = directory_.path("missing");
  group(1).promote_program = script("killed", "kill -9 $$");
  RoleDuties& duties = begin();
  duties.note({Kind::Leading, "DESKS", 1});
  duties.note({Kind::SteppedDown, "DESKS", 1});
  duties.note({Kind::Leading, "VENUES", 1});
  const std::string log = log_at_end();
  EXPECT_NE(log.find("has ended with status 3"), std::string::npos) << log;
  EXPECT_NE(log.find("cannot be started"), std::string::npos) << log;
  EXPECT_NE(log.find("was ended by signal 9"), std::string::npos) << log;
}

TEST_F(RoleDutiesCase, AProgramThatHangsIsKilledWithItsChildren) {
  group(0).promote_program =
      script("hangs", "sleep 1000 & echo $! > " + directory_.path("child") + "; wait");
  RoleDuties& duties = begin(300 * base::ns_per_ms);
  duties.note({Kind::Leading, "DESKS", 1});
  const std::string log = log_at_end();
  EXPECT_NE(log.find("did not end in time and was killed"), std::string::npos) << log;
  const std::string child = support::read_file(directory_.path("child"));
  ASSERT_FALSE(child.empty());
  // Dead, or a zombie that nobody of ours collects.
  std::ifstream file("/proc/" + child.substr(0, child.find('\n')) + "/status");
  const std::string status{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(status.empty() || status.find("State:\tZ") != std::string::npos) << status;
}

TEST_F(RoleDutiesCase, WhenTheEngineHasEndedGroupsThatItLedAreGivenUp) {
  for (std::size_t number = 0; number < 2; ++number) {
    group(number).demote_program =
        script("demote", "echo \"- $*\" >> " + directory_.path("record"));
  }
  RoleDuties& duties = begin();
  duties.note({Kind::Leading, "VENUES", 4});
  duties.step_down();
  static_cast<void>(log_at_end());
  EXPECT_EQ(record(), "- VENUES 4\n");
}

TEST_F(RoleDutiesCase, TheStatusNamesTheRoles) {
  RoleDuties& duties = begin();
  EXPECT_EQ(duties.status(), "running; standby of DESKS, VENUES");
  duties.note({Kind::Leading, "DESKS", 1});
  EXPECT_EQ(duties.status(), "running; leads DESKS; standby of VENUES");
  duties.note({Kind::Alone, "DESKS", 1});
  duties.note({Kind::Leading, "VENUES", 1});
  EXPECT_EQ(duties.status(), "running; leads DESKS (alone), VENUES");
  duties.note({Kind::NotAlone, "DESKS", 1});
  duties.note({Kind::SteppedDown, "VENUES", 1});
  EXPECT_EQ(duties.status(), "running; leads DESKS; standby of VENUES");
  duties.note({Kind::Alone, "VENUES", 1});     // It does not lead: nothing.
  duties.note({Kind::Leading, "UNKNOWN", 1});  // Nor this.
  EXPECT_EQ(duties.status(), "running; leads DESKS; standby of VENUES");
}

TEST_F(RoleDutiesCase, AProgramThatIsNoNodeJustRuns) {
  configuration_.engine.node.clear();
  configuration_.failovers.clear();
  EXPECT_EQ(begin().status(), "running");
}

}  // namespace
}  // namespace affix::service
