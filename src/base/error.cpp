// SPDX-License-Identifier: MIT
// Texts of error codes and of errno.
#include "affix/base/error.hpp"

#include <cerrno>
#include <system_error>

namespace affix::inline v0::base {

namespace {

ErrorCode code_of(int error_number) noexcept {
  switch (error_number) {
    case ENOENT:
      return ErrorCode::NotFound;
    case EEXIST:
    case EADDRINUSE:
      return ErrorCode::AlreadyExists;
    case ENOSPC:
    case EDQUOT:
      return ErrorCode::NoSpace;
    case EACCES:
    case EPERM:
    case ECONNREFUSED:
    case EROFS:
      return ErrorCode::Denied;
    default:
      return ErrorCode::Io;
  }
}

}  // namespace

const char* to_text(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::InvalidArgument:
      return "invalid argument";
    case ErrorCode::NotFound:
      return "not found";
    case ErrorCode::AlreadyExists:
      return "already exists";
    case ErrorCode::Locked:
      return "locked";
    case ErrorCode::Damaged:
      return "damaged";
    case ErrorCode::Unsupported:
      return "unsupported";
    case ErrorCode::NoSpace:
      return "no space";
    case ErrorCode::Denied:
      return "denied";
    case ErrorCode::Io:
      return "input/output";
    case ErrorCode::Limit:
      return "limit";
  }
  return "unknown";
}

Error make_system_error(const char* call, int error_number, std::string where) {
  return Error{code_of(error_number),
               std::string(call) + ": " + std::generic_category().message(error_number),
               std::move(where)};
}

}  // namespace affix::inline v0::base
