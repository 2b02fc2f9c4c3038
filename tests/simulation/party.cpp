// SPDX-License-Identifier: MIT
// Applications that randomly send, answer, command and die, and check their callbacks.
#include "simulation/party.hpp"

#include "affix/host/session_controls.hpp"
#include "affix/journal/reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace affix::simulation {

namespace {

constexpr std::string_view types[] = {"D", "8", "B"};

std::uint64_t id_of(std::string_view text) {
  std::uint64_t id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

std::uint64_t first_number_in(std::string_view text) {
  return id_of(text.substr(std::min(text.find_first_of("0123456789"), text.size())));
}

}  // namespace

std::string text_of_message(std::uint64_t id, std::uint32_t bytes_max) {
  Dice dice(id);
  std::string text = "message ";
  const std::size_t size = text.size() + dice.below(bytes_max);
  while (text.size() < size) {
    std::uint64_t letters = dice.next();
    for (int count = 0; count < 8; ++count, letters >>= 8) {
      text += static_cast<char>('a' + letters % 16);
    }
  }
  return text;
}

Party::Party(const Plan& plan, Who who, const std::string& directory, Dice& dice, Referee& referee,
             testing::VirtualNetwork& network, Channel& outgoing, Channel& incoming)
    : plan_(plan),
      who_(who),
      dice_(dice),
      referee_(referee),
      network_(network),
      outgoing_(outgoing),
      incoming_(incoming),
      wire_(referee, std::string("wire of the ") + to_text(who)),
      node_(network.add_node()),
      disk_(network, node_),
      configuration_(on_disk(disk_, configuration_of(plan, who, directory))) {
  wire_.continuous = plan.gentle && !queues();
  held_.before_change = [this] { die_here(); };
  outgoing_.may_lose = plan.may_lose[static_cast<int>(who)];
}

Party::~Party() {
  dead_ = true;  // Callbacks during destruction do not belong to the history.
}

void Party::note(const std::string& text) const {
  if (referee_.tracing()) {
    referee_.note(std::string(to_text(who_)) + ": " + text);
  }
}

// --- Lives ---

void Party::start() {
  dead_ = false;
  open_ = false;
  first_turn_ = true;
  ++lives_;
  engine::Succession succession;
  if (plan_.has_keeper[static_cast<int>(who_)]) {
    held_.begin();
    succession.keeper = held_.new_owner();
    succession.kept = succession.keeper->take().value();
  }
  left_ = held_.connections().size();
  const bool continues = left_ != 0;
  net::ReactorOptions limits = engine::Engine::reactor_options(configuration_);
  limits.tx_buffer_capacity = plan_.tx_buffer_bytes;
  auto opened = engine::Engine::open(configuration_, *this, network_.make_reactor(node_, limits),
                                     std::move(succession));
  referee_.rule(opened.has_value(), [&] {
    return std::string(to_text(who_)) + " does not start: " + config::text_of(opened.error());
  });
  if (!opened) {
    dead_ = true;
    return;
  }
  engine_ = std::move(*opened);
  if (!continues && plan_.sessions[static_cast<int>(who_)].reset_on_disconnect) {
    // The previous process's end counts as one, whatever this one knows of its last number.
    outgoing_.reset();
    wire_.may_restart();
  }
  learn_numbers();
  network_.set_turn(node_, [this] { turn(); });
  note("starts, next numbers " + std::to_string(session().next_sender_seq()) + " and " +
       std::to_string(session().next_target_seq()));
  if (continues && !quiet && dice_.chance(150)) {
    // Within the adoption.
    arm_kill(1 + static_cast<std::uint32_t>(dice_.below(6)));
  }
}

void Party::turn() {
  engine_->poll(testing::VirtualNetwork::never_ns);
  commanded_reset_ = logs_on_ = false;
  if (dead_) {
    bury();
    return;
  }
  if (std::exchange(first_turn_, false)) {
    if (redelivery(session()) == host::Redelivery::AtStart) {
      incoming_.check_redelivered();
    }
    referee_.rule(left_ == 0 && network_.left_connections(node_) == 0, [&] {
      return std::string(to_text(who_)) +
             ": a connection that was left is neither continued nor closed";
    });
  }
  learn_numbers();
  // Usually in time; the append that needs it makes it otherwise.
  if (dice_.chance(900)) {
    engine_->prepare_journals();
  }
}

/// Lower numbers have started over, so messages in transit need not arrive.
void Party::learn_numbers() {
  const std::uint64_t next = session().next_sender_seq();
  if (next < next_outgoing_) {
    outgoing_.reset();
    wire_.may_restart();
  }
  next_outgoing_ = next;
}

void Party::kill(std::size_t last_bytes) {
  if (!alive()) {
    return;
  }
  points_left_ = 0;
  was_plain_ = open_ && !logs_on_ &&
               host::SessionControls(session()).sight().phase == session::Phase::Active;
  dead_ = true;
  engine_->abandon();
  held_.disown();
  if (!dice_.chance(plan_.continues_in_thousand)) {
    held_.end();
  }
  const std::vector<net::Socket*> left = held_.connections();
  network_.kill(node_, left, last_bytes);
  if (left.empty()) {
    ++breaks_;
    ++adoptions_.ended;
  }
  note("is killed, and leaves " + std::to_string(left.size()) + " connections" +
       (last_bytes != 0 ? " within a send, of which the kernel took " + std::to_string(last_bytes)
                        : std::string()));
}

void Party::lose_keeper() {
  if (held_.running()) {
    held_.end();
    if (!alive()) {
      network_.kill(node_);  // Nobody has what the process left.
    }
  } else {
    held_.begin();
  }
}

void Party::bury() {
  network_.set_turn(node_, {});
  engine_.reset();
}

bool Party::die_here(std::size_t bytes) {
  if (points_left_ != 0 && --points_left_ == 0) {
    kill(bytes == 0 ? 0 : dice_.pick({std::size_t{0}, dice_.below(bytes), bytes}));
  }
  return dead_;
}

void Party::audit() {
  for (const host::SessionHandle session : engine_->sessions()) {
    auto reader = journal::Reader::open(std::string(session.journal_directory()));
    referee_.rule(reader.has_value(), [&] { return "journal: " + reader.error().text(); });
    std::uint64_t next = 1;
    while (const std::optional<journal::Record> record = reader ? reader->next() : std::nullopt) {
      if (record->kind == journal::Kind::Event) {
        next = record->sequence;
      } else if (record->kind == journal::Kind::Sent) {
        referee_.rule(record->sequence == next, [&] {
          return std::string(to_text(who_)) + ": its journal has number " +
                 std::to_string(record->sequence) + " where " + std::to_string(next) +
                 " comes next";
        });
        next = record->number_after;
      }
    }
    referee_.rule(!reader || !reader->damage(),
                  [&] { return "journal: " + reader->damage()->text(); });
  }
}

// --- Actions ---

void Party::reset(host::SessionHandle session) {
  commanded_reset_ = true;
  session.reset();
}

void Party::send(std::uint32_t count) {
  const bool may = alive() && (session().logged_on() || queues());
  if (!may) {
    return;
  }
  for (std::uint32_t sent = 0; sent < count && !dead_ && send_one(session()); ++sent) {
  }
}

bool Party::send_one(host::SessionHandle session) {
  const std::uint64_t id = outgoing_.next_id();
  wire::Encoder message = session.begin(types[id % 3]);
  message.integer(11, id);
  message.text(58, text_of_message(id, plan_.text_bytes_max));
  const host::SendResult result = session.commit(message);
  // Also in a process that died while sending: the message is in the journal then.
  if (!result.refused()) {
    note("sends " + std::to_string(id) + " as number " + std::to_string(result.sequence));
    outgoing_.sent(result.sequence, result.queued());
    next_outgoing_ = result.sequence + 1;
  }
  return !result.refused();
}

void Party::give_command(host::SessionHandle session) {
  if (quiet || !dice_.chance(plan_.command_in_thousand)) {
    return;
  }
  switch (dice_.below(4)) {
    case 0:
      note("logs out in a callback");
      session.logout("enough");
      break;
    case 1:
      if (plan_.weights[static_cast<std::size_t>(Act::Reset)] != 0 && session.logged_on()) {
        note("resets in a callback");
        reset(session);
      }
      break;
    case 2:
      session.test_peer();
      break;
    default:
      session.flush();
      break;
  }
}

// --- Callbacks ---

host::LogonAnswer Party::on_logon_request(host::SessionHandle session,
                                          const wire::MessageView& logon) noexcept {
  if (die_here()) {
    return {};
  }
  if (session.target_comp_id() == "FIRM" && logon.find(credential_tag) != credential) {
    return host::LogonAnswer::refuse("you are not who you say");
  }
  return {};
}

void Party::on_logon(host::SessionHandle session) noexcept {
  if (die_here() || session != this->session()) {
    return;
  }
  note("logged on");
  referee_.rule(!open_, [&] { return std::string(to_text(who_)) + " is logged on twice"; });
  open_ = logs_on_ = true;
  closed_one_ = false;
  if (!quiet && dice_.chance(300)) {
    send(1 + static_cast<std::uint32_t>(dice_.below(plan_.burst_max)));
  }
  give_command(session);
  die_here();
}

void Party::on_message(host::SessionHandle session, const wire::MessageView& message,
                       const host::Delivery& delivery) noexcept {
  if (die_here()) {
    return;  // Before the application was informed.
  }
  if (session != this->session()) {
    give_command(session);
    return;
  }
  referee_.rule(open_ || delivery.redelivered, [&] {
    return std::string(to_text(who_)) + " is given a message while not logged on";
  });
  read_business(message, delivery);
  if (!quiet && dice_.chance(plan_.answers_in_thousand)) {
    send(1);
  }
  give_command(session);
  if (!die_here()) {
    incoming_.finish();
  }
}

void Party::read_business(const wire::MessageView& message, const host::Delivery& delivery) {
  const std::uint64_t id = id_of(message.find(11U).value_or("0"));
  note("gets " + std::to_string(id) + " as number " + std::to_string(delivery.sequence) +
       (delivery.redelivered ? ", redelivered" : "") +
       (delivery.possible_duplicate ? ", possible duplicate" : ""));
  incoming_.begin(id, delivery.redelivered);
  referee_.rule(message.find(58U) == text_of_message(id, plan_.text_bytes_max) &&
                    message.find(35U) == types[id % 3],
                [&] {
                  return std::string(to_text(who_)) + " is given " + std::to_string(id) +
                         " with another content";
                });
}

void Party::on_admin(host::SessionHandle /*session*/,
                     const wire::MessageView& /*message*/) noexcept {
  die_here();  // Stored, and perhaps not answered.
}

void Party::before_admin_send(host::SessionHandle /*session*/, std::string_view /*type*/,
                              wire::Encoder& /*message*/) noexcept {
  die_here();
}

host::ResendDecision Party::before_resend(host::SessionHandle /*session*/,
                                          const wire::MessageView& /*stored*/) noexcept {
  die_here();
  return host::ResendDecision::Resend;
}

void Party::on_output_room(host::SessionHandle session) noexcept {
  if (die_here() || session != this->session()) {
    return;
  }
  if (!quiet) {
    send(1 + static_cast<std::uint32_t>(dice_.below(plan_.burst_max)));
  }
}

void Party::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  if (die_here() || session != this->session()) {
    return;
  }
  note("logged out: " + std::string(reason));
  referee_.rule(open_, [&] { return std::string(to_text(who_)) + " is logged out twice"; });
  open_ = false;
  referee_.rule(!plan_.gentle || peer->breaks() != breaks_seen_, [&] {
    return std::string(to_text(who_)) +
           ": the session ended, although nothing but kills happened: " + std::string(reason);
  });
  breaks_seen_ = peer->breaks();
}

/// An earlier process's connection was continued, or closed for a reason.
void Party::judge_continuation(const host::Event& event) {
  if (event.code == base::MessageCode("K302")) {
    --left_;
    ++adoptions_.continued;
    outgoing_.account_for_queued();  // Those of its own have left with the rest.
  } else if (event.code == base::MessageCode("K301")) {
    const std::string reason(event.text.substr(event.text.rfind(": ") + 2));
    --left_;
    ++adoptions_.refused[reason];
    ++breaks_;
    // The session of the stranger ends as that one pleases.
    const bool is_stranger =
        event.session == configuration_.sessions.back().name && configuration_.sessions.size() != 1;
    referee_.rule(is_stranger || may_refuse(reason),
                  [&] { return std::string(to_text(who_)) + ": " + std::string(event.text); });
    breaks_seen_ = peer->breaks();
    closed_one_ = true;
  }
}

bool Party::may_refuse(std::string_view reason) const {
  if (reason == "the connection ends within a resent message") {
    return true;
  }
  if (reason == "a logon, a logout or a reset was under way") {
    return !was_plain_ || plan_.may_reset;
  }
  if (reason == "the numbers were set or reset after the last send" ||
      reason == "the journal has lower numbers than the connection" ||
      reason == "bytes that were to be sent are not in the journal") {
    return plan_.may_reset;
  }
  return reason == "it has ended" &&
         (!plan_.gentle || closed_one_ || peer->breaks() != breaks_seen_);
}

void Party::on_turn_end() noexcept {
  die_here();
}

void Party::on_event(const host::Event& event) noexcept {
  if (dead_) {
    return;
  }
  note("event [" + std::string(event.session) + "] " + std::string(event.text));
  judge_continuation(event);
  if (!event.session.empty() && event.session == configuration_.sessions.front().name) {
    if (event.text.starts_with(session::to_text(session::Event::QueuedLost)) ||
        event.text.find(session::to_text(session::Event::ReplayStarted)) !=
            std::string_view::npos) {
      outgoing_.account_for_queued();
    }
    if (event.text.starts_with(session::to_text(session::Event::NumbersReset))) {
      if (!commanded_reset_) {
        outgoing_.check_queued(first_number_in(event.text));
      }
      outgoing_.reset();
      wire_.may_restart();
    }
    if (event.text.starts_with(session::to_text(session::Event::SendingTimeOff))) {
      incoming_.refused(first_number_in(event.text));
      referee_.rule(plan_.weights[static_cast<std::size_t>(Act::StepClock)] != 0, [&] {
        return std::string(to_text(who_)) + ": " + std::string(event.text) + ", in right time";
      });
    }
    referee_.rule(
        plan_.may_reject || !event.text.starts_with(session::to_text(session::Event::Rejected)),
        [&] { return std::string(to_text(who_)) + ": " + std::string(event.text); });
    // No fault here damages or fills a disk.
    referee_.rule(event.code == base::MessageCode("K301") ||
                      (event.text.find("journal") == std::string_view::npos &&
                       event.text.find("cannot be read") == std::string_view::npos),
                  [&] { return std::string(to_text(who_)) + ": " + std::string(event.text); });
  }
  die_here();
}

}  // namespace affix::simulation
