#include "providers/google/severities.h"

namespace bindery {
namespace {

SeverityRules MakeRules() {
  SeverityRules rules;
  for (const char* everybody : {"allUsers", "allAuthenticatedUsers"}) {
    rules.push_back({.member = everybody, .severity = Severity::kCritical});
  }
  // Roles that let their holder change access itself, or everything.
  for (const char* owner : {"roles/owner", "roles/editor", "*admin*", "*owner"}) {
    rules.push_back({.role = owner, .severity = Severity::kCritical});
  }
  // Google grants the role of an agent once: a service that loses it stays broken until somebody
  // grants it again. Own accounts of such a name are rare, and lose nothing by an approval.
  rules.push_back({.role = "*serviceAgent", .severity = Severity::kHigh});
  // Who turns logs off, or exempts an account from them, hides what is done.
  rules.push_back({.role = "auditConfigs/*", .severity = Severity::kHigh});
  for (const char* agent :
       {"serviceAccount:service-*@*.iam.gserviceaccount.com",
        "serviceAccount:*@gcp-sa-*.iam.gserviceaccount.com",
        "serviceAccount:*@cloudservices.gserviceaccount.com",
        "serviceAccount:*@cloudbuild.gserviceaccount.com",
        "serviceAccount:*@system.gserviceaccount.com",
        "serviceAccount:*-compute@developer.gserviceaccount.com",
        "serviceAccount:*@appspot.gserviceaccount.com",
        "serviceAccount:bq-*@bigquery-encryption.iam.gserviceaccount.com",
        "serviceAccount:project-*@storage-transfer-service.iam.gserviceaccount.com"}) {
    rules.push_back({.member = agent, .severity = Severity::kHigh});
  }
  return rules;
}

}  // namespace

const SeverityRules& IamSeverities() {
  static const SeverityRules kRules = MakeRules();
  return kRules;
}

}  // namespace bindery
