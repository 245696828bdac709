#include "controller/sharing/helper_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cloud/authorizer.h"
#include "controller/sharing/check_batch.h"
#include "providers/registry/kinds.h"

namespace bindery::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HelperPoolTest : public ::testing::Test {
 protected:
  HelperPoolTest() {
    connection_->provider = "cloudnative";
    connection_->endpoints = {{"networksecurity", "http://cloud"}};
  }
  [[nodiscard]] std::vector<LentCheck> Checks(std::size_t count) {
    std::vector<LentCheck> checks;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = std::to_string(++loans_);
      const std::string name = "projects/acme/locations/global/authorizationPolicies/a" + id;
      checks.push_back({loans_, TargetKey(Target{"AuthorizationPolicyIamBinding", "", name}),
                        KnownKinds().FindByName("AuthorizationPolicyIamBinding"), connection_,
                        Sha256Digest::Of(id)});
    }
    return checks;
  }
  [[nodiscard]] std::vector<LentResult> Answer(const CheckBatchRecord& batch, LentAnswer answer) {
    const std::size_t count = ParseChecks(batch.text)->size();
    return pool_.Answered({batch.id, TextOfAnswers(std::vector<LentAnswer>(count, answer))}, now_);
  }

  std::shared_ptr<Connection> connection_ = std::make_shared<Connection>();
  HelperPool pool_;
  MonoTime now_ = MonoTime(std::chrono::hours(1));
  std::uint64_t loans_ = 0;
};

TEST_F(HelperPoolTest, ChecksAreSpreadOverAllHelpers) {
  pool_.SetHelpers({{"a"}, {"b"}, {"c"}});
  EXPECT_EQ(pool_.Count(now_), 3U);
  const HelperPool::Asked asked = pool_.Ask(Checks(30), now_);
  EXPECT_THAT(asked.refused, IsEmpty());
  std::set<std::string> helpers;
  for (const CheckBatchRecord& batch : asked.batches) {
    helpers.insert(batch.helper);
    EXPECT_EQ(ParseChecks(batch.text)->size(), 10U);
  }
  EXPECT_THAT(helpers, ElementsAre("a", "b", "c"));
}

TEST_F(HelperPoolTest, WhoHasTheLeastToDoIsAskedNext) {
  pool_.SetHelpers({{"a"}, {"b"}});
  const HelperPool::Asked first = pool_.Ask(Checks(1), now_);
  const HelperPool::Asked second = pool_.Ask(Checks(1), now_);
  EXPECT_NE(first.batches.at(0).helper, second.batches.at(0).helper);
}

TEST_F(HelperPoolTest, AnAnswerIsToldOfEachCheckOnce) {
  pool_.SetHelpers({{"a"}});
  const HelperPool::Asked asked = pool_.Ask(Checks(3), now_);
  ASSERT_THAT(asked.batches, SizeIs(1));
  const auto results = pool_.Answered({asked.batches[0].id, "sof"}, now_);
  ASSERT_THAT(results, SizeIs(3));
  EXPECT_EQ(results[0].answer, LentAnswer::kSame);
  EXPECT_EQ(results[1].answer, LentAnswer::kOther);
  EXPECT_EQ(results[2].answer, LentAnswer::kFailed);
  EXPECT_EQ(results[2].loan, 3U);
  EXPECT_FALSE(pool_.AwaitsAnswers());
  EXPECT_THAT(pool_.Answered({asked.batches[0].id, "sss"}, now_), IsEmpty());
}

TEST_F(HelperPoolTest, AnAnswerThatIsNotUnderstoodIsAFailure) {
  for (const char* text : {"", "s", "sss", "sx", "s\n"}) {
    HelperPool pool;
    pool.SetHelpers({{"a"}});
    const HelperPool::Asked asked = pool.Ask(Checks(2), now_);
    const auto results = pool.Answered({asked.batches.at(0).id, text}, now_);
    EXPECT_THAT(results, SizeIs(2)) << text;
    EXPECT_THAT(results, Each(Field(&LentResult::answer, LentAnswer::kFailed))) << text;
  }
}

TEST_F(HelperPoolTest, WithoutAHelperEachCheckIsRefused) {
  const HelperPool::Asked asked = pool_.Ask(Checks(1'000), now_);
  EXPECT_THAT(asked.batches, IsEmpty());
  EXPECT_THAT(asked.refused, SizeIs(1'000));
}

TEST_F(HelperPoolTest, OneThatIsSilentIsNotAsked) {
  pool_.SetHelpers({{"a", HelperPool::kSilent}, {"b", HelperPool::kSilent - milliseconds(1)}});
  EXPECT_EQ(pool_.Count(now_), 1U);
  EXPECT_EQ(pool_.Ask(Checks(1), now_).batches.at(0).helper, "b");
}

TEST_F(HelperPoolTest, OneThatDoesNotAnswerIsNotAskedForAMinute) {
  pool_.SetHelpers({{"a"}});
  std::ignore = pool_.Ask(Checks(2), now_);
  EXPECT_THAT(pool_.PassTime(now_ + HelperPool::kPatience - milliseconds(1)), IsEmpty());
  now_ += HelperPool::kPatience;
  EXPECT_THAT(pool_.PassTime(now_), SizeIs(2));
  pool_.SetHelpers({{"a"}});
  EXPECT_EQ(pool_.Count(now_), 0U);
  EXPECT_THAT(pool_.Ask(Checks(1), now_).refused, SizeIs(1));
  EXPECT_EQ(pool_.Count(now_ + HelperPool::kPause), 1U);
}

TEST_F(HelperPoolTest, OneThatFailsInMostIsNotAskedForAMinute) {
  pool_.SetHelpers({{"a"}});
  const HelperPool::Asked few = pool_.Ask(Checks(4), now_);
  std::ignore = pool_.Answered({few.batches.at(0).id, "ffso"}, now_);
  EXPECT_EQ(pool_.Count(now_), 1U) << "half is not most";
  const HelperPool::Asked most = pool_.Ask(Checks(4), now_);
  std::ignore = pool_.Answered({most.batches.at(0).id, "fffs"}, now_);
  EXPECT_EQ(pool_.Count(now_), 0U);
}

TEST_F(HelperPoolTest, OneIsAskedForMoreAfterEachBatchThatItDidInTime) {
  pool_.SetHelpers({{"a"}, {"b"}});
  EXPECT_EQ(pool_.AtOnce(now_), 2 * HelperPool::kLeastAtOnce);
  const HelperPool::Asked asked = pool_.Ask(Checks(20), now_);
  std::ignore = Answer(asked.batches.at(0), LentAnswer::kSame);
  EXPECT_EQ(pool_.AtOnce(now_), 2 * HelperPool::kLeastAtOnce + 10);
  for (int i = 0; i < 20; ++i) {
    for (const CheckBatchRecord& batch : pool_.Ask(Checks(600), now_).batches) {
      std::ignore = Answer(batch, LentAnswer::kOther);
    }
  }
  EXPECT_EQ(pool_.AtOnce(now_), 2 * HelperPool::kMostAtOnce);
}

TEST_F(HelperPoolTest, OneThatHadTooMuchToDoIsAskedForHalf) {
  pool_.SetHelpers({{"a"}});
  const HelperPool::Asked first = pool_.Ask(Checks(100), now_);
  std::ignore = Answer(first.batches.at(0), LentAnswer::kSame);
  ASSERT_EQ(pool_.AtOnce(now_), HelperPool::kLeastAtOnce + 100);
  const HelperPool::Asked second = pool_.Ask(Checks(2), now_);
  std::ignore = pool_.Answered({second.batches.at(0).id, "sl"}, now_);
  EXPECT_EQ(pool_.AtOnce(now_), (HelperPool::kLeastAtOnce + 100) / 2);
  for (int i = 0; i < 5; ++i) {
    const HelperPool::Asked late = pool_.Ask(Checks(1), now_);
    std::ignore = Answer(late.batches.at(0), LentAnswer::kLate);
  }
  EXPECT_EQ(pool_.AtOnce(now_), HelperPool::kLeastAtOnce);
  EXPECT_EQ(pool_.Count(now_), 1U) << "it is not left alone for that";
}

TEST_F(HelperPoolTest, OneThatLeftStillAnswers) {
  pool_.SetHelpers({{"a"}});
  const HelperPool::Asked asked = pool_.Ask(Checks(2), now_);
  pool_.SetHelpers({});
  EXPECT_THAT(Answer(asked.batches.at(0), LentAnswer::kSame), SizeIs(2));
}

TEST_F(HelperPoolTest, ManyChecksAreSeveralBatches) {
  pool_.SetHelpers({{"a"}, {"b"}});
  const HelperPool::Asked asked = pool_.Ask(Checks(3'000), now_);
  std::size_t count = 0;
  for (const CheckBatchRecord& batch : asked.batches) {
    const std::size_t checks = ParseChecks(batch.text)->size();
    EXPECT_LE(checks, HelperPool::kMostInBatch);
    count += checks;
  }
  EXPECT_EQ(count, 3'000U);
}

TEST(CheckBatchText, ChecksComeBackAsTheyWere) {
  const std::vector<AskedCheck> checks = {
      {"cloudnative", "Kind", "odd \"name\"\n\xE2\x82\xAC", "0123", Sha256Digest::Of("a")},
      {"", "", "", "", {}}};
  EXPECT_EQ(*ParseChecks(TextOfChecks(checks)), checks);
}

TEST(CheckBatchText, AnotherFormIsNotUnderstood) {
  for (const char* text :
       {"", "x", "{}", "[]", R"({"form": 2, "checks": []})", R"({"form": 1})",
        R"({"form": 1, "checks": {}})", R"({"form": 1, "checks": [1]})",
        R"({"form": 1, "checks": [["a", "b", "c", "d"]]})",
        R"({"form": 1, "checks": [["a", "b", "c", "d", 5]]})", R"({"form": "1", "checks": []})"}) {
    EXPECT_FALSE(ParseChecks(text).has_value()) << text;
  }
}

TEST(CheckBatchText, CallsThatDifferHaveOtherDigests) {
  const auto digest = [](const std::string& method, const std::string& url,
                         const std::string& body) {
    PolicyCall call;
    call.request.method = method;
    call.request.url = url;
    call.request.body = body;
    return DigestOfCall(call, "http://");
  };
  const std::set<std::string> all = {digest("GET", "http://a", ""), digest("POST", "http://a", ""),
                                     digest("GET", "http://b", ""), digest("GET", "http://a", "x")};
  EXPECT_THAT(all, SizeIs(4));
  EXPECT_EQ(digest("GET", "http://a", ""), digest("GET", "a", "")) << "by another way";
}

}  // namespace
}  // namespace bindery::testing
