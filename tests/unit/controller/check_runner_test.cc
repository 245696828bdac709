#include "controller/check_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <optional>
#include <stdexcept>

#include "core/digest.h"
#include "reconcilers/kinds.h"
#include "support/matchers.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

constexpr const char* kTarget = "projects/acme/locations/global/authorizationPolicies/web";
constexpr const char* kPolicy =
    R"({"etag":"BwX","bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}]})";

HttpResponse Answer(int status, std::string body) { return {status, {}, std::move(body)}; }

/// Keeps what is sent until the test answers it; what is sent blocking is answered at once.
class HeldTransport final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    const std::lock_guard lock(mutex_);
    blocking.push_back(request);
    sent_in.push_back(CurrentTrace());
    return blocking_answer;
  }
  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override {
    if (breaks) throw std::runtime_error("out of sockets");
    held.emplace_back(*request, std::move(done));
    sent_in.push_back(CurrentTrace());
  }

  std::vector<std::pair<HttpRequest, Done>> held;
  std::vector<HttpRequest> blocking;
  std::vector<TraceContext> sent_in;  ///< What the thread worked for at each of them.
  Expected<HttpResponse> blocking_answer = Answer(200, kPolicy);
  bool breaks = false;

 private:
  std::mutex mutex_;
};

/// Tokens that a test hands out.
class Tokens final : public Authorizer {
 public:
  Expected<void> Authorize(HttpRequest& request) override {
    request.headers.emplace_back("Authorization", "Bearer fetched");
    return {};
  }
  bool TryAuthorize(HttpRequest& request) override {
    if (at_hand) request.headers.emplace_back("Authorization", "Bearer " + *at_hand);
    return at_hand.has_value();
  }
  bool Refused(const HttpRequest& sent) override {
    refused.push_back(sent.headers.back().second);
    return another;
  }

  std::optional<std::string> at_hand = "kept-by-the-test";
  bool another = false;  ///< There is one more to try after a refusal.
  std::vector<std::string> refused;
};

class CheckRunnerTest : public ::testing::Test {
 protected:
  CheckRunnerTest() {
    auto connection = std::make_shared<Connection>();
    connection->endpoints = {{"networksecurity", "http://cloud"}};
    connection->transport = transport_;
    connection->authorizer = tokens_;
    job_.kind = kinds_.FindByName("AuthorizationPolicyIamBinding");
    job_.target = {job_.kind->schema().token.kind, "", kTarget};
    job_.connection = std::move(connection);
    Declare("viewers", R"({"name":"authorizationPolicies/other","role":"roles/editor",)"
                       R"("members":["user:ana@example.com"]})");
  }

  void Declare(const std::string& name, const std::string& spec) {
    auto manifest = std::make_shared<Manifest>();
    manifest->name = name;
    manifest->spec = spec;
    job_.declared.push_back({std::move(manifest), "roles/viewer", Treatment::kEnforce});
  }

  void Start() {
    runner_.Start(TargetKey(Target{"Kind", "", "key"}), std::make_shared<CheckJob>(job_));
  }

  CheckResult Result() {
    {
      std::unique_lock lock(mutex_);
      woken_.wait(lock, [this] { return wakes_ > 0; });
      --wakes_;
    }
    std::vector<CheckRunner::Finished> finished = results_->TakeAll();
    EXPECT_THAT(finished, SizeIs(1));
    EXPECT_EQ(finished.at(0).key->name, "key");
    return std::move(finished.at(0).result);
  }

  Kinds kinds_;
  std::shared_ptr<HeldTransport> transport_ = std::make_shared<HeldTransport>();
  std::shared_ptr<Tokens> tokens_ = std::make_shared<Tokens>();
  CheckJob job_;
  std::mutex mutex_;
  std::condition_variable woken_;
  int wakes_ = 0;
  CheckRunner::Results results_ = std::make_shared<Mailbox<CheckRunner::Finished>>([this] {
    const std::lock_guard lock(mutex_);
    ++wakes_;
    woken_.notify_all();
  });
  CheckRunner runner_{std::make_shared<boost::asio::thread_pool>(1), results_};
};

TEST_F(CheckRunnerTest, WhateverIsSentIsOfTheJobsTrace) {
  job_.trace = NewTrace(1);
  Start();
  transport_->held.at(0).second(Answer(200, kPolicy));
  std::ignore = Result();
  tokens_->at_hand.reset();
  Start();
  std::ignore = Result();
  EXPECT_THAT(transport_->sent_in, ElementsAre(job_.trace, job_.trace));
  EXPECT_FALSE(CurrentTrace().valid());
}

TEST_F(CheckRunnerTest, AnAnswerIsComparedWithWhatIsDeclared) {
  Start();
  ASSERT_THAT(transport_->held, SizeIs(1));
  const auto& [request, done] = transport_->held[0];
  EXPECT_THAT(request.url, HasSubstr(std::string(kTarget) + ":getIamPolicy"));
  EXPECT_THAT(request.headers, ElementsAre(std::pair("Accept", "application/json"),
                                           std::pair("Authorization", "Bearer kept-by-the-test")));
  done(Answer(200, kPolicy));
  const CheckResult result = Result();
  ASSERT_THAT(result.observed, IsOk());
  EXPECT_EQ(result.observed->etag, "BwX");
  EXPECT_FALSE(result.unchanged);
  EXPECT_EQ(result.body, Sha256Digest::Of(kPolicy));
  EXPECT_EQ(result.policy.digest, TextOf(*result.observed).digest);
  ASSERT_THAT(result.desired.claims, SizeIs(1));
  EXPECT_EQ(result.desired.claims[0].resource, "viewers");
  EXPECT_THAT(transport_->blocking, IsEmpty());
}

TEST_F(CheckRunnerTest, WhatWasPlacedStaysWhereItWasPlaced) {
  job_.project = "elsewhere";
  job_.declared.push_back({nullptr, "roles/contested", Treatment::kFreeze});
  Declare("broken", "{");
  const Desired desired = DesiredOf(job_);
  ASSERT_THAT(desired.claims, SizeIs(3));
  EXPECT_EQ(desired.claims[0].declaration.target, kTarget);
  EXPECT_EQ(desired.claims[0].declaration.role, "roles/viewer");
  EXPECT_THAT(desired.claims[0].declaration.grants, SizeIs(1));
  EXPECT_EQ(desired.claims[1].resource, "");
  EXPECT_EQ(desired.claims[1].declaration.role, "roles/contested");
  EXPECT_EQ(desired.claims[1].treatment, Treatment::kFreeze);
  EXPECT_EQ(desired.claims[2].treatment, Treatment::kFreeze) << "nobody knows what it claims";
}

TEST_F(CheckRunnerTest, TheKnownBodyIsNotComparedAgain) {
  job_.known_body = Sha256Digest::Of(kPolicy);
  Start();
  transport_->held.at(0).second(Answer(200, kPolicy));
  const CheckResult same = Result();
  EXPECT_TRUE(same.unchanged);
  EXPECT_EQ(same.body, job_.known_body);
  EXPECT_THAT(same.desired.claims, IsEmpty());

  Start();
  transport_->held.at(1).second(Answer(200, R"({"etag":"BwY"})"));
  const CheckResult other = Result();
  EXPECT_FALSE(other.unchanged);
  ASSERT_THAT(other.observed, IsOk());
  EXPECT_EQ(other.observed->etag, "BwY");
}

TEST_F(CheckRunnerTest, AFailureSaysWhatWasWantedAsWell) {
  Start();
  transport_->held.at(0).second(
      Answer(404, R"({"error":{"code":404,"status":"NOT_FOUND","message":"none"}})"));
  const CheckResult absent = Result();
  EXPECT_THAT(absent.observed, FailsWith(Code::kNotFound, "networksecurity.getIamPolicy: none"));
  EXPECT_THAT(absent.desired.claims, SizeIs(1));
  EXPECT_TRUE(absent.body.empty());

  Start();
  transport_->held.at(1).second(Fail(Code::kCancelled, "shutting down"));
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kCancelled, "networksecurity.getIamPolicy: shutting down"));
}

TEST_F(CheckRunnerTest, ARestrictionPolicyThatIsAbsentIsAnEmptyOne) {
  job_.kind = kinds_.FindByName("RestrictionPolicy");
  job_.target = {"RestrictionPolicy", "", "dashboard:abc"};
  job_.declared.clear();
  Start();
  transport_->held.at(0).second(Answer(404, R"({"errors":["Not found"]})"));
  const CheckResult first = Result();
  ASSERT_THAT(first.observed, IsOk());
  EXPECT_FALSE(first.observed->exists);
  job_.known_body = first.body;
  Start();
  transport_->held.at(1).second(Answer(404, R"({"errors":["Not found"]})"));
  EXPECT_TRUE(Result().unchanged);
}

TEST_F(CheckRunnerTest, CredentialsThatAreNotAtHandAreFetchedWhereThatMayBlock) {
  tokens_->at_hand.reset();
  Start();
  EXPECT_THAT(Result().observed, IsOk());
  EXPECT_THAT(transport_->held, IsEmpty());
  ASSERT_THAT(transport_->blocking, SizeIs(1));
  EXPECT_EQ(transport_->blocking[0].headers.back().second, "Bearer fetched");
}

TEST_F(CheckRunnerTest, RefusedCredentialsAreTriedOnceMoreWithOthers) {
  tokens_->another = true;
  Start();
  transport_->held.at(0).second(Answer(401, "{}"));
  EXPECT_THAT(Result().observed, IsOk());
  EXPECT_THAT(tokens_->refused, ElementsAre("Bearer kept-by-the-test"));
  ASSERT_THAT(transport_->blocking, SizeIs(1));
  EXPECT_EQ(transport_->blocking[0].headers.back().second, "Bearer fetched");
}

TEST_F(CheckRunnerTest, WithoutOtherCredentialsARefusalIsTheAnswer) {
  Start();
  transport_->held.at(0).second(Answer(
      401, R"({"error":{"status":"UNAUTHENTICATED","message":"bad token kept-by-the-test"}})"));
  const CheckResult result = Result();
  ASSERT_FALSE(result.observed);
  EXPECT_EQ(result.observed.error().code, Code::kUnauthenticated);
  EXPECT_THAT(result.observed.error().message, ::testing::Not(HasSubstr("kept")));
  EXPECT_THAT(transport_->blocking, IsEmpty());
}

TEST_F(CheckRunnerTest, ANameThatCannotBeAskedForIsTold) {
  job_.target.name = "projects//x";
  Start();
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kInvalidArgument, "\"projects//x\" is not a resource name"));
  EXPECT_THAT(transport_->held, IsEmpty());
}

TEST_F(CheckRunnerTest, ATransportThatThrowsIsAResultToo) {
  transport_->breaks = true;
  Start();
  EXPECT_THAT(Result().observed, FailsWith(Code::kInternal, "unexpected: out of sockets"));
}

/// Reads like the kind it stands for, and then throws.
class ThrowingKind final : public Kind {
 public:
  explicit ThrowingKind(const Kind& kind) : Kind(kind.schema(), kind.traits()), kind_(kind) {}

  Expected<Declaration> Declare(const Json& spec, const std::string& project) const override {
    return kind_.Declare(spec, project);
  }
  Expected<PolicyRead> Reading(const Connection& connection, const std::string& target,
                               std::chrono::milliseconds timeout) const override {
    return kind_.Reading(connection, target, timeout);
  }
  Expected<Observation> Understand(const PolicyRead& /*read*/,
                                   const std::string& /*body*/) const override {
    throw std::runtime_error("no such shape");
  }
  TargetPlan Plan(const Desired& desired, const Observation& now) const override {
    return kind_.Plan(desired, now);
  }
  Expected<Observation> Write(const Connection& /*connection*/, const std::string& /*target*/,
                              const TargetPlan& /*plan*/, const Observation& /*now*/,
                              std::chrono::milliseconds /*timeout*/) const override {
    return Fail(Code::kUnimplemented, "not written");
  }
  Expected<std::vector<std::string>> MissingPermissions(
      const Connection& /*connection*/, const std::string& /*target*/, bool /*to_write*/,
      std::chrono::milliseconds /*timeout*/) const override {
    return std::vector<std::string>{};
  }
  Json Outputs(const std::string& target, const Observation& now) const override {
    return kind_.Outputs(target, now);
  }
  Expected<ResourceId> ParseId(const std::string& id, const std::string& project) const override {
    return kind_.ParseId(id, project);
  }
  std::vector<std::string> Roles(const Observation& now) const override { return kind_.Roles(now); }
  Expected<Json> Inputs(const std::string& target, const std::string& role,
                        const Observation& now) const override {
    return kind_.Inputs(target, role, now);
  }

 private:
  const Kind& kind_;
};

TEST_F(CheckRunnerTest, AKindThatThrowsIsAResultToo) {
  const ThrowingKind kind(*job_.kind);
  job_.kind = &kind;
  Start();
  transport_->held.at(0).second(Answer(200, kPolicy));
  EXPECT_THAT(Result().observed, FailsWith(Code::kInternal, "unexpected: no such shape"));
}

TEST(Mailbox, WakesOnceForAllThatLiesInIt) {
  int wakes = 0;
  Mailbox<int> mailbox([&wakes] { ++wakes; });
  for (int i = 0; i < 3; ++i) mailbox.Put(i);
  EXPECT_EQ(wakes, 1);
  EXPECT_THAT(mailbox.TakeAll(), ElementsAre(0, 1, 2));
  EXPECT_THAT(mailbox.TakeAll(), IsEmpty());
  mailbox.Put(4);
  EXPECT_EQ(wakes, 2);
}

}  // namespace
}  // namespace bindery
