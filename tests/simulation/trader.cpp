// SPDX-License-Identifier: MIT
// Orders, answers, and what a peer must never see.
#include "simulation/trader.hpp"

#include "simulation/party.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace affix::simulation {

Trader::Trader(ClusterWorld& world, std::size_t number)
    : world_(world),
      number_(number),
      ledger_(world.ledgers[number]),
      node_(world.network.add_node()),
      disk_(world.network, node_),
      configuration_(on_disk(disk_, configuration_of_peer(world.plan, number, world.directory))),
      wire_(world.referee, "wire of " + peer_name(number)) {}

Trader::~Trader() {
  dead_ = true;
}

void Trader::note(const std::string& text) const {
  if (world_.referee.tracing()) {
    world_.referee.note(peer_name(number_) + ": " + text);
  }
}

void Trader::start() {
  dead_ = false;
  ++world_.counts.lives;
  auto opened = engine::Engine::open(
      configuration_, *this,
      world_.network.make_reactor(node_, engine::Engine::reactor_options(configuration_)));
  world_.referee.rule(opened.has_value(), [&] {
    return peer_name(number_) + " does not start: " + config::text_of(opened.error());
  });
  if (!opened) {
    dead_ = true;
    return;
  }
  engine_ = std::move(*opened);
  world_.network.set_turn(node_, [this] { turn(); });
}

void Trader::turn() {
  engine_->poll(testing::VirtualNetwork::never_ns);
  if (!dead_) {
    engine_->prepare_journals();
  }
  if (dead_) {
    bury();
  }
}

void Trader::kill(std::size_t last_bytes) {
  if (!alive()) {
    return;
  }
  points_left_ = 0;
  dead_ = true;
  ++world_.counts.kills;
  engine_->abandon();
  world_.network.kill(node_, {}, last_bytes);
  note("is killed");
}

void Trader::bury() {
  world_.network.set_turn(node_, {});
  engine_.reset();
}

bool Trader::die_here(std::size_t bytes) {
  if (points_left_ != 0 && --points_left_ == 0) {
    kill(bytes == 0
             ? 0
             : world_.dice.pick(
                   {std::size_t{0}, static_cast<std::size_t>(world_.dice.below(bytes)), bytes}));
  }
  return dead_;
}

void Trader::order(std::uint32_t count) {
  for (std::uint32_t sent = 0; sent < count && logged_on(); ++sent) {
    const std::uint64_t id = ledger_.next_order();
    wire::Encoder message = session().begin("D");
    message.integer(11, id);
    message.text(58, text_of_message(id, world_.plan.text_bytes_max));
    const host::SendResult result = session().commit(message);
    if (result.refused()) {
      return;
    }
    // Also in a process that died while sending: the message is in the journal then.
    note("sends order " + std::to_string(id) + " as number " + std::to_string(result.sequence));
    ledger_.ordered();
  }
}

void Trader::on_message(host::SessionHandle /*session*/, const wire::MessageView& message,
                        const host::Delivery& /*delivery*/) noexcept {
  if (die_here()) {
    return;
  }
  if (message.find(35U) == "8") {
    const std::string_view text = message.find(11U).value_or("0");
    std::uint64_t id = 0;
    std::from_chars(text.data(), text.data() + text.size(), id);
    world_.referee.rule(message.find(58U) == text_of_message(id, world_.plan.text_bytes_max), [&] {
      return peer_name(number_) + " is given the answer to " + std::to_string(id) +
             " with another content";
    });
    ledger_.answered(id);
  }
  die_here();
}

// Links are numbered in the order in which they were made.
void Trader::watch_link(std::string_view event) {
  if (event.starts_with("connected: ")) {
    link_ = 0;
    for (const testing::LinkId link : world_.network.links()) {
      const testing::LinkEnds ends = world_.network.ends(link);
      if (ends.acceptor == node_ && event.ends_with(" at " + ends.dialer.text())) {
        link_ = static_cast<std::uint64_t>(link);
      }
    }
  } else if (event.starts_with(session::to_text(session::Event::LoggedOn))) {
    logged_on_link_ = std::max(logged_on_link_, link_);
  }
}

void Trader::on_event(const host::Event& event) noexcept {
  if (dead_) {
    return;
  }
  note("event [" + std::string(event.session) + "] " + std::string(event.text));
  watch_link(event.text);
  // The Logon of a node that has ended since may come after the logon of a later connection: the
  // network had held it.
  const bool is_overtaken = link_ < logged_on_link_;
  for (const session::Event never :
       {session::Event::SequenceTooLow, session::Event::NumbersReset}) {
    world_.referee.rule(!event.text.starts_with(session::to_text(never)) ||
                            (is_overtaken && never == session::Event::SequenceTooLow),
                        [&] { return peer_name(number_) + ": " + std::string(event.text); });
  }
  die_here();
}

}  // namespace affix::simulation
