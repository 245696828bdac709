#include "providers/google/rows/terraform_arguments.h"

#include <string>

namespace bindery::google {
namespace {

struct FamilyArgument {
  std::string_view family;
  std::string_view variable;
  std::string_view name = {};
  std::string_view value = {};
};

constexpr FamilyArgument kFamilyArguments[] = {
    {.family = "google_api_gateway_api", .variable = "location", .value = "global"},
    {.family = "google_api_gateway_api_config", .variable = "location", .value = "global"},
    {.family = "google_apigee_environment", .variable = "organization", .name = "org_id"},
    {.family = "google_beyondcorp_security_gateway_application",
     .variable = "location",
     .value = "global"},
    {.family = "google_bigtable_table", .variable = "instance", .name = "instance_name"},
    {.family = "google_dataplex_asset", .variable = "zone", .name = "dataplex_zone"},
    {.family = "google_endpoints_service_consumers", .variable = "service", .name = "service_name"},
    {.family = "google_iam_workload_identity_pool", .variable = "location", .value = "global"},
    {.family = "google_logging_log_view", .variable = "project", .name = "parent"},
};

}  // namespace

std::vector<manifests::TerraformArgument> ListTerraformArguments(
    std::string_view terraform_prefix) {
  std::vector<manifests::TerraformArgument> arguments;
  for (const FamilyArgument& each : kFamilyArguments) {
    if (each.family != terraform_prefix) continue;
    arguments.push_back(
        {std::string(each.variable), std::string(each.name), std::string(each.value)});
  }
  return arguments;
}

}  // namespace bindery::google
