// SPDX-License-Identifier: MIT
// Instances of the keeper: a node's sign, and places for connections.
#include "engine/shared_keeper.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

namespace {

/// Between two looks whether the keeper is there, while it has this node's sign and while it has
/// not.
constexpr std::int64_t between_looks_ns = base::ns_per_second;
constexpr std::int64_t between_tries_ns = 100 * base::ns_per_ms;

}  // namespace

SharedKeeper::SharedKeeper(std::unique_ptr<keeper::Access> access, std::string cluster,
                           std::string node)
    : access_(std::move(access)), cluster_(std::move(cluster)), node_(std::move(node)) {
  if (auto sign = access_->open_absent(sign_of(node_))) {
    sign_ = std::move(*sign);
  }
}

// Names of clusters, nodes and groups have no slash.
std::string SharedKeeper::sign_of(std::string_view node) const {
  return cluster_ + "/" + std::string(node);
}

std::string SharedKeeper::place_of(std::string_view node, std::string_view group) const {
  return sign_of(node) + "/" + std::string(group);
}

void SharedKeeper::tend(std::int64_t now_ns) {
  if (now_ns < tend_ns_ || sign_ == nullptr) {
    return;
  }
  is_shown_ = is_shown_ ? !sign_->lost() : sign_->try_again() == keeper::Again::Owner;
  tend_ns_ = now_ns + (is_shown_ ? between_looks_ns : between_tries_ns);
}

/// Its process is the owner of its sign.
bool SharedKeeper::has(std::string_view node) {
  auto sign = access_->open(sign_of(node));
  if (!sign) {
    return false;
  }
  const auto taken = (*sign)->take();
  return !taken && taken.error().code == base::ErrorCode::Locked;
}

SharedKeeper::Taken SharedKeeper::open(const std::string& instance, std::size_t connections) {
  auto keeper = access_->open(instance);
  if (!keeper) {
    return {};
  }
  auto kept = (*keeper)->take();
  if (!kept) {
    return {.busy = kept.error().code == base::ErrorCode::Locked};
  }
  if (kept->empty() && connections == 0) {
    return {};
  }
  const auto count = static_cast<std::size_t>(std::ranges::count_if(
      *kept, [](const keeper::Kept& one) { return KeptConnections::is_connection(one.name); }));
  auto opened = KeptConnections::open(std::move(*keeper), std::move(*kept), connections);
  if (!opened) {
    return {};
  }
  return {.connections = std::move(*opened), .count = count};
}

std::shared_ptr<KeptConnections> SharedKeeper::pass_to(std::string_view node,
                                                       std::string_view group,
                                                       std::size_t connections) {
  if (connections == 0 || !has(node)) {
    return nullptr;
  }
  Taken place = open(place_of(node, group), connections);
  if (place.connections != nullptr) {
    place.connections->close_left();  // Nobody has taken them, nor ended them.
  }
  return std::move(place.connections);
}

SharedKeeper::Taken SharedKeeper::take(std::string_view group) {
  Taken taken = open(place_of(node_, group), 0);
  if (taken.connections != nullptr) {
    taken.connections->drop_table();
  }
  return taken;
}

std::optional<std::size_t> SharedKeeper::end_untaken(std::string_view node,
                                                     std::string_view group) {
  const Taken left = open(place_of(node, group), 0);
  if (left.connections == nullptr) {
    return left.busy ? std::nullopt : std::optional<std::size_t>(0);
  }
  left.connections->drop_table();
  left.connections->close_left();
  return left.count;
}

}  // namespace affix::inline v0::engine
