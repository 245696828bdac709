// Lookups: what they read, and what is kept of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/datadog/provider.h"
#include "providers/google/provider.h"
#include "providers/registry/kinds.h"
#include "reconcilers/secrets.h"
#include "support/matchers.h"

namespace bindery::providers {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;

constexpr const char* kHosts =
    "projects/acme/locations/eu/importJobs/inventory/importDataFiles/hosts";
constexpr const char* kFile = R"({
  "name": "projects/acme/locations/eu/importJobs/inventory/importDataFiles/hosts",
  "displayName": "Hosts", "format": "IMPORT_JOB_FORMAT_RVTOOLS_CSV", "createTime": "2026-01-01T00:00:00Z",
  "state": "CREATING",
  "uploadFileInfo": {"signedUri": "https://s/SECRET", "headers": {"x": "SECRET"},
                     "uriExpirationTime": "2026-12-01T00:00:00Z"}})";

/// What the kind makes of an answer.
Expected<reconcilers::Observation> Understood(const reconcilers::Kind& kind,
                                              const std::string& body) {
  return kind.ParseResponse(cloud::PolicyCall{}, body);
}
Json GetOutputs(const reconcilers::Kind& kind, const std::string& body) {
  return kind.Outputs(kHosts, *Understood(kind, body));
}

TEST(GetImportDataFile, IsPlacedByItsFourParts) {
  const auto kind = google::MakeGetImportDataFile();
  Json spec = {{"importDataFileId", "hosts"}, {"importJobId", "inventory"}, {"location", "eu"}};
  EXPECT_EQ(kind->Declare(spec, "acme")->target, kHosts);
  EXPECT_THAT(kind->Declare(spec, ""),
              FailsWith(Code::kInvalidArgument, HasSubstr("set spec.project")));
  spec["project"] = "other";
  EXPECT_THAT(kind->Declare(spec, "acme")->target, HasSubstr("projects/other/"));
  EXPECT_THAT(kind->Declare(spec, "acme")->grants, IsEmpty());
  EXPECT_EQ(kind->QuotaProject(kHosts), "acme");
  EXPECT_TRUE(kind->schema().read_only);
}

TEST(GetImportDataFile, KeepsItsOutputsWithoutTheirSecrets) {
  const auto kind = google::MakeGetImportDataFile();
  const auto seen = Understood(*kind, kFile);
  ASSERT_THAT(seen, IsOk());
  EXPECT_TRUE(seen->exists);
  EXPECT_EQ(seen->note, "");
  EXPECT_EQ(kind->Outputs(kHosts, *seen).dump(),
            R"({"createTime":"2026-01-01T00:00:00Z","displayName":"Hosts",)"
            R"("format":"IMPORT_JOB_FORMAT_RVTOOLS_CSV","name":")" +
                std::string(kHosts) +
                R"(","state":"CREATING","uploadFileInfo":{"headers":"[secret]",)"
                R"("signedUri":"[secret]","uriExpirationTime":"2026-12-01T00:00:00Z"}})");
  EXPECT_THAT(seen->document.dump(), Not(HasSubstr("SECRET")));
  const auto revealed = kind->OutputsWithSecrets(cloud::PolicyCall{}, kHosts, kFile);
  ASSERT_THAT(revealed, IsOk());
  EXPECT_EQ(revealed->at("uploadFileInfo").at("signedUri"), "https://s/SECRET");
  EXPECT_EQ(revealed->at("uploadFileInfo").at("headers").dump(), R"({"x":"SECRET"})");
}

TEST(GetImportDataFile, AllPartsOfTheUploadAreThereWhateverTheWireLeavesOut) {
  const auto kind = google::MakeGetImportDataFile();
  constexpr const char* kNothing = R"({"headers":{},"signedUri":"","uriExpirationTime":""})";
  for (const char* body : {"{}", R"({"uploadFileInfo": null})", R"({"uploadFileInfo": {}})",
                           R"({"uploadFileInfo": {"headers": null, "signedUri": null}})"}) {
    EXPECT_EQ(GetOutputs(*kind, body).at("uploadFileInfo").dump(), kNothing) << body;
  }
  EXPECT_EQ(GetOutputs(*kind, "{}").at("state"), "");
}

TEST(GetImportDataFile, ToleratesAndShowsWhatTheDocumentationDoesNotKnow) {
  const auto kind = google::MakeGetImportDataFile();
  EXPECT_EQ(GetOutputs(*kind, R"({"state": "DELETING"})").at("state"), "DELETING");
  EXPECT_EQ(GetOutputs(*kind, R"({"format": 7})").at("format"), "7");
  // 63 characters, of which one has two bytes, are no more than 63.
  const std::string longest = std::string(62, 'x') + "\xC3\xA9";
  EXPECT_EQ(Understood(*kind, Json{{"displayName", longest}}.dump())->note, "");
  const auto odd = Understood(*kind, Json{{"displayName", longest + "y"}}.dump());
  EXPECT_EQ(odd->note, "displayName has 64 characters, more than the 63 that are documented");
  EXPECT_EQ(kind->Outputs(kHosts, *odd).at("displayName"), longest + "y");
}

TEST(GetImportDataFile, IsAdoptedByItsName) {
  const auto kind = google::MakeGetImportDataFile();
  EXPECT_EQ(kind->ParseId(kHosts, "")->target, kHosts);
  EXPECT_EQ(
      kind->ParseId("locations/eu/importJobs/inventory/importDataFiles/hosts", "acme")->target,
      kHosts);
  for (const char* id : {"", "hosts", "locations/eu/importJobs/inventory",
                         "locations/eu/importJobs/a b/importDataFiles/hosts"}) {
    EXPECT_THAT(kind->ParseId(id, "acme"),
                FailsWith(Code::kInvalidArgument, HasSubstr("importDataFiles/FILE")))
        << id;
  }
  const reconcilers::Observation seen = *Understood(*kind, kFile);
  EXPECT_THAT(kind->Roles(seen), ElementsAre(std::string(kWholePolicy)));
  EXPECT_EQ(kind->Inputs(kHosts, "", seen)->dump(),
            R"({"importDataFileId":"hosts","importJobId":"inventory","location":"eu",)"
            R"("project":"acme"})");
}

TEST(GetCurrentUser, GivesWhoTheCredentialsAre) {
  const auto kind = datadog::MakeGetCurrentUser();
  const auto seen = Understood(*kind, R"({"data": {"id": "u", "attributes": {"handle": "a@x"},
      "relationships": {"org": {"data": {"id": "o"}}}},
      "included": [{"type": "orgs", "id": "o", "attributes": {"public_id": "p"}}]})");
  ASSERT_THAT(seen, IsOk());
  EXPECT_EQ(kind->Outputs("current_user", *seen).dump(),
            R"({"id":"u","orgId":"o","orgPublicId":"p","handle":"a@x"})");
  EXPECT_EQ(Understood(*kind, R"({"data": {"id": "u"}})")->note,
            "the answer names no organization");
  EXPECT_THAT(Understood(*kind, "{}"), FailsWith(Code::kInternal, HasSubstr("without an id")));
  EXPECT_EQ(kind->Declare(Json::object(), "")->target, "current_user");
  EXPECT_EQ(kind->ParseId("me", "")->target, "current_user");
  EXPECT_EQ(kind->ParseId("", "")->target, "current_user");
  EXPECT_THAT(kind->ParseId("ana@example.com", ""),
              FailsWith(Code::kInvalidArgument, HasSubstr("me")));
  EXPECT_EQ(kind->Inputs("current_user", "", *seen)->dump(), "{}");
}

TEST(Lookups, HaveNothingToPlanAndAreNeverWritten) {
  for (const auto& kind :
       {google::MakeGetImportDataFile(), datadog::MakeGetCurrentUser(), datadog::MakeGetRole(),
        datadog::MakeGetTeam(), datadog::MakeGetUser()}) {
    reconcilers::Desired desired;
    desired.claims.push_back({"a", {"t", "a", {}}});
    const reconcilers::TargetPlan plan = kind->Plan(desired, reconcilers::Observation{});
    EXPECT_FALSE(plan.writes());
    EXPECT_THAT(plan.drift(), IsEmpty());
    EXPECT_THAT(
        kind->BuildSet(cloud::Connection{}, "t", plan, reconcilers::Observation{}, seconds(1)),
        FailsWith(Code::kUnimplemented, HasSubstr("is a lookup")));
  }
}

TEST(ListChanges, TellsWhichOutputsDifferButNotSecrets) {
  const auto kind = google::MakeGetImportDataFile();
  const manifests::FieldList& fields = kind->schema().outputs;
  Json before = GetOutputs(*kind, kFile);
  Json now = before;
  EXPECT_THAT(reconcilers::ListChanges(before, now, fields), IsEmpty());
  now["uploadFileInfo"]["signedUri"] = "another";
  now["uploadFileInfo"]["headers"] = Json::object();
  EXPECT_THAT(reconcilers::ListChanges(before, now, fields), IsEmpty());
  now["state"] = "ACTIVE";
  now["uploadFileInfo"]["uriExpirationTime"] = "";
  const auto changes = reconcilers::ListChanges(before, now, fields);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].path + ": " + changes[0].before + " to " + changes[0].now,
            "state: CREATING to ACTIVE");
  EXPECT_EQ(changes[1].path + ": " + changes[1].before + " to " + changes[1].now,
            "uploadFileInfo.uriExpirationTime: 2026-12-01T00:00:00Z to empty");
}

}  // namespace
}  // namespace bindery::providers
