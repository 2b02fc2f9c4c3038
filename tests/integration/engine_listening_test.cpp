// SPDX-License-Identifier: MIT
// An address that is in use when the engine opens: a killed predecessor may have it for some
// moments, any other process keeps it.
#include "support/engine_case.hpp"
#include "support/has_message.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

int refusals_left = 0;
int binds = 0;

}  // namespace

/// The system's bind(), after a number of refusals.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the system's are reserved.
extern "C" int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  ++binds;
  if (refusals_left != 0) {
    --refusals_left;
    errno = EADDRINUSE;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_bind, socket, address, size));
}

namespace affix::support {
namespace {

class EngineListening : public testing::Test {
 protected:
  void SetUp() override {
    settings_ = acceptor_configuration();
    add_session(settings_, "BROKER", "DESK", directory_.path("broker"));
  }

  TemporaryDirectory directory_;
  config::Configuration settings_;
  Recorder application_;
};

TEST_F(EngineListening, WaitsForAnAddressThatItsPredecessorHasYet) {
  binds = 0;
  refusals_left = 3;
  const auto engine = engine::Engine::open(settings_, application_);
  ASSERT_TRUE(engine) << engine.error().front().message;
  EXPECT_EQ(binds, 4);
  EXPECT_EQ((*engine)->listening_addresses().size(), 1U);
}

TEST_F(EngineListening, NamesAnAddressThatIsInUse) {
  binds = 0;
  refusals_left = -1;
  const auto engine = engine::Engine::open(settings_, application_);
  refusals_left = 0;
  ASSERT_FALSE(engine);
  ASSERT_EQ(engine.error().size(), 1U);
  EXPECT_EQ(engine.error().front().code, base::ErrorCode::AlreadyExists);
  EXPECT_TRUE(has_message(engine.error().front().text(), "O105", {"bind"}));
  EXPECT_GT(binds, 10);
  EXPECT_LE(binds, 100);
}

}  // namespace
}  // namespace affix::support
