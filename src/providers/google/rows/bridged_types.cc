#include "providers/google/rows/bridged_types.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bindery::google {
namespace {

/// Where the module and the type are not Terraform's words.
constexpr std::pair<std::string_view, std::string_view> kOtherwise[] = {
    {"google_bigquery_table", "bigquery"},
    {"google_cloud_run_service", "cloudrun"},
    {"google_cloudfunctions2_function", "cloudfunctionsv2function"},
    {"google_data_fusion_instance", "securitycenterinstance"},
    {"google_dns_managed_zone", "dnsdnsmanagedzone"},
    {"google_endpoints_service_consumers", "endpointsconsumers"},
    {"google_healthcare_hl7_v2_store", "healthcarehl7store"},
    {"google_iap_web_type_app_engine", "iapwebtypeappenging"},
    {"google_organization", "organizations"},
    {"google_privateca_ca_pool", "certificateauthoritycapool"},
    {"google_privateca_certificate_template", "certificateauthoritycertificatetemplate"},
    {"google_project", "projects"},
    {"google_scc_source", "securitycentersource"},
    {"google_scc_v2_organization_source", "securitycenterv2organizationsource"},
};

}  // namespace

std::string MakeBridgedType(std::string_view terraform_prefix, std::string_view suffix) {
  constexpr std::string_view kProvider = "google_";
  const auto* const other = std::ranges::find(
      kOtherwise, terraform_prefix, &std::pair<std::string_view, std::string_view>::first);
  std::string words(other != std::end(kOtherwise) ? other->second
                                                  : terraform_prefix.substr(kProvider.size()));
  words += suffix;
  std::erase(words, '_');
  return "gcp:" + words;
}

}  // namespace bindery::google
