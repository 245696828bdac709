// What a service would refuse is refused by its text: members, roles, and both on a resource.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "providers/google/roles/checks.h"
#include "providers/google/roles/member_forms.h"
#include "providers/google/roles/permissions.h"
#include "providers/google/roles/role_forms.h"
#include "providers/google/rows/iam_kinds.h"

namespace bindery::google {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::string GetText(const std::optional<manifests::CheckFailure>& failure) {
  if (!failure) return "";
  return failure->code + (failure->warning ? " (warning): " : ": ") + failure->message;
}

TEST(CheckMember, KnowsTheTypeOfAnAddress) {
  const struct {
    const char* member;
    const char* fitting;  ///< Empty: it is right.
  } cases[] = {
      {"user:app@acme.iam.gserviceaccount.com", "serviceAccount:app@acme.iam.gserviceaccount.com"},
      {"group:app@acme.iam.gserviceaccount.com", "serviceAccount:app@acme.iam.gserviceaccount.com"},
      {"user:1-compute@developer.gserviceaccount.com",
       "serviceAccount:1-compute@developer.gserviceaccount.com"},
      {"user:acme@appspot.gserviceaccount.com", "serviceAccount:acme@appspot.gserviceaccount.com"},
      {"user:1@cloudservices.gserviceaccount.com",
       "serviceAccount:1@cloudservices.gserviceaccount.com"},
      {"group:x@a.example.com.iam.gserviceaccount.com",
       "serviceAccount:x@a.example.com.iam.gserviceaccount.com"},
      {"user:App@Acme.IAM.GServiceAccount.com", "serviceAccount:App@Acme.IAM.GServiceAccount.com"},
      {"serviceAccount:ana@example.com", "user:ana@example.com"},
      {"serviceAccount:ana@gmail.com", "user:ana@gmail.com"},
      {"serviceAccount:a@gserviceaccount.com.example.com",
       "user:a@gserviceaccount.com.example.com"},
      {"serviceAccount:a@notgserviceaccount.com", "user:a@notgserviceaccount.com"},
      {"user:ana@example.com", ""},
      {"group:sre@example.com", ""},
      {"serviceAccount:app@acme.iam.gserviceaccount.com", ""},
      {"serviceAccount:service-1@gcp-sa-pubsub.s3ns-system.iam.gserviceaccount.com", ""},
      {"serviceAccount:acme.svc.id.goog[ns/ksa]", ""},
      {"group:acme.svc.id.goog:/allAuthenticatedUsers/", ""},
      {"domain:example.com", ""},
      {"allUsers", ""},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(MemberOfItsType(one.member), one.fitting) << one.member;
    const std::string said = GetText(CheckMember(one.member));
    if (*one.fitting == '\0') {
      EXPECT_EQ(said, "") << one.member;
    } else {
      EXPECT_THAT(said, HasSubstr("BadMember: ")) << one.member;
      EXPECT_THAT(said, HasSubstr("write \"" + std::string(one.fitting) + "\"")) << one.member;
    }
  }
}

TEST(CheckMember, TakesTheIdentifiersOfAllowPoliciesAlone) {
  const struct {
    const char* member;
    const char* said;  ///< A part of it; empty: it is right.
  } cases[] = {
      {"principalSet://iam.googleapis.com/github-pool/attribute.repository/example/app",
       "not the full name of an identity pool"},
      {"principal://iam.googleapis.com/pool/subject/s", "not the full name of an identity pool"},
      {"principalSet://iam.googleapis.com/projects/1/workloadIdentityPools/p/*",
       "not the full name of an identity pool"},
      {"principalSet://iam.googleapis.com/workforcePools/p/*",
       "not the full name of an identity pool"},
      {"principalSet://iam.googleapis.com/projects/acme/locations/global/workloadIdentityPools/p/*",
       "names the project by its id"},
      {"principalSet://cloudresourcemanager.googleapis.com/projects/acme/type/ServiceAccount",
       "names the project by its id"},
      {"principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p",
       "does not say who of the pool"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/",
       "does not say who of the pool"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/group/",
       "does not say who of the pool"},
      {"principal://iam.googleapis.com/locations/global/workforcePools/p/subject",
       "does not say who of the pool"},
      {"principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/"
       "attribute.repository",
       "does not say who of the pool"},
      {"principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/"
       "attribute./octo",
       "does not say who of the pool"},
      {"principal://goog/subject/ana@example.com",
       "a form of deny policies, write \"user:ana@example.com\""},
      {"principalSet://goog/group/sre@example.com",
       "a form of deny policies, write \"group:sre@example.com\""},
      {"principalSet://goog/public:all", "a form of deny policies, write \"allUsers\""},
      {"principalSet://goog/cloudIdentityCustomerId/C01Abc35",
       "a form of deny policies, which allow policies do not take"},
      {"principalSet://iam.googleapis.com/locations/global/workspace/C01Abc35",
       "a form of principal access boundary policies"},
      {"principalSet://cloudresourcemanager.googleapis.com/projects/1",
       "a form of principal access boundary policies"},
      {"principalSet://cloudresourcemanager.googleapis.com/organizations/1",
       "a form of principal access boundary policies"},
      {"principal://iam.googleapis.com/projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
       "UnlikelyMember (warning): "},
      {"iamMember:principal://iam.googleapis.com/projects/1/locations/global/"
       "workloadIdentityPools/p/subject/s",
       "leave out \"iamMember:\", write \"principal://iam.googleapis.com/projects/1/"},
      {"iamMember:user:ana@example.com",
       "leave out \"iamMember:\", write \"user:ana@example.com\""},
      {"iamMember:ana", "has the unknown member type \"iamMember\""},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/"
       "s",
       ""},
      {"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/"
       "acme.svc.id.goog/subject/ns/default/sa/app",
       ""},
      {"principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/"
       "acme.svc.id.goog/kubernetes.cluster/https://container.googleapis.com/v1/x",
       ""},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/corp/group/eng@a.example",
       ""},
      {"principalSet://cloudresourcemanager.googleapis.com/organizations/1/type/ServiceAccount",
       ""},
      {"principal://agents.global.org-1.system.id.goog/resources/aiplatform/projects/1/x", ""},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/subject/s",
       "UnlikelyMember (warning): "},
      {"principal://iam.googleapis.com/locations/global/workforcePools/p/attribute.team/a",
       "write principalSet://iam.googleapis.com/locations/global/workforcePools/p/attribute.team"},
      {"principalSet://iam.googleapis.com/projects/1/locations/us/workloadIdentityPools/p/*",
       "not the full name of an identity pool"},
      {"principalSet://iam.googleapis.com/locations/global/workforcePools/p/providers/github",
       "does not say who of the pool"},
      {"principal://iam.googleapi.com/locations/global/workforcePools/p/subject/s",
       "names an unknown service, did you mean \"iam.googleapis.com\"?"},
      {"serviceAccount:fleet.hub.id.goog[gke-connect/connect-agent-sa]", ""},
      {"serviceAccount:projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
       "is not of the form serviceAccount:NAME@PROJECT.iam.gserviceaccount.com"},
  };
  for (const auto& one : cases) {
    const std::string said = GetText(CheckMember(one.member));
    EXPECT_EQ(said.empty(), *one.said == '\0') << one.member << ": " << said;
    EXPECT_THAT(said, HasSubstr(one.said)) << one.member;
  }
}

TEST(CheckWrittenRole, RefusesPermissionsAndWarnsOfRolesItDoesNotKnow) {
  const struct {
    const char* role;
    const char* said;
  } cases[] = {
      {"roles/iap.tunnelInstances.accessViaIAP",
       "BadRole: \"iap.tunnelInstances.accessViaIAP\" is a permission, not a role: name a role "
       "that holds it"},
      {"iap.tunnelInstances.accessViaIAP",
       "BadRole: \"iap.tunnelInstances.accessViaIAP\" is a permission, not a role: name a role "
       "that holds it"},
      {"storage.objectViewer",
       "BadRole: \"storage.objectViewer\" is not a role, did you mean "
       "\"roles/storage.objectViewer\"?"},
      {"storage.objectVeiwer",
       "BadRole: \"storage.objectVeiwer\" is not a role, did you mean "
       "\"roles/storage.objectViewer\"?"},
      {"storage.somethingElse",
       "BadRole: \"storage.somethingElse\" is not a role: write roles/NAME, "
       "projects/PROJECT/roles/NAME or organizations/NUMBER/roles/NAME"},
      {"roles/compute.admin_withcond_a0bfd75561b99825fcfb",
       "BadRole: \"roles/compute.admin_withcond_a0bfd75561b99825fcfb\" is what a policy that is "
       "read in version 1 calls \"roles/compute.admin\" under a condition: write that role, and "
       "the condition"},
      {"roles/storage.objectVeiwer",
       "UnknownRole (warning): \"roles/storage.objectVeiwer\" is no predefined role that this "
       "version of bindery knows, did you mean \"roles/storage.objectViewer\"?"},
      {"roles/vault_gcp",
       "UnknownRole (warning): \"roles/vault_gcp\" is no predefined role that this version of "
       "bindery knows; a custom role is written projects/PROJECT/roles/vault_gcp or "
       "organizations/NUMBER/roles/vault_gcp"},
      {"roles/storage.objectViewer", ""},
      {"roles/container.hostServiceAgentUser", ""},
      {"roles/admin", ""},
      {"projects/p/roles/iap.tunnelInstances.accessViaIAP", ""},
      {"projects/p/roles/x", ""},
      {"organizations/1/roles/x_withcond_y", ""},
      {"organizations/example.com/roles/x",
       "BadRole: \"organizations/example.com/roles/x\" is not a role: write roles/NAME, "
       "projects/PROJECT/roles/NAME or organizations/NUMBER/roles/NAME"},
  };
  for (const auto& one : cases) EXPECT_EQ(GetText(CheckWrittenRole(one.role)), one.said);
}

TEST(IsKnownPermission, KnowsTypesAndVerbsAndNotTheForm) {
  for (const char* permission :
       {"iap.tunnelInstances.accessViaIAP", "storage.objects.get", "compute.instances.list",
        "compute.instances.osAdminLogin", "iam.serviceAccounts.actAs", "run.routes.invoke",
        "bigquery.tables.getData", "pubsub.topics.publish", "secretmanager.versions.access",
        "resourcemanager.projects.setIamPolicy", "container.pods.exec", "container.namespaces.get",
        "cloudsql.instances.connect", "logging.logEntries.create"}) {
    EXPECT_TRUE(IsKnownPermission(permission)) << permission;
    EXPECT_TRUE(IsNamedLikePermission("roles/" + std::string(permission))) << permission;
  }
  for (const char* other : {"iap.tunnelInstances.wonder", "iap.wonders.get", "wonder.instances.get",
                            "iap.get", "iap.tunnelInstances.accessViaIAP.x", "", ".."}) {
    EXPECT_FALSE(IsKnownPermission(other)) << other;
  }
}

TEST(IsNamedLikePermission, IsNoRoleOfTheForm) {
  for (const char* role :
       {"roles/cloudbuild.builds.editor", "roles/cloudbuild.builds.approver",
        "roles/compute.instanceAdmin.v1", "roles/containeranalysis.notes.attacher",
        "roles/containeranalysis.notes.occurrences.viewer", "roles/dataprep.projects.user",
        "roles/backstory.forwarderViewer.user", "roles/stackdriver.resourceMetadata.writer",
        "roles/cloudbuild.builds.owner", "projects/p/roles/storage.objects.get"}) {
    EXPECT_FALSE(IsNamedLikePermission(role)) << role;
  }
}

TEST(StripConditionSuffix, NeedsTheDigitsOfTheService) {
  const std::pair<const char*, const char*> cases[] = {
      {"roles/x.y_withcond_0123456789abcdef0123", "roles/x.y"},
      {"projects/p/roles/x_withcond_0123456789abcdef0123", "projects/p/roles/x"},
      {"roles/x.y_withcond_0123456789abcdef012", ""},
      {"roles/x.y_withcond_0123456789abcdef012g", ""},
      {"roles/x.y_withcond_", ""},
      {"roles/x.y", ""},
  };
  for (const auto& [role, plain] : cases) EXPECT_EQ(StripConditionSuffix(role), plain) << role;
}

/// "PATH CODE", "PATH CODE (warning)" of what a manifest of the kind is told.
std::vector<std::string> Told(const char* row, IamShape shape, const Json& spec) {
  std::vector<std::string> told;
  for (const auto& [path, failure] : MakeIamSchema(*FindIamRow(row), shape).check_all(spec)) {
    told.push_back(path + " " + failure.code + (failure.warning ? " (warning)" : ""));
  }
  return told;
}

struct ResourceCase {
  const char* why;
  const char* row;
  const char* name;
  const char* role;
  const char* member;
  std::vector<std::string> told;
};

TEST(RefusedInputs, RolesAndMembersFitTheResource) {
  constexpr const char* kProjectRow = "cloudresourcemanager/v3:Project";
  constexpr const char* kFolderRow = "cloudresourcemanager/v3:Folder";
  constexpr const char* kOrganizationRow = "cloudresourcemanager/v3:Organization";
  constexpr const char* kTopicRow = "pubsub/v1:Topic";
  constexpr const char* kBillingRow = "cloudbilling/v1:BillingAccount";
  constexpr const char* kSomeRole = "roles/storage.objectViewer";
  constexpr const char* kPerson = "user:ana@example.com";
  const std::vector<std::string> foreign = {"role ForeignRole"};
  const std::vector<std::string> everybody = {"member PublicRefused"};
  const ResourceCase cases[] = {
      {"its own role", kProjectRow, "projects/acme", "projects/acme/roles/x", kPerson, {}},
      {"of another project", kProjectRow, "projects/acme", "projects/other/roles/x", kPerson,
       foreign},
      {"in another project", kTopicRow, "projects/acme/topics/t", "projects/other/roles/x", kPerson,
       foreign},
      {"id and number may be one",
       kProjectRow,
       "projects/12",
       "projects/other/roles/x",
       kPerson,
       {}},
      {"two numbers are not", kProjectRow, "projects/12", "projects/13/roles/x", kPerson, foreign},
      {"an organization's role",
       kProjectRow,
       "projects/acme",
       "organizations/1/roles/x",
       kPerson,
       {}},
      {"a project's role on a folder", kFolderRow, "folders/1", "projects/p/roles/x", kPerson,
       foreign},
      {"an organization's role on a folder",
       kFolderRow,
       "folders/1",
       "organizations/1/roles/x",
       kPerson,
       {}},
      {"of another organization", kOrganizationRow, "organizations/1", "organizations/2/roles/x",
       kPerson, foreign},
      {"of the organization",
       kOrganizationRow,
       "organizations/1",
       "organizations/1/roles/x",
       kPerson,
       {}},
      {"a project's role on an account", kBillingRow, "billingAccounts/A", "projects/p/roles/x",
       kPerson, foreign},
      {"an unknown project", "storage/v1:Bucket", "b/example", "projects/p/roles/x", kPerson, {}},
      {"the default project", kTopicRow, "topics/t", "projects/p/roles/x", kPerson, {}},
      {"everybody on a project", kProjectRow, "projects/acme", kSomeRole, "allUsers", everybody},
      {"all accounts on a folder", kFolderRow, "folders/1", kSomeRole, "allAuthenticatedUsers",
       everybody},
      {"everybody on an organization", kOrganizationRow, "organizations/1", kSomeRole, "allUsers",
       everybody},
      {"everybody on a billing account",
       kBillingRow,
       "billingAccounts/A",
       kSomeRole,
       "allUsers",
       {"member UnlikelyMember (warning)"}},
      {"everybody on a bucket", "storage/v1:Bucket", "b/example", kSomeRole, "allUsers", {}},
      {"a project's owners on a topic",
       kTopicRow,
       "projects/acme/topics/t",
       kSomeRole,
       "projectOwner:acme",
       {"member UnlikelyMember (warning)"}},
      {"a project's owners on a bucket",
       "storage/v1:Bucket",
       "b/example",
       kSomeRole,
       "projectOwner:acme",
       {}},
  };
  for (const ResourceCase& one : cases) {
    const Json member = {{"name", one.name}, {"role", one.role}, {"member", one.member}};
    EXPECT_THAT(Told(one.row, IamShape::kMember, member), ElementsAreArray(one.told)) << one.why;
    const Json binding = {{"name", one.name}, {"role", one.role}, {"members", {one.member}}};
    EXPECT_EQ(Told(one.row, IamShape::kBinding, binding).size(), one.told.size()) << one.why;
    const Json policy = {{"name", one.name},
                         {"bindings", {{{"role", one.role}, {"members", {one.member}}}}}};
    EXPECT_EQ(Told(one.row, IamShape::kPolicy, policy).size(), one.told.size()) << one.why;
  }
}

TEST(RefusedInputs, BasicRolesUnderConditionsWhereTheKindRefusesThem) {
  const Json condition = {{"title", "t"}, {"expression", "request.time > date(\"2027-01-01\")"}};
  const auto told = [&](const char* row, const char* name, const char* role) {
    return Told(row, IamShape::kMember,
                {{"name", name},
                 {"role", role},
                 {"member", "user:ana@example.com"},
                 {"condition", condition}});
  };
  for (const char* role : {"roles/owner", "roles/editor", "roles/viewer"}) {
    EXPECT_THAT(told("cloudresourcemanager/v3:Project", "projects/acme", role),
                ElementsAreArray({"condition BindingRoleAllowConditionCheck"}));
    EXPECT_THAT(told("cloudresourcemanager/v3:Folder", "folders/1", role),
                ElementsAreArray({"condition BindingRoleAllowConditionCheck"}));
    EXPECT_THAT(told("spanner/v1:Instance", "projects/acme/instances/i", role),
                ElementsAreArray({"condition BindingRoleAllowConditionCheck (warning)"}));
  }
  EXPECT_TRUE(
      told("cloudresourcemanager/v3:Project", "projects/acme", "roles/pubsub.viewer").empty());
}

TEST(ConditionsOfGoogleItself, AreNotCalledDead) {
  const struct {
    const char* row;
    const char* name;
    const char* role;
    const char* expression;
  } cases[] = {
      {"cloudresourcemanager/v3:Project", "projects/acme", "roles/resourcemanager.projectIamAdmin",
       "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', [])"
       ".hasOnly(['roles/appengine.appAdmin', 'roles/appengine.appViewer'])"},
      {"cloudresourcemanager/v3:Project", "projects/acme", "roles/iap.tunnelResourceAccessor",
       "destination.port == 22"},
      {"cloudresourcemanager/v3:Organization", "organizations/1", "roles/compute.loadBalancerAdmin",
       "compute.matchLoadBalancingSchemes(['INTERNAL'])"},
      {"iap/v1:V1", "projects/123456789012/iap_web", "roles/iap.httpsResourceAccessor",
       "'accessPolicies/123/accessLevels/corp' in request.auth.access_levels && "
       "request.path.startsWith('/admin')"},
      {"cloudresourcemanager/v3:Folder", "folders/123456", "roles/resourcemanager.folderIamAdmin",
       "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', []).hasOnly(['roles/viewer'])"},
      {"cloudresourcemanager/v3:TagKey", "tagKeys/123", "roles/resourcemanager.tagAdmin",
       "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', [])"
       ".hasOnly(['roles/resourcemanager.tagUser'])"},
      {"storage/v1:Bucket", "b/example-data", "roles/storage.objectViewer",
       "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('a/')"},
      {"run/v2:Service", "projects/p/locations/eu/services/s", "roles/run.invoker",
       "request.path.startsWith('/api') && request.host == 'a.example.com'"},
  };
  for (const auto& one : cases) {
    const Json spec = {{"name", one.name},
                       {"role", one.role},
                       {"member", "group:ops@example.com"},
                       {"condition", {{"title", "t"}, {"expression", one.expression}}}};
    EXPECT_THAT(Told(one.row, IamShape::kMember, spec), ::testing::IsEmpty()) << one.expression;
  }
}

}  // namespace
}  // namespace bindery::google
