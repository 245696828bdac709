// How Terraform's arguments name the resource of a policy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "providers/registry/kinds.h"
#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A binding of that type with these arguments.
Conversion ConvertedBinding(const std::string& type, const std::string& arguments) {
  const providers::Kinds kinds;
  const std::string program =
      R"({"resource": {")" + type + R"(_iam_binding": {"a": {)" + arguments +
      R"(, "role": "roles/viewer", "members": ["user:ana@example.com"]}}}})";
  Expected<Conversion> made =
      ConvertProgram(program, "p.tf.json", {.form = ProgramForm::kTerraform}, kinds);
  return made ? std::move(*made) : Conversion{};
}

TEST(TerraformNames, ArgumentsMakeUpTheNameOfTheResource) {
  struct Case {
    const char* type;
    const char* arguments;
    const char* name;
  };
  const Case cases[] = {
      {"google_iap_web_cloud_run_service",
       R"("project": "acme", "location": "eu", "cloud_run_service_name": "s")",
       "projects/acme/iap_web/cloud_run-eu/services/s"},
      {"google_iap_web_region_backend_service",
       R"("project": "acme", "region": "eu", "web_region_backend_service": "s")",
       "projects/acme/iap_web/compute-eu/services/s"},
      {"google_logging_log_view",
       R"("parent": "projects/acme", "location": "global", "bucket": "b", "name": "v")",
       "projects/acme/locations/global/buckets/b/views/v"},
      {"google_logging_log_view",
       R"("parent": "projects/acme", "location": "eu",
          "bucket": "projects/acme/locations/eu/buckets/b", "name": "v")",
       "projects/acme/locations/eu/buckets/b/views/v"},
      {"google_apigee_environment", R"("org_id": "acme", "env_id": "test")",
       "organizations/acme/environments/test"},
      {"google_apigee_environment", R"("org_id": "organizations/acme", "env_id": "test")",
       "organizations/acme/environments/test"},
      {"google_dataplex_asset",
       R"("project": "acme", "location": "eu", "lake": "l", "dataplex_zone": "z", "asset": "a")",
       "projects/acme/locations/eu/lakes/l/zones/z/assets/a"},
      {"google_endpoints_service_consumers",
       R"("service_name": "api.example.com", "consumer_project": "acme")",
       "services/api.example.com/consumers/acme"},
      {"google_iam_workload_identity_pool",
       R"("project": "acme", "workload_identity_pool_id": "p")",
       "projects/acme/locations/global/workloadIdentityPools/p"},
      {"google_beyondcorp_security_gateway_application",
       R"("project": "acme", "security_gateway_id": "g", "application_id": "a")",
       "projects/acme/locations/global/securityGateways/g/applications/a"},
      {"google_bigtable_table", R"("project": "acme", "instance_name": "i", "table": "t")",
       "projects/acme/instances/i/tables/t"},
      {"google_bigtable_table", R"("project": "acme", "instance": "i", "table": "t")",
       "projects/acme/instances/i/tables/t"},
      {"google_kms_key_ring", R"("key_ring_id": "acme/us-east1/ring")",
       "projects/acme/locations/us-east1/keyRings/ring"},
      {"google_kms_key_ring", R"("key_ring_id": "us-east1/ring")",
       "locations/us-east1/keyRings/ring"},
      {"google_kms_key_ring", R"("key_ring_id": "projects/acme/locations/us-east1/keyRings/ring")",
       "projects/acme/locations/us-east1/keyRings/ring"},
      {"google_kms_crypto_key", R"("crypto_key_id": "acme/us-east1/ring/key")",
       "projects/acme/locations/us-east1/keyRings/ring/cryptoKeys/key"},
      {"google_healthcare_dataset", R"("dataset_id": "acme/us/d")",
       "projects/acme/locations/us/datasets/d"},
      {"google_healthcare_fhir_store", R"("fhir_store_id": "acme/us/d/s")",
       "projects/acme/locations/us/datasets/d/fhirStores/s"},
      {"google_pubsub_topic", R"("topic": "topics/t")", "topics/t"},
      {"google_pubsub_topic", R"("project": "acme", "topic": "topics/t")",
       "projects/acme/topics/t"},
      {"google_kms_key_ring", R"("project": "acme", "key_ring_id": "locations/us/keyRings/ring")",
       "projects/acme/locations/us/keyRings/ring"},
      {"google_pubsub_topic", R"("topic": "acme/t")", "projects/acme/topics/t"},
      {"google_scc_source", R"("organization": "123", "source": "456")",
       "organizations/123/sources/456"},
      {"google_scc_v2_organization_source", R"("organization": "123", "source": "456")",
       "organizations/123/sources/456"},
      {"google_scc_v2_organization_source",
       R"("organization": "123", "source": "organizations/123/sources/456")",
       "organizations/123/sources/456"},
      {"google_storage_managed_folder", R"("bucket": "b", "managed_folder": "x/y/")",
       "b/b/managedFolders/x/y/"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.type) + " " + one.arguments);
    const Conversion made = ConvertedBinding(one.type, one.arguments);
    EXPECT_THAT(MakeRemarks(made), IsEmpty());
    EXPECT_THAT(ManifestsOf(made), HasSubstr("\n  name: " + std::string(one.name) + "\n"));
  }
}

TEST(TerraformNames, ArgumentsThatNameSomethingElseAreRefused) {
  struct Case {
    const char* type;
    const char* arguments;
    const char* reason;
  };
  const Case cases[] = {
      {"google_logging_log_view",
       R"("parent": "folders/1", "location": "global", "bucket": "b", "name": "v")",
       "\"parent\" is"},
      {"google_logging_log_view",
       R"("parent": "projects/acme", "location": "eu",
          "bucket": "projects/other/locations/eu/buckets/b", "name": "v")",
       "\"bucket\" is of another form"},
      {"google_kms_key_ring", R"("key_ring_id": "acme/us-east1/ring/key/1")",
       "not a resource name"},
      {"google_kms_key_ring", R"("key_ring_id": "ring")", "nor a \"location\""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.type) + " " + one.arguments);
    const Conversion made = ConvertedBinding(one.type, one.arguments);
    EXPECT_THAT(made.drafts, IsEmpty());
    EXPECT_THAT(MakeRemarks(made), ::testing::Contains(HasSubstr(one.reason)));
  }
}

}  // namespace
}  // namespace bindery::convert
