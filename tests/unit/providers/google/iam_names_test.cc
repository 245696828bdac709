// Names of resources: which are accepted, and that all spellings of one name are one.

#include "providers/google/rows/iam_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_kinds.h"
#include "support/iam_names.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::SampleNames;

std::string ComposeMessage(const std::optional<manifests::CheckFailure>& failure) {
  return failure ? failure->message : "";
}

TEST(CheckIamName, AcceptsFullNamesAndThoseTheProviderCompletes) {
  const IamRow& row = *FindIamRow("networksecurity/v1:AuthorizationPolicy");
  for (const char* name : {"projects/p/locations/global/authorizationPolicies/a-b_c.d~e",
                           "projects/example.com:p/locations/l/authorizationPolicies/a",
                           "locations/us-east1/authorizationPolicies/a"}) {
    EXPECT_EQ(ComposeMessage(CheckIamName(row, name)), "") << name;
  }
  for (const char* name :
       {"", "/", "locations/l/authorizationPolicies/", "locations//authorizationPolicies/a",
        "projects/p/locations/l/authorizationPolicies/a/", "projects/p/authorizationPolicies/a",
        "locations/l/authorizationPolicies/a?b", "locations/l/authorizationPolicies/a%2f",
        "locations/l/authorizationPolicies/..", "locations/l/authorizationPolicies/a#b",
        "organizations/1/locations/l/authorizationPolicies/a",
        "locations/l/authorizationPolicies/a b"}) {
    EXPECT_EQ(CheckIamName(row, name).value().code, "BadResourceName") << name;
  }
}

TEST(CheckIamName, SaysWhatToWriteForAnEscapedSlash) {
  EXPECT_THAT(ComposeMessage(
                  CheckIamName(*FindIamRow("storage/v1:ManagedFolder"), "b/x/managedFolders/a%2F")),
              HasSubstr("write \"/\" in place of \"%2F\""));
}

TEST(CheckIamName, NamesTheKindThatIsMeant) {
  EXPECT_THAT(
      ComposeMessage(CheckIamName(*FindIamRow("pubsub/v1:Topic"), "projects/p/subscriptions/s")),
      HasSubstr("is for the kind SubscriptionIamBinding"));
}

TEST(CanonicalIamName, IsOneForAllSpellingsOfAName) {
  struct Case {
    const char* row;
    const char* spelled;
    const char* canonical;
  };
  const Case cases[] = {
      {"pubsub/v1:Topic", "projects/acme/topics/t", "projects/acme/topics/t"},
      {"pubsub/v1:Topic", "topics/t", "projects/acme/topics/t"},
      {"pubsub/v1:Topic", "//pubsub.googleapis.com/projects/acme/topics/t",
       "projects/acme/topics/t"},
      {"storage/v1:Bucket", "b/data", "b/data"},
      {"storage/v1:Bucket", "projects/_/buckets/data", "b/data"},
      {"storage/v1:Bucket", "//storage.googleapis.com/projects/_/buckets/data", "b/data"},
      {"storage/v1:ManagedFolder", "b/data/managedFolders/a/b", "b/data/managedFolders/a/b"},
      {"iam/v1:ServiceAccount", "projects/-/serviceAccounts/a@acme.iam.gserviceaccount.com",
       "projects/acme/serviceAccounts/a@acme.iam.gserviceaccount.com"},
      {"iam/v1:ServiceAccount", "serviceAccounts/a@acme.iam.gserviceaccount.com",
       "projects/acme/serviceAccounts/a@acme.iam.gserviceaccount.com"},
      {"iam/v1:ServiceAccount",
       "projects/-/serviceAccounts/a@p.example.com.iam.gserviceaccount.com",
       "projects/example.com:p/serviceAccounts/a@p.example.com.iam.gserviceaccount.com"},
      {"iam/v1:ServiceAccount",
       "projects/-/serviceAccounts/123-compute@developer.gserviceaccount.com",
       "projects/123/serviceAccounts/123-compute@developer.gserviceaccount.com"},
      {"iam/v1:ServiceAccount", "projects/acme/serviceAccounts/A@Acme.iam.gserviceaccount.com",
       "projects/acme/serviceAccounts/a@acme.iam.gserviceaccount.com"},
      {"cloudbilling/v1:BillingAccount", "billingAccounts/01ab23-45cd67-89ef01",
       "billingAccounts/01AB23-45CD67-89EF01"},
      {"iam/v1:ServiceAccount", "projects/-/serviceAccounts/acme@appspot.gserviceaccount.com",
       "projects/acme/serviceAccounts/acme@appspot.gserviceaccount.com"},
      {"storage/v1:Bucket", "//storage.googleapis.com/data", "b/data"},
      {"compute/v1:FirewallPolicy", "locations/global/firewallPolicies/12345",
       "locations/global/firewallPolicies/12345"},
      {"compute/v1:Image", "global/images/i", "projects/acme/global/images/i"},
      {"compute/v1:Image", "//compute.googleapis.com/projects/acme/global/images/i",
       "projects/acme/global/images/i"},
      {"storage/v1:Bucket", "gs://data", "b/data"},
      {"storage/v1:Bucket", "gs://data/", "b/data"},
      {"storage/v1:Bucket", "https://www.googleapis.com/storage/v1/b/data", "b/data"},
      {"compute/v1:Image", "https://www.googleapis.com/compute/v1/projects/acme/global/images/i",
       "projects/acme/global/images/i"},
      {"compute/v1:Image",
       "https://compute.googleapis.com/compute/beta/projects/acme/global/images/i",
       "projects/acme/global/images/i"},
      {"bigquery/v2:Table", "acme:sales.orders", "projects/acme/datasets/sales/tables/orders"},
      {"bigquery/v2:Table", "example.com:acme:sales.orders",
       "projects/example.com:acme/datasets/sales/tables/orders"},
      {"bigquery/v2:Table", "acme.sales.orders", "projects/acme/datasets/sales/tables/orders"},
      {"bigquery/v2:Table", "example.com:acme.sales.orders",
       "projects/example.com:acme/datasets/sales/tables/orders"},
      {"bigquery/v2:Routine", "acme:sales.total", "projects/acme/datasets/sales/routines/total"},
      {"bigquery/v2:Routine", "acme.sales.total", "projects/acme/datasets/sales/routines/total"},
      {"bigtableadmin/v2:Instance", "//bigtable.googleapis.com/projects/acme/instances/i",
       "projects/acme/instances/i"},
      {"storage/v1:Bucket", "projects/acme/buckets/data", "b/data"},
      {"storage/v1:Object", "projects/_/buckets/data/objects/a/objects/b", "b/data/o/a/objects/b"},
      {"storage/v1:Object", "//storage.googleapis.com/projects/_/buckets/data/objects/a",
       "b/data/o/a"},
      {"aiplatform/v1:Dataset",
       "//us-east1-aiplatform.googleapis.com/projects/acme/locations/us-east1/datasets/d",
       "projects/acme/locations/us-east1/datasets/d"},
      {"dataproc/v1:RegionCluster",
       "//us-east1-dataproc.googleapis.com/projects/acme/regions/us-east1/clusters/c",
       "projects/acme/regions/us-east1/clusters/c"},
      {"cloudresourcemanager/v3:Project", "projects/acme", "projects/acme"},
      {"cloudresourcemanager/v3:Project", "//cloudresourcemanager.googleapis.com/projects/acme",
       "projects/acme"},
      {"cloudresourcemanager/v3:Folder", "folders/123", "folders/123"},
      {"secretmanager/v1:Secret", "locations/eu/secrets/s", "projects/acme/locations/eu/secrets/s"},
      {"secretmanager/v1:Secret", "secrets/s", "projects/acme/secrets/s"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(CanonicalIamName(*FindIamRow(one.row), one.spelled, "acme"), one.canonical)
        << one.spelled;
  }
}

TEST(CanonicalIamName, KeepsTheUniqueIdOfAnAccountForTheServiceToResolve) {
  const IamRow& account = *FindIamRow("iam/v1:ServiceAccount");
  for (const char* name : {"projects/-/serviceAccounts/112233445566778899001",
                           "projects/acme/serviceAccounts/112233445566778899001"}) {
    EXPECT_EQ(CanonicalIamName(account, name, "acme"), name);
  }
}

TEST(PolicyName, IsOneWhereTwoRowsNameOnePolicy) {
  struct Case {
    const char* row;
    const char* name;
    const char* policy_row;
    const char* policy;
  };
  const Case cases[] = {
      {"run/v1:Workerpool", "projects/acme/locations/eu/workerpools/w", "run/v2:WorkerPool",
       "projects/acme/locations/eu/workerPools/w"},
      {"dataproc/v1:WorkflowTemplate", "projects/acme/locations/eu/workflowTemplates/t",
       "dataproc/v1:RegionWorkflowTemplate", "projects/acme/regions/eu/workflowTemplates/t"},
      {"discoveryengine/v1:DataStore", "projects/acme/locations/eu/dataStores/d",
       "discoveryengine/v1:CollectionDataStore",
       "projects/acme/locations/eu/collections/default_collection/dataStores/d"},
      {"pubsub/v1:Topic", "projects/acme/topics/t", "pubsub/v1:Topic", "projects/acme/topics/t"},
  };
  for (const Case& one : cases) {
    const IamRow& row = *FindIamRow(one.row);
    EXPECT_EQ(GetPolicyRow(row).id, one.policy_row);
    EXPECT_EQ(PolicyName(row, one.name), one.policy);
    EXPECT_EQ(GetPolicyName(row), GetPolicyName(GetPolicyRow(row)));
  }
}

TEST(PolicyName, OfEachRowIsOneOfTheRowThatHasThePolicy) {
  for (const IamRow& row : IamRows()) {
    for (const std::string& name : SampleNames(row)) {
      const std::string policy = PolicyName(row, name);
      EXPECT_EQ(CanonicalIamName(GetPolicyRow(row), policy, ""), policy) << row.id;
    }
  }
}

TEST(CanonicalIamName, IsNothingForNamesOfOthers) {
  struct Case {
    const char* row;
    const char* spelled;
  };
  const Case cases[] = {
      {"pubsub/v1:Topic", "//storage.googleapis.com/projects/acme/topics/t"},
      {"pubsub/v1:Topic", "//pubsub.googleapis.com"},
      {"pubsub/v1:Topic", "projects/acme/subscriptions/t"},
      {"storage/v1:Bucket", "projects/acme/buckets/"},
      {"storage/v1:Bucket", "projects/a/b/buckets/data"},
      {"storage/v1:ManagedFolder", "b/data/managedFolders/"},
      // A second spelling of a/b.
      {"storage/v1:ManagedFolder", "b/data/managedFolders/a%2Fb"},
      {"storage/v1:Object", "b/data/o/a%2fb"},
      {"bigquery/v2:Table", "acme:x.sales.orders"},
      {"bigquery/v2:Table", "sales.orders"},
      {"bigquery/v2:Table", "acme.sales.orders.x"},
      {"aiplatform/v1:Dataset",
       "//us-east1-aiplatform.googleapis.com/projects/acme/locations/eu/datasets/d"},
      {"dataproc/v1:RegionCluster",
       "https://us-east1-dataproc.googleapis.com/v1/projects/acme/regions/eu/clusters/c"},
      {"secretmanager/v1:Secret",
       "//secretmanager.us-east1.rep.googleapis.com/projects/acme/secrets/s"},
      {"pubsub/v1:Topic", "//us-east1-pubsub.googleapis.com/projects/acme/topics/t"},
      {"aiplatform/v1:Dataset",
       "//us-east1-aiplatform.example.com/projects/acme/locations/us-east1/datasets/d"},
      {"aiplatform/v1:Dataset",
       "//us-east1-aiplatform.googleapis.com.example.com/projects/acme/locations/us-east1/"
       "datasets/d"},
      {"bigtableadmin/v2:Instance", "//bigtable.example.com/projects/acme/instances/i"},
      {"bigtableadmin/v2:Instance", "https://bigtable.googleapis.com/v2/projects/acme/instances/i"},
      {"pubsub/v1:Topic", "//bigtable.googleapis.com/projects/acme/topics/t"},
      {"cloudresourcemanager/v3:Project", "projects"},
      {"cloudresourcemanager/v3:Project", "acme"},
      // Second names, which nobody resolves.
      {"iam/v1:ServiceAccount", "projects/-/serviceAccounts/bq@system.gserviceaccount.com"},
      {"compute/v1:Instance", "projects/acme/zones/z/instances/1234567890"},
      {"secretmanager/v1:Secret", "projects/acme/locations/a.evil/secrets/s"},
      {"pubsub/v1:Topic", "//pubsub.evil.example.com/projects/acme/topics/t"},
      {"pubsub/v1:Topic", "projects/0123/topics/t"},
      {"cloudresourcemanager/v3:Folder", "folders/0123"},
      {"cloudresourcemanager/v3:Organization", "organizations/0123"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(CanonicalIamName(*FindIamRow(one.row), one.spelled, "acme"), std::nullopt)
        << one.spelled;
  }
}

TEST(CanonicalIamName, KeepsEachFormOfEachRowAndTakesItAsAFullName) {
  for (const IamRow& row : IamRows()) {
    std::set<std::string> distinct;
    for (const std::string& name : SampleNames(row)) {
      EXPECT_EQ(CanonicalIamName(row, name, ""), name) << row.id;
      EXPECT_EQ(CanonicalIamName(row, "//" + std::string(row.host) + "/" + name, ""), name);
      EXPECT_TRUE(distinct.insert(name).second) << row.id << " has two forms of " << name;
      EXPECT_EQ(ComposeMessage(CheckIamName(row, name)), "") << row.id;
    }
  }
}

TEST(ReadIamName, WantsAProjectWhereNothingCompletesTheName) {
  EXPECT_THAT(ReadIamName(*FindIamRow("pubsub/v1:Topic"), "topics/t", ""),
              FailsWith(Code::kInvalidArgument, HasSubstr("carries no project")));
}

TEST(GetVariable, ReadsAPartOfACanonicalName) {
  const IamRow& secret = *FindIamRow("secretmanager/v1:Secret");
  EXPECT_EQ(GetVariable(secret, "projects/p/locations/l/secrets/s", "location"), "l");
  EXPECT_EQ(GetVariable(secret, "projects/p/secrets/s", "location"), "");
  EXPECT_EQ(GetVariable(secret, "projects/p/secrets/s", "secret"), "s");
}

std::string MakeLocation(const IamRow& row, const std::string& name) {
  const std::string_view location = GetVariable(row, name, "location");
  return std::string(location.empty() ? GetVariable(row, name, "region") : location);
}

/// The hosts that serve one location of the row's service.
std::vector<std::string> HostsOf(const IamRow& row, const std::string& location) {
  if (location.empty()) return {};
  const std::string host(row.host);
  return {location + "-" + host,
          host.substr(0, host.find('.')) + "." + location + ".rep.googleapis.com"};
}

/// How the tools and the other APIs of a service spell a name.
void AddSpellingsOfService(const IamRow& row, const std::string& name,
                           std::vector<std::string>& spellings) {
  if (row.service == "bigtableadmin") spellings.push_back("//bigtable.googleapis.com/" + name);
  if (row.service == "storage") {
    for (const char* project : {"_", "acme"}) {
      spellings.push_back("projects/" + std::string(project) + "/buckets/" + name.substr(2));
    }
  }
  if (row.service == "bigquery") {
    const auto parts = manifests::Split(name, '/');  // projects/P/datasets/D/COLLECTION/ID
    const std::string rest = std::string(parts[3]) + "." + std::string(parts[5]);
    for (const char* separator : {":", "."}) {
      spellings.push_back(std::string(parts[1]) + separator + rest);
    }
  }
}

/// All ways to spell a name that its row says are one.
std::vector<std::string> ListSpellings(const IamRow& row, const std::string& name) {
  constexpr std::string_view kAcme = "projects/acme/";
  std::vector<std::string> spellings = {name, "//" + std::string(row.host) + "/" + name};
  if (name.starts_with(kAcme)) spellings.push_back(name.substr(kAcme.size()));
  const std::vector<std::string_view> versions = manifests::Split(row.versions, ' ');
  for (const std::string_view version : versions) {
    std::string path(row.path);
    const auto at = path.find(versions.front());
    if (at == std::string::npos) continue;
    path.replace(at, versions.front().size(), version);
    for (const std::string_view host : {row.host, std::string_view("www.googleapis.com")}) {
      spellings.push_back("https://" + std::string(host) + "/" + path + name);
    }
  }
  for (const std::string& host : HostsOf(row, MakeLocation(row, name))) {
    spellings.push_back("//" + host + "/" + name);
    spellings.push_back("https://" + host + "/" + std::string(row.path) + name);
  }
  AddSpellingsOfService(row, name, spellings);
  return spellings;
}

/// Full names and URLs on hosts of other places and other domains.
std::vector<std::string> ForeignSpellingsOf(const IamRow& row, const std::string& name) {
  std::vector<std::string> hosts = HostsOf(row, "mars");
  const std::string own(row.host);
  for (const std::string& host : {"evil-" + own, own + ".example.com", own.substr(0, own.find('.')),
                                  "evil." + own, own.substr(0, own.find('.')) + ".example.com"}) {
    hosts.push_back(host);
  }
  std::vector<std::string> spellings;
  for (const std::string& host : hosts) {
    spellings.push_back("//" + host + "/" + name);
    spellings.push_back("https://" + host + "/" + std::string(row.path) + name);
  }
  return spellings;
}

TEST(CanonicalIamName, NoTwoSpellingsOfOneNameAndNoTwoNamesAreMistaken) {
  for (const IamRow& row : IamRows()) {
    std::set<std::string> identities;
    std::size_t names = 0;
    for (const std::string& sample : SampleNames(row)) {
      for (const char* ending : {"", "2", "-b"}) {
        const std::string name = sample + ending;
        if (!CanonicalIamName(row, name, "acme")) continue;  // It ends with a word of the form.
        ++names;
        for (const std::string& spelled : ListSpellings(row, name)) {
          const auto identity = CanonicalIamName(row, spelled, "acme");
          ASSERT_TRUE(identity) << row.id << " " << spelled;
          EXPECT_EQ(*identity, name) << row.id << " " << spelled;
          identities.insert(*identity);
        }
        for (const std::string& spelled : ForeignSpellingsOf(row, name)) {
          EXPECT_EQ(CanonicalIamName(row, spelled, "acme"), std::nullopt) << spelled;
        }
      }
    }
    EXPECT_EQ(identities.size(), names) << row.id;
    EXPECT_GT(names, 0U) << row.id;
  }
}

TEST(CanonicalIamName, AUrlOfAnotherServiceOrWithEscapesIsNoName) {
  const IamRow& image = *FindIamRow("compute/v1:Image");
  for (const char* url :
       {"https://storage.googleapis.com/compute/v1/projects/acme/global/images/i",
        "https://www.googleapis.com/storage/v1/projects/acme/global/images/i",
        "https://www.googleapis.com/compute/v9/projects/acme/global/images/i",
        "https://www.googleapis.com/compute/v1/projects/acme/global/images/i%2Fj",
        "https://www.googleapis.com/compute/v1/projects/acme/global/images/i?alt=json",
        "http://www.googleapis.com/compute/v1/projects/acme/global/images/i", "https://",
        "gs://i"}) {
    EXPECT_FALSE(CanonicalIamName(image, url, "acme")) << url;
  }
  EXPECT_FALSE(CanonicalIamName(*FindIamRow("storage/v1:Bucket"), "gs://", "acme"));
  EXPECT_FALSE(CanonicalIamName(*FindIamRow("storage/v1:Bucket"), "gs://data/object", "acme"));
  EXPECT_FALSE(CanonicalIamName(*FindIamRow("bigquery/v2:Table"), "acme:sales", "acme"));
}

}  // namespace
}  // namespace bindery::google
