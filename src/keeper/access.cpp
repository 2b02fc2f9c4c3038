// SPDX-License-Identifier: MIT
// Instances of affix-keep, by its path.
#include "affix/keeper/access.hpp"

#include <utility>

namespace affix::inline v0::keeper {

namespace {

class SocketAccess final : public Access {
 public:
  SocketAccess(std::string where, std::int64_t patience_ns)
      : where_(std::move(where)), patience_ns_(patience_ns) {}

  std::expected<std::unique_ptr<Keeper>, base::Error> open(std::string_view instance) override {
    return open_keeper(where_, instance, WhenOwned::Refuse, patience_ns_);
  }

  std::expected<std::unique_ptr<Keeper>, base::Error> open_absent(
      std::string_view instance) override {
    return make_absent_keeper(where_, instance);
  }

 private:
  const std::string where_;
  const std::int64_t patience_ns_;
};

}  // namespace

std::unique_ptr<Access> make_access(std::string where, std::int64_t patience_ns) {
  return std::make_unique<SocketAccess>(std::move(where), patience_ns);
}

}  // namespace affix::inline v0::keeper
