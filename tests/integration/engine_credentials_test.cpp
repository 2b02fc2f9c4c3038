// SPDX-License-Identifier: MIT
// Configured credentials of a server's session: in plain text and as a hash, checked by the engine
// unless the application answers itself.
#include "affix/tls/password_hash.hpp"

#include "support/has_message.hpp"
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineCredentials : public VenueCase {
 protected:
  /// 58 of the Logout that refuses a Logon with these fields; empty: it is accepted.
  std::string refusal(std::string_view fields) {
    RawPeer& firm = connect();
    firm.next_sequence = session().next_target_seq();
    firm.send_logon(fields);
    const std::optional<RawMessage> answer = firm.receive();
    EXPECT_TRUE(answer);
    if (answer && (*answer)[35] == "A") {
      firm.send("5");
      firm.expect("5");
    }
    firm.close();
    EXPECT_TRUE(turn_until([&] { return session().disconnected(); }));
    return answer && (*answer)[35] == "5" ? (*answer)[58] : std::string();
  }
};

constexpr std::string_view wrong = "Username (553) or Password (554) is wrong";

TEST_F(EngineCredentials, AreComparedWithTheLogon) {
  open([](config::SessionSettings& settings) {
    settings.logon_username = "firm";
    settings.logon_password = "open sesame";
  });
  const std::uint64_t next = session().next_target_seq();
  for (const std::string_view fields :
       {"", "553=firm|", "554=open sesame|", "553=firm|554=open|", "553=firm|554=open sesame!|",
        "553=other|554=open sesame|", "553=firm|554=pen sesame|"}) {
    EXPECT_EQ(refusal(fields), wrong) << fields;
    EXPECT_EQ(session().next_target_seq(), next) << fields;  // It has changed nothing.
  }
  EXPECT_TRUE(application_.heard_code("S102", wrong)) << application_.all_events();
  EXPECT_EQ(refusal("553=firm|554=open sesame|"), "");
  EXPECT_EQ(refusal("553=firm|554=open sesame|925=new|"),
            "NewPassword (925) cannot be taken over here");
  EXPECT_EQ(application_.all_events().find("sesame"), std::string::npos);
}

TEST_F(EngineCredentials, WithoutAnyEveryLogonIsFine) {
  open();
  EXPECT_EQ(refusal("553=firm|554=open sesame|925=new|"), "");
}

TEST_F(EngineCredentials, AnApplicationMayAnswerItself) {
  open([](config::SessionSettings& settings) { settings.logon_password = "open sesame"; });
  application_.when_logon_request = [](host::SessionHandle, const wire::MessageView&) {
    return host::LogonAnswer::accept();
  };
  EXPECT_EQ(refusal("554=wrong|"), "");
  application_.when_logon_request = [](host::SessionHandle, const wire::MessageView&) {
    return host::LogonAnswer::as_configured();
  };
  EXPECT_EQ(refusal("554=wrong|"), wrong);
}

TEST_F(EngineCredentials, ACallbackThreadLeavesThemToTheEngineToo) {
  open([](config::SessionSettings& settings) {
    settings.logon_password = "open sesame";
    settings.callback_thread = 0;
  });
  EXPECT_EQ(refusal("554=wrong|"), wrong);
  EXPECT_EQ(refusal("554=open sesame|"), "");
}

TEST_F(EngineCredentials, AHashIsAsGoodAsThePassword) {
  const auto hash = tls::PasswordHash::make("open sesame", tls::PasswordHash::iterations_min);
  if (!hash) {
    GTEST_SKIP() << hash.error().text();
  }
  open([&](config::SessionSettings& settings) { settings.logon_password_hash = hash->text(); });
  EXPECT_EQ(refusal("554=open sesame|"), "");
  EXPECT_EQ(refusal("554=wrong|"), wrong);
  // Guessing is slow, and does not delay a password that was right before.
  EXPECT_EQ(refusal("554=guess|"),
            "Too many attempts with a wrong Password (554), try again later");
  EXPECT_EQ(refusal("554=open sesame|"), "");
  EXPECT_EQ(refusal(""), "Too many attempts with a wrong Password (554), try again later");
}

TEST_F(EngineCredentials, SettingsThatCannotBeCheckedAreRefused) {
  for (const bool initiator : {false, true}) {
    config::Configuration configuration =
        initiator ? initiator_configuration(1) : acceptor_configuration();
    config::SessionSettings& settings =
        add_session(configuration, "VENUE", "FIRM", directory_.path());
    settings.logon_password_hash = initiator ? "pbkdf2_sha256$1000$salt$key" : "hunter2";
    const auto opened = engine::Engine::open(configuration, application_);
    ASSERT_FALSE(opened);
    const std::string text = config::text_of(opened.error());
    const base::MessageCode code =
        initiator ? base::MessageCode("E212") : base::MessageCode("E211");
    EXPECT_TRUE(has_message(text, code, {"key 'logon_password_hash'"}));
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace affix::support
