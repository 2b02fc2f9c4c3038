// SPDX-License-Identifier: MIT
// Names of what the keeper holds, and which connection is whose.
#include "engine/kept_connections.hpp"

#include <algorithm>
#include <charconv>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

constexpr std::string_view link_prefix = "link.";
constexpr std::string_view listener_prefix = "listen.";

std::optional<std::uint64_t> token_of(std::string_view name) noexcept {
  std::uint64_t token = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + link_prefix.size(), end, token);
  return error == std::errc() && at == end ? std::optional(token) : std::nullopt;
}

/// The peer learns it at once, whoever else has a duplicate.
void end_connection(const net::Socket& socket) noexcept {
  static_cast<void>(::shutdown(socket.fd(), SHUT_RDWR));
}

}  // namespace

KeptConnections::KeptConnections(std::unique_ptr<keeper::Keeper> keeper,
                                 std::unique_ptr<host::LinkTable> table) noexcept
    : keeper_(std::move(keeper)), table_(std::move(table)) {}

std::expected<std::unique_ptr<KeptConnections>, base::Error> KeptConnections::open(
    std::unique_ptr<keeper::Keeper> keeper, std::vector<keeper::Kept> kept,
    std::size_t connections) {
  std::vector<std::string> reports;
  std::unique_ptr<host::LinkTable> table;
  if (const auto found = std::ranges::find(kept, table_name, &keeper::Kept::name);
      found != kept.end()) {
    auto adopted = host::LinkTable::adopt(os::FileDescriptor(found->socket.release()), connections);
    if (adopted) {
      table = std::move(*adopted);
    } else {
      reports.push_back("the table of connections cannot be read: " + adopted.error().message);
    }
  }
  if (table == nullptr) {
    auto created = host::LinkTable::create(connections);
    if (!created) {
      return std::unexpected(std::move(created.error()));
    }
    table = std::move(*created);
  }
  std::unique_ptr<KeptConnections> self(new KeptConnections(std::move(keeper), std::move(table)));
  self->reports_ = std::move(reports);
  self->table_->begin_process(self->keeper_->owner_ended_ns());
  self->hold_table();
  std::vector<const host::LinkRecord*> held;
  for (keeper::Kept& one : kept) {
    if (one.name.starts_with(listener_prefix)) {
      self->left_listeners_.push_back({one.name, std::move(one.socket)});
    } else if (is_connection(one.name)) {
      const auto token = token_of(one.name);
      host::LinkRecord* const row = token ? self->table_->find(*token) : nullptr;
      if (row != nullptr) {
        held.push_back(row);
        self->left_.push_back({.socket = std::move(one.socket), .row = row});
      } else {
        end_connection(one.socket);
        self->drop_name(std::move(one.name));
      }
    }
  }
  for (host::LinkRecord& row : self->table_->rows()) {
    // The process ended before its connection was logged on, or after it had been closed.
    if (row.stage.load(std::memory_order_acquire) != host::LinkStage::Free &&
        std::ranges::find(held, &row) == held.end()) {
      host::LinkTable::give_back(row);
    }
  }
  return self;
}

KeptConnections::~KeptConnections() {
  table_->note_left();
}

std::string KeptConnections::name_of(const host::LinkRecord& row) {
  return std::string(link_prefix) + std::to_string(row.token);
}

bool KeptConnections::is_connection(std::string_view name) noexcept {
  return name.starts_with(link_prefix);
}

void KeptConnections::hold_table() noexcept {
  static_cast<void>(keeper_->hold(table_name, table_->file()));
}

host::LinkRecord* KeptConnections::take(std::uint64_t identity, std::string_view name,
                                        std::uint32_t role) noexcept {
  host::LinkRecord* const row = table_->take(identity, name, role);
  if (row == nullptr) {
    full_.store(true, std::memory_order_relaxed);
  }
  return row;
}

void KeptConnections::hold(const host::LinkRecord& row, net::Socket duplicate) noexcept {
  if (keeper_->hold(name_of(row), duplicate.fd()) == keeper::Held::Busy) {
    const std::lock_guard lock(delayed_mutex_);
    hold_again_ = true;
  }
}

void KeptConnections::drop(host::LinkRecord& row) noexcept {
  drop_name(name_of(row));
  host::LinkTable::give_back(row);
}

void KeptConnections::drop_name(std::string name) noexcept {
  if (keeper_->drop(name) == keeper::Held::Busy) {
    const std::lock_guard lock(delayed_mutex_);
    delayed_drops_.push_back(std::move(name));
  }
}

void KeptConnections::close(LeftConnection& left) noexcept {
  if (left.socket.is_open()) {  // Else a reactor has it, and has ended it.
    end_connection(left.socket);
  }
  drop(*left.row);
}

std::optional<LeftConnection> KeptConnections::take_left(std::uint64_t identity) noexcept {
  const auto found = std::ranges::find_if(
      left_, [identity](const LeftConnection& left) { return left.row->identity == identity; });
  if (found == left_.end()) {
    return std::nullopt;
  }
  LeftConnection left = std::move(*found);
  left_.erase(found);
  return left;
}

const host::LinkRecord* KeptConnections::row_of_left(std::uint64_t identity) const noexcept {
  const auto found = std::ranges::find_if(
      left_, [identity](const LeftConnection& left) { return left.row->identity == identity; });
  return found == left_.end() ? nullptr : found->row;
}

std::vector<std::string> KeptConnections::close_left() noexcept {
  std::vector<std::string> names;
  for (LeftConnection& left : left_) {
    names.emplace_back(left.row->name());
    close(left);
  }
  left_.clear();
  return names;
}

net::Socket KeptConnections::take_listener(std::string_view group) noexcept {
  const auto found = std::ranges::find_if(left_listeners_, [group](const Listening& one) {
    return std::string_view(one.name).substr(listener_prefix.size()) == group;
  });
  if (found == left_listeners_.end()) {
    return {};
  }
  net::Socket socket = std::move(found->socket);
  left_listeners_.erase(found);
  return socket;
}

void KeptConnections::close_listeners() noexcept {
  for (Listening& one : left_listeners_) {
    drop_name(std::move(one.name));
  }
  left_listeners_.clear();
}

void KeptConnections::drop_listener(std::string_view group) noexcept {
  drop_name(std::string(listener_prefix) + std::string(group));
}

void KeptConnections::hold_listener(std::string_view group, net::Socket duplicate) {
  std::string name = std::string(listener_prefix) + std::string(group);
  static_cast<void>(keeper_->hold(name, duplicate.fd()));
  listeners_.push_back({std::move(name), std::move(duplicate)});
}

bool KeptConnections::is_settled() {
  const std::lock_guard lock(delayed_mutex_);
  return delayed_drops_.empty();
}

void KeptConnections::repeat_delayed() {
  const std::lock_guard lock(delayed_mutex_);
  while (!delayed_drops_.empty() && keeper_->drop(delayed_drops_.back()) != keeper::Held::Busy) {
    delayed_drops_.pop_back();
  }
  if (delayed_drops_.empty() && std::exchange(hold_again_, false)) {
    generation_.fetch_add(1, std::memory_order_release);
  }
}

void KeptConnections::tend(const Report& report) {
  using Severity = host::Event::Severity;
  if (full_.exchange(false, std::memory_order_relaxed)) {
    report(Severity::Warning,
           "the table of connections is full: further ones end with this process", "K304");
  }
  while (const std::optional<std::string> refused = keeper_->next_refused()) {
    report(Severity::Warning,
           "the keeper has no room for " + *refused + ", which ends with this process", "K304");
  }
  if (!lost_) {
    lost_ = keeper_->lost();
    if (!lost_) {
      repeat_delayed();
      return;
    }
    report(Severity::Warning,
           "the keeper is gone: until it is back, connections end with this process", "K305");
  }
  if (taken_) {
    return;
  }
  switch (keeper_->try_again()) {
    case keeper::Again::NotYet:
      return;
    case keeper::Again::Taken:
      taken_ = true;
      report(Severity::Error,
             "the keeper has another process as this engine: connections end with this process",
             "K306");
      return;
    case keeper::Again::Owner:
      break;
  }
  lost_ = false;
  hold_table();
  for (const Listening& one : listeners_) {
    static_cast<void>(keeper_->hold(one.name, one.socket.fd()));
  }
  report(Severity::Info, "the keeper is back, and keeps the connections again", "K307");
  generation_.fetch_add(1, std::memory_order_release);
}

}  // namespace affix::inline v0::engine
