// SPDX-License-Identifier: MIT
// The processes of the failover demonstration: an exchange, an etcd, and two nodes between the
// traders and the exchange.
#pragma once

#include "affix/base/error.hpp"
#include "affix/counters/counter_reader.hpp"

#include "demo/configurations.hpp"
#include "demo/exchange_process.hpp"
#include "demo/held_port.hpp"
#include "process/child_process.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::demo {

/// A node's account of itself by its counters, which costs it nothing.
struct NodeReading {
  bool killed = false;
  bool ended = false;  ///< Without having been killed.
  /// Nullopt: its process has not opened its counters yet, or is no longer there.
  std::optional<counters::FailoverReading> group;

  [[nodiscard]] bool leads() const noexcept;

  [[nodiscard]] std::uint64_t epoch() const noexcept;
};

/// Journal directories of the sessions of a configuration file whose names begin with `kind`, in
/// its order. Empty: the file cannot be read.
[[nodiscard]] std::vector<std::string> journals_of(const std::string& configuration,
                                                   std::string_view kind);

/// Ends its processes with this object, and removes etcd's data. One thread.
class FailoverCluster {
 public:
  static constexpr std::size_t node_count = node_names.size();

  /// Starts everything, and returns when one node leads and the other is in sync. Removes what an
  /// earlier run left. Errors have a text for people; `stopped` ends the wait with one.
  [[nodiscard]] static std::expected<std::unique_ptr<FailoverCluster>, base::Error> start(
      const std::string& directory, const std::function<bool()>& stopped);

  FailoverCluster(const FailoverCluster&) = delete;
  FailoverCluster& operator=(const FailoverCluster&) = delete;
  ~FailoverCluster();

  [[nodiscard]] const ClusterPlaces& places() const noexcept { return places_; }

  [[nodiscard]] NodeReading read(std::size_t node);

  /// The node that leads and has all others in sync; nullopt: none.
  [[nodiscard]] std::optional<std::size_t> whole_primary();

  /// Sends SIGKILL and does not wait. Returns the process.
  pid_t kill_node(std::size_t node);

  /// Starts the node again after kill_node().
  [[nodiscard]] std::expected<void, base::Error> return_node(std::size_t node);

  [[nodiscard]] bool etcd_runs() const noexcept { return etcd_ && !etcd_->has_ended(); }

  [[nodiscard]] bool exchange_runs() const noexcept {
    return exchange_ && !exchange_->process.has_ended();
  }

  /// Ends all in order. Returns what the exchange printed; an error if it
  /// or a node did not end in order.
  [[nodiscard]] std::expected<std::string, base::Error> stop();

 private:
  struct Node {
    std::optional<ChildProcess> process;
    bool killed = false;
    std::optional<counters::CounterReader> counters;
  };

  explicit FailoverCluster(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] std::expected<void, base::Error> hold_ports();
  [[nodiscard]] std::expected<void, base::Error> start_etcd();
  [[nodiscard]] std::expected<void, base::Error> start_node(std::size_t node);
  [[nodiscard]] std::expected<void, base::Error> wait_whole(const std::function<bool()>& stopped);
  [[nodiscard]] std::string path(std::string_view name) const;

  std::string directory_;
  std::vector<HeldPort> ports_;
  std::string etcd_peer_port_;
  ClusterPlaces places_;
  std::optional<Exchange> exchange_;
  std::unique_ptr<ChildProcess> etcd_;
  std::array<Node, node_count> nodes_;
};

}  // namespace affix::inline v0::tools::demo
