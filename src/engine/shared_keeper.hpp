// SPDX-License-Identifier: MIT
// A keeper that nodes of one machine share: at a planned hand-over connections of a failover group
// go through it from one node to another.
#pragma once

#include "affix/keeper/access.hpp"

#include "engine/kept_connections.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// The control thread's. In the keeper each node is the owner of an instance of its own as long as
/// it lives, by which others know that it is here; and for each group and node there is one for
/// connections that are passed to that node. Who puts them there is its owner until they may be
/// taken.
class SharedKeeper {
 public:
  SharedKeeper(std::unique_ptr<keeper::Access> access, std::string cluster, std::string node);

  /// Shows that this node is here, now or at the next tend_ns(). Does not wait.
  void tend(std::int64_t now_ns);

  [[nodiscard]] std::int64_t tend_ns() const noexcept { return tend_ns_; }

  /// Where up to `connections` of the group can be left for `node`. Null: it cannot take any, as
  /// it is not on this machine, has no keeper or another one, or the keeper does not answer.
  /// Waits for the keeper, as take() and end_untaken() do.
  [[nodiscard]] std::shared_ptr<KeptConnections> pass_to(std::string_view node,
                                                         std::string_view group,
                                                         std::size_t connections);

  /// Connections of the group that were passed to this node.
  struct Taken {
    std::shared_ptr<KeptConnections> connections{};  ///< Null: there are none.
    std::size_t count = 0;                           ///< What the keeper had.
    bool busy = false;  ///< Another process is about to leave them: ask again.
  };

  [[nodiscard]] Taken take(std::string_view group);

  /// Ends the connections that were left for `node`, which has not taken them. Their number;
  /// nullopt: another process has them at present.
  [[nodiscard]] std::optional<std::size_t> end_untaken(std::string_view node,
                                                       std::string_view group);

 private:
  [[nodiscard]] std::string sign_of(std::string_view node) const;
  [[nodiscard]] std::string place_of(std::string_view node, std::string_view group) const;
  [[nodiscard]] bool has(std::string_view node);
  [[nodiscard]] Taken open(const std::string& instance, std::size_t connections);

  const std::unique_ptr<keeper::Access> access_;
  const std::string cluster_;
  const std::string node_;
  std::unique_ptr<keeper::Keeper> sign_;  // This node is here.
  bool is_shown_ = false;
  std::int64_t tend_ns_ = 0;
};

}  // namespace affix::inline v0::engine
