// SPDX-License-Identifier: MIT
// The Standby's interface: checks its options and hands on to its groups.
#include "affix/replication/standby.hpp"

#include "replication/standby_groups.hpp"

#include <utility>

namespace affix::inline v0::replication {

std::expected<std::unique_ptr<Standby>, base::Error> Standby::make(StandbyOptions options,
                                                                   net::Reactor& reactor,
                                                                   Dialer& dialer) {
  const auto is_name = [](std::string_view name) {
    return !name.empty() && name.size() <= name_bytes_max;
  };
  if (!is_name(options.cluster) || !is_name(options.node)) {
    return base::invalid_argument("names of clusters, nodes and groups have 1 to 64 bytes", "R121");
  }
  if (options.beat_ns <= 0 || options.redial_ns <= 0 || options.retry_ns <= 0 ||
      reactor.options().rx_buffer_capacity < standby_rx_bytes_min ||
      reactor.options().tx_buffer_capacity < standby_rx_bytes_min) {
    return base::invalid_argument("an option of replication is out of range", "R123");
  }
  return std::unique_ptr<Standby>(
      new Standby(std::make_unique<Groups>(std::move(options), reactor, dialer)));
}

Standby::Standby(std::unique_ptr<Groups> groups) noexcept : groups_(std::move(groups)) {}

Standby::~Standby() = default;

void Standby::turn(const net::Wait& wait) noexcept {
  groups_->turn(wait);
}

bool Standby::prepare() noexcept {
  return groups_->prepare();
}

void Standby::follow(GroupCopy group) {
  groups_->post(std::move(group));
}

void Standby::release(std::string_view group) {
  groups_->post(Groups::Release{std::string(group)});
}

void Standby::serve(std::string_view group, std::uint64_t epoch,
                    std::vector<ServedJournal> journals) {
  groups_->post(Groups::Serve{{std::string(group), epoch, std::move(journals)}});
}

void Standby::stop_serving(std::string_view group) {
  groups_->post(Groups::StopServing{std::string(group)});
}

void Standby::promise(std::string_view group, std::uint64_t epoch) {
  groups_->post(Groups::Promise{std::string(group), epoch});
}

std::vector<News> Standby::take_news() {
  return groups_->take_news();
}

const char* to_text(NewsKind kind) noexcept {
  switch (kind) {
    case NewsKind::Connected:
      return "connected";
    case NewsKind::InSync:
      return "in-sync";
    case NewsKind::OutOfSync:
      return "out-of-sync";
    case NewsKind::PrimaryGone:
      return "primary-gone";
    case NewsKind::Left:
      return "left";
    case NewsKind::HigherEpoch:
      return "higher epoch";
    case NewsKind::Promised:
      return "promised";
    case NewsKind::Released:
      return "released";
    case NewsKind::Failed:
      return "failed";
    case NewsKind::Unsecured:
      return "unsecured";
  }
  return "unknown";
}

}  // namespace affix::inline v0::replication
