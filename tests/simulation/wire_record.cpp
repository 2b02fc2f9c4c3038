// SPDX-License-Identifier: MIT
// Numbers of one party.
#include "simulation/wire_record.hpp"

#include <utility>

namespace affix::simulation {

void WireRecord::taken(std::uint64_t link, std::string_view bytes, std::string_view peer) {
  streams_.taken(link, bytes, [&](const WireMessage& message) {
    if (message.peer == peer) {
      ++messages_;
      record(link, message);
    }
  });
}

void WireRecord::record(std::uint64_t link, const WireMessage& message) {
  if (link < newest_link_) {
    return;  // What was parked for a connection when a newer one began.
  }
  const bool goes_on = std::exchange(newest_link_, link) == link;
  const bool is_logon = message.type == "A";
  if (message.duplicate) {
    resent(message);
    return;
  }
  if (message.type == "5" && logon_link_ != link) {
    return;  // The refusal of a Logon: it shows the next number and need not consume it.
  }
  if (is_logon) {
    logon_link_ = link;
  }
  if (message.number <= last_) {
    referee_.rule(restarts_ != 0 || (is_logon && message.reset), [&] {
      return name_ + ": number " + std::to_string(message.number) +
             " was used again, for a message 35=" + std::string(message.type) + ", after " +
             std::to_string(last_);
    });
    contents_.clear();
    restarts_ -= restarts_ != 0 ? 1 : 0;
  }
  referee_.rule(!continuous || !goes_on || message.number == last_ + 1, [&] {
    return name_ + ": number " + std::to_string(message.number) + " follows " +
           std::to_string(last_) + " on the same connection";
  });
  last_ = message.number;
  if (contents_.size() <= message.number) {
    contents_.resize(message.number + 1);
  }
  contents_[message.number] = message.content;
}

void WireRecord::resent(const WireMessage& message) {
  if (message.type == "4") {
    return;  // Stands for a range of numbers, not for itself.
  }
  referee_.rule(!message.is_admin(), [&] {
    return name_ + ": a session message was resent, 35=" + std::string(message.type);
  });
  if (message.number >= contents_.size() || contents_[message.number] == 0) {
    // Stored before a crash and not sent: this is its first transmission.
    if (contents_.size() <= message.number) {
      contents_.resize(message.number + 1);
    }
    contents_[message.number] = message.content;
    return;
  }
  referee_.rule(contents_[message.number] == message.content, [&] {
    return name_ + ": number " + std::to_string(message.number) +
           " was resent with another content";
  });
}

}  // namespace affix::simulation
