// SPDX-License-Identifier: MIT
// Pins and locations of secrets: accepted and refused texts, and that no secret is repeated.
#include "affix/tls/tls_settings.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tls {
namespace {

const std::string digits = "00112233445566778899AABBCCDDEEFF0f1e2d3c4b5a69788796a5b4c3d2e1f0";

TEST(TlsPin, ReadsEverySubjectAndBothForms) {
  const auto plain = TlsPin::parse("leaf-certificate:" + digits);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->subject, TlsPin::Subject::LeafCertificate);
  EXPECT_EQ(plain->digest[0], 0x00);
  EXPECT_EQ(plain->digest[10], 0xAA);
  EXPECT_EQ(plain->digest[31], 0xF0);
  std::string with_colons;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    with_colons += (at == 0 ? "" : ":") + digits.substr(at, 2);
  }
  EXPECT_EQ(*TlsPin::parse("leaf-certificate: " + with_colons), *plain);
  EXPECT_EQ(*TlsPin::parse("leaf-certificate:ABEiM0RVZneImaq7zN3u/w8eLTxLWml4h5altMPS4fA="),
            *plain);
  EXPECT_EQ(TlsPin::parse("leaf-key:" + digits)->subject, TlsPin::Subject::LeafKey);
  EXPECT_EQ(TlsPin::parse("ca-certificate:" + digits)->subject, TlsPin::Subject::CaCertificate);
  EXPECT_EQ(TlsPin::parse("ca-key:" + digits)->subject, TlsPin::Subject::CaKey);
}

TEST(TlsPin, RefusesTextThatIsNotAPin) {
  for (const std::string& text :
       {std::string(), digits, "leaf:" + digits, std::string("leaf-key"), std::string("leaf-key:"),
        "leaf-key:" + digits.substr(2), "leaf-key:" + digits + "00",
        "leaf-key:x" + digits.substr(1),
        // Two bits after the last byte, which encoders leave zero.
        std::string("leaf-key:ABEiM0RVZneImaq7zN3u/w8eLTxLWml4h5altMPS4fB="),
        std::string("leaf-key:ABEiM0RVZneImaq7zN3u/w8eLTxLWml4h5altMPS4fA"),
        std::string("leaf-key:ABEiM0RVZneImaq7zN3u/w8eLTxLWml4h5altMPS4f-=")}) {
    EXPECT_FALSE(TlsPin::parse(text)) << text;
  }
}

TEST(TlsPin, ListsHaveCommasLinesAndComments) {
  const auto pins = TlsPin::parse_list("leaf-key:" + digits + " , ca-key:" + digits +
                                       ",\r\n# a remark, with a comma\nleaf-certificate:" + digits +
                                       " # ours\n\n");
  ASSERT_TRUE(pins) << pins.error().text();
  ASSERT_EQ(pins->size(), 3U);
  EXPECT_EQ((*pins)[2].subject, TlsPin::Subject::LeafCertificate);
  EXPECT_TRUE(TlsPin::parse_list("")->empty());
  EXPECT_FALSE(TlsPin::parse_list("leaf-key:" + digits + ",nonsense"));
}

TEST(TlsSecret, IsAPlaceAndNeverTheThing) {
  EXPECT_EQ(TlsSecret::parse("")->source, TlsSecret::Source::None);
  EXPECT_EQ(TlsSecret::parse("file:/etc/secret")->source, TlsSecret::Source::File);
  EXPECT_EQ(TlsSecret::parse("file:/etc/secret")->name, "/etc/secret");
  EXPECT_EQ(TlsSecret::parse("env:SECRET")->source, TlsSecret::Source::Environment);
  for (const char* text : {"hunter2", "file:", "env:", "FILE:hunter2"}) {
    const auto parsed = TlsSecret::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().text().find("hunter2"), std::string::npos);
  }
}

}  // namespace
}  // namespace affix::tls
