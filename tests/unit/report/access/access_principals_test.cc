#include "report/access/access_principals.h"

#include <gmock/gmock.h>

#include "report/access/access_report.h"
#include "report/forms/texts.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IamTarget;
using testing::IsOk;
using testing::kOrders;
using testing::Now;

TEST(FindPrincipals, OnesWithoutAPrefixAreThoseThatPoliciesName) {
  const std::set<std::string> named = {"user:Ana@example.com",
                                       "user:ana@example.com",
                                       "serviceAccount:ana@example.com",
                                       "deleted:user:eve@example.com?uid=7",
                                       "group:sre@example.com",
                                       "fay@example.com",
                                       "role:3c1f0b52-0000-11ee-8888-da7ad0900002",
                                       "principal://iam.googleapis.com/pools/p/subject/ci",
                                       "allUsers"};
  struct Case {
    const char* asked;
    std::vector<std::string> all;
    const char* note;
  };
  const Case cases[] = {
      {"ana@example.com",
       {"serviceAccount:ana@example.com", "user:Ana@example.com"},
       "is serviceAccount:ana@example.com, user:Ana@example.com"},
      {"ANA@EXAMPLE.COM", {"serviceAccount:ana@example.com", "user:Ana@example.com"}, "is "},
      {"ana", {"serviceAccount:ana@example.com", "user:Ana@example.com"}, "is "},
      {"eve@example.com", {"user:eve@example.com"}, "is user:eve@example.com"},
      {"3c1f0b52-0000-11ee-8888-da7ad0900002",
       {"role:3c1f0b52-0000-11ee-8888-da7ad0900002"},
       "is role:"},
      {"ci", {"principal://iam.googleapis.com/pools/p/subject/ci"}, "is principal:"},
      {"bob@example.com",
       {"user:bob@example.com"},
       "no policy names bob@example.com; answered for user:bob@example.com"},
      {"bot@p.iam.gserviceaccount.com",
       {"serviceAccount:bot@p.iam.gserviceaccount.com"},
       "answered for serviceAccount:"},
      {"example", {}, "those that have it in their names: "},
      {"nobody", {}, "no policy names \"nobody\""},
      {"user:x@example.com", {"user:x@example.com"}, ""},
      {"allUsers", {"allUsers"}, ""},
      {"fay@example.com", {"fay@example.com"}, ""},
      {"bob@example.com,eve@example.com", {}, "no policy names "},
      {"bob@example.com ", {}, "no policy names "},
  };
  for (const Case& one : cases) {
    const auto found = FindPrincipals(one.asked, named);
    EXPECT_EQ(found.all, one.all) << one.asked;
    EXPECT_THAT(found.note, HasSubstr(one.note)) << one.asked;
    EXPECT_EQ(found.note.empty(), std::string_view(one.note).empty()) << one.asked;
  }
}

class AccessPrincipalsTest : public testing::ReportTest {
 protected:
  void Read(const std::string& name, const Json& bindings) {
    store::RevisionRecord revision;
    revision.target = IamTarget(name);
    revision.time = At("2026-11-21T11:00:00Z");
    revision.policy = Json{{"bindings", bindings}}.dump();
    revision.digest = "digest of " + revision.policy;
    store::TargetRecord record;
    record.target = revision.target;
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    store::StoreChange change;
    change.revisions.push_back(revision);
    change.upsert_targets.push_back(record);
    Apply(std::move(change));
  }
  AccessAnswers Ask(const AccessQuery& query) {
    auto report = AccessReport({*store_}, query, Now());
    EXPECT_THAT(report, IsOk());
    return report ? std::move(*report) : AccessAnswers();
  }
  static std::vector<std::string> Principals(const AccessAnswers& report) {
    std::vector<std::string> list;
    for (const AccessAnswer& answer : report.answers) {
      list.push_back(answer.principal + " by " + answer.grant.grant.principal);
    }
    return list;
  }
};

TEST_F(AccessPrincipalsTest, AnAddressWithoutPrefixIsAnsweredForAllWhoAreCalledSo) {
  Read(testing::kPayments,
       Json::parse(R"([{"role":"r","members":["user:ana@example.com","group:sre@example.com"]}])"));
  Read(kOrders, Json::parse(R"([{"role":"r","members":["serviceAccount:ana@example.com"]}])"));
  const AccessAnswers report = Ask({.principal = "ana@example.com", .direct = true});
  EXPECT_THAT(Principals(report),
              ElementsAre("serviceAccount:ana@example.com by serviceAccount:ana@example.com",
                          "user:ana@example.com by user:ana@example.com"));
  EXPECT_EQ(ToJson(report).at("principals").dump(),
            R"(["serviceAccount:ana@example.com","user:ana@example.com"])");
  const std::string text = AccessText(report, Plain());
  EXPECT_THAT(text, HasSubstr("Note: \"ana@example.com\" is serviceAccount:ana@example.com, "));
  EXPECT_THAT(text, HasSubstr("2 answers on 2 targets"));
  const AccessAnswers none = Ask({.principal = "bob@example.com"});
  EXPECT_THAT(Principals(none), ElementsAre("user:bob@example.com by group:sre@example.com"));
  EXPECT_THAT(Principals(Ask({.principal = "bob@example.com", .direct = true})),
              ::testing::IsEmpty());
}

TEST_F(AccessPrincipalsTest, AWrongPrefixIsSaidToBeOne) {
  Read(testing::kPayments, Json::parse(R"([{"role":"r","members":["user:ana@example.com"]}])"));
  const AccessAnswers report = Ask({.principal = "serviceAccount:ana@example.com"});
  EXPECT_THAT(report.notes.at(0),
              HasSubstr("nothing names serviceAccount:ana@example.com; there is "
                        "user:ana@example.com"));
}

TEST_F(AccessPrincipalsTest, ATextThatIsNoPrincipalIsRefused) {
  Read(testing::kPayments,
       Json::parse(R"([{"role":"r","members":["allUsers","domain:example.com","odd:one"]}])"));
  struct Case {
    const char* asked;
    const char* hint;
  };
  const Case cases[] = {
      {"USER:ana@example.com", "did you mean \"user:ana@example.com\"?"},
      {"serviceaccount:a@p.iam.gserviceaccount.com", "did you mean \"serviceAccount:a@p."},
      {"user:ana@example.com ", "did you mean \"user:ana@example.com\"?"},
      {" group:sre@example.com", "did you mean \"group:sre@example.com\"?"},
      {"usre:ana@example.com", "did you mean \"user:ana@example.com\"?"},
      {"Role:3c1f0b52-0000-11ee-8888-da7ad0900002", "did you mean \"role:3c1f0b52-"},
      {"user:ana@example.com,user:bob@example.com", "write one type and one name"},
      {"user:", "write one type and one name"},
      {"odd:two", "write one type and one name"},
      {":", "write one type and one name"},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(AccessReport({*store_}, {.principal = one.asked}, Now()),
                testing::FailsWith(Code::kInvalidArgument, HasSubstr(one.hint)))
        << one.asked;
  }
  EXPECT_THAT(Principals(Ask({.principal = "odd:one"})), ElementsAre("odd:one by odd:one"));
}

TEST_F(AccessPrincipalsTest, APrincipalOfOneCloudHoldsNothingOfAnother) {
  Read(testing::kPayments,
       Json::parse(R"([{"role":"r","members":["allUsers","group:sre@example.com",
                                              "projectOwner:acme"]}])"));
  for (const char* asked :
       {"role:3c1f0b52-0000-11ee-8888-da7ad0900002", "team:3c1f0b52-0000-11ee-8888-da7ad0900002",
        "user:3c1f0b52-0000-11ee-8888-da7ad0900002", "org:3c1f0b52-0000-11ee-8888-da7ad0900002"}) {
    EXPECT_THAT(Principals(Ask({.principal = asked})), ::testing::IsEmpty()) << asked;
  }
  EXPECT_THAT(Principals(Ask({.principal = "deleted:user:gone@example.com?uid=1"})),
              ::testing::Contains("deleted:user:gone@example.com?uid=1 by allUsers"));
}

TEST_F(AccessPrincipalsTest, ATargetMayBeAPattern) {
  Read(testing::kPayments, Json::parse(R"([{"role":"r","members":["user:ana@example.com"]}])"));
  Read(kOrders, Json::parse(R"([{"role":"r","members":["user:bob@example.com"]}])"));
  EXPECT_EQ(Ask({"r", "*"}).answers.size(), 2U);
  EXPECT_EQ(Ask({"*", "*/orders"}).answers.size(), 1U);
  EXPECT_THAT(AccessReport({*store_}, {"r", "*/nothing"}, Now()),
              testing::FailsWith(Code::kNotFound, HasSubstr("there is no target")));
}

TEST_F(AccessPrincipalsTest, OnANarrowTerminalPrincipalsAndRolesStayWhole) {
  const std::string longest =
      "principal://iam.googleapis.com/locations/global/workforcePools/"
      "a-pool-with-a-name/subject/ana@example.com";
  Read(testing::kPayments, Json::array({{{"role", "projects/acme/roles/aCustomRoleWithALongName"},
                                         {"members", {"user:ana@example.com", longest}}}}));
  TextStyle narrow = Plain();
  narrow.width = 60;
  const std::string text = AccessText(Ask({"*", "*"}), narrow);
  EXPECT_THAT(text, HasSubstr(longest));
  EXPECT_THAT(text, HasSubstr("projects/acme/roles/aCustomRoleWithALongName"));
}

}  // namespace
}  // namespace bindery::report
