// SPDX-License-Identifier: MIT
// Compiled as C++14, beside quickfix_codec.cpp.
#include "quickfix_validation.hpp"

#include <cstdio>
#include <cstdlib>
#include <quickfix/DataDictionary.h>
#include <quickfix/Exceptions.h>
#include <quickfix/Message.h>
#include <string>

namespace affix_bench {

struct QuickfixDictionaries::Parts {
  Parts(const std::string& transport, const std::string& application)
      : session(transport), messages(application) {}

  FIX::DataDictionary session;
  FIX::DataDictionary messages;
};

QuickfixDictionaries::QuickfixDictionaries(const char* transport, const char* application)
    : parts_(nullptr) {
  try {
    parts_ = new Parts(transport, application);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "QuickFIX does not read the dictionaries: %s\n", error.what());
    std::exit(2);
  }
}

QuickfixDictionaries::~QuickfixDictionaries() {
  delete parts_;
}

namespace {

FIX::Message& kept_message() {
  thread_local FIX::Message message;
  return message;
}

std::string& kept_text() {
  thread_local std::string text;
  return text;
}

}  // namespace

bool quickfix_parse_with(const QuickfixDictionaries& dictionaries, const char* bytes,
                         std::size_t size) {
  const QuickfixDictionaries::Parts& parts = dictionaries.parts();
  try {
    kept_message().setString(kept_text().assign(bytes, size), true, &parts.session,
                             &parts.messages);
  } catch (const FIX::InvalidMessage&) {
    return false;
  }
  return true;
}

QuickfixVerdict quickfix_parse_and_validate(const QuickfixDictionaries& dictionaries,
                                            const char* bytes, std::size_t size) {
  if (!quickfix_parse_with(dictionaries, bytes, size)) {
    return {-2, -1};
  }
  const QuickfixDictionaries::Parts& parts = dictionaries.parts();
  try {
    FIX::DataDictionary::validate(kept_message(), &parts.session, &parts.messages);
  } catch (const FIX::InvalidTagNumber& fault) {
    return {0, fault.field};
  } catch (const FIX::RequiredTagMissing& fault) {
    return {1, fault.field};
  } catch (const FIX::TagNotDefinedForMessage& fault) {
    return {2, fault.field};
  } catch (const FIX::NoTagValue& fault) {
    return {4, fault.field};
  } catch (const FIX::IncorrectTagValue& fault) {
    return {5, fault.field};
  } catch (const FIX::IncorrectDataFormat& fault) {
    return {6, fault.field};
  } catch (const FIX::InvalidMessageType&) {
    return {11, -1};
  } catch (const FIX::RepeatedTag& fault) {
    return {13, fault.field};
  } catch (const FIX::TagOutOfOrder& fault) {
    return {14, fault.field};
  } catch (const FIX::RepeatingGroupCountMismatch& fault) {
    return {16, fault.field};
  }
  return {-1, -1};
}

}  // namespace affix_bench
