// SPDX-License-Identifier: MIT
// Names for a message's type, fields and values, from the standard dictionaries of the message's
// version.
#pragma once

#include "affix/wire/view.hpp"

#include "dictionary/standard.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Texts are valid as long as this. Empty if the dictionary has no name, or there is no dictionary.
class MessageNames {
 public:
  explicit MessageNames(std::string directory = dictionary::standard_directory())
      : dictionaries_(std::move(directory)) {}

  /// Adds a dictionary file, searched before the standard ones and after those added earlier. False
  /// when it cannot be read: problems() then has another line.
  bool add_dictionary(const std::string& path);

  /// Sets the message, of `session`, that later calls refer to. A FIXT message's application
  /// version is its ApplVerID (1128), else the DefaultApplVerID (1137) of the session's last Logon
  /// set here, else FIX.5.0SP2.
  void turn_to(const wire::MessageView& message, const std::string& session);

  /// "NewOrderSingle", of the present message.
  [[nodiscard]] std::string_view type() const noexcept { return type_; }

  [[nodiscard]] std::string_view field(std::uint32_t tag) const noexcept;

  /// "BUY" for (54, "1"). For a multiple value only if it has one part.
  [[nodiscard]] std::string_view value(std::uint32_t tag, std::string_view code) const noexcept;

  /// The dictionaries for the present message, in the order in which they are searched.
  [[nodiscard]] std::vector<const affix::dictionary::Dictionary*> dictionaries() const;

  /// Reasons for missing names, a line each.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  /// Calls `ask` with each dictionary until it returns a value.
  template <typename Ask>
  [[nodiscard]] std::string_view first_of(Ask ask) const;

  dictionary::StandardDictionaries dictionaries_;
  std::vector<affix::dictionary::Dictionary> own_;
  std::vector<std::string> own_problems_;
  std::map<std::string, std::string, std::less<>> application_files_;  ///< By session.
  const affix::dictionary::Dictionary* session_ = nullptr;      ///< Header, session messages.
  const affix::dictionary::Dictionary* application_ = nullptr;  ///< Null unless FIXT.
  std::string_view type_;
};

}  // namespace affix::inline v0::tools::log
