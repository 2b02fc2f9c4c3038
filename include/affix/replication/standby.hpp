// SPDX-License-Identifier: MIT
// A node's end of replication: listens for primaries and keeps copies of their journals, fetches
// from them what it missed, and serves the history of the groups that this node leads itself. Does
// not decide who leads.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/message_code.hpp"
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/options.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/node.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

/// The meaning of an acknowledgement to the primary.
enum class AckWhen : std::uint8_t {
  Stored,   ///< The copy survives the kill of this process.
  Flushed,  ///< It survives a power loss of this machine: durability group or sync of the copies.
};

/// One journal of a group, to be copied or served.
struct JournalCopy {
  std::string identity = {};      ///< As its primary's Shipper has it.
  journal::Options options = {};  ///< Of the copy; its role is set by the Standby.
};

/// A group that another node leads.
struct GroupCopy {
  std::string group = {};   ///< Name of the failover group.
  std::uint64_t epoch = 0;  ///< Epochs below this one are refused.
  Node primary = {};        ///< Whom to ask for history; an empty name: nobody is known to lead.
  std::vector<JournalCopy> journals = {};  ///< All of the group that this node has sessions for.
  AckWhen ack_when = AckWhen::Stored;      ///< What an acknowledgement promises.
};

/// A journal that others may copy.
struct ServedJournal {
  std::string identity = {};   ///< As a copy of it is asked for.
  std::string directory = {};  ///< Where it is.
};

/// Who prepares segments and flushes copies.
enum class CopyWork : std::uint8_t {
  InTurns,  ///< turn() itself, in pieces.
  Apart,    ///< Another thread, by Standby::prepare().
};

/// For Standby::make().
struct StandbyOptions {
  std::string cluster = {};  ///< Name of the cluster; nodes of another one are refused.
  std::string node = {};     ///< Name of this node.
  std::int64_t beat_ns = 100 * base::ns_per_ms;    ///< As ShipperOptions::beat_ns.
  std::int64_t redial_ns = 100 * base::ns_per_ms;  ///< Pause before history is dialed again.
  std::int64_t retry_ns = base::ns_per_second;  ///< Pause before a copy that failed is tried again.
  CopyWork work = CopyWork::InTurns;            ///< Who prepares and flushes.
  net::Waker* news = nullptr;    ///< Woken when there is news; null: nobody. Must outlive it.
  net::Waker* worker = nullptr;  ///< CopyWork::Apart: woken when prepare() has work.
};

/// The kinds of news that a Standby has for its owner.
enum class NewsKind : std::uint8_t {
  Connected,    ///< All of the primary's workers are connected.
  InSync,       ///< The copies have everything but what is on its way.
  OutOfSync,    ///< The copies are behind, and are being brought up to date from history. The
                ///< primary lets that begin only while this node is outside of its gate; until
                ///< InSync they are not what a killed primary would have left.
  PrimaryGone,  ///< The primary's process or machine has ended, as far as this node can see. Told
                ///< once; Connected follows if it is back.
  Left,         ///< The primary ended a connection in order, for the reason in `why`.
  HigherEpoch,  ///< A node leads the group in the higher epoch `epoch`: read the election.
  Promised,     ///< promise() is done: lower epochs get no acknowledgement any more.
  Released,     ///< release() is done: `journals` has the copies.
  Failed,       ///< A copy cannot be kept up, for the reason in `why`; it is tried again.
  Unsecured,    ///< The transport of a connection failed, for the reason in `why`: a certificate,
                ///< say. Of no group; at most one in ten seconds.
};

/// A few words; static storage.
[[nodiscard]] const char* to_text(NewsKind kind) noexcept;

/// How a primary went.
enum class GoneHow : std::uint8_t {
  Ended,   ///< A connection ended without a Goodbye.
  Silent,  ///< Three beats without a byte.
  Absent,  ///< It never connected.
};

/// An open copy that release() gives back.
struct ReleasedJournal {
  std::string identity = {};  ///< As in JournalCopy.
  std::unique_ptr<journal::Journal> journal =
      {};  ///< A copy: Journal::lead() makes it append. Null: it
           ///< does not exist here, or cannot be opened.
};

/// One event since the last Standby::take_news().
struct News {
  NewsKind kind = NewsKind::Connected;  ///< What has happened.
  std::string group = {};               ///< Failover group; empty after Unsecured.
  std::uint64_t epoch = 0;              ///< That of the group, or the higher one.
  GoneHow gone = GoneHow::Ended;        ///< PrimaryGone: how.
  /// Failed: only space on the disk is missing, and the copy has everything that it acknowledged.
  bool kept = false;
  std::string why = {};                        ///< Left, Failed: one sentence.
  base::MessageCode code = {};                 ///< Of `why`.
  std::vector<ReleasedJournal> journals = {};  ///< Released: the copies.
  bool whole =
      true;  ///< Released: false after OutOfSync without InSync; an operator must accept it.
};

/// One per node. Its own thread calls turn(); another one may call prepare(); the functions named
/// for the control thread are for any.
class Standby {
 public:
  /// Makes a Standby on `reactor`, which it alone polls and whose listeners the caller adds: every
  /// connection that they accept is its own. It dials by `dialer`. Both must outlive it. The
  /// reactor's rx_buffer_capacity must be standby_rx_bytes_min or more. InvalidArgument: an option.
  [[nodiscard]] static std::expected<std::unique_ptr<Standby>, base::Error> make(
      StandbyOptions options, net::Reactor& reactor, Dialer& dialer);

  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;

  /// Closes everything, and leaves the copies as a killed process does.
  ~Standby();

  // --- Its thread. ---

  /// Does one turn: waits according to `wait`, but not beyond its own next deadline; takes what
  /// arrived, answers once per connection, and does a bounded part of the other work.
  void turn(const net::Wait& wait) noexcept;

  // --- Another thread, with CopyWork::Apart. ---

  /// Prepares segments of the copies and flushes them. Blocks on the disk. True: it did something.
  bool prepare() noexcept;

  // --- The control thread: each returns at once, and is done in a later turn. ---

  /// Keeps copies of a group. If it has copies of that group already, keeps those that are named
  /// again, and closes the others; takes the new primary and epoch.
  void follow(GroupCopy group);

  /// Ends keeping copies of `group`: News::Released has them. Connections for it end with a
  /// Goodbye, unless they are dead.
  void release(std::string_view group);

  /// Serves the history of a group that this node leads in `epoch`, until stop_serving(); a second
  /// call replaces the list.
  void serve(std::string_view group, std::uint64_t epoch, std::vector<ServedJournal> journals);
  /// Undoes serve().
  void stop_serving(std::string_view group);

  /// Refuses epochs of `group` that are lower than `epoch` for as long as this object lives, also
  /// after release(); News::Promised says when. The caller has stored the promise before.
  void promise(std::string_view group, std::uint64_t epoch);

  /// The news since the last call, oldest first.
  [[nodiscard]] std::vector<News> take_news();

 private:
  class Groups;

  explicit Standby(std::unique_ptr<Groups> groups) noexcept;

  std::unique_ptr<Groups> groups_;
};

/// The least ReactorOptions::rx_buffer_capacity of a Standby's reactor: the largest frame.
inline constexpr std::size_t standby_rx_bytes_min = std::size_t{64} * 1024;

}  // namespace affix::inline v0::replication
