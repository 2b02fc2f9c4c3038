// SPDX-License-Identifier: MIT
// Errors caused by operators or the environment: reported once, in full, as the error type of
// std::expected. Faults of a peer are enum values of their layer and never use this type.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace affix::inline v0::base {

/// Kind of a fault, for decisions by programs without reading the text.
enum class ErrorCode : std::uint8_t {
  InvalidArgument,  ///< A value from the caller or a configuration is not allowed.
  NotFound,         ///< A named file, host, session or key does not exist.
  AlreadyExists,    ///< The name is in use.
  Locked,           ///< Another process holds the lock.
  Damaged,          ///< Stored bytes are contradictory.
  Unsupported,      ///< This build lacks the format version, kernel or feature.
  NoSpace,          ///< A disk, table or queue is full.
  Denied,           ///< The operating system or a peer refused.
  Io,               ///< A system call failed; the message has its name and errno's text.
  Limit,            ///< A named limit was reached.
  Exhausted,        ///< The process or the machine lacks descriptors or memory: may pass by itself.
};

/// Name of a code; static storage.
[[nodiscard]] const char* to_text(ErrorCode code) noexcept;

/// A fault with its description and its place (file:line, path, address, session). Allocates; for
/// start-up, opening and failure paths only.
struct Error {
  ErrorCode code = ErrorCode::InvalidArgument;  ///< For programs.
  std::string message;                          ///< For people; without its place.
  std::string where;                            ///< Empty: no place.
  MessageCode message_code = {};                ///< For people: `affix explain` says what to do.
  std::uint32_t line = 0;  ///< Of a text that was read, from 1, where `where` names one.

  /// "where: message", or the message alone.
  [[nodiscard]] std::string sentence() const {
    return where.empty() ? message : where + ": " + message;
  }

  /// The same with the message's code, if it has one: "where: message [J203]".
  [[nodiscard]] std::string text() const { return sentence() + suffix_of(message_code); }

  friend bool operator==(const Error&, const Error&) = default;

  /// " [J203]", or empty without a code.
  [[nodiscard]] static std::string suffix_of(MessageCode code) {
    return code ? " [" + std::string(code.text()) + "]" : std::string();
  }
};

/// InvalidArgument without a place, to return where a text or an option is read. Allocates.
[[nodiscard]] inline std::unexpected<Error> invalid_argument(std::string message,
                                                             MessageCode code) {
  return std::unexpected(Error{ErrorCode::InvalidArgument, std::move(message), {}, code});
}

/// Kind of the fault for which a system call set errno to `error_number`.
[[nodiscard]] ErrorCode code_of_errno(int error_number) noexcept;

/// Makes the error of system call `call`, which set errno to `error_number`; `where` is the object
/// of the call. Its message code depends on errno. Allocates.
[[nodiscard]] Error make_system_error(const char* call, int error_number, std::string where);

}  // namespace affix::inline v0::base
