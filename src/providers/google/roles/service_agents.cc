#include "providers/google/roles/service_agents.h"

#include <re2/set.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

struct ServiceAgent {
  const char* pattern;
  std::string_view role;  ///< Empty: Google grants it none.
  std::string_view source;
};

constexpr ServiceAgent kAgents[] = {
#include "providers/google/roles/service_agents.inc"
};

/// All patterns at once. Made at the first use: most programs never ask.
const re2::RE2::Set& Patterns() {
  static const re2::RE2::Set* const kPatterns = [] {
    auto* set = new re2::RE2::Set(re2::RE2::DefaultOptions, re2::RE2::ANCHOR_BOTH);
    for (const ServiceAgent& agent : kAgents) {
      if (set->Add(agent.pattern, nullptr) < 0) throw std::logic_error(agent.pattern);
    }
    if (!set->Compile())
      throw std::logic_error("the patterns of service agents take too much memory");
    return set;
  }();
  return *kPatterns;
}

/// Removes `prefix`; false: a different beginning.
bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool TakeEnd(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

/// Whether an account belongs to what the target belongs to.
enum class Belongs {
  kYes,
  kNo,      ///< It is that of another project, folder or organization.
  kUnknown  ///< Which the target belongs to does not follow from its name.
};

/// The owner of a target.
struct Owner {
  const std::string& target;
  const std::string& project_number;

  /// The segment behind `collection` ("projects/") at the start of the target's name; else empty.
  [[nodiscard]] std::string_view In(std::string_view collection) const {
    std::string_view name = target;
    return Take(name, collection) ? name.substr(0, name.find('/')) : std::string_view();
  }
  /// Policies of containers of projects are no place for the accounts of a single project.
  [[nodiscard]] bool HoldsProjects() const {
    return target.starts_with("organizations/") || target.starts_with("folders/") ||
           target.starts_with("billingAccounts/");
  }
  /// A project's number. Until the service has told that of the target's project, any may be its
  /// own.
  [[nodiscard]] Belongs OfNumber(std::string_view number) const {
    if (!project_number.empty()) return number == project_number ? Belongs::kYes : Belongs::kNo;
    if (HoldsProjects()) return Belongs::kNo;
    return In("projects/").empty() ? Belongs::kUnknown : Belongs::kYes;
  }
  /// A project's id. An id with a domain ("example.com:p") has a different spelling in addresses.
  [[nodiscard]] Belongs OfId(std::string_view id) const {
    if (HoldsProjects()) return Belongs::kNo;
    const std::string_view project = In("projects/");
    if (project.empty()) return Belongs::kUnknown;
    const bool known =
        !manifests::IsDecimal(project) && project.find(':') == std::string_view::npos;
    return !known || id == project ? Belongs::kYes : Belongs::kNo;
  }
  /// Which folder or organization a project or a folder lies in is not known.
  [[nodiscard]] Belongs OfNode(std::string_view collection, std::string_view number) const {
    const std::string_view own = In(collection);
    if (own.empty()) return Belongs::kUnknown;
    return own == number ? Belongs::kYes : Belongs::kNo;
  }
  /// The number in the agent's name, or the account is none that a number belongs to.
  [[nodiscard]] Belongs OfAgent(std::string_view email) const {
    std::string_view local = email.substr(0, email.find('@'));
    if (Take(local, "service-org-")) return OfNode("organizations/", local);
    if (Take(local, "service-folder-")) return OfNode("folders/", local);
    if (!Take(local, "service-project-") && !Take(local, "project-")) Take(local, "service-");
    return manifests::IsDecimal(local) ? OfNumber(local) : Belongs::kYes;
  }
};

std::optional<reconcilers::KeptAs> Kept(Belongs belongs, reconcilers::KeptAs as) {
  switch (belongs) {
    case Belongs::kYes:
      return as;
    case Belongs::kUnknown:
      return reconcilers::KeptAs::kUnknownAgent;
    case Belongs::kNo:
      break;
  }
  return std::nullopt;
}

/// An account of a project and the role from Google.
struct ProjectAccount {
  std::string_view end;  ///< Of the address; before it is the number or the id of the project.
  std::string_view role;
  bool by_id = false;
};

constexpr std::string_view kEditor = "roles/editor";
constexpr ProjectAccount kProjectAccounts[] = {
    {"@cloudbuild.gserviceaccount.com", "roles/cloudbuild.builds.builder"},
    {"-compute@developer.gserviceaccount.com", kEditor},
    {"@cloudservices.gserviceaccount.com", kEditor},
    {"@appspot.gserviceaccount.com", kEditor, true},
};

/// "p" of "firebase-adminsdk-x1@p.iam.gserviceaccount.com"; empty of any other address.
std::string_view ProjectOfFirebase(std::string_view email) {
  const auto at = email.find('@');
  if (at == std::string_view::npos || !Take(email, "firebase-adminsdk-")) return {};
  email.remove_prefix(email.find('@') + 1);
  return TakeEnd(email, ".iam.gserviceaccount.com") ? email : std::string_view();
}

/// One of the accounts that Google makes with a project, in the role from Google.
std::optional<Belongs> DefaultAccount(std::string_view email, std::string_view role,
                                      const Owner& owner) {
  for (const ProjectAccount& account : kProjectAccounts) {
    std::string_view name = email;
    if (role != account.role || !TakeEnd(name, account.end)) continue;
    if (account.by_id) return name.empty() ? std::nullopt : std::optional(owner.OfId(name));
    if (manifests::IsDecimal(name)) return owner.OfNumber(name);
  }
  const std::string_view project = ProjectOfFirebase(email);
  const bool firebase = role == "roles/firebase.sdkAdminServiceAgent" && !project.empty();
  return firebase ? std::optional(owner.OfId(project)) : std::nullopt;
}

/// The address as this universe of Google's has it. Elsewhere "X.iam.gserviceaccount.com" is
/// "X.PREFIX-system.iam.gserviceaccount.com", and so are domains without "iam".
std::string InDefaultUniverse(std::string_view principal) {
  std::string_view rest = principal;
  constexpr std::string_view kEnd = "-system.iam.gserviceaccount.com";
  const auto at = principal.find('@');
  if (at == std::string_view::npos || !TakeEnd(rest, kEnd)) return std::string(principal);
  const auto dot = rest.rfind('.');
  if (dot == std::string_view::npos || dot < at) return std::string(principal);
  const std::string_view domain = rest.substr(at + 1, dot - at - 1);
  const bool bare = domain == "cloudservices" || domain == "developer" || domain == "cloudbuild";
  return std::string(rest.substr(0, dot)) + (bare ? "" : ".iam") + ".gserviceaccount.com";
}

/// "service-123@…", "service-org-123@…"
bool HasAgentForm(std::string_view email) {
  std::string_view local = email.substr(0, email.find('@'));
  if (!Take(local, "service-")) return false;
  for (const std::string_view level : {"org-", "folder-", "project-"}) {
    if (Take(local, level)) break;
  }
  return manifests::IsDecimal(local);
}

/// An agent that may be too new for the table: as far as anybody knows, users have no projects of
/// such names.
bool MayBeNewAgent(std::string_view email) {
  std::string_view project = email;
  project.remove_prefix(std::min(project.find('@'), project.size()));
  return TakeEnd(project, ".iam.gserviceaccount.com") && project.starts_with("@gcp-sa-") &&
         project.find('.') == std::string_view::npos && HasAgentForm(email);
}

std::vector<int> FindRows(const std::string& principal) {
  std::vector<int> rows;
  (void)Patterns().Match(principal, &rows);
  return rows;
}

}  // namespace

std::optional<reconcilers::KeptAs> GrantedByGoogle(const Grant& grant, const std::string& target,
                                                   const std::string& project_number) {
  // Google never grants with a condition.
  if (grant.condition) return std::nullopt;
  const std::string principal = InDefaultUniverse(grant.principal);
  const std::string_view email = std::string_view(principal).substr(principal.find(':') + 1);
  const Owner owner{target, project_number};
  const bool account = principal.starts_with("serviceAccount:");
  if (account) {
    const auto belongs = DefaultAccount(email, grant.role, owner);
    if (belongs) return Kept(*belongs, reconcilers::KeptAs::kDefaultAccount);
  }
  const std::vector<int> rows = FindRows(principal);
  bool has_role = false;
  for (const int row : rows) {
    const std::string_view role = kAgents[row].role;
    has_role = has_role || !role.empty();
    if (!role.empty() && role == grant.role)
      return Kept(owner.OfAgent(email), reconcilers::KeptAs::kServiceAgent);
  }
  // A table older than a service cannot name the role of the service's agent.
  const bool new_role = HasAgentForm(email) && grant.role.ends_with("erviceAgent");
  const bool maybe = account && !has_role && (rows.empty() ? MayBeNewAgent(email) : new_role);
  return maybe ? Kept(owner.OfAgent(email), reconcilers::KeptAs::kUnknownAgent) : std::nullopt;
}

bool IsOfGoogle(const std::string& principal) {
  const std::string own = InDefaultUniverse(principal);
  if (!FindRows(own).empty()) return true;
  std::string_view email = own;
  if (!Take(email, "serviceAccount:")) return false;
  const bool of_project =
      std::any_of(std::begin(kProjectAccounts), std::end(kProjectAccounts),
                  [email](const ProjectAccount& account) { return email.ends_with(account.end); });
  return of_project || MayBeNewAgent(email);
}

std::optional<reconcilers::KeptAs> KeepGrantsOfGoogle(const Grant& grant,
                                                      const reconcilers::Desired& desired) {
  const std::string target =
      desired.claims.empty() ? "" : desired.claims.front().declaration.target;
  const auto as = GrantedByGoogle(grant, target, desired.project_number);
  const ProtectedPrincipals* configured = desired.protected_principals.get();
  const bool drifts = as == reconcilers::KeptAs::kDefaultAccount && configured != nullptr &&
                      configured->default_accounts == DefaultAccounts::kDrift;
  return drifts ? std::nullopt : as;
}

}  // namespace bindery::google
