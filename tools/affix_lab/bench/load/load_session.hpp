// SPDX-License-Identifier: MIT
// One initiator session of the load generator: the FIX rules that an honest peer needs, orders, and
// the matching of answers. Takes bytes and time, returns bytes; uses no socket, no clock, and none
// of the engine's code above wire, so that it checks the engine independently.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include "bench/load/answer_log.hpp"
#include "bench/load/load_messages.hpp"
#include "bench/load/output.hpp"
#include "measure/latency_histogram.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Round trips of answered orders, from two starting times.
struct Latencies {
  LatencyHistogram response;  ///< From the time the order was due, so a stall counts for every
                              ///< order that it delayed.
  LatencyHistogram service;   ///< From the time it was written.
};

/// State shared by the sessions of one thread.
struct LoadScratch {
  Output out;
  wire::FieldIndexOf<256> index;
  wire::TimeStampCache stamps;
  Latencies* latencies = nullptr;  ///< Null: nothing is measured.
  AnswerLog* answers = nullptr;    ///< Null: nothing is logged.
  std::uint32_t session = 0;       ///< The one that receives, for `answers`.
};

struct LoadCounters {
  std::uint64_t sent = 0;        ///< Orders, each counted once.
  std::uint64_t answered = 0;    ///< Answered orders, including rejected ones.
  std::uint64_t rejected = 0;    ///< Answered by a Reject or a BusinessMessageReject.
  std::uint64_t further = 0;     ///< Further reports about answered orders, if those are expected.
  std::uint64_t duplicates = 0;  ///< Further reports if they are not expected.
  std::uint64_t foreign = 0;     ///< Reports about unknown orders.
  std::uint64_t resent = 0;      ///< Orders resent on the peer's request.
  std::uint64_t resend_requests = 0;  ///< Sent by us.
  std::uint64_t duplicates_passed_over =
      0;                         ///< Possible duplicates with a number received before: no fault.
  std::uint64_t sent_again = 0;  ///< Resent messages requested by ask_again().
  std::uint64_t sequence_faults = 0;  ///< A number that is too low, without PossDupFlag.
  std::uint64_t garbled = 0;          ///< Pieces of input that are not messages.
  std::uint64_t logons = 0;
  std::uint64_t unexpected_logouts = 0;

  void add(const LoadCounters& other) noexcept;

  /// Number of faults of the acceptor.
  [[nodiscard]] std::uint64_t faults() const noexcept {
    return duplicates + foreign + sequence_faults + garbled + rejected + unexpected_logouts;
  }
};

struct LoadSessionOptions {
  /// Maximum number of unanswered orders; a power of two. Each takes 40 bytes.
  std::uint32_t window = 4096;
  /// Further reports for an order are no duplicates.
  bool further_reports = false;
  /// No Logon and no numbers: every message from the peer answers the oldest order.
  bool raw = false;
  bool reset_numbers = true;  ///< The first Logon has 141=Y.
  std::uint64_t next_sender_seq = 1;
  std::uint64_t next_target_seq = 1;
};

class LoadSession {
 public:
  enum class Phase : std::uint8_t {
    Down,        ///< No connection.
    LoggingOn,   ///< Our Logon is sent.
    Active,      ///< Orders may be sent.
    LoggingOut,  ///< Our Logout is sent.
    Over,        ///< Logged out; the connection is about to be closed.
  };

  LoadSession(LoadMessages messages, const LoadSessionOptions& options);

  [[nodiscard]] Phase phase() const noexcept { return phase_; }

  [[nodiscard]] const LoadCounters& counters() const noexcept { return counters_; }

  [[nodiscard]] const LoadMessages& messages() const noexcept { return messages_; }

  /// Orders sent and not answered.
  [[nodiscard]] std::uint64_t outstanding() const noexcept {
    return counters_.sent - counters_.answered;
  }

  /// Orders that may be written now; 0 unless Active.
  [[nodiscard]] std::uint64_t room() const noexcept {
    return phase_ == Phase::Active ? options_.window - (next_ordinal_ - oldest_) : 0;
  }

  /// 58 of the peer's Logout when it refused or ended the session. Empty: none.
  [[nodiscard]] const std::string& last_words() const noexcept { return last_words_; }

  /// For how long an order has waited without anything from the peer, not longer than the
  /// connection is old; 0: none waits.
  [[nodiscard]] std::int64_t silent_for_ns(base::Now now) const noexcept {
    return outstanding() == 0
               ? 0
               : now.steady_ns - std::max(last_heard_ns_, times_[place_of(oldest_)].written_ns);
  }

  void on_connected(base::Now now, LoadScratch& scratch);
  void on_disconnected() noexcept;

  /// Processes the messages of `bytes`; returns the number of bytes consumed. Writes answers that
  /// the peer must get to the output.
  [[nodiscard]] std::size_t on_bytes(base::PaddedBytes bytes, base::Now now, LoadScratch& scratch);

  /// Sends due heartbeats. True: the peer has been silent for three heartbeat intervals.
  [[nodiscard]] bool on_time(base::Now now, LoadScratch& scratch);

  /// Writes one order, due at `intended_ns` of the steady clock. room() is not 0.
  void write_order(std::int64_t intended_ns, base::Now now, LoadScratch& scratch);

  void write_logout(base::Now now, LoadScratch& scratch);

  /// Requests every message from the first on, although none is missing; from one number later each
  /// time, since an acceptor may treat a repeated request as a fault. They are only counted, so
  /// that a resend of a million costs this side little. Only if Active and not asking().
  void ask_again(base::Now now, LoadScratch& scratch);

  /// True until the resend requested by ask_again() is complete.
  [[nodiscard]] bool asking() const noexcept { return again_up_to_ != 0; }

 private:
  struct OrderTimes {
    std::int64_t intended_ns = 0;
    std::int64_t written_ns = 0;
  };

  void on_message(const wire::MessageView& message, base::Now now, LoadScratch& scratch);
  void on_next(const wire::MessageView& message, base::Now now, LoadScratch& scratch);
  void on_logon(const wire::MessageView& message, std::uint64_t sequence) noexcept;
  void on_logout(const wire::MessageView& message, base::Now now, LoadScratch& scratch);
  void on_sequence_reset(const wire::MessageView& message, std::uint64_t sequence, base::Now now,
                         LoadScratch& scratch);
  void on_resend_request(const wire::MessageView& message, base::Now now, LoadScratch& scratch);
  void on_reject(const wire::MessageView& message, base::Now now, LoadScratch& scratch);
  void on_early(std::uint64_t sequence, base::Now now, LoadScratch& scratch);

  /// Requests the messages from the next one on if a later one came early and no request covers it.
  void request_missing(base::Now now, LoadScratch& scratch);

  void answer(std::uint64_t ordinal, base::Now now, LoadScratch& scratch) noexcept;

  /// True if the message belongs to the resend requested by ask_again(); it needs no further
  /// processing then.
  [[nodiscard]] bool take_again(std::string_view message) noexcept;

  /// Both rings have a power of two as size.
  [[nodiscard]] std::size_t place_of(std::uint64_t ordinal) const noexcept {
    return ordinal & (options_.window - 1);
  }

  [[nodiscard]] std::size_t number_mask() const noexcept { return at_number_.size() - 1; }

  /// The ordinal of the order with that number, or no_order.
  [[nodiscard]] std::uint64_t order_at(std::uint64_t sequence) const noexcept;

  /// Assigns a number to a message that is no order.
  [[nodiscard]] std::uint64_t take_number() noexcept;

  LoadMessages messages_;
  LoadSessionOptions options_;
  wire::Framer framer_;
  LoadCounters counters_;
  std::string last_words_;
  std::vector<OrderTimes> times_;         ///< By ordinal modulo the window.
  std::vector<bool> answered_;            ///< By ordinal modulo the window.
  std::vector<std::uint64_t> at_number_;  ///< Ordinals by number modulo twice the window.
  std::uint64_t next_ordinal_ = 0;
  std::uint64_t oldest_ = 0;  ///< The first ordinal without an answer, or the next one.
  std::uint64_t next_out_ = 1;
  std::uint64_t next_in_ = 1;
  std::uint64_t early_up_to_ = 0;  ///< The highest number that came before its turn.
  std::uint64_t asked_up_to_ = 0;  ///< Numbers up to here come in a requested resend.
  std::uint64_t again_up_to_ = 0;  ///< The same for ask_again(); 0: none is in progress.
  std::uint64_t again_from_ = 0;
  std::int64_t last_written_ns_ = 0;
  std::int64_t last_heard_ns_ = 0;
  bool test_sent_ = false;
  bool logged_on_before_ = false;
  Phase phase_ = Phase::Down;
};

}  // namespace affix::inline v0::tools::bench
