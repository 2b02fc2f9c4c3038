// SPDX-License-Identifier: MIT
// One side of a session as in an engine, without sockets: framer, index, session, journal and the
// loop that carries out the session's actions. Timed in bench session and counted in
// affix_counts.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/out.hpp"
#include "affix/session/session.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../messages.hpp"
#include "../wire/seed_order.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace affix_bench {

/// The initiator of the session that the messages of the codec benchmarks belong to.
struct PartyIdentity {
  std::string_view begin_string;
  std::string_view sender;
  std::string_view target;
  std::string_view sender_sub;
  std::string_view target_sub;
  std::string_view appl_ver_id;
};

/// Of the ExecutionReport of 248 bytes.
inline constexpr PartyIdentity report_receiver{"FIX.4.4", "TRADER1", "EXCHANGE", "", "", ""};
/// Of the seed's NewOrderSingle.
inline constexpr PartyIdentity order_sender{"FIXT.1.1", "CLIENT1",  "EXECUTOR",
                                            "SNDR_SUB", "SRVR_SUB", "9"};

/// A logged-on session and its journal. Any fault ends the program: a wrong figure is worse than
/// none.
class Party {
 public:
  Party(const PartyIdentity& identity, const affix::journal::Options& options)
      : options_(options_of(identity)), session_(options_, state_, memory_->memory()) {
    open_journal(options);
    session_.on_connected(now_, out_);
    carry_out();
    leave();
    const Message logon = make_message(identity.begin_string, logon_body(identity));
    receive(logon.view(), now_.utc_ns);
    leave();
    require(session_.phase() == affix::session::Phase::Active, "no logon");
  }

  /// Opens a new journal that continues the session's numbers; drops the old one.
  void open_journal(const affix::journal::Options& options) {
    journal_.reset();
    auto opened = affix::journal::Journal::open(options);
    require(opened.has_value(), "no journal");
    journal_ = std::move(*opened);
    require(journal_->append_event(affix::journal::EventType::NumbersSet, state_.next_outgoing,
                                   state_.next_expected, now_.utc_ns,
                                   "benchmark") == affix::journal::AppendResult::Appended,
            "no event");
  }

  /// Call between rounds, as another thread does it in an engine.
  void prepare_journal() {
    while (journal_->needs_preparation()) {
      require(journal_->prepare().has_value(), "no segment");
    }
  }

  void close_journal() { journal_.reset(); }

  void expect(std::uint64_t sequence) { state_.next_expected = sequence; }

  void send_next(std::uint64_t sequence) { state_.next_outgoing = sequence; }

  [[nodiscard]] const affix::session::SessionState& state() const { return state_; }

  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

  /// Handles one message from the connection: frames, indexes, checks, stores, delivers, marks.
  [[gnu::always_inline]] void receive(std::string_view bytes, std::int64_t utc_ns) {
    const std::size_t size = framer_.next(bytes).size;
    const std::string_view message = bytes.substr(0, size);
    affix::wire::index_message(message, index_);
    const affix::base::Now now = at(utc_ns);
    static_cast<void>(session_.on_message({message, index_}, now, out_));
    carry_out();
  }

  /// Encodes the seed's order after the session's header, numbers and stores it. The caller sends
  /// the outbox, then calls leave().
  [[gnu::always_inline]] std::string_view send(const OrderValues& order) {
    using affix::wire::TimePrecision;
    const affix::base::UtcTime time{order.time_ns, 0};
    const affix::base::Now now = at(order.time_ns);
    affix::wire::Encoder encoder = session_.begin("D", now, out_);
    encoder.text(11, order.cl_ord_id);
    encoder.text(55, order.symbol);
    encoder.character(54, '1');
    encoder.decimal(38, order.quantity);
    encoder.decimal(44, order.price);
    encoder.character(40, '2');
    encoder.character(59, '0');
    encoder.integer(453, 2);
    encoder.text(448, "PARTY1");
    encoder.character(447, 'D');
    encoder.integer(452, 1);
    encoder.text(448, "PARTY2");
    encoder.character(447, 'D');
    encoder.integer(452, 3);
    encoder.utc_time(60, time, TimePrecision::Nanos);
    static_cast<void>(session_.commit(encoder.finish(), now, out_));
    carry_out();
    return out_.bytes();
  }

  /// The same order, prepared: patches 34, 52, 60 and 11.
  [[gnu::always_inline]] std::string_view send_prepared(const OrderValues& order) {
    using affix::wire::TimePrecision;
    const affix::base::Now now = at(order.time_ns);
    prepared_->set_utc_time(2, {order.time_ns, 0}, TimePrecision::Nanos, stamps_);
    prepared_->set_text(3, order.cl_ord_id);
    static_cast<void>(session_.send_prepared(*prepared_, 0, 1, now, out_));
    carry_out();
    return out_.bytes();
  }

  /// Makes the prepared form of the order that send() encodes.
  void prepare_order() {
    const std::string_view sent = send({});
    affix::wire::FieldIndexOf<64> index;
    affix::wire::index_message(sent, index);
    auto made = affix::wire::PreparedMessage::make(
        prepared_storage_, affix::wire::MessageView(sent, index), {{34}, {52}, {60}, {11}});
    require(made.has_value(), "no prepared order");
    prepared_.reset(new affix::wire::PreparedMessage(std::move(*made)));
    leave();
  }

  /// The transport has taken the whole outbox.
  [[gnu::always_inline]] void leave() { out_.sent(out_.bytes().size()); }

 private:
  static void require(bool good, const char* what) {
    if (!good) {
      std::fprintf(stderr, "bench session: %s\n", what);
      std::exit(2);
    }
  }

  /// Passed in registers: a caller that has just stored a time would wait for it to be loaded.
  [[gnu::always_inline]] affix::base::Now at(std::int64_t utc_ns) {
    now_.utc_ns = utc_ns;
    return {now_.steady_ns, utc_ns};
  }

  static affix::session::SessionOptions options_of(const PartyIdentity& identity) {
    affix::session::SessionOptions options;
    options.begin_string = identity.begin_string;
    options.sender_comp_id = identity.sender;
    options.target_comp_id = identity.target;
    options.sender_sub_id = identity.sender_sub;
    options.target_sub_id = identity.target_sub;
    options.default_appl_ver_id = identity.appl_ver_id;
    require(affix::session::option_fault(options) == affix::session::OptionFault::None, "options");
    return options;
  }

  static std::string logon_body(const PartyIdentity& identity) {
    std::string body = "35=A|34=1|49=" + std::string(identity.target) +
                       "|52=20251231-18:21:36.457|56=" + std::string(identity.sender);
    if (!identity.sender_sub.empty()) {
      body += "|50=" + std::string(identity.target_sub) + "|57=" + std::string(identity.sender_sub);
    }
    body += "|98=0|108=30|";
    if (!identity.appl_ver_id.empty()) {
      body += "1137=" + std::string(identity.appl_ver_id) + "|";
    }
    return body;
  }

  [[gnu::always_inline]] void carry_out() {
    while (const affix::session::Action* next = out_.next_action()) {
      execute(*next);
    }
  }

  [[gnu::always_inline]] void execute(const affix::session::Action& action) {
    using affix::session::ActionKind;
    switch (action.kind) {
      case ActionKind::PersistReceived: {
        const affix::session::PersistReceived& received = action.persist_received;
        received_at_ =
            journal_
                ->append_received(received.sequence, received.expected_after, now_.utc_ns,
                                  received.bytes,
                                  received.deliver_follows ? affix::journal::Delivery::Application
                                                           : affix::journal::Delivery::SessionOnly)
                .position();
        break;
      }
      case ActionKind::PersistSent:
        require(journal_->append_sent(action.persist_sent.sequence, now_.utc_ns,
                                      action.persist_sent.bytes) ==
                    affix::journal::AppendResult::Appended,
                "not stored");
        break;
      case ActionKind::Deliver:
        delivered_ += action.deliver.admin ? 0 : 1;
        asm volatile("" : : "r"(&action.deliver.message) : "memory");
        journal_->mark_processed(received_at_);
        break;
      case ActionKind::LogonRequested:
        static_cast<void>(session_.accept_logon(now_, out_));
        break;
      case ActionKind::Report:
        break;
      default:
        require(false, "an action that has no place here");
    }
  }

  affix::session::SessionOptions options_;
  affix::session::SessionState state_;
  std::unique_ptr<affix::session::SessionMemoryOf<>> memory_ =
      std::make_unique<affix::session::SessionMemoryOf<>>();
  std::vector<char> outbox_ = std::vector<char>(64 * 1024);
  std::vector<affix::session::Action> actions_ = std::vector<affix::session::Action>(64);
  affix::session::Out out_{outbox_, actions_};
  affix::session::Session session_;
  affix::wire::Framer framer_;
  affix::wire::FieldIndexOf<256> index_;
  std::unique_ptr<affix::journal::Journal> journal_;
  affix::journal::Position received_at_;
  affix::base::Now now_{1, seed_time_ns};
  std::uint64_t delivered_ = 0;
  affix::wire::TimeStampCache stamps_;
  std::array<char, 512> prepared_storage_{};
  std::unique_ptr<affix::wire::PreparedMessage> prepared_;
};

/// Consecutive ExecutionReports of 248 bytes, a millisecond apart. As many as fit into the
/// first-level cache.
class ReportStream {
 public:
  static constexpr std::uint64_t first_sequence = 120'457;
  static constexpr std::uint32_t count = 64;
  /// The time in the message, so that none is too old.
  static constexpr std::int64_t time_ns = 1'767'205'296'457'000'000;

  ReportStream() {
    for (std::uint32_t at = 0; at < count; ++at) {
      messages_.push_back(make_message(
          "FIX.4.4", "35=8|49=EXCHANGE|56=TRADER1|34=" + std::to_string(first_sequence + at) +
                         "|52=20251231-18:21:36." + std::to_string(457 + at) +
                         "|37=ORD1048|17=EX20417|11=CL88123|1=ACCT|150=F|39=1|55=MSFT|54=1|"
                         "38=1000|40=2|44=415.50|59=0|32=250|31=415.2500|151=750|14=250|"
                         "6=415.2500|60=20251231-18:21:36.457|"));
    }
  }

  /// The next message. At the end of the stream the receiver expects its first message again.
  [[gnu::always_inline]] std::string_view next(Party& party) {
    if (at_ == count) {
      at_ = 0;
      party.expect(first_sequence);
    }
    return messages_[at_++].view();
  }

  [[gnu::always_inline]] std::string_view next() {
    at_ = at_ == count ? 0 : at_;
    return messages_[at_++].view();
  }

 private:
  std::vector<Message> messages_;
  std::uint32_t at_ = count;
};

}  // namespace affix_bench
