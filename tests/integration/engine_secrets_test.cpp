// SPDX-License-Identifier: MIT
// Passwords and configured fields reach the peer and the application, but no journal, event or
// problem.
#include "support/has_message.hpp"
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineSecrets : public VenueCase {
 protected:
  void open_with(const std::string& tags) {
    open([&](config::SessionSettings& settings) { settings.secret_tags = tags; });
  }

  void expect_hidden(std::initializer_list<std::string_view> secrets) {
    const std::string stored = journal_text();
    const std::string events = application_.all_events();
    for (const std::string_view secret : secrets) {
      EXPECT_EQ(stored.find(secret), std::string::npos) << secret << "\n" << stored;
      EXPECT_EQ(events.find(secret), std::string::npos) << secret << "\n" << events;
    }
  }
};

TEST_F(EngineSecrets, OfLogonsAndUserRequestsAreNotStored) {
  open_with("");
  RawPeer& firm = connect();
  firm.log_on("553=me|554=first-word|925=second-word|");
  firm.send("BE", "923=1|924=3|553=me|554=third-word|925=fourth-word|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_NE(application_.messages[0].bytes.find("third-word"), std::string::npos);
  wire::Encoder request = session().begin("BE");
  request.text(923, "2");
  request.text(554, "fifth-word");
  ASSERT_TRUE(session().commit(request).sent());
  EXPECT_EQ(firm.expect("BE")[554], "fifth-word");
  expect_hidden({"first-word", "second-word", "third-word", "fourth-word", "fifth-word"});
  EXPECT_NE(journal_text().find("553=me"), std::string::npos);
}

TEST_F(EngineSecrets, ConfiguredTagsAreOverwrittenInEveryMessage) {
  open_with("58, 9001");
  RawPeer& firm = connect();
  firm.log_on("9001=logon-pin|");
  firm.send("D", "11=1|9001=order-pin|58=order-note|");
  firm.send("D", "11=2|9001=2nd-pin|");
  firm.next_sequence = 6;
  firm.send("D", "11=5|9001=held-pin|");
  firm.expect("2");
  wire::Encoder order = session().begin("D");
  order.text(11, "mine");
  order.text(9001, "sent-pin");
  ASSERT_TRUE(session().commit(order).sent());
  EXPECT_EQ(firm.expect("D")[9001], "sent-pin");
  session().logout("logout-note");
  EXPECT_EQ(firm.expect("5")[58], "logout-note");
  expect_hidden(
      {"logon-pin", "order-pin", "order-note", "2nd-pin", "held-pin", "sent-pin", "logout-note"});
  EXPECT_NE(journal_text().find("11=mine"), std::string::npos);
}

TEST_F(EngineSecrets, MessagesStoredWithoutThemAreNotSentAgain) {
  open_with("9001");
  RawPeer& firm = connect();
  firm.log_on();
  wire::Encoder order = session().begin("D");
  order.text(11, "1");
  order.text(9001, "pin");
  ASSERT_TRUE(session().commit(order).sent());
  ASSERT_TRUE(send_order(session(), "2").sent());
  firm.expect("D");
  firm.expect("D");
  firm.send("2", "7=2|16=0|");
  EXPECT_EQ(firm.expect("4")[36], "3");
  EXPECT_EQ(firm.expect("D")[11], "2");
}

TEST_F(EngineSecrets, APasswordThatThePeerRepeatsIsNotLogged) {
  const net::Listener listener = open_listener();
  config::Configuration configuration = initiator_configuration(listener.local_address().port());
  config::SessionSettings& settings =
      add_session(configuration, "FIRM", "VENUE", directory_.path("firm"));
  settings.logon_password = "hunter2";
  settings.logon_message_new_password = "hunter3";
  const auto firm = open_engine(configuration, application_);
  RawPeer venue({firm.get()}, "VENUE", "FIRM");
  venue.accept(listener);
  EXPECT_EQ(venue.expect("A")[554], "hunter2");
  venue.send("5", "58=password hunter2 is wrong, hunter3 too|");
  ASSERT_TRUE(support::turn_until({firm.get()}, [&] { return application_.heard_code("S103"); }));
  EXPECT_EQ(application_.all_events().find("hunter"), std::string::npos)
      << application_.all_events();
  EXPECT_TRUE(application_.heard_code("S103", "password * is wrong, * too"))
      << application_.all_events();
}

TEST_F(EngineSecrets, ProblemsOfAConfigurationNameNone) {
  const auto read = config::parse_configuration(
      "[SERVER]\naccept_port=0\n[S]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "logon_password hunter2\nlogon_pasword=hunter2\nsecret_tags=554,34\n",
      "test.ini");
  ASSERT_FALSE(read);
  const std::string text = config::text_of(read.error());
  EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
  EXPECT_TRUE(support::has_message(text, "C107", {"test.ini:7: 'logon_password'"}));
  EXPECT_TRUE(support::has_message(text, "C234", {"test.ini:9: key 'secret_tags': '34'"}));
  config::Configuration configuration = acceptor_configuration();
  add_session(configuration, "A", "B", directory_.path()).additional_static_header_tags =
      "52=hunter2";
  const auto opened = engine::Engine::open(configuration, application_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(config::text_of(opened.error()).find("hunter2"), std::string::npos);
}

TEST_F(EngineSecrets, OfAnyOtherTypeAreNotStoredEither) {
  open_with("");
  RawPeer& firm = connect();
  firm.log_on();
  firm.send("D", "11=1|554=first-word|");
  firm.send("U7", "925=second-word|");
  firm.send("8", "37=1|1401=10|1402=third-word|");
  firm.next_sequence = 6;
  firm.send("D", "11=5|554=fourth-word|");  // Held.
  firm.expect("2");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 3; }));
  EXPECT_NE(application_.messages[0].bytes.find("first-word"), std::string::npos);
  wire::Encoder own = session().begin("U8");
  own.text(554, "fifth-word");
  ASSERT_TRUE(session().commit(own).sent());
  EXPECT_EQ(firm.expect("U8")[554], "fifth-word");
  expect_hidden({"first-word", "second-word", "third-word", "fourth-word", "fifth-word"});
  EXPECT_NE(journal_text().find("11=1"), std::string::npos);
}

}  // namespace
}  // namespace affix::support
