// SPDX-License-Identifier: MIT
// One session under test with a scripted peer, for every role and version that a scenario applies
// to.
#pragma once

#include "affix/session.hpp"
#include "affix/testing/manual_clock.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/scripted_peer.hpp"
#include "affix/testing/session_endpoint.hpp"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::session_test {

using session::DisconnectReason;
using session::Event;
using session::Phase;
using session::Role;
using session::SessionOptions;
using session::Version;
using testing::field_of;
using testing::has_field;
using testing::readable;
using Messages = std::vector<std::string>;
using Header = testing::ScriptedPeer::Header;
using base::ns_per_ms;
using base::ns_per_second;

inline SessionOptions make_options(Role role, std::string_view begin_string) {
  SessionOptions options;
  options.role = role;
  options.begin_string = begin_string;
  options.sender_comp_id = "US";
  options.target_comp_id = "THEM";
  if (begin_string == "FIXT.1.1") {
    options.default_appl_ver_id = "9";
  }
  return options;
}

class Case {
 public:
  explicit Case(const SessionOptions& options) : endpoint(options), peer(endpoint, clock) {
    endpoint.now = clock.now();
  }

  Case(Role role, std::string_view begin_string) : Case(make_options(role, begin_string)) {}

  testing::ManualClock clock;
  testing::SessionEndpoint endpoint;
  testing::ScriptedPeer peer;

  [[nodiscard]] const SessionOptions& options() { return endpoint.session().options(); }

  [[nodiscard]] bool acceptor() { return options().role == Role::Acceptor; }

  [[nodiscard]] Version version() { return session::version_of(options().begin_string); }

  /// Fields of a Logon that every version accepts.
  [[nodiscard]] std::string logon_fields(std::string_view more = {}) {
    std::string fields = "98=0|108=30|";
    if (version() == Version::Fixt11) {
      fields += "1137=9|";
    }
    return fields + std::string(more);
  }

  /// The connection is up; returns an initiator's Logon.
  Messages connect() {
    endpoint.now = clock.now();
    endpoint.connect();
    return peer.listen();
  }

  /// Connected and logged on, in sequence. Returns everything sent.
  Messages log_on(std::string_view more = {}) {
    Messages sent = connect();
    for (std::string& message : peer.say("A", logon_fields(more))) {
      sent.push_back(std::move(message));
    }
    EXPECT_EQ(endpoint.phase(), Phase::Active);
    return sent;
  }

  /// An application message that every version takes without a dictionary.
  Messages order(std::string_view id) {
    return peer.say("D", "11=" + std::string(id) + "|55=X|54=1|38=1");
  }

  Messages order(std::string_view id, const Header& header) {
    return peer.say("D", "11=" + std::string(id) + "|55=X|54=1|38=1", header);
  }

  /// The next number expected.
  [[nodiscard]] std::uint64_t expected() const { return endpoint.state().next_expected; }

  [[nodiscard]] std::size_t delivered() const { return endpoint.delivered.size(); }

  /// Time of `seconds` ago, for 52 and 122.
  [[nodiscard]] std::string ago(std::int64_t seconds) const {
    return testing::time_text(clock.now().utc_ns - seconds * ns_per_second);
  }
};

inline constexpr std::array<std::string_view, 6> versions{"FIX.4.0", "FIX.4.1", "FIX.4.2",
                                                          "FIX.4.3", "FIX.4.4", "FIXT.1.1"};

/// Runs `check(Case&)` on a fresh case of each version in the given role.
template <typename Check>
void each_version(Role role, Check check) {
  for (const std::string_view version : versions) {
    SCOPED_TRACE(std::string(role == Role::Acceptor ? "acceptor " : "initiator ") +
                 std::string(version));
    auto fresh = std::make_unique<Case>(role, version);
    check(*fresh);
  }
}

/// The same in both roles.
template <typename Check>
void each_case(Check check) {
  each_version(Role::Acceptor, check);
  each_version(Role::Initiator, check);
}

/// The same, logged on before.
template <typename Check>
void each_session(Check check) {
  each_case([&](Case& fresh) {
    fresh.log_on();
    check(fresh);
  });
}

inline std::string type_of(std::string_view message) {
  return std::string(field_of(message, 35));
}

/// Types of all messages, e.g. "3 5".
inline std::string types_of(const Messages& messages) {
  std::string types;
  for (const std::string& message : messages) {
    types += (types.empty() ? "" : " ") + type_of(message);
  }
  return types;
}

/// Expects a Reject with this reason; 373 and 371 as far as the version has them.
inline void expect_reject(Case& one, const std::string& message, std::string_view reason,
                          std::string_view tag, std::string_view ref_sequence) {
  SCOPED_TRACE(readable(message));
  EXPECT_EQ(type_of(message), "3");
  EXPECT_EQ(field_of(message, 45), ref_sequence);
  if (one.version() >= Version::Fix42) {
    EXPECT_EQ(field_of(message, 371), tag);
    if (one.version() >= Version::Fix43 || std::stoi(std::string(reason)) <= 11) {
      EXPECT_EQ(field_of(message, 373), reason);
    } else {
      EXPECT_FALSE(has_field(message, 373));
    }
  } else {
    EXPECT_FALSE(has_field(message, 371));
    EXPECT_FALSE(has_field(message, 372));
    EXPECT_FALSE(has_field(message, 373));
    if (!tag.empty()) {
      EXPECT_NE(field_of(message, 58).find("(" + std::string(tag) + ")"), std::string_view::npos);
    }
  }
}

}  // namespace affix::session_test
