// SPDX-License-Identifier: MIT
// Engines with dictionaries: rejected messages, messages delivered with a warning, refused Logons,
// names in events, and files whose problems refuse the start.
#include "affix/wire/index.hpp"
#include "affix/wire/prepared.hpp"

#include "support/has_message.hpp"
#include "support/raw_peer.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace affix::support {
namespace {

constexpr std::string_view header_xml =
    "<header><field name='BeginString' required='Y'/><field name='BodyLength' required='Y'/>"
    "<field name='MsgType' required='Y'/><field name='SenderCompID' required='Y'/>"
    "<field name='TargetCompID' required='Y'/><field name='MsgSeqNum' required='Y'/>"
    "<field name='PossDupFlag' required='N'/><field name='SendingTime' required='Y'/>"
    "<field name='OrigSendingTime' required='N'/><field name='ApplVerID' required='N'/></header>"
    "<trailer><field name='CheckSum' required='Y'/></trailer>";

constexpr std::string_view header_fields_xml =
    "<field number='8' name='BeginString' type='STRING'/>"
    "<field number='9' name='BodyLength' type='LENGTH'/>"
    "<field number='10' name='CheckSum' type='STRING'/>"
    "<field number='34' name='MsgSeqNum' type='SEQNUM'/>"
    "<field number='35' name='MsgType' type='STRING'/>"
    "<field number='43' name='PossDupFlag' type='BOOLEAN'/>"
    "<field number='49' name='SenderCompID' type='STRING'/>"
    "<field number='52' name='SendingTime' type='UTCTIMESTAMP'/>"
    "<field number='56' name='TargetCompID' type='STRING'/>"
    "<field number='122' name='OrigSendingTime' type='UTCTIMESTAMP'/>"
    "<field number='1128' name='ApplVerID' type='STRING'/>";

constexpr std::string_view session_messages_xml =
    "<message name='Logon' msgtype='A' msgcat='admin'><field name='EncryptMethod' required='Y'/>"
    "<field name='HeartBtInt' required='Y'/><field name='DefaultApplVerID' required='N'/></message>"
    "<message name='Logout' msgtype='5' msgcat='admin'><field name='Text' required='N'/></message>"
    "<message name='Reject' msgtype='3' msgcat='admin'><field name='RefSeqNum' required='Y'/>"
    "<field name='RefTagID' required='N'/><field name='RefMsgType' required='N'/>"
    "<field name='SessionRejectReason' required='N'/><field name='Text' required='N'/></message>";

constexpr std::string_view session_fields_xml =
    "<field number='98' name='EncryptMethod' type='INT'/>"
    "<field number='108' name='HeartBtInt' type='INT'/>"
    "<field number='1137' name='DefaultApplVerID' type='STRING'/>"
    "<field number='58' name='Text' type='STRING'/>"
    "<field number='45' name='RefSeqNum' type='SEQNUM'/>"
    "<field number='371' name='RefTagID' type='INT'/>"
    "<field number='372' name='RefMsgType' type='STRING'/>"
    "<field number='373' name='SessionRejectReason' type='INT'/>";

constexpr std::string_view order_fields_xml =
    "<field number='11' name='ClOrdID' type='STRING'/>"
    "<field number='54' name='Side' type='CHAR'><value enum='1' description='BUY'/></field>"
    "<field number='55' name='Symbol' type='STRING'/>"
    "<field number='9501' name='BlobLength' type='LENGTH'/>"
    "<field number='9502' name='Blob' type='DATA'/>";

std::string order_xml(std::string_view further) {
  return "<message name='Order' msgtype='D' msgcat='app'><field name='ClOrdID' required='Y'/>"
         "<field name='Symbol' required='N'/><field name='Side' required='Y'/>"
         "<field name='BlobLength' required='N'/><field name='Blob' required='N'/>" +
         std::string(further) + "</message>";
}

std::string fix44_xml() {
  return "<fix type='FIX' major='4' minor='4'>" + std::string(header_xml) + "<messages>" +
         std::string(session_messages_xml) + order_xml("") + "</messages><components/><fields>" +
         std::string(header_fields_xml) + std::string(session_fields_xml) +
         std::string(order_fields_xml) + "</fields></fix>";
}

std::string fixt_xml() {
  return "<fix type='FIXT' major='1' minor='1'>" + std::string(header_xml) + "<messages>" +
         std::string(session_messages_xml) + "</messages><components/><fields>" +
         std::string(header_fields_xml) + std::string(session_fields_xml) + "</fields></fix>";
}

std::string fix50_xml(int service_pack, std::string_view further) {
  return "<fix type='FIX' major='5' minor='0' servicepack='" + std::to_string(service_pack) +
         "'><header/><trailer/><messages>" + order_xml(further) +
         "</messages><components/><fields>" + std::string(order_fields_xml) +
         (further.empty() ? "" : "<field number='1' name='Account' type='STRING'/>") +
         "</fields></fix>";
}

class EngineDictionary : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = directory_.path(name);
    std::ofstream(path) << text;
    return path;
  }

  void open(const std::function<void(config::SessionSettings&)>& adjust) {
    configuration_ = acceptor_configuration();
    adjust(add_session(configuration_, "VENUE", "FIRM", directory_.path("journal"), begin_string_));
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    peer_.emplace(Engines{venue_.get()}, "FIRM", "VENUE");
    peer_->connect(port_of(*venue_));
  }

  void open_fix44(const std::function<void(config::SessionSettings&)>& adjust = {}) {
    const std::string path = file("fix44.xml", fix44_xml());
    open([&](config::SessionSettings& settings) {
      settings.dictionary = path;
      if (adjust) {
        adjust(settings);
      }
    });
  }

  /// From the peer, in the version under test.
  void send(std::string_view type, std::string_view fields) {
    const std::string bytes = peer_->message(type, peer_->next_sequence++, fields);
    const std::size_t body = bytes.find("35=");
    peer_->send_bytes(make_message(std::string_view(bytes).substr(body, bytes.rfind("10=") - body),
                                   begin_string_));
  }

  /// A FIXT session with 5.0SP2, which has one more field, and 5.0SP1; our 1137 is 9.
  void open_two_versions(std::string_view rules = {}) {
    begin_string_ = "FIXT.1.1";
    const std::string transport = file("fixt.xml", fixt_xml());
    const std::string sp2 = file("sp2.xml", fix50_xml(2, "<field name='Account' required='N'/>"));
    const std::string sp1 = file("sp1.xml", fix50_xml(1, ""));
    open([&](config::SessionSettings& settings) {
      settings.transport_dictionary = transport;
      settings.dictionary = sp2;
      settings.further_dictionaries = sp1;
      settings.validation_rules = rules;
    });
  }

  void expect_reject(std::string_view fields, std::string_view reason, std::string_view tag) {
    send("D", fields);
    const RawMessage reject = peer_->expect("3");
    EXPECT_EQ(reject[373], reason) << fields;
    EXPECT_EQ(reject[371], tag) << fields;
    EXPECT_EQ(reject[372], "D");
    EXPECT_FALSE(reject[58].empty());
  }

  [[nodiscard]] bool delivered(std::size_t count) {
    return turn_until({venue_.get()}, [&] { return application_.messages.size() >= count; });
  }

  std::string begin_string_ = "FIX.4.4";
  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::optional<RawPeer> peer_;
};

TEST_F(EngineDictionary, RejectsMessagesThatContradictItAndDeliversTheRest) {
  open_fix44();
  peer_->log_on();
  expect_reject("11=1|", "1", "54");
  expect_reject("11=1|54=2|", "5", "54");
  expect_reject("11=1|54=1|777=x|", "0", "777");
  expect_reject("11=1|54=1|108=1|", "2", "108");
  expect_reject("11=|54=1|", "4", "11");
  send("D", "11=good|54=1|");
  ASSERT_TRUE(delivered(1));
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"good"});
  EXPECT_EQ(venue_->sessions().front().next_target_seq(), 8u);
}

TEST_F(EngineDictionary, ALogonThatFailsItGetsALogoutAndTheSessionStaysFree) {
  open_fix44();
  send("A", "98=0|108=30|777=1|");
  EXPECT_EQ(peer_->expect("5")[58], "Invalid tag number");
  EXPECT_TRUE(peer_->closed());
  EXPECT_EQ(application_.logon_requests, 0);
  EXPECT_EQ(venue_->sessions().front().next_target_seq(), 1u);
  peer_->connect(port_of(*venue_));
  peer_->next_sequence = 1;
  peer_->log_on();
}

TEST_F(EngineDictionary, WarningsAreDeliveredLoggedOnceAndCounted) {
  open_fix44([](config::SessionSettings& settings) {
    settings.validation_rules = "unknown_tag:WARN, value_not_listed:WARN";
  });
  peer_->log_on();
  for (int number = 0; number < 5; ++number) {
    send("D", "11=1|54=1|777=x|");
  }
  send("D", "11=1|54=9|");
  ASSERT_TRUE(delivered(6));
  EXPECT_EQ(application_.times_heard("S139", "reason 0: "), 1) << application_.all_events();
  EXPECT_EQ(application_.times_heard("S139", "reason 5: "), 1);
  peer_->close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    return application_.heard_code("S306", "5 messages");
  })) << application_.all_events();
  EXPECT_EQ(application_.times_heard("S306"), 1);
}

TEST_F(EngineDictionary, ItsDataFieldsMayHoldSoh) {
  open_fix44();
  peer_->log_on();
  send("D",
       "11=1|54=1|9501=7|9502=a\x01"
       "11=b\x01|");
  ASSERT_TRUE(delivered(1));
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"1"});
}

TEST_F(EngineDictionary, HalfOfAPairOfTheVenuesOwnIsNoSlot) {
  open_fix44();
  const host::SessionHandle session = venue_->sessions().front();
  std::array<char, 512> text{};
  wire::Encoder draft = session.draft("D", text);
  draft.text(11, "1");
  draft.data(9501, 9502, "a\x01");
  const auto finished = draft.finish();
  ASSERT_TRUE(finished);
  wire::FieldIndexOf<32> index;
  wire::index_message(*finished, index, session.data_fields());
  const wire::MessageView message(*finished, index);
  std::array<char, 512> storage{};
  EXPECT_TRUE(
      wire::PreparedMessage::make(storage, message, {{34}, {52}, {11}}, session.data_fields()));
  for (const std::uint32_t half : {9501U, 9502U}) {
    const auto refused =
        wire::PreparedMessage::make(storage, message, {{34}, {52}, {half}}, session.data_fields());
    ASSERT_FALSE(refused) << half;
    EXPECT_EQ(refused.error(), wire::EncodeError::UnknownSlot);
  }
}

TEST_F(EngineDictionary, RulesThatAreOffCostNoMessage) {
  open_fix44([](config::SessionSettings& settings) {
    settings.validation_preset = config::ValidationPreset::Tolerant;
  });
  peer_->log_on();
  send("D", "777=1|11=1|9999=5|54=1|108=3|");
  ASSERT_TRUE(delivered(1));
  expect_reject("11=1|", "1", "54");
}

TEST_F(EngineDictionary, SwitchedOffValidationsReadNoFile) {
  open([](config::SessionSettings& settings) {
    settings.dictionary = "no such file";
    settings.validations_enabled = false;
  });
  peer_->log_on();
  send("D", "58=anything|");
  EXPECT_TRUE(delivered(1));
}

TEST_F(EngineDictionary, ApplVerIdChoosesAmongVersions) {
  open_two_versions();
  send("A", "98=0|108=30|1137=9|");
  EXPECT_EQ(peer_->expect("A")[1137], "9");
  send("D", "11=1|54=1|1=A|");
  send("D", "1128=9|11=2|54=1|1=A|");
  send("D", "1128=8|11=3|54=1|");
  ASSERT_TRUE(delivered(3));
  // Account is a field of SP2 only, and there is no dictionary of FIX.5.0 (7).
  expect_reject("1128=8|11=4|54=1|1=A|", "0", "1");
  expect_reject("1128=7|11=5|54=1|", "5", "1128");
}

TEST_F(EngineDictionary, ThePeersDefaultVersionJudgesItsMessagesWithoutOne) {
  open_two_versions();
  send("A", "98=0|108=30|1137=8|");
  EXPECT_EQ(peer_->expect("A")[1137], "9") << "ours stays ours";
  expect_reject("11=1|54=1|1=A|", "0", "1");
  send("D", "1128=9|11=2|54=1|1=A|");
  send("D", "11=3|54=1|");
  ASSERT_TRUE(delivered(2));
  // Each connection has its own version.
  peer_->close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.logouts.size() == 1; }));
  peer_->connect(port_of(*venue_));
  send("A", "98=0|108=30|1137=9|");
  static_cast<void>(peer_->expect("A"));
  send("D", "11=4|54=1|1=A|");
  ASSERT_TRUE(delivered(3));
}

TEST_F(EngineDictionary, ADefaultVersionWithoutDictionaryIsRefusedWithALogout) {
  open_two_versions();
  send("A", "98=0|108=30|1137=7|");
  EXPECT_EQ(peer_->expect("5")[58],
            "DefaultApplVerID (1137) is a version without a dictionary here");
  EXPECT_TRUE(peer_->closed());
  EXPECT_EQ(application_.logon_requests, 0);
  EXPECT_TRUE(application_.heard_code("S102")) << application_.all_events();
  EXPECT_EQ(venue_->sessions().front().next_target_seq(), 1u);
}

TEST_F(EngineDictionary, ADefaultVersionWithoutDictionaryMayBeReportedOnly) {
  open_two_versions("value_not_listed:WARN");
  send("A", "98=0|108=30|1137=7|");
  static_cast<void>(peer_->expect("A"));
  EXPECT_TRUE(application_.heard_code("S139", "DefaultApplVerID (1137)"))
      << application_.all_events();
  send("D", "11=1|54=1|1=A|");  // Validated with our version.
  ASSERT_TRUE(delivered(1));
}

TEST_F(EngineDictionary, EventsNameTypesAndTags) {
  open_fix44([](config::SessionSettings& settings) {
    settings.validation_rules = "value_not_listed:WARN";
  });
  peer_->log_on();
  expect_reject("11=1|", "1", "54");
  EXPECT_TRUE(application_.heard_code("S137", "35=D (Order), tag 54 (Side), reason 1: "))
      << application_.all_events();
  expect_reject("11=1|54=1|777=x|", "0", "777");
  EXPECT_TRUE(application_.heard_code(
      "S137", "35=D (Order), tag 777 (unknown to the dictionary), reason 0: "))
      << application_.all_events();
  send("D", "11=1|54=9|");
  ASSERT_TRUE(delivered(1));
  EXPECT_TRUE(application_.heard_code("S139", "35=D (Order), tag 54 (Side), reason 5: "))
      << application_.all_events();
  send("3", "45=2|371=55|372=D|58=not ours|");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.heard_code("S140"); }));
  EXPECT_TRUE(application_.heard_code("S140", "34=2, 35=D (Order), tag 55 (Symbol): not ours"))
      << application_.all_events();
}

TEST_F(EngineDictionary, WithoutOneEventsHaveNumbersOnly) {
  open([](config::SessionSettings&) {});
  peer_->log_on();
  send("D", "43=X|11=1|");
  static_cast<void>(peer_->expect("3"));
  EXPECT_TRUE(application_.heard_code("S137", "35=D, tag 43, reason 5: "))
      << application_.all_events();
}

TEST_F(EngineDictionary, SloppyPartsOfAFileAreReportedWhenTheEngineRuns) {
  std::string xml = fix44_xml();
  xml.insert(xml.rfind("</fields>"), "\n<field number='9600' name='Odd' type='STRANGE'/>");
  const std::string path = file("odd.xml", xml);
  open([&](config::SessionSettings& settings) { settings.dictionary = path; });
  EXPECT_FALSE(application_.heard("STRANGE"));
  venue_->poll(0);
  EXPECT_TRUE(application_.heard_code("D112", "dictionary " + path + ":2: warning: "))
      << application_.all_events();
  EXPECT_TRUE(application_.heard_code("D112", "STRANGE"));
  const std::size_t reported = application_.events.size();
  venue_->poll(0);
  EXPECT_EQ(application_.events.size(), reported);
}

// Venues publish only application messages, and leave session messages to FIX.
TEST_F(EngineDictionary, SessionMessagesItDoesNotHaveAreNotJudged) {
  std::string xml = fix44_xml();
  const std::size_t begin = xml.find("<message name='Logon'");
  xml.erase(begin, xml.find("<message name='Reject'") - begin);
  const std::string path = file("venue.xml", xml);
  open([&](config::SessionSettings& settings) { settings.dictionary = path; });
  peer_->log_on("141=Y|9999=own|");
  EXPECT_TRUE(application_.heard_code("D124", " 0, 1, 2, 4, 5, A;")) << application_.all_events();
  expect_reject("11=1|54=1|9998=x|777=x|", "0", "777");
  send("3", "58=no RefSeqNum|");  // The dictionary has this one and validates it; a Reject is not
                                  // rejected.
  send("D", "11=2|54=1|");
  ASSERT_TRUE(delivered(1));
  EXPECT_TRUE(application_.heard_code("S137", "35=3 (Reject), tag 45 (RefSeqNum)"))
      << application_.all_events();
}

TEST_F(EngineDictionary, AFileOfTheVenuesOwnVersionFitsAnySession) {
  std::string xml = fix44_xml();
  xml.replace(xml.find("major='4' minor='4'"), 19, "major='2' minor='1'");
  const std::string path = file("venue.xml", xml);
  open([&](config::SessionSettings& settings) { settings.dictionary = path; });
  peer_->log_on();
  EXPECT_TRUE(application_.heard_code("D108", "FIX.2.1"));
  expect_reject("11=1|54=1|777=x|", "0", "777");
}

TEST_F(EngineDictionary, OneFileMayHoldTransportAndApplication) {
  begin_string_ = "FIXT.1.1";
  std::string xml = fix44_xml();
  xml.replace(xml.find("type='FIX' major='4' minor='4'"), 30, "type='FIXT' major='1' minor='1'");
  const std::string path = file("venue.xml", xml);
  open([&](config::SessionSettings& settings) {
    settings.transport_dictionary = path;
    settings.dictionary = path;
  });
  send("A", "98=0|108=30|1137=9|");
  static_cast<void>(peer_->expect("A"));
  send("D", "1128=9|11=1|54=1|");
  ASSERT_TRUE(delivered(1));
  expect_reject("11=1|54=1|777=x|", "0", "777");
  expect_reject("1128=8|11=1|54=1|", "5", "1128");
}

TEST_F(EngineDictionary, TwoEnginesWithTheSameOneTrade) {
  const std::string path = file("fix44.xml", fix44_xml());
  Pair pair("FIX.4.4", [&](config::Configuration& configuration) {
    for (config::SessionSettings& settings : configuration.sessions) {
      settings.dictionary = path;
    }
  });
  ASSERT_TRUE(pair.log_on());
  for (int number = 0; number < 20; ++number) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(number)).sent());
  }
  EXPECT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 20; }));
}

TEST_F(EngineDictionary, ProblemsRefuseTheStartWithFileAndLine) {
  const std::string broken = file(
      "broken.xml",
      "<fix type='FIX' major='4' minor='4'>\n<header/><trailer/>\n<messages>\n"
      "<message name='Order' msgtype='D' msgcat='app'>\n<field name='Nowhere' required='Y'/>\n"
      "<field name='Elsewhere' required='Y'/>\n</message></messages><components/><fields/></fix>");
  const auto problems_of = [&](const std::function<void(config::SessionSettings&)>& adjust,
                               std::string_view begin_string = "FIX.4.4") {
    config::Configuration configuration = acceptor_configuration();
    adjust(add_session(configuration, "VENUE", "FIRM", directory_.path("journal"), begin_string));
    const auto opened = engine::Engine::open(configuration, application_);
    return opened ? std::string("none") : config::text_of(opened.error());
  };
  const std::string reported =
      problems_of([&](config::SessionSettings& settings) { settings.dictionary = broken; });
  EXPECT_TRUE(has_message(reported, "D116", {broken + ":5: ", "Nowhere"}));
  EXPECT_TRUE(has_message(reported, "D116", {broken + ":6: ", "Elsewhere"}));
  const std::string missing = problems_of([&](config::SessionSettings& settings) {
    settings.dictionary = directory_.path("none.xml");
  });
  EXPECT_TRUE(has_message(missing, "O101", {"none.xml"}));
  const std::string fix44 = file("fix44.xml", fix44_xml());
  const std::string other = problems_of(
      [&](config::SessionSettings& settings) { settings.dictionary = fix44; }, "FIX.4.2");
  EXPECT_TRUE(has_message(other, "D123", {"FIX.4.4", "FIX.4.2"}));
  const std::string swapped = problems_of(
      [&](config::SessionSettings& settings) {
        settings.dictionary = file("fixt.xml", fixt_xml());
        settings.transport_dictionary = fix44;
      },
      "FIXT.1.1");
  EXPECT_TRUE(has_message(swapped, "D123", {"FIX.4.4"}));
}

}  // namespace
}  // namespace affix::support
