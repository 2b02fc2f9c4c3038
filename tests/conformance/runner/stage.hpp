// SPDX-License-Identifier: MIT
// Where a scenario is played: the peer's end of connections to an engine under test, and the time.
#pragma once

#include "script.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::conformance {

/// The peer's end of one connection. Used on one thread; lives no longer than its stage.
class Line {
 public:
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  virtual ~Line() = default;

  virtual void send(std::string_view bytes) = 0;

  /// What has come since the last call.
  [[nodiscard]] virtual std::string take() = 0;

  /// The engine has ended the stream, and all of it was taken.
  [[nodiscard]] virtual bool ended() = 0;

  virtual void close() = 0;

 protected:
  Line() = default;
};

/// What the application of the engine under test was told, in order.
struct Told {
  struct Message {
    std::string bytes;
    bool redelivered = false;
  };

  std::vector<Message> messages;
  std::vector<std::string> events;
};

/// The application of the engine under test, and the engine as a process.
class Subject {
 public:
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual const Told& told() const = 0;

  /// `body` is an encoded run of fields. The error is a text.
  [[nodiscard]] virtual std::string send(std::string_view type, std::string_view body) = 0;
  virtual void logout(std::string_view text) = 0;
  virtual void reset() = 0;

  /// Logons are refused with this text from here on; taken again when it is empty.
  virtual void refuse_logons(std::string text) = 0;

  /// Every message that is delivered is answered with a business reject of this reason (380) and
  /// text; reason -1: no longer.
  virtual void reject_messages(int reason, std::string text) = 0;

  [[nodiscard]] virtual std::uint64_t next_sent() const = 0;
  [[nodiscard]] virtual std::uint64_t next_expected() const = 0;

  /// Where `text` was left behind, in an event or in the journal; empty: nowhere.
  [[nodiscard]] virtual std::string left_behind(std::string_view text) const = 0;

  /// Ends as a killed process does, and starts again over what it left. The error is a text.
  [[nodiscard]] virtual std::string kill() = 0;

 protected:
  Subject() = default;
};

class Stage {
 public:
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  /// A connection: made to an acceptor, taken from an initiator. Null when none can be had.
  [[nodiscard]] virtual std::unique_ptr<Line> connect() = 0;

  /// Lets things happen until `wanted` holds; false when it does not, with all done that is to be
  /// done at this time (of a program elsewhere: in a few seconds).
  [[nodiscard]] virtual bool await(const std::function<bool()>& wanted) = 0;

  /// Lets all happen that is to happen at this time (elsewhere: in a moment).
  virtual void settle() = 0;

  /// Time passes, with all that becomes due in it.
  virtual void advance(std::int64_t ns) = 0;

  /// The wall clock steps.
  virtual void step_clock(std::int64_t ns) = 0;

  [[nodiscard]] virtual std::int64_t utc_ns() const = 0;

  /// Null when the acceptor is a program elsewhere.
  [[nodiscard]] virtual Subject* subject() = 0;

 protected:
  Stage() = default;
};

/// CompIDs as the peer writes them: `us` is the peer.
struct Identity {
  std::string us = "PEER";
  std::string them = "AFFIX";
};

/// Makes the stage of one scenario in one role and version. The error is a text.
using MakeStage = std::function<std::unique_ptr<Stage>(const Scenario& scenario, Role role,
                                                       const Version& version, std::string& error)>;

}  // namespace affix::conformance
