#include "app/replicas/forwarded_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <utility>

#include "fakes/fake_control.h"
#include "support/matchers.h"

namespace bindery::app {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::FakeControl;
using bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Expected<Json> Carried(const std::string& text, FakeControl& control) {
  std::promise<Expected<Json>> answered;
  CarryOut(text, "ana", control, [&](Expected<Json> result) { answered.set_value(result); });
  return answered.get_future().get();
}

struct CallCase {
  ForwardedCall call;
  const char* asked;
};

class ForwardedCallTest : public ::testing::TestWithParam<CallCase> {};

TEST_P(ForwardedCallTest, IsMadeAtTheOtherReplica) {
  FakeControl control;
  const auto answer = Carried(GetParam().call.text(), control);
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(*answer, (Json{{"fake", true}}));
  EXPECT_THAT(control.TakeCalls(), ElementsAre(GetParam().asked));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ForwardedCallTest,
    ::testing::Values(
        CallCase{ForwardedCall(server::command::Reconcile{{"a", "b"}}), "reconcile [a,b] by ana"},
        CallCase{ForwardedCall(server::command::Reconcile{}), "reconcile [] by ana"},
        CallCase{ForwardedCall(server::command::WaiveSettling{{"a"}}), "waive-settling [a] by ana"},
        CallCase{ForwardedCall(server::command::Suspend{{"a"}, true}), "suspend [a] by ana"},
        CallCase{ForwardedCall(server::command::Suspend{{"a"}, false}), "resume [a] by ana"},
        CallCase{ForwardedCall(server::command::Forget{{"a"}}), "forget [a] by ana"},
        CallCase{ForwardedCall(server::command::Approve{"d1"}), "approve d1 by ana"},
        CallCase{ForwardedCall(server::command::Deny{"d1"}), "deny d1 by ana"},
        CallCase{ForwardedCall(server::command::Rollback{"a", 1LL << 40}),
                 "rollback a to 1099511627776 by ana"},
        CallCase{ForwardedCall::Plan({"a"}, server::PlanAsker::kLocal), "plan [a]"},
        CallCase{ForwardedCall::Plan({"a"}, server::PlanAsker::kNetwork),
                 "plan for the network [a]"},
        CallCase{ForwardedCall::PlanDirectory({{"a"}, {{"b.yaml", "x"}}, {{"c", "is odd"}}},
                                              server::PlanAsker::kLocal),
                 "plan of b.yaml=x !c [a]"},
        CallCase{ForwardedCall::PlanDirectory({{}, {{"b.yaml", "\xff"}}, {}},
                                              server::PlanAsker::kNetwork),
                 "plan for the network of b.yaml=\xef\xbf\xbd []"}));

TEST(ForwardedCall, HasTheTextThatReplicasOfEarlierVersionsKnow) {
  const std::pair<server::OperatorCommand, const char*> texts[] = {
      {server::command::Reconcile{{"a", "b"}}, R"({"call":"reconcile","names":["a","b"]})"},
      {server::command::Reconcile{}, R"({"call":"reconcile","names":[]})"},
      {server::command::WaiveSettling{{"a"}}, R"({"call":"waive-settling","names":["a"]})"},
      {server::command::Suspend{{"a"}, false},
       R"({"call":"suspend","names":["a"],"suspend":false})"},
      {server::command::Forget{{"a"}}, R"({"call":"forget","names":["a"]})"},
      {server::command::Approve{"d1"}, R"({"call":"approve","digest":"d1"})"},
      {server::command::Deny{"d1"}, R"({"call":"deny","digest":"d1"})"},
      {server::command::Rollback{"a", 7}, R"({"call":"rollback","name":"a","revision":7})"}};
  for (const auto& [command, text] : texts) EXPECT_EQ(ForwardedCall(command).text(), text);
}

TEST(ForwardedCall, OfANewerVersionIsAnsweredAsUnknown) {
  FakeControl control;
  EXPECT_THAT(Carried(R"({"call":"paint"})", control),
              FailsWith(Code::kUnimplemented, HasSubstr("does not know what was asked (paint)")));
  EXPECT_THAT(Carried("", control), FailsWith(Code::kUnimplemented, HasSubstr("upgrade it")));
  EXPECT_THAT(control.TakeCalls(), IsEmpty());
}

TEST(ForwardedCall, WithoutWhatItTakesAsksForNothing) {
  FakeControl control;
  for (const char* text :
       {R"({"call":"reconcile"})", R"({"call":"suspend","names":"a","suspend":true})",
        R"({"call":"suspend","names":["a"],"suspend":"yes"})", R"({"call":"approve","digest":1})",
        R"({"call":"rollback","name":"a"})"}) {
    EXPECT_THAT(Carried(text, control), FailsWith(Code::kInvalidArgument, HasSubstr("wrongly")))
        << text;
  }
  EXPECT_THAT(control.TakeCalls(), IsEmpty());
}

TEST(ForwardedAnswer, ComesBackAsItWas) {
  const Json report{{"name", "a\nb"}, {"list", {1, 2}}, {"none", nullptr}};
  EXPECT_EQ(*AnswerOfText(TextOfAnswer(report)), report);
  Error error{Code::kResourceExhausted, "too many \xff", 429};
  error.retry_after = std::chrono::milliseconds(1500);
  const auto refused = AnswerOfText(TextOfAnswer(Fail(error)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kResourceExhausted);
  EXPECT_EQ(refused.error().message, "too many \xef\xbf\xbd");
  EXPECT_EQ(refused.error().http_status, 429);
  EXPECT_EQ(refused.error().retry_after, std::chrono::milliseconds(1500));
}

TEST(ForwardedAnswer, ThatIsNoneIsAnError) {
  for (const char* text : {"", "{}", "[]", R"({"error":{}})",
                           R"({"error":{"code":"NOT_FOUND","status":"x","retryAfterMs":"y"}})"}) {
    EXPECT_FALSE(AnswerOfText(text)) << text;
  }
}

}  // namespace
}  // namespace bindery::app
