// SPDX-License-Identifier: MIT
// Compares what nodes say with each other and with the journals of those that take over.
#include "simulation/ledger.hpp"

#include "affix/journal/reader.hpp"

#include <algorithm>

namespace affix::simulation {

namespace {

std::string quoted_number(std::uint64_t number) {
  return "number " + std::to_string(number);
}

}  // namespace

Ledger::Ledger(Referee& referee, const FailoverPlan& plan, std::size_t peer)
    : referee_(referee),
      plan_(plan),
      name_("session with " + peer_name(peer)),
      streams_(referee, name_) {}

void Ledger::speaks(std::size_t node, std::uint64_t epoch, std::uint64_t link,
                    std::string_view bytes) {
  if (bytes.find("\x01"
                 "35=A\x01") != std::string_view::npos) {
    heard_from_.insert(link);
  }
  if (!heard_from_.contains(link)) {
    return;  // The refusal of a Logon, which any node may say.
  }
  referee_.rule(epoch != 0,
                [&] { return name_ + ": node " + node_name(node) + " speaks and does not lead"; });
  referee_.rule(epoch >= epoch_, [&] {
    return name_ + ": node " + node_name(node) + " speaks in epoch " + std::to_string(epoch) +
           " after node " + node_name(speaker_) + " has spoken in epoch " + std::to_string(epoch_);
  });
  referee_.rule(epoch != epoch_ || node == speaker_, [&] {
    return name_ + ": nodes " + node_name(node) + " and " + node_name(speaker_) +
           " both speak in epoch " + std::to_string(epoch);
  });
  if (epoch > epoch_) {
    epoch_ = epoch;
    speaker_ = node;
  }
}

void Ledger::taken(std::size_t node, std::uint64_t link, std::string_view bytes) {
  streams_.taken(link, bytes, [&](const WireMessage& message) {
    ++messages_;
    record(node, link, message);
  });
}

void Ledger::record(std::size_t node, std::uint64_t link, const WireMessage& message) {
  if (message.type == "5" && !logged_on_.contains(link)) {
    return;  // The refusal of a Logon: it shows the next number and need not consume it.
  }
  if (message.type == "A") {
    logged_on_.insert(link);
    newest_link_ = std::max(newest_link_, link);
  }
  referee_.rule(!message.reset, [&] { return name_ + ": the numbers are reset"; });
  if (message.duplicate) {
    if (message.type == "4") {
      return;  // Stands for a range of numbers, not for itself.
    }
    referee_.rule(!message.is_admin(), [&] {
      return name_ + ": a session message was resent, 35=" + std::string(message.type);
    });
  } else {
    // Output that was parked for an older connection may follow; it is compared below.
    referee_.rule(message.number > last_ || link != newest_link_, [&] {
      return name_ + ": " + quoted_number(message.number) + " was used again by node " +
             node_name(node) + ", for a message 35=" + std::string(message.type) + ", after " +
             std::to_string(last_);
    });
    last_ = std::max(last_, message.number);
  }
  const auto [at, is_new] =
      said_.try_emplace(message.number, Said{message.content, node, std::string(message.type)});
  referee_.rule(is_new || at->second.content == message.content, [&] {
    return name_ + ": " + quoted_number(message.number) + " has one content of node " +
           node_name(at->second.node) + " (35=" + at->second.type + ") and another of node " +
           node_name(node) + " (35=" + std::string(message.type) + ")";
  });
}

void Ledger::check_promoted(std::size_t node, std::uint64_t epoch, const std::string& journal,
                            std::uint64_t next) {
  if (epoch < epoch_) {
    return;  // It was paused, and another has led since: it will be told, and may say nothing.
  }
  auto reader = journal::Reader::open(journal);
  referee_.rule(reader.has_value(), [&] { return name_ + ": " + reader.error().text(); });
  if (!reader) {
    return;
  }
  std::map<std::uint64_t, std::uint64_t> stored;
  std::set<std::uint64_t> received;
  while (const std::optional<journal::Record> record = reader->next()) {
    if (record->kind == journal::Kind::Sent) {
      stored[record->sequence] =
          record->message_omitted ? 0 : read_wire_message(record->bytes).content;
    } else if (record->kind == journal::Kind::Received) {
      received.insert(record->sequence);
    }
  }
  referee_.rule(!reader->damage(), [&] { return name_ + ": " + reader->damage()->text(); });
  for (const auto& [number, said] : said_) {
    const auto found = stored.find(number);
    if (found == stored.end()) {
      // In ASYNC the content may be lost, but not the number.
      referee_.rule(plan_.is_async() && number < next, [&] {
        return name_ + ": node " + node_name(node) + " leads without " + quoted_number(number) +
               " (35=" + said.type + "), which node " + node_name(said.node) +
               " has sent; its next one is " + std::to_string(next);
      });
    } else {
      referee_.rule(found->second == 0 || found->second == said.content, [&] {
        return name_ + ": node " + node_name(node) + " leads with another content of " +
               quoted_number(number) + " than node " + node_name(said.node) + " has sent";
      });
    }
  }
  if (plan_.replication != config::Replication::BeforeDeliver) {
    return;
  }
  for (const std::uint64_t number : delivered_) {
    referee_.rule(received.contains(number), [&] {
      return name_ + ": node " + node_name(node) + " leads without the peer's " +
             quoted_number(number) + ", which an application has acted on";
    });
  }
}

void Ledger::answered(std::uint64_t order) {
  referee_.rule(order != 0 && order < next_order_, [&] {
    return name_ + ": order " + std::to_string(order) + " is answered and was never sent";
  });
  answers_ += open_.erase(order);
}

std::string Ledger::open_orders() const {
  return std::to_string(open_.size()) + " orders are not answered" +
         (open_.empty() ? std::string()
                        : ", from " + std::to_string(*open_.begin()) + " to " +
                              std::to_string(*open_.rbegin()));
}

}  // namespace affix::simulation
