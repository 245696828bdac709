// Privileged Access Manager: the form of its bindings, and which grant is behind one.

#include "providers/google/clients/privileged_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cloud/authorizer.h"
#include "core/text/time_text.h"

namespace bindery::google {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Verdict = JustInTimeAnswer::Verdict;
using std::chrono::minutes;
using std::chrono::seconds;

WallTime AtTime(const char* text) { return *ParseRfc3339(text); }

Grant Bound(const std::string& expression, const std::string& title = "Created by: PAM",
            const std::string& member = "user:Ana@example.com") {
  return {"roles/storage.admin", member, Condition{expression, title, ""}};
}

constexpr const char* kUntilTwelve = R"(request.time < timestamp("2026-11-29T12:00:00Z"))";

TEST(PrivilegedAccess, ABindingEndsAndHasTheTitle) {
  struct Case {
    const char* expression;
    const char* title;
    const char* end;  ///< Null: it is none.
    bool marked;
  };
  const std::vector<Case> cases = {
      {kUntilTwelve, "Created by: PAM", "2026-11-29T12:00:00Z", true},
      {kUntilTwelve, "created by: pam", "2026-11-29T12:00:00Z", false},
      {R"((resource.name == "x") && request.time < timestamp("2026-11-29T12:00:00Z"))",
       "Created by: PAM", "2026-11-29T12:00:00Z", true},
      {R"(request.time < timestamp("2026-11-29T12:00:00Z") || true)", "Created by: PAM", nullptr,
       true},
      {R"(request.time > timestamp("2026-11-29T12:00:00Z"))", "Created by: PAM", nullptr, true},
      {"true", "Created by: PAM", nullptr, true},
      {"request.time <", "Created by: PAM", nullptr, true},
  };
  for (const Case& one : cases) {
    const auto form = PrivilegedAccessForm(Bound(one.expression, one.title));
    ASSERT_EQ(form.has_value(), one.end != nullptr) << one.expression;
    if (!form) continue;
    EXPECT_EQ(form->end, AtTime(one.end)) << one.expression;
    EXPECT_EQ(form->marked, one.marked) << one.title;
  }
  EXPECT_FALSE(PrivilegedAccessForm({"roles/viewer", "user:a@example.com"}));
}

Json GrantJson(const std::string& state = "ACTIVE",
               const std::string& began = "2026-11-29T10:00:00.5Z") {
  Json grant = {
      {"name", "projects/acme/locations/global/entitlements/e/grants/g"},
      {"requester", "ana@example.com"},
      {"requestedDuration", "7200s"},
      {"state", state},
      {"privilegedAccess",
       Json{{"gcpIamAccess",
             Json{{"resource", "//cloudresourcemanager.googleapis.com/projects/acme"},
                  {"roleBindings", Json::array({Json{{"role", "roles/storage.admin"}}})}}}}}};
  if (!began.empty()) grant["auditTrail"] = Json{{"accessGrantTime", began}};
  return grant;
}

TEST(PrivilegedAccess, AGrantIsBehindABindingOfItsRoleRequesterAndEnd) {
  const WallTime end = AtTime("2026-11-29T12:00:00Z");
  const WallTime now = AtTime("2026-11-29T11:00:00Z");
  const Grant binding = Bound(kUntilTwelve);
  const auto behind = [&](const Json& grant, const Grant& bound, WallTime time) {
    const PrivilegedGrant known = PrivilegedGrant::Of(grant);
    return known.Fits(bound, end, time) && known.IsRequestedBy(bound.principal);
  };
  EXPECT_TRUE(behind(GrantJson(), binding, now));
  for (const char* state : {"ACTIVATING", "REVOKING", "WITHDRAWING"}) {
    EXPECT_TRUE(behind(GrantJson(state), binding, now)) << state;
  }
  for (const char* state : {"REVOKED", "WITHDRAWN", "DENIED", "EXPIRED", "APPROVAL_AWAITED"}) {
    EXPECT_FALSE(behind(GrantJson(state), binding, now)) << state;
  }
  EXPECT_TRUE(behind(GrantJson("ENDED"), binding, end + minutes(10)));
  EXPECT_FALSE(behind(GrantJson("ENDED"), binding, end + minutes(20)));
  EXPECT_TRUE(behind(GrantJson("ACTIVE", "2026-11-29T10:00:59Z"), binding, now));
  EXPECT_FALSE(behind(GrantJson("ACTIVE", "2026-11-29T10:01:30Z"), binding, now));
  EXPECT_TRUE(behind(GrantJson("ACTIVATING", ""), binding, AtTime("2026-11-29T10:00:00Z")));
  EXPECT_FALSE(behind(GrantJson("ACTIVATING", ""), binding, AtTime("2026-11-29T09:00:00Z")));
  Grant other = binding;
  other.principal = "user:eve@example.com";
  EXPECT_FALSE(behind(GrantJson(), other, now));
  other = binding;
  other.role = "roles/owner";
  EXPECT_FALSE(behind(GrantJson(), other, now));
  other = binding;
  other.principal =
      "principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/"
      "ana@example.com";
  EXPECT_FALSE(behind(GrantJson(), other, now)) << "whoever has a pool chooses its subjects";
  other.principal = "group:ana@example.com";
  EXPECT_FALSE(behind(GrantJson(), other, now));
}

TEST(PrivilegedAccess, AGrantThatEndedBeforeItsTimeIsBehindNothing) {
  const WallTime end = AtTime("2026-11-29T12:00:00Z");
  const PrivilegedGrant known = PrivilegedGrant::Of(GrantJson("ENDED"));
  EXPECT_FALSE(known.Fits(Bound(kUntilTwelve), end, end - minutes(30)));
  EXPECT_TRUE(known.Fits(Bound(kUntilTwelve), end, end - seconds(30))) << "clocks differ";
}

TEST(PrivilegedAccess, ADurationThatNoGrantHasProvesNothing) {
  const Grant binding = Bound(kUntilTwelve);
  for (const char* text : {"9223372036854775807s", "99999999999999999999s", "-7200s", "1e9s", ""}) {
    for (const char* began : {"2026-11-29T10:00:00Z", ""}) {
      Json grant = GrantJson("ACTIVE", began);
      grant["requestedDuration"] = text;
      const PrivilegedGrant known = PrivilegedGrant::Of(grant);
      EXPECT_LE(known.duration, seconds(1)) << text;
      EXPECT_FALSE(
          known.Fits(binding, AtTime("2026-11-29T12:00:00Z"), AtTime("2026-11-29T11:00:00Z")))
          << text;
    }
  }
}

/// Answers by URL, and keeps what it was asked.
class Table final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    asked.push_back(request.url.substr(std::string_view("http://h").size()));
    if (silent) return Fail(Code::kDeadlineExceeded, "timed out");
    const auto found = answers.find(asked.back());
    if (found == answers.end()) {
      return cloud::HttpResponse{
          403, {}, R"({"error": {"code": 403, "status": "PERMISSION_DENIED"}})"};
    }
    return cloud::HttpResponse{200, {}, found->second.dump()};
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    done(Send(*request));
  }

  std::map<std::string, Json> answers;
  std::vector<std::string> asked;
  bool silent = false;  ///< No question is answered in time.
};

class PrivilegedAccessQuestions : public ::testing::Test {
 protected:
  PrivilegedAccessQuestions() {
    connection_.transport = table_;
    connection_.authorizer = cloud::NoCredentials();
    for (const char* service : {"privilegedaccessmanager", "cloudasset", "cloudresourcemanager"}) {
      connection_.endpoints[service] = "http://h";
    }
  }
  static std::string Entitlements(const std::string& container) {
    return "/v1/" + container + "/locations/global/entitlements";
  }
  void Offer(const std::string& container, const std::string& id, std::vector<Json> grants) {
    const std::string name = container + "/locations/global/entitlements/" + id;
    Json& list = table_->answers[Entitlements(container)];
    list["entitlements"].push_back(Json{{"name", name}});
    table_->answers["/v1/" + name + "/grants"] = Json{{"grants", std::move(grants)}};
  }
  JustInTimeAnswers Ask(const std::vector<Grant>& grants = {Bound(kUntilTwelve)},
                        const std::string& number = "415104041262") {
    JustInTimeAnswers asked;
    for (const Grant& grant : grants) asked.push_back({grant});
    return AskForPrivilegedGrants(
        connection_, {"projects/acme", number, std::move(asked), AtTime("2026-11-29T11:00:00Z"),
                      std::chrono::milliseconds(100)});
  }

  std::shared_ptr<Table> table_ = std::make_shared<Table>();
  cloud::Connection connection_;
};

TEST_F(PrivilegedAccessQuestions, AGrantOfTheProjectIsEnough) {
  Offer("projects/acme", "e", {GrantJson("ENDED", "2026-11-28T10:00:00Z"), GrantJson()});
  const JustInTimeAnswers answers = Ask();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0].verdict, Verdict::kActive);
  EXPECT_EQ(answers[0].detail, "projects/acme/locations/global/entitlements/e/grants/g");
  EXPECT_EQ(answers[0].end, AtTime("2026-11-29T12:00:00.5Z"));
  EXPECT_THAT(table_->asked, SizeIs(2)) << "nobody else is asked";
}

TEST_F(PrivilegedAccessQuestions, AServiceThatLetsOneQuestionWaitIsNotAskedByTheNext) {
  Offer("projects/acme", "e", {GrantJson()});
  table_->silent = true;
  EXPECT_EQ(Ask()[0].verdict, Verdict::kNotTold);
  const std::size_t asked = table_->asked.size();
  const JustInTimeAnswers next = Ask();
  EXPECT_EQ(next[0].verdict, Verdict::kNotTold);
  EXPECT_THAT(next[0].detail, HasSubstr("let a question wait"));
  EXPECT_THAT(table_->asked, SizeIs(asked)) << "the next policy does not wait as well";

  connection_.provider = "another";
  table_->silent = false;
  EXPECT_EQ(Ask()[0].verdict, Verdict::kActive) << "the others are asked";
}

TEST_F(PrivilegedAccessQuestions, AnEntitlementOfAFolderMayHaveMadeIt) {
  table_->answers[Entitlements("projects/acme")] = Json::object();
  table_->answers["/v3/projects/acme"] = Json{{"parent", "folders/1"}};
  table_->answers[Entitlements("folders/1")] = Json::object();
  table_->answers["/v3/folders/1"] = Json{{"parent", "organizations/2"}};
  Json by_number = GrantJson();
  by_number["privilegedAccess"]["gcpIamAccess"]["resource"] =
      "//cloudresourcemanager.googleapis.com/projects/415104041262";
  Offer("organizations/2", "e", {by_number});
  EXPECT_EQ(Ask()[0].verdict, Verdict::kActive);
}

TEST_F(PrivilegedAccessQuestions, OnlyWhenAllAnswerThereIsNone) {
  Offer("projects/acme", "e", {GrantJson("REVOKED")});
  table_->answers["/v3/projects/acme"] = Json{{"parent", "folders/1"}};
  table_->answers[Entitlements("folders/1")] = Json::object();
  EXPECT_EQ(Ask()[0].verdict, Verdict::kNotTold) << "what is above the folder is not told";
  table_->answers["/v3/folders/1"] = Json::object();
  EXPECT_EQ(Ask()[0].verdict, Verdict::kNone);
  table_->answers[Entitlements("folders/1")] = Json{{"unreachable", {"global"}}};
  EXPECT_EQ(Ask()[0].verdict, Verdict::kNotTold) << "the list is not complete";
  table_->answers.erase(Entitlements("folders/1"));
  const JustInTimeAnswers refused = Ask();
  EXPECT_EQ(refused[0].verdict, Verdict::kNotTold);
  EXPECT_THAT(refused[0].detail, HasSubstr("cannot be asked"));
}

TEST_F(PrivilegedAccessQuestions, AnotherContainersGrantExplainsNothing) {
  Json elsewhere = GrantJson();
  elsewhere["privilegedAccess"]["gcpIamAccess"]["resource"] =
      "//cloudresourcemanager.googleapis.com/projects/other";
  Offer("projects/acme", "e", {elsewhere});
  table_->answers["/v3/projects/acme"] = Json::object();
  EXPECT_EQ(Ask()[0].verdict, Verdict::kNone);
}

TEST_F(PrivilegedAccessQuestions, AProjectGoesByItsNumberToo) {
  Json by_number = GrantJson();
  by_number["privilegedAccess"]["gcpIamAccess"]["resource"] =
      "//cloudresourcemanager.googleapis.com/projects/415104041262";
  Offer("projects/acme", "e", {by_number});
  table_->answers["/v3/projects/acme"] =
      Json{{"name", "projects/415104041262"}, {"projectId", "acme"}};
  EXPECT_EQ(Ask({Bound(kUntilTwelve)}, "")[0].verdict, Verdict::kActive);
  table_->answers["/v3/projects/acme"]["name"] = "projects/1";
  EXPECT_EQ(Ask({Bound(kUntilTwelve)}, "")[0].verdict, Verdict::kNone);
}

TEST_F(PrivilegedAccessQuestions, HowAnIdentityOfAPoolIsWrittenIsNotKnown) {
  Json pooled = GrantJson();
  pooled["requester"] = "who knows";
  Offer("projects/acme", "e", {pooled});
  table_->answers["/v3/projects/acme"] = Json::object();
  const std::string pool = "principal://iam.googleapis.com/locations/global/workforcePools/p/";
  const JustInTimeAnswers answers =
      Ask({Bound(kUntilTwelve, "Created by: PAM", pool + "subject/ana"), Bound(kUntilTwelve)});
  EXPECT_EQ(answers[0].verdict, Verdict::kNotTold);
  EXPECT_THAT(answers[0].detail, HasSubstr("entitlements/e/grants/g"));
  EXPECT_EQ(answers[1].verdict, Verdict::kNone);
  pooled["requester"] = pool + "subject/Ana";
  Offer("projects/acme", "f", {pooled});
  EXPECT_EQ(Ask({Bound(kUntilTwelve, "Created by: PAM", pool + "subject/ana")})[0].verdict,
            Verdict::kActive);
}

TEST_F(PrivilegedAccessQuestions, TheSearchForAssetsProvesButDoesNotDisprove) {
  const std::string search =
      "/v1/projects/acme:searchAllResources?assetTypes=privilegedaccessmanager.googleapis.com/"
      "Grant&readMask=*&pageSize=500";
  table_->answers[search] = Json{
      {"results",
       Json::array({Json{{"versionedResources",
                          Json::array({Json{{"version", "v1"}, {"resource", GrantJson()}}})}}})}};
  const JustInTimeAnswers answers =
      Ask({Bound(kUntilTwelve), Bound(kUntilTwelve, "Created by: PAM", "user:eve@example.com")});
  EXPECT_EQ(answers[0].verdict, Verdict::kActive);
  EXPECT_EQ(answers[1].verdict, Verdict::kNotTold);
}

TEST_F(PrivilegedAccessQuestions, AllPagesAreRead) {
  const std::string name = "projects/acme/locations/global/entitlements/e";
  table_->answers[Entitlements("projects/acme")] = Json{{"nextPageToken", "p2"}};
  table_->answers[Entitlements("projects/acme") + "?pageToken=p2"] =
      Json{{"entitlements", Json::array({Json{{"name", name}}})}};
  table_->answers["/v1/" + name + "/grants"] = Json{{"nextPageToken", "2"}};
  table_->answers["/v1/" + name + "/grants?pageToken=2"] =
      Json{{"grants", Json::array({GrantJson()})}};
  EXPECT_EQ(Ask()[0].verdict, Verdict::kActive);
}

TEST_F(PrivilegedAccessQuestions, AnAnswerThatCannotBeReadIsNoAnswerOfNone) {
  const std::string entitlement = "projects/acme/locations/global/entitlements/e";
  const std::string grants = "/v1/" + entitlement + "/grants";
  struct Case {
    const char* what;
    std::string url;
    Json answer;
  };
  const std::vector<Case> cases = {
      {"entitlements", Entitlements("projects/acme"), Json{{"entitlements", Json::object()}}},
      {"an entitlement", Entitlements("projects/acme"), Json{{"entitlements", {1}}}},
      {"grants", grants, Json{{"grants", "none"}}},
      {"a grant", grants, Json{{"grants", {nullptr}}}},
      {"what is unreachable", grants, Json{{"unreachable", "global"}}},
      {"the token", grants, Json{{"grants", Json::array()}, {"nextPageToken", 2}}},
      {"the parent", "/v3/projects/acme", Json{{"parent", 1}}},
  };
  for (const Case& one : cases) {
    table_->answers = {{"/v3/projects/acme", Json::object()}};
    Offer("projects/acme", "e", {});
    ASSERT_EQ(Ask()[0].verdict, Verdict::kNone);
    table_->answers[one.url] = one.answer;
    EXPECT_EQ(Ask()[0].verdict, Verdict::kNotTold) << one.what;
  }
}

TEST_F(PrivilegedAccessQuestions, AStateThatIsNotKnownDecidesNothing) {
  Offer("projects/acme", "e", {GrantJson("PROLONGING")});
  table_->answers["/v3/projects/acme"] = Json::object();
  const JustInTimeAnswers answers =
      Ask({Bound(kUntilTwelve), Bound(kUntilTwelve, "Created by: PAM", "user:eve@example.com")});
  EXPECT_EQ(answers[0].verdict, Verdict::kNotTold);
  EXPECT_THAT(answers[0].detail, HasSubstr("the state \"PROLONGING\" of"));
  EXPECT_EQ(answers[1].verdict, Verdict::kNone) << "it is somebody else's";
}

TEST_F(PrivilegedAccessQuestions, ABindingWithoutTheConditionOfItsEntitlementIsNotProven) {
  Json narrow = GrantJson();
  narrow["privilegedAccess"]["gcpIamAccess"]["roleBindings"][0]["conditionExpression"] =
      R"(resource.name == "x")";
  Offer("projects/acme", "e", {narrow});
  table_->answers["/v3/projects/acme"] = Json::object();
  const JustInTimeAnswers answers = Ask({Bound(kUntilTwelve)});
  EXPECT_EQ(answers[0].verdict, Verdict::kNotTold);
  EXPECT_THAT(answers[0].detail, HasSubstr("is not in its condition"));
  const std::string joined =
      R"((resource.name=="x") && request.time < timestamp("2026-11-29T12:00:00Z"))";
  EXPECT_EQ(Ask({Bound(joined)})[0].verdict, Verdict::kActive);
}

TEST_F(PrivilegedAccessQuestions, OneGrantExplainsOneBindingAndNoCopyOfIt) {
  Json narrow = GrantJson();
  narrow["privilegedAccess"]["gcpIamAccess"]["roleBindings"][0]["conditionExpression"] =
      R"(resource.name.startsWith("x"))";
  const std::string real =
      R"((resource.name.startsWith("x")) && request.time < timestamp("2026-11-29T12:00:00Z"))";
  struct Case {
    const char* what;
    Json grant;
    Grant written;
    Grant copy;
  };
  const std::string pool = "principal://iam.googleapis.com/locations/global/workforcePools/p/";
  const std::vector<Case> cases = {
      {"some seconds longer", GrantJson(), Bound(kUntilTwelve),
       Bound(R"(request.time < timestamp("2026-11-29T12:00:40Z"))")},
      {"without the title", GrantJson(), Bound(kUntilTwelve), Bound(kUntilTwelve, "temporary")},
      {"without the condition", narrow, Bound(real), Bound(kUntilTwelve)},
      {"around the condition", narrow, Bound(real),
       Bound(R"((resource.name.startsWith("x") || true) && )" + std::string(kUntilTwelve))},
      {"of a pool", GrantJson(), Bound(kUntilTwelve),
       Bound(kUntilTwelve, "Created by: PAM", pool + "subject/ana@example.com")},
      {"of a narrower request", GrantJson(), Bound(real), Bound(kUntilTwelve)},
  };
  for (const Case& one : cases) {
    table_->answers = {{"/v3/projects/acme", Json::object()}};
    Offer("projects/acme", "e", {one.grant});
    for (const bool first : {true, false}) {
      const JustInTimeAnswers answers =
          first ? Ask({one.written, one.copy}) : Ask({one.copy, one.written});
      EXPECT_EQ(answers[first ? 0 : 1].verdict, Verdict::kActive) << one.what;
      EXPECT_EQ(answers[first ? 1 : 0].verdict, Verdict::kNone) << one.what;
    }
  }
}

TEST_F(PrivilegedAccessQuestions, TwoGrantsOfOnePersonExplainTwoBindings) {
  Json later = GrantJson("ACTIVE", "2026-11-29T10:00:20Z");
  later["name"] = "projects/acme/locations/global/entitlements/e/grants/later";
  Offer("projects/acme", "e", {later, GrantJson()});
  const JustInTimeAnswers answers =
      Ask({Bound(kUntilTwelve), Bound(R"(request.time < timestamp("2026-11-29T12:00:20Z"))")});
  EXPECT_EQ(answers[0].detail, "projects/acme/locations/global/entitlements/e/grants/g");
  EXPECT_EQ(answers[1].detail, "projects/acme/locations/global/entitlements/e/grants/later");
}

}  // namespace
}  // namespace bindery::google
