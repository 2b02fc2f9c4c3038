// SPDX-License-Identifier: MIT
// QuickFIX's FileStore as a contender: stores one message and advances the sender's number.
// Compiled as C++14, which QuickFIX's headers need.
#pragma once

#include <memory>
#include <string>

namespace affix_bench {

class QuickfixStore {
 public:
  virtual ~QuickfixStore() = default;

  /// Stores `message` under the next number and moves the number.
  virtual void append(const std::string& message) = 0;
};

/// A store in `directory`, which it makes.
std::unique_ptr<QuickfixStore> make_quickfix_store(const std::string& directory);

}  // namespace affix_bench
