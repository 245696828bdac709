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
constexpr std::string_view kAccountDomain = "gserviceaccount.com";

/// "iam.googleapis.com" and {"projects", "1", …} of "principal://iam.googleapis.com/projects/1/…".
struct PrincipalIdentifier {
  std::string_view host;
  std::vector<std::string_view> path;
  bool copied = false;  ///< A scheme of the web is before the host.
};

PrincipalIdentifier ReadPrincipal(std::string_view member) {
  constexpr std::string_view kSlashes = "://";
  const auto begin = member.find(kSlashes);
  if (begin == std::string_view::npos) return {};
  std::vector<std::string_view> parts =
      manifests::Split(member.substr(begin + kSlashes.size()), '/');
  // A copied address: "https://iam.googleapis.com/…".
  const std::string scheme = AsciiLower(parts.front());
  const bool copied = (scheme == "https:" || scheme == "http:") && parts.size() > 2;
  if (copied) parts.erase(parts.begin(), parts.begin() + 2);
  const std::string_view host = parts.front();
  parts.erase(parts.begin());
  return {host, std::move(parts), copied};
}

/// Whether "locations/global/COLLECTION/POOL/…" begins there in the path.
bool IsPool(const std::vector<std::string_view>& path, std::size_t at,
            std::string_view collection) {
  return path.size() > at + 3 && path[at] == "locations" && path[at + 1] == "global" &&
         path[at + 2] == collection && !path[at + 3].empty();
}

constexpr std::string_view kAttribute = "attribute.";
constexpr std::string_view kWithValue[] = {"subject", "group", "namespace", "kubernetes.cluster",
                                           "kubernetes.serviceaccount.uid"};

/// What a part was meant to be that says who of a pool; empty: it is one, or near to none.
std::string IntendedPartOfPool(std::string_view who) {
  static const std::vector<std::string> kParts(std::begin(kWithValue), std::end(kWithValue));
  if (who.starts_with(kAttribute) || std::ranges::find(kParts, who) != kParts.end()) return "";
  const std::size_t dot = who.find('.');
  static const std::vector<std::string> kWords = {"attribute"};
  if (NearestSpelling(who.substr(0, dot), kWords)) {
    return std::string(kAttribute) +
           (dot == std::string_view::npos ? "NAME" : std::string(who.substr(dot + 1)));
  }
  return NearestSpelling(who, kParts).value_or("");
}

/// What clusters call their accounts: "ns/NAMESPACE/sa/ACCOUNT".
bool IsSubjectOfCluster(const std::vector<std::string_view>& path, std::size_t at) {
  return path.size() == at + 4 && path[at] == "ns" && path[at + 2] == "sa" &&
         !path[at + 1].empty() && !path[at + 3].empty();
}

/// The member of the pool: "subject/…", "group/…", "attribute.x/…", "*".
PrincipalForm FormOfPool(const std::vector<std::string_view>& path, std::size_t pool) {
  const std::string_view who = path.size() > pool + 1 ? path[pool + 1] : std::string_view();
  const bool attribute = who.starts_with(kAttribute);
  const bool has_value = path.size() > pool + 2 && !path[pool + 2].empty();
  const bool needs_value = attribute || std::ranges::find(kWithValue, who) != std::end(kWithValue);
  const bool says_who = !who.empty() && who != "providers" && who != kAttribute;
  if (!says_who || (needs_value && !has_value)) return PrincipalForm::kWholePool;
  if (!IntendedPartOfPool(who).empty()) return PrincipalForm::kMisspelledPart;
  const bool of_clusters =
      path[pool].ends_with(".svc.id.goog") || path[pool].ends_with(".hub.id.goog");
  const bool account = who != "subject" || !of_clusters || IsSubjectOfCluster(path, pool + 2);
  return account ? PrincipalForm::kAllowed : PrincipalForm::kNoKubernetesAccount;
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

/// The documented types of sets of a project, folder or organization.
const std::vector<std::string>& TypesOfSets() {
  static const std::vector<std::string> kSetTypes = {"ServiceAccount", "ServiceAgent"};
  return kSetTypes;
}

/// "projects/1/type/ServiceAccount"
PrincipalForm FormOfResourceManager(std::string_view member,
                                    const std::vector<std::string_view>& path) {
  if (path.size() < 4 || path[2] != "type" || path[3].empty()) return PrincipalForm::kOfBoundary;
  if (!manifests::IsDecimal(path[1])) return PrincipalForm::kProjectId;
  if (std::ranges::find(TypesOfSets(), path[3]) == TypesOfSets().end()) {
    return NearestSpelling(path[3], TypesOfSets()) ? PrincipalForm::kMisspelledPart
                                                   : PrincipalForm::kUnknownSet;
  }
  return member.starts_with("principalSet:") ? PrincipalForm::kAllowed : PrincipalForm::kOtherType;
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
  const auto at = address.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string domain = AsciiLower(address.substr(at + 1));
  return domain == kAccountDomain || domain.ends_with("." + std::string(kAccountDomain));
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
  if (read.copied) return PrincipalForm::kMisspelledHost;
  if (read.host == kDenyHost) return PrincipalForm::kOfDenyPolicy;
  if (read.host == kIamHost) {
    const PrincipalForm form = FormOfIam(read.path);
    const bool fits = form != PrincipalForm::kAllowed || FitsType(member, read.path);
    return fits ? form : PrincipalForm::kOtherType;
  }
  if (read.host == kResourceManagerHost) return FormOfResourceManager(member, read.path);
  return IntendedHost(member).empty() ? PrincipalForm::kAllowed : PrincipalForm::kMisspelledHost;
}

std::string IntendedHost(std::string_view member) {
  static const std::vector<std::string> kHosts = {std::string(kIamHost),
                                                  std::string(kResourceManagerHost)};
  const PrincipalIdentifier read = ReadPrincipal(member);
  if (read.host.empty()) return "";
  const std::string other = read.copied ? std::string(read.host) : "";
  return NearestSpelling(read.host, kHosts).value_or(other);
}

std::string IntendedPart(std::string_view member) {
  const PrincipalIdentifier read = ReadPrincipal(member);
  const std::vector<std::string_view>& path = read.path;
  if (read.host == kResourceManagerHost) {
    return path.size() < 4 ? "" : NearestSpelling(path[3], TypesOfSets()).value_or("");
  }
  const std::size_t who = path.empty() || path.front() != "projects" ? 4 : 6;
  return path.size() <= who ? "" : IntendedPartOfPool(path[who]);
}

std::string IntendedAccount(std::string_view member) {
  static const std::vector<std::string> kDomains = {std::string(kAccountDomain)};
  const std::size_t at = member.rfind('@');
  if (at == std::string_view::npos) return "";
  const std::string_view domain = member.substr(at + 1);
  const std::size_t last = domain.rfind('.');
  if (last == std::string_view::npos) return "";
  // "gserviceaccount.con", or "gserviceaccount" where the end is missing.
  const std::size_t before = domain.rfind('.', last - 1);
  for (const std::size_t from : {before == std::string_view::npos ? 0 : before + 1, last + 1}) {
    const std::string end = std::string(domain.substr(from)) + (from > last ? ".com" : "");
    if (!NearestSpelling(end, kDomains)) continue;
    return std::string(member.substr(0, at + 1 + from)) + std::string(kAccountDomain);
  }
  return "";
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

std::string NameInAllowPolicy(std::string_view member) {
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
