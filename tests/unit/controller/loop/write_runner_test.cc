// How a write is carried out: what is on record when, and what is sent.

#include "controller/loop/write_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "fakes/fake_writer.h"
#include "support/matchers.h"
#include "unit/controller/runner_fixture.h"

namespace bindery::controller {
namespace {

using testing::FailsWith;
using testing::FakeWriter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

constexpr const char* kWrittenRole = "roles/viewer";
constexpr const char* kStored =
    R"({"etag":"BwY","bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}]})";

class WriteRunnerTest : public testing::RunnerTest<WriteRunner::Finished> {
 protected:
  WriteRunnerTest() {
    PutOnTarget(*check_);
    job_.check = check_;
    job_.before.etag = "BwX";
    job_.before.document = *ParseJson(R"({"etag":"BwX"})");
    const Grant grant{kWrittenRole, "user:ana@example.com", {}};
    job_.plan = reconcilers::ComposePlan({grant}, {});
    job_.desired.claims.push_back({"viewers", {testing::kRunTarget, kWrittenRole, {grant}}});
    job_.actor = "bindery";
  }

  void Start() { runner_.Start(Key(), job_); }

  FakeWriter store_;
  std::shared_ptr<CheckJob> check_ = std::make_shared<CheckJob>();
  WriteJob job_;
  WriteRunner runner_{threads_, store_, results_};
};

TEST_F(WriteRunnerTest, WhatTheServiceStoredIsComparedWithWhatIsWanted) {
  check_->trace = telemetry::NewTrace(1);
  Start();
  const cloud::HttpRequest request = transport_->Request(0);
  EXPECT_EQ(transport_->TraceOf(0), check_->trace);
  EXPECT_THAT(request.url, HasSubstr(std::string(testing::kRunTarget) + ":setIamPolicy"));
  EXPECT_THAT(request.body, HasSubstr(R"("etag":"BwX")"));
  ASSERT_THAT(store_.state.intents, SizeIs(1)) << "on record before it is sent";
  const store::IntentRecord intent = store_.state.intents.begin()->second;
  EXPECT_EQ(intent.target.name, testing::kRunTarget);
  EXPECT_EQ(intent.etag_before, "BwX");

  transport_->Answer(0, 200, kStored);
  const WriteResult result = Result();
  ASSERT_THAT(result.written, IsOk());
  EXPECT_EQ(result.written->etag, "BwY");
  EXPECT_EQ(result.intent, intent.id);
  EXPECT_EQ(result.digest_desired, intent.digest_desired);
  EXPECT_EQ(result.policy.digest, GetText(*result.written).digest);
  EXPECT_THAT(result.left.drift(), IsEmpty());
}

TEST_F(WriteRunnerTest, AConditionIsDroppedWhereTheAnswerToTheWriteShowsIt) {
  const Condition soon{"request.time < timestamp(\"2030-01-01T00:00:00Z\")", "soon", ""};
  const Grant grant{kWrittenRole, "user:ana@example.com", soon};
  job_.plan = reconcilers::ComposePlan({grant}, {});
  job_.desired.claims[0].declaration.grants = {grant};
  const auto policy = [](const char* etag, bool conditional) {
    Json binding = {{"role", kWrittenRole}, {"members", {"user:ana@example.com"}}};
    if (conditional) {
      binding["condition"] = {{"title", "soon"},
                              {"expression", "request.time < timestamp(\"2030-01-01T00:00:00Z\")"}};
    }
    return Json{{"version", 3}, {"etag", etag}, {"bindings", {binding}}}.dump();
  };
  struct Case {
    const char* why;
    bool answer;   ///< Has the condition.
    bool reading;  ///< The same.
    bool dropped;
  };
  for (const Case& one : {Case{"both show it", false, false, true},
                          Case{"another writer came after it", true, false, false},
                          Case{"another writer repaired it", false, true, false}}) {
    const auto sent = transport_->Sent();
    Start();
    transport_->Answer(sent, 200, policy("BwX", one.answer));  // The same etag: it is read again.
    transport_->Answer(sent + 1, 200, policy("BwZ", one.reading));
    const WriteResult result = Result();
    ASSERT_THAT(result.written, IsOk());
    EXPECT_EQ(!result.dropped.empty(), one.dropped) << one.why;
  }
}

TEST_F(WriteRunnerTest, WhatCannotBePutOnRecordIsNotSent) {
  store_.refuse_intents = true;
  Start();
  const WriteResult result = Result();
  EXPECT_THAT(
      result.written,
      FailsWith(Code::kInternal, "nothing was written, as the store cannot record it: disk full"))
      << "the service is not away";
  EXPECT_EQ(result.intent, 0);
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(WriteRunnerTest, WhoMayHaveBeenReplacedSinceTheIntentSendsNothing) {
  store_.replaced = true;
  Start();
  const WriteResult result = Result();
  EXPECT_THAT(result.written,
              FailsWith(Code::kInternal, HasSubstr("nothing was written: another replica")));
  EXPECT_FALSE(result.written.error().outcome_unknown);
  EXPECT_NE(result.intent, 0);
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(WriteRunnerTest, ANameThatCannotBeAskedForIsNeitherRecordedNorSent) {
  check_->target.name = "projects//x";
  Start();
  EXPECT_THAT(Result().written,
              FailsWith(Code::kInvalidArgument, "\"projects//x\" is not a resource name"));
  EXPECT_THAT(store_.state.intents, IsEmpty());
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(WriteRunnerTest, RefusedCredentialsAreTriedOnceMoreWithOthersUnderTheSameIntent) {
  tokens_->another = true;
  Start();
  transport_->Answer(0, 401, "{}");
  EXPECT_EQ(transport_->Request(1).headers.back().second, "Bearer fetched");
  transport_->Answer(1, 200, kStored);
  EXPECT_THAT(Result().written, IsOk());
  EXPECT_THAT(store_.state.intents, SizeIs(1));
}

TEST_F(WriteRunnerTest, WithoutCredentialsItIsRefusedAndWasNotSent) {
  tokens_->at_hand.reset();
  tokens_->fetched.reset();
  Start();
  const WriteResult result = Result();
  ASSERT_THAT(result.written, FailsWith(Code::kUnauthenticated, HasSubstr("setIamPolicy")));
  EXPECT_FALSE(result.written.error().outcome_unknown);
  EXPECT_NE(result.intent, 0);
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(WriteRunnerTest, AnAnswerThatDoesNotComeLeavesTheOutcomeUnknown) {
  Start();
  Error lost{Code::kUnavailable, "connection reset"};
  lost.outcome_unknown = true;
  transport_->Answer(0, Fail(lost));
  const WriteResult result = Result();
  ASSERT_FALSE(result.written);
  EXPECT_TRUE(result.written.error().outcome_unknown);
}

TEST_F(WriteRunnerTest, ATransportThatThrowsLeavesTheOutcomeUnknown) {
  transport_->breaks = true;
  Start();
  const WriteResult result = Result();
  ASSERT_THAT(result.written, FailsWith(Code::kInternal, "unexpected: out of sockets"));
  EXPECT_TRUE(result.written.error().unexpected);
  EXPECT_TRUE(result.written.error().outcome_unknown);
  EXPECT_NE(result.intent, 0);
}

class UntaggedWriteTest : public WriteRunnerTest {
 protected:
  UntaggedWriteTest() {
    check_->kind = kinds_.FindByName("RestrictionPolicy");
    check_->target = {check_->kind->schema().token.kind, "", "dashboard:abc"};
    job_ = {};
    job_.check = check_;
    job_.before = *check_->kind->ParseResponse(*MakeReading(*check_), Policy("[]"));
    const Grant grant{"editor", "role:1", {}};
    job_.plan = reconcilers::ComposePlan({grant}, {});
    job_.desired.claims.push_back({"board", {"dashboard:abc", std::string(kWholePolicy), {grant}}});
  }
  static std::string Policy(const std::string& bindings) {
    return R"({"data":{"type":"restriction_policy","id":"dashboard:abc","attributes":{"bindings":)" +
           bindings + "}}}";
  }
  static std::string Written() {
    return Policy(R"([{"relation":"editor","principals":["role:1"]}])");
  }
  static std::string Others() {
    return Policy(R"([{"relation":"editor","principals":["role:9"]}])");
  }
};

TEST_F(UntaggedWriteTest, IsBetweenTwoReadingsUnderOneIntent) {
  tokens_->another = true;
  Start();
  EXPECT_EQ(transport_->Request(0).method, "GET");
  EXPECT_THAT(store_.state.intents, SizeIs(1)) << "on record before, not between";
  transport_->Answer(0, 401, "{}");
  transport_->Request(1);
  transport_->Answer(1, 200, Policy("[]"));
  EXPECT_EQ(transport_->Request(2).method, "POST");
  tokens_->another = true;
  transport_->Answer(2, 401, "{}");
  EXPECT_EQ(transport_->Request(3).method, "POST") << "each call may need other credentials";
  transport_->Answer(3, 200, Written());
  EXPECT_EQ(transport_->Request(4).method, "GET");
  transport_->Answer(4, 200, Written());
  const WriteResult result = Result();
  ASSERT_THAT(result.written, IsOk());
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(transport_->Request(i).max_response_bytes, kMaxPolicyBytes) << i;
  }
  EXPECT_TRUE(result.read_back);
  EXPECT_FALSE(result.contested);
  EXPECT_EQ(result.readings, 2);
}

TEST_F(UntaggedWriteTest, IsNotSentWhereThePolicyHasChangedOrCannotBeRead) {
  for (const auto& [status, body, code] :
       {std::tuple(200, Others(), Code::kAborted),
        std::tuple(200, std::string("{}"), Code::kInternal),
        std::tuple(404, std::string(R"({"errors":["Not found"]})"), Code::kNotFound),
        std::tuple(503, std::string(), Code::kUnavailable)}) {
    SCOPED_TRACE(body);
    const auto sent = transport_->Sent();
    Start();
    transport_->Answer(sent, status, body);
    const WriteResult result = Result();
    ASSERT_FALSE(result.written);
    EXPECT_EQ(result.written.error().code, code);
    EXPECT_FALSE(result.written.error().outcome_unknown);
    EXPECT_EQ(transport_->Sent(), sent + 1);
  }
}

TEST_F(UntaggedWriteTest, IsContestedWhenTheLastReadingShowsAnotherPolicy) {
  Start();
  transport_->Answer(0, 200, Policy("[]"));
  transport_->Answer(1, 200, Written());
  transport_->Answer(2, 200, Others());
  const WriteResult result = Result();
  ASSERT_THAT(result.written, IsOk());
  EXPECT_TRUE(result.contested);
  EXPECT_THAT(result.left.drift(), SizeIs(2));
}

TEST_F(UntaggedWriteTest, HasNoKnownOutcomeWhereItCannotBeReadBack) {
  Start();
  transport_->Answer(0, 200, Policy("[]"));
  transport_->Answer(1, 200, Written());
  transport_->Answer(2, 200, "<html>");
  const WriteResult result = Result();
  ASSERT_FALSE(result.written);
  EXPECT_TRUE(result.written.error().outcome_unknown);
}

}  // namespace
}  // namespace bindery::controller
