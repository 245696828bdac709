#include "app/run/daemon_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <utility>

#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class DaemonClientTest : public ::testing::Test {
 protected:
  void TearDown() override {
    if (listener_ >= 0) ::close(listener_);
  }

  [[nodiscard]] Error Failure() const {
    config::Config config;
    config.server.socket = socket_;
    const Expected<Json> answer = DaemonClient(config).Get("/api/v1/plan");
    EXPECT_FALSE(answer.has_value());
    return answer ? Error{} : answer.error();
  }

  /// A socket file, on which somebody listens.
  void Bind() {
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket_.string().copy(static_cast<char*>(address.sun_path), sizeof(address.sun_path) - 1);
    const auto* const general = static_cast<const ::sockaddr*>(static_cast<const void*>(&address));
    ASSERT_EQ(::bind(listener_, general, sizeof(address)), 0);
    ASSERT_EQ(::listen(listener_, 1), 0);
  }

  testing::TempDir dir_;
  std::filesystem::path socket_ = dir_.path() / "bindery.sock";
  int listener_ = -1;
};

TEST_F(DaemonClientTest, WithoutADaemonItSaysHowToStartOne) {
  const auto is_away = AllOf(HasSubstr("no daemon answers on \"" + socket_.string() + "\""),
                             HasSubstr("start it with bindery run"), Not(HasSubstr("port")));
  const Error absent = Failure();
  EXPECT_EQ(absent.code, Code::kUnavailable);
  EXPECT_THAT(absent.message, AllOf(is_away, HasSubstr("(No such file or directory)")));
  Bind();
  ::close(std::exchange(listener_, -1));
  const Error gone = Failure();
  EXPECT_EQ(gone.code, Code::kUnavailable);
  EXPECT_THAT(gone.message, AllOf(is_away, HasSubstr("(Connection refused)")));
}

TEST_F(DaemonClientTest, ASocketThatIsNotForThisUserIsNoDaemonThatIsAway) {
  Bind();
  std::filesystem::permissions(socket_, std::filesystem::perms::none);
  // Nothing is closed to root.
  constexpr ::uid_t kNobody = 65534;
  const bool root = ::geteuid() == 0;
  ASSERT_EQ(root ? ::seteuid(kNobody) : 0, 0);
  const Error refused = Failure();
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
  EXPECT_EQ(refused.code, Code::kPermissionDenied);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("may not be opened by this user"),
                                     HasSubstr("server.socket"), Not(HasSubstr("start it"))));
}

}  // namespace
}  // namespace bindery::app
