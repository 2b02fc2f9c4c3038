// SPDX-License-Identifier: MIT
// Turns, commands and news of a Standby, and the begin and end of its connections.
#include "replication/standby_groups.hpp"

#include "affix/replication/shipper.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace affix::inline v0::replication {

namespace {

/// Pause between two reports that the transport of a connection failed.
constexpr std::int64_t fault_pause_ns = 10 * base::ns_per_second;

constexpr std::int64_t beats_until_silent = 3;
constexpr std::size_t copies_worked_on_per_turn = 4;
constexpr std::int64_t writable_interval_ns = base::ns_per_second;
/// As often as a journal stores how far its marks may be believed.
constexpr std::int64_t settle_interval_ns = 100 * base::ns_per_ms;

}  // namespace

Copy* CopiedGroup::find(std::string_view identity) const noexcept {
  const auto found = std::ranges::lower_bound(
      copies, identity, {},
      [](const std::unique_ptr<Copy>& copy) { return std::string_view(copy->identity()); });
  return found != copies.end() && (*found)->identity() == identity ? found->get() : nullptr;
}

Standby::Groups::Groups(StandbyOptions options, net::Reactor& reactor, Dialer& dialer)
    : options_(std::move(options)),
      reactor_(reactor),
      dialer_(dialer),
      send_bytes_max_(reactor.options().tx_buffer_capacity) {}

Standby::Groups::~Groups() {
  for (const Connection& connection : connections_) {
    if (connection.kind != Connection::Kind::Free) {
      reactor_.close(connection.id);
    }
  }
}

// --- Turns ---

void Standby::Groups::turn(const net::Wait& wait) noexcept {
  const base::Now now = reactor_.now();
  now_ns_ = now.steady_ns;
  deadline_ns_ = std::numeric_limits<std::int64_t>::max();
  run_commands();
  bool more = work_on_copies();
  for (const auto& group : groups_) {
    watch(*group);
    more = drive(*group) || more;
    vouch_for_marks(*group);
    for (const auto& stream : group->streams) {
      if (stream->phase == Phase::Live && stream->flushing_place) {
        if (Connection* const connection = find(stream->connection)) {
          answer_flushed(*connection);
        }
      }
    }
  }
  for (Connection& connection : connections_) {
    if (connection.kind == Connection::Kind::Fresh) {
      const std::int64_t until = connection.since_ns + 2 * beats_until_silent * options_.beat_ns;
      if (now_ns_ >= until) {
        close(connection);
      } else {
        wait_until(until);
      }
    }
  }
  net::Wait limited = wait;
  limited.deadline_ns = more ? now_ns_ : std::min(wait.deadline_ns, deadline_ns_);
  reactor_.poll(now, limited, *this);
}

void Standby::Groups::wait_until(std::int64_t ns) noexcept {
  deadline_ns_ = std::min(deadline_ns_, ns);
}

/// Silence, beats, and a primary that never came.
void Standby::Groups::watch(CopiedGroup& group) {
  const std::int64_t silent_ns = beats_until_silent * options_.beat_ns;
  bool any = false;
  for (const auto& stream : group.streams) {
    if (!stream->is_up()) {
      continue;
    }
    Connection* const connection = find(stream->connection);
    if (connection == nullptr) {
      set_down(group, *stream);
      continue;
    }
    // While its input waits unread, only the conversation about history tells of the primary.
    const std::int64_t heard_ns =
        stream->paused ? std::max(stream->paused_since_ns, group.client.heard_ns) + silent_ns
                       : stream->heard_ns;
    if (now_ns_ - heard_ns >= silent_ns) {
      close(*connection);
      set_down(group, *stream);
      gone(group, GoneHow::Silent);
      continue;
    }
    any = true;
    wait_until(heard_ns + silent_ns);
    if (now_ns_ - stream->spoke_ns >= options_.beat_ns) {
      scratch_.clear();
      put_plain(scratch_, FrameType::Beat);
      send(*connection, scratch_);
      stream->spoke_ns = now_ns_;
    }
    wait_until(stream->spoke_ns + options_.beat_ns);
  }
  if (any) {
    group.seen_ns = now_ns_;
  } else if (!group.gone_told && !group.primary.name.empty()) {
    if (now_ns_ - group.seen_ns >= silent_ns) {
      gone(group, GoneHow::Absent);
    } else {
      wait_until(group.seen_ns + silent_ns);
    }
  }
}

void Standby::Groups::gone(CopiedGroup& group, GoneHow how) {
  if (!std::exchange(group.gone_told, true)) {
    tell({.kind = NewsKind::PrimaryGone, .group = group.name, .epoch = group.epoch, .gone = how});
  }
}

/// Prepares and flushes what was written, in pieces.
bool Standby::Groups::work_on_copies() {
  if (options_.work == CopyWork::Apart) {
    bool needed = false;
    for (Copy* const copy : touched_) {
      copy->touched = false;
      const journal::Journal* const journal = copy->journal();
      needed = needed ||
               (journal != nullptr && (journal->needs_preparation() || journal->needs_flush()));
    }
    touched_.clear();
    if (needed && options_.worker != nullptr) {
      options_.worker->wake();
    }
    return false;
  }
  std::size_t worked = 0;
  for (std::size_t at = 0; at < touched_.size() && worked < copies_worked_on_per_turn;) {
    Copy& copy = *touched_[at];
    journal::Journal* const journal = copy.journal();
    bool needed = false;
    bool works = true;
    if (journal != nullptr && journal->needs_preparation()) {
      needed = true;
      works = journal->prepare().has_value();
    }
    if (journal != nullptr && journal->needs_flush()) {
      needed = true;
      works = journal->flush_some().has_value() && works;
    }
    worked += needed ? 1U : 0U;
    if (needed && works) {
      ++at;
    } else {
      // A disk that refuses is tried again after the next store, whose result is reported.
      copy.touched = false;
      touched_[at] = touched_.back();
      touched_.pop_back();
    }
  }
  if (now_ns_ - writable_ns_ >= writable_interval_ns) {
    writable_ns_ = now_ns_;
    for (journal::Journal* const journal : open_.journals) {
      journal->keep_writable();
      if (journal->keeps_marks_to_itself()) {
        static_cast<void>(journal->flush_some());
      }
    }
  }
  return worked != 0;
}

// A mark may outlive a power loss when everything that was stored before it is on this disk, in all
// copies of the group. Otherwise the answer to a message may be lost and its mark not.
void Standby::Groups::vouch_for_marks(CopiedGroup& group) {
  if (group.settling == 0) {
    if (!group.sync_told || now_ns_ < group.settle_ns) {
      return;
    }
    group.settle_ns = now_ns_ + settle_interval_ns;
    for (const auto& copy : group.copies) {
      journal::Journal* const journal = copy->journal();
      if (journal != nullptr && journal->needs_settling()) {
        copy->settling = SettlingMarks{journal->end(), journal->settle_followed()};
        ++group.settling;
      }
    }
  }
  std::size_t flushed = 0;
  std::size_t settling = 0;
  for (const auto& copy : group.copies) {
    if (copy->settling) {
      ++settling;
      flushed += copy->journal()->durable() < copy->settling->until ? 0U : 1U;
    }
  }
  // One that was closed meanwhile says nothing any more.
  if (settling == group.settling && flushed < settling) {
    return;
  }
  for (const auto& copy : group.copies) {
    const std::optional<SettlingMarks> settled = std::exchange(copy->settling, std::nullopt);
    if (!settled || settling != group.settling) {
      continue;
    }
    if (options_.work == CopyWork::InTurns) {
      copy->journal()->vouch_for_marks(settled->marks);
    } else {
      const std::lock_guard lock(open_.settled_mutex);
      open_.settled.emplace_back(copy->journal(), settled->marks);
    }
  }
  group.settling = 0;
}

// With the mutex. The offsets reach the disk with the next flush, or by themselves a little later.
void Standby::Groups::take_settled() {
  std::vector<std::pair<journal::Journal*, journal::SettledMarks>> settled;
  {
    const std::lock_guard lock(open_.settled_mutex);
    settled.swap(open_.settled);
  }
  for (const auto& [journal, marks] : settled) {
    journal->vouch_for_marks(marks);
  }
}

bool Standby::Groups::prepare() noexcept {
  bool did = false;
  {
    const std::lock_guard lock(open_.mutex);
    take_settled();
  }
  for (std::size_t at = 0;; ++at) {
    const std::lock_guard lock(open_.mutex);
    if (at >= open_.journals.size()) {
      break;
    }
    journal::Journal& journal = *open_.journals[at];
    if (journal.needs_preparation()) {
      did = journal.prepare().has_value() || did;
    }
    if (journal.needs_flush()) {
      did = journal.flush().has_value() || did;
    } else if (journal.keeps_marks_to_itself()) {
      static_cast<void>(journal.flush());  // Stores it when it is time.
    }
    static_cast<void>(journal.keep_writable());
  }
  if (did) {
    reactor_.waker().wake();
  }
  return did;
}

// --- Commands and news ---

void Standby::Groups::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  reactor_.waker().wake();
}

std::vector<News> Standby::Groups::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void Standby::Groups::run_commands() {
  std::vector<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (Command& command : commands) {
    std::visit([this](auto& one) { run(one); }, command);
  }
}

void Standby::Groups::tell(News news) {
  {
    const std::lock_guard lock(mutex_);
    news_.push_back(std::move(news));
  }
  if (options_.news != nullptr) {
    options_.news->wake();
  }
}

void Standby::Groups::tell(CopiedGroup& group, NewsKind kind) {
  tell({.kind = kind, .group = group.name, .epoch = group.epoch, .whole = group.whole});
}

void Standby::Groups::tell_failed(CopiedGroup& group, std::string why, base::MessageCode code,
                                  bool kept) {
  tell({.kind = NewsKind::Failed,
        .group = group.name,
        .epoch = group.epoch,
        .kept = kept,
        .why = std::move(why),
        .code = code});
}

CopiedGroup* Standby::Groups::find_group(std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(groups_, [&](const auto& group) { return group->name == name; });
  return found == groups_.end() ? nullptr : found->get();
}

ServedGroup* Standby::Groups::find_served(std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(served_, [&](const ServedGroup& one) { return one.group == name; });
  return found == served_.end() ? nullptr : &*found;
}

std::uint64_t Standby::Groups::promised(std::string_view group) const noexcept {
  const auto found =
      std::ranges::find_if(promises_, [&](const Promise& one) { return one.group == group; });
  return found == promises_.end() ? 0 : found->epoch;
}

void Standby::Groups::run(GroupCopy& wanted) {
  CopiedGroup* group = find_group(wanted.group);
  if (group == nullptr) {
    groups_.push_back(std::make_unique<CopiedGroup>());
    group = groups_.back().get();
    group->name = wanted.group;
  }
  const bool same = group->epoch == wanted.epoch && group->primary.name == wanted.primary.name;
  if (!same) {
    for (const auto& stream : group->streams) {
      if (Connection* const connection = find(stream->connection)) {
        say_goodbye(*connection, Goodbye::Stopping);
      }
      forget_stream(*group, *stream);
      set_down(*group, *stream);
    }
    group->streams.clear();
    group->gone_told = false;
    group->sync_told = false;
    group->seen_ns = now_ns_;
  }
  if (!same || group->primary.address != wanted.primary.address) {
    hang_up(*group);
    group->client.redial_ns = now_ns_;
  }
  group->epoch = wanted.epoch;
  group->primary = wanted.primary;
  group->ack_when = wanted.ack_when;
  remake_copies(*group, wanted.journals);
  // The owner may have had no use for news of an epoch that it did not know yet.
  group->connected_told = false;
  group->sync_told = false;
  group->out_told = false;
  note_streams(*group);
}

void Standby::Groups::remake_copies(CopiedGroup& group, std::vector<JournalCopy>& wanted) {
  std::ranges::sort(wanted, {}, &JournalCopy::identity);
  std::vector<std::unique_ptr<Copy>> former = std::exchange(group.copies, {});
  bool changed = false;
  for (JournalCopy& one : wanted) {
    const auto found = std::ranges::find_if(
        former, [&](const auto& copy) { return copy && copy->identity() == one.identity; });
    if (found != former.end()) {
      group.copies.push_back(std::move(*found));
    } else {
      changed = true;
      group.copies.push_back(std::make_unique<Copy>(std::move(one), open_));
    }
  }
  for (const auto& left : former) {
    if (left) {
      changed = true;
      std::erase(touched_, left.get());
    }
  }
  group.all_open = false;
  group.next_copy = 0;
  if (!changed) {
    return;
  }
  // A stream that began with other journals cannot go on: its primary tells where each one is only
  // at the begin.
  for (const auto& stream : group.streams) {
    if (Connection* const connection = find(stream->connection)) {
      say_goodbye(*connection, Goodbye::Stopping);
    }
    forget_stream(group, *stream);
    set_down(group, *stream);
  }
  hang_up(group);
  group.client.redial_ns = now_ns_;
}

void Standby::Groups::run(Release& release) {
  CopiedGroup* const group = find_group(release.group);
  News news{.kind = NewsKind::Released, .group = release.group};
  if (group != nullptr) {
    for (const auto& stream : group->streams) {
      if (Connection* const connection = find(stream->connection)) {
        say_goodbye(*connection, Goodbye::Stopping);
      }
    }
    hang_up(*group);
    news.epoch = group->epoch;
    news.whole = group->whole;
    for (const auto& copy : group->copies) {
      if (copy->state() != Copy::State::Open) {
        copy->open();
      }
      std::erase(touched_, copy.get());
      news.journals.push_back({copy->identity(), copy->take()});
    }
    std::erase_if(groups_, [&](const auto& one) { return one.get() == group; });
  }
  tell(std::move(news));
}

void Standby::Groups::run(Serve& serve) {
  std::ranges::sort(serve.group.journals, {}, &ServedJournal::identity);
  if (ServedGroup* const served = find_served(serve.group.group)) {
    *served = std::move(serve.group);
  } else {
    served_.push_back(std::move(serve.group));
  }
}

void Standby::Groups::run(StopServing& stop) {
  std::erase_if(served_, [&](const ServedGroup& one) { return one.group == stop.group; });
  for (Connection& connection : connections_) {
    if (connection.kind == Connection::Kind::Server && connection.served == stop.group) {
      close(connection);
    }
  }
}

void Standby::Groups::run(Promise& promise) {
  const auto found = std::ranges::find_if(
      promises_, [&](const Promise& one) { return one.group == promise.group; });
  if (found == promises_.end()) {
    promises_.push_back(promise);
  } else {
    found->epoch = std::max(found->epoch, promise.epoch);
  }
  const std::uint64_t lowest = promised(promise.group);
  if (CopiedGroup* const group = find_group(promise.group); group && group->epoch < lowest) {
    for (const auto& stream : group->streams) {
      if (Connection* const connection = find(stream->connection)) {
        const net::ConnectionId id = connection->id;
        refuse(*connection, Refusal::HigherEpoch, lowest);
        if (find(id) != nullptr) {
          promise.refused.push_back(id);
        }
      }
      set_down(*group, *stream);
    }
    // Nothing more is to be heard of that epoch's primary.
    group->gone_told = true;
  }
  tell_promised(promise);
}

/// Once the former primary has ended its connections, as it does when it is refused, or has had the
/// time to find this node silent: acknowledgements that are on the way let output leave until then.
void Standby::Groups::tell_promised(Promise& promise) {
  if (promise.refused.empty()) {
    tell({.kind = NewsKind::Promised, .group = promise.group, .epoch = promised(promise.group)});
  } else {
    promising_.push_back(std::move(promise));
  }
}

void Standby::Groups::on_refused_gone(net::ConnectionId id) {
  for (std::vector<Promise> all = std::exchange(promising_, {}); Promise & one : all) {
    std::erase(one.refused, id);
    tell_promised(one);
  }
}

// --- Connections ---

Standby::Groups::Connection* Standby::Groups::find(net::ConnectionId id) noexcept {
  if (id.slot >= connections_.size()) {
    return nullptr;
  }
  Connection& connection = connections_[id.slot];
  return connection.kind != Connection::Kind::Free && connection.id == id ? &connection : nullptr;
}

Standby::Groups::Connection& Standby::Groups::enter(net::ConnectionId id, Connection::Kind kind) {
  if (id.slot >= connections_.size()) {
    connections_.resize(id.slot + 1);
  }
  Connection& connection = connections_[id.slot];
  connection = Connection{.kind = kind, .id = id, .since_ns = now_ns_};
  return connection;
}

/// Frames of a few bytes; a peer that takes none of them is found silent.
void Standby::Groups::send(Connection& connection, std::string_view frames) noexcept {
  static_cast<void>(reactor_.send(connection.id, frames));
}

/// Sends what a history connection has to send, as far as the reactor takes it.
void Standby::Groups::flush(Connection& connection) noexcept {
  std::size_t sent = 0;
  while (!connection.parked && sent < connection.output.size()) {
    const std::string_view piece =
        std::string_view(connection.output).substr(sent, send_bytes_max_);
    const net::SendResult result = reactor_.send(connection.id, piece);
    if (result == net::SendResult::Overflow || result == net::SendResult::Closed) {
      break;  // The end follows.
    }
    sent += piece.size();
    connection.parked = result == net::SendResult::Parked;
  }
  connection.output.erase(0, sent);
}

void Standby::Groups::close(Connection& connection) noexcept {
  reactor_.close(connection.id);
  connection = Connection{};
}

/// Ends a connection after one last frame.
void Standby::Groups::part(Connection& connection, std::string_view last_frame) noexcept {
  send(connection, last_frame);
  const net::ConnectionId id = connection.id;
  connection = Connection{};
  if (reactor_.close_after_flush(id, now_ns_ + beats_until_silent * options_.beat_ns)) {
    connection.kind = Connection::Kind::Closing;
    connection.id = id;
  }
}

void Standby::Groups::say_goodbye(Connection& connection, Goodbye reason) noexcept {
  scratch_.clear();
  put_goodbye(scratch_, reason);
  part(connection, scratch_);
}

void Standby::Groups::refuse(Connection& connection, Refusal reason, std::uint64_t epoch) noexcept {
  scratch_.clear();
  put_refused(scratch_, {reason, epoch});
  part(connection, scratch_);
}

void Standby::Groups::on_accepted(net::ListenerId /*listener*/, net::ConnectionId id,
                                  const net::Address& /*peer*/) noexcept {
  static_cast<void>(enter(id, Connection::Kind::Fresh));
}

void Standby::Groups::on_connected(net::ConnectionId id) noexcept {
  Connection* const connection = find(id);
  if (connection == nullptr || connection->kind != Connection::Kind::Client) {
    return;
  }
  CopiedGroup& group = *connection->group;
  group.client.phase = HistoryClient::Phase::Greeting;
  group.client.asked_ns = now_ns_;
  scratch_.clear();
  put_hello(scratch_, {.purpose = Purpose::History,
                       .epoch = group.epoch,
                       .cluster = options_.cluster,
                       .from = options_.node,
                       .to = group.primary.name,
                       .group = group.name});
  send(*connection, scratch_);
}

void Standby::Groups::on_connect_failed(net::ConnectionId id, net::ConnectFailure /*failure*/,
                                        int /*error_number*/) noexcept {
  on_closed(id, net::CloseReason::Failed, 0);
}

std::size_t Standby::Groups::on_bytes(net::ConnectionId id, base::PaddedBytes padded) noexcept {
  const std::string_view bytes = padded.view();
  std::size_t used = 0;
  while (true) {
    Connection* const connection = find(id);
    if (connection == nullptr || connection->kind == Connection::Kind::Closing) {
      return bytes.size();
    }
    const FrameView frame = first_frame(bytes.substr(used));
    if (frame.state == FrameView::State::Short) {
      answer(*connection);
      return used;
    }
    const Taken taken =
        frame.state == FrameView::State::Bad ? Taken::Violated : take(*connection, frame);
    switch (taken) {
      case Taken::Done:
        used += frame.size;
        break;
      case Taken::Paused:
        return used + frame.size;
      case Taken::Closed:
        return bytes.size();
      case Taken::Violated:
        if (connection->kind == Connection::Kind::Live) {
          lose(*connection->group, *connection->stream, Goodbye::Protocol, nullptr);
        } else if (connection->kind == Connection::Kind::Client) {
          hang_up(*connection->group);
        } else {
          close(*connection);
        }
        return bytes.size();
    }
  }
}

Standby::Groups::Taken Standby::Groups::take(Connection& connection,
                                             const FrameView& frame) noexcept {
  switch (connection.kind) {
    case Connection::Kind::Fresh:
      return frame.type == FrameType::Hello ? take_hello(connection, frame.payload)
                                            : Taken::Violated;
    case Connection::Kind::Live:
      return take_live(connection, frame);
    case Connection::Kind::Server:
      return take_question(connection, frame);
    case Connection::Kind::Client:
      return take_history(connection, frame);
    case Connection::Kind::Free:
    case Connection::Kind::Closing:
      break;
  }
  return Taken::Closed;
}

void Standby::Groups::on_drained(net::ConnectionId id) noexcept {
  if (Connection* const connection = find(id)) {
    connection->parked = false;
    flush(*connection);
  }
}

/// A node with a wrong certificate dials ten times a second, and strangers may dial more often.
void Standby::Groups::on_tls_fault(net::ConnectionId /*id*/, base::CodedText fault) noexcept {
  if (now_ns_ >= next_fault_ns_) {
    next_fault_ns_ = now_ns_ + fault_pause_ns;
    tell({.kind = NewsKind::Unsecured, .why = std::string(fault.text), .code = fault.code});
  }
}

void Standby::Groups::on_closed(net::ConnectionId id, net::CloseReason /*reason*/,
                                int /*error_number*/) noexcept {
  Connection* const connection = find(id);
  if (connection == nullptr) {
    return;
  }
  const Connection was = std::exchange(*connection, Connection{});
  on_refused_gone(id);
  if (was.kind == Connection::Kind::Live) {
    set_down(*was.group, *was.stream);
    gone(*was.group, GoneHow::Ended);
  } else if (was.kind == Connection::Kind::Client) {
    hang_up(*was.group);
  }
}

// --- Greetings ---

Standby::Groups::Taken Standby::Groups::take_hello(Connection& connection,
                                                   std::string_view payload) noexcept {
  const auto hello = read_hello(payload);
  if (!hello) {
    return Taken::Violated;
  }
  if (hello->version != protocol_version) {
    refuse(connection, Refusal::Version);
  } else if (hello->cluster != options_.cluster) {
    refuse(connection, Refusal::Cluster);
  } else if (hello->to != options_.node) {
    refuse(connection, Refusal::Node);
  } else if (hello->purpose == Purpose::History) {
    greet_history(connection, *hello);
  } else {
    greet_live(connection, *hello);
  }
  return connection.kind == Connection::Kind::Live || connection.kind == Connection::Kind::Server
             ? Taken::Done
             : Taken::Closed;
}

void Standby::Groups::greet_live(Connection& connection, const Hello& hello) noexcept {
  CopiedGroup* const group = find_group(hello.group);
  const std::uint64_t lowest = std::max(promised(hello.group), group ? group->epoch : 0);
  if (hello.epoch < lowest) {
    refuse(connection, Refusal::HigherEpoch, lowest);
    return;
  }
  if (group != nullptr && hello.epoch > group->epoch && hello.epoch > group->higher_told) {
    group->higher_told = hello.epoch;
    tell({.kind = NewsKind::HigherEpoch, .group = group->name, .epoch = hello.epoch});
  }
  if (group == nullptr || hello.epoch != group->epoch || hello.from != group->primary.name) {
    refuse(connection, Refusal::Group, lowest);
    return;
  }
  group->seen_ns = now_ns_;
  if (now_ns_ < group->refuse_until_ns) {
    refuse(connection, Refusal::NotNow, lowest);
    return;
  }
  if (hello.worker_count == 0 || hello.worker_count > workers_max ||
      hello.worker >= hello.worker_count) {
    refuse(connection, Refusal::Workers, lowest);
    return;
  }
  if (group->streams.size() != hello.worker_count) {
    if (std::ranges::any_of(group->streams, [](const auto& one) { return one->is_up(); })) {
      refuse(connection, Refusal::Workers, lowest);
      return;
    }
    for (const auto& stream : group->streams) {
      forget_stream(*group, *stream);
    }
    group->streams.clear();
    for (std::uint32_t worker = 0; worker < hello.worker_count; ++worker) {
      group->streams.push_back(std::make_unique<Stream>());
    }
  }
  Stream& stream = *group->streams[hello.worker];
  if (Connection* const former = find(stream.connection)) {
    say_goodbye(*former, Goodbye::Replaced);
    set_down(*group, stream);
  }
  connection.kind = Connection::Kind::Live;
  connection.group = group;
  connection.stream = &stream;
  stream.connection = connection.id;
  stream.phase = Phase::Accepted;
  stream.greeted_id = hello.stream;
  stream.heard_ns = now_ns_;
  stream.spoke_ns = now_ns_;
  const bool known = stream.id != 0 && stream.id == hello.stream;
  scratch_.clear();
  put_accepted(scratch_, {lowest, known ? stream.id : 0, known ? stream.place : 0});
  send(connection, scratch_);
  note_streams(*group);
}

void Standby::Groups::greet_history(Connection& connection, const Hello& hello) noexcept {
  const ServedGroup* const served = find_served(hello.group);
  if (served == nullptr || served->epoch != hello.epoch) {
    refuse(connection, Refusal::Group, served != nullptr ? served->epoch : 0);
    return;
  }
  connection.kind = Connection::Kind::Server;
  connection.served = hello.group;
  connection.server = std::make_unique<HistoryServer>();
  scratch_.clear();
  put_accepted(scratch_, {.epoch = served->epoch});
  send(connection, scratch_);
}

Standby::Groups::Taken Standby::Groups::take_question(Connection& connection,
                                                      const FrameView& frame) noexcept {
  const ServedGroup* const served = find_served(connection.served);
  // One question at a time, so that what waits to be sent is bounded.
  if (served == nullptr || !connection.output.empty()) {
    return Taken::Violated;
  }
  if (frame.type == FrameType::Ask) {
    const auto ask = read_ask(frame.payload);
    if (!ask) {
      return Taken::Violated;
    }
    connection.server->answer(*served, *ask, connection.output);
  } else if (frame.type == FrameType::Fetch) {
    const auto fetch = read_fetch(frame.payload);
    if (!fetch) {
      return Taken::Violated;
    }
    connection.server->answer(*served, *fetch, connection.output);
  } else {
    return Taken::Violated;
  }
  flush(connection);
  return Taken::Done;
}

}  // namespace affix::inline v0::replication
