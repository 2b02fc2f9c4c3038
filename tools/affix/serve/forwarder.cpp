// SPDX-License-Identifier: MIT
// Forwards messages, keeps those that wait for room, and records the state of both.
#include "serve/forwarder.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using host::SendStatus;
using host::SessionHandle;

bool went_out(SendStatus status) noexcept {
  return status == SendStatus::Sent || status == SendStatus::Queued;
}

/// True if on_output_room() follows.
bool must_wait(SendStatus status) noexcept {
  return status == SendStatus::Backlogged || status == SendStatus::Throttled ||
         status == SendStatus::Resetting;
}

/// True if the message may be sent later.
bool is_away(SendStatus status) noexcept {
  return status == SendStatus::NotLoggedOn || status == SendStatus::Stopped ||
         status == SendStatus::JournalFull || status == SendStatus::QueueFull;
}

}  // namespace

const char* to_text(Forwarder::Outcome outcome) noexcept {
  switch (outcome) {
    case Forwarder::Outcome::Sent:
      return "sent";
    case Forwarder::Outcome::Waiting:
      return "waiting";
    case Forwarder::Outcome::Away:
      return "it is not logged on, or is stopped";
    case Forwarder::Outcome::Refused:
      return "it cannot take this message";
    case Forwarder::Outcome::Full:
      return "too much is waiting for it";
  }
  return "";
}

bool Forwarder::State::has_open() const noexcept {
  return std::ranges::any_of(kept, [](const auto& one) { return one.second.open; });
}

SendStatus Forwarder::send(const ForwardedMessage& message, SessionHandle to) {
  wire::Encoder encoder = to.begin(message.type, message.header_fields());
  encoder.raw(message.body);
  return to.commit(encoder).status;
}

Forwarder::State& Forwarder::state_of(SessionHandle session) {
  if (session.user() == nullptr) {
    auto state = std::make_unique<State>();
    state->session = session;
    session.set_user(state.get());
    const std::lock_guard lock(mutex_);
    states_.emplace(state.get(), std::move(state));
  }
  return *find_state(session);
}

std::vector<Forwarder::State*> Forwarder::states_of(std::size_t worker) {
  std::vector<State*> states;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, state] : states_) {
    if (state->session.worker() == worker) {
      states.push_back(state.get());
    }
  }
  return states;
}

Forwarder::Outcome Forwarder::forward(SessionHandle from, const ForwardedMessage& message,
                                      const host::Delivery& delivery, SessionHandle to) {
  // Nothing overtakes waiting messages.
  if (const State* const state = find_state(to); state == nullptr || state->copies.empty()) {
    if (const SendStatus status = send(message, to); went_out(status)) {
      return Outcome::Sent;
    } else if (!must_wait(status)) {
      return is_away(status) ? Outcome::Away : Outcome::Refused;
    }
  }
  State& state = state_of(to);
  State::Copy copy{.origin = {from, delivery.sequence, delivery.receipt},
                   .type = std::string(message.type),
                   .body = std::string(message.body),
                   .header = {}};
  if (state.bytes + copy.bytes() > bytes_max_) {
    return Outcome::Full;
  }
  for (const session::ExtraHeaderField& field : message.header_fields()) {
    copy.header.push_back({field.tag, std::string(field.value)});
  }
  state.bytes += copy.bytes();
  state.copies.push_back(std::move(copy));
  return Outcome::Waiting;
}

std::vector<Forwarder::Origin> Forwarder::on_room(SessionHandle to) {
  std::vector<Origin> lost;
  State* const state = find_state(to);
  while (state != nullptr && !state->copies.empty()) {
    const State::Copy& copy = state->copies.front();
    ForwardedMessage message{.type = copy.type, .body = copy.body, .header = {}, .header_count = 0};
    for (const State::HeaderCopy& field : copy.header) {
      message.add(field.tag, field.value);
    }
    const SendStatus status = send(message, to);
    if (must_wait(status)) {
      break;
    }
    if (went_out(status)) {
      settle(copy.origin);
    } else {
      reopen(copy.origin, to);
      lost.push_back(copy.origin);
    }
    state->bytes -= copy.bytes();
    state->copies.pop_front();
  }
  return lost;
}

std::vector<Forwarder::Origin> Forwarder::drop(SessionHandle to) {
  std::vector<Origin> lost;
  if (State* const state = find_state(to)) {
    for (const State::Copy& copy : state->copies) {
      reopen(copy.origin, to);
      lost.push_back(copy.origin);
    }
    state->copies.clear();
    state->bytes = 0;
  }
  return lost;
}

/// A copy of it has been sent.
void Forwarder::settle(const Origin& origin) {
  State* const state = find_state(origin.from);
  if (state == nullptr) {
    return;
  }
  const auto found = state->kept.find(origin.receipt);
  if (found == state->kept.end()) {
    return;
  }
  --found->second.waiting;
  settle_if_done(*state, origin.receipt);
}

void Forwarder::settle_logged(State& state) {
  const host::Receipt receipt = state.logged.front().receipt;
  state.logged.pop_front();
  if (const auto found = state.kept.find(receipt); found != state.kept.end()) {
    --found->second.lines;
    settle_if_done(state, receipt);
  }
}

void Forwarder::settle_if_done(State& state, host::Receipt receipt) {
  const auto found = state.kept.find(receipt);
  if (found->second.waiting == 0 && found->second.lines == 0 && !found->second.open) {
    state.kept.erase(found);
    static_cast<void>(state.session.finish_message(receipt));
  }
}

/// A copy of it will not be sent.
void Forwarder::reopen(const Origin& origin, SessionHandle to) {
  State* const state = find_state(origin.from);
  if (state == nullptr) {
    return;
  }
  if (const auto found = state->kept.find(origin.receipt); found != state->kept.end()) {
    --found->second.waiting;
    found->second.open = true;
    found->second.given_up = true;
    std::erase(found->second.served, to);
  }
}

void Forwarder::forget(SessionHandle session) {
  for_each(session.worker(), [&](State& state) {
    std::erase_if(state.copies, [&](const State::Copy& copy) {
      if (copy.origin.from != session) {
        return false;
      }
      state.bytes -= copy.bytes();
      return true;
    });
  });
  if (const State* const state = find_state(session)) {
    session.set_user(nullptr);
    const std::lock_guard lock(mutex_);
    states_.erase(state);
  }
}

}  // namespace affix::inline v0::tools::serve
