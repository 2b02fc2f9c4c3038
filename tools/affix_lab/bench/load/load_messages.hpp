// SPDX-License-Identifier: MIT
// Messages sent by a load session: orders as prepared messages of which four fields change, and
// session messages. Independent of numbering, time and sockets.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/prepared.hpp"
#include "affix/wire/timestamp.hpp"

#include "bench/load/output.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::bench {

/// Identity of a load session.
struct LoadIdentity {
  std::string begin_string = "FIXT.1.1";
  std::string default_appl_ver_id = "9";  ///< 1137, in FIXT.1.1 only.
  std::string sender_comp_id = {};
  std::string target_comp_id = {};
  std::string username = {};  ///< 553; empty: not sent.
  std::string password = {};  ///< 554; empty: not sent.
  std::int64_t heartbeat_seconds = 30;
  wire::TimePrecision precision = wire::TimePrecision::Nanos;
};

/// The order that every session sends repeatedly.
struct OrderShape {
  std::string msg_type = "D";
  /// Fields of the body except 11 and 60, encoded: `55=...SOH`, any number.
  std::string fields;
  bool has_transact_time = true;  ///< 60 is sent, with the time at which the order is written.
  std::string id_prefix;          ///< ClOrdIDs are this and ten digits; at most id_prefix_max.
};

inline constexpr std::size_t id_prefix_max = 10;
inline constexpr std::size_t id_digits = 10;

/// A plain limit order with that version's fields.
[[nodiscard]] OrderShape standard_order(std::string_view begin_string);

/// An order with the body's fields from `55=ACME|54=1|...`; replaces the values of 11 and 60, and
/// sends 60 only if given. InvalidArgument: not `tag=value`, or no field.
[[nodiscard]] std::expected<OrderShape, base::Error> order_of_text(std::string_view text);

/// Precision of time stamps that every acceptor of the version accepts: nanoseconds from FIXT.1.1
/// on, milliseconds before.
[[nodiscard]] wire::TimePrecision usual_precision(std::string_view begin_string) noexcept;

/// Writes into an Output; make() checks the values once, so writing cannot fail. One thread.
class LoadMessages {
 public:
  /// InvalidArgument: a value that no message can hold.
  [[nodiscard]] static std::expected<LoadMessages, base::Error> make(const LoadIdentity& identity,
                                                                     const OrderShape& shape);

  [[nodiscard]] const LoadIdentity& identity() const noexcept { return identity_; }

  [[nodiscard]] std::string_view order_type() const noexcept { return shape_.msg_type; }

  void order(Output& out, std::uint64_t sequence, std::int64_t utc_ns, std::uint64_t ordinal,
             wire::TimeStampCache& cache);

  /// Writes the order again as a possible duplicate, first sent at `original_utc_ns`.
  void resent_order(Output& out, std::uint64_t sequence, std::int64_t utc_ns, std::uint64_t ordinal,
                    std::int64_t original_utc_ns);

  void logon(Output& out, std::uint64_t sequence, std::int64_t utc_ns, bool reset_numbers);
  void logout(Output& out, std::uint64_t sequence, std::int64_t utc_ns);

  /// `test_id` is 112, or empty.
  void heartbeat(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                 std::string_view test_id);
  void test_request(Output& out, std::uint64_t sequence, std::int64_t utc_ns);

  /// Requests everything from `first` on.
  void resend_request(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                      std::uint64_t first);

  /// Replaces all messages from `sequence` to before `next`.
  void gap_fill(Output& out, std::uint64_t sequence, std::int64_t utc_ns, std::uint64_t next);

  /// The ordinal in one of our ClOrdIDs; nullopt for any other text.
  [[nodiscard]] std::optional<std::uint64_t> ordinal_of(std::string_view cl_ord_id) const noexcept;

 private:
  LoadMessages(LoadIdentity identity, OrderShape shape);

  [[nodiscard]] std::expected<void, base::Error> prepare();
  void write_id(std::uint64_t ordinal) noexcept;

  template <typename Body>
  void write(Output& out, std::string_view type, std::uint64_t sequence, std::int64_t utc_ns,
             std::int64_t original_utc_ns, Body body);

  LoadIdentity identity_;
  OrderShape shape_;
  std::string id_;  ///< The ClOrdID of the order being written.
  std::size_t storage_size_ = 0;
  std::unique_ptr<char[]> storage_;
  std::optional<wire::PreparedMessage> prepared_;
};

}  // namespace affix::inline v0::tools::bench
