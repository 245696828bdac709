// The forms of one drift report, each looked at as its reader would.

#include "report/forms/drift_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/text/time_text.h"
#include "unit/report/json_document.h"
#include "yaml/node.h"

namespace bindery::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// One open difference with hostile texts, one held, one corrected, and a resource that fails.
Json Report() {
  return *ParseJson(R"({
    "version": 1, "generatedAt": "2026-11-21T12:00:00.000Z",
    "previousAt": "2026-11-21T11:00:00.000Z", "leastSeverity": "low",
    "summary": {"targets": 3, "grants": 9, "open": 1, "corrected": 1, "held": 1, "accepted": 0, "justInTime": 0, "undeclared": 0,
                "notes": 0, "inSync": 1, "drifted": 2, "failing": 1, "expiring": 2,
                "bySeverity": {"critical": 1, "high": 1, "medium": 0, "low": 0},
                "byCause": {"foreign": 0, "unknown": 2, "expiry": 0, "manifest": 0},
                "sinceLast": {"new": 1, "gone": 1, "still": 1}},
    "items": [
      {"id": 1, "class": "undeclared", "severity": "critical", "state": "open",
       "cause": "unknown",
       "target": "projects/acme/locations/global/authorizationPolicies/payments",
       "kind": "AuthorizationPolicyIamBinding", "resource": "", "source": null,
       "grant": {"role": "roles/owner", "member": "user:<b>&\"|`x`@example.com",
                 "condition": {"expression": "a < 1, or", "title": "t|1"}},
       "desired": "absent", "observed": "granted if t|1: a < 1, or",
       "firstSeen": "2026-11-21T11:30:00.000Z", "lastSeen": "2026-11-21T11:59:00.000Z",
       "resolvedAt": null, "resolvedBy": "", "action": "to be taken away by the next pass",
       "change": "new",
       "timeBounds": {"state": "active", "startsAt": null, "endsAt": "2026-11-25T00:00:00Z"}},
      {"id": 2, "class": "undeclared", "severity": "high", "state": "held", "cause": "unknown",
       "target": "dashboard:abc", "kind": "RestrictionPolicy", "resource": "dash",
       "source": {"file": "teams/my dash.yaml", "line": 3},
       "grant": {"relation": "editor", "principal": "org:1"},
       "desired": "absent", "observed": "granted",
       "firstSeen": "2026-11-21T10:30:00.000Z", "lastSeen": "2026-11-21T11:59:00.000Z",
       "resolvedAt": null, "resolvedBy": "", "action": "waits for approval: bindery guard",
       "change": "still"},
      {"id": 3, "class": "lookup-changed", "severity": "low", "state": "corrected",
       "cause": "unknown", "target": "file", "kind": "getImportDataFile", "resource": "hosts",
       "source": {"file": "hosts.yaml", "line": 1}, "grant": null,
       "desired": "CREATING", "observed": "ACTIVE",
       "firstSeen": "2026-11-21T10:30:00.000Z", "lastSeen": "2026-11-21T10:30:00.000Z",
       "resolvedAt": "2026-11-21T11:30:00.000Z", "resolvedBy": "bindery",
       "action": "passed on to what refers to it", "change": "gone", "field": "=state"}],
    "accepted": [], "notes": [],
    "failing": [{"resource": "other", "target": "t", "reason": "PERMISSION_DENIED",
                 "message": "no <right>", "source": {"file": "o.yaml", "line": 9}}],
    "expiring": [{"resource": "soon", "target": "t_1", "role": "roles/viewer", "grants": 2,
                  "endsAt": "2026-11-23T08:00:00Z", "source": {"file": "s.yaml", "line": 2}}]
  })");
}

Json Nothing() {
  return *ParseJson(R"({
    "version": 1, "generatedAt": "2026-11-21T12:00:00.000Z", "previousAt": null,
    "leastSeverity": "low",
    "summary": {"targets": 3, "grants": 9, "open": 0, "corrected": 0, "held": 0, "accepted": 0, "justInTime": 0, "undeclared": 0,
                "notes": 0, "inSync": 3, "drifted": 0, "failing": 0, "expiring": 0,
                "bySeverity": {"critical": 0, "high": 0, "medium": 0, "low": 0},
                "byCause": {"foreign": 0, "unknown": 0, "expiry": 0, "manifest": 0},
                "sinceLast": {"new": 0, "gone": 0, "still": 0}},
    "items": [], "accepted": [], "notes": [], "failing": [], "expiring": []})");
}

std::string In(ReportFormat format, const Json& report) { return testing::DriftIn(format, report); }

TEST(DriftForms, MarkdownShowsEverythingAsItIs) {
  EXPECT_EQ("\n" + In(ReportFormat::kMarkdown, Report()), R"(
# Drift report

2 differences among 9 grants on 3 targets: 1 open, 1 held; 1 corrected. Since the last report of 2026-11-21 11:00 UTC: 1 new, 1 gone, 1 still there.

Made 2026-11-21 12:00; times are UTC.

| what | count |
| --- | --- |
| open | 1 |
| held for approval | 1 |
| corrected | 1 |
| targets in sync | 1 of 3 |
| targets drifted | 2 |
| resources failing | 1 |
| grants expiring | 2 |
| grants | 9 |
| open or held, by severity | 1 critical, 1 high, 0 medium, 0 low |

## Current drift

### projects/acme/locations/global/authorizationPolicies/payments

| severity | state | since last | class | grant | declared | observed | first seen | last seen | action | manifest |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| **critical** | open | new | undeclared | roles/owner if t\|1 user:\<b\>\&"\|\`x\`@example.com (until 2026-11-25 00:00) | absent | granted if t\|1: a \< 1, or | 2026-11-21 11:30 | 2026-11-21 11:59 | to be taken away by the next pass | - |

### dashboard:abc

| severity | state | since last | class | grant | declared | observed | first seen | last seen | action | manifest |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| **high** | held | still | undeclared | editor org:1 | absent | granted | 2026-11-21 10:30 | 2026-11-21 11:59 | waits for approval: bindery guard | dash (teams/my dash.yaml:3) |

## Corrected drift

### file

| severity | state | since last | class | grant | declared | observed | first seen | last seen | action | manifest |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| low | corrected | gone | lookup-changed | =state | CREATING | ACTIVE | 2026-11-21 10:30 | 2026-11-21 10:30 | passed on to what refers to it | hosts (hosts.yaml:1) |

## Cannot be kept as declared

| resource | target | reason | message | manifest |
| --- | --- | --- | --- | --- |
| other | t | PERMISSION\_DENIED | no \<right\> | o.yaml:9 |

## Ends soon

| resource | target | role | grants | ends | manifest |
| --- | --- | --- | --- | --- | --- |
| soon | t\_1 | roles/viewer | 2 | 2026-11-23 08:00 | s.yaml:2 |
)");
}

TEST(DriftForms, WhatIsWrittenInPiecesIsTheReport) {
  for (const Json& report : {Report(), Nothing()}) {
    EXPECT_EQ(In(ReportFormat::kJson, report), report.dump(2) + "\n");
    EXPECT_EQ(In(ReportFormat::kYaml, report), yaml::ToYaml(report));
  }
}

TEST(DriftForms, PagesForPeopleListTheLatestOfWhatIsOver) {
  Json report = Report();
  const Json over = report["items"][2];
  report["items"].erase(2);
  constexpr int kOver = 1'002;
  for (int i = 0; i < kOver; ++i) {
    Json item = over;
    item["target"] = "over-" + std::to_string(i) + ".";
    item["resolvedAt"] = FormatRfc3339(WallTime(std::chrono::seconds(i)));
    report["items"].push_back(std::move(item));
  }
  const std::string note = "The latest 1000 are listed: bindery drift -o json has all of them.";
  for (const ReportFormat format : {ReportFormat::kHtml, ReportFormat::kMarkdown}) {
    const std::string text = In(format, report);
    EXPECT_THAT(text, HasSubstr(note));
    EXPECT_THAT(text, Not(HasSubstr("over-1.")));
    EXPECT_THAT(text, HasSubstr("over-2."));
    EXPECT_THAT(text, HasSubstr("over-1001."));
    EXPECT_THAT(In(format, Report()), Not(HasSubstr(note)));
  }
  EXPECT_THAT(In(ReportFormat::kHtml, report), HasSubstr("<h2>Corrected drift (1002)</h2>"));
  EXPECT_THAT(In(ReportFormat::kCsv, report), HasSubstr("over-0."));
}

TEST(DriftForms, NoDriftIsSaidInOneLine) {
  const std::string sentence =
      "No drift among 9 grants on 3 targets. There is no earlier report to compare with.";
  EXPECT_THAT(In(ReportFormat::kMarkdown, Nothing()), HasSubstr(sentence));
  EXPECT_THAT(In(ReportFormat::kHtml, Nothing()),
              HasSubstr("<p class=\"lead good\">No drift among 9 grants on 3 targets.</p>"));
  EXPECT_THAT(In(ReportFormat::kHtml, Nothing()), Not(HasSubstr("<table")));
  EXPECT_EQ(In(ReportFormat::kText, Nothing()), "No drift among 9 grants on 3 targets.\n");
}

TEST(DriftForms, TextTellsOfTheLastReportAndOfFailures) {
  EXPECT_THAT(In(ReportFormat::kText, Report()),
              HasSubstr("\n2 differences among 9 grants on 3 targets: 1 open, 1 held; 1 more "
                        "corrected.\n"
                        "Since the last report of 2026-11-21 11:00 UTC: 1 new, 1 gone, 1 still "
                        "there.\n"
                        "1 resource cannot be kept as declared: bindery get\n"
                        "2 grants end soon, the first on 2026-11-23 08:00 UTC: soon\n"));
  Json severe = Report();
  severe["leastSeverity"] = "high";
  EXPECT_THAT(In(ReportFormat::kText, severe),
              HasSubstr("\nOnly differences of severity high or worse.\n"));
}

TEST(DriftForms, CsvIsOneRowAnItemAndHoldsNoFormula) {
  EXPECT_EQ(
      In(ReportFormat::kCsv, Report()),
      "severity,state,change,class,kind,target,role,principal,conditionTitle,condition,startsAt,"
      "endsAt,desired,observed,firstSeen,lastSeen,resolvedAt,resolvedBy,action,resource,file,"
      "line,changedBy,changedAt,changedWith,cause\r\n"
      "critical,open,new,undeclared,AuthorizationPolicyIamBinding,"
      "projects/acme/locations/global/authorizationPolicies/payments,roles/owner,"
      "\"user:<b>&\"\"|`x`@example.com\",t|1,\"a < 1, or\",,2026-11-25T00:00:00Z,absent,\"granted "
      "if t|1: a < 1, or\","
      "2026-11-21T11:30:00.000Z,2026-11-21T11:59:00.000Z,,,to be taken away by the next "
      "pass,,,,,,,unknown\r\n"
      "high,held,still,undeclared,RestrictionPolicy,dashboard:abc,editor,org:1,,,,,absent,granted,"
      "2026-11-21T10:30:00.000Z,2026-11-21T11:59:00.000Z,,,waits for approval: bindery "
      "guard,dash,teams/my dash.yaml,3,,,,unknown\r\n"
      "low,corrected,gone,lookup-changed,getImportDataFile,file,'=state,,,,,,CREATING,ACTIVE,"
      "2026-11-21T10:30:00.000Z,2026-11-21T10:30:00.000Z,2026-11-21T11:30:00.000Z,bindery,"
      "passed on to what refers to it,hosts,hosts.yaml,1,,,,unknown\r\n");
}

TEST(DriftForms, EveryFormSaysWhoMadeADifference) {
  Json report = Report();
  report["items"][0]["attribution"] = {{"actor", "deploy@acme|<i>"},
                                       {"impersonator", "=mallory@example.com"},
                                       {"time", "2026-11-21T11:29:41.337Z"},
                                       {"method", "SetIamPolicy"},
                                       {"how", "exact"},
                                       {"entry", "1q2w"},
                                       {"source", "a.json:1"}};
  report["items"][1]["attribution"] = {{"actor", "unknown"}};
  EXPECT_THAT(In(ReportFormat::kMarkdown, report),
              HasSubstr("| =mallory@example.com as deploy@acme\\|\\<i\\> 2026-11-21 11:29 "
                        "(SetIamPolicy) |\n"));
  EXPECT_THAT(In(ReportFormat::kMarkdown, report), HasSubstr(" | manifest | changed by |\n"));
  EXPECT_THAT(In(ReportFormat::kMarkdown, report), HasSubstr(":3) | unknown |\n"));
  EXPECT_THAT(In(ReportFormat::kHtml, report),
              HasSubstr("by =mallory@example.com as deploy@acme|&lt;i&gt; 2026-11-21 11:29"));
  EXPECT_THAT(In(ReportFormat::kCsv, report),
              HasSubstr(",'=mallory@example.com as deploy@acme|<i>,2026-11-21T11:29:41.337Z,"
                        "SetIamPolicy,unknown\r\n"));
  EXPECT_THAT(In(ReportFormat::kCsv, report), HasSubstr(",3,unknown,,,unknown\r\n"));
  EXPECT_THAT(In(ReportFormat::kText, report), HasSubstr("CHANGED BY"));
  EXPECT_THAT(In(ReportFormat::kText, report),
              HasSubstr("=mallory@example.com as deploy@acme|<i>"));
  EXPECT_THAT(In(ReportFormat::kText, Report()), Not(HasSubstr("CHANGED BY")));
  const Json result = ParseJson(In(ReportFormat::kSarif, report))->at("runs")[0]["results"][0];
  EXPECT_EQ(result.at("properties").at("attribution").at("entry"), "1q2w");
  EXPECT_THAT(result.at("message").at("text").get<std::string>(),
              HasSubstr("; changed by =mallory@example.com as deploy@acme"));
}

TEST(DriftForms, HtmlNeedsNothingElse) {
  const std::string html = In(ReportFormat::kHtml, Report());
  for (const char* foreign :
       {"<script", "<link", "<img", "src=", "href=", "url(", "@import", "http://", "https://"}) {
    EXPECT_THAT(html, Not(HasSubstr(foreign)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(DriftForms, HtmlShowsWhatCloudsSayAsText) {
  const std::string html = In(ReportFormat::kHtml, Report());
  EXPECT_THAT(html, HasSubstr("user:&lt;b&gt;&amp;&quot;|`x`@example.com"));
  EXPECT_THAT(html, HasSubstr("<small>no &lt;right&gt;</small>"));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
}

TEST(DriftForms, HtmlHasASectionForWhatStandsAndOneForWhatIsOver) {
  const std::string html = In(ReportFormat::kHtml, Report());
  EXPECT_THAT(html, HasSubstr("<h2>Current drift (2)</h2>"));
  EXPECT_THAT(html, HasSubstr("<h2>Corrected drift (1)</h2>"));
  EXPECT_THAT(html, HasSubstr("<h2>Cannot be kept as declared (1)</h2>"));
  EXPECT_THAT(html, HasSubstr("undeclared <span class=\"new\">new</span><small>open</small>"));
  EXPECT_THAT(html, HasSubstr("dash<small>teams/my dash.yaml:3</small>"));
  EXPECT_THAT(html, HasSubstr("<small>until 2026-11-25 00:00</small>"));
  EXPECT_THAT(html, HasSubstr("<h2>Ends soon (1)</h2>"));
  EXPECT_THAT(html, HasSubstr("2 grants<small>roles/viewer</small>"));
  EXPECT_THAT(html, HasSubstr("<time datetime=\"2026-11-21T11:30:00.000Z\">2026-11-21 11:30"));
}

TEST(DriftForms, SarifHasWhatStandsAtItsManifest) {
  const Json log = *ParseJson(In(ReportFormat::kSarif, Report()));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["version"], "1.2.3");
  const Json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["ruleId"], "undeclared");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_GT(results[0]["rank"], results[1]["rank"]) << "critical before high";
  EXPECT_EQ(results[0]["properties"]["timeBounds"]["endsAt"], "2026-11-25T00:00:00Z");
  EXPECT_THAT(results[0]["message"]["text"], HasSubstr("@example.com (until 2026-11-25 00:00): "));
  EXPECT_EQ(results[0]["baselineState"], "new");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"].dump(),
            R"({"artifactLocation":{"uri":"./"},"region":{"startLine":1}})")
      << "no manifest declares anything there, and a result without a file is refused";
  EXPECT_EQ(results[1]["baselineState"], "unchanged");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"].dump(),
            R"({"artifactLocation":{"uri":"teams/my%20dash.yaml"},"region":{"startLine":3}})");
  EXPECT_EQ(results[1]["message"]["text"],
            "dashboard:abc: editor org:1: declared: absent; observed: granted; waits for approval: "
            "bindery guard");
}

TEST(DriftForms, SarifMakesNoLinkOfTheNamesOfOthers) {
  Json report = Report();
  report["items"][0]["grant"]["member"] = "user:[ana](https://evil.example.com)@example.com";
  const Json log = *ParseJson(In(ReportFormat::kSarif, report));
  EXPECT_THAT(log["runs"][0]["results"][0]["message"]["text"].get<std::string>(),
              HasSubstr("user:\\[ana\\](https://evil.example.com)"));
}

TEST(DriftForms, SarifNamesFilesAsTheRepositoryDoes) {
  testing::JsonDocument document(Report());
  std::string text;
  const auto written =
      WriteDrift({ReportFormat::kSarif, DriftLines::kAll, "deploy/manifests"}, document, {}, "",
                 [&text](std::string_view piece) { text += piece; });
  ASSERT_TRUE(written.has_value());
  const Json log = *ParseJson(text);
  std::vector<std::string> uris;
  for (const Json& result : log["runs"][0]["results"]) {
    uris.push_back(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
  }
  EXPECT_THAT(uris, ElementsAre("deploy/manifests/", "deploy/manifests/teams/my%20dash.yaml"));
}

TEST(DriftForms, CsvHoldsNoFormulaInAnyWidth) {
  for (const char* start : {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20", "\uFE66",
                            "\uFE62", "\uFE63", "\uFE6B"}) {
    Json report = Report();
    report["items"][0]["grant"]["member"] = start + std::string("1+1");
    EXPECT_THAT(In(ReportFormat::kCsv, report), HasSubstr("'" + std::string(start) + "1+1"));
  }
}

TEST(DriftForms, AFingerprintIsThatOfTheDifferenceWhateverItsState) {
  const auto fingerprints = [](const Json& report) {
    const Json log = *ParseJson(In(ReportFormat::kSarif, report));
    std::vector<std::string> texts;
    for (const Json& result : log["runs"][0]["results"]) {
      texts.push_back(result["partialFingerprints"]["difference/v1"]);
    }
    return texts;
  };
  Json later = Report();
  later["items"][0]["severity"] = "low";
  later["items"][0]["lastSeen"] = "2026-11-22T11:59:00.000Z";
  EXPECT_EQ(fingerprints(Report()), fingerprints(later));
  later["items"][0]["grant"]["member"] = "user:other@example.com";
  EXPECT_NE(fingerprints(Report()), fingerprints(later));
}

TEST(DriftForms, JsonAndYamlAreTheReport) {
  EXPECT_EQ(*ParseJson(In(ReportFormat::kJson, Report())), Report());
  EXPECT_THAT(In(ReportFormat::kYaml, Report()), HasSubstr("generatedAt: "));
}

struct BoundsCase {
  const char* bounds;
  const char* text;
};

class DriftTimeBounds : public ::testing::TestWithParam<BoundsCase> {};

TEST_P(DriftTimeBounds, AreToldInWholeTimes) {
  Json report = Report();
  report["items"][0]["timeBounds"] = *ParseJson(GetParam().bounds);
  EXPECT_THAT(In(ReportFormat::kMarkdown, report),
              HasSubstr("@example.com" + std::string(GetParam().text) + " | absent"));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DriftTimeBounds,
    ::testing::Values(
        BoundsCase{R"({"state": "active", "startsAt": null, "endsAt": null})", ""},
        BoundsCase{R"({"state": "active", "startsAt": null, "endsAt": "2026-11-25T00:00:00Z"})",
                   " (until 2026-11-25 00:00)"},
        BoundsCase{R"({"state": "pending", "startsAt": "2026-12-01T00:00:00Z", "endsAt": null})",
                   " (from 2026-12-01 00:00)"},
        BoundsCase{R"({"state": "expired", "startsAt": null, "endsAt": "2026-11-20T00:00:00Z"})",
                   " (ended 2026-11-20 00:00)"},
        BoundsCase{R"({"state": "never", "startsAt": null, "endsAt": null})",
                   " (never in force)"}));

TEST(DriftForms, EveryFormHasItsExtension) {
  std::vector<std::string> extensions;
  for (std::size_t i = 0; i < kReportFormatNames.size(); ++i) {
    extensions.emplace_back(GetExtension(static_cast<ReportFormat>(i)));
  }
  EXPECT_THAT(extensions, ElementsAre("json", "html", "md", "csv", "sarif", "txt", "yaml"));
}

}  // namespace
}  // namespace bindery::report
