// SPDX-License-Identifier: MIT
// Keys of session groups, each set in a configuration file to a value other than its default: the
// effect visible to the peer, in virtual time.
#include "affix/testing/message_text.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "support/virtual_engine.hpp"

#include <algorithm>
#include <filesystem>

namespace affix::support {
namespace {

using testing::field_of;
using testing::has_field;
using testing::VirtualPeer;
using Messages = std::vector<std::string>;

std::string types_of(const Messages& messages) {
  std::string types;
  for (const std::string& message : messages) {
    types += field_of(message, 35);
  }
  return types;
}

/// One engine and a hand-written peer; the test determines which of them listens.
class EngineSessionKeys : public ::testing::Test {
 protected:
  EngineSessionKeys() : node_(network_.add_node()), peer_(network_) {
    peer_.sender = "THEM";
    peer_.target = "US";
  }

  [[nodiscard]] std::string session_text(const std::string& lines) const {
    std::string text = "[SESSION1]\nsender_comp_id=US\ntarget_comp_id=THEM\nsequence_reserve=0\n";
    text += "journal_path=" + directory_.path() + "\n";
    return text +
           (lines.find("begin_string=") == std::string::npos ? "begin_string=FIX.4.4\n" : "") +
           lines;
  }

  void open(const std::string& text) {
    const auto settings = config::parse_configuration(text, "test.cfg");
    ASSERT_TRUE(settings) << config::text_of(settings.error());
    engine_ = start_engine(network_, node_, *settings, application_);
    ASSERT_TRUE(engine_);
  }

  /// A server with these keys in the session group; the peer has connected.
  void serve(const std::string& lines, const std::string& server_lines = {}) {
    open("[SERVER]\naccept_port=5001\nnic_address=10.0.0.1\n" + server_lines + session_text(lines));
    if (engine_ == nullptr) {
      return;
    }
    peer_.connect(engine_->listening_addresses().front());
    pass_ms(1);
  }

  /// Does the same, logged on. Returns the answer to the Logon.
  std::string serve_logged_on(const std::string& lines, const std::string& server_lines = {},
                              const std::string& logon = "98=0|108=30") {
    serve(lines, server_lines);
    peer_.say("A", logon);
    const Messages answer = take();
    EXPECT_EQ(types_of(answer), "A");
    return answer.empty() ? std::string() : answer.front();
  }

  /// A client; returns its Logon.
  std::string dial(const std::string& lines) {
    EXPECT_TRUE(peer_.listen(net::Address::parse("10.0.0.2:5001").value()));
    open("[CLIENT]\nprimary_address=10.0.0.2\nprimary_port=5001\n" + session_text(lines));
    pass_ms(100);
    const Messages sent = peer_.take_messages();
    EXPECT_EQ(types_of(sent), "A");
    return sent.empty() ? std::string() : sent.front();
  }

  void pass_ms(std::int64_t ms) { ASSERT_TRUE(network_.run(ms * base::ns_per_ms)); }

  [[nodiscard]] Messages take() {
    pass_ms(1);
    return peer_.take_messages();
  }

  [[nodiscard]] std::string sent_order() {
    EXPECT_TRUE(send_order(engine_->sessions().front(), "1").sent());
    const Messages sent = take();
    EXPECT_EQ(types_of(sent), "D");
    return sent.empty() ? std::string() : sent.front();
  }

  /// Sends an order with the given number and header fields.
  void say_numbered(std::uint64_t sequence, std::string_view fields) {
    peer_.send(peer_.message("D", fields, sequence));
  }

  [[nodiscard]] bool connected() const { return peer_.state() == testing::PeerState::Connected; }

  TemporaryDirectory directory_;
  testing::VirtualNetwork network_;
  testing::NodeId node_;
  VirtualPeer peer_;
  Recorder application_;
  std::unique_ptr<engine::Engine> engine_;
};

constexpr std::string_view order = "11=1|55=X|54=1";

// --- Header ---

TEST_F(EngineSessionKeys, BeginStringAndIdentity) {
  peer_.begin_string = "FIX.4.2";
  const std::string logon = serve_logged_on("begin_string=FIX.4.2\n");
  EXPECT_EQ(logon.find("8=FIX.4.2\x01"), 0U);
  EXPECT_EQ(field_of(logon, 49), "US");
  EXPECT_EQ(field_of(logon, 56), "THEM");
}

TEST_F(EngineSessionKeys, TimestampSubsecondsPrecision) {
  const std::string logon = serve_logged_on("timestamp_subseconds_precision=MILLI\n");
  EXPECT_EQ(field_of(logon, 52).size(), std::string_view("20260105-09:00:00.000").size());
}

TEST_F(EngineSessionKeys, AdditionalStaticHeaderTags) {
  serve_logged_on("additional_static_header_tags=100=XNAS,115=DESK,50=SNDR_SUB,57=SRVR_SUB\n");
  const std::string sent = sent_order();
  EXPECT_EQ(field_of(sent, 50), "SNDR_SUB");
  EXPECT_EQ(field_of(sent, 57), "SRVR_SUB");
  EXPECT_EQ(field_of(sent, 100), "XNAS");
  EXPECT_EQ(field_of(sent, 115), "DESK");
}

TEST_F(EngineSessionKeys, IncludeLastProcessedSeqnumInHeader) {
  serve_logged_on("include_last_processed_seqnum_in_header=true\n");
  EXPECT_EQ(field_of(sent_order(), 369), "1");
}

// --- Logon and Logout ---

TEST_F(EngineSessionKeys, HeartbeatIntervalSeconds) {
  EXPECT_EQ(field_of(dial("heartbeat_interval_seconds=7\n"), 108), "7");
  peer_.say("A", "98=0|108=7");
  pass_ms(6'800);  // Within the seven seconds since the Logon.
  EXPECT_EQ(types_of(peer_.take_messages()), "");
  pass_ms(200);
  EXPECT_EQ(types_of(peer_.take_messages()), "0");
}

TEST_F(EngineSessionKeys, CredentialsAndVersionOfTheLogon) {
  peer_.begin_string = "FIXT.1.1";
  const std::string logon = dial(
      "begin_string=FIXT.1.1\ndefault_app_ver_id=9\nlogon_username=joe\nlogon_password=old\n"
      "logon_message_new_password=new\n");
  EXPECT_EQ(field_of(logon, 1137), "9");
  EXPECT_EQ(field_of(logon, 553), "joe");
  EXPECT_EQ(field_of(logon, 554), "old");
  EXPECT_EQ(field_of(logon, 925), "new");
}

TEST_F(EngineSessionKeys, LogonResetSequenceNumbers) {
  EXPECT_EQ(field_of(dial("logon_reset_sequence_numbers=true\n"), 141), "Y");
}

TEST_F(EngineSessionKeys, LogonIncludeNextExpectedSeqNo) {
  EXPECT_EQ(field_of(dial("logon_include_next_expected_seq_no=true\n"), 789), "1");
}

TEST_F(EngineSessionKeys, LogonTimeoutSeconds) {
  dial("logon_timeout_seconds=9\n");
  pass_ms(8'800);
  EXPECT_TRUE(connected());
  pass_ms(200);
  EXPECT_FALSE(connected());
}

TEST_F(EngineSessionKeys, LogoutTimeoutSeconds) {
  serve_logged_on("logout_timeout_seconds=2\n");
  engine_->sessions().front().logout("done");
  pass_ms(1'990);
  EXPECT_EQ(types_of(peer_.take_messages()), "5");
  EXPECT_TRUE(connected());
  pass_ms(20);
  EXPECT_FALSE(connected());
}

TEST_F(EngineSessionKeys, AcceptTimeoutSeconds) {
  serve("", "accept_timeout_seconds=2\n");
  pass_ms(1'990);
  EXPECT_TRUE(connected());
  pass_ms(20);
  EXPECT_FALSE(connected());
}

// --- Validations ---

TEST_F(EngineSessionKeys, ValidationsEnabled) {
  serve_logged_on("validations_enabled=false\nmax_allowed_message_age_seconds=1\n");
  // Stale, which a session without validation ignores.
  const std::string late = peer_.message("D", order, 2);
  pass_ms(5'000);
  peer_.send(late);
  EXPECT_EQ(types_of(take()), "");
  EXPECT_EQ(application_.messages.size(), 1U);
}

TEST_F(EngineSessionKeys, MaxAllowedMessageAgeSeconds) {
  serve_logged_on("max_allowed_message_age_seconds=3\n");
  const std::string late = peer_.message("D", order, 2);
  pass_ms(5'000);
  peer_.send(late);
  const Messages answers = take();
  ASSERT_EQ(types_of(answers), "35");
  EXPECT_EQ(field_of(answers[0], 373), "10");
}

TEST_F(EngineSessionKeys, ValidateRepeatingGroups) {
  constexpr std::string_view miscounted =
      "11=1|453=2|448=P|447=D|452=1|55=X|54=1|60=20260105-09:00:00|40=1";
  serve_logged_on("dictionary=" AFFIX_DICTIONARIES "/FIX44.xml\nvalidate_repeating_groups=false\n");
  peer_.say("D", miscounted);
  EXPECT_EQ(types_of(take()), "");
  EXPECT_EQ(application_.messages.size(), 1U);
  engine_.reset();
  network_.set_turn(node_, {});
  peer_.next_sequence = 1;
  serve_logged_on("durability=memory\ndictionary=" AFFIX_DICTIONARIES "/FIX44.xml\n");
  peer_.say("D", miscounted);
  const Messages answers = take();
  ASSERT_EQ(types_of(answers), "3");
  EXPECT_EQ(field_of(answers[0], 373), "16");
}

// --- Resends ---

TEST_F(EngineSessionKeys, ReplayMessagesOnIncomingResendRequest) {
  serve_logged_on("replay_messages_on_incoming_resend_request=false\n");
  static_cast<void>(sent_order());
  peer_.say("2", "7=1|16=0");
  EXPECT_EQ(types_of(take()), "4");
}

TEST_F(EngineSessionKeys, IncludeT97DuringResends) {
  serve_logged_on("include_t97_during_resends=true\n");
  EXPECT_FALSE(has_field(sent_order(), 97));
  peer_.say("2", "7=2|16=0");
  const Messages again = take();
  ASSERT_EQ(types_of(again), "D");
  EXPECT_EQ(field_of(again[0], 97), "Y");
}

TEST_F(EngineSessionKeys, MaxResendRange) {
  serve_logged_on("max_resend_range=5\n");
  say_numbered(100, order);
  const Messages asked = take();
  ASSERT_EQ(types_of(asked), "2");
  EXPECT_EQ(field_of(asked[0], 7), "2");
  EXPECT_EQ(field_of(asked[0], 16), "6");
}

TEST_F(EngineSessionKeys, OutgoingResendRequestExpireInSecs) {
  serve_logged_on("outgoing_resend_request_expire_in_secs=4\n");
  say_numbered(100, order);
  EXPECT_EQ(types_of(take()), "2");
  pass_ms(3'990);
  EXPECT_EQ(types_of(peer_.take_messages()), "");
  pass_ms(20);
  EXPECT_EQ(types_of(peer_.take_messages()), "2");
}

TEST_F(EngineSessionKeys, ReplayMessageCacheInitialSize) {
  // Number of messages of a common size that can be resent from memory; the default keeps fewer.
  const auto first_resent = [this](const std::string& lines) {
    engine_.reset();
    network_.set_turn(node_, {});
    peer_.next_sequence = 1;
    serve_logged_on("durability=memory\n" + lines);
    for (int number = 0; number < 20'000; ++number) {
      EXPECT_TRUE(
          send_order(engine_->sessions().front(), std::to_string(number), std::string(60, 't'))
              .sent());
      if (number % 100 == 0) {
        pass_ms(1);
      }
    }
    static_cast<void>(take());
    peer_.say("2", "7=1|16=0");
    pass_ms(100);
    const Messages again = peer_.take_messages();
    EXPECT_FALSE(again.empty());
    return again.empty() ? 0 : std::stoi(std::string(field_of(again.front(), 36)));
  };
  const int by_default = first_resent("");
  EXPECT_GT(by_default, 2);
  EXPECT_LT(first_resent("replay_message_cache_initial_size=20000\n"), by_default);
}

// --- Schedule ---

TEST_F(EngineSessionKeys, ScheduleOfDaysAndHours) {
  // The network's clock begins on a Monday at nine.
  serve(
      "schedule_week_days=2-3\nstart_hour_utc=10\nstart_minute_utc=30\nend_hour_utc=11\n"
      "end_minute_utc=45\n");
  const auto tries = [this] {
    peer_.connect(engine_->listening_addresses().front());
    pass_ms(1);
    peer_.next_sequence = 1;
    peer_.say("A", "98=0|108=0|141=Y");
    return types_of(take());
  };
  constexpr std::int64_t minute_ms = 60'000;
  EXPECT_EQ(tries(), "5");  // Monday.
  pass_ms(24 * 60 * minute_ms);
  EXPECT_EQ(tries(), "5");  // Tuesday, nine.
  pass_ms(91 * minute_ms);
  EXPECT_EQ(tries(), "A");  // 10:31.
  pass_ms(73 * minute_ms);
  EXPECT_TRUE(connected());  // 11:44.
  pass_ms(2 * minute_ms);
  EXPECT_FALSE(connected());
  EXPECT_EQ(types_of(peer_.take_messages()), "5");
  EXPECT_EQ(tries(), "5");
}

// --- Records ---

TEST_F(EngineSessionKeys, MaxSerialisedFileSize) {
  serve_logged_on("max_serialised_file_size=1048576\nmax_message_bytes=4096\n",
                  "rx_buffer_capacity=65536\ntx_encode_buffer_capacity=65536\n");
  for (int number = 0; number < 8'000; ++number) {
    ASSERT_TRUE(
        send_order(engine_->sessions().front(), std::to_string(number), std::string(300, 't'))
            .sent());
    if (number % 50 == 0) {
      pass_ms(1);
      static_cast<void>(peer_.take_messages());
    }
  }
  std::uintmax_t largest = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_.path())) {
    largest = entry.is_regular_file() ? std::max(largest, entry.file_size()) : largest;
  }
  EXPECT_EQ(largest, 1'048'576U);
}

TEST_F(EngineSessionKeys, MaxSerialisedFileSizeOfNothingKeepsNumbersOnly) {
  serve_logged_on("max_serialised_file_size=0\n");
  static_cast<void>(sent_order());
  peer_.say("2", "7=1|16=0");
  EXPECT_EQ(types_of(take()), "4");
  EXPECT_EQ(engine_->sessions().front().next_sender_seq(), 3U);
}

TEST_F(EngineSessionKeys, MaxSerialisedFileSizeOfAnySizeIsTakenAndRotates) {
  const auto files = [this](const std::string& lines) {
    engine_.reset();
    network_.set_turn(node_, {});
    std::filesystem::remove_all(directory_.path("FIX.4.4-US-THEM"));
    peer_.next_sequence = 1;
    // Smaller than a message may be: a segment has room for two of the largest anyway.
    serve_logged_on("max_message_bytes=65536\n" + lines, "tx_encode_buffer_capacity=65536\n");
    for (int number = 0; number < 600; ++number) {
      EXPECT_TRUE(
          send_order(engine_->sessions().front(), std::to_string(number), std::string(900, 't'))
              .sent());
      pass_ms(10);
      static_cast<void>(peer_.take_messages());
    }
    const std::filesystem::directory_iterator entries(directory_.path("FIX.4.4-US-THEM"));
    return std::count_if(begin(entries), end(entries),
                         [](const auto& entry) { return entry.path().extension() == ".journal"; });
  };
  const auto by_default = files("");
  EXPECT_GE(by_default, 1);
  EXPECT_GT(files("max_serialised_file_size=1\n"), by_default + 1);
}

TEST_F(EngineSessionKeys, OldStorePathsAreWarnedOf) {
  const std::string path = directory_.path("old");
  serve_logged_on("sequence_store_file_path=" + path + "\nincoming_message_serialisation_path=" +
                  path + "\noutgoing_message_serialisation_path=" + path + "\n");
  for (const std::string_view key :
       {"sequence_store_file_path", "incoming_message_serialisation_path",
        "outgoing_message_serialisation_path"}) {
    EXPECT_TRUE(application_.heard_code("C208", "key '" + std::string(key) + "'"))
        << application_.all_events();
  }
  EXPECT_TRUE(application_.heard_code("C208", "journal_path"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

// --- Group keys with effects in virtual time ---

TEST_F(EngineSessionKeys, SendTryCount) {
  serve_logged_on("", "send_try_count=3\ntx_encode_buffer_capacity=65536\n");
  peer_.reads = false;
  while (send_order(engine_->sessions().front(), "1", std::string(900, 't')).sent()) {
    pass_ms(1);
  }
  pass_ms(2'500);
  EXPECT_TRUE(application_.logouts.empty());
  pass_ms(1'000);
  ASSERT_EQ(application_.logouts.size(), 1U);
  EXPECT_TRUE(application_.logged_out_by("S303")) << application_.all_events();
}

}  // namespace
}  // namespace affix::support
