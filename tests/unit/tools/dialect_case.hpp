// SPDX-License-Identifier: MIT
// Shared by tests of the programs' messages: the three versions, messages with a complete header,
// and validation of everything written by the standard dictionary.
#pragma once

#include "affix/dictionary/validator.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "dictionary/standard.hpp"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace affix::tools {

/// BeginStrings, one for each dialect.
inline constexpr std::array begin_strings{"FIX.4.2", "FIX.4.4", "FIXT.1.1"};

inline std::string test_name(const ::testing::TestParamInfo<const char*>& version) {
  std::string name = version.param;
  std::erase(name, '.');
  return name;
}

/// The standard dictionary of a BeginString, FIX.5.0 SP2's for FIXT. Loaded once.
inline const affix::dictionary::Validator& validator_of(const std::string& begin_string) {
  static dictionary::StandardDictionaries dictionaries;
  static std::map<std::string, std::unique_ptr<affix::dictionary::Validator>> validators;
  auto& validator = validators[begin_string];
  if (!validator) {
    const auto& session = *dictionaries.find(dictionary::file_of_begin_string(begin_string));
    auto compiled = begin_string == "FIXT.1.1" ? affix::dictionary::Validator::compile(
                                                     session, *dictionaries.find("FIX50SP2.xml"))
                                               : affix::dictionary::Validator::compile(session);
    validator = std::make_unique<affix::dictionary::Validator>(std::move(*compiled));
  }
  return *validator;
}

/// A message that keeps its bytes.
class WrittenMessage {
 public:
  /// `write(begun)` adds the body after a header and returns the encoder.
  template <typename Write>
  WrittenMessage(const std::string& begin_string, std::string_view type, Write write) {
    wire::Encoder header(buffer_);
    header.begin(begin_string, type);
    header.text(49, "US");
    header.text(56, "THEM");
    header.integer(34, 2);
    header.utc_time(52, base::UtcTime{}, wire::TimePrecision::Millis);
    wire::Encoder message = write(header);
    const auto bytes = message.finish();
    EXPECT_TRUE(bytes) << wire::to_text(message.error()) << ", tag " << message.error_tag();
    bytes_ = bytes.value_or("");
    wire::index_message(bytes_, index_);
    EXPECT_TRUE(index_.clean());
    const auto violation =
        validator_of(begin_string).validate(view(), affix::dictionary::Rules::strict());
    EXPECT_FALSE(violation) << text() << ": tag " << violation->tag << ", reason "
                            << violation->reason;
  }

  WrittenMessage(const WrittenMessage&) = delete;
  WrittenMessage& operator=(const WrittenMessage&) = delete;

  [[nodiscard]] wire::MessageView view() const { return {bytes_, index_}; }

  /// Replaces SOH by `|`.
  [[nodiscard]] std::string text() const {
    std::string readable(bytes_);
    for (char& byte : readable) {
      byte = byte == '\x01' ? '|' : byte;
    }
    return readable;
  }

  /// All fields between SendingTime and the checksum, readable.
  [[nodiscard]] std::string body() const {
    const std::string readable = text();
    const std::size_t begin = readable.find('|', readable.find("|52=") + 1) + 1;
    return readable.substr(begin, readable.rfind("10=") - begin);
  }

 private:
  std::array<char, 16'384> buffer_;
  std::string_view bytes_;
  wire::FieldIndexOf<2048> index_;
};

}  // namespace affix::tools
