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
  [[nodiscard]] std::vector<controller::LentCheck> Checks(std::size_t count) {
    std::vector<controller::LentCheck> checks;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = std::to_string(++loans_);
      const std::string name = "projects/acme/locations/global/authorizationPolicies/a" + id;
      checks.push_back({loans_, TargetKey(Target{"AuthorizationPolicyIamBinding", "", name}),
                        providers::KnownKinds().FindByName("AuthorizationPolicyIamBinding"),
                        connection_, Sha256Digest::Of(id)});
    }
    return checks;
  }
  [[nodiscard]] std::vector<controller::LentResult> Answer(const store::CheckBatchRecord& batch,
                                                           controller::LentAnswer answer) {
    const std::size_t count = controller::ParseChecks(batch.text)->size();
    return pool_.Answered(
        {batch.id, controller::TextOfAnswers(std::vector<controller::LentAnswer>(count, answer))},
        now_);
  }

  std::shared_ptr<cloud::Connection> connection_ = std::make_shared<cloud::Connection>();
  controller::HelperPool pool_;
  MonoTime now_ = MonoTime(std::chrono::hours(1));
  std::uint64_t loans_ = 0;
};

TEST_F(HelperPoolTest, ChecksAreSpreadOverAllHelpers) {
  pool_.SetHelpers({{"a"}, {"b"}, {"c"}});
  EXPECT_EQ(pool_.Count(now_), 3U);
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(30), now_);
  EXPECT_THAT(asked.refused, IsEmpty());
  std::set<std::string> helpers;
  for (const store::CheckBatchRecord& batch : asked.batches) {
    helpers.insert(batch.helper);
    EXPECT_EQ(controller::ParseChecks(batch.text)->size(), 10U);
  }
  EXPECT_THAT(helpers, ElementsAre("a", "b", "c"));
}

TEST_F(HelperPoolTest, WhoHasTheLeastToDoIsAskedNext) {
  pool_.SetHelpers({{"a"}, {"b"}});
  const controller::HelperPool::Asked first = pool_.Ask(Checks(1), now_);
  const controller::HelperPool::Asked second = pool_.Ask(Checks(1), now_);
  EXPECT_NE(first.batches.at(0).helper, second.batches.at(0).helper);
}

TEST_F(HelperPoolTest, AnAnswerIsToldOfEachCheckOnce) {
  pool_.SetHelpers({{"a"}});
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(3), now_);
  ASSERT_THAT(asked.batches, SizeIs(1));
  const auto results = pool_.Answered({asked.batches[0].id, "sof"}, now_);
  ASSERT_THAT(results, SizeIs(3));
  EXPECT_EQ(results[0].answer, controller::LentAnswer::kSame);
  EXPECT_EQ(results[1].answer, controller::LentAnswer::kOther);
  EXPECT_EQ(results[2].answer, controller::LentAnswer::kFailed);
  EXPECT_EQ(results[2].loan, 3U);
  EXPECT_FALSE(pool_.AwaitsAnswers());
  EXPECT_THAT(pool_.Answered({asked.batches[0].id, "sss"}, now_), IsEmpty());
}

TEST_F(HelperPoolTest, AnAnswerThatIsNotUnderstoodIsAFailure) {
  for (const char* text : {"", "s", "sss", "sx", "s\n"}) {
    controller::HelperPool pool;
    pool.SetHelpers({{"a"}});
    const controller::HelperPool::Asked asked = pool.Ask(Checks(2), now_);
    const auto results = pool.Answered({asked.batches.at(0).id, text}, now_);
    EXPECT_THAT(results, SizeIs(2)) << text;
    EXPECT_THAT(results,
                Each(Field(&controller::LentResult::answer, controller::LentAnswer::kFailed)))
        << text;
  }
}

TEST_F(HelperPoolTest, WithoutAHelperEachCheckIsRefused) {
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(1'000), now_);
  EXPECT_THAT(asked.batches, IsEmpty());
  EXPECT_THAT(asked.refused, SizeIs(1'000));
}

TEST_F(HelperPoolTest, OneThatIsSilentIsNotAsked) {
  pool_.SetHelpers({{"a", controller::HelperPool::kSilent},
                    {"b", controller::HelperPool::kSilent - milliseconds(1)}});
  EXPECT_EQ(pool_.Count(now_), 1U);
  EXPECT_EQ(pool_.Ask(Checks(1), now_).batches.at(0).helper, "b");
}

TEST_F(HelperPoolTest, OneThatDoesNotAnswerIsNotAskedForAMinute) {
  pool_.SetHelpers({{"a"}});
  std::ignore = pool_.Ask(Checks(2), now_);
  EXPECT_THAT(pool_.PassTime(now_ + controller::HelperPool::kPatience - milliseconds(1)),
              IsEmpty());
  now_ += controller::HelperPool::kPatience;
  EXPECT_THAT(pool_.PassTime(now_), SizeIs(2));
  pool_.SetHelpers({{"a"}});
  EXPECT_EQ(pool_.Count(now_), 0U);
  EXPECT_THAT(pool_.Ask(Checks(1), now_).refused, SizeIs(1));
  EXPECT_EQ(pool_.Count(now_ + controller::HelperPool::kPause), 1U);
}

TEST_F(HelperPoolTest, OneThatFailsInMostIsNotAskedForAMinute) {
  pool_.SetHelpers({{"a"}});
  const controller::HelperPool::Asked few = pool_.Ask(Checks(4), now_);
  std::ignore = pool_.Answered({few.batches.at(0).id, "ffso"}, now_);
  EXPECT_EQ(pool_.Count(now_), 1U) << "half is not most";
  const controller::HelperPool::Asked most = pool_.Ask(Checks(4), now_);
  std::ignore = pool_.Answered({most.batches.at(0).id, "fffs"}, now_);
  EXPECT_EQ(pool_.Count(now_), 0U);
}

TEST_F(HelperPoolTest, OneIsAskedForMoreAfterEachBatchThatItDidInTime) {
  pool_.SetHelpers({{"a"}, {"b"}});
  EXPECT_EQ(pool_.AtOnce(now_), 2 * controller::HelperPool::kLeastAtOnce);
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(20), now_);
  std::ignore = Answer(asked.batches.at(0), controller::LentAnswer::kSame);
  EXPECT_EQ(pool_.AtOnce(now_), 2 * controller::HelperPool::kLeastAtOnce + 10);
  for (int i = 0; i < 20; ++i) {
    for (const store::CheckBatchRecord& batch : pool_.Ask(Checks(600), now_).batches) {
      std::ignore = Answer(batch, controller::LentAnswer::kOther);
    }
  }
  EXPECT_EQ(pool_.AtOnce(now_), 2 * controller::HelperPool::kMostAtOnce);
}

TEST_F(HelperPoolTest, OneThatHadTooMuchToDoIsAskedForHalf) {
  pool_.SetHelpers({{"a"}});
  const controller::HelperPool::Asked first = pool_.Ask(Checks(100), now_);
  std::ignore = Answer(first.batches.at(0), controller::LentAnswer::kSame);
  ASSERT_EQ(pool_.AtOnce(now_), controller::HelperPool::kLeastAtOnce + 100);
  const controller::HelperPool::Asked second = pool_.Ask(Checks(2), now_);
  std::ignore = pool_.Answered({second.batches.at(0).id, "sl"}, now_);
  EXPECT_EQ(pool_.AtOnce(now_), (controller::HelperPool::kLeastAtOnce + 100) / 2);
  for (int i = 0; i < 5; ++i) {
    const controller::HelperPool::Asked late = pool_.Ask(Checks(1), now_);
    std::ignore = Answer(late.batches.at(0), controller::LentAnswer::kLate);
  }
  EXPECT_EQ(pool_.AtOnce(now_), controller::HelperPool::kLeastAtOnce);
  EXPECT_EQ(pool_.Count(now_), 1U) << "it is not left alone for that";
}

TEST_F(HelperPoolTest, OneThatLeftStillAnswers) {
  pool_.SetHelpers({{"a"}});
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(2), now_);
  pool_.SetHelpers({});
  EXPECT_THAT(Answer(asked.batches.at(0), controller::LentAnswer::kSame), SizeIs(2));
}

TEST_F(HelperPoolTest, ManyChecksAreSeveralBatches) {
  pool_.SetHelpers({{"a"}, {"b"}});
  const controller::HelperPool::Asked asked = pool_.Ask(Checks(3'000), now_);
  std::size_t count = 0;
  for (const store::CheckBatchRecord& batch : asked.batches) {
    const std::size_t checks = controller::ParseChecks(batch.text)->size();
    EXPECT_LE(checks, controller::HelperPool::kMostInBatch);
    count += checks;
  }
  EXPECT_EQ(count, 3'000U);
}

TEST(CheckBatchText, ChecksComeBackAsTheyWere) {
  const std::vector<controller::AskedCheck> checks = {
      {"cloudnative", "Kind", "odd \"name\"\n\xE2\x82\xAC", "0123", Sha256Digest::Of("a")},
      {"", "", "", "", {}}};
  EXPECT_EQ(*controller::ParseChecks(controller::TextOfChecks(checks)), checks);
}

TEST(CheckBatchText, AnotherFormIsNotUnderstood) {
  for (const char* text :
       {"", "x", "{}", "[]", R"({"form": 2, "checks": []})", R"({"form": 1})",
        R"({"form": 1, "checks": {}})", R"({"form": 1, "checks": [1]})",
        R"({"form": 1, "checks": [["a", "b", "c", "d"]]})",
        R"({"form": 1, "checks": [["a", "b", "c", "d", 5]]})", R"({"form": "1", "checks": []})"}) {
    EXPECT_FALSE(controller::ParseChecks(text).has_value()) << text;
  }
}

TEST(CheckBatchText, CallsThatDifferHaveOtherDigests) {
  const auto digest = [](const std::string& method, const std::string& url,
                         const std::string& body) {
    cloud::PolicyCall call;
    call.request.method = method;
    call.request.url = url;
    call.request.body = body;
    return controller::DigestOfCall(call, "http://");
  };
  const std::set<std::string> all = {digest("GET", "http://a", ""), digest("POST", "http://a", ""),
                                     digest("GET", "http://b", ""), digest("GET", "http://a", "x")};
  EXPECT_THAT(all, SizeIs(4));
  EXPECT_EQ(digest("GET", "http://a", ""), digest("GET", "a", "")) << "by another way";
}

}  // namespace
}  // namespace bindery::testing
