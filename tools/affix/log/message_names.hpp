// SPDX-License-Identifier: MIT
// Names for what a message has as numbers: its type, its fields, their values. From the standard
// dictionaries of the version that the message says it has.
#pragma once

#include "affix/wire/view.hpp"

#include "dictionary/standard.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Texts live as long as this. Empty where the dictionary has no name, or there is no dictionary.
class MessageNames {
 public:
  explicit MessageNames(std::string directory = dictionary::standard_directory())
      : dictionaries_(std::move(directory)) {}

  /// A dictionary file, asked before the standard ones and after those added earlier. False when it
  /// cannot be read: problems() then has one more line.
  bool add_dictionary(const std::string& path);

  /// Turns to a message of `session`. A FIXT message's application version is its own ApplVerID
  /// (1128), else the DefaultApplVerID (1137) of the session's last Logon that was shown here, else
  /// FIX.5.0SP2.
  void turn_to(const wire::MessageView& message, const std::string& session);

  /// "NewOrderSingle", of the message turned to.
  [[nodiscard]] std::string_view type() const noexcept { return type_; }

  [[nodiscard]] std::string_view field(std::uint32_t tag) const noexcept;

  /// "BUY" for (54, "1"). Of a multiple value only when it has one part.
  [[nodiscard]] std::string_view value(std::uint32_t tag, std::string_view code) const noexcept;

  /// Those that are asked about the message turned to, in that order.
  [[nodiscard]] std::vector<const affix::dictionary::Dictionary*> dictionaries() const;

  /// Why names are missing, a line each.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  /// Calls `ask` with each dictionary until it gives something.
  template <typename Ask>
  [[nodiscard]] std::string_view first_of(Ask ask) const;

  dictionary::StandardDictionaries dictionaries_;
  std::vector<affix::dictionary::Dictionary> own_;
  std::vector<std::string> own_problems_;
  std::map<std::string, std::string, std::less<>> application_files_;  ///< By session.
  const affix::dictionary::Dictionary* session_ = nullptr;      ///< Header, session messages.
  const affix::dictionary::Dictionary* application_ = nullptr;  ///< Null but for FIXT.
  std::string_view type_;
};

}  // namespace affix::inline v0::tools::log
