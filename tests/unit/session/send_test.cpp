// SPDX-License-Identifier: MIT
// Messages sent by the application: numbers, header, outbox, refusals; scenario 16.

#include "affix/wire/framer.hpp"

#include "session_case.hpp"

#include <array>

namespace affix::session_test {

TEST(Send, NumberPersistAndBytesGoTogether) {
  each_session([](Case& one) {
    const std::uint64_t number = one.endpoint.state().next_outgoing;
    const session::SendResult sent = one.endpoint.send("D", "11=1|55=X");
    ASSERT_TRUE(sent);
    EXPECT_EQ(*sent, number);
    const Messages messages = one.peer.listen();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(one.endpoint.stored.at(number), messages[0]);
    EXPECT_EQ(field_of(messages[0], 34), std::to_string(number));
    EXPECT_EQ(field_of(messages[0], 49), "US");
    EXPECT_EQ(field_of(messages[0], 56), "THEM");
    EXPECT_EQ(field_of(messages[0], 11), "1");
  });
}

TEST(Send, NothingBeforeLogonOrAfterTheEnd) {
  each_case([](Case& one) {
    EXPECT_EQ(one.endpoint.send("D", "11=1").error(), session::SendError::NotLoggedOn);
    one.connect();
    EXPECT_EQ(one.endpoint.send("D", "11=1").error(), session::SendError::NotLoggedOn);
    one.peer.say("A", one.logon_fields());
    EXPECT_TRUE(one.endpoint.send("D", "11=1"));
    one.endpoint.disconnect();
    EXPECT_EQ(one.endpoint.send("D", "11=1").error(), session::SendError::NotLoggedOn);
  });
}

TEST(Send, SessionMessagesAreNotTheApplicationsToSend) {
  each_session([](Case& one) {
    for (const std::string_view type : {"0", "1", "2", "3", "4", "5", "A", ""}) {
      EXPECT_EQ(one.endpoint.send(type, "58=x").error(), session::SendError::BadType) << type;
    }
    EXPECT_TRUE(one.endpoint.send("AE", "571=1"));
    EXPECT_TRUE(one.endpoint.send("VENUE1234", "58=x"));
    const Messages sent = one.peer.listen();
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(type_of(sent[1]), "VENUE1234");
  });
}

TEST(Send, FromInsideDeliverGoesAfterEarlierOutput) {
  each_session([](Case& one) {
    one.endpoint.on_deliver = [](testing::SessionEndpoint& endpoint,
                                 const session::Deliver& deliver) {
      const std::string id(deliver.message.find(11).value_or(""));
      ASSERT_TRUE(endpoint.send("8", "37=a" + id));
      ASSERT_TRUE(endpoint.send("8", "37=b" + id));
    };
    one.endpoint.now = one.clock.now();
    std::string both = one.peer.message("D", "11=1");
    both += one.peer.message("D", "11=2");
    one.endpoint.receive(both);
    const Messages sent = one.peer.listen();
    std::string ids;
    for (const std::string& message : sent) {
      ids += field_of(message, 37);
    }
    EXPECT_EQ(ids, "a1b1a2b2");
    EXPECT_EQ(one.endpoint.state().next_outgoing,
              std::stoull(std::string(field_of(sent.back(), 34))) + 1);
  });
}

TEST(Send, MessageThatIsNotCommittedLeavesNoTrace) {
  each_session([](Case& one) {
    const session::SessionState before = one.endpoint.state();
    wire::Encoder encoder = one.endpoint.session().begin("D", one.clock.now(), one.endpoint.out());
    encoder.text(11, "never");
    EXPECT_EQ(one.endpoint.state(), before);
    EXPECT_TRUE(one.endpoint.out().bytes().empty());
    ASSERT_TRUE(one.endpoint.send("D", "11=sent"));
    EXPECT_EQ(types_of(one.peer.listen()), "D");
  });
}

TEST(Send, ValueThatCannotBeEncodedChangesNothing) {
  each_session([](Case& one) {
    const session::SessionState before = one.endpoint.state();
    wire::Encoder encoder = one.endpoint.session().begin("D", one.clock.now(), one.endpoint.out());
    encoder.text(11, "");
    EXPECT_EQ(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()).error(),
              session::SendError::Encoding);
    encoder = one.endpoint.session().begin("D", one.clock.now(), one.endpoint.out());
    encoder.text(11,
                 "a\x01"
                 "b");
    EXPECT_EQ(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()).error(),
              session::SendError::Encoding);
    EXPECT_EQ(one.endpoint.state(), before);
    EXPECT_TRUE(one.endpoint.out().bytes().empty());
  });
}

TEST(Send, CommitTwiceIsRefused) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  wire::Encoder encoder = one.endpoint.session().begin("D", one.clock.now(), one.endpoint.out());
  encoder.text(11, "1");
  ASSERT_TRUE(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()));
  EXPECT_FALSE(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()));
  EXPECT_EQ(one.endpoint.state().next_outgoing, 3u);
}

TEST(Send, MessagesOfOneTurnFollowEachOther) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  for (int number = 0; number < 20; ++number) {
    ASSERT_TRUE(one.endpoint.send(
        "D", "58=" + std::string(static_cast<std::size_t>(number * 13 + 1), 'x')));
  }
  std::string_view bytes = one.endpoint.out().bytes();
  wire::Framer framer;
  int count = 0;
  while (!bytes.empty()) {
    const wire::Frame frame = framer.next(bytes);
    ASSERT_EQ(frame.status, wire::FrameStatus::Complete);
    wire::FieldIndexOf<64> index;
    wire::index_message(bytes.substr(0, frame.size), index);
    EXPECT_TRUE(index.clean());
    bytes.remove_prefix(frame.size);
    ++count;
  }
  EXPECT_EQ(count, 20);
}

TEST(Send, TimePrecisionFollowsVersionAndOption) {
  for (const auto& [version, precision, size] :
       {std::tuple{"FIX.4.0", wire::TimePrecision::Nanos, 17u},
        {"FIX.4.1", wire::TimePrecision::Millis, 17u},
        {"FIX.4.2", wire::TimePrecision::Millis, 21u},
        {"FIX.4.4", wire::TimePrecision::Nanos, 27u},
        {"FIXT.1.1", wire::TimePrecision::Seconds, 17u}}) {
    SessionOptions options = make_options(Role::Initiator, version);
    options.time_precision = precision;
    Case one(options);
    const Messages sent = one.connect();
    EXPECT_EQ(field_of(sent.at(0), 52).size(), size) << version;
  }
}

TEST(Send, HeaderCarriesConfiguredIdsAndStaticFields) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.sender_sub_id = "DESK";
  options.target_sub_id = "BOOK";
  options.sender_location_id = "LON";
  options.target_location_id = "NYC";
  options.static_header_fields =
      "115=CLIENT\x01"
      "1128=9\x01";
  ASSERT_EQ(session::option_fault(options), session::OptionFault::None);
  Case one(options);
  const Messages sent = one.connect();
  const std::string& logon = sent.at(0);
  EXPECT_EQ(field_of(logon, 50), "DESK");
  EXPECT_EQ(field_of(logon, 57), "BOOK");
  EXPECT_EQ(field_of(logon, 142), "LON");
  EXPECT_EQ(field_of(logon, 143), "NYC");
  EXPECT_EQ(field_of(logon, 115), "CLIENT");
  EXPECT_EQ(field_of(logon, 1128), "9");
}

TEST(Send, LastProcessedNumberIsReportedWhenConfigured) {
  for (const std::string_view version : versions) {
    SessionOptions options = make_options(Role::Acceptor, version);
    options.include_last_processed = true;
    Case one(options);
    one.log_on();
    one.order("1");
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    const Messages sent = one.peer.listen();
    EXPECT_EQ(field_of(sent.at(0), 369), one.version() >= Version::Fix42 ? "2" : "") << version;
  }
}

TEST(Send16, MessagesKeptWhileDisconnectedAreFetchedByTheirNumbers) {
  // The caller numbered them without a connection: the peer finds the gap and requests them.
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=lost"));
    static_cast<void>(one.endpoint.take_output());  // Never arrives.
    one.endpoint.disconnect();
    one.clock.advance(60 * ns_per_second);
    const Messages logon = one.connect();
    const Messages answer = one.peer.say("A", one.logon_fields());
    EXPECT_EQ(field_of((one.acceptor() ? answer : logon).at(0), 34), "3");
    const Messages sent = one.peer.say("2", "7=2|16=2");
    ASSERT_EQ(types_of(sent), "D");
    EXPECT_EQ(field_of(sent[0], 43), "Y");
    EXPECT_EQ(field_of(sent[0], 11), "lost");
    EXPECT_EQ(field_of(sent[0], 52).substr(0, 17), one.ago(0).substr(0, 17));  // Real send time.
  });
}

TEST(Send, RestartGoesOnWithTheSameNumbers) {
  each_session([](Case& one) {
    one.order("1");
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    one.endpoint.restart();
    EXPECT_EQ(one.endpoint.phase(), Phase::Disconnected);
    one.log_on();
    EXPECT_EQ(one.expected(), 4u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 4u);
  });
}

TEST(SendPrepared, GoesOutWithNumberAndTimeOfItsSending) {
  each_session([](Case& one) {
    std::array<char, 512> buffer;
    wire::Encoder encoder = one.endpoint.session().draft("D", buffer, one.clock.now());
    encoder.text(11, "first");
    encoder.text(55, "X");
    const auto drafted = encoder.finish();
    ASSERT_TRUE(drafted);
    wire::FieldIndexOf<32> index;
    wire::index_message(*drafted, index);
    std::array<char, 512> storage;
    auto prepared = wire::PreparedMessage::make(storage, {*drafted, index}, {{34}, {52}, {11}});
    ASSERT_TRUE(prepared);
    const std::uint64_t number = one.endpoint.state().next_outgoing;
    for (int count = 0; count < 12; ++count) {
      one.clock.advance(ns_per_second);
      prepared->set_text(2, "id" + std::to_string(count));
      const session::SendResult sent = one.endpoint.session().send_prepared(
          *prepared, 0, 1, one.clock.now(), one.endpoint.out());
      ASSERT_TRUE(sent);
      EXPECT_EQ(*sent, number + static_cast<std::uint64_t>(count));
    }
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(sent.size(), 12u);
    EXPECT_EQ(field_of(sent[11], 34), std::to_string(number + 11));
    EXPECT_EQ(field_of(sent[11], 11), "id11");
    EXPECT_EQ(field_of(sent[11], 49), "US");
    EXPECT_EQ(field_of(sent[11], 52).substr(0, 17), one.ago(0).substr(0, 17));
    EXPECT_EQ(one.endpoint.stored.at(number + 11), sent[11]);
    for (const std::string& message : sent) {
      wire::index_message(message, index);
      EXPECT_TRUE(index.clean());
    }
    one.endpoint.disconnect();
    EXPECT_EQ(one.endpoint.session()
                  .send_prepared(*prepared, 0, 1, one.clock.now(), one.endpoint.out())
                  .error(),
              session::SendError::NotLoggedOn);
  });
}

TEST(SendPrepared, TypesThatAreNotTheApplicationsAreRefused) {
  each_session([](Case& one) {
    for (const std::string_view type : {"0", "1", "2", "3", "4", "5", "A"}) {
      SCOPED_TRACE(type);
      std::array<char, 512> draft;
      wire::Encoder encoder = one.endpoint.session().draft(type, draft, one.clock.now());
      encoder.text(554, "secret");
      const auto finished = encoder.finish();
      ASSERT_TRUE(finished);
      wire::FieldIndexOf<64> index;
      wire::index_message(*finished, index);
      std::array<char, 1024> storage;
      auto prepared = wire::PreparedMessage::make(storage, {*finished, index}, {{34}, {52}});
      ASSERT_TRUE(prepared);
      const std::uint64_t number = one.endpoint.state().next_outgoing;
      EXPECT_EQ(one.endpoint.session()
                    .send_prepared(*prepared, 0, 1, one.clock.now(), one.endpoint.out())
                    .error(),
                session::SendError::BadType);
      EXPECT_EQ(one.endpoint.state().next_outgoing, number);
      EXPECT_TRUE(one.peer.listen().empty());
    }
  });
}

TEST(BusinessReject, NamesTheMessage) {
  each_session([](Case& one) {
    one.endpoint.on_deliver = [](testing::SessionEndpoint& endpoint,
                                 const session::Deliver& deliver) {
      ASSERT_TRUE(endpoint.session().reject_business(
          deliver.message, session::BusinessRejectReason::UnsupportedMessageType,
          "Unsupported Message Type", "ref1", endpoint.now, endpoint.out()));
    };
    const Messages sent = one.peer.say("XX", "11=1");
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(field_of(sent[0], 45), "2");
    EXPECT_EQ(field_of(sent[0], 58), "Unsupported Message Type");
    if (one.version() <= Version::Fix41) {
      EXPECT_EQ(type_of(sent[0]), "3");
    } else {
      EXPECT_EQ(type_of(sent[0]), "j");
      EXPECT_EQ(field_of(sent[0], 372), "XX");
      EXPECT_EQ(field_of(sent[0], 379), "ref1");
      EXPECT_EQ(field_of(sent[0], 380), "3");
    }
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(ApplicationReject, NamesTheFieldOfAnAcceptedMessage) {
  each_session([](Case& one) {
    one.endpoint.on_deliver = [](testing::SessionEndpoint& endpoint,
                                 const session::Deliver& deliver) {
      ASSERT_TRUE(endpoint.session().reject(deliver.message, session::RejectReason::ValueIncorrect,
                                            55, "Unknown symbol", endpoint.now, endpoint.out()));
    };
    const Messages sent = one.peer.say("D", "11=1|55=NONE");
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(type_of(sent[0]), "3");
    EXPECT_EQ(field_of(sent[0], 45), "2");
    if (one.version() <= Version::Fix41) {
      EXPECT_EQ(field_of(sent[0], 58), "Unknown symbol (55)");
    } else {
      EXPECT_EQ(field_of(sent[0], 58), "Unknown symbol");
      EXPECT_EQ(field_of(sent[0], 371), "55");
      EXPECT_EQ(field_of(sent[0], 372), "D");
      EXPECT_EQ(field_of(sent[0], 373), "5");
    }
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(BusinessReject, NoRejectIsAnsweredByAnother) {
  // Two applications that reject every unknown type would never stop.
  each_session([](Case& one) {
    for (const std::string_view type : {"j", "3"}) {
      EXPECT_TRUE(one.peer.say(type, "45=1|58=no").empty());
      const std::string reject =
          "8=FIX.4.4\x01"
          "9=17\x01"
          "35=" +
          std::string(type) +
          "\x01"
          "34=2\x01"
          "45=1\x01"
          "10=000\x01";
      wire::FieldIndexOf<32> index;
      wire::index_message(reject, index);
      const session::SendResult refused = one.endpoint.session().reject_business(
          {reject, index}, session::BusinessRejectReason::UnsupportedMessageType,
          "Unsupported Message Type", {}, one.clock.now(), one.endpoint.out());
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error(), session::SendError::RejectOfReject);
      EXPECT_EQ(one.endpoint.session()
                    .reject({reject, index}, session::RejectReason::Other, 0, {}, one.clock.now(),
                            one.endpoint.out())
                    .error(),
                session::SendError::RejectOfReject);
    }
    EXPECT_EQ(one.expected(), 4u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
  });
}

}  // namespace affix::session_test
