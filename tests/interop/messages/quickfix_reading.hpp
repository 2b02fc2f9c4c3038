// SPDX-License-Identifier: MIT
// QuickFIX as a reader and writer of single messages, behind an interface without its headers,
// which C++17 does not compile.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix {
namespace interop {

struct QuickfixMessage {
  std::string error;  ///< Its validation error; empty if none.
  /// Every known field by its place (header, body, groups), sorted.
  std::vector<std::pair<int, std::string>> fields;
  std::string rewritten;  ///< The message as QuickFIX writes it.
};

/// The dictionaries are loaded once; `transport` is empty before FIX 5.0.
class QuickfixReader {
 public:
  QuickfixReader(const std::string& dictionary, const std::string& transport);
  ~QuickfixReader();
  QuickfixReader(const QuickfixReader&) = delete;
  QuickfixReader& operator=(const QuickfixReader&) = delete;

  /// Parses with the dictionary, validates, and writes again.
  QuickfixMessage read(const std::string& bytes) const;

 private:
  struct Dictionaries;
  std::unique_ptr<Dictionaries> dictionaries_;
};

}  // namespace interop
}  // namespace affix
