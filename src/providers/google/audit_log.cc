#include "providers/google/audit_log.h"

#include <algorithm>
#include <span>
#include <utility>

#include "attribution/entry_text.h"
#include "core/access/target.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"
#include "reconcilers/project_identity.h"

namespace bindery::google {
namespace {

/// "setiampolicy" of "google.iam.v1.IAMPolicy.SetIamPolicy": services spell it differently.
std::string GetVerb(const std::string& method) {
  return AsciiLower(method.substr(method.find_last_of("./") + 1));
}

/// "deletetopic", or "delete" alone where the service is an older one.
bool IsDelete(const std::string& verb, const IamRow& row) {
  return verb == "delete" || verb == "delete" + AsciiLower(row.kind) ||
         verb == "delete" + AsciiLower(GetLastVariable(row));
}

/// The resource type of the service (empty: of any) that has such a name, which becomes the one on
/// record; null: none has. The entries of some services leave out the project, which the labels
/// tell: Cloud DNS writes "managedZones/zone".
const IamRow* LookUpRow(const std::string& service, const std::string& project,
                        std::string& target) {
  for (const IamRow& row : IamRows()) {
    if (!service.empty() && row.host != service) continue;
    if (auto name = CanonicalIamName(row, target, service.empty() ? "" : project)) {
      target = std::move(*name);
      return &row;
    }
  }
  return nullptr;
}

bool IsGoogleEntry(const Json& entry) { return FindMember(entry, "protoPayload") != nullptr; }

/// Without the first letter of a method, which some services write small. IAM itself writes
/// "SetIAMPolicy", and Cloud DNS "dns.managedZones.setiampolicy".
std::vector<std::string> Marks() { return {"etIamP", "etIAMP", "etiamp", "elete"}; }

/// Cloud Run's version 1 names a resource as Kubernetes does, "namespaces/acme/services/web", and
/// tells the location apart.
std::string WithLocation(const Json& entry, const Json& call, std::string name) {
  constexpr std::string_view kNamespaces = "namespaces/";
  if (!name.starts_with(kNamespaces)) return name;
  const std::size_t end = name.find('/', kNamespaces.size());
  std::string location = attribution::TextAt(entry, {"resource", "labels", "location"});
  const Json* told = FindPath(call, {"resourceLocation", "currentLocations"});
  if (location.empty() && told != nullptr && told->is_array() && told->size() == 1 &&
      told->front().is_string()) {
    location = told->front().get<std::string>();
  }
  if (end == std::string::npos || location.empty()) return name;
  return "projects/" + name.substr(kNamespaces.size(), end - kNamespaces.size()) + "/locations/" +
         location + name.substr(end);
}

/// The address of a service account with a unique id as name, if the labels have the address.
std::string WithAddress(const Json& entry, std::string name) {
  constexpr std::string_view kAccounts = "/serviceAccounts/";
  const std::size_t at = name.rfind(kAccounts);
  if (at == std::string::npos) return name;
  const std::string account = name.substr(at + kAccounts.size());
  const std::string address = attribution::TextAt(entry, {"resource", "labels", "email_id"});
  const bool numbered = account.find_first_not_of("0123456789") == std::string::npos;
  return numbered && !address.empty() ? name.substr(0, at + kAccounts.size()) + address : name;
}

/// The target's name as manifests have it: "//networksecurity.googleapis.com/" goes from its front,
/// and the number of a project becomes the id its labels tell.
std::string TargetOfCall(const Json& entry, const Json& call) {
  std::string name = attribution::TextAt(call, {"resourceName"});
  if (name.empty()) name = attribution::TextAt(call, {"request", "resource"});
  if (name.starts_with("//")) {
    const std::size_t end = name.find('/', 2);
    name = end == std::string::npos ? "" : name.substr(end + 1);
  }
  name = WithLocation(entry, call, std::move(name));
  constexpr std::string_view kProjects = "projects/";
  if (!name.starts_with(kProjects)) return name;
  name = WithAddress(entry, std::move(name));
  const std::size_t end = std::min(name.find('/', kProjects.size()), name.size());
  const std::string project = name.substr(kProjects.size(), end - kProjects.size());
  const std::string id = attribution::TextAt(entry, {"resource", "labels", "project_id"});
  const bool account = name.substr(end).starts_with("/serviceAccounts/");
  const bool number = project.find_first_not_of("0123456789") == std::string::npos;
  return (number || (account && project == "-")) && !id.empty()
             ? std::string(kProjects) + id + name.substr(end)
             : name;
}

/// A call that failed changed nothing.
bool CallFailed(const Json& call) {
  const Json* code = FindPath(call, {"status", "code"});
  return code != nullptr && code->is_number() && code->get<double>() != 0;
}

/// The principal behind a service account: the first of the delegation chain.
std::string GetImpersonator(const Json& identity) {
  const Json* chain = FindMember(identity, "serviceAccountDelegationInfo");
  if (chain == nullptr || !chain->is_array() || chain->empty()) return "";
  const Json& first = chain->front();
  const std::string email = attribution::TextAt(first, {"firstPartyPrincipal", "principalEmail"});
  return email.empty() ? attribution::TextAt(first, {"principalSubject"}) : email;
}

/// The added and removed grants, if the entry has them: possibly none.
std::optional<std::vector<AuditedGrant>> ReadDeltas(const Json& call) {
  std::vector<AuditedGrant> grants;
  std::size_t bytes = 0;
  bool told = false;
  for (const char* holder : {"serviceData", "metadata"}) {
    const Json* delta_of_policy = FindPath(call, {holder, "policyDelta"});
    if (delta_of_policy == nullptr || !delta_of_policy->is_object()) continue;
    told = true;
    const Json* deltas = FindMember(*delta_of_policy, "bindingDeltas");
    if (deltas == nullptr || deltas->empty()) continue;
    if (!deltas->is_array() || deltas->size() > attribution::kMostGrants) return std::nullopt;
    for (const Json& delta : *deltas) {
      const std::string action = attribution::TextAt(delta, {"action"});
      if (action != "ADD" && action != "REMOVE") return std::nullopt;
      grants.push_back({GrantFromJson(delta), action == "ADD"});
      if (!attribution::Fits(grants.back().grant, bytes)) return std::nullopt;
    }
    break;
  }
  return told ? std::optional(std::move(grants)) : std::nullopt;
}

void ReadCallDetail(const Json& call, AuditEntry& entry) {
  if (auto deltas = ReadDeltas(call)) {
    entry.detail = AuditDetail::kChanges;
    entry.grants = std::move(*deltas);
    return;
  }
  auto policy = attribution::GrantsOfBindings(FindPath(call, {"request", "policy", "bindings"}));
  if (!policy) return;
  entry.detail = AuditDetail::kPolicy;
  for (Grant& grant : *policy) entry.grants.push_back({std::move(grant)});
}

}  // namespace

std::optional<AuditEntry> ReadGoogleEntry(const Json& log_entry) {
  const Json* call = FindMember(log_entry, "protoPayload");
  if (call == nullptr || CallFailed(*call)) return std::nullopt;
  const std::string method = attribution::TextAt(*call, {"methodName"});
  const std::string verb = GetVerb(method);
  const bool may_remove = verb.starts_with("delete");
  // Storage has a separate word.
  const bool sets = verb == "setiampolicy" || verb == "setiampermissions";
  if (!sets && !may_remove) return std::nullopt;

  AuditEntry entry;
  entry.target = TargetOfCall(log_entry, *call);
  const IamRow* row =
      LookUpRow(attribution::TextAt(*call, {"serviceName"}),
                attribution::TextAt(log_entry, {"resource", "labels", "project_id"}), entry.target);
  const bool ours = row != nullptr && (!may_remove || IsDelete(verb, *row));
  const auto time = attribution::TimeIn(attribution::TextAt(log_entry, {"timestamp"}));
  // Which account a unique id is can only be told by the labels.
  if (reconcilers::IsAccountNumber(entry.target)) return std::nullopt;
  if (!ours || entry.target != attribution::CleanText(entry.target) || !time) return std::nullopt;
  if (!row->whole_policy) {
    entry.target = Target{GetPolicyName(*row), "", PolicyName(*row, entry.target)}.Key();
  }
  entry.time = *time;
  entry.id = attribution::CleanText(attribution::TextAt(log_entry, {"insertId"}));
  entry.method = attribution::CleanText(method);
  if (const Json* identity = FindMember(*call, "authenticationInfo"); identity != nullptr) {
    const std::string email = attribution::TextAt(*identity, {"principalEmail"});
    entry.actor = attribution::CleanText(
        email.empty() ? attribution::TextAt(*identity, {"principalSubject"}) : email);
    entry.impersonator = attribution::CleanText(GetImpersonator(*identity));
  }
  entry.agent = attribution::CleanText(
      attribution::TextAt(*call, {"requestMetadata", "callerSuppliedUserAgent"}));
  if (may_remove) {
    entry.detail = AuditDetail::kTargetRemoved;
  } else {
    ReadCallDetail(*call, entry);
  }
  return entry;
}

attribution::AuditLogReader GoogleAuditLog() { return {Marks(), IsGoogleEntry, ReadGoogleEntry}; }

}  // namespace bindery::google
