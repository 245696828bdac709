// Access by conditions about resources inside a target, and to names that no kind has.

#include <memory>

#include "unit/report/inherited_fixture.h"

namespace bindery::report {
namespace {

using testing::AcmeProject;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::InheritedAccessTest;
using ::testing::IsEmpty;
using testing::kOrganization;
using testing::Now;
using testing::On;
using testing::Role;

TEST_F(InheritedAccessTest, AnInheritedConditionMayBeAboutAResourceInside) {
  const char* secret = "projects/acme/secrets/key";
  const char* object = "b/data/o/2026/may.csv";
  struct Case {
    const char* expression;
    const char* target;
    const char* verdict;
    std::vector<std::string> depends_on = {};
  };
  const Case cases[] = {
      {"resource.type == 'secretmanager.googleapis.com/SecretVersion'",
       secret,
       "depends",
       {"resource.type"}},
      {"resource.name.startsWith('projects/42/secrets/key/versions/')",
       secret,
       "depends",
       {"resource.name"}},
      {"resource.name == 'projects/42/secrets/key/versions/3'",
       secret,
       "depends",
       {"resource.name"}},
      {"resource.name.startsWith('projects/42/secrets/other/versions/')", secret, "not granted"},
      {"resource.type == 'storage.googleapis.com/Object'", secret, "not granted"},
      {"resource.type == 'secretmanager.googleapis.com/SecretVersion' && "
       "resource.name.startsWith('projects/42/secrets/other')",
       secret, "not granted"},
      {"resource.type == 'secretmanager.googleapis.com/SecretVersion' && "
       "request.time < timestamp('2026-01-01T00:00:00Z')",
       secret, "not granted"},
      {"resource.type == 'secretmanager.googleapis.com/SecretVersion'",
       "projects/acme/secrets/key/versions/1", "granted"},
      {"resource.type == 'secretmanager.googleapis.com/Secret'",
       "projects/acme/secrets/key/versions/1", "not granted"},
      {"resource.type == 'cloudkms.googleapis.com/CryptoKeyVersion'",
       "projects/acme/locations/l/keyRings/r",
       "depends",
       {"resource.type"}},
      {"resource.type == 'storage.googleapis.com/Object'", "b/data", "depends", {"resource.type"}},
      {"resource.name.startsWith('projects/_/buckets/data/objects/2026/')",
       "b/data",
       "depends",
       {"resource.name"}},
      {"resource.name.startsWith('projects/_/buckets/other/')", "b/data", "not granted"},
      {"resource.type == 'storage.googleapis.com/Object'", object, "granted"},
      {"resource.type == 'compute.googleapis.com/Instance'", object, "not granted"},
      {"resource.name.startsWith('projects/_/buckets/data/objects/2025/')", object, "not granted"},
      {"resource.type == 'compute.googleapis.com/Instance'",
       "projects/acme",
       "depends",
       {"resource.type"}},
      {"resource.name.startsWith('projects/other/')", "projects/acme", "not granted"},
      {"resource.name.startsWith('projects/other/')", "folders/20", "depends", {"resource.name"}},
      {"resource.name.startsWith('projects/42/zones/')",
       "projects/acme",
       "depends",
       {"resource.name"}},
  };
  for (const Case& one : cases) {
    Scanned({Found("cloudresourcemanager:Organization", kOrganization,
                   {Role("roles/viewer", {"user:ana@example.com"}, one.expression)}, kOrganization),
             Found("storage:Bucket", "b/data", {})});
    EXPECT_THAT(Lines(On(one.target)),
                ElementsAre(std::string(one.verdict) +
                            " user:ana@example.com roles/viewer < organizations/1 (scan)"))
        << one.expression << " for " << one.target;
    if (report_.answers.size() != 1) continue;
    EXPECT_EQ(report_.answers[0].depends_on, one.depends_on) << one.expression;
  }
}

TEST_F(InheritedAccessTest, AConditionOnANameIsFalseWhereNoNameOfThatFormMeetsIt) {
  const char* secret = "projects/acme/secrets/key";
  const char* ring = "projects/acme/locations/l/keyRings/r";
  const char* key = "projects/acme/locations/l/keyRings/r/cryptoKeys/k";
  const char* numberless = "projects/beta/secrets/key";  // The scan does not tell its number.
  struct Case {
    const char* expression;
    const char* target;
    const char* verdict;
  };
  const Case cases[] = {
      {"endsWith('/secrets/other')", secret, "not granted"},
      {"endsWith('/secrets/other/versions/3')", secret, "not granted"},
      {"endsWith('/keyRings/other')", secret, "not granted"},
      {"endsWith('/secrets/key/versions/3')", secret, "depends"},
      {"endsWith('/versions/3')", secret, "depends"},
      {"endsWith('other')", secret, "depends"},
      {"endsWith('/secrets/key')", secret, "granted"},
      {"extract('secrets/{s}') == 'other'", secret, "not granted"},
      {"extract('secrets/{s}/versions') == 'other'", secret, "not granted"},
      {"extract('secrets/{s}/versions') in ['other', 'third']", secret, "not granted"},
      {"extract('secrets/{s}/versions') in ['other', 'key']", secret, "depends"},
      {"extract('projects/{p}/') == '43'", secret, "not granted"},
      {"extract('projects/{p}/secrets') == '42'", secret, "depends"},
      {"extract('versions/{v}') == '3'", secret, "depends"},
      {"extract('versions/{v}') == 'a/b'", secret, "not granted"},
      {"extract('buckets/{b}/objects') == 'other'", "b/data", "not granted"},
      {"extract('buckets/{b}') == 'other/objects/a'", "b/data", "not granted"},
      {"extract('buckets/{b}') == 'data/objects/a'", "b/data", "depends"},
      {"extract('buckets/{b}').startsWith('other')", "b/data", "not granted"},
      {"extract('buckets/{b}/objects').endsWith('a')", "b/data", "depends"},
      {"extract('objects/{o}/') == '2026'", "b/data", "depends"},
      // An object may have this end.
      {"endsWith('/buckets/other')", "b/data", "depends"},
      {"endsWith('/buckets/other')", "b/data/o/a", "not granted"},
      {"endsWith('/keyRings/other')", ring, "not granted"},
      {"endsWith('/cryptoKeys/other')", ring, "depends"},
      {"endsWith('/cryptoKeys/other')", key, "not granted"},
      {"endsWith('/secrets/other')", "projects/acme", "depends"},
      {"extract('projects/{p}/') == 'other'", "projects/acme", "depends"},
      {"endsWith('/secrets/other')", numberless, "not granted"},
      {"endsWith('/secrets/key')", numberless, "granted"},
      {"endsWith('/secrets/key/versions/1')", numberless, "depends"},
      {"startsWith('projects/43/secrets/key')", numberless, "depends"},
      {"startsWith('projects/43/secrets/other')", numberless, "not granted"},
      {"extract('secrets/{s}/versions') == 'other'", numberless, "not granted"},
      {"endsWith('/versions/2')", "projects/beta/secrets/key/versions/1", "not granted"},
      {"endsWith('/versions/1')", "projects/beta/secrets/key/versions/1", "granted"},
      // Pub/Sub gives no names.
      {"endsWith('other')", kTopic, "depends"},
      {"extract('topics/{t}') == 'other'", kTopic, "depends"},
  };
  found_ = {Found("storage:Bucket", "b/data", {})};
  for (const Case& one : cases) {
    const std::string expression = std::string("resource.name.") + one.expression;
    EXPECT_EQ(VerdictFor(expression, one.target), one.verdict)
        << expression << " for " << one.target;
  }
  EXPECT_EQ(VerdictFor("resource.name == 'projects/43/secrets/other'", numberless), "not granted");
  EXPECT_EQ(VerdictFor("resource.name != 'projects/43/secrets/other'", numberless), "granted");
  EXPECT_EQ(VerdictFor("resource.name == 'projects/43/secrets/key'", numberless), "depends");
  EXPECT_EQ(VerdictFor("!resource.name.endsWith('/secrets/other')", secret), "granted");
}

TEST_F(InheritedAccessTest, TheHostOfANameWithoutAKindTellsTheService) {
  const char* dataset = "//bigquery.googleapis.com/projects/acme/datasets/d";
  const char* cluster = "//container.googleapis.com/projects/acme/locations/l/clusters/c";
  const char* database = "//cloudsql.googleapis.com/projects/acme/instances/i";
  const char* lake = "//lakes.googleapis.com/projects/acme/lakes/l";
  struct Case {
    const char* expression;
    const char* target;
    const char* verdict;
  };
  const Case cases[] = {
      {"resource.service == 'bigquery.googleapis.com'", dataset, "granted"},
      {"resource.service == 'storage.googleapis.com'", dataset, "not granted"},
      {"resource.type == 'bigquery.googleapis.com/Dataset'", dataset, "granted"},
      {"resource.type == 'bigquery.googleapis.com/Table'", dataset, "depends"},
      {"resource.type == 'storage.googleapis.com/Bucket'", dataset, "not granted"},
      {"resource.name.endsWith('/datasets/other')", dataset, "not granted"},
      {"resource.name.startsWith('projects/acme/datasets/d/tables/')", dataset, "depends"},
      {"resource.service == 'container.googleapis.com'", cluster, "granted"},
      {"resource.service == 'storage.googleapis.com'", cluster, "not granted"},
      {"resource.type == 'container.googleapis.com/Cluster'", cluster, "depends"},
      {"resource.type == 'storage.googleapis.com/Bucket'", cluster, "not granted"},
      {"resource.type.startsWith('storage.googleapis.com/')", cluster, "not granted"},
      {"resource.type != 'storage.googleapis.com/Bucket'", cluster, "depends"},
      {"resource.name.endsWith('/clusters/other')", cluster, "depends"},
      {"resource.service == 'sqladmin.googleapis.com'", database, "granted"},
      {"resource.service == 'cloudsql.googleapis.com'", database, "not granted"},
      // Conditions know no attributes of that service.
      {"resource.service == 'storage.googleapis.com'", lake, "depends"},
      {"resource.type == 'storage.googleapis.com/Bucket'", lake, "depends"},
      // Types of locations name no service.
      {"resource.type == 'cloud.googleapis.com/Location'",
       "//cloudkms.googleapis.com/projects/acme/locations/l", "depends"},
      {"resource.type == 'storage.googleapis.com/Bucket'", "projects/acme/regions/r/subnetworks/s",
       "not granted"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(VerdictFor(one.expression, one.target), one.verdict)
        << one.expression << " for " << one.target;
  }
  // Also of a resource that a scan shows.
  found_ = {{dataset, "bigquery.googleapis.com/Dataset", "bigquery.googleapis.com/Dataset", dataset,
             "projects/42", "[]"}};
  EXPECT_EQ(VerdictFor("resource.type == 'bigquery.googleapis.com/Dataset'", dataset), "granted");
  EXPECT_EQ(VerdictFor("resource.service == 'storage.googleapis.com'", dataset), "not granted");
}

TEST_F(InheritedAccessTest, AGivenAttributeComesBeforeWhatAHostTells) {
  AccessQuery query = On("//container.googleapis.com/projects/acme/locations/l/clusters/c");
  query.attributes = {{"resource.type", "storage.googleapis.com/Bucket"}};
  Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/viewer", {"user:ana@example.com"},
                       "resource.type == 'storage.googleapis.com/Bucket'")})});
  EXPECT_THAT(Lines(query),
              ElementsAre("granted user:ana@example.com roles/viewer < projects/acme (scan)"));
}

TEST_F(InheritedAccessTest, APermissionIsAskedOfTheTargetOrOfWhatIsInside) {
  dir_.Write("roles.json", R"([{"name": "roles/r", "includedPermissions": [
    "secretmanager.versions.access", "secretmanager.secrets.get", "secretmanager.secrets.list"]}])");
  const char* of_secrets = "resource.type == 'secretmanager.googleapis.com/Secret'";
  const char* of_versions = "resource.type == 'secretmanager.googleapis.com/SecretVersion'";
  const char* of_all = "resource.service == 'secretmanager.googleapis.com'";
  struct Case {
    const char* permission;
    const char* expression;
    const char* verdict;
  };
  const Case cases[] = {
      {"secretmanager.versions.access", of_versions, "depends"},
      {"secretmanager.versions.access", of_secrets, "depends"},
      {"secretmanager.versions.access", of_all, "granted"},
      {"secretmanager.versions.access", "request.time > timestamp('2026-01-01T00:00:00Z')",
       "granted"},
      {"secretmanager.secrets.get", of_secrets, "granted"},
      {"secretmanager.secrets.get", of_versions, "not granted"},
      {"secretmanager.secrets.list", of_secrets, "depends"},
  };
  for (const Case& one : cases) {
    Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                   {Role("roles/r", {"user:ana@example.com"}, one.expression)})});
    AccessQuery query = On("projects/acme/secrets/key");
    query.permission = one.permission;
    roles_ = std::make_shared<const access::RolePermissions>(
        *access::RolePermissions::Read({dir_ / "roles.json"}, query.permission));
    EXPECT_THAT(Lines(query), ElementsAre(std::string(one.verdict) +
                                          " user:ana@example.com roles/r < projects/acme (scan)"))
        << one.permission << " " << one.expression;
  }
}

TEST_F(InheritedAccessTest, AFullNameWithoutAKindIsAnsweredFromWhatIsAround) {
  Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/editor", {"user:ana@example.com"})}),
           Found("secretmanager:Secret", "projects/acme/secrets/key",
                 {Role("roles/viewer", {"user:sam@example.com"})})});
  const std::string editor = "granted user:ana@example.com roles/editor < projects/acme (scan)";
  const std::string viewer =
      "granted user:sam@example.com roles/viewer < projects/acme/secrets/key (scan)";
  struct Case {
    const char* target;
    std::vector<std::string> lines;
  };
  const Case cases[] = {
      {"//bigquery.googleapis.com/projects/acme/datasets/d", {editor}},
      {"//container.googleapis.com/projects/acme/locations/l/clusters/c", {editor}},
      {"//file.googleapis.com/projects/42/locations/l/instances/i", {editor}},
      {"projects/acme/secrets/key/versions/1", {viewer, editor}},
      {"//secretmanager.googleapis.com/projects/42/secrets/key/versions/1", {viewer, editor}},
      {"projects/acme/secrets/other/versions/1", {editor}},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(Lines(On(one.target)), one.lines) << one.target;
    EXPECT_THAT(report_.notes, ::testing::Contains(HasSubstr("the answer is what it inherits")));
    EXPECT_THAT(report_.notes, ::testing::Each(::testing::Not(HasSubstr("for example"))));
  }
  EXPECT_THAT(
      AccessReport(Records(), On("//file.googleapis.com/projects/other/things/i"), Now()),
      FailsWith(Code::kNotFound, HasSubstr("neither its policy nor one above it is known")));
}

TEST_F(InheritedAccessTest, AContainerIsFoundByItsNumberAndWithoutAPolicy) {
  Read(AcmeProject(), {Role("roles/owner", {"user:olga@example.com"})}, "2026-11-21T11:00:00Z");
  Scanned({});
  EXPECT_THAT(Lines(On("projects/42")), ElementsAre("granted user:olga@example.com roles/owner"))
      << "only the policy of the project is known";
  EXPECT_THAT(report_.notes, IsEmpty());
  EXPECT_THAT(Lines(On(kOrganization)), IsEmpty());
  EXPECT_THAT(report_.notes,
              ElementsAre("organizations/1 was not read, and scans show no policy of it",
                          "nobody holds anything"));
  EXPECT_THAT(AccessReport(Records(), On("organizations/2"), Now()),
              FailsWith(Code::kNotFound, HasSubstr("neither its policy")));
}

}  // namespace
}  // namespace bindery::report
