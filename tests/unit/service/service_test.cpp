// SPDX-License-Identifier: MIT
// The life of a serving program, with real files, sockets and signals of this process.
#include "affix/service/service.hpp"

#include "affix/engine/engine.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/service/service_notice.hpp"

#include "os/awaited_signal.hpp"
#include "service/control_thread.hpp"
#include "service/reload.hpp"
#include "service/supervised_application.hpp"
#include "service/upgrade.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <netinet/in.h>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace affix::service {
namespace {

class QuietApplication final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    static_cast<void>(session);
    static_cast<void>(message);
    static_cast<void>(delivery);
  }
};

/// Passes on when the service is ready, and when a reload was taken.
class RecordedSteps final : public Steps {
 public:
  struct Ready {
    net::Address listening;
    net::Address administration;
    std::size_t sessions = 0;
  };

  void on_open(engine::Engine& engine) override { sessions_ = engine.sessions().size(); }

  void on_ready(const engine::Engine& engine, const net::Address* administration) override {
    ready.set_value(Ready{engine.listening_addresses().front(),
                          administration != nullptr ? *administration : net::Address{}, sessions_});
  }

  config::Problems check_reload(const config::Configuration& running,
                                const config::Configuration& wanted) override {
    return wanted.sessions.size() <= running.sessions.size() + 1
               ? config::Problems{}
               : config::Problems{
                     {base::ErrorCode::InvalidArgument, "refused by the program", "[ENGINE]"}};
  }

  void on_reload(const config::Configuration& wanted) override {
    reloaded.set_value(wanted.sessions.size());
  }

  std::promise<Ready> ready;
  std::promise<std::size_t> reloaded;

 private:
  std::size_t sessions_ = 0;
};

/// Signals of this process go to the service's thread only.
class ServiceOwnProcess : public ::testing::Test {
 protected:
  ServiceOwnProcess() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }

  ~ServiceOwnProcess() override { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] std::string engine_group(const std::string& more = {}) const {
    return "[ENGINE]\nlog_file=" + log_ + "\npid_file=" + pid_ + "\n" + more;
  }

  static std::string session_group(const std::string& directory, const std::string& name) {
    return "[" + name +
           "_AT_DESK]\nbegin_string=FIX.4.4\nsender_comp_id=DESK\ntarget_comp_id=" + name +
           "\njournal_path=" + directory + "/" + name + "\n";
  }

  void write(const std::string& text) const { std::ofstream(path_) << text; }

  [[nodiscard]] std::string usual() const {
    return "[DESK]\nnic_address=127.0.0.1\naccept_port=0\n\n" +
           session_group(directory_.path(), "FIRM");
  }

  /// The log, once it has the text; fails after some time without it.
  [[nodiscard]] std::string log_with(base::MessageCode code, std::string_view value = {}) const {
    std::string log;
    for (int attempt = 0; attempt < 2'000; ++attempt) {
      log = support::read_file(log_);
      if (support::has_message(log, code, {value})) {
        return log;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(support::has_message(log, code, {value}));
    return log;
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("desk.ini");
  std::string log_ = directory_.path("log");
  std::string pid_ = directory_.path("pid");

 private:
  sigset_t before_{};
};

TEST_F(ServiceOwnProcess, StartsLogsAndEndsInOrderAtASignal) {
  write(engine_group() + usual());
  QuietApplication application;
  RecordedSteps steps;
  auto ready = steps.ready.get_future();
  Outcome outcome{ExitStatus::CutOff};
  {
    auto service = Service::open(path_);
    ASSERT_TRUE(service) << service.error().problems;
    EXPECT_EQ(support::read_file(pid_), std::to_string(::getpid()) + "\n");
    EXPECT_EQ((*service)->configuration().sessions.size(), 1U);
    (*service)->log().write(EventLog::Severity::Info, {}, "a line of the program");
    std::thread running([&] { outcome = (*service)->run(application, steps); });
    const RecordedSteps::Ready started = ready.get();
    EXPECT_EQ(started.sessions, 1U);
    EXPECT_EQ(started.administration.port(), 0);
    const net::Socket peer(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
    EXPECT_EQ(::connect(peer.fd(), started.listening.native(),
                        static_cast<socklen_t>(started.listening.native_size())),
              0);
    ::kill(::getpid(), SIGTERM);
    running.join();
  }
  EXPECT_EQ(outcome.report(), 0);
  const std::string log = support::read_file(log_);
  const std::size_t line = log.find("a line of the program\n");
  EXPECT_TRUE(support::has_message(log, "P103", {"SIGTERM"}));
  const std::size_t stopping = log.find("SIGTERM");
  const std::size_t ended = log.rfind(" P103 ");
  EXPECT_LT(line, stopping) << log;
  EXPECT_LT(stopping, ended) << log;
  EXPECT_NE(ended, std::string::npos) << log;
  EXPECT_FALSE(std::filesystem::exists(pid_));
}

TEST_F(ServiceOwnProcess, ASecondOneIsRefusedAndLeavesTheFirstAlone) {
  write(engine_group() + usual());
  const auto first = Service::open(path_);
  ASSERT_TRUE(first) << first.error().problems;
  const auto second = Service::open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().status, ExitStatus::NotStarted);
  EXPECT_TRUE(support::has_message(second.error().problems, "E110",
                                   {"process " + std::to_string(::getpid()) + " ", "pid_file"}));
  EXPECT_TRUE(std::filesystem::exists(pid_));
}

TEST_F(ServiceOwnProcess, EveryProblemOfTheFileIsReportedAndNothingIsMade) {
  write(engine_group("log_level=LOUD\nmanagement_server_port=99999\n") + usual());
  const auto service = Service::open(path_);
  ASSERT_FALSE(service);
  EXPECT_EQ(service.error().status, ExitStatus::Misconfigured);
  EXPECT_TRUE(support::has_message(service.error().problems, "C206", {"'log_level'", "LOUD"}));
  EXPECT_TRUE(support::has_message(service.error().problems, "C207",
                                   {"'management_server_port'", "99999"}));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(service.error().report(), 6);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), service.error().problems);
  EXPECT_FALSE(std::filesystem::exists(pid_));
  EXPECT_FALSE(std::filesystem::exists(log_));
}

TEST_F(ServiceOwnProcess, AFurtherCheckOfTheProgramRefusesAFile) {
  write(engine_group() + usual());
  const auto service = Service::open(
      path_,
      {.check = [](const config::Configuration& configuration) -> std::vector<config::Finding> {
        return {{.kind = config::GroupKind::Session,
                 .group = configuration.sessions.front().name,
                 .message = "not this one",
                 .error = base::ErrorCode::Unsupported}};
      }});
  ASSERT_FALSE(service);
  EXPECT_EQ(service.error().status, ExitStatus::Misconfigured);
  EXPECT_NE(service.error().problems.find("not this one"), std::string::npos);
}

TEST_F(ServiceOwnProcess, AnEngineThatCannotOpenEndsTheRunAndReleasesThePidFile) {
  const net::Socket taken(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken.fd(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken.fd(), 1), 0);
  ASSERT_EQ(::getsockname(taken.fd(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  write(engine_group() + "[DESK]\nnic_address=127.0.0.1\naccept_port=" + port + "\n" +
        session_group(directory_.path(), "FIRM"));
  QuietApplication application;
  {
    auto service = Service::open(path_);
    ASSERT_TRUE(service) << service.error().problems;
    const Outcome outcome = (*service)->run(application);
    EXPECT_EQ(outcome.status, ExitStatus::NotStarted);
    EXPECT_TRUE(support::has_message(outcome.problems, "O105", {port}));
  }
  EXPECT_FALSE(std::filesystem::exists(pid_));
}

TEST_F(ServiceOwnProcess, SighupReopensTheLogAndAppliesTheFileOrRefusesAllOfIt) {
  write(engine_group() + usual());
  QuietApplication application;
  RecordedSteps steps;
  auto ready = steps.ready.get_future();
  auto reloaded = steps.reloaded.get_future();
  auto service = Service::open(path_);
  ASSERT_TRUE(service) << service.error().problems;
  Outcome outcome{ExitStatus::CutOff};
  std::thread running([&] { outcome = (*service)->run(application, steps); });
  ready.wait();
  // Refused by the program.
  write(engine_group() + usual() + session_group(directory_.path(), "OTHER") +
        session_group(directory_.path(), "THIRD"));
  ::kill(::getpid(), SIGHUP);
  std::string log = log_with("E208");
  EXPECT_NE(log.find("refused by the program"), std::string::npos) << log;
  // Taken, in the file that the log's path names then.
  std::filesystem::rename(log_, log_ + ".old");
  write(engine_group() + usual() + session_group(directory_.path(), "OTHER"));
  ::kill(::getpid(), SIGHUP);
  EXPECT_EQ(reloaded.get(), 2U);
  log = log_with("E209", " 2 sessions");
  EXPECT_TRUE(support::has_message(log, "E209", {"OTHER_AT_DESK: "}));
  // SIGUSR1 only reopens.
  std::filesystem::rename(log_, log_ + ".older");
  ::kill(::getpid(), SIGUSR1);
  std::ofstream(log_, std::ios::app).close();  // So that it can be read at any time.
  log = log_with("A111", "SIGUSR1");
  EXPECT_EQ(log.find("reload"), std::string::npos) << log;
  ::kill(::getpid(), SIGINT);
  running.join();
  EXPECT_EQ(outcome.status, ExitStatus::InOrder);
}

/// Waits in a reload until released.
class SlowSteps final : public Steps {
 public:
  void on_ready(const engine::Engine& /*engine*/, const net::Address* /*address*/) override {
    ready.count_down();
  }

  config::Problems check_reload(const config::Configuration& /*running*/,
                                const config::Configuration& /*wanted*/) override {
    reloading.count_down();
    go.wait();
    return {};
  }

  std::latch ready{1};
  std::latch reloading{1};
  std::latch go{1};
};

TEST_F(ServiceOwnProcess, AReloadDelaysNeitherTheWatchdogNorAStop) {
  write(engine_group() + usual());
  const std::string path = directory_.path("notify");
  const net::Socket manager(net::make_socket(AF_UNIX, SOCK_DGRAM, net::Waiting::Allowed));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(manager.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  // Only a test that fails waits so long.
  const timeval patience{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(manager.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  // Empty: none has come.
  const auto notice = [&] {
    std::array<char, 512> text;
    const ssize_t size = ::recv(manager.fd(), text.data(), text.size(), 0);
    return std::string(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  };
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  ::setenv("WATCHDOG_USEC", "100000", 1);
  QuietApplication application;
  SlowSteps steps;
  auto service = Service::open(path_);
  ASSERT_TRUE(service) << service.error().problems;
  Outcome outcome{ExitStatus::CutOff};
  std::thread running([&] { outcome = (*service)->run(application, steps); });
  steps.ready.wait();
  ::kill(::getpid(), SIGHUP);
  steps.reloading.wait();
  std::string text;
  do {
    text = notice();
  } while (!text.empty() && !text.starts_with("RELOADING=1"));
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(notice(), "WATCHDOG=1") << "while the reload waits";
  }
  ::kill(::getpid(), SIGTERM);
  do {
    text = notice();
  } while (text == "WATCHDOG=1");
  EXPECT_EQ(text, "STOPPING=1\nSTATUS=logging out") << "while the reload waits";
  steps.go.count_down();
  running.join();
  EXPECT_EQ(outcome.status, ExitStatus::InOrder);
  const timeval at_once{.tv_sec = 0, .tv_usec = 1};
  ::setsockopt(manager.fd(), SOL_SOCKET, SO_RCVTIMEO, &at_once, sizeof at_once);
  do {
    text = notice();
  } while (text == "WATCHDOG=1");
  EXPECT_EQ(text, "") << "a reload that ends after the stop was announced is not reported";
}

TEST_F(ServiceOwnProcess, ASignalAfterTheControlThreadsEndIsVoid) {
  sigset_t late;
  sigemptyset(&late);
  for (const int signal : {SIGHUP, SIGUSR1}) {
    sigaddset(&late, signal);
  }
  {
    const BlockedSignals signals;
    ::kill(::getpid(), SIGHUP);
    ::kill(::getpid(), SIGUSR1);
  }
  siginfo_t taken{};
  int pending = 0;
  while (os::await_signal(late, taken, 0)) {
    ++pending;
  }
  EXPECT_EQ(pending, 0) << "it would end the process";
}

TEST_F(ServiceOwnProcess, WithoutAFileThePortOpensAndNothingIsReadAgain) {
  write(engine_group("management_server_port=-1\nmanagement_local_role=OPERATE\n") + usual());
  auto configuration = config::load_configuration(path_);
  ASSERT_TRUE(configuration) << config::text_of(configuration.error());
  std::filesystem::remove(path_);
  QuietApplication application;
  RecordedSteps steps;
  auto ready = steps.ready.get_future();
  auto service = Service::open(std::move(*configuration));
  ASSERT_TRUE(service) << service.error().problems;
  Outcome outcome{ExitStatus::CutOff};
  std::thread running([&] { outcome = (*service)->run(application, steps); });
  const net::Address port = ready.get().administration;
  EXPECT_NE(port.port(), 0);
  {
    const net::Socket operator_socket(
        net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
    EXPECT_EQ(
        ::connect(operator_socket.fd(), port.native(), static_cast<socklen_t>(port.native_size())),
        0);
    constexpr std::string_view command = "reload\n";
    EXPECT_EQ(::send(operator_socket.fd(), command.data(), command.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(command.size()));
    static_cast<void>(log_with("E209", "no file"));
  }
  ::kill(::getpid(), SIGTERM);
  running.join();
  EXPECT_EQ(outcome.status, ExitStatus::InOrder);
}

/// Ends by SIGTERM, or by SIGALRM if two SIGTERMs do not end it.
[[noreturn]] void stop_twice_with_a_stuck_log(const std::string& path, const std::string& log) {
  ::alarm(30);
  const BlockedSignals signals;
  // Nobody reads the pipe, which is full.
  ::mkfifo(log.c_str(), 0600);
  const int pipe = ::open(log.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  const std::string filling(4'096, 'x');
  while (::write(pipe, filling.data(), filling.size()) > 0) {
  }
  const auto configuration = config::load_configuration(path);
  auto event_log = EventLog::open(configuration->engine);
  QuietApplication application;
  const auto engine = engine::Engine::open(*configuration, application);
  RecordedSteps steps;
  Reload reload({path}, *configuration, **engine, steps, *event_log);
  WorkerPulse pulse;
  const ServiceNotice notice = ServiceNotice::from_environment();
  Upgrade upgrade(configuration->engine, **engine, notice, *event_log);
  const RoleDuties roles(*configuration, notice, *event_log);
  const ControlThread control(signals, **engine, pulse, reload, upgrade, roles, *event_log, notice,
                              OtherProcess());
  ::kill(::getpid(), SIGUSR1);  // It is taken first, and waits for the log.
  // Several, since one that comes before the thread has taken the last one is lost.
  for (;;) {
    ::kill(::getpid(), SIGTERM);
    std::this_thread::yield();
  }
}

using ServiceOwnProcessDeathTest = ServiceOwnProcess;

TEST_F(ServiceOwnProcessDeathTest, ASecondSigtermEndsTheProcessEvenIfTheLogIsStuck) {
  write(engine_group() + usual());
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  EXPECT_EXIT(stop_twice_with_a_stuck_log(path_, log_), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace affix::service
