// Calls that take several requests: the pages of a list, the steps of a write.

#include "cloud/call_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/matchers.h"

namespace bindery::cloud {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;

constexpr const char* kUrl = "http://cloud/list?page=0";

/// "…+" goes on with the page of the next number; the "+" is not needed.
class PlusPages final : public CallSequence {
 public:
  [[nodiscard]] bool Take(PolicyCall& call, std::string& body) const override {
    if (!body.ends_with('+')) return false;
    body.pop_back();
    std::string& url = call.request.url;
    const std::size_t at = url.rfind('=') + 1;
    url = url.substr(0, at) + std::to_string(std::stoi(url.substr(at)) + 1);
    return true;
  }
};

/// One request after the other, of whose answers only the last is kept. DELETE may be refused.
class Steps final : public CallSequence {
 public:
  [[nodiscard]] bool PassOver(PolicyCall& call, Error& refusal) const override {
    if (call.request.method != "DELETE") return false;
    refusal.message += "; passed over";
    std::string body;
    return Take(call, body);
  }
  [[nodiscard]] bool Take(PolicyCall& call, std::string& body) const override {
    if (call.further.empty()) return false;
    body.clear();
    call.request.method = call.further.back().method;
    call.request.url = call.further.back().url;
    call.further.pop_back();
    return true;
  }
};

class ScriptedTransport final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    urls.push_back(request.url);
    headers.push_back(request.headers.size());
    HttpResponse response = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return response;
  }

  std::deque<HttpResponse> answers;
  std::vector<std::string> urls;
  std::vector<std::size_t> headers;
};

class OneToken final : public Authorizer {
 public:
  Expected<void> Authorize(HttpRequest& request) override {
    request.headers.emplace_back("Authorization", "Bearer t");
    return {};
  }
  bool Refused(const HttpRequest& /*sent*/) override { return another; }

  bool another = false;
};

class CallSequenceTest : public ::testing::Test {
 protected:
  CallSequenceTest() {
    call_.request.url = kUrl;
    call_.request.service = "roles";
    call_.request.operation = "list";
    call_.sequence = &pages_;
  }
  void Answer(int status, std::string body) {
    transport_.answers.push_back({status, {}, std::move(body)});
  }
  /// POST to the list, then DELETE of /2, then GET of /3.
  void SendSteps() {
    call_.sequence = &steps_;
    call_.request.method = "POST";
    call_.further.resize(2);
    call_.further[1].method = "DELETE";
    call_.further[1].url = "http://cloud/2";
    call_.further[0].url = "http://cloud/3";
  }
  Expected<std::string> Read() { return Send(call_, transport_, authorizer_); }

  PlusPages pages_;
  Steps steps_;
  PolicyCall call_;
  ScriptedTransport transport_;
  OneToken authorizer_;
};

TEST_F(CallSequenceTest, AllPagesAreOneBody) {
  Answer(200, "a+");
  Answer(200, "b+");
  Answer(200, "c");
  EXPECT_EQ(Read().value_or("an error"),
            "a\x1e"
            "b\x1e"
            "c");
  EXPECT_THAT(transport_.urls,
              ElementsAre(kUrl, "http://cloud/list?page=1", "http://cloud/list?page=2"));
  EXPECT_THAT(transport_.headers, ElementsAre(1, 1, 1)) << "credentials are on each page once";
}

TEST_F(CallSequenceTest, ASinglePageAndACallWithoutPagesAreAsTheyCame) {
  Answer(200, "a");
  EXPECT_EQ(Read().value_or("an error"), "a");
  call_.sequence = nullptr;
  Answer(200, "b+");
  transport_.answers.pop_front();
  EXPECT_EQ(Read().value_or("an error"), "b+");
}

TEST_F(CallSequenceTest, APageThatFailsFailsTheList) {
  Answer(200, "a+");
  Answer(503, "");
  EXPECT_THAT(Read(), FailsWith(Code::kUnavailable, HasSubstr("roles.list")));
}

TEST_F(CallSequenceTest, CredentialsThatExpireBetweenPagesAreReplaced) {
  authorizer_.another = true;
  Answer(200, "a+");
  Answer(401, "");
  Answer(200, "b");
  EXPECT_EQ(Read().value_or("an error"),
            "a\x1e"
            "b");
  EXPECT_THAT(transport_.urls,
              ElementsAre(kUrl, "http://cloud/list?page=1", "http://cloud/list?page=1"));
}

TEST_F(CallSequenceTest, AListWithoutEndIsAnErrorAndNotATruncation) {
  Answer(200, "a+");
  EXPECT_THAT(Read(), FailsWith(Code::kFailedPrecondition,
                                "roles.list: the list has more than 100 pages, which is the most "
                                "that is read"));
  EXPECT_EQ(transport_.urls.size(), kMaxAnswers);
}

TEST_F(CallSequenceTest, AListThatIsTooLargeIsAnErrorToo) {
  call_.request.max_response_bytes = 4;
  Answer(200, "aa+");
  EXPECT_THAT(Read(), FailsWith(Code::kFailedPrecondition,
                                "roles.list: the list has more than 4 bytes, which is the most "
                                "that is read"));
  EXPECT_EQ(transport_.urls.size(), 2U);
}

TEST_F(CallSequenceTest, AnswersOfWhichNothingIsKeptLeaveNothing) {
  SendSteps();
  Answer(200, "a");
  Answer(204, "");
  Answer(200, "c");
  EXPECT_EQ(Read().value_or("an error"), "c");
  EXPECT_THAT(transport_.urls, ElementsAre(kUrl, "http://cloud/2", "http://cloud/3"));
}

TEST_F(CallSequenceTest, AfterAStepThatChangedSomethingTheOutcomeOfAFailureIsUnknown) {
  struct Case {
    std::vector<int> answers;
    bool unknown;
  };
  const Case cases[] = {{{403}, false}, {{200, 503}, true}, {{200, 204, 404}, true}};
  for (const Case& c : cases) {
    SendSteps();
    transport_.answers.clear();
    for (const int status : c.answers) Answer(status, "");
    const auto body = Read();
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().outcome_unknown, c.unknown) << c.answers.size();
  }
}

TEST_F(CallSequenceTest, ARefusalMayBePassedOverAndIsTheFailureOfTheCall) {
  SendSteps();
  Answer(200, "a");
  Answer(404, "");
  Answer(200, "c");
  const auto body = Read();
  ASSERT_FALSE(body);
  EXPECT_THAT(body.error().message, ::testing::EndsWith("; passed over"));
  EXPECT_TRUE(body.error().outcome_unknown);
  EXPECT_EQ(transport_.urls.size(), 3U) << "what follows is sent nevertheless";
}

TEST_F(CallSequenceTest, CredentialsThatAreRefusedAndLimitsAreNeverPassedOver) {
  for (const int status : {401, 429}) {
    SendSteps();
    transport_.answers.clear();
    transport_.urls.clear();
    Answer(200, "a");
    Answer(status, "");
    EXPECT_FALSE(Read());
    EXPECT_EQ(transport_.urls.size(), 2U) << status;
  }
}

TEST_F(CallSequenceTest, PagesChangeNothing) {
  Answer(200, "a+");
  Answer(403, "");
  const auto body = Read();
  ASSERT_FALSE(body);
  EXPECT_FALSE(body.error().outcome_unknown);
}

}  // namespace
}  // namespace bindery::cloud
