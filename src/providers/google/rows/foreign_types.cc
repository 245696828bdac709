#include "providers/foreign_types.h"

#include <algorithm>
#include <utility>

#include "core/text/ascii.h"

namespace bindery::google {

// Used by GrantsAccess and FindGrantingField of the registry.
bool IsGoogleAccessType(std::string_view type);
std::string_view FindGoogleGrantingField(std::string_view type);

namespace {

/// Words of types that grant access, in lower case, without separators.
constexpr std::string_view kGrantingWords[] = {"iambinding",
                                               "iammember",
                                               "iampolicy",
                                               "iamauditconfig",
                                               "iamdenypolicy",
                                               "iampartialpolicy",
                                               "policybinding",
                                               "datasetaccess",
                                               "accessboundarypolicy",
                                               "accesscontrol",
                                               "cloudidentitygroupmembership",
                                               "cloudidentitymembership",
                                               "cloudidentityv1membership",
                                               "cloudidentityv1beta1membership",
                                               "googleworkspacegroupmember",
                                               "googleworkspaceroleassignment",
                                               "privilegedaccessmanagerentitlement",
                                               "projectdefaultserviceaccounts",
                                               "rbacrolebinding",
                                               "rowaccesspolicy",
                                               "storagebucketacl",
                                               "storageobjectacl",
                                               "storagedefaultobjectacl"};

/// Such words in types that grant nothing.
constexpr std::string_view kOtherWords[] = {"customrole", "workloadidentitypool", "workforcepool"};

/// Types whose field `access` grants access, in all spellings.
constexpr std::string_view kDatasetTypes[] = {"bigquerydataset", "googlebigquerydataset",
                                              "gcpbigquerydataset", "gcpbigquerydatasetdataset",
                                              "googlenativebigqueryv2dataset"};

std::string JoinTypeWords(std::string_view type) {
  std::string words = AsciiLower(type);
  std::erase_if(words, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
  return words;
}

/// Config Connector's kinds are one word in mixed case, without a prefix: "IAMPolicyMember".
bool IsConnectorKind(std::string_view type) {
  const bool one_word = std::ranges::all_of(type, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  return one_word && !type.empty() && type.front() >= 'A' && type.front() <= 'Z';
}

bool IsOfGoogle(std::string_view type) {
  const std::string lower = AsciiLower(type);
  return lower.starts_with("google") || lower.starts_with("gcp:") || IsConnectorKind(type);
}

}  // namespace

bool IsGoogleAccessType(std::string_view type) {
  if (!IsOfGoogle(type)) return false;
  const std::string words = JoinTypeWords(type);
  const auto holds = [&words](std::string_view word) {
    return words.find(word) != std::string::npos;
  };
  return std::ranges::any_of(kGrantingWords, holds) && std::ranges::none_of(kOtherWords, holds);
}

std::string_view FindGoogleGrantingField(std::string_view type) {
  const bool dataset = IsOfGoogle(type) && std::ranges::find(kDatasetTypes, JoinTypeWords(type)) !=
                                               std::end(kDatasetTypes);
  return dataset ? "access" : "";
}

}  // namespace bindery::google

namespace bindery::providers {
namespace {

constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
    {"IAMServiceAccount", "google_service_account"},
    {"LoggingLogView", "google_logging_log_view"},
    {"RunJob", "google_cloud_run_v2_job"},
    {"RunService", "google_cloud_run_v2_service"},
};

std::string GetArgument(const std::map<std::string, std::string>& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? "" : found->second;
}

}  // namespace

std::map<std::string, std::string> DerivedAttributes(
    std::string_view type, const std::map<std::string, std::string>& arguments) {
  if (type != "google_service_account") return {};
  const std::string id = GetArgument(arguments, "account_id");
  const std::string project = GetArgument(arguments, "project");
  // The address of an account in a project of a domain, "example.com:acme", has another form.
  if (id.empty() || project.empty() || project.find(':') != std::string::npos) return {};
  const std::string email = id + "@" + project + ".iam.gserviceaccount.com";
  const std::string name = "projects/" + project + "/serviceAccounts/" + email;
  return {{"email", email}, {"member", "serviceAccount:" + email}, {"name", name}, {"id", name}};
}

std::string_view FamilyOfConnectorKind(std::string_view kind) {
  const auto* const found =
      std::ranges::find(kFamilies, kind, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kFamilies) ? std::string_view() : found->second;
}

bool IsGivenToEach(const std::vector<std::string>& texts) {
  static const std::vector<std::string> kGiven[] = {
      {"OWNER", "projectOwners"}, {"READER", "projectReaders"}, {"WRITER", "projectWriters"}};
  return std::ranges::find(kGiven, texts) != std::end(kGiven);
}

std::string_view ConnectorDomain() { return "cnrm.cloud.google.com/"; }

}  // namespace bindery::providers
