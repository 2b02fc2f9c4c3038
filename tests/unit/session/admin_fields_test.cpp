// SPDX-License-Identifier: MIT
// Fields that an application adds to session messages: their place, omissions, and that secret ones
// reach no journal.
#include "affix/session/admin_fields.hpp"

#include "session_case.hpp"

namespace affix::session_test {
namespace {

/// Fields that the application adds, by type, and the types for which it was called.
struct Additions {
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::string>>> fields;
  std::vector<std::string> asked;

  static void add(void* context, std::string_view type, wire::Encoder& message) noexcept {
    auto& self = *static_cast<Additions*>(context);
    self.asked.emplace_back(type);
    for (const auto& [number, value] : self.fields[std::string(type)]) {
      message.text(wire::Tag::of(number), value);
    }
  }

  SessionOptions options(Role role, std::string_view version = "FIX.4.4") {
    SessionOptions made = make_options(role, version);
    made.admin_fields = {&add, this};
    return made;
  }
};

TEST(AdminFields, ComeAfterTheSessionsOwn) {
  Additions additions;
  additions.fields["A"] = {{96, "signature"}, {9001, "x"}};
  Case one(additions.options(Role::Initiator));
  const Messages sent = one.connect();
  ASSERT_EQ(types_of(sent), "A");
  EXPECT_NE(readable(sent[0]).find("|108=30|96=signature|9001=x|10="), std::string::npos)
      << readable(sent[0]);
}

TEST(AdminFields, EveryKindOfSessionMessageIsAskedAbout) {
  Additions additions;
  Case one(additions.options(Role::Acceptor));
  one.log_on();
  one.peer.say("1", "112=x");                                                          // 0
  one.order("ahead", {.sequence = one.peer.next_sequence + 3});                        // 2
  ASSERT_TRUE(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));  // 1
  one.endpoint.carry_out();
  one.peer.say("2", "7=1|16=0");    // 4
  one.peer.say("4", "123=N|36=1");  // 3
  one.endpoint.logout();            // 5
  for (const char* type : {"A", "0", "1", "2", "3", "4", "5"}) {
    EXPECT_NE(std::find(additions.asked.begin(), additions.asked.end(), type),
              additions.asked.end())
        << type;
  }
}

TEST(AdminFields, ApplicationMessagesAreNotSessionMessages) {
  Additions additions;
  Case one(additions.options(Role::Acceptor));
  one.log_on();
  additions.asked.clear();
  one.order("1");
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  EXPECT_TRUE(additions.asked.empty());
}

TEST(AdminFields, AFieldThatCannotBeEncodedIsLeftOutAndTheMessageGoesOut) {
  for (const std::string& value : {std::string(), std::string("a\x01") + "35=D",
                                   std::string(1025, 'x'), std::string(100'000, 'x')}) {
    Additions additions;
    additions.fields["A"] = {{9001, "good"}, {9002, value}};
    Case one(additions.options(Role::Initiator));
    const Messages sent = one.connect();
    ASSERT_EQ(types_of(sent), "A") << value.size();
    EXPECT_FALSE(has_field(sent[0], 9001));
    EXPECT_FALSE(has_field(sent[0], 9002));
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_TRUE(one.endpoint.reported(Event::FieldsLeftOut));
    one.peer.say("A", one.logon_fields());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  }
}

TEST(AdminFields, LongTextsAndFullAdditionsFitTogether) {
  Additions additions;
  additions.fields["5"] = {{9001, std::string(1000, 'y')}};
  Case one(additions.options(Role::Acceptor));
  one.log_on();
  one.endpoint.logout(std::string(5000, 't'));
  const Messages sent = one.peer.listen();
  ASSERT_EQ(types_of(sent), "5");
  EXPECT_EQ(field_of(sent[0], 58).size(), 1024u);
  EXPECT_EQ(field_of(sent[0], 9001).size(), 1000u);
}

TEST(AdminFields, SecretsAmongThemAreNotStored) {
  Additions additions;
  additions.fields["A"] = {{554, "secret"}, {95, "7"}, {96, "rawdata"}, {1402, "enc"}};
  Case one(additions.options(Role::Initiator));
  const Messages sent = one.connect();
  EXPECT_EQ(field_of(sent.at(0), 554), "secret");
  const std::string& stored = one.endpoint.stored.at(1);
  for (const char* secret : {"secret", "rawdata", "=enc"}) {
    EXPECT_EQ(stored.find(secret), std::string::npos) << readable(stored);
  }
}

}  // namespace
}  // namespace affix::session_test
