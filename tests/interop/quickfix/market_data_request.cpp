// SPDX-License-Identifier: MIT
// MarketDataRequest with its two groups, in QuickFIX's classes.
#include "market_data_request.hpp"

#include <quickfix/FixFields.h>
#include <quickfix/Group.h>
#include <stdexcept>
#include <string>

namespace interop {
namespace {

/// FIX's code for `word`: its index in `known`.
std::string code_of(const std::string& word, const std::vector<std::string>& known) {
  for (std::size_t at = 0; at < known.size(); ++at) {
    if (known[at] == word) {
      return std::to_string(at);
    }
  }
  throw std::invalid_argument("not known: " + word);
}

}  // namespace

FIX::Message make_market_data_request(const Words& words) {
  if (words.size() < 7) {
    throw std::invalid_argument("market_data takes at least 6 arguments");
  }
  FIX::Message message;
  message.getHeader().setField(FIX::FIELD::MsgType, "V");
  message.setField(FIX::FIELD::MDReqID, words[1]);
  message.setField(FIX::FIELD::SubscriptionRequestType,
                   code_of(words[2], {"snapshot", "subscribe", "unsubscribe"}));
  message.setField(FIX::FIELD::MarketDepth, words[3]);
  if (words[4] != "-") {
    message.setField(FIX::FIELD::MDUpdateType, code_of(words[4], {"full", "incremental"}));
  }
  for (const char type : words[5]) {
    FIX::Group entry(FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType);
    entry.setField(FIX::FIELD::MDEntryType, std::string(1, type));
    message.addGroup(entry);
  }
  for (std::size_t at = 6; at < words.size(); ++at) {
    FIX::Group symbol(FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol);
    symbol.setField(FIX::FIELD::Symbol, words[at]);
    message.addGroup(symbol);
  }
  return message;
}

}  // namespace interop
