// SPDX-License-Identifier: MIT
// The way to one keeper for an owner that uses several of its instances.
#pragma once

#include "affix/keeper/keeper.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::keeper {

/// One thread.
class Access {
 public:
  Access() noexcept = default;
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  virtual ~Access() = default;

  /// open_keeper() has the contract; another owner is not waited for.
  [[nodiscard]] virtual std::expected<std::unique_ptr<Keeper>, base::Error> open(
      std::string_view instance) = 0;

  /// make_absent_keeper() has the contract.
  [[nodiscard]] virtual std::expected<std::unique_ptr<Keeper>, base::Error> open_absent(
      std::string_view instance) = 0;
};

/// Of the program affix-keep whose socket has the path `where`; take() waits for `patience_ns` at
/// most. Opens nothing.
[[nodiscard]] std::unique_ptr<Access> make_access(std::string where, std::int64_t patience_ns);

}  // namespace affix::inline v0::keeper
