// When the keys of a signer are fetched, and how long they are believed.

#include "identity/key_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>

#include "support/matchers.h"
#include "support/token_signer.h"

namespace bindery::identity {
namespace {

using testing::KeySetOf;
using testing::TokenSigner;

class SteadyClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return now; }
  MonoTime now{std::chrono::seconds(1'000)};
};

class FakeTransport final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    ++requests;
    EXPECT_EQ(request.url, "https://id.example.com/keys");
    EXPECT_LE(request.max_response_bytes, std::size_t{1} << 20U);
    meanwhile();
    return answer;
  }
  std::function<void()> meanwhile = [] {};  ///< Happens during a fetch.
  int requests = 0;
  Expected<cloud::HttpResponse> answer = cloud::HttpResponse{200, {}, R"({"keys":[]})"};
};

class KeySourceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Code Verify(const TokenSigner& signer) {
    const auto token = ParseToken(signer.Sign(Json::object()));
    const auto verified = keys_.Verify(*token);
    return verified ? Code::kAlreadyExists : verified.error().code;  // That code: it is good.
  }
  void Serve(const TokenSigner& signer) {
    transport_.answer = cloud::HttpResponse{200, {}, KeySetOf({signer.Jwk()})};
  }
  static constexpr Code kGood = Code::kAlreadyExists;

  TokenSigner old_ = TokenSigner::Curve("old");
  TokenSigner new_ = TokenSigner::Curve("new");
  SteadyClock clock_;
  FakeTransport transport_;
  KeySource keys_{transport_, clock_, "https://id.example.com/keys"};
};

TEST_F(KeySourceTest, AreFetchedOnceAndKept) {
  Serve(old_);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Verify(old_), kGood);
  EXPECT_EQ(transport_.requests, 1);
}

TEST_F(KeySourceTest, AnUnknownKeyHasThemFetchedAtMostOnceAMinute) {
  Serve(old_);
  EXPECT_EQ(Verify(old_), kGood);
  Serve(new_);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Verify(new_), Code::kUnauthenticated);
  EXPECT_EQ(transport_.requests, 1);
  clock_.now += KeySource::kRest;
  EXPECT_EQ(Verify(new_), kGood);
  EXPECT_EQ(Verify(old_), Code::kUnauthenticated);
  EXPECT_EQ(transport_.requests, 2);
}

TEST_F(KeySourceTest, AWithdrawnKeyIsNotBelievedForever) {
  Serve(old_);
  EXPECT_EQ(Verify(old_), kGood);
  Serve(new_);
  clock_.now += KeySource::kLongest;
  EXPECT_EQ(Verify(old_), Code::kUnauthenticated);
}

TEST_F(KeySourceTest, WithoutAnAnswerTheKnownKeysServeForAnotherPeriod) {
  Serve(old_);
  EXPECT_EQ(Verify(old_), kGood);
  transport_.answer = Fail(Code::kUnavailable, "connection refused");
  clock_.now += KeySource::kLongest;
  EXPECT_EQ(Verify(old_), kGood);
  clock_.now += KeySource::kLongest;
  EXPECT_EQ(Verify(old_), Code::kUnavailable);
}

// A token of another key, or keys that are too old, have the keys fetched.
TEST_F(KeySourceTest, ATokenOfAKnownKeyDoesNotWaitForAFetch) {
  Serve(old_);
  ASSERT_EQ(Verify(old_), kGood);
  int fetches = 0;
  transport_.meanwhile = [&] {
    ++fetches;
    auto other = std::async(std::launch::async, [this] { return Verify(old_); });
    ASSERT_EQ(other.wait_for(std::chrono::seconds(10)), std::future_status::ready);
    EXPECT_EQ(other.get(), kGood);
  };
  clock_.now += KeySource::kRest;
  EXPECT_EQ(Verify(new_), Code::kUnauthenticated);
  clock_.now += KeySource::kLongest;
  EXPECT_EQ(Verify(old_), kGood);
  EXPECT_EQ(fetches, 2);
}

TEST_F(KeySourceTest, OneThreadFetchesAtATime) {
  Serve(old_);
  std::future<Code> other;
  transport_.meanwhile = [&] {
    other = std::async(std::launch::async, [this] { return Verify(old_); });
    EXPECT_EQ(other.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  };
  EXPECT_EQ(Verify(old_), kGood);
  EXPECT_EQ(other.get(), kGood) << "with the keys that the first one fetched";
  EXPECT_EQ(transport_.requests, 1);
}

TEST_F(KeySourceTest, NoKeysAreNoGoodSignature) {
  for (const Expected<cloud::HttpResponse>& answer :
       {Expected<cloud::HttpResponse>(Fail(Code::kUnavailable, "refused")),
        Expected<cloud::HttpResponse>(cloud::HttpResponse{500, {}, KeySetOf({old_.Jwk()})})}) {
    transport_.answer = answer;
    EXPECT_EQ(Verify(old_), Code::kUnavailable);
    clock_.now += KeySource::kRest;
  }
}

}  // namespace
}  // namespace bindery::identity
