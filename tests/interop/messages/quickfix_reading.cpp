// SPDX-License-Identifier: MIT
// Reads with QuickFIX's own dictionary and validation.
#include "messages/quickfix_reading.hpp"

#include <algorithm>
#include <exception>
#include <quickfix/DataDictionary.h>
#include <quickfix/Exceptions.h>
#include <quickfix/Message.h>
#include <string>
#include <utility>
#include <vector>

namespace affix {
namespace interop {

struct QuickfixReader::Dictionaries {
  explicit Dictionaries(const std::string& application_file, const std::string& transport_file)
      : application(application_file),
        transport(transport_file.empty() ? application_file : transport_file) {}

  FIX::DataDictionary application;
  FIX::DataDictionary transport;
};

namespace {

using Fields = std::vector<std::pair<int, std::string>>;

void append(const FIX::FieldMap& map, Fields& fields) {
  for (FIX::FieldMap::const_iterator at = map.begin(); at != map.end(); ++at) {
    fields.push_back(std::make_pair(at->getTag(), at->getString()));
  }
  for (FIX::FieldMap::g_const_iterator group = map.g_begin(); group != map.g_end(); ++group) {
    for (const FIX::FieldMap* entry : group->second) {
      append(*entry, fields);
    }
  }
}

}  // namespace

QuickfixReader::QuickfixReader(const std::string& dictionary, const std::string& transport)
    : dictionaries_(new Dictionaries(dictionary, transport)) {}

QuickfixReader::~QuickfixReader() {}

QuickfixMessage QuickfixReader::read(const std::string& bytes) const {
  QuickfixMessage result;
  try {
    const FIX::DataDictionary& transport = dictionaries_->transport;
    FIX::Message message(bytes, transport, dictionaries_->application, true);
    // Like its sessions: session messages are validated only by the transport's dictionary.
    FIX::DataDictionary::validate(message, &transport,
                                  message.isAdmin() ? &transport : &dictionaries_->application);
    append(message.getHeader(), result.fields);
    append(message, result.fields);
    append(message.getTrailer(), result.fields);
    std::sort(result.fields.begin(), result.fields.end());
    result.rewritten = message.toString();
  } catch (const FIX::TagNotDefinedForMessage& error) {
    result.error = std::string(error.what()) + ": " + std::to_string(error.field);
  } catch (const std::exception& error) {
    result.error = error.what();
    if (result.error.empty()) {
      result.error = "an exception without text";
    }
  }
  return result;
}

}  // namespace interop
}  // namespace affix
