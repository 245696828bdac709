#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/google/roles/checks.h"
#include "providers/google/roles/member_forms.h"

namespace bindery::google {
namespace {

/// How the part behind "type:" is judged.
using ValueTest = bool (*)(std::string_view);

/// "PROJECT.svc.id.goog[NAMESPACE/ACCOUNT]": a Kubernetes service account, the older form; of a
/// fleet "PROJECT.hub.id.goog[NAMESPACE/ACCOUNT]".
bool IsKubernetesAccount(std::string_view text) {
  const auto bracket = std::min(text.find(".svc.id.goog["), text.find(".hub.id.goog["));
  if (bracket == std::string_view::npos || text.back() != ']') return false;
  const auto open = text.find('[');
  const std::vector<std::string_view> inside =
      manifests::Split(text.substr(open + 1, text.size() - open - 2), '/');
  return manifests::HasOnlyCharacters(text.substr(0, bracket), "-.:") && inside.size() == 2 &&
         manifests::HasOnlyCharacters(inside[0], "-") &&
         manifests::HasOnlyCharacters(inside[1], "-.");
}

bool IsServiceAccount(std::string_view text) {
  // The name of the resource has the form of an address too: "projects/P/serviceAccounts/A@…".
  const bool address = manifests::IsEmail(text) && text.find('/') == std::string_view::npos;
  return address || IsKubernetesAccount(text);
}

/// "PROJECT.svc.id.goog:/allAuthenticatedUsers/": all workloads of a pool, a value seen in
/// policies.
bool IsGroup(std::string_view text) {
  constexpr std::string_view kPool = ".svc.id.goog:/allAuthenticatedUsers/";
  if (manifests::IsEmail(text)) return true;
  return text.size() > kPool.size() && text.substr(text.size() - kPool.size()) == kPool &&
         manifests::HasOnlyCharacters(text.substr(0, text.size() - kPool.size()), "-.:");
}

/// "//HOST/PATH": the part behind "principal:" and "principalSet:".
bool IsPrincipalPath(std::string_view text) {
  if (text.substr(0, 2) != "//" || manifests::HasBlank(text)) return false;
  const std::string_view path = text.substr(2);
  const auto slash = path.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < path.size();
}

bool IsProject(std::string_view text) { return manifests::HasOnlyCharacters(text, "-.:"); }

struct MemberType {
  std::string_view name;
  ValueTest test;
  std::string_view form;
};
constexpr std::array<MemberType, 10> kTypes = {{
    {"user", manifests::IsEmail, "user:NAME@DOMAIN"},
    {"serviceAccount", IsServiceAccount, "serviceAccount:NAME@PROJECT.iam.gserviceaccount.com"},
    {"group", IsGroup, "group:NAME@DOMAIN"},
    {"domain", manifests::IsDomain, "domain:EXAMPLE.COM"},
    {"principal", IsPrincipalPath, "principal://HOST/PATH"},
    {"principalSet", IsPrincipalPath, "principalSet://HOST/PATH"},
    {"principalHierarchy", IsPrincipalPath, "principalHierarchy://HOST/PATH"},
    {"projectOwner", IsProject, "projectOwner:PROJECT"},
    {"projectEditor", IsProject, "projectEditor:PROJECT"},
    {"projectViewer", IsProject, "projectViewer:PROJECT"},
}};

std::vector<std::string> TypeNames() {
  std::vector<std::string> names;
  for (const MemberType& type : kTypes) names.emplace_back(type.name);
  return names;
}

manifests::CheckFailure BadMember(std::string message) {
  return manifests::CheckFailure{"BadMember", std::move(message)};
}

/// Only two members have no colon; all further words lack their type.
std::optional<manifests::CheckFailure> CheckWord(std::string_view text) {
  const std::vector<std::string> words = {"allUsers", "allAuthenticatedUsers"};
  if (std::find(words.begin(), words.end(), text) != words.end()) return std::nullopt;
  if (manifests::IsEmail(text)) {
    const bool account = text.find(".gserviceaccount.com") != std::string_view::npos;
    return BadMember(manifests::Quote(text) + " has no type, did you mean " +
                     manifests::Quote((account ? "serviceAccount:" : "user:") + std::string(text)) +
                     "?");
  }
  const std::string hint = manifests::DidYouMean(text, words);
  if (!hint.empty()) return BadMember(manifests::Quote(text) + " is not a member" + hint);
  return BadMember(
      manifests::Quote(text) +
      " is not a member: write user:, serviceAccount:, group: or domain: and a name, or "
      "allUsers");
}

manifests::CheckFailure UnlikelyMember(std::string message) {
  return manifests::CheckFailure{"UnlikelyMember", std::move(message), true};
}

/// What allow policies do not take although the text has the form of a member.
std::optional<manifests::CheckFailure> CheckAddress(std::string_view text) {
  const std::string fitting = MemberOfItsType(text);
  if (fitting.empty()) {
    if (text.find('*') == std::string_view::npos) return std::nullopt;
    return UnlikelyMember(manifests::Quote(text) +
                          " names one address, and no pattern: nobody is meant. Write domain: for "
                          "everybody of a domain, or group: for a group");
  }
  if (text.starts_with("serviceAccount:")) {
    const std::string account = IntendedAccount(text);
    if (!account.empty()) {
      return BadMember(manifests::Quote(text) +
                       " is not the address of a service account, did you mean " +
                       manifests::Quote(account) + "?");
    }
    return BadMember(manifests::Quote(text) + " is not the address of a service account: write " +
                     manifests::Quote(fitting) + ", or group: for a group");
  }
  return BadMember(manifests::Quote(text) + " is the address of a service account: write " +
                   manifests::Quote(fitting));
}

/// What says nobody, or is refused by some services; nothing: the form is another one.
std::optional<manifests::CheckFailure> CheckUnlikely(PrincipalForm form, std::string_view text,
                                                     const std::string& instead) {
  const std::string quoted = manifests::Quote(text);
  const std::string rest(text.substr(text.find(':') + 1));
  switch (form) {
    case PrincipalForm::kAlsoAccount:
      return UnlikelyMember(quoted +
                            " is what deny policies call a service account: allow policies may "
                            "refuse it" +
                            instead);
    case PrincipalForm::kOtherType:
      return UnlikelyMember(
          quoted +
          (text.starts_with("principalSet:")
               ? " names one identity as a set, and nobody is in it: write principal:"
               : " names a set as one identity, and nobody is it: write principalSet:") +
          rest);
    case PrincipalForm::kUnknownSet:
      return UnlikelyMember(quoted +
                            " names a type that is not documented: the types are ServiceAccount "
                            "and ServiceAgent");
    case PrincipalForm::kNoKubernetesAccount:
      return UnlikelyMember(quoted +
                            " names no Kubernetes service account: write "
                            "/subject/ns/NAMESPACE/sa/ACCOUNT");
    default:
      return std::nullopt;
  }
}

std::optional<manifests::CheckFailure> CheckIdentifier(std::string_view text) {
  const std::string name = NameInAllowPolicy(text);
  const std::string instead = name.empty() ? "" : ", write " + manifests::Quote(name);
  const PrincipalForm form = FormOfPrincipal(text);
  switch (form) {
    case PrincipalForm::kAllowed:
      return std::nullopt;
    case PrincipalForm::kOfDenyPolicy:
      return BadMember(manifests::Quote(text) + " is a form of deny policies" +
                       (name.empty() ? ", which allow policies do not take" : instead));
    case PrincipalForm::kOfBoundary:
      return BadMember(manifests::Quote(text) +
                       " is a form of principal access boundary policies, which allow policies do "
                       "not take: add the part that says who, such as /type/ServiceAccount");
    case PrincipalForm::kPoolWithoutProject:
      return BadMember(
          manifests::Quote(text) +
          " is not the full name of an identity pool: write //iam.googleapis.com/projects/NUMBER/"
          "locations/global/workloadIdentityPools/POOL/… or //iam.googleapis.com/locations/global/"
          "workforcePools/POOL/…");
    case PrincipalForm::kProjectId:
      return BadMember(manifests::Quote(text) +
                       " names the project by its id: such identifiers take the number of the "
                       "project");
    case PrincipalForm::kMisspelledHost:
      return BadMember(manifests::Quote(text) + " names an unknown service, did you mean " +
                       manifests::Quote(IntendedHost(text)) + "?");
    case PrincipalForm::kMisspelledPart:
      return BadMember(manifests::Quote(text) + " does not say who, did you mean " +
                       manifests::Quote(IntendedPart(text)) + "?");
    case PrincipalForm::kAlsoAccount:
    case PrincipalForm::kOtherType:
    case PrincipalForm::kUnknownSet:
    case PrincipalForm::kNoKubernetesAccount:
      return CheckUnlikely(form, text, instead);
    case PrincipalForm::kWholePool:
      break;
  }
  return BadMember(manifests::Quote(text) +
                   " does not say who of the pool: add /subject/NAME, /group/NAME, "
                   "/attribute.NAME/VALUE or /*");
}

}  // namespace

bool HasMemberForm(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return text == "allUsers" || text == "allAuthenticatedUsers";
  const auto* const type = std::ranges::find(kTypes, text.substr(0, colon), &MemberType::name);
  return type != kTypes.end() && type->test(text.substr(colon + 1));
}

// NOLINTNEXTLINE(misc-no-recursion): each time with a shorter text
std::optional<manifests::CheckFailure> CheckMember(std::string_view text) {
  if (text.empty()) return BadMember("must not be empty");
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return CheckWord(text);
  const std::string_view name = text.substr(0, colon);
  const std::string_view value = text.substr(colon + 1);
  if (name == "deleted") {
    return manifests::CheckFailure{
        "DeletedMember", manifests::Quote(text) +
                             " cannot be declared: Google Cloud marks a principal so after its "
                             "deletion and accepts no new grant to it; remove the member"};
  }
  for (const MemberType& type : kTypes) {
    if (type.name != name) continue;
    if (!type.test(value)) {
      return BadMember(manifests::Quote(text) + " is not of the form " + std::string(type.form));
    }
    if (name == "principal" || name == "principalSet") return CheckIdentifier(text);
    return CheckAddress(text);
  }
  // What Terraform's provider calls members of BigQuery's access lists.
  if (name == "iamMember" && !CheckMember(value)) {
    return BadMember(manifests::Quote(text) + ": leave out \"iamMember:\", write " +
                     manifests::Quote(value));
  }
  const std::vector<std::string> names = TypeNames();
  const std::string lower = AsciiLower(name);
  for (const std::string& known : names) {
    if (AsciiLower(known) != lower) continue;
    return BadMember(manifests::Quote(text) + ": member types are case-sensitive, write " +
                     manifests::Quote(known + ":" + std::string(value)));
  }
  return BadMember(manifests::Quote(text) + " has the unknown member type " +
                   manifests::Quote(name) + manifests::DidYouMean(name, names));
}

}  // namespace bindery::google
