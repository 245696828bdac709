#include "report/access/principal_match.h"

#include <algorithm>
#include <vector>

#include "core/text/nearest.h"
#include "providers/registry/kinds.h"

namespace bindery::report {
namespace {

/// The rules of all kinds, each once, in the order of the kinds.
std::vector<const reconcilers::PrincipalRules*> MakeAllRules() {
  std::vector<const reconcilers::PrincipalRules*> all;
  for (const reconcilers::Kind* kind : providers::KnownKinds().InUse()) {
    const reconcilers::PrincipalRules* rules = kind->traits().principals;
    if (rules != nullptr && std::find(all.begin(), all.end(), rules) == all.end()) {
      all.push_back(rules);
    }
  }
  return all;
}

const std::vector<const reconcilers::PrincipalRules*>& AllRules() {
  static const std::vector<const reconcilers::PrincipalRules*> kAllRules = MakeAllRules();
  return kAllRules;
}

}  // namespace

AskedPrincipal::AskedPrincipal(const reconcilers::PrincipalRules* rules, const std::string& asked,
                               const access::Places& places)
    : rules_(rules),
      places_(&places),
      normal_(rules == nullptr ? asked : rules->normal(asked)),
      foreign_(rules != nullptr && !rules->is_principal(asked)),
      nobody_(IsNobody(normal_)) {}

bool AskedPrincipal::IsNobody(const std::string& normal) const {
  if (rules_ == nullptr || rules_->project == nullptr) return false;
  const reconcilers::ProjectIdentity named = rules_->project(normal);
  if (named.id.empty()) return false;
  constexpr const char* kProjects = "projects/";
  const std::string number = places_->GetNumber(kProjects + named.id);
  if (!number.empty()) return number != named.number;
  // The number may be known as that of another project.
  const std::string by_number = kProjects + named.number;
  const std::string other = places_->GetName(by_number);
  return other != by_number && other != kProjects + named.id;
}

Match AskedPrincipal::FindMatch(const std::string& granted) const {
  if (rules_ == nullptr) return granted == normal_ ? Match::kSame : Match::kNone;
  const std::string normal = rules_->normal(granted);
  if (normal == normal_) return Match::kSame;
  if (foreign_) return Match::kNone;
  if (const std::string deleted = rules_->deleted(granted); !deleted.empty()) {
    return deleted == normal_ ? Match::kDeleted : Match::kNone;
  }
  const Match match = rules_->match(normal, normal_);
  return match != Match::kNone && (nobody_ || IsNobody(normal)) ? Match::kNone : match;
}

std::string_view MembershipNote(std::string_view principal) {
  for (const reconcilers::PrincipalRules* rules : AllRules()) {
    if (const std::string_view note = rules->membership(principal); !note.empty()) return note;
  }
  return "";
}

bool HasPrincipalForm(std::string_view text) {
  return std::ranges::any_of(AllRules(), [text](const reconcilers::PrincipalRules* rules) {
    return rules->is_principal(text);
  });
}

std::string FindMeantPrincipal(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  text = text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return "";
  if (HasPrincipalForm(text)) return std::string(text);
  for (const reconcilers::PrincipalRules* rules : AllRules()) {
    const std::vector<std::string> types(rules->types.begin(), rules->types.end());
    const auto type = NearestSpelling(text.substr(0, colon + 1), types);
    if (!type) continue;
    std::string meant = *type + std::string(text.substr(colon + 1));
    if (rules->is_principal(meant)) return meant;
  }
  return "";
}

std::string Undeleted(const std::string& principal) {
  for (const reconcilers::PrincipalRules* rules : AllRules()) {
    if (std::string plain = rules->deleted(principal); !plain.empty()) return plain;
  }
  return principal;
}

std::string CommonNormalForm(const std::string& principal) {
  std::string form;
  for (const reconcilers::PrincipalRules* rules : AllRules())
    form += rules->normal(principal) + "\n";
  return form;
}

}  // namespace bindery::report
