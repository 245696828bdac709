#include "providers/google/service_agents.h"

#include <re2/set.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bindery {
namespace {

struct ServiceAgent {
  const char* pattern;
  std::string_view role;
};

constexpr ServiceAgent kAgents[] = {
#include "providers/google/service_agents.inc"
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

constexpr std::string_view kServiceAccount = "serviceAccount:";

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Takes `prefix` off; false: it does not begin so.
bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// What a target belongs to.
struct Owner {
  const std::string& target;
  const std::string& project_number;

  /// The segment behind `collection` ("projects/") at the start of the target's name; else empty.
  [[nodiscard]] std::string_view In(std::string_view collection) const {
    std::string_view name = target;
    return Take(name, collection) ? name.substr(0, name.find('/')) : std::string_view();
  }
  [[nodiscard]] bool MayHaveNumber(std::string_view number) const {
    return project_number.empty() || number == project_number;
  }
  /// Whether `collection` holds the target under that number; which folder or organization a
  /// project lies in is not known.
  [[nodiscard]] bool MayBeIn(std::string_view collection, std::string_view number) const {
    const std::string_view own = In(collection);
    return own.empty() || number == own;
  }
  /// A project without a domain ("example.com:p" has one) whose id is another one.
  [[nodiscard]] bool MayHaveId(std::string_view id) const {
    const std::string_view project = In("projects/");
    const bool known =
        !project.empty() && !IsNumber(project) && project.find(':') == std::string_view::npos;
    return !known || id == project;
  }
  /// The number in the agent's name is that of the target's project, folder or organization, or the
  /// target's is not known.
  [[nodiscard]] bool MayOwnAgent(std::string_view email) const {
    std::string_view local = email.substr(0, email.find('@'));
    if (Take(local, "service-org-")) return MayBeIn("organizations/", local);
    if (Take(local, "service-folder-")) return MayBeIn("folders/", local);
    if (!Take(local, "service-project-") && !Take(local, "project-")) Take(local, "service-");
    return !IsNumber(local) || MayHaveNumber(local);
  }
};

/// One of the accounts that Google makes with a project, of the target's project, in the role that
/// it grants it.
bool IsDefaultAccount(std::string_view email, std::string_view role, const Owner& owner) {
  const std::size_t at = std::min(email.find('@'), email.size());
  std::string_view local = email.substr(0, at);
  const std::string_view domain = email.substr(at);
  if (role == "roles/cloudbuild.builds.builder") {
    return domain == "@cloudbuild.gserviceaccount.com" && IsNumber(local) &&
           owner.MayHaveNumber(local);
  }
  if (role != "roles/editor") return false;
  if (domain == "@appspot.gserviceaccount.com") return !local.empty() && owner.MayHaveId(local);
  if (domain == "@developer.gserviceaccount.com") {
    constexpr std::string_view kCompute = "-compute";
    if (!local.ends_with(kCompute)) return false;
    local.remove_suffix(kCompute.size());
  } else if (domain != "@cloudservices.gserviceaccount.com") {
    return false;
  }
  return IsNumber(local) && owner.MayHaveNumber(local);
}

}  // namespace

std::optional<KeptAs> GrantedByGoogle(const Grant& grant, const std::string& target,
                                      const std::string& project_number) {
  // A condition is nothing that Google grants with.
  if (grant.condition || !grant.principal.starts_with(kServiceAccount)) return std::nullopt;
  const std::string_view email = std::string_view(grant.principal).substr(kServiceAccount.size());
  const Owner owner{target, project_number};
  if (IsDefaultAccount(email, grant.role, owner)) return KeptAs::kDefaultAccount;
  std::vector<int> found;
  if (!Patterns().Match(grant.principal, &found) || !owner.MayOwnAgent(email)) return std::nullopt;
  for (const int index : found) {
    if (kAgents[index].role == grant.role) return KeptAs::kServiceAgent;
  }
  return std::nullopt;
}

std::optional<KeptAs> KeepGrantsOfGoogle(const Grant& grant, const Desired& desired) {
  const std::string target =
      desired.claims.empty() ? "" : desired.claims.front().declaration.target;
  const auto as = GrantedByGoogle(grant, target, desired.project_number);
  const ProtectedPrincipals* configured = desired.protected_principals.get();
  const bool drifts = as == KeptAs::kDefaultAccount && configured != nullptr &&
                      configured->default_accounts == DefaultAccounts::kDrift;
  return drifts ? std::nullopt : as;
}

}  // namespace bindery
