// SPDX-License-Identifier: MIT
// The sessions that were made from templates: which there are, how many more a template may have,
// and the connections that wait for one that is on its way to its worker.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"

#include "host/hosted_session.hpp"
#include "host/session_slot.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Connections whose session is on its way to its worker. Any thread.
class AwaitedSession {
 public:
  /// The first connection, for whose Logon the session is made.
  explicit AwaitedSession(net::ConnectionId first) : connections_{first} {}

  /// The connection waits, too. False: the session is there already.
  [[nodiscard]] bool join(net::ConnectionId connection);

  /// The session is there. Calls `answer` with the connections that waited, before any join()
  /// returns false: a caller that finds the session there comes after this answer.
  template <typename Answer>
  void arrive(const Answer& answer) {
    const std::lock_guard guard(mutex_);
    is_there_ = true;
    answer(std::exchange(connections_, {}));
  }

 private:
  std::mutex mutex_;
  bool is_there_ = false;
  std::vector<net::ConnectionId> connections_;
};

/// One thread at a time; pointers are valid until the session's erase().
class MadeSessions {
 public:
  struct Session {
    host::SharedSettings settings;
    std::string made_from;  ///< The template's name.
    const host::SessionSlot* slot = nullptr;
    std::shared_ptr<AwaitedSession> awaited;
  };

  /// Limit of all peers that a template may ever serve, as a multiple of its limit of sessions at
  /// one time: names leave something in memory and on the disk, and unknown peers can invent
  /// them.
  static constexpr std::size_t peers_for_each_session = 16;

  /// Null: there is none of this name, or in this slot.
  [[nodiscard]] const Session* find(std::string_view name) const;
  [[nodiscard]] const Session* in(const host::SessionSlot& slot) const;

  /// Reason why the template may have no more sessions, or none of this name; empty: it may.
  [[nodiscard]] std::string limit_of(const config::SessionSettings& made_from,
                                     const std::string& name) const;

  /// Adds a session, whose name is new.
  void add(Session session);

  void erase(const std::string& name) { sessions_.erase(name); }

  /// Settings of all sessions, or of those made from one of these templates; by name.
  [[nodiscard]] std::vector<host::SharedSettings> settings() const;
  [[nodiscard]] std::vector<host::SharedSettings> settings_of(
      const std::vector<std::string>& templates) const;

 private:
  std::map<std::string, Session, std::less<>> sessions_;     // By name.
  std::map<std::string, std::set<std::string>> names_ever_;  // By template.
};

}  // namespace affix::inline v0::engine
