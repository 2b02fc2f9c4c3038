// SPDX-License-Identifier: MIT
// Copies of messages without secrets: with and without an index, data fields with SOH inside, and
// resends of messages with incomplete copies.
#include "affix/session/secrets.hpp"

#include "session_case.hpp"

#include <algorithm>
#include <array>

namespace affix::session_test {
namespace {

constexpr std::array<std::uint32_t, 2> configured{58, 9001};

/// Both ways of making the copy, which must agree, in readable form.
std::string copied(const std::string& message, session::SecretTags further) {
  wire::FieldIndexOf<64> index;
  wire::index_message(message, index);
  std::array<char, 1024> first;
  std::array<char, 1024> second;
  const std::string_view by_index =
      session::copy_without_secrets(wire::MessageView(message, index), first, further);
  const std::string_view by_text = session::copy_without_secrets(
      std::string_view(message), second, further, wire::DataFields::standard());
  EXPECT_EQ(by_index, by_text) << readable(message);
  wire::FieldIndexOf<64> check;
  wire::index_message(by_index, check);
  EXPECT_TRUE(check.whole()) << readable(by_index);  // The checksum is right.
  return readable(by_index);
}

std::string of_type(std::string_view type, std::string_view fields) {
  return testing::make_message("8=FIX.4.4|35=" + std::string(type) +
                               "|34=1|49=A|56=B|52=20260101-00:00:00|" + std::string(fields));
}

TEST(Secrets, PasswordsOfLogonAndUserRequestAreOverwritten) {
  for (const char* type : {"A", "BE"}) {
    const std::string copy =
        copied(of_type(type, "553=me|554=secret|925=newer|1402=e1|1404=e2|58=text|"), {});
    for (const char* secret : {"secret", "newer", "=e1", "=e2"}) {
      EXPECT_EQ(copy.find(secret), std::string::npos) << copy;
    }
    EXPECT_NE(copy.find("553=me"), std::string::npos);
    EXPECT_NE(copy.find("58=text"), std::string::npos);
  }
}

TEST(Secrets, OfTheTableAreMaskedInEveryType) {
  for (const char* type : {"D", "8", "AE", "U1", "0", "XY12345678"}) {
    const std::string copy =
        copied(of_type(type, "554=secret|925=newer|1402=e1|1404=e2|58=text|554=again|"), {});
    EXPECT_NE(copy.find("|554=*|925=*|1402=*|1404=*|58=text|554=*|10="), std::string::npos) << copy;
  }
}

TEST(Secrets, RawDataIsSecretInCredentialsOnly) {
  EXPECT_NE(copied(of_type("D", "95=4|96=data|"), {}).find("|95=4|96=data|"), std::string::npos);
  EXPECT_NE(copied(of_type("A", "95=4|96=data|"), {}).find("|95=1|96=*|"), std::string::npos);
  EXPECT_NE(copied(of_type("BE", "95=4|96=data|"), {}).find("|95=1|96=*|"), std::string::npos);
}

TEST(Secrets, ConfiguredOnesAreMaskedInEveryType) {
  const std::string message = of_type("D", "11=kept|9001=pin|58=note|9001=again|");
  EXPECT_EQ(copied(message, {}), readable(message));
  const std::string copy = copied(message, configured);
  EXPECT_NE(copy.find("11=kept|9001=*|58=*|9001=*|10="), std::string::npos) << copy;
}

TEST(Secrets, CopiesDoNotShowTheLengthOfASecret) {
  for (const char* type : {"A", "D"}) {
    const std::string shortest = copied(of_type(type, "553=me|1401=1|1402=x|554=y|"), {});
    const std::string longest = copied(of_type(type, "553=me|1401=12|1402=" + std::string(12, 'x') +
                                                         "|554=" + std::string(400, 'y') + "|"),
                                       {});
    EXPECT_EQ(shortest, longest);
  }
}

TEST(Secrets, EmptyValuesHideNothing) {
  const std::string message = of_type("A", "553=me|554=|");
  EXPECT_EQ(copied(message, {}), readable(message));
}

TEST(Secrets, AreFoundInAnyType) {
  EXPECT_TRUE(session::holds_secret(std::string_view(of_type("U1", "1=2|925=x|"))));
  EXPECT_TRUE(session::holds_secret(std::string_view(of_type("D", "1=2|1404=|"))));
  EXPECT_FALSE(session::holds_secret(std::string_view(of_type("D", "1554=2|58=554|5=4|96=x|"))));
  EXPECT_FALSE(session::holds_secret(std::string_view("junk")));
}

TEST(Secrets, DataFieldsAreOverwrittenWholeWhateverIsInThem) {
  std::string message = of_type("A", "95=11|96=ab#554=c#de|553=me|");
  std::replace(message.begin(), message.end(), '#', '\x01');
  // The bytes were changed after the checksum was computed.
  wire::FieldIndexOf<64> index;
  wire::index_message(message, index);
  const std::string copy = [&] {
    std::array<char, 1024> room;
    return readable(session::copy_without_secrets(std::string_view(message), room, {},
                                                  wire::DataFields::standard()));
  }();
  EXPECT_NE(copy.find("95=1|96=*|553=me"), std::string::npos) << copy;
}

TEST(Secrets, ALengthThatIsWrongHidesNothing) {
  for (const char* length : {"95=3|", "95=4000|", "95=x|", "95=|", "95=18446744073709551615|"}) {
    std::array<char, 1024> room;
    const std::string message = of_type("A", std::string(length) + "96=abcdef|554=secret|");
    const std::string copy = readable(session::copy_without_secrets(
        std::string_view(message), room, {}, wire::DataFields::standard()));
    EXPECT_EQ(copy.find("secret"), std::string::npos) << copy;
    EXPECT_EQ(copy.find("abc"), std::string::npos) << copy;
  }
}

TEST(Secrets, PiecesWithoutEqualsAreStepedOver) {
  std::array<char, 1024> room;
  const std::string message = of_type("A", "junk|=|554|554=secret|");
  const std::string copy = readable(session::copy_without_secrets(
      std::string_view(message), room, {}, wire::DataFields::standard()));
  EXPECT_EQ(copy.find("secret"), std::string::npos) << copy;
  EXPECT_NE(copy.find("junk|=|554|554=*|"), std::string::npos) << copy;
}

TEST(Secrets, AMessageThatDoesNotFitIsNotCopied) {
  std::array<char, 20> room;
  const std::string message = of_type("A", "554=secret|");
  EXPECT_TRUE(session::copy_without_secrets(std::string_view(message), room, {},
                                            wire::DataFields::standard())
                  .empty());
  EXPECT_TRUE(session::copy_without_secrets(std::string_view("10=1|"), room, {},
                                            wire::DataFields::standard())
                  .empty());
}

TEST(Secrets, MessagesWhoseStoredCopyLacksThemAreGapFilled) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.secret_tags = configured;
  Case one(options);
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2|9001=pin"));
  ASSERT_TRUE(one.endpoint.send("BE", "923=1|924=3|553=me|554=secret|925=newer"));
  ASSERT_TRUE(one.endpoint.send("U9", "554=secret"));
  ASSERT_TRUE(one.endpoint.send("BE", "923=2|924=4|553=me"));
  static_cast<void>(one.endpoint.take_output());
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "D 4 BE");
  EXPECT_EQ(field_of(sent[1], 36), "6");
}

// Application messages of types that are not redacted are stored as sent, and resent to a peer that
// lost them.
TEST(Secrets, OnesThatAreStoredAreResent) {
  Case one(make_options(Role::Acceptor, "FIX.4.4"));
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1|554=secret|925=newer"));
  ASSERT_TRUE(one.endpoint.send("BE", "923=1|924=3|553=me|554=secret"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2|554=secret"));
  ASSERT_TRUE(one.endpoint.send("D", "11=3|554=****"));  // As by an earlier version, or with other
                                                         // settings.
  static_cast<void>(one.endpoint.take_output());
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "D 4 D 4");
  EXPECT_EQ(field_of(sent[0], 554), "secret");
  EXPECT_EQ(field_of(sent[1], 36), "4");
  EXPECT_EQ(field_of(sent[2], 554), "secret");
}

TEST(Secrets, ConfiguredOnesOfALogonAreNotStored) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.secret_tags = configured;
  Case one(options);
  one.log_on("9001=topsecret|");
  ASSERT_EQ(one.endpoint.received.size(), 1u);
  EXPECT_EQ(one.endpoint.received[0].bytes.find("topsecret"), std::string::npos);
}

}  // namespace
}  // namespace affix::session_test
