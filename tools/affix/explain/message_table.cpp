// SPDX-License-Identifier: MIT
// Finds rows in the table of messages.
#include "explain/message_table.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace affix::inline v0::tools::explain {

const char* to_text(Kind kind) noexcept {
  switch (kind) {
    case Kind::Error:
      return "error";
    case Kind::Warning:
      return "warning";
    case Kind::Note:
      return "note";
  }
  return "";
}

std::vector<const MessageRow*> all_messages() {
  std::vector<const MessageRow*> all;
  for (const std::span<const MessageRow> area :
       {administration_messages(), configuration_messages(), dictionary_messages(),
        election_messages(), engine_messages(), failover_messages(), journal_messages(),
        keeper_messages(), load_messages(), monitor_messages(), network_messages(),
        system_messages(), programs_messages(), import_messages(), replication_messages(),
        session_messages(), tls_messages()}) {
    for (const MessageRow& row : area) {
      all.push_back(&row);
    }
  }
  std::ranges::sort(all, {}, [](const MessageRow* row) { return row->code; });
  return all;
}

const MessageRow* find_message(base::MessageCode code) {
  for (const MessageRow* const row : all_messages()) {
    if (row->code == code) {
      return row;
    }
  }
  return nullptr;
}

std::vector<std::string> nearest_codes(std::string_view word, std::size_t most) {
  const std::string_view digits(std::ranges::find_if(word, base::is_digit), word.end());
  const std::string letters = base::in_upper_case({word.begin(), digits.begin()});
  const char area = letters.empty() ? '\0' : letters.front();
  const int number = std::atoi(std::string(digits.substr(0, 6)).c_str());
  // Another letter is a worse mistake than any other number.
  constexpr int other_area = 10'000'000;
  std::vector<std::pair<int, const MessageRow*>> far;
  for (const MessageRow* const row : all_messages()) {
    const std::string_view code = row->code.text();
    const int apart = std::abs(std::atoi(std::string(code.substr(1)).c_str()) - number);
    far.emplace_back(code.front() == area ? apart : other_area + apart, row);
  }
  std::ranges::sort(far, {}, [](const auto& one) {
    return std::pair(one.first, one.second->code);  // The nearest first, then by code.
  });
  const bool knows_area = far.front().first < other_area;
  std::vector<std::string> near;
  for (const auto& [apart, row] : far) {
    if (near.size() == most || (knows_area && apart >= other_area)) {
      break;
    }
    near.emplace_back(row->code.text());
  }
  return near;
}

}  // namespace affix::inline v0::tools::explain
