// SPDX-License-Identifier: MIT
// Texts of error codes and of errno.
#include "affix/base/error.hpp"

#include <cerrno>
#include <system_error>

namespace affix::inline v0::base {

namespace {

MessageCode message_code_of(int error_number) noexcept {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return "O101";
    case EACCES:
    case EPERM:
      return "O102";
    case ENOSPC:
    case EDQUOT:
      return "O103";
    case EROFS:
      return "O104";
    case EADDRINUSE:
      return "O105";
    case EADDRNOTAVAIL:
      return "O106";
    case ECONNREFUSED:
      return "O107";
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
      return "O108";
    case ETIMEDOUT:
      return "O109";
    case EMFILE:
    case ENFILE:
      return "O110";
    case ENOMEM:
    case EAGAIN:
      return "O111";
    case EEXIST:
      return "O112";
    case EIO:
      return "O113";
    case EFBIG:
      return "O114";
    default:
      return "O199";
  }
}

}  // namespace

ErrorCode code_of_errno(int error_number) noexcept {
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
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return ErrorCode::Exhausted;
    default:
      return ErrorCode::Io;
  }
}

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
    case ErrorCode::Exhausted:
      return "exhausted";
  }
  return "unknown";
}

Error make_system_error(const char* call, int error_number, std::string where) {
  return Error{code_of_errno(error_number),
               std::string(call) + ": " + std::generic_category().message(error_number),
               std::move(where), message_code_of(error_number)};
}

}  // namespace affix::inline v0::base
