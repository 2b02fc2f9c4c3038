// SPDX-License-Identifier: MIT
// Changes requests and answers as planted bugs do.
#include "simulation/node_store.hpp"

#include <algorithm>

namespace affix::simulation {

using replication::Answer;
using replication::AnswerKind;
using replication::Outcome;
using replication::RequestKind;
using replication::StoreRequest;

/// The process answers the request itself.
bool NodeStore::keeps_back(const StoreRequest& request) const {
  const auto believed = believed_.find(request.group);
  return bug_ == PlantedBug::GoOnAlone && request.kind == RequestKind::ChangeSet &&
         believed != believed_.end() &&
         request.entry.in_sync.size() < believed->second.entry.in_sync.size();
}

void NodeStore::ask(StoreRequest request) {
  if (die_here_()) {
    return;
  }
  if (keeps_back(request)) {
    Answer& believed = believed_[request.group];
    believed.kind = AnswerKind::ChangeSet;
    believed.outcome = Outcome::Done;
    believed.entry = request.entry;
    invented_ = believed;
    if (waker_ != nullptr) {
      waker_->wake();
    }
    return;
  }
  asked_[request.group] = request.entry;
  if (request.kind == RequestKind::Promote) {
    asked_epochs_[request.group] = request.entry.epoch;
  }
  store_->ask(std::move(request));
  static_cast<void>(die_here_());
}

std::optional<Answer> NodeStore::take() {
  if (die_here_()) {
    return std::nullopt;
  }
  if (invented_) {
    return std::exchange(invented_, std::nullopt);
  }
  std::optional<Answer> answer = store_->take();
  while (answer && !changes(*answer)) {
    answer = store_->take();
  }
  return answer;
}

/// Changes an answer as the bug wants it. False: it is not heard at all.
bool NodeStore::changes(Answer& answer) {
  const auto leads = believed_.find(answer.group);
  if (bug_ == PlantedBug::BelieveOldEpoch && leads != believed_.end() &&
      answer.kind != AnswerKind::Promote &&
      (answer.outcome != Outcome::Done || answer.entry.primary != node_)) {
    if (answer.kind == AnswerKind::Changed) {
      return false;
    }
    if (answer.kind == AnswerKind::ChangeSet) {
      leads->second.entry = asked_[answer.group];
    }
    answer.outcome = Outcome::Done;
    answer.entry = leads->second.entry;
    answer.revision = leads->second.revision;
    return true;
  }
  const bool has_entry = answer.outcome == Outcome::Done || answer.outcome == Outcome::Conflict;
  if (!has_entry) {
    return true;
  }
  if (bug_ == PlantedBug::PromoteOutsideSet && answer.entry.epoch != 0 &&
      !answer.entry.has_in_sync(node_)) {
    answer.entry.in_sync.push_back(node_);
    std::ranges::sort(answer.entry.in_sync);
  }
  const auto believed = believed_.find(answer.group);
  if (answer.entry.primary == node_) {
    believed_[answer.group] = answer;
  } else if (believed != believed_.end()) {
    believed_.erase(believed);
  }
  return true;
}

}  // namespace affix::simulation
