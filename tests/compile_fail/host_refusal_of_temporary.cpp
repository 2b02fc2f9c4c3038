// SPDX-License-Identifier: MIT
// A refusal's text is read after the callback has returned; a temporary string is gone by then.
// Expected: deleted

#include "affix/host/application.hpp"

#include <string>

affix::host::LogonAnswer refusal(const std::string& user) {
  static std::string kept;
  kept = "no such user: " + user;
#ifdef AFFIX_EXPECT_FAILURE
  return affix::host::LogonAnswer::refuse("no such user: " + user);
#else
  return user.empty() ? affix::host::LogonAnswer::refuse("no user")
                      : affix::host::LogonAnswer::refuse(kept);
#endif
}
