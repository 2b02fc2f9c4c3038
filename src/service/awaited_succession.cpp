// SPDX-License-Identifier: MIT
// The wait in line, and the word to the process that is first.
#include "service/awaited_succession.hpp"

#include "affix/base/time.hpp"
#include "affix/keeper/keeper.hpp"

#include "service/hand_over_signal.hpp"

#include <string>
#include <utility>

namespace affix::inline v0::service {

namespace {

class AskedToHandOver final : public keeper::Line {
 public:
  AskedToHandOver(Start start, const ServiceNotice& notice) : start_(start), notice_(notice) {}

  void on_waiting(std::uint32_t owner) override {
    if (owner_.number() == static_cast<pid_t>(owner)) {
      return;
    }
    owner_ = OtherProcess(static_cast<pid_t>(owner));
    notice_.ready("waits in line behind process " + std::to_string(owner));
    if (start_ == Start::TakeOver) {
      say(owner_, HandOverWord::InLine);
    }
  }

  /// The one behind which it waited; once.
  [[nodiscard]] OtherProcess take_owner() noexcept { return std::move(owner_); }

 private:
  Start start_;
  const ServiceNotice& notice_;
  OtherProcess owner_;
};

}  // namespace

std::expected<AwaitedSuccession, base::Error> await_succession(
    const config::EngineSettings& settings, Start start, const ServiceNotice& notice) {
  if (settings.keeper.empty() || keeper::is_systemd(settings.keeper)) {
    return std::unexpected(base::Error{
        base::ErrorCode::Unsupported,
        "only with the socket of affix-keep in key 'keeper' can a process wait for another's end",
        "[ENGINE] keeper", "K309"});
  }
  auto keeper = keeper::open_keeper(
      settings.keeper, settings.keeper_instance,
      start == Start::TakeOver ? keeper::WhenOwned::WaitFirst : keeper::WhenOwned::Wait);
  if (!keeper) {
    return std::unexpected(std::move(keeper.error()));
  }
  AskedToHandOver line(start, notice);
  for (;;) {
    auto kept = (*keeper)->take(&line);
    if (kept) {
      return AwaitedSuccession{{std::move(*keeper), std::move(*kept)}, line.take_owner()};
    }
    if (kept.error().code != base::ErrorCode::Locked) {
      return std::unexpected(std::move(kept.error()));
    }
    if (notice.watchdog_ns() != 0) {
      notice.alive();  // It waits, and does not hang.
    }
  }
}

}  // namespace affix::inline v0::service
