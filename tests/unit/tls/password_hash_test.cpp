// SPDX-License-Identifier: MIT
// Hashes of passwords, and comparison of secrets.
#include "affix/tls/password_hash.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tls {
namespace {

TEST(SameSecret, ComparesWholeTexts) {
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_TRUE(same_secret("open", "open"));
  EXPECT_FALSE(same_secret("", "open"));
  EXPECT_FALSE(same_secret("open", ""));
  EXPECT_FALSE(same_secret("ope", "open"));
  EXPECT_FALSE(same_secret("openopen", "open"));
  EXPECT_FALSE(same_secret("oben", "open"));
}

class PasswordHashes : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto made = PasswordHash::make("x", PasswordHash::iterations_min); !made) {
      GTEST_SKIP() << made.error().text();
    }
  }
};

TEST_F(PasswordHashes, AreThoseOfOtherImplementations) {
  // By Python: hashlib.pbkdf2_hmac("sha256", b"open sesame", b"saltSALT", 1000), in base64.
  const auto hash = PasswordHash::parse(
      "pbkdf2_sha256$1000$saltSALT$JRjAoxFM4iK7PHQMzNAzfFxUl01VIBd3X/ecVPSCHz0=");
  ASSERT_TRUE(hash) << hash.error().text();
  EXPECT_TRUE(hash->matches("open sesame"));
  EXPECT_FALSE(hash->matches("open sesam"));
  EXPECT_FALSE(hash->matches(""));
}

TEST_F(PasswordHashes, GoThroughTheirText) {
  const auto made = PasswordHash::make("hunter2", 2'000);
  ASSERT_TRUE(made);
  const auto read = PasswordHash::parse(made->text());
  ASSERT_TRUE(read) << made->text();
  EXPECT_EQ(read->text(), made->text());
  EXPECT_EQ(read->iterations(), 2'000U);
  EXPECT_TRUE(read->matches("hunter2"));
  EXPECT_NE(PasswordHash::make("hunter2", 2'000)->text(), made->text());  // Another salt.
}

TEST_F(PasswordHashes, NonsenseIsRefused) {
  const std::string key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  EXPECT_TRUE(PasswordHash::parse("pbkdf2_sha256$1000$s$" + key));
  for (const std::string& text :
       {std::string(), std::string("hunter2"), "pbkdf2_sha1$1000$s$" + key,
        "pbkdf2_sha256$999$s$" + key, "pbkdf2_sha256$10000001$s$" + key,
        "pbkdf2_sha256$-5$s$" + key, "pbkdf2_sha256$1000x$s$" + key, "pbkdf2_sha256$1000$$" + key,
        "pbkdf2_sha256$1000$" + std::string(65, 's') + "$" + key,
        std::string("pbkdf2_sha256$1000$s$"), "pbkdf2_sha256$1000$s$" + key + "=",
        "pbkdf2_sha256$1000$s$" + key.substr(1), "pbkdf2_sha256$1000$s$!" + key.substr(1),
        "pbkdf2_sha256$1000$s$" + key.substr(0, 42) + "=="}) {
    EXPECT_FALSE(PasswordHash::parse(text)) << text;
  }
  EXPECT_FALSE(PasswordHash::make("", 2'000));
  EXPECT_FALSE(PasswordHash::make("x", 1));
}

}  // namespace
}  // namespace affix::tls
