#include "providers/google/roles/member_forms.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "core/text/ascii.h"
#include "core/text/nearest.h"
#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

constexpr std::string_view kIamHost = "iam.googleapis.com";
constexpr std::string_view kResourceManagerHost = "cloudresourcemanager.googleapis.com";
constexpr std::string_view kDenyHost = "goog";

/// "iam.googleapis.com" and {"projects", "1", …} of "principal://iam.googleapis.com/projects/1/…".
struct PrincipalIdentifier {
  std::string_view host;
  std::vector<std::string_view> path;
};

PrincipalIdentifier ReadPrincipal(std::string_view member) {
  constexpr std::string_view kSlashes = "://";
  const auto begin = member.find(kSlashes);
  if (begin == std::string_view::npos) return {};
  std::vector<std::string_view> parts =
      manifests::Split(member.substr(begin + kSlashes.size()), '/');
  const std::string_view host = parts.front();
  parts.erase(parts.begin());
  return {host, std::move(parts)};
}

/// Whether "locations/global/COLLECTION/POOL/…" begins there in the path.
bool IsPool(const std::vector<std::string_view>& path, std::size_t at,
            std::string_view collection) {
  return path.size() > at + 3 && path[at] == "locations" && path[at + 1] == "global" &&
         path[at + 2] == collection && !path[at + 3].empty();
}

/// The member of the pool: "subject/…", "group/…", "attribute.x/…", "*".
PrincipalForm FormOfPool(const std::vector<std::string_view>& path, std::size_t pool) {
  constexpr std::string_view kWithValue[] = {"subject", "group", "namespace", "kubernetes.cluster",
                                             "kubernetes.serviceaccount.uid"};
  constexpr std::string_view kAttribute = "attribute.";
  const std::string_view who = path.size() > pool + 1 ? path[pool + 1] : std::string_view();
  const bool attribute = who.starts_with(kAttribute);
  const bool has_value = path.size() > pool + 2 && !path[pool + 2].empty();
  const bool needs_value = attribute || std::ranges::find(kWithValue, who) != std::end(kWithValue);
  const bool says_who = !who.empty() && who != "providers" && who != kAttribute;
  return says_who && (has_value || !needs_value) ? PrincipalForm::kAllowed
                                                 : PrincipalForm::kWholePool;
}

/// Whether the part behind the pool fits the type: one identity "principal:", a set
/// "principalSet:". Parts that are not known fit both.
bool FitsType(std::string_view member, const std::vector<std::string_view>& path) {
  constexpr std::string_view kOne[] = {"subject", "kubernetes.serviceaccount.uid"};
  constexpr std::string_view kSets[] = {"*", "group", "namespace", "kubernetes.cluster"};
  const std::size_t who = path.front() == "projects" ? 6 : 4;
  if (path.size() <= who) return true;
  const bool one = std::ranges::find(kOne, path[who]) != std::end(kOne);
  const bool set =
      std::ranges::find(kSets, path[who]) != std::end(kSets) || path[who].starts_with("attribute.");
  return member.starts_with("principalSet:") ? !one : !set;
}

PrincipalForm FormOfIam(const std::vector<std::string_view>& path) {
  if (IsPool(path, 0, "workforcePools")) return FormOfPool(path, 3);
  if (path.size() > 1 && path[0] == "locations") return PrincipalForm::kOfBoundary;
  if (path.size() < 3 || path[0] != "projects") return PrincipalForm::kPoolWithoutProject;
  if (path[2] == "serviceAccounts") return PrincipalForm::kAlsoAccount;
  if (!IsPool(path, 2, "workloadIdentityPools")) return PrincipalForm::kPoolWithoutProject;
  return manifests::IsDecimal(path[1]) ? FormOfPool(path, 5) : PrincipalForm::kProjectId;
}

/// "projects/1/type/ServiceAccount"
PrincipalForm FormOfResourceManager(const std::vector<std::string_view>& path) {
  if (path.size() < 4 || path[2] != "type" || path[3].empty()) return PrincipalForm::kOfBoundary;
  return manifests::IsDecimal(path[1]) ? PrincipalForm::kAllowed : PrincipalForm::kProjectId;
}

std::string JoinedPath(const std::vector<std::string_view>& path, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < path.size(); ++i) {
    text += (i == from ? "" : "/") + std::string(path[i]);
  }
  return text;
}

}  // namespace

bool IsServiceAccountAddress(std::string_view address) {
  constexpr std::string_view kDomain = "gserviceaccount.com";
  const auto at = address.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string domain = AsciiLower(address.substr(at + 1));
  return domain == kDomain || domain.ends_with("." + std::string(kDomain));
}

std::string MemberOfItsType(std::string_view member) {
  constexpr std::string_view kAccount = "serviceAccount";
  const auto colon = member.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view type = member.substr(0, colon);
  const std::string_view address = member.substr(colon + 1);
  if (type != "user" && type != "group" && type != kAccount) return "";
  if (!manifests::IsEmail(address)) return "";  // Also the identities of clusters.
  const bool is_account = IsServiceAccountAddress(address);
  if (is_account == (type == kAccount)) return "";
  return std::string(is_account ? kAccount : "user") + ":" + std::string(address);
}

PrincipalForm FormOfPrincipal(std::string_view member) {
  const PrincipalIdentifier read = ReadPrincipal(member);
  if (read.host == kDenyHost) return PrincipalForm::kOfDenyPolicy;
  if (read.host == kIamHost) {
    const PrincipalForm form = FormOfIam(read.path);
    const bool fits = form != PrincipalForm::kAllowed || FitsType(member, read.path);
    return fits ? form : PrincipalForm::kOtherType;
  }
  if (read.host == kResourceManagerHost) return FormOfResourceManager(read.path);
  return IntendedHost(member).empty() ? PrincipalForm::kAllowed : PrincipalForm::kMisspelledHost;
}

std::string IntendedHost(std::string_view member) {
  static const std::vector<std::string> kHosts = {std::string(kIamHost),
                                                  std::string(kResourceManagerHost)};
  const PrincipalIdentifier read = ReadPrincipal(member);
  return read.host.empty() ? "" : NearestSpelling(read.host, kHosts).value_or("");
}

std::string_view PoolInPrincipal(std::string_view member) {
  constexpr std::size_t kParts = 6;
  const auto begin = member.find("projects/");
  if (begin == std::string_view::npos) return {};
  std::size_t end = begin;
  for (std::size_t part = 0; part < kParts && end < member.size(); ++part) {
    end = std::min(member.find('/', end + 1), member.size());
  }
  return member.substr(begin, end - begin);
}

std::string StripDeleted(std::string_view member) {
  const PrincipalIdentifier read = ReadPrincipal(member);
  if (read.host == kIamHost && FormOfIam(read.path) == PrincipalForm::kAlsoAccount) {
    return read.path.size() > 3 && manifests::IsEmail(read.path[3])
               ? "serviceAccount:" + std::string(read.path[3])
               : "";
  }
  if (read.host != kDenyHost || read.path.empty()) return "";
  if (read.path[0] == "public:all") return "allUsers";
  for (const auto& [kind, type] :
       {std::pair<std::string_view, const char*>{"subject", "user:"}, {"group", "group:"}}) {
    const std::string name = JoinedPath(read.path, 1);
    if (read.path[0] == kind && manifests::IsEmail(name)) return type + name;
  }
  return "";
}

}  // namespace bindery::google
