// SPDX-License-Identifier: MIT
// Environment of a scenario: the peer's end of connections to an engine under test, and the time.
#pragma once

#include "certify/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::certify {

/// Whether a peer's bytes are sent at once, or in pieces of this size.
struct Fragments {
  std::size_t bytes = 0;  ///< 0: at once.
};

/// CompIDs from the peer's point of view: `us` is the peer.
struct Identity {
  std::string us = "PEER";
  std::string them = "AFFIX";
};

/// The peer's end of one connection. For one thread; outlived by its stage.
class Line {
 public:
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  virtual ~Line() = default;

  virtual void send(std::string_view bytes) = 0;

  /// Bytes received since the last call.
  [[nodiscard]] virtual std::string take() = 0;

  /// True if the engine has ended the stream, and all of it was taken.
  [[nodiscard]] virtual bool ended() = 0;

  virtual void close() = 0;

  /// Ends the connection as the loss of a machine does: by a reset, where there is one.
  virtual void drop() { close(); }

 protected:
  Line() = default;
};

/// Callbacks of the application of the engine under test, in order.
struct Reported {
  struct Message {
    std::string bytes;
    bool redelivered = false;
  };

  std::vector<Message> messages;
  std::vector<std::string> events;
};

/// The application of the engine under test, and the engine's process.
class Subject {
 public:
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual const Reported& reported() const = 0;

  /// `body` is a sequence of encoded fields. The error is a text.
  [[nodiscard]] virtual std::string send(std::string_view type, std::string_view body) = 0;
  virtual void logout(std::string_view text) = 0;
  virtual void reset() = 0;

  /// Refuses later Logons with this text; accepts them again if it is empty.
  virtual void refuse_logons(std::string text) = 0;

  /// Answers every delivered message with a business reject with this reason (380) and text; reason
  /// -1: stops that.
  virtual void reject_messages(int reason, std::string text) = 0;

  [[nodiscard]] virtual std::uint64_t next_sent() const = 0;
  [[nodiscard]] virtual std::uint64_t next_expected() const = 0;

  /// Place where `text` was found, in an event or in the journal; empty: nowhere.
  [[nodiscard]] virtual std::string left_behind(std::string_view text) const = 0;

 protected:
  Subject() = default;
};

class Stage {
 public:
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  /// A connection for the peer: made to an acceptor, or accepted from an initiator. Null on
  /// failure.
  [[nodiscard]] virtual std::unique_ptr<Line> connect(const Identity& identity) = 0;

  /// Runs until `wanted` is true; false if it is not within this time. 0: not after everything due
  /// now is done (for an external program: after a few seconds).
  [[nodiscard]] virtual bool await(const std::function<bool()>& wanted, std::int64_t within_ns) = 0;

  /// Runs everything that is due at this time (for an external program: for a moment).
  virtual void settle() = 0;

  /// Advances time, and runs everything due in it.
  virtual void advance(std::int64_t ns) = 0;

  /// Steps the wall clock.
  virtual void step_clock(std::int64_t ns) = 0;

  [[nodiscard]] virtual std::int64_t utc_ns() const = 0;

  /// Time of timers, which step_clock() does not change.
  [[nodiscard]] virtual std::int64_t steady_ns() const = 0;

  /// Null for an engine of another process.
  [[nodiscard]] virtual Subject* subject() = 0;

  /// Ends the engine like a killed process, and starts it again: with its memory, or without. The
  /// error is a text.
  [[nodiscard]] virtual std::string restart_engine(bool memory) = 0;

 protected:
  Stage() = default;
};

}  // namespace affix::inline v0::certify
