// SPDX-License-Identifier: MIT
// Any bytes as an entry of the election store, and as each kind of answer of etcd. What is read has
// one text; nothing is read of what is not whole.
#include "affix/replication/election_entry.hpp"

#include "program_input.hpp"
#include "service/etcd_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace replication = affix::replication;
namespace service = affix::service;
using affix_fuzz::require;

void read_entry(std::string_view text) {
  const auto entry = replication::parse_entry(text);
  if (!entry) {
    require(!entry.error().message.empty());
    return;
  }
  const std::string again = replication::to_text(*entry);
  require(again == text || again == std::string(text) + "\n");
  require(replication::parse_entry(again) == *entry);
  require(entry->primary.empty() ? entry->in_sync.empty() && entry->epoch == 0
                                 : entry->has_in_sync(entry->primary));
  require(std::ranges::is_sorted(entry->in_sync));
  require(std::ranges::all_of(entry->in_sync, replication::is_election_name));
}

void read_answers(std::string_view text) {
  if (const auto values = service::read_range(text)) {
    for (const service::EtcdValue& value : *values) {
      require(value.revision != 0);
      read_entry(value.value);
    }
  }
  if (const auto write = service::read_write(text)) {
    require(write->is_written ? write->revision != 0 && !write->present
                              : !write->present || write->present->revision != 0);
  }
  if (const auto token = service::read_token(text)) {
    require(!token->empty());
    require(std::ranges::all_of(*token, [](char c) { return c > ' ' && c < '\x7F'; }));
  }
  const service::EtcdFault fault = service::read_fault(text);
  static_cast<void>(service::is_refusal(fault));
  static_cast<void>(service::is_about_token(fault));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  read_entry(bytes);
  read_answers(bytes);
  if (const auto plain = service::from_base64(bytes)) {
    require(service::to_base64(*plain) == bytes);
  }
  require(service::from_base64(service::to_base64(bytes)) == bytes);
  // Any bytes make a request that is JSON, so etcd can refuse it.
  require(!service::token_request(bytes, bytes).empty());
  return 0;
}
