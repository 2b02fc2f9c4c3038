// SPDX-License-Identifier: MIT
// Errors have a message and a place; errno maps to a code that a program can handle.
#include "affix/base/error.hpp"

#include <cerrno>
#include <expected>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::base {
namespace {

TEST(Error, TextNamesThePlace) {
  EXPECT_EQ((Error{ErrorCode::NotFound, "no such key", "a.ini:7"}).text(), "a.ini:7: no such key");
  EXPECT_EQ((Error{ErrorCode::NotFound, "no such key", ""}).text(), "no such key");
}

TEST(Error, SystemErrorsKeepCallAndText) {
  const Error error = make_system_error("open", ENOENT, "/nowhere");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.where, "/nowhere");
  EXPECT_TRUE(error.message.starts_with("open: "));
}

TEST(Error, EqualErrorsAreEqualInEveryMember) {
  const Error one{ErrorCode::InvalidArgument, "no number", {}, "C207"};
  const std::expected<int, Error> refused = invalid_argument("no number", "C207");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), one);
  Error other = one;
  other.line = 3;
  EXPECT_NE(other, one);
}

TEST(Error, SystemErrorsMapToCodes) {
  EXPECT_EQ(make_system_error("write", ENOSPC, "").code, ErrorCode::NoSpace);
  EXPECT_EQ(make_system_error("bind", EADDRINUSE, "").code, ErrorCode::AlreadyExists);
  EXPECT_EQ(make_system_error("open", EACCES, "").code, ErrorCode::Denied);
  EXPECT_EQ(make_system_error("fsync", EIO, "").code, ErrorCode::Io);
  for (const int lack : {EMFILE, ENFILE, ENOMEM, EAGAIN}) {
    EXPECT_EQ(make_system_error("open", lack, "").code, ErrorCode::Exhausted);
  }
}

TEST(Error, EveryCodeHasItsOwnText) {
  std::set<std::string> texts;
  for (int code = 0; code <= static_cast<int>(ErrorCode::Exhausted); ++code) {
    texts.insert(to_text(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(ErrorCode::Exhausted) + 1);
}

}  // namespace
}  // namespace affix::base
