// SPDX-License-Identifier: MIT
// Lives and callbacks of a node.
#include "simulation/cluster_node.hpp"

#include "affix/config/words.hpp"

#include "simulation/party.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <utility>

namespace affix::simulation {

namespace {

std::uint64_t order_of(const wire::MessageView& message) {
  const std::string_view text = message.find(11U).value_or("0");
  std::uint64_t order = 0;
  std::from_chars(text.data(), text.data() + text.size(), order);
  return order;
}

}  // namespace

int HarmedDisk::allocate(int file, const std::string& path, std::uint64_t bytes) noexcept {
  return harm != Harm::None ? ENOSPC : VirtualDisk::allocate(file, path, bytes);
}

int HarmedDisk::sync_file(int file, const std::string& path) noexcept {
  return harm == Harm::Failing ? EIO : VirtualDisk::sync_file(file, path);
}

int HarmedDisk::write(int file, const std::string& path, std::string_view bytes,
                      std::uint64_t offset) noexcept {
  return harm == Harm::Failing ? EIO : VirtualDisk::write(file, path, bytes, offset);
}

ClusterNode::ClusterNode(ClusterWorld& world, std::size_t number)
    : world_(world),
      number_(number),
      front_(world.network.add_node()),
      back_(world.network.add_node()),
      disk_(world.network, front_),
      configuration_(on_disk(disk_, configuration_of_node(world.plan, number, world.directory))) {}

ClusterNode::~ClusterNode() {
  dead_ = true;  // Callbacks during destruction do not belong to the history.
}

void ClusterNode::note(const std::string& text) const {
  if (world_.referee.tracing()) {
    world_.referee.note("node " + node_name(number_) + ": " + text);
  }
}

// --- Lives ---

void ClusterNode::start() {
  dead_ = false;
  open_.clear();
  ++world_.counts.lives;
  note("starts");
  engine::FailoverMeans means;
  means.store =
      std::make_unique<NodeStore>(world_.election.connect(node_name(number_)), node_name(number_),
                                  world_.plan.bug, asked_, [this] { return die_here(); });
  net::ReactorOptions back;
  back.rx_buffer_capacity = 1024 * 1024;
  back.tx_buffer_capacity = 4 * 1024 * 1024;
  means.reactor = world_.network.make_reactor(back_, back);
  if (world_.plan.shares_keeper) {
    means.keeper = std::make_unique<support::MemoryAccess>(world_.keepers, &dead_);
  }
  auto opened = engine::Engine::open(
      configuration_, *this,
      world_.network.make_reactor(front_, engine::Engine::reactor_options(configuration_)), {},
      std::move(means));
  if (dead_) {
    return;  // Killed while it started: what it has opened goes with `opened`.
  }
  world_.referee.rule(opened.has_value() || disk_.harm != HarmedDisk::Harm::None, [&] {
    return "node " + node_name(number_) + " does not start: " + config::text_of(opened.error());
  });
  if (!opened) {
    dead_ = true;
    return;
  }
  engine_ = std::move(*opened);
  world_.network.set_turn(front_, [this] { turn(); });
  world_.network.set_turn(back_, [this] { turn(); });
}

void ClusterNode::turn() {
  bool did = engine_->poll(testing::VirtualNetwork::never_ns);
  if (dead_) {
    bury();
    return;
  }
  answer_open();
  // Usually in time; the append that needs it makes it otherwise.
  if (world_.dice.chance(900)) {
    did = engine_->prepare_journals() || did;
  }
  if (dead_) {
    bury();
  } else if (did) {
    // One part of the process may have passed something to another.
    world_.network.wake(front_);
    world_.network.wake(back_);
  }
}

void ClusterNode::kill(testing::NodeId sender, std::size_t last_bytes) {
  if (dead_) {
    return;
  }
  points_left_ = 0;
  dead_ = true;
  ++world_.counts.kills;
  if (engine_ != nullptr) {
    engine_->abandon();
  }
  world_.network.kill(front_, world_.keepers->sockets(), sender == front_ ? last_bytes : 0);
  world_.network.kill(back_, {}, sender == back_ ? last_bytes : 0);
  note("is killed");
}

void ClusterNode::bury() {
  world_.network.set_turn(front_, {});
  world_.network.set_turn(back_, {});
  engine_.reset();
}

void ClusterNode::lose_disk() {
  if (alive()) {
    kill();
    bury();
  }
  lost_disk = true;
  asked_with_lost_disk_ = asked_;
  std::error_code ignored;
  std::filesystem::remove_all(journals_of(world_.directory, number_), ignored);
}

bool ClusterNode::asked_with_lost_disk(std::string_view group, std::uint64_t epoch) const {
  const auto asked = asked_with_lost_disk_.find(group);
  return lost_disk && asked != asked_with_lost_disk_.end() && asked->second == epoch;
}

bool ClusterNode::die_here(testing::NodeId sender, std::size_t bytes) {
  if (points_left_ != 0 && --points_left_ == 0) {
    kill(sender, bytes == 0 ? 0
                            : world_.dice.pick({std::size_t{0},
                                                static_cast<std::size_t>(world_.dice.below(bytes)),
                                                bytes}));
  }
  return dead_;
}

// --- What it is ---

engine::FailoverStanding ClusterNode::standing(std::size_t group) const {
  for (engine::FailoverStanding& standing : engine_->failover_standings()) {
    if (standing.group == group_name(group)) {
      return std::move(standing);
    }
  }
  return {};
}

std::uint64_t ClusterNode::epoch_of(std::size_t group) const {
  if (!alive()) {
    return 0;
  }
  const replication::Standing standing = this->standing(group).standing;
  return standing.role == replication::Role::Standby ? 0 : standing.epoch;
}

std::uint64_t ClusterNode::epoch_of_any() const {
  std::uint64_t highest = 0;
  for (std::size_t group = 0; group < world_.plan.groups; ++group) {
    highest = std::max(highest, epoch_of(group));
  }
  return highest;
}

host::SessionHandle ClusterNode::session(std::size_t peer) const {
  return alive() ? engine_->session(peer_name(peer)) : host::SessionHandle();
}

std::size_t ClusterNode::peer_of(host::SessionHandle session) const {
  for (std::size_t peer = 0; peer < world_.plan.peers; ++peer) {
    if (session.target_comp_id() == peer_name(peer)) {
      return peer;
    }
  }
  return 0;
}

// --- The application ---

bool ClusterNode::answer(std::size_t peer, std::uint64_t order) {
  const host::SessionHandle to = session(peer);
  if (!to) {
    return false;
  }
  wire::Encoder message = to.begin("8");
  message.integer(11, order);
  message.text(58, text_of_message(order, world_.plan.text_bytes_max));
  const host::SendResult result = to.commit(message);
  if (!result.refused()) {
    note("answers " + std::to_string(order) + " to " + peer_name(peer) + " as number " +
         std::to_string(result.sequence));
  }
  return !result.refused();
}

void ClusterNode::answer_open() {
  while (!open_.empty() && !dead_ && answer(open_.front().first, open_.front().second)) {
    open_.erase(open_.begin());
  }
}

void ClusterNode::send_news(std::size_t peer, std::uint32_t count) {
  const host::SessionHandle to = session(peer);
  for (std::uint32_t sent = 0; to && !dead_ && sent < count; ++sent) {
    wire::Encoder message = to.begin("B");
    message.text(148, "news");
    message.text(58, text_of_message(world_.dice.next(), world_.plan.text_bytes_max));
    if (to.commit(message).refused()) {
      return;
    }
  }
}

host::LogonAnswer ClusterNode::on_logon_request(host::SessionHandle /*session*/,
                                                const wire::MessageView& /*logon*/) noexcept {
  die_here();
  return {};
}

void ClusterNode::on_logon(host::SessionHandle session) noexcept {
  if (!die_here()) {
    note("logged on: " + std::string(session.name()));
  }
}

void ClusterNode::on_message(host::SessionHandle session, const wire::MessageView& message,
                             const host::Delivery& delivery) noexcept {
  if (die_here()) {
    return;
  }
  const std::size_t peer = peer_of(session);
  const std::uint64_t order = order_of(message);
  world_.ledgers[peer].delivered(delivery.sequence);
  note("gets order " + std::to_string(order) + " of " + peer_name(peer) + " as number " +
       std::to_string(delivery.sequence) + (delivery.redelivered ? ", redelivered" : ""));
  world_.referee.rule(message.find(58U) == text_of_message(order, world_.plan.text_bytes_max), [&] {
    return "node " + node_name(number_) + " is given order " + std::to_string(order) +
           " with another content";
  });
  if (!answer(peer, order)) {
    ++world_.counts.unanswered;
    world_.ledgers[peer].excuse(order);
    open_.emplace_back(peer, order);
  }
  die_here();
}

void ClusterNode::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  if (!die_here()) {
    note("logged out: " + std::string(session.name()) + ", " + std::string(reason));
  }
}

void ClusterNode::on_failover(const host::FailoverNotice& notice) noexcept {
  if (die_here()) {
    return;
  }
  if (notice.kind != host::FailoverNotice::Kind::Leading) {
    return;
  }
  for (std::size_t peer = 0; peer < world_.plan.peers; ++peer) {
    const host::SessionHandle led = session(peer);
    if (group_name(world_.plan.sessions[peer].group) == notice.group && led) {
      world_.ledgers[peer].check_promoted(number_, epoch_of(world_.plan.sessions[peer].group),
                                          std::string(led.journal_directory()),
                                          led.next_sender_seq());
    }
  }
  die_here();
}

void ClusterNode::on_turn_end() noexcept {
  die_here();
}

void ClusterNode::on_event(const host::Event& event) noexcept {
  if (dead_) {
    return;
  }
  note("event [" + std::string(event.session) + "] " + std::string(event.text));
  world_.counts.continued += event.code == base::MessageCode("K302") ? 1U : 0U;
  die_here();
}

}  // namespace affix::simulation
