// SPDX-License-Identifier: MIT
// Requests and answers are events of virtual time. A request has one answer, in time; whether and
// when it takes effect is another matter.
#include "affix/testing/memory_election_store.hpp"

#include <algorithm>
#include <climits>

namespace affix::inline v0::testing {

namespace {

using replication::Answer;
using replication::AnswerKind;
using replication::Entry;
using replication::Outcome;
using replication::RequestKind;
using replication::StoreRequest;

Answer lost(std::string group, AnswerKind kind, Outcome outcome) {
  return {.group = std::move(group),
          .kind = kind,
          .outcome = outcome,
          .error = {base::ErrorCode::Io,
                    outcome == Outcome::Unknown ? "The answer was lost." : "Nobody answers.",
                    "memory",
                    {}}};
}

}  // namespace

std::uint64_t ElectionRegister::Dice::next() noexcept {
  // splitmix64: any seed is good, also consecutive ones.
  state += 0x9e37'79b9'7f4a'7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58'476d'1ce4'e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d0'49bb'1331'11eb;
  return mixed ^ (mixed >> 31);
}

bool ElectionRegister::Dice::chance(std::uint32_t in_thousand) noexcept {
  return next() % 1000 < in_thousand;
}

std::int64_t ElectionRegister::Dice::between(std::int64_t least, std::int64_t most) noexcept {
  return least + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
}

std::unique_ptr<MemoryElectionStore> ElectionRegister::connect(std::string node) {
  std::unique_ptr<MemoryElectionStore> store(
      new MemoryElectionStore(*this, ++last_store_, std::move(node)));
  stores_[last_store_] = store.get();
  return store;
}

void ElectionRegister::set_reachable(std::string_view node, bool reachable) {
  if (!reachable) {
    unreachable_.emplace(node);
  } else if (const auto found = unreachable_.find(node); found != unreachable_.end()) {
    unreachable_.erase(found);
    for (const auto& [id, store] : stores_) {
      if (store->node_ == node) {
        std::ranges::for_each(store->watched_, [&](const auto& group) { tell(id, group); });
      }
    }
  }
}

void ElectionRegister::set_running(bool running) {
  if (std::exchange(is_running_, running) == running || !running) {
    return;
  }
  for (const auto& [id, store] : stores_) {
    std::ranges::for_each(store->watched_, [&](const auto& group) { tell(id, group); });
  }
}

void ElectionRegister::advance(std::int64_t now_ns) {
  while (!events_.empty() && events_.begin()->first.first <= now_ns) {
    auto first = events_.extract(events_.begin());
    now_ns_ = std::max(now_ns_, first.key().first);
    run(first.mapped());
  }
  now_ns_ = std::max(now_ns_, now_ns);
}

std::int64_t ElectionRegister::next_event_ns() const noexcept {
  return events_.empty() ? INT64_MAX : events_.begin()->first.first;
}

std::optional<Entry> ElectionRegister::entry(std::string_view group) const {
  const auto found = values_.find(group);
  return found == values_.end() ? std::nullopt : found->second.entry;
}

std::uint64_t ElectionRegister::revision(std::string_view group) const {
  const auto found = values_.find(group);
  return found == values_.end() ? 0 : found->second.revision;
}

void ElectionRegister::overwrite(std::string_view group, std::optional<Entry> entry) {
  write(std::string(group), std::move(entry));
}

bool ElectionRegister::reaches(std::string_view node) const {
  return is_running_ && !unreachable_.contains(node);
}

std::int64_t ElectionRegister::delay_ns() {
  return dice_.between(faults.delay_min_ns, faults.delay_max_ns);
}

void ElectionRegister::schedule(std::int64_t at_ns, Event event) {
  events_.emplace(std::pair(at_ns, ++last_event_), std::move(event));
}

void ElectionRegister::ask(std::uint64_t store, const std::string& node, StoreRequest request) {
  if (!reaches(node) || dice_.chance(faults.refused)) {
    schedule(now_ns_ + delay_ns(),
             {.kind = Event::Kind::Reply,
              .store = store,
              .answer = lost(request.group, answer_to(request.kind), Outcome::Unreachable)});
    return;
  }
  const std::int64_t given_up_ns = now_ns_ + faults.timeout_ns;
  const auto give_up = [&] {
    schedule(given_up_ns,
             {.kind = Event::Kind::Reply,
              .store = store,
              .answer = lost(request.group, answer_to(request.kind), Outcome::Unknown)});
  };
  if (dice_.chance(faults.lost_requests)) {
    give_up();
    return;
  }
  const bool is_late = dice_.chance(faults.late_requests);
  const bool is_answer_lost = is_late || dice_.chance(faults.lost_answers);
  if (is_answer_lost) {
    give_up();
  }
  const std::int64_t at_ns =
      is_late ? given_up_ns + dice_.between(1, faults.late_max_ns) : now_ns_ + delay_ns();
  schedule(at_ns, {.kind = Event::Kind::Arrival,
                   .store = store,
                   .request = std::move(request),
                   .answer_by_ns = given_up_ns,
                   .is_answer_lost = is_answer_lost});
}

void ElectionRegister::run(Event& event) {
  if (event.kind == Event::Kind::Arrival) {
    arrive(event);
    return;
  }
  const auto found = stores_.find(event.store);
  if (found == stores_.end()) {
    return;
  }
  const bool is_from_afar = event.kind == Event::Kind::News ||
                            event.answer.outcome == Outcome::Done ||
                            event.answer.outcome == Outcome::Conflict;
  if (is_from_afar && !reaches(found->second->node_)) {
    if (event.kind == Event::Kind::Reply) {
      event.answer = lost(event.answer.group, event.answer.kind, Outcome::Unknown);
      schedule(std::max(now_ns_, event.given_up_ns), std::move(event));
    }
    return;
  }
  deliver(event.store, std::move(event.answer));
}

void ElectionRegister::arrive(Event& event) {
  const auto found = stores_.find(event.store);
  // A request that is on its way survives its process, and late ones also a cut.
  const bool is_cut = !is_running_ || (!event.is_answer_lost && found != stores_.end() &&
                                       !reaches(found->second->node_));
  if (is_cut) {
    if (!event.is_answer_lost) {
      schedule(
          event.answer_by_ns,
          {.kind = Event::Kind::Reply,
           .store = event.store,
           .answer = lost(event.request.group, answer_to(event.request.kind), Outcome::Unknown)});
    }
    return;
  }
  Answer answer = carry_out(event.request);
  if (!event.is_answer_lost) {
    schedule(now_ns_ + delay_ns(), {.kind = Event::Kind::Reply,
                                    .store = event.store,
                                    .answer = std::move(answer),
                                    .given_up_ns = event.answer_by_ns});
  }
}

Answer ElectionRegister::carry_out(const StoreRequest& request) {
  const Value& value = values_[request.group];
  Answer answer{.group = request.group, .kind = answer_to(request.kind)};
  if (request.kind != RequestKind::Read) {
    if (value.revision == request.expected_revision) {
      write(request.group, request.entry);
    } else {
      answer.outcome = Outcome::Conflict;
    }
  }
  answer.entry = value.entry.value_or(Entry{});
  answer.revision = value.revision;
  return answer;
}

void ElectionRegister::write(const std::string& group, std::optional<Entry> entry) {
  Value& value = values_[group];
  ++last_revision_;
  if (on_write) {
    on_write(group, value.entry.value_or(Entry{}), entry.value_or(Entry{}));
  }
  value.revision = entry ? last_revision_ : 0;
  value.entry = std::move(entry);
  for (const auto& [id, store] : stores_) {
    if (store->watched_.contains(group) && !dice_.chance(faults.lost_news)) {
      tell(id, group);
    }
  }
}

void ElectionRegister::tell(std::uint64_t store, const std::string& group) {
  const Value& value = values_[group];
  schedule(now_ns_ + delay_ns(), {.kind = Event::Kind::News,
                                  .store = store,
                                  .answer = {.group = group,
                                             .kind = AnswerKind::Changed,
                                             .entry = value.entry.value_or(Entry{}),
                                             .revision = value.revision}});
}

void ElectionRegister::deliver(std::uint64_t store, Answer answer) {
  MemoryElectionStore& to = *stores_.at(store);
  to.answers_.push_back(std::move(answer));
  if (to.waker_ != nullptr) {
    to.waker_->wake();
  }
  if (on_answer) {
    on_answer(to.node_);
  }
}

MemoryElectionStore::~MemoryElectionStore() {
  shared_.stores_.erase(id_);
}

void MemoryElectionStore::ask(StoreRequest request) {
  shared_.ask(id_, node_, std::move(request));
}

void MemoryElectionStore::watch(std::string_view group) {
  if (const auto [at, is_new] = watched_.emplace(group); is_new) {
    shared_.tell(id_, *at);
  }
}

std::optional<Answer> MemoryElectionStore::take() {
  if (answers_.empty()) {
    return std::nullopt;
  }
  std::optional<Answer> answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

}  // namespace affix::inline v0::testing
