#include "report/access/access_report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/forms/access_stream.h"
#include "report/forms/texts.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::Dashboard;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IamTarget;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::kOrders;
using testing::Now;
using testing::Role;

const std::string kNotConsidered =
    "Not considered: inherited policies that were not read: no scan tells the folders and "
    "organizations of targets; members of groups, domains and other sets of principals; deny "
    "policies; access boundary policies; access policies of IAM v3; access control lists of "
    "buckets "
    "and objects; who may act as a service account with access.\n";
constexpr const char* kUntilDecember = "request.time < timestamp('2026-12-01T00:00:00Z')";

using AccessReportTest = testing::AccessTest;

TEST_F(AccessReportTest, WhatIsCertainComesBeforeWhatMayBe) {
  Read(IamTarget(),
       {Role("roles/viewer", {"group:all@example.com"}),
        Role("roles/owner", {"user:ana@example.com"})},
       "2026-11-21T11:00:00Z");
  Read(IamTarget(kOrders),
       {Role("roles/viewer", {"user:ana@example.com"}, "resource.name == 'a'"),
        Role("roles/editor", {"user:ana@example.com"})},
       "2026-11-21T11:00:00Z");
  AccessQuery query;
  query.principal = "user:ana@example.com";
  const std::vector<std::string> answers = Answers(query);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_THAT(std::vector<std::string>(answers.begin(), answers.begin() + 2),
              ::testing::Each(::testing::StartsWith("granted ")));
  EXPECT_THAT(std::vector<std::string>(answers.begin() + 2, answers.end()),
              ::testing::Each(::testing::StartsWith("depends ")));
}

TEST_F(AccessReportTest, APageIsAPartOfAllAnswersAndItsSummaryIsOfAll) {
  Put({Binding("payments-viewers")});
  for (const Target& target : {IamTarget(), IamTarget(kOrders)}) {
    Read(target,
         {Role("roles/viewer", {"user:ana@example.com", "user:bob@example.com"}),
          Role("roles/editor", {"user:ana@example.com"}, "resource.name == 'a'")},
         "2026-11-21T11:00:00Z");
  }
  const auto all = AccessReport({*store_}, {}, Now());
  ASSERT_THAT(all, IsOk());
  const Json whole = ToJson(*all);
  const std::size_t count = whole.at("answers").size();
  ASSERT_EQ(count, 6U);
  for (std::size_t offset = 0; offset <= count; ++offset) {
    for (std::size_t limit = 0; limit <= count + 1; ++limit) {
      const auto page = AccessReport({*store_}, {}, Now(), {offset, limit});
      ASSERT_THAT(page, IsOk());
      Json expected = whole;
      expected["answers"] = Json::array();
      for (std::size_t i = offset; i < std::min(count, offset + limit); ++i) {
        expected["answers"].push_back(whole.at("answers")[i]);
      }
      EXPECT_EQ(ToJson(*page), expected) << offset << " " << limit;
    }
  }
}

TEST_F(AccessReportTest, EachOfManyAnswersNamesItsManifest) {
  constexpr std::size_t kMany = 300;  // More than are looked up at once.
  std::vector<store::ResourceRecord> declared;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string name = "p" + std::to_string(i);
    declared.push_back(Binding(name));
    declared.back().target = IamTarget(name);
    Read(IamTarget(name), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-21T11:00:00Z");
  }
  Put(declared);
  for (const ListPage& page : {ListPage{0, std::nullopt}, ListPage{250, 50}, ListPage{1, 299}}) {
    const auto report = AccessReport({*store_}, {}, Now(), page);
    ASSERT_THAT(report, IsOk());
    EXPECT_EQ(report->answers.size(), page.limit.value_or(kMany));
    for (const AccessAnswer& answer : report->answers) {
      ASSERT_TRUE(answer.source) << answer.target;
      EXPECT_EQ(answer.source->resource, answer.target);
    }
  }
}

TEST_F(AccessReportTest, EveryAnswerNamesWhatItDoesNotConsider) {
  TextStyle style;
  style.now = Now();
  const auto none = AccessReport({*store_}, {}, Now());
  ASSERT_THAT(none, IsOk());
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-21T11:00:00Z");
  const auto some = AccessReport({*store_}, {}, Now());
  ASSERT_THAT(some, IsOk());
  for (const AccessAnswers& report : {*none, *some}) {
    EXPECT_THAT(AccessText(report, style),
                ::testing::EndsWith("as a service account with access.\n"));
    EXPECT_THAT(ToJson(report).at("notConsidered"), ::testing::Contains(Json("deny policies")));
  }
  const auto diff = AccessDiffReport({*store_}, {At("2026-11-21T10:00:00Z"), {}, "", ""}, Now());
  ASSERT_THAT(diff, IsOk());
  EXPECT_THAT(AccessDiffText(*diff, style),
              ::testing::EndsWith("as a service account with access.\n"));
  EXPECT_EQ(ToJson(*diff).at("notConsidered"), ToJson(*some).at("notConsidered"));
}

TEST_F(AccessReportTest, WhoHoldsARoleOnATarget) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"}), Role("roles/editor", {"x"})},
       "2026-11-21T11:00:00Z");
  for (const char* role : {"roles/viewer", "viewer"}) {
    for (const char* target : {testing::kPayments, "payments", "authorizationPolicies/payments"}) {
      EXPECT_THAT(Answers({role, target}),
                  ::testing::ElementsAre("granted user:ana@example.com roles/viewer"))
          << role << " " << target;
    }
  }
  EXPECT_EQ(Answers({"*", "payments"}).size(), 2U);
}

TEST_F(AccessReportTest, SaysWhichManifestDeclaresAGrant) {
  Put({Binding("payments-viewers")});
  Read(IamTarget(), {Role("roles/viewer", {"user:Ana@example.com", "user:bob@example.com"})},
       "2026-11-21T11:00:00Z");
  Answers({"viewer", "payments-viewers"});
  const Json answers = ToJson(report_).at("answers");
  EXPECT_EQ(answers[0]["source"].dump(),
            R"({"resource":"payments-viewers","file":"teams/payments.yaml","line":3})");
  EXPECT_EQ(answers[1]["source"], nullptr);
}

TEST_F(AccessReportTest, AVerdictFollowsFromTheCondition) {
  struct Case {
    const char* expression;
    std::map<std::string, std::string> attributes;
    const char* verdict;
    const char* why;  ///< In "dependsOn" or "reason".
  };
  const Case kCases[] = {
      {kUntilDecember, {}, "granted", ""},
      {"request.time < timestamp('2026-11-01T00:00:00Z')", {}, "not granted", "expired"},
      {"request.time > timestamp('2027-01-01T00:00:00Z')", {}, "not granted", "starts"},
      {"resource.name == 'x'", {}, "depends", "resource.name"},
      {"resource.name == 'x'", {{"resource.name", "x"}}, "granted", ""},
      {"resource.name == 'x'", {{"resource.name", "y"}}, "not granted", "false"},
      {kUntilDecember, {{"request.time", "2026-12-02T00:00:00Z"}}, "not granted", "expired"},
      {"request.time <", {}, "unknown", "cannot be read"},
  };
  for (const Case& test : kCases) {
    SCOPED_TRACE(test.expression);
    Read(IamTarget(), {Role("roles/viewer", {"user:a@b.c"}, test.expression)},
         "2026-11-21T11:00:00Z");
    AccessQuery query;
    query.attributes = test.attributes;
    Answers(query);
    const Json answer = ToJson(report_.answers.at(0));
    EXPECT_EQ(answer["verdict"], test.verdict);
    EXPECT_THAT(answer["dependsOn"].dump() + answer["reason"].dump(), HasSubstr(test.why));
  }
}

TEST_F(AccessReportTest, WhoContainsAPrincipalIsAPossibleSource) {
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ana@example.com", "group:sre@example.com", "domain:example.com",
                              "domain:other.com", "allUsers", "deleted:user:ana@example.com?uid=1",
                              "serviceAccount:a@b.c"})},
       "2026-11-21T11:00:00Z");
  AccessQuery query;
  query.principal = "user:ana@example.com";
  EXPECT_THAT(
      Answers(query),
      ::testing::UnorderedElementsAre(
          "granted user:ana@example.com roles/viewer", "depends group:sre@example.com roles/viewer",
          "depends domain:example.com roles/viewer", "granted allUsers roles/viewer",
          "not granted deleted:user:ana@example.com?uid=1 roles/viewer"));
  const std::string text = AccessText(report_, Plain());
  EXPECT_THAT(text, HasSubstr("depends on membership in group:sre@example.com"));
  EXPECT_THAT(text, HasSubstr("membership is not known"));
}

TEST_F(AccessReportTest, AnOpenRestrictionPolicyGrantsEveryone) {
  Read(Dashboard(), Json::array(), "2026-11-21T11:00:00Z");
  EXPECT_THAT(Answers({"editor", "dashboard:abc-def-ghi"}),
              ::testing::ElementsAre("granted everyone in the organization editor"));
}

TEST_F(AccessReportTest, HistoryAnswersForATimeThatIsOver) {
  Read(IamTarget(), {Role("roles/viewer", {"user:old@example.com"}, kUntilDecember)},
       "2026-11-01T00:00:00Z");
  Read(IamTarget(), {Role("roles/viewer", {"user:new@example.com"})}, "2026-11-20T00:00:00Z");
  AccessQuery query;
  query.at = At("2026-11-10T00:00:00Z");
  EXPECT_THAT(Answers(query), ::testing::ElementsAre("granted user:old@example.com roles/viewer"));
  EXPECT_EQ(ToJson(report_.answers.at(0))["observedAt"], "2026-11-01T00:00:00.000Z");
  query.at = At("2026-10-10T00:00:00Z");
  EXPECT_THAT(Answers(query), IsEmpty());
  EXPECT_THAT(Note(), HasSubstr("no policy was observed by 2026-10-10"));
}

TEST_F(AccessReportTest, WithoutAnAnswerItSaysWhy) {
  EXPECT_THAT(Answers({}), IsEmpty());
  EXPECT_THAT(Note(), HasSubstr("no policy was observed yet"));
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-21T11:00:00Z");
  EXPECT_THAT(Answers({"roles/viewers", "payments"}), IsEmpty());
  EXPECT_THAT(Note(), HasSubstr("did you mean \"roles/viewer\"?"));
  AccessQuery query;
  query.principal = "user:anna@example.com";
  EXPECT_THAT(Answers(query), IsEmpty());
  EXPECT_THAT(Note(), HasSubstr("did you mean \"user:ana@example.com\"?"));
}

TEST_F(AccessReportTest, AQuestionThatCannotBeMeantIsRefused) {
  Read(IamTarget(), {Role("r", {"m"})}, "2026-11-21T11:00:00Z");
  Read(IamTarget("projects/other/locations/global/authorizationPolicies/payments"), Json::array(),
       "2026-11-21T11:00:00Z");
  EXPECT_THAT(AccessReport({*store_}, {"", "paymets"}, Now()),
              FailsWith(Code::kNotFound, HasSubstr("did you mean \"payments\"?")));
  EXPECT_THAT(AccessReport({*store_}, {"", "payments"}, Now()),
              FailsWith(Code::kInvalidArgument, HasSubstr("2 targets end in")));
  AccessQuery query;
  query.attributes = {{"resource.nam", "x"}};
  EXPECT_THAT(AccessReport({*store_}, query, Now()),
              FailsWith(Code::kInvalidArgument, HasSubstr("did you mean \"resource.name\"?")));
}

TEST_F(AccessReportTest, TextNamesTimeSourceAndAge) {
  Put({Binding("payments-viewers")});
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ana@example.com"}),
        Role("roles/viewer", {"user:bob@example.com"}, kUntilDecember)},
       "2026-11-21T11:00:00Z");
  Answers({"viewer", "payments"});
  EXPECT_EQ("\n" + AccessText(report_, Plain()), R"(
  PRINCIPAL             ROLE               VERDICT  TIME           FROM                                      OBSERVED  NOTE
projects/acme/locations/global/authorizationPolicies/payments
  user:ana@example.com  roles/viewer       granted  -              payments-viewers (teams/payments.yaml:3)  1h ago    -
  user:bob@example.com  roles/viewer if t  granted  ends in 9d12h  undeclared                                1h ago    -

As of 2026-11-21T12:00:00.000Z: 2 answers on 1 target, 2 granted.
)" + kNotConsidered);
}

TEST_F(AccessReportTest, TextWithoutAnAnswerIsALineOrTwo) {
  Answers({});
  EXPECT_EQ(AccessText(report_, Plain()),
            "Note: no policy was observed yet: nothing is known about access (bindery run observes "
            "the targets)\nAs of 2026-11-21T12:00:00.000Z: no access on record.\n" +
                kNotConsidered);
}

TEST_F(AccessReportTest, CsvHasALineOfTitlesAndAComputedCellIsText) {
  Read(IamTarget(), {Role("=1+1", {"user:\"a\",b"})}, "2026-11-21T11:00:00Z");
  Answers({});
  EXPECT_EQ(AccessCsv(report_),
            "target,kind,role,principal,via,conditionTitle,condition,verdict,dependsOn,reason,"
            "startsAt,endsAt,observedAt,resource,file,line,inheritedFrom,evidence\r\n" +
                std::string(testing::kPayments) +
                ",AuthorizationPolicyIamBinding,'=1+1,\"user:\"\"a\"\",b\",,,,granted,,,,,"
                "2026-11-21T11:00:00.000Z,,,,,read\r\n");
}

TEST_F(AccessReportTest, TextsThatGrowWithEachAnswerAreThoseOfTheWholeReport) {
  Put({Binding("payments-viewers")});
  const auto expect_same = [&](const AccessQuery& query) {
    const auto whole = AccessReport({*store_}, query, Now());
    ASSERT_THAT(whole, IsOk());
    AccessJsonText json;
    AccessCsvText csv;
    AccessTableText table(Plain());
    AnswerTaker taker;
    taker.begin = [&table](const AccessAnswers& head) { table.Begin(head); };
    taker.take = [&](const AccessAnswer& answer, bool certain) {
      json.Take(answer, certain);
      csv.Take(answer, certain);
      table.Take(answer, certain);
    };
    const auto rest = AccessReport({*store_}, query, Now(), taker);
    ASSERT_THAT(rest, IsOk());
    std::string text;
    const auto add = [&text](std::string_view part) { text += part; };
    json.Finish(*rest, add);
    EXPECT_EQ(text, ToJson(*whole).dump(2) + "\n");
    text.clear();
    csv.Finish(add);
    EXPECT_EQ(text, AccessCsv(*whole));
    EXPECT_EQ(std::move(table).Finish(*rest), AccessText(*whole, Plain()));
  };
  expect_same({});
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ana@example.com", "user:bob@example.com"}),
        Role("roles/editor", {"user:ana@example.com"}, "resource.name == 'a'")},
       "2026-11-21T11:00:00Z");
  Read(IamTarget(kOrders), {Role("roles/viewer", {"user:ana@example.com"}, kUntilDecember)},
       "2026-11-21T11:00:00Z");
  expect_same({});
  expect_same({.role = "editor"});
  expect_same({.role = "viewer"});
  expect_same({.principal = "ana"});
}

TEST_F(AccessReportTest, ADiffTellsWhoGainedAndWhoLost) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com", "user:old@example.com"})},
       "2026-11-01T00:00:00Z");
  Read(IamTarget(), {Role("roles/viewer", {"user:Ana@example.com", "user:new@example.com"})},
       "2026-11-20T00:00:00Z");
  AccessDiffQuery query;
  query.since = At("2026-11-10T00:00:00Z");
  const auto report = AccessDiffReport({*store_}, query, Now());
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ("\n" + AccessDiffText(*report, Plain()), R"(
  CHANGE    PRINCIPAL             ROLE          TIME  FROM
projects/acme/locations/global/authorizationPolicies/payments
  + gained  user:new@example.com  roles/viewer  -     undeclared
  - lost    user:old@example.com  roles/viewer  -     undeclared

From 2026-11-10T00:00:00.000Z to 2026-11-21T12:00:00.000Z: 1 gained, 1 lost, on 1 target.
)" + kNotConsidered);
  query.since = At("2026-11-20T10:00:00Z");
  EXPECT_EQ(AccessDiffText(*AccessDiffReport({*store_}, query, Now()), Plain()),
            "From 2026-11-20T10:00:00.000Z to 2026-11-21T12:00:00.000Z: nobody gained or lost "
            "anything.\n" +
                kNotConsidered);
}

TEST_F(AccessReportTest, ADiffTellsWhatWasLostWhereTheLastManifestWent) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-21T09:00:00Z");
  Read(IamTarget(), {}, "2026-11-21T11:00:00Z");
  store::StoreChange gone;
  gone.forget_targets.push_back(IamTarget());
  Apply(std::move(gone));
  AccessDiffQuery query;
  query.since = At("2026-11-21T10:00:00Z");
  const auto report = AccessDiffReport({*store_}, query, Now());
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(ToJson(report->summary).dump(), R"({"gained":0,"lost":1,"targets":1})");
  EXPECT_EQ(report->changes.at(0).principal, "user:ana@example.com");
  EXPECT_THAT(report->notes, ::testing::Contains(HasSubstr("is not observed any more")));
}

TEST_F(AccessReportTest, ADiffComparesATargetThatIsNewWithItsFirstReading) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-20T00:00:00Z");
  Read(IamTarget(kOrders), {Role("roles/viewer", {"user:ana@example.com"})},
       "2026-11-20T00:00:00Z");
  AccessDiffQuery query;
  query.since = At("2026-11-10T00:00:00Z");
  query.target = "orders";
  const auto report = AccessDiffReport({*store_}, query, Now());
  ASSERT_THAT(report, IsOk());
  EXPECT_THAT(report->changes, IsEmpty());
  EXPECT_THAT(report->notes, ::testing::ElementsAre(HasSubstr("what was before is not known")));
}

TEST_F(AccessReportTest, ATargetIsFoundByAnySpellingOfItsName) {
  const Target topic{"pubsub:Topic", "", "projects/acme/topics/orders"};
  Read(topic, {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-20T00:00:00Z");
  for (const char* spelled :
       {"projects/acme/topics/orders", "//pubsub.googleapis.com/projects/acme/topics/orders",
        "https://pubsub.googleapis.com/v1/projects/acme/topics/orders", "topics/orders",
        "orders"}) {
    AccessQuery query;
    query.role = "roles/viewer";
    query.target = spelled;
    query.default_project = "acme";
    EXPECT_THAT(Answers(query), ElementsAre("granted user:ana@example.com roles/viewer"))
        << spelled;
  }
}

}  // namespace
}  // namespace bindery::report
