// What whoever runs the daemon as a service sees: sd_notify's messages, and `bindery health`.

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// The service manager's end: a datagram socket, and all that came in.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
      throw std::runtime_error("bind " + path);
    }
  }
  ~NotifySocket() { ::close(socket_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  /// The next message that begins so; what came before it is dropped. Empty: none came.
  std::string Next(const std::string& beginning) {
    constexpr int kPatienceMs = 60'000;
    ::pollfd ready{socket_, POLLIN, 0};
    while (::poll(&ready, 1, kPatienceMs) == 1) {
      char buffer[4096];
      const ::ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
      const std::string message(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
      if (message.starts_with(beginning)) return message;
    }
    return {};
  }

 private:
  int socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

class Service : public ::testing::Test {
 protected:
  Service() : world_(kSeed), manager_(world_.dir() / "notify") {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world_.SetEnvironment("NOTIFY_SOCKET", world_.dir() / "notify");
  }

  World world_;
  NotifySocket manager_;
};

TEST_F(Service, IsReadyWhenItServes) {
  world_.SetFaults({{{"operation", "*"}, {"status", 503}, {"probability", 1.0}}});
  world_.StartDaemon();
  EXPECT_EQ(manager_.Next("READY=1"), "READY=1") << "also while the clouds are away";
}

TEST_F(Service, SaysHowThingsStand) {
  world_.SetEnvironment("WATCHDOG_USEC", "200000");
  world_.StartDaemon();
  EXPECT_EQ(manager_.Next("STATUS=1 resource"), "STATUS=1 resource on 1 target, all ready");
  world_.dir().Remove("manifests");
  EXPECT_THAT(manager_.Next("STATUS=manifests"), HasSubstr("manifests"));
}

TEST_F(Service, FeedsTheWatchdogWhileTheLoopTurns) {
  world_.SetEnvironment("WATCHDOG_USEC", "200000");
  world_.StartDaemon();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(manager_.Next("WATCHDOG=1"), "WATCHDOG=1");
}

TEST_F(Service, TellsOfReloads) {
  world_.StartDaemon();
  manager_.Next("READY=1");
  world_.Signal(SIGHUP);
  EXPECT_THAT(manager_.Next("RELOADING=1"), StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(manager_.Next("READY=1"), "READY=1");
}

TEST_F(Service, AFailedReloadEndsToo) {
  world_.StartDaemon();
  manager_.Next("READY=1");
  world_.Configure("nonsense: true\n");
  world_.Signal(SIGHUP);
  EXPECT_THAT(manager_.Next("RELOADING=1"), StartsWith("RELOADING=1"));
  EXPECT_EQ(manager_.Next("READY=1"), "READY=1");
}

TEST_F(Service, TellsThatItStops) {
  world_.StartDaemon();
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  EXPECT_THAT(manager_.Next("STOPPING=1"), StartsWith("STOPPING=1\nSTATUS="));
}

TEST_F(Service, HealthFollowsReadiness) {
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.Run({"health"}).exit_code == 0; });
  EXPECT_EQ(world_.Run({"health"}).out, "ok\n");
  EXPECT_EQ(world_.RunJson({"health"}).at("ok"), true);

  world_.dir().Remove("manifests");
  world_.Eventually("noticed", [&] { return world_.Run({"health"}).exit_code == 1; });
  EXPECT_THAT(world_.Run({"health"}).out, StartsWith("manifests: "));
  const Json report = world_.RunJson({"health"});
  EXPECT_EQ(report.at("ok"), false);
  EXPECT_FALSE(report.at("checks").empty());
  EXPECT_EQ(world_.Run({"health", "--liveness"}).exit_code, 0);
}

TEST_F(Service, HealthTriesTheListenerWhereTheSocketIsNot) {
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.Run({"health"}).exit_code == 0; });
  world_.dir().Write("elsewhere.yaml",
                     "server: {socket: elsewhere.sock, listen: '" + world_.Address() + "'}\n");
  const Outcome health = world_.Run({"health", "-c", world_.dir() / "elsewhere.yaml"});
  EXPECT_EQ(health.exit_code, 0) << health.err;
}

TEST_F(Service, HealthIsOneForEveryFault) {
  const Outcome nobody = world_.Run({"health"});
  EXPECT_EQ(nobody.exit_code, 1);
  EXPECT_THAT(nobody.err, HasSubstr("no daemon answers"));
  EXPECT_THAT(nobody.out, IsEmpty());
  EXPECT_EQ(world_.Run({"health", "--timeout", "soon"}).exit_code, 1);
  world_.Configure("nonsense: true\n");
  EXPECT_EQ(world_.Run({"health"}).exit_code, 1);
}

}  // namespace
}  // namespace bindery::testing
