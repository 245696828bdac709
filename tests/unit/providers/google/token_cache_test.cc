#include "providers/google/credentials/token_cache.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "unit/providers/credential_fixture.h"

namespace bindery::google {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::FakeClock;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Each;
using namespace std::chrono_literals;

/// Gives "t1", "t2", …, or failures; can be held up in the middle of it.
class ScriptedSource final : public TokenSource {
 public:
  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    std::unique_lock lock(mutex_);
    give_up_at_ = give_up_at;
    ++fetches_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    if (failure_) return Fail(*failure_);
    return AccessToken{"t" + std::to_string(fetches_), lifetime_};
  }

  void FailWith(Code code, std::optional<milliseconds> retry_after = {}) {
    const std::scoped_lock lock(mutex_);
    Error error;
    error.code = code;
    error.message = "no token";
    error.retry_after = retry_after;
    failure_ = error;
  }
  void Succeed() {
    const std::scoped_lock lock(mutex_);
    failure_.reset();
  }
  void SetLifetime(milliseconds lifetime) {
    const std::scoped_lock lock(mutex_);
    lifetime_ = lifetime;
  }
  void Hold() {
    const std::scoped_lock lock(mutex_);
    held_ = true;
  }
  void Release() {
    const std::scoped_lock lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  [[nodiscard]] bool WaitForFetches(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 60s, [this, count] { return fetches_ >= count; });
  }
  [[nodiscard]] int fetches() {
    const std::scoped_lock lock(mutex_);
    return fetches_;
  }
  [[nodiscard]] MonoTime give_up_at() {
    const std::scoped_lock lock(mutex_);
    return give_up_at_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int fetches_ = 0;
  MonoTime give_up_at_;
  bool held_ = false;
  milliseconds lifetime_ = 3600s;
  std::optional<Error> failure_;
};

class TokenCacheTest : public ::testing::Test {
 protected:
  std::string Get() {
    auto token = cache_.Get(60s);
    return token ? *token : ToString(token.error());
  }

  /// True when the token of a renewal in the background comes to be the one that is given.
  bool Comes(const std::string& token) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (Get() != token) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  /// What so many threads get that ask at once.
  std::vector<std::string> GetFromThreads(std::size_t count) {
    std::vector<std::string> got(count);
    std::vector<std::thread> threads;
    for (std::string& slot : got) threads.emplace_back([this, &slot] { slot = Get(); });
    for (std::thread& thread : threads) thread.join();
    return got;
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  ScriptedSource* source_ = new ScriptedSource;  // Owned by the cache.
  // Nobody gives up in a test that does not want it, however busy the machine is.
  TokenCache cache_{std::unique_ptr<TokenSource>(source_), clock_, nullptr, 60s};
};

TEST_F(TokenCacheTest, ATokenIsKeptUntilThreeMinutesFortyFiveRemain) {
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(3600s - 225s - 1ms);
  EXPECT_EQ(Get(), "t1");
  EXPECT_EQ(source_->fetches(), 1);
  clock_->Pass(1ms);
  EXPECT_TRUE(Comes("t2"));
  EXPECT_EQ(Get(), "t2");
  EXPECT_EQ(source_->fetches(), 2);
}

TEST_F(TokenCacheTest, AShortLivedTokenIsUsedForHalfOfItsLife) {
  source_->SetLifetime(60s);
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(30s - 1ms);
  EXPECT_EQ(Get(), "t1");
  EXPECT_EQ(source_->fetches(), 1);
  clock_->Pass(1ms);
  EXPECT_TRUE(Comes("t2"));
}

TEST_F(TokenCacheTest, SixteenThreadsWithoutATokenCauseOneFetch) {
  source_->Hold();
  std::thread releaser([this] {
    EXPECT_TRUE(source_->WaitForFetches(1));
    source_->Release();
  });
  EXPECT_THAT(GetFromThreads(16), Each("t1"));
  releaser.join();
  EXPECT_EQ(source_->fetches(), 1);
}

TEST_F(TokenCacheTest, SixteenThreadsShareOneFailure) {
  source_->FailWith(Code::kUnauthenticated);
  EXPECT_THAT(GetFromThreads(16), Each("UNAUTHENTICATED: no token"));
  EXPECT_EQ(source_->fetches(), 1) << "the clock stands still: nobody may try again";
}

TEST_F(TokenCacheTest, NobodyWaitsWhileTheOldTokenHolds) {
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(3600s - 200s);
  source_->Hold();
  EXPECT_EQ(Get(), "t1") << "not even the one that causes the renewal";
  EXPECT_TRUE(source_->WaitForFetches(2));
  EXPECT_THAT(GetFromThreads(8), Each("t1"));
  source_->Release();
  EXPECT_TRUE(Comes("t2"));
  EXPECT_EQ(source_->fetches(), 2);
}

TEST_F(TokenCacheTest, ATokenThatStillHoldsIsUsedWhileRenewingFails) {
  EXPECT_EQ(Get(), "t1");
  source_->FailWith(Code::kUnavailable);
  clock_->Pass(3600s - 200s);
  EXPECT_EQ(Get(), "t1");
  ASSERT_TRUE(source_->WaitForFetches(2));
  EXPECT_EQ(Get(), "t1");
  EXPECT_EQ(source_->fetches(), 2) << "the other call falls into the attempt or the pause after it";
  clock_->Pass(190s);
  EXPECT_EQ(Get(), "UNAVAILABLE: no token") << "in its last seconds a token is not sent";
}

TEST_F(TokenCacheTest, PausesDoubleUpToAMinuteAndEndWithSuccess) {
  source_->FailWith(Code::kUnavailable);
  EXPECT_EQ(Get(), "UNAVAILABLE: no token");
  int fetches = 1;
  for (const seconds pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    SCOPED_TRACE(pause.count());
    clock_->Pass(pause - 1ms);
    EXPECT_EQ(Get(), "UNAVAILABLE: no token");
    EXPECT_EQ(source_->fetches(), fetches);
    clock_->Pass(1ms);
    EXPECT_EQ(Get(), "UNAVAILABLE: no token");
    EXPECT_EQ(source_->fetches(), ++fetches);
  }
  source_->Succeed();
  clock_->Pass(60s);
  EXPECT_EQ(Get(), "t10");
  source_->FailWith(Code::kUnavailable);
  clock_->Pass(3600s);
  EXPECT_EQ(Get(), "UNAVAILABLE: no token");
  clock_->Pass(1s);
  source_->Succeed();
  EXPECT_EQ(Get(), "t12") << "after a success the first pause is short again";
}

TEST_F(TokenCacheTest, WhatTheEndpointAsksForIsWaited) {
  source_->FailWith(Code::kUnavailable, 90s);
  EXPECT_EQ(Get(), "UNAVAILABLE: no token");
  source_->Succeed();
  clock_->Pass(90s - 1ms);
  EXPECT_EQ(Get(), "UNAVAILABLE: no token");
  clock_->Pass(1ms);
  EXPECT_EQ(Get(), "t2");
}

TEST_F(TokenCacheTest, ManyRequestsRefusedWithOneTokenCauseOneFetch) {
  EXPECT_EQ(Get(), "t1");
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([this] {
      EXPECT_TRUE(cache_.Refused("t1"));
      EXPECT_EQ(Get(), "t2");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(source_->fetches(), 2);
}

TEST_F(TokenCacheTest, AServiceThatRefusesNewTokensTooCausesFewFetches) {
  EXPECT_EQ(Get(), "t1");
  EXPECT_TRUE(cache_.Refused("t1"));
  EXPECT_EQ(Get(), "t2");
  EXPECT_FALSE(cache_.Refused("t2"));
  EXPECT_EQ(Get(), "t2");
  clock_->Pass(10s);
  EXPECT_TRUE(cache_.Refused("t2"));
  EXPECT_EQ(Get(), "t3");
}

TEST_F(TokenCacheTest, WaitingForAnotherThreadsAttemptEnds) {
  source_->Hold();
  std::thread fetching([this] { EXPECT_EQ(Get(), "t1"); });
  ASSERT_TRUE(source_->WaitForFetches(1));
  EXPECT_THAT(cache_.Get(20ms),
              FailsWith(Code::kUnavailable,
                        "an access token is being fetched and did not come within 20 ms"));
  source_->Release();
  fetching.join();
}

TEST_F(TokenCacheTest, AHangingEndpointHoldsOneCallerAndTheOthersForTwoSeconds) {
  auto* const source = new ScriptedSource;
  TokenCache cache(std::unique_ptr<TokenSource>(source), clock_);
  source->Hold();
  std::thread fetching([&cache] { EXPECT_THAT(cache.Get(30s), testing::IsOk()); });
  ASSERT_TRUE(source->WaitForFetches(1));
  EXPECT_THAT(cache.Get(30s),
              FailsWith(Code::kUnavailable,
                        "an access token is being fetched and did not come within 2 s"));
  source->Release();
  fetching.join();
}

TEST_F(TokenCacheTest, AnAttemptIsToldToEndAfterFifteenSeconds) {
  EXPECT_EQ(Get(), "t1");
  EXPECT_EQ(source_->give_up_at(), clock_->Mono() + 15s);
}

TEST_F(TokenCacheTest, ATokenThatEndsDuringItsRenewalIsNotSent) {
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(3600s - 200s);
  source_->Hold();
  EXPECT_EQ(Get(), "t1");
  EXPECT_TRUE(source_->WaitForFetches(2));
  clock_->Pass(190s);
  EXPECT_THAT(cache_.Get(20ms),
              FailsWith(Code::kUnavailable, ::testing::HasSubstr("within 20 ms")));
  source_->Release();
  EXPECT_EQ(Get(), "t2");
  EXPECT_EQ(source_->fetches(), 2);
}

/// Gives one token, and then waits between two attempts for as long as it is let.
class WaitingSource final : public TokenSource {
 public:
  explicit WaitingSource(std::shared_ptr<Interruption> stop) : stop_(std::move(stop)) {}
  Expected<AccessToken> Fetch(MonoTime /*give_up_at*/) override {
    if (first_) {
      first_ = false;
      return AccessToken{"t1", 3600s};
    }
    EXPECT_FALSE(stop_->WaitFor(std::chrono::hours(1)));
    return Fail(Code::kCancelled, "stopped");
  }

 private:
  const std::shared_ptr<Interruption> stop_;
  bool first_ = true;
};

TEST_F(TokenCacheTest, DestroyingItEndsTheWaitsOfARenewal) {
  const auto stop = std::make_shared<Interruption>();
  {
    TokenCache cache(std::make_unique<WaitingSource>(stop), clock_, stop);
    EXPECT_THAT(cache.Get(60s), testing::IsOk());
    clock_->Pass(3600s - 200s);
    EXPECT_THAT(cache.Get(60s), testing::IsOk());
  }  // Without the stop this would take an hour.
  EXPECT_TRUE(stop->stopped());
  EXPECT_FALSE(stop->WaitFor(std::chrono::hours(1))) << "what begins to wait later ends too";
}

TEST_F(TokenCacheTest, ATokenIsAtHandUntilItIsTimeToRenewIt) {
  EXPECT_EQ(cache_.TryGet(), std::nullopt);
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(3600s - 225s - 1ms);
  EXPECT_EQ(cache_.TryGet(), "t1");
  clock_->Pass(1ms);
  EXPECT_EQ(cache_.TryGet(), std::nullopt) << "somebody has to begin the renewal";
  EXPECT_EQ(source_->fetches(), 1);
}

TEST_F(TokenCacheTest, ATokenIsAtHandWhileTheNextOneIsBeingFetched) {
  EXPECT_EQ(Get(), "t1");
  clock_->Pass(3600s - 225s);
  source_->Hold();
  EXPECT_EQ(Get(), "t1");
  ASSERT_TRUE(source_->WaitForFetches(2));
  EXPECT_EQ(cache_.TryGet(), "t1");
  source_->Release();
}

}  // namespace
}  // namespace bindery::google
