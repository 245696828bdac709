// Sessions of browsers: how long they last, how many there are, what is written of them.

#include "identity/sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/text/time_text.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::identity {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::HasSubstr;
using ::testing::Not;

class MovingClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return now; }
  [[nodiscard]] MonoTime Mono() const override { return {}; }
  WallTime now = ParseRfc3339("2026-11-21T12:00:00Z").value_or(WallTime());
};

class SessionsTest : public ::testing::Test {
 protected:
  static Person Ana() { return {"https://id.example.com", "2440", "ana@example.com", {"sre"}}; }
  [[nodiscard]] bool Lasts(const std::string& cookie, bool used = true) {
    return sessions_.Find(cookie, limits_, used).has_value();
  }

  MovingClock clock_;
  Sessions::Limits limits_;
  Sessions sessions_{clock_};
};

TEST_F(SessionsTest, BelongToTheirCookie) {
  const std::string cookie = sessions_.Begin(Ana());
  EXPECT_EQ(cookie.size(), 43U);  // 32 bytes.
  const auto found = sessions_.Find(cookie, limits_, true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "ana@example.com");
  EXPECT_FALSE(Lasts(""));
  EXPECT_FALSE(Lasts(cookie + "x"));
  EXPECT_NE(sessions_.Begin(Ana()), cookie);
  sessions_.End(cookie);
  EXPECT_FALSE(Lasts(cookie));
}

TEST_F(SessionsTest, EndAfterTheirLifetimeHoweverMuchTheyAreUsed) {
  const std::string cookie = sessions_.Begin(Ana());
  for (int half_hours = 1; half_hours < 16; ++half_hours) {
    clock_.now += minutes(30);
    EXPECT_TRUE(Lasts(cookie)) << half_hours;
  }
  clock_.now += minutes(30);
  EXPECT_FALSE(Lasts(cookie));
  clock_.now -= hours(4);  // A clock that goes back brings nothing back.
  EXPECT_FALSE(Lasts(cookie));
}

TEST_F(SessionsTest, EndWhenTheyAreNotUsed) {
  const std::string cookie = sessions_.Begin(Ana());
  clock_.now += minutes(40);
  EXPECT_TRUE(Lasts(cookie, false));
  clock_.now += minutes(20);
  EXPECT_FALSE(Lasts(cookie));
}

TEST_F(SessionsTest, AreNotMadeLongerByAClockThatIsPutBack) {
  const std::string cookie = sessions_.Begin(Ana());
  clock_.now -= minutes(1);
  EXPECT_FALSE(Lasts(cookie));
}

TEST_F(SessionsTest, OfOnePersonAreFew) {
  const std::string other = sessions_.Begin({"https://id.example.com", "7", "", {}});
  const std::string first = sessions_.Begin(Ana());
  clock_.now += minutes(1);
  std::string last;
  for (std::size_t i = 0; i < Sessions::kMostOfOne; ++i) last = sessions_.Begin(Ana());
  EXPECT_FALSE(Lasts(first));
  EXPECT_TRUE(Lasts(last));
  EXPECT_TRUE(Lasts(other));
}

TEST_F(SessionsTest, OfAllAreBounded) {
  const std::string first = sessions_.Begin(Ana());
  clock_.now += minutes(1);
  std::string last;
  for (std::size_t i = 0; i < Sessions::kMost; ++i) {
    last = sessions_.Begin({"https://id.example.com", std::to_string(i), "", {}});
  }
  EXPECT_FALSE(Lasts(first));
  EXPECT_TRUE(Lasts(last));
}

TEST_F(SessionsTest, ASignInIsFinishedOnceAndInTime) {
  const auto expect = [&] { return sessions_.Expect({NewSignInSecrets(), "/drift", "10.0.0.1"}); };
  const std::string cookie = expect();
  const auto taken = sessions_.Take(cookie);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->wanted, "/drift");
  EXPECT_FALSE(sessions_.Take(cookie));
  const std::string late = expect();
  clock_.now += Sessions::kPatience;
  EXPECT_FALSE(sessions_.Take(late));
  const std::string oldest = expect();
  clock_.now += minutes(1);
  for (std::size_t i = 0; i < Sessions::kMostPending; ++i) static_cast<void>(expect());
  EXPECT_FALSE(sessions_.Take(oldest));
  EXPECT_FALSE(sessions_.Take(""));
}

TEST_F(SessionsTest, WhoBeginsTheMostSignInsGivesWay) {
  const auto expect = [&](const char* origin) {
    return sessions_.Expect({NewSignInSecrets(), "/", origin});
  };
  const std::string ana = expect("10.0.0.1");
  clock_.now += minutes(1);
  const std::string first = expect("10.0.0.2");
  clock_.now += minutes(1);
  for (std::size_t i = 0; i < Sessions::kMostPending; ++i) static_cast<void>(expect("10.0.0.2"));
  EXPECT_FALSE(sessions_.Take(first));
  EXPECT_TRUE(sessions_.Take(ana));
}

TEST_F(SessionsTest, SecretsOfSignInsDiffer) {
  const SignInSecrets one = NewSignInSecrets();
  const SignInSecrets other = NewSignInSecrets();
  EXPECT_NE(one.state, other.state);
  EXPECT_NE(one.nonce, one.state);
  EXPECT_EQ(one.verifier.size(), 43U);  // RFC 7636 asks for 43 to 128 characters.
}

TEST_F(SessionsTest, SurviveInAFileThatHoldsNoCookie) {
  const testing::TempDir dir;
  const std::filesystem::path file = dir / "sessions.json";
  EXPECT_THAT(sessions_.Load(file), testing::IsOk());  // There is none yet.
  const std::string cookie = sessions_.Begin(Ana());
  EXPECT_TRUE(sessions_.changed());
  ASSERT_THAT(sessions_.Save(file), testing::IsOk());
  EXPECT_FALSE(sessions_.changed());
  EXPECT_THAT(dir.Read("sessions.json"), Not(HasSubstr(cookie)));
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);

  Sessions later(clock_);
  ASSERT_THAT(later.Load(file), testing::IsOk());
  const auto found = later.Find(cookie, limits_, true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->subject, "2440");
  EXPECT_THAT(found->groups, ::testing::ElementsAre("sre"));
  clock_.now += hours(8);
  EXPECT_FALSE(later.Find(cookie, limits_, true));
}

TEST_F(SessionsTest, AFileOfAnotherFormIsRefused) {
  const testing::TempDir dir;
  for (const char* text : {"", "{", "{}", R"({"sessions": [{}]})",
                           R"({"sessions": [{"digest": "00", "since": "x"}]})"}) {
    dir.Write("sessions.json", text);
    EXPECT_FALSE(sessions_.Load(dir / "sessions.json")) << text;
  }
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_FALSE(sessions_.Load(dir / "pipe")) << "nobody waits for who writes to it";
}

}  // namespace
}  // namespace bindery::identity
