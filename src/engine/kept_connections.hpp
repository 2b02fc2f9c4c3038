// SPDX-License-Identifier: MIT
// Connections and listeners that a keeper holds for the engine's next process, and those that it
// held for this one.
#pragma once

#include "affix/base/error.hpp"
#include "affix/host/application.hpp"
#include "affix/keeper/keeper.hpp"
#include "affix/net/socket.hpp"

#include "engine/left_connection.hpp"
#include "host/link_keeper.hpp"
#include "host/link_table.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// The keeper of one engine. Shared by its workers; what is not of host::LinkKeeper is for the
/// thread that opens the engine, unless it says otherwise.
class KeptConnections final : public host::LinkKeeper {
 public:
  /// `kept` is what the keeper held. At most `connections` will be open at one time. Errors are
  /// those of host::LinkTable; a table that this version cannot read is replaced, and its
  /// connections are closed, which take_reports() says.
  [[nodiscard]] static std::expected<std::unique_ptr<KeptConnections>, base::Error> open(
      std::unique_ptr<keeper::Keeper> keeper, std::vector<keeper::Kept> kept,
      std::size_t connections);

  /// The next process knows that this one has ended in order.
  ~KeptConnections();

  KeptConnections(const KeptConnections&) = delete;
  KeptConnections& operator=(const KeptConnections&) = delete;

  // host::LinkKeeper; any thread.
  [[nodiscard]] host::LinkRecord* take(std::uint64_t identity, std::string_view name,
                                       std::uint32_t role) noexcept override;
  void hold(const host::LinkRecord& row, net::Socket duplicate) noexcept override;
  void drop(host::LinkRecord& row) noexcept override;

  // --- What an earlier process left ---

  /// The connection that it left of that session, once.
  [[nodiscard]] std::optional<LeftConnection> take_left(std::uint64_t identity) noexcept;

  /// The row of that connection, as long as nobody has taken it; null: there is none.
  [[nodiscard]] const host::LinkRecord* row_of_left(std::uint64_t identity) const noexcept;

  /// Ends a connection that is not continued: its peer learns it at once, whoever else has a
  /// duplicate, and the row is free. Any thread.
  void close(LeftConnection& left) noexcept;

  /// True if the keeper has a connection under that name.
  [[nodiscard]] static bool is_connection(std::string_view name) noexcept;

  /// The keeper closes its table: nothing more is left to a next process under this instance.
  void drop_table() noexcept { drop_name(std::string(table_name)); }

  /// The keeper has heard of everything that was dropped. If not, call repeat_delayed() again.
  [[nodiscard]] bool is_settled();

  /// Repeats what the keeper had no time for. Like tend(), always on the same thread.
  void repeat_delayed();

  /// Closes the connections that nobody has taken. Returns the names of their sessions.
  std::vector<std::string> close_left() noexcept;

  /// The listening socket of that server group, once; none: it has none.
  [[nodiscard]] net::Socket take_listener(std::string_view group) noexcept;

  /// Closes listening sockets that nobody has taken.
  void close_listeners() noexcept;

  /// The keeper closes the one that it has of that group.
  void drop_listener(std::string_view group) noexcept;

  /// Keeps `duplicate`, a listening socket of that group.
  void hold_listener(std::string_view group, net::Socket duplicate);

  /// Where that worker shows its turns; valid as long as this. Any thread.
  [[nodiscard]] std::atomic<std::int64_t>& turn_sign(std::size_t worker) noexcept {
    return table_->sign(worker).at_ns;
  }

  /// Reasons for which something was not continued; once.
  [[nodiscard]] std::vector<std::string> take_reports() { return std::move(reports_); }

  // --- While the engine runs ---

  using Report = std::function<void(host::Event::Severity severity, std::string_view text,
                                    base::MessageCode code)>;

  /// Looks after the connection to the keeper: about once a second, always on the same thread.
  void tend(const Report& report);

  /// Number of times that the keeper was found to be a new one, which has nothing: then every
  /// session must hold its connection again. Any thread.
  [[nodiscard]] std::uint32_t generation() const noexcept {
    return generation_.load(std::memory_order_acquire);
  }

 private:
  KeptConnections(std::unique_ptr<keeper::Keeper> keeper,
                  std::unique_ptr<host::LinkTable> table) noexcept;

  [[nodiscard]] static std::string name_of(const host::LinkRecord& row);
  void hold_table() noexcept;
  void drop_name(std::string name) noexcept;

  static constexpr std::string_view table_name = "connections";

  struct Listening {
    std::string name;
    net::Socket socket;
  };

  std::unique_ptr<keeper::Keeper> keeper_;
  std::unique_ptr<host::LinkTable> table_;
  std::vector<LeftConnection> left_;
  std::vector<Listening> left_listeners_;
  std::vector<Listening> listeners_;  // Ours, to be held again by a new keeper.
  std::vector<std::string> reports_;
  // Requests that the keeper had no time for; repeated by tend().
  std::mutex delayed_mutex_;
  std::vector<std::string> delayed_drops_;
  bool hold_again_ = false;
  bool lost_ = false;
  bool taken_ = false;  // Another process is this engine now.
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<bool> full_{false};  // The table had no row.
};

}  // namespace affix::inline v0::engine
