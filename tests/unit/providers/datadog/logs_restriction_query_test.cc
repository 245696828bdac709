// Restriction queries of logs: which requests the kind sends, and what it makes of answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "support/matchers.h"

namespace bindery::datadog {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

constexpr const char* kQueries = "/api/v2/logs/config/restriction_queries";
constexpr const char* kQuerySpec = R"({"restrictionQuery":"team:pay","roleIds":["r-a","r-b"]})";

/// Answers in the order of the script, and keeps what was asked: "GET /path body".
class ScriptedService final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    const std::size_t path = request.url.find('/', std::string_view("http://").size());
    std::string asked = request.method + " " + request.url.substr(path);
    if (!request.body.empty()) asked += " " + request.body;
    requests.push_back(std::move(asked));
    if (answers.empty()) return Fail(Code::kUnavailable, "the script is over");
    cloud::HttpResponse response = std::move(answers.front());
    answers.pop_front();
    return response;
  }
  std::deque<cloud::HttpResponse> answers;
  std::vector<std::string> requests;
};

std::string Query(const std::string& id, const std::string& text) {
  return R"({"type":"logs_restriction_queries","id":")" + id +
         R"(","attributes":{"restriction_query":")" + text + R"("}})";
}

std::string Roles(const std::vector<std::string>& ids) {
  std::string list;
  for (const std::string& id : ids) {
    list += (list.empty() ? "" : ",") + (R"({"type":"roles","id":")" + id + "\"}");
  }
  return R"({"data":[)" + list + "]}";
}

std::string FirstPageOf(const std::string& path) {
  return "GET " + path + "?page%5Bsize%5D=100&page%5Bnumber%5D=0";
}

std::string ChangeOfRole(const char* method, const char* query, const char* role) {
  return std::string(method) + " " + kQueries + "/" + query +
         R"(/roles {"data":{"type":"roles","id":")" + role + R"("}})";
}

class LogsRestrictionQueryTest : public ::testing::Test {
 protected:
  LogsRestrictionQueryTest() {
    // Of each test its own: what was created lately at an endpoint is remembered.
    static int number = 0;
    connection_.endpoints = {{"datadog", "http://dog" + std::to_string(++number)}};
    service_ = std::make_shared<ScriptedService>();
    connection_.transport = service_;
    connection_.authorizer = cloud::NoCredentials();
  }

  void Answer(std::string body, int status = 200) {
    service_->answers.push_back({status, {}, std::move(body)});
  }
  [[nodiscard]] Expected<reconcilers::Observation> Read() const {
    return kind_->Observe(connection_, "team:pay", seconds(1));
  }
  /// What is there when the list has that query with those roles.
  [[nodiscard]] reconcilers::Observation Seen(const std::vector<std::string>& roles) {
    Answer(R"({"data":[)" + Query("q-1", "team:pay") + "]}");
    Answer(Roles(roles));
    const auto seen = Read();
    EXPECT_THAT(seen, IsOk());
    service_->requests.clear();
    return seen.value_or(reconcilers::Observation());
  }
  [[nodiscard]] reconcilers::Observation Absent() {
    Answer(R"({"data":[]})");
    const auto seen = Read();
    EXPECT_THAT(seen, IsOk());
    service_->requests.clear();
    return seen.value_or(reconcilers::Observation());
  }
  [[nodiscard]] reconcilers::Desired Wants(const char* spec) const {
    reconcilers::Desired desired;
    desired.claims.push_back({"m", *kind_->Declare(*ParseJson(spec), "")});
    return desired;
  }
  [[nodiscard]] Expected<reconcilers::Observation> Write(const reconcilers::Desired& desired,
                                                         const reconcilers::Observation& now) {
    const auto write =
        kind_->BuildSet(connection_, "team:pay", kind_->Plan(desired, now), now, seconds(1));
    if (!write) return Fail(write.error());
    const auto body = cloud::Send(*write, *service_, *connection_.authorizer);
    if (!body) return Fail(body.error());
    return kind_->ParseResponse(*write, *body);
  }

  cloud::Connection connection_;
  std::shared_ptr<ScriptedService> service_;
  std::unique_ptr<reconcilers::Kind> kind_ = MakeLogsRestrictionQuery();
};

TEST_F(LogsRestrictionQueryTest, EachRoleIsAGrant) {
  const reconcilers::Declaration declared = Wants(kQuerySpec).claims[0].declaration;
  EXPECT_EQ(declared.target, "team:pay");
  EXPECT_EQ(declared.role, "*");
  EXPECT_THAT(declared.grants,
              ElementsAre(Grant{"restricted", "role:r-a"}, Grant{"restricted", "role:r-b"}));
}

TEST_F(LogsRestrictionQueryTest, ItIsFoundByItsTextInTheListAndReadWithAllItsRoles) {
  Answer(R"({"data":[)" + Query("q-0", "team:payments") + "," + Query("q-1", "team:pay") + "]}");
  Answer(Roles({"r-a", "R-B"}));
  const auto seen = Read();
  ASSERT_THAT(seen, IsOk());
  EXPECT_THAT(service_->requests, ElementsAre(FirstPageOf(kQueries),
                                              FirstPageOf(std::string(kQueries) + "/q-1/roles")));
  EXPECT_TRUE(seen->exists);
  const reconcilers::TargetPlan plan = kind_->Plan(Wants(kQuerySpec), *seen);
  EXPECT_THAT(plan.drift(), IsEmpty()) << "ids have no case";
}

TEST_F(LogsRestrictionQueryTest, BothListsAreReadToTheirEnd) {
  std::string full;
  for (int i = 0; i < 100; ++i) {
    full += (i == 0 ? "" : ",") + Query("x-" + std::to_string(i), "service:" + std::to_string(i));
  }
  std::vector<std::string> roles;
  for (int i = 0; i < 100; ++i) roles.push_back("r-" + std::to_string(i));
  Answer(R"({"data":[)" + full + "]}");
  Answer(R"({"data":[)" + Query("q-1", "team:pay") + "]}");
  Answer(Roles(roles));
  Answer(Roles({"r-a", "r-99"}));
  const auto seen = Read();
  ASSERT_THAT(seen, IsOk());
  EXPECT_EQ(seen->grants.size(), 101U) << "one that moved to the next page is there once";
  ASSERT_EQ(service_->requests.size(), 4U);
  EXPECT_THAT(service_->requests[1], HasSubstr("page%5Bnumber%5D=1"));
  EXPECT_THAT(service_->requests[3], HasSubstr("q-1/roles?page%5Bsize%5D=100&page%5Bnumber%5D=1"));
}

TEST_F(LogsRestrictionQueryTest, OneThatIsNotThereIsCreatedAndThenGetsItsRoles) {
  const reconcilers::Observation absent = Absent();
  EXPECT_FALSE(absent.exists);
  Answer(R"({"data":)" + Query("q-9", "team:pay") + "}");
  Answer("", 204);
  Answer("", 204);
  Answer(Roles({"r-a", "r-b"}));
  const auto stored = Write(Wants(kQuerySpec), absent);
  ASSERT_THAT(stored, IsOk());
  EXPECT_THAT(service_->requests,
              ElementsAre("POST " + std::string(kQueries) +
                              R"( {"data":{"type":"logs_restriction_queries","attributes":)"
                              R"({"restriction_query":"team:pay"}}})",
                          ChangeOfRole("POST", "q-9", "r-a"), ChangeOfRole("POST", "q-9", "r-b"),
                          FirstPageOf(std::string(kQueries) + "/q-9/roles")));
  EXPECT_FALSE(kind_->Plan(Wants(kQuerySpec), *stored).writes());
}

TEST_F(LogsRestrictionQueryTest, DriftIsRepairedRoleByRoleAdditionsFirst) {
  const reconcilers::Observation seen = Seen({"r-a", "r-x"});
  Answer("", 204);
  Answer("", 204);
  Answer(Roles({"r-a", "r-b"}));
  ASSERT_THAT(Write(Wants(kQuerySpec), seen), IsOk());
  EXPECT_THAT(service_->requests,
              ElementsAre(ChangeOfRole("POST", "q-1", "r-b"), ChangeOfRole("DELETE", "q-1", "r-x"),
                          FirstPageOf(std::string(kQueries) + "/q-1/roles")));
}

TEST_F(LogsRestrictionQueryTest, WithoutARoleItIsDeleted) {
  const reconcilers::Observation seen = Seen({"r-a", "r-b"});
  reconcilers::Desired desired = Wants(kQuerySpec);
  desired.claims[0].treatment = reconcilers::ManagementPolicy::kRemove;
  for (const int status : {204, 404}) {
    service_->requests.clear();
    Answer(status == 204 ? "" : R"({"errors":["not found"]})", status);
    const auto left = Write(desired, seen);
    ASSERT_THAT(left, IsOk());
    EXPECT_FALSE(left->exists);
    EXPECT_THAT(service_->requests, ElementsAre("DELETE " + std::string(kQueries) + "/q-1"));
  }
}

TEST_F(LogsRestrictionQueryTest, ARoleThatIsRefusedHoldsUpNoOther) {
  const reconcilers::Observation absent = Absent();
  Answer(R"({"data":)" + Query("q-9", "team:pay") + "}");
  Answer(R"({"errors":["no such role"]})", 404);
  Answer("", 204);
  Answer(Roles({"r-b"}));
  const auto stored = Write(Wants(kQuerySpec), absent);
  ASSERT_FALSE(stored);
  EXPECT_TRUE(stored.error().outcome_unknown);
  EXPECT_THAT(stored, FailsWith(Code::kFailedPrecondition,
                                ::testing::AllOf(HasSubstr("add_role"), HasSubstr("\"r-a\""))))
      << "it is no word on the query";
  EXPECT_EQ(service_->requests[2], ChangeOfRole("POST", "q-9", "r-b"));
}

TEST_F(LogsRestrictionQueryTest, AServiceThatIsAwayEndsTheSteps) {
  const reconcilers::Observation seen = Seen({"r-a"});
  Answer("", 503);
  const auto stored = Write(Wants(kQuerySpec), seen);
  EXPECT_THAT(stored, FailsWith(Code::kUnavailable, HasSubstr("add_role")));
  EXPECT_EQ(service_->requests.size(), 1U);
}

TEST_F(LogsRestrictionQueryTest, WhatWasCreatedIsFoundWhileTheListDoesNotShowIt) {
  const reconcilers::Observation absent = Absent();
  Answer(R"({"data":)" + Query("q-9", "team:pay") + "}");
  Answer("", 204);
  Answer("", 204);
  Answer(Roles({"r-a", "r-b"}));
  ASSERT_THAT(Write(Wants(kQuerySpec), absent), IsOk());
  Answer(R"({"data":[]})");
  Answer(Roles({"r-a"}));
  const auto seen = Read();
  ASSERT_THAT(seen, IsOk());
  EXPECT_EQ(seen->document.at("id"), "q-9");
  EXPECT_EQ(seen->grants.size(), 1U);
  Answer(R"({"data":[]})");
  Answer(R"({"errors":["gone"]})", 404);
  const auto gone = Read();
  ASSERT_THAT(gone, IsOk());
  EXPECT_FALSE(gone->exists);
}

TEST_F(LogsRestrictionQueryTest, ATextThatTheServiceChangesIsNotCreatedAgainAndAgain) {
  const reconcilers::Observation absent = Absent();
  Answer(R"({"data":)" + Query("q-9", "team:PAY") + "}");
  Answer("", 204);
  EXPECT_THAT(Write(Wants(kQuerySpec), absent),
              FailsWith(Code::kFailedPrecondition, HasSubstr("\"team:PAY\"")));
  ASSERT_EQ(service_->requests.size(), 2U);
  EXPECT_EQ(service_->requests[1], "DELETE " + std::string(kQueries) + "/q-9");
}

TEST_F(LogsRestrictionQueryTest, ARecordedOneComesBackWithItsRoles) {
  reconcilers::Desired desired;
  desired.restore = Seen({"r-a"}).document;
  const reconcilers::Observation absent = Absent();
  Answer(R"({"data":)" + Query("q-2", "team:pay") + "}");
  Answer("", 204);
  Answer(Roles({"r-a"}));
  const auto stored = Write(desired, absent);
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(service_->requests[1], ChangeOfRole("POST", "q-2", "r-a"));
}

TEST_F(LogsRestrictionQueryTest, SeveralOfOneTextAreAnErrorThatNamesTheirIds) {
  Answer(R"({"data":[)" + Query("q-1", "team:pay") + "," + Query("q-2", "team:pay") + "]}");
  EXPECT_THAT(Read(), FailsWith(Code::kFailedPrecondition, HasSubstr("q-1, q-2")));
}

TEST_F(LogsRestrictionQueryTest, AnAnswerOfAnotherShapeIsNoMissingQuery) {
  const std::string bodies[] = {
      "", "{}", "[]", "null", R"({"data":{}})", R"({"data":[{}]})", R"({"data":[],"data":[]})",
      // What is kept of answers cannot be sent by the service.
      R"({"queries":[]})", R"({"id":"q","roles":[]})",
      R"({"data":[{"type":"x","id":"1","attributes":{"restriction_query":"team:pay"}}]})",
      R"({"data":[{"type":"logs_restriction_queries","id":"1","attributes":{}}]})",
      R"({"data":[)" + Query("../roles", "team:pay") + "]}"};
  for (const std::string& body : bodies) {
    service_->answers.clear();
    Answer(body);
    EXPECT_THAT(Read(), FailsWith(Code::kInternal, HasSubstr("logs_restriction_query"))) << body;
  }
}

TEST_F(LogsRestrictionQueryTest, RolesOfAnotherShapeAreNotNoRoles) {
  for (const char* body : {"{}", R"({"data":[{"type":"users","id":"1"}]})", R"({"roles":[]})",
                           R"({"data":[{"type":"roles","id":"1"}],"data":[]})"}) {
    service_->answers.clear();
    Answer(R"({"data":[)" + Query("q-1", "team:pay") + "]}");
    Answer(body);
    EXPECT_THAT(Read(), FailsWith(Code::kInternal, HasSubstr("restriction queries"))) << body;
  }
}

TEST_F(LogsRestrictionQueryTest, ItsInputsDeclareWhatIsThere) {
  const auto inputs = kind_->Inputs("team:pay", "*", Seen({"r-a", "r-b"}));
  ASSERT_THAT(inputs, IsOk());
  EXPECT_EQ(inputs->dump(), kQuerySpec);
  EXPECT_THAT(kind_->Inputs("team:pay", "*", Absent()),
              FailsWith(Code::kNotFound, HasSubstr("no role is restricted")));
}

TEST(LogsRestrictionQueryChecks, JudgeEachField) {
  struct Case {
    std::size_t field;
    const char* text;
    const char* code;  // empty: fine
  };
  const Case cases[] = {
      {0, "team:pay OR service:pay", ""},
      {0, " team:pay", "BadQuery"},
      {0, "team:\npay", "BadQuery"},
      {1, "94172442-be03-11e9-a77a-3b7612558ac1", ""},
      {1, "role:94172442-be03-11e9-a77a-3b7612558ac1", "BadRoleId"},
      {1, "ana@example.com", "BadRoleId"},
      {1, "", "BadRoleId"},
  };
  for (const Case& c : cases) {
    const auto failure = LogsRestrictionQuerySchema().inputs[c.field].check(c.text);
    EXPECT_EQ(failure ? failure->code : "", c.code) << c.text;
  }
  const auto twice = LogsRestrictionQuerySchema().check_all(
      *ParseJson(R"({"restrictionQuery":"a","roleIds":["x","y","x"]})"));
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_EQ(twice[0].first, "roleIds[2]");
}

}  // namespace
}  // namespace bindery::datadog
