// SPDX-License-Identifier: MIT
// The error of operators' and environments' faults: reported once, fully, as the other half of
// std::expected. Peer faults are enum values of their layer and never become one of these.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace affix::inline v0::base {

/// What kind of fault it is, so that a program can decide without reading the text.
enum class ErrorCode : std::uint8_t {
  InvalidArgument,  ///< A value the caller or a configuration gave is not allowed.
  NotFound,         ///< A named file, host, session or key does not exist.
  AlreadyExists,    ///< A name is taken.
  Locked,           ///< Another process holds it.
  Damaged,          ///< Stored bytes contradict themselves.
  Unsupported,      ///< A format version, kernel or feature that this build does not have.
  NoSpace,          ///< A disk, table or queue is full.
  Denied,           ///< The operating system or a peer refused.
  Io,               ///< A system call failed; the message holds its name and errno's text.
  Limit,            ///< A named limit was met.
};

/// Text of a code, static storage.
[[nodiscard]] const char* to_text(ErrorCode code) noexcept;

/// A fault with everything its reader needs: what happened, and where (file:line, path, address,
/// session). Allocates; made at start-up, at opening and on failure paths only.
struct Error {
  ErrorCode code = ErrorCode::InvalidArgument;
  std::string message;
  std::string where;

  /// "where: message", or the message alone.
  [[nodiscard]] std::string text() const {
    return where.empty() ? message : where + ": " + message;
  }
};

/// Error of the system call `call`, which has just set errno to `error_number`; where = what it was
/// called on.
[[nodiscard]] Error make_system_error(const char* call, int error_number, std::string where);

}  // namespace affix::inline v0::base
