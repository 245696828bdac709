#include "providers/google/audit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/access/target.h"
#include "unit/attribution/log_lines.h"
#include "unit/providers/log_variation.h"

namespace bindery::google {
namespace {

using bindery::testing::At;
using bindery::testing::IsNone;
using bindery::testing::LogLine;
using bindery::testing::Variation;
using ::testing::ElementsAre;

const char* const kViewer = "roles/viewer";

TEST(GoogleAuditLog, TellsWhoAddedAndRemovedWhat) {
  const auto entry = ReadGoogleEntry(LogLine("google.jsonl", 1));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->id, "1q2w3e4r5t");
  EXPECT_EQ(entry->target, "projects/acme/locations/global/authorizationPolicies/payments");
  EXPECT_EQ(entry->time, At("11:29:41.337"));
  EXPECT_EQ(entry->actor, "mallory@example.com");
  EXPECT_EQ(entry->impersonator, "");
  EXPECT_EQ(entry->method, "google.iam.v1.IAMPolicy.SetIamPolicy");
  EXPECT_TRUE(entry->agent.starts_with("google-cloud-sdk gcloud/501.0.0"));
  EXPECT_EQ(entry->detail, AuditDetail::kChanges);
  const Condition june{"request.time < timestamp(\"2026-06-30T00:00:00Z\")", "june", ""};
  EXPECT_THAT(entry->grants,
              ElementsAre(AuditedGrant{{kViewer, "user:eve@example.com"}, true},
                          AuditedGrant{{kViewer, "user:ana@example.com", june}, false}));
}

TEST(GoogleAuditLog, WithoutDeltasThePolicyOfTheRequestCounts) {
  const auto entry = ReadGoogleEntry(LogLine("google.jsonl", 2));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->target, "projects/acme/locations/eu/managementServers/main")
      << "the number of the project became its id";
  EXPECT_EQ(entry->actor, "deploy@acme.iam.gserviceaccount.com");
  EXPECT_EQ(entry->impersonator, "ana@example.com");
  EXPECT_EQ(entry->detail, AuditDetail::kPolicy);
  EXPECT_THAT(entry->grants,
              ElementsAre(AuditedGrant{{"roles/backupdr.viewer", "group:ops@example.com"}, true},
                          AuditedGrant{{"roles/backupdr.viewer", "user:bob@example.com"}, true}));
}

class GoogleVariation : public ::testing::TestWithParam<Variation> {};

TEST_P(GoogleVariation, IsReadAsItIs) {
  Json line = LogLine("google.jsonl", 1);
  GetParam().make(line, line["protoPayload"]);
  EXPECT_TRUE(GetParam().holds(ReadGoogleEntry(line)));
}

const Variation kGoogleVariations[] = {
    {"ARefusedCall",
     [](Json&, Json& call) {
       call["status"] = {{"code", 7}};
     },
     IsNone},
    {"AnotherMethod",
     [](Json&, Json& call) { call["methodName"] = "google.iam.v1.IAMPolicy.GetIamPolicy"; },
     IsNone},
    {"AnotherResource", [](Json&, Json& call) { call["resourceName"] = "projects/acme"; }, IsNone},
    {"NoTime", [](Json& entry, Json&) { entry["timestamp"] = "yesterday"; }, IsNone},
    {"ATimeNoClockCanHold", [](Json& entry, Json&) { entry["timestamp"] = "9999-01-01T00:00:00Z"; },
     IsNone},
    {"NoPayload", [](Json& entry, Json&) { entry["protoPayload"] = 7; }, IsNone},
    {"AMethodOfTheOldStyle",
     [](Json&, Json& call) {
       call["methodName"] = "networksecurity.authorizationPolicies.setIamPolicy";
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kChanges; }},
    {"AFullResourceName",
     [](Json&, Json& call) {
       call["resourceName"] =
           "//networksecurity.googleapis.com/projects/p/locations/l/authorizationPolicies/a";
     },
     [](const auto& entry) {
       return entry && entry->target == "projects/p/locations/l/authorizationPolicies/a";
     }},
    {"DeltasInTheMetadata",
     [](Json&, Json& call) {
       call["metadata"] = call["serviceData"];
       call.erase("serviceData");
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kChanges; }},
    {"AnActionNobodyKnows",
     [](Json&, Json& call) {
       call["serviceData"]["policyDelta"]["bindingDeltas"][0]["action"] = "SWAP";
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kPolicy; }},
    {"DeltasThatSayThatNothingChanged",
     [](Json&, Json& call) { call["serviceData"]["policyDelta"]["bindingDeltas"] = Json::array(); },
     [](const auto& entry) {
       return entry && entry->detail == AuditDetail::kChanges && entry->grants.empty();
     }},
    {"ADeltaOfSomethingElse",
     [](Json&, Json& call) { call["serviceData"]["policyDelta"].erase("bindingDeltas"); },
     [](const auto& entry) {
       return entry && entry->detail == AuditDetail::kChanges && entry->grants.empty();
     }},
    {"MoreTextThanIsKept",
     [](Json&, Json& call) {
       call.erase("serviceData");
       Json& binding = call["request"]["policy"]["bindings"][0];
       binding["role"] = std::string(10'000, 'r');
       binding["members"] = std::vector<std::string>(100, "user:ana@example.com");
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kNone; }},
    {"DeltasOfMoreTextThanIsKept",
     [](Json&, Json& call) {
       call.erase("request");
       call["serviceData"]["policyDelta"]["bindingDeltas"][0]["role"] = std::string(300'000, 'r');
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kNone; }},
    {"NoDetailAtAll",
     [](Json&, Json& call) {
       call.erase("serviceData");
       call.erase("request");
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kNone; }},
    {"ADeletedTarget",
     [](Json&, Json& call) {
       call["methodName"] =
           "google.cloud.networksecurity.v1.NetworkSecurity.DeleteAuthorizationPolicy";
     },
     [](const auto& entry) { return entry && entry->detail == AuditDetail::kTargetRemoved; }},
    {"ASubjectWithoutAnAddress",
     [](Json&, Json& call) {
       call["authenticationInfo"] = {{"principalSubject", "principal://iam.googleapis.com/x"}};
     },
     [](const auto& entry) { return entry && entry->actor == "principal://iam.googleapis.com/x"; }},
    {"NobodyAtAll", [](Json&, Json& call) { call.erase("authenticationInfo"); },
     [](const auto& entry) { return entry && entry->actor.empty(); }},
    {"AnActorWhoWritesOverTheReport",
     [](Json&, Json& call) {
       call["authenticationInfo"]["principalEmail"] =
           "a\x1b[2J\n\xe2\x80\xae" + std::string(1000, 'b');
     },
     [](const auto& entry) { return entry && entry->actor == "a[2J" + std::string(252, 'b'); }},
};

INSTANTIATE_TEST_SUITE_P(Cases, GoogleVariation, ::testing::ValuesIn(kGoogleVariations),
                         [](const auto& param) { return std::string(param.param.name); });

/// How one service words a change of a policy.
struct Dialect {
  const char* name;
  const char* service;
  const char* method;
  const char* resource;
  const char* labels;
  const char* policy;  ///< As the target's is known on record.
  const char* target;
};

class GoogleAuditDialect : public ::testing::TestWithParam<Dialect> {};

TEST_P(GoogleAuditDialect, IsFoundInTheLogAndNamesTheTarget) {
  const Dialect& dialect = GetParam();
  Json line = LogLine("google.jsonl", 1);
  line["resource"]["labels"] = *ParseJson(dialect.labels);
  Json& call = line["protoPayload"];
  call["serviceName"] = dialect.service;
  call["methodName"] = dialect.method;
  call["resourceName"] = dialect.resource;
  call.erase("request");
  const auto entries = attribution::ReadRecord(line.dump(), {GoogleAuditLog()});
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().target, (Target{dialect.policy, "", dialect.target}.Key()));
  EXPECT_EQ(entries->front().method, dialect.method);
  EXPECT_EQ(entries->front().detail, AuditDetail::kChanges);
}

const char* const kIam = "iam.googleapis.com";
const char* const kIamMethod = "google.iam.admin.v1.SetIAMPolicy";
const char* const kAccount = "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com";

// As entries of these services were seen: of Cloud Run with the location among the labels, and of
// Cloud DNS without the project in the name.
const char* const kRun = "run.googleapis.com";
const char* const kRunLabels =
    R"({"configuration_name":"","location":"us-west1","project_id":"acme","service_name":"web"})";
const char* const kWeb = "projects/acme/locations/us-west1/services/web";
const char* const kDns = "dns.googleapis.com";
const char* const kZoneLabels =
    R"({"location":"global","project_id":"acme","zone_name":"demo-zone"})";
const char* const kZone = "projects/acme/managedZones/demo-zone";

const Dialect kGoogleDialects[] = {
    {"Storage", "storage.googleapis.com", "storage.setIamPermissions",
     "projects/_/buckets/invoices", R"({"project_id":"acme"})", "storage:Bucket", "b/invoices"},
    {"StorageManagedFolder", "storage.googleapis.com", "storage.setIamPermissions",
     "projects/_/buckets/invoices/managedFolders/2026/", R"({"project_id":"acme"})",
     "storage:ManagedFolder", "b/invoices/managedFolders/2026/"},
    {"Compute", "compute.googleapis.com", "v1.compute.instances.setIamPolicy",
     "projects/acme/zones/europe-west1-b/instances/vm", R"({"project_id":"acme"})",
     "compute:Instance", "projects/acme/zones/europe-west1-b/instances/vm"},
    {"ComputeBeta", "compute.googleapis.com", "beta.compute.instances.setIamPolicy",
     "projects/acme/zones/europe-west1-b/instances/vm", R"({"project_id":"acme"})",
     "compute:Instance", "projects/acme/zones/europe-west1-b/instances/vm"},
    {"ServiceAccountByAddress", kIam, kIamMethod, kAccount, R"({"project_id":"acme"})",
     "iam:ServiceAccount", kAccount},
    {"ServiceAccountOfAnyProject", kIam, kIamMethod,
     "projects/-/serviceAccounts/ci@acme.iam.gserviceaccount.com", "{}", "iam:ServiceAccount",
     kAccount},
    {"ServiceAccountByItsUniqueId", kIam, kIamMethod,
     "projects/-/serviceAccounts/103271949540120710052",
     R"({"project_id":"acme","email_id":"ci@acme.iam.gserviceaccount.com"})", "iam:ServiceAccount",
     kAccount},
    {"Project", "cloudresourcemanager.googleapis.com", "SetIamPolicy", "projects/acme",
     R"({"project_id":"acme"})", "cloudresourcemanager:Project", "projects/acme"},
    {"ProjectByNumber", "cloudresourcemanager.googleapis.com", "SetIamPolicy",
     "//cloudresourcemanager.googleapis.com/projects/123456789012", R"({"project_id":"acme"})",
     "cloudresourcemanager:Project", "projects/acme"},
    {"Folder", "cloudresourcemanager.googleapis.com", "SetIamPolicy", "folders/123", "{}",
     "cloudresourcemanager:Folder", "folders/123"},
    {"RunService", kRun, "google.cloud.run.v1.Services.SetIamPolicy", kWeb, kRunLabels,
     "run:Service", kWeb},
    {"RunServiceOfVersion2", kRun, "google.cloud.run.v2.Services.SetIamPolicy", kWeb, kRunLabels,
     "run:Service", kWeb},
    {"RunServiceByItsNamespace", kRun, "google.cloud.run.v1.Services.SetIamPolicy",
     "namespaces/acme/services/web", kRunLabels, "run:Service", kWeb},
    {"RunJobByTheNumberOfItsProject", kRun, "google.cloud.run.v1.Jobs.SetIamPolicy",
     "namespaces/123456789012/jobs/nightly", kRunLabels, "run:Job",
     "projects/acme/locations/us-west1/jobs/nightly"},
    {"Dns", kDns, "dns.managedZones.setiampolicy", "managedZones/demo-zone", kZoneLabels,
     "dns:ManagedZone", kZone},
    {"DnsInCamelCase", kDns, "dns.managedZones.setIamPolicy", "managedZones/demo-zone", kZoneLabels,
     "dns:ManagedZone", kZone},
    {"DnsByItsWholeName", kDns, "dns.managedZones.setiampolicy", kZone, kZoneLabels,
     "dns:ManagedZone", kZone},
};

INSTANTIATE_TEST_SUITE_P(Services, GoogleAuditDialect, ::testing::ValuesIn(kGoogleDialects),
                         [](const auto& param) { return std::string(param.param.name); });

/// Entries that were recorded, with other names.
TEST(GoogleAuditLog, AZoneThatIsDeletedIsFoundByItsLabels) {
  const auto entry = ReadGoogleEntry(*ParseJson(R"({
    "protoPayload": {"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "status": {},
      "authenticationInfo": {"principalEmail": "mallory@example.com"},
      "serviceName": "dns.googleapis.com", "methodName": "dns.managedZones.delete",
      "resourceName": "managedZones/demo-zone",
      "request": {"@type": "type.googleapis.com/cloud.dns.api.ManagedZonesDeleteRequest",
        "project": "acme", "managedZone": "demo-zone"}},
    "insertId": "-i126b1d5av0", "timestamp": "2026-11-21T11:29:41.675Z",
    "resource": {"type": "dns_managed_zone", "labels": {"location": "global",
      "zone_name": "demo-zone", "project_id": "acme"}}})"));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->target, (Target{"dns:ManagedZone", "", kZone}.Key()));
  EXPECT_EQ(entry->detail, AuditDetail::kTargetRemoved);
}

TEST(GoogleAuditLog, OfCloudRunThePolicyOfTheRequestCounts) {
  Json line = *ParseJson(R"({
    "insertId": "l3jvzyd2s2s", "timestamp": "2026-11-21T11:29:41.675Z",
    "protoPayload": {"@type": "type.googleapis.com/google.cloud.audit.AuditLog",
      "authenticationInfo": {"principalEmail": "mallory@example.com"},
      "methodName": "google.cloud.run.v1.Services.SetIamPolicy",
      "request": {"@type": "type.googleapis.com/google.iam.v1.SetIamPolicyRequest",
        "policy": {"bindings": [{"members": ["allUsers"], "role": "roles/run.invoker"}]},
        "resource": "projects/acme/locations/us-west1/services/web"},
      "resourceLocation": {"currentLocations": ["us-west1"]},
      "resourceName": "namespaces/acme/services/web", "serviceName": "run.googleapis.com"},
    "resource": {"type": "cloud_run_revision", "labels": {"project_id": "acme", "location": ""}}})");
  const auto entry = ReadGoogleEntry(line);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->target, (Target{"run:Service", "", kWeb}.Key()));
  EXPECT_EQ(entry->detail, AuditDetail::kPolicy);
  EXPECT_THAT(entry->grants, ElementsAre(AuditedGrant{{"roles/run.invoker", "allUsers"}, true}));
  line["protoPayload"]["resourceLocation"]["currentLocations"].push_back("us-east1");
  EXPECT_FALSE(ReadGoogleEntry(line)) << "it may be either";
}

TEST(GoogleAuditLog, AUniqueIdWithoutAnAddressNamesNoTarget) {
  Json line = LogLine("google.jsonl", 1);
  line["resource"]["labels"] = {{"project_id", "acme"}};
  line["protoPayload"]["serviceName"] = kIam;
  line["protoPayload"]["methodName"] = kIamMethod;
  line["protoPayload"]["resourceName"] = "projects/-/serviceAccounts/103271949540120710052";
  EXPECT_FALSE(ReadGoogleEntry(line));
}

}  // namespace
}  // namespace bindery::google
