// SPDX-License-Identifier: MIT
// Our enums have FIX's characters; each version has its own enums for them.
#pragma once

#include "affix/messages/code.hpp"

#include <cstdint>
#include <type_traits>

namespace affix::inline v0::tools {

/// Converts to the enum of the field that it is passed to.
class CodeOf {
 public:
  template <typename Enum>
    requires std::is_enum_v<Enum>
  constexpr explicit CodeOf(Enum value) noexcept : character_(static_cast<char>(value)) {}

  constexpr explicit CodeOf(char character) noexcept : character_(character) {}

  // Not explicit: the field's setter determines the enum.
  template <messages::Coded Code>
  constexpr operator Code() const noexcept {
    if constexpr (std::is_same_v<std::underlying_type_t<Code>, char>) {
      return static_cast<Code>(character_);
    } else {
      static_assert(std::is_same_v<std::underlying_type_t<Code>, std::int32_t>,
                    "codes of several characters are not ours");
      return static_cast<Code>(character_ - '0');
    }
  }

 private:
  char character_;
};

/// Does the same for a code that is a number.
class CodeNumber {
 public:
  constexpr explicit CodeNumber(std::int32_t number) noexcept : number_(number) {}

  template <messages::Coded Code>
  constexpr operator Code() const noexcept {
    static_assert(std::is_same_v<std::underlying_type_t<Code>, std::int32_t>);
    return static_cast<Code>(number_);
  }

 private:
  std::int32_t number_;
};

}  // namespace affix::inline v0::tools
